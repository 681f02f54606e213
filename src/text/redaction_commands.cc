// Finds secrets in command lines and login files (netrc, pgpass).
#include <algorithm>
#include <array>

#include "text/redaction_rules.h"

namespace pimemory::redaction {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

enum class Command { kOther, kCurl, kMysql, kSshpass, kLogin, kTwine, kSqlcmd, kRedis };

// A blank-separated word; a quoted one is given without its quotes.
struct Word {
  std::size_t begin = kNone;
  std::size_t end = 0;
  bool quoted = false;
  std::size_t next = 0;
};

Word word_at(std::string_view text, std::size_t pos) {
  Word word;
  while (pos < text.size() && is_blank(text[pos])) ++pos;
  if (pos >= text.size() || is_newline(text[pos])) return word;
  const Quote quote = open_quote(text, pos);
  if (quote.mark != 0) {
    const std::size_t close = close_quote(text, quote.content, quote.mark, quote.level);
    if (close != kNone) return {quote.content, close, true, close + 1 + quote.level};
  }
  const std::size_t end = bare_end(text, pos);
  if (end > pos) word = {pos, end, false, end};
  return word;
}

bool segment_ends(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (c == '|' || c == ';' || c == '&') return true;
  if (c == '\\') return i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == 'r');
  return is_newline(c) && !(i > 0 && text[i - 1] == '\\');
}

Command command_named(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  if (slash != kNone) word.remove_prefix(slash + 1);
  if (word == "curl" || word == "curl.exe" || word == "wget") return Command::kCurl;
  if (word == "mysql" || word == "mysqldump" || word == "mysqladmin" || word == "mariadb" || word == "mariadb-dump" ||
      word == "mysqlimport" || word == "mariadb-admin") {
    return Command::kMysql;
  }
  if (word == "sshpass") return Command::kSshpass;
  if (word == "twine") return Command::kTwine;
  if (word == "sqlcmd" || word == "bcp") return Command::kSqlcmd;
  if (word == "redis-cli") return Command::kRedis;
  return Command::kOther;
}

bool verb_flag(std::string_view name) {
  constexpr std::array<std::string_view, 8> kVerbs = {"list-",   "no-",       "show-", "get-",
                                                      "delete-", "generate-", "from-", "export-"};
  return std::any_of(kVerbs.begin(), kVerbs.end(), [&](std::string_view verb) { return starts_lower(name, verb); });
}

class CommandScanner {
 public:
  CommandScanner(std::string_view text, Edits& edits) : text_(text), edits_(edits) {}

  void run() {
    std::size_t i = 0;
    while (i < text_.size()) {
      if (segment_ends(text_, i)) {
        command_ = Command::kOther;
        registry_ = false;
        i += text_[i] == '\\' ? 2 : 1;
      } else if (!word_begins(i)) {
        ++i;
      } else if (text_[i] == '-') {
        i = read_flag(i);
      } else {
        i = read_word(i);
      }
    }
  }

 private:
  bool word_begins(std::size_t i) const {
    if (is_space(text_[i]) || is_quote(text_[i]) || text_[i] == '\\') return false;
    if (i == 0) return true;
    const char c = text_[i - 1];
    return is_space(c) || is_quote(c) || c == '(' || c == ';' || c == '|' || c == '&' ||
           (i >= 2 && escaped_space_at(text_, i - 2));
  }

  std::size_t read_word(std::size_t i) {
    std::size_t end = i;
    while (end < text_.size() && (is_word(text_[end]) || text_[end] == '-' || text_[end] == '/' || text_[end] == '.'))
      ++end;
    if (end == i) return i + 1;
    const std::string_view word = text_.substr(i, end - i);
    const Command named = command_named(word);
    if (named != Command::kOther) command_ = named;
    if (word == "docker" || word == "podman" || word == "helm" || word == "oc" || word == "az") registry_ = true;
    if (word == "login" && registry_) command_ = Command::kLogin;
    return end;
  }

