// Shares the vocabulary of the redaction scanners: edits, character classes, names and values. Internal to `text`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pimemory::redaction {

inline constexpr std::string_view kPlaceholder = "<REDACTED>";
inline constexpr std::string_view kKeyPlaceholder = "<REDACTED PRIVATE KEY>";
inline constexpr std::string_view kJwtPlaceholder = "<REDACTED JWT>";
inline constexpr std::size_t kMaxNameBytes = 64;

// One replacement of the bytes [begin, end).
struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string_view replacement;
};
using Edits = std::vector<Edit>;

inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_letter(char c) { return is_lower(c) || is_upper(c); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_alnum(char c) { return is_letter(c) || is_digit(c); }
inline bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }
inline bool is_word(char c) { return is_alnum(c) || c == '_'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_newline(char c) { return c == '\n' || c == '\r'; }
inline bool is_space(char c) { return is_blank(c) || is_newline(c) || c == '\f' || c == '\v'; }
inline bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
inline bool is_base64url(char c) { return is_word(c) || c == '-'; }
inline bool is_closer(char c) { return c == ')' || c == ']' || c == '}'; }
inline char to_lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }

// The character class of token-like values.
inline bool is_token_char(char c) {
  return is_word(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=' || c == '-';
}

// ASCII case-insensitive; `lower` must be lower case.
bool equals_lower(std::string_view text, std::string_view lower);
bool starts_lower(std::string_view text, std::string_view lower);
std::string lowered(std::string_view text);

// True when a backslash escape such as `\n` (two characters, as in JSON) starts at `pos` and stands for white space.
bool escaped_space_at(std::string_view text, std::size_t pos);

// True when a word may start at `pos`: start of text, after a non-word byte, or after an escaped line break.
bool word_starts_at(std::string_view text, std::size_t pos);

// End of the line holding `pos`: a real line break, an escaped one, or the end of the text.
std::size_t line_end(std::string_view text, std::size_t pos);

// A quoted string: `close` is where its closing quote (with its backslashes) begins, npos when it is not closed on its
// line. `level` is the number of backslashes in front of the quote.
struct Quote {
  char mark = 0;
  std::size_t level = 0;
  std::size_t content = 0;
  std::size_t close = std::string_view::npos;
};

// Reads an opening quote at `pos`, with its backslashes; mark is 0 when there is none.
Quote open_quote(std::string_view text, std::size_t pos);

// Where the quote `mark` of this level closes at or after `pos`, on the same line; npos when it does not.
std::size_t close_quote(std::string_view text, std::size_t pos, char mark, std::size_t level);

// End of a bare word: white space, `;`, a closing bracket, a comma before white space, a quote that closes something.
std::size_t bare_end(std::string_view text, std::size_t pos);

bool token_like(std::string_view value);
// At least `minimum` characters that hold a letter and a digit.
bool letter_and_digit(std::string_view value, std::size_t minimum);
// A lower-case word or path with at most two digits, such as `oauth2-proxy`: a name, not a secret.
bool identifier_like(std::string_view value);
// A word that only looks random: algorithms (`sha256`), sizes (`32-byte`), versions (`v1.2.3`).
bool technical_term(std::string_view value);

enum class Form { kBare, kQuoted };

// True when the value is a reference, a mask, a constant or a type name: it holds no secret in any row.
bool value_stays(std::string_view value, Form form);
// True when the value is a file system path (`/`, `~/`, `./`).
bool path_like(std::string_view value);
// The narrower test for firm names: a base64 key may begin with a slash, a well-known folder is never a key.
bool known_path(std::string_view value);

enum class NameKind { kNone, kFirm, kLoose };
struct NameMatch {
  NameKind kind = NameKind::kNone;
  bool path_stays = false;  // pwd and the loose names
};

// Classifies an assignment name of at most kMaxNameBytes; it is split at `_ - .`, blanks and case changes.
NameMatch classify_name(std::string_view name);

// The rows of the redaction table. Each appends ordered, disjoint edits and is linear in the text.
void find_private_keys(std::string_view text, Edits& edits);
void find_url_userinfo(std::string_view text, Edits& edits);
void find_url_parameters(std::string_view text, Edits& edits);
void find_webhooks(std::string_view text, Edits& edits);
void find_headers(std::string_view text, Edits& edits);
void find_jwts(std::string_view text, Edits& edits);
void find_schemes(std::string_view text, Edits& edits);
void find_vendor_tokens(std::string_view text, Edits& edits);
void find_assignments(std::string_view text, Edits& edits);
void find_command_arguments(std::string_view text, Edits& edits);
void find_login_files(std::string_view text, Edits& edits);
void find_sentences(std::string_view text, Edits& edits);

}  // namespace pimemory::redaction