  std::size_t read_flag(std::size_t i) {
    std::size_t end = i;
    while (end < text_.size() && (is_base64url(text_[end]) || text_[end] == '.')) ++end;
    const std::string_view flag = text_.substr(i, end - i);
    const bool value_follows = end < text_.size() && is_blank(text_[end]);
    if (flag == "-u" || flag == "--user" || flag == "-U" || flag == "--proxy-user") {
      const bool equals = end < text_.size() && text_[end] == '=';
      if (command_ == Command::kCurl && (value_follows || equals)) return user_value(equals ? end + 1 : end);
      return end;
    }
    if (command_ == Command::kCurl && flag.starts_with("-u") && end < text_.size() && text_[end] == ':') {
      return user_value(i + 2);
    }
    if (flag.starts_with("--")) return value_follows ? long_flag(flag.substr(2), end) : end;
    return short_flag(flag, i, end, value_follows);
  }

  std::size_t long_flag(std::string_view name, std::size_t end) {
    const NameMatch match = classify_name(name);
    if (match.kind == NameKind::kNone || verb_flag(name) || name.ends_with("-id") || name.ends_with("-string"))
      return end;
    const Word word = word_at(text_, end);
    if (word.begin == kNone || !is_secret(word)) return end;
    const std::string_view value = text_.substr(word.begin, word.end - word.begin);
    if (match.path_stays ? path_like(value) : known_path(value)) return end;
    if (match.kind == NameKind::kLoose && (!token_like(value) || identifier_like(value))) return end;
    if (value.starts_with("id=") || value.starts_with("source=") || value.starts_with("file:"))
      return end;  // docker --secret id=…
    return replace(word);
  }

  std::size_t short_flag(std::string_view flag, std::size_t begin, std::size_t end, bool value_follows) {
    const char letter = flag.size() > 1 ? flag[1] : '\0';
    const bool apart = flag.size() == 2 && value_follows;
    const bool joined = flag.size() > 2 || (flag.size() == 2 && end < text_.size() && !is_space(text_[end]));
    bool wanted = false;
    switch (command_) {
      case Command::kMysql:
        wanted = letter == 'p' && joined;
        break;
      case Command::kSshpass:
        wanted = letter == 'p' && (apart || joined);
        break;
      case Command::kLogin:
        wanted = letter == 'p' && (apart || joined);
        break;
      case Command::kTwine:
        wanted = letter == 'p' && (apart || joined);
        break;
      case Command::kSqlcmd:
        wanted = letter == 'P' && (apart || joined);
        break;
      case Command::kRedis:
        wanted = letter == 'a' && apart;
        break;
      default:
        break;
    }
    if (!wanted) return end;
    const Word word = word_at(text_, begin + 2);
    // What follows belongs to the program that sshpass starts.
    if (command_ == Command::kSshpass) command_ = Command::kOther;
    if (word.begin == kNone || !is_secret(word)) return std::max(end, begin + 2);
    return replace(word);
  }

  std::size_t user_value(std::size_t pos) {
    const Word word = word_at(text_, pos);
    if (word.begin == kNone) return pos;
    const std::string_view value = text_.substr(word.begin, word.end - word.begin);
    const std::size_t colon = value.find(':');
    if (colon == kNone || colon + 1 == value.size()) return word.next;
    // `${X:-y}` holds a colon of its own.
    if (value_stays(value.substr(colon + 1), Form::kQuoted) || value.substr(0, colon).find("${") != kNone)
      return word.next;
    if (value.starts_with("{{")) return word.next;
    return replace(word);
  }

  bool is_secret(const Word& word) const {
    const std::string_view value = text_.substr(word.begin, word.end - word.begin);
    if (value.empty() || (!word.quoted && (value[0] == '-' || value[0] == '<' || value[0] == '>'))) return false;
    if (value_stays(value, word.quoted ? Form::kQuoted : Form::kBare)) return false;
    return true;
  }

  std::size_t replace(const Word& word) {
    edits_.push_back({word.begin, word.end, kPlaceholder});
    return word.next;
  }

  std::string_view text_;
  Edits& edits_;
  Command command_ = Command::kOther;
  bool registry_ = false;
};

// The last words in front of a netrc `password`, newest last.
class NetrcWindow {
 public:
  void push(std::string_view word) {
    std::rotate(words_.begin(), words_.begin() + 1, words_.end());
    words_.back() = word;
  }
  // 0 is the newest word.
  std::string_view back(std::size_t k) const { return words_[words_.size() - 1 - k]; }
  bool holds_machine() const { return std::find(words_.begin(), words_.end(), "machine") != words_.end(); }

 private:
  std::array<std::string_view, 6> words_{};
};

bool last_on_line(std::string_view text, std::size_t end) {
  while (end < text.size() && is_blank(text[end])) ++end;
  return end >= text.size() || is_newline(text[end]) || is_quote(text[end]) || escaped_space_at(text, end);
}

bool netrc_secret(std::string_view text, const NetrcWindow& before, std::size_t begin, std::size_t end) {
  // `before` ends in: … login X password
  if (before.back(0) != "password" || (before.back(2) != "login" && before.back(2) != "machine")) return false;
  const std::string_view value = text.substr(begin, end - begin);
  if (value_stays(value, Form::kBare)) return false;
  if (before.back(2) == "login" && (before.back(4) == "machine" || before.back(3) == "default")) return true;
  if (letter_and_digit(value, 6)) return true;
  return before.back(2) == "login" && last_on_line(text, end) && !identifier_like(value);
}

bool pgpass_port(std::string_view port) {
  if (port == "*") return true;
  return port.size() >= 2 && port.size() <= 5 && port[0] != '0' && std::all_of(port.begin(), port.end(), is_digit);
}

// Where the password begins when the word [begin, end) is `host:port:database:user:password`, else 0.
std::size_t pgpass_password(std::string_view text, std::size_t begin, std::size_t end) {
  std::array<std::size_t, 4> colons{};
  std::size_t count = 0;
  for (std::size_t i = begin; i < end && count < colons.size(); ++i) {
    if (text[i] == '\\' && i + 1 < end) {
      ++i;
    } else if (text[i] == ':') {
      colons[count++] = i;
    }
  }
  if (count < colons.size()) return 0;
  const std::string_view host = text.substr(begin, colons[0] - begin);
  const std::string_view database = text.substr(colons[1] + 1, colons[2] - colons[1] - 1);
  const std::string_view user = text.substr(colons[2] + 1, colons[3] - colons[2] - 1);
  const auto plain = [](char c) { return is_base64url(c) || c == '.' || c == '*'; };
  if (host.empty() || database.empty() || user.empty() || !std::all_of(host.begin(), host.end(), plain)) return 0;
  if (!pgpass_port(text.substr(colons[0] + 1, colons[1] - colons[0] - 1))) return 0;
  if (std::all_of(database.begin(), database.end(), is_digit)) return 0;
  const std::string_view password = text.substr(colons[3] + 1, end - colons[3] - 1);
  return letter_and_digit(password, 6) && !value_stays(password, Form::kQuoted) ? colons[3] + 1 : 0;
}

}  // namespace

void find_command_arguments(std::string_view text, Edits& edits) {
  if (text.find('-') == kNone) return;
  CommandScanner(text, edits).run();
}

void find_login_files(std::string_view text, Edits& edits) {
  NetrcWindow before;
  std::size_t i = 0;
  while (i < text.size()) {
    if (is_space(text[i]) || is_quote(text[i])) {
      ++i;
      continue;
    }
    if (escaped_space_at(text, i)) {
      i += 2;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !is_space(text[end]) && !is_quote(text[end]) && !escaped_space_at(text, end)) ++end;
    const std::size_t password = pgpass_password(text, i, end);
    if (password != 0) {
      edits.push_back({password, end, kPlaceholder});
    } else if (netrc_secret(text, before, i, end)) {
      edits.push_back({i, end, kPlaceholder});
    }
    before.push(text.substr(i, end - i));
    i = end;
  }
}

}  // namespace pimemory::redaction
