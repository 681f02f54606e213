// Language detection: English is never called foreign, and the other languages are recognised without an accent too.
#include "text/language.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "text/function_words.h"
#include "text/plain_words.h"

namespace pimemory {
namespace {

TEST(Language, EnglishStaysEnglish) {
  const std::string_view texts[] = {
      "Keep the retry limit at five and log every attempt.",
      "The label \"Guardar cambios para todos\" is too long for the button.",
      "The greeting “¿Dónde está la biblioteca?” is only sample data.",
      "Fix CI",
      "",
      "   ",
      "MIT and DOS licences in Las Vegas",
      "The demo data mentions a café in Zürich.",
      "Las Vegas and Los Angeles share one queue",
      "Fix naïve résumé parser crash today",
      "Handle Smith et al. citations",
      "Replace en dash with em dash",
      "Test locales de, es, et, la, se",
      "Use tu and vous forms in French mails",
      "Plot x y z w axes",
      "Support Müller, Łukasz, Søren names everywhere",
      "NEVER PUSH TO MAIN",
      "dont use any in typescript, use unknown insted",
      "Let the worker die when the main lot is done, as in the den.",
      "Read src/que/para/los.txt and el_que_no para-que laQueNo first",
  };
  for (const std::string_view text : texts) {
    const LanguageVerdict verdict = detect_english(text);
    EXPECT_TRUE(verdict.english) << text << ": " << verdict.reason;
  }
}

TEST(Language, FencesAndInlineCodeDoNotCount) {
  EXPECT_TRUE(
      detect_english("Run the example below.\n```\necho `para que no` ``los de``\nno es para los que\n```\n").english);
  EXPECT_TRUE(detect_english("Print `no es para los que` at start.").english);
  EXPECT_TRUE(detect_english("Keep this:\n~~~\n```\nesto no es para los que\n~~~\nas it stands.").english);
  EXPECT_FALSE(detect_english("Esto no es para los que `use the main branch` siempre.").english);
}

TEST(Language, OtherLanguagesAreNotEnglish) {
  const std::string_view texts[] = {
      "Guarda siempre las copias antes de borrar la tabla.",
      "usa pnpm y no npm para instalar los paquetes",
      "NUNCA SUBAS SECRETOS A LA RAMA PRINCIPAL",
      "¿Por qué falla?",
      "¡Cuidado!",
      "Não mexa na pasta vendor sem avisar",
      "nao use isso porque os testes quebram",
      "Il ne faut jamais pousser directement sur main",
      "N'utilise pas de variables globales",
      "la compilation prend trop de temps a cause des tests",
      "nutze pnpm statt npm in diesem projekt",
      "Bitte immer zuerst die Tests schreiben",
      "NIE DIREKT AUF MAIN PUSHEN",
      "MAI PUSHARE DIRETTAMENTE SENZA REVISIONE",
      "Riavvia il worker dopo ogni modifica alla configurazione",
      "We gebruiken geen Redis meer, alles staat in Postgres",
      "Antwoord altijd kort en in het Nederlands",
      "Els registres es guarden durant trenta dies",
      "Najpierw napisz test, potem popraw błąd",
      "uzywaj pnpm zamiast npm w tym projekcie",
      "Nejdřív napiš test, pak oprav chybu",
      "nikdy neposilej zmeny primo do main protoze to rozbije build",
      "Lösenord får aldrig hamna i repot",
      "skriv alltid ett test innan du rattar felet",
      "bu projede npm yerine pnpm kullan",
      "Günlükler otuz gün boyunca saklanır",
      "Nhật ký được lưu trong ba mươi ngày",
      "Jangan pernah push langsung ke main",
      "Пароли нельзя хранить в репозитории",
      "不要直接推送到 main 分支",
      "لا تدفع مباشرة إلى الفرع الرئيسي",
      "パスワードを保存しないでください",
  };
  for (const std::string_view text : texts) {
    const LanguageVerdict verdict = detect_english(text);
    EXPECT_FALSE(verdict.english) << text << ": " << verdict.reason;
  }
}

TEST(Language, ReasonShowsBothCounts) {
  const LanguageVerdict verdict = detect_english("Guarda siempre las copias antes de borrar la tabla.");
  EXPECT_EQ(verdict.english_words, 0);
  EXPECT_GE(verdict.foreign_words, 4);
  EXPECT_NE(verdict.reason.find("0 English, " + std::to_string(verdict.foreign_words) + " foreign"), std::string::npos);
  EXPECT_NE(detect_english("¿Por qué falla?").reason.find("inverted"), std::string::npos);
  EXPECT_NE(detect_english("Пароли нельзя хранить").reason.find("not Latin"), std::string::npos);
}

TEST(Language, SharedWordsAreInNeitherList) {
  for (const std::string_view word : {"no", "a", "do", "in", "so", "die", "son", "con", "dos", "per", "main", "has"}) {
    EXPECT_FALSE(is_english_function_word(word)) << word;
    EXPECT_FALSE(is_foreign_function_word(word)) << word;
  }
}

TEST(Language, CodeIsBlankedWithoutMovingTheRest) {
  const std::string text = "see `a b` and http://x.test/y or getUserById, max_retries; a-b v1.2 end.";
  const std::string plain = blank_out_code(text);
  EXPECT_EQ(plain.size(), text.size());
  EXPECT_EQ(plain.find("User"), std::string::npos);
  EXPECT_EQ(plain.find("http"), std::string::npos);
  EXPECT_EQ(plain.find("retries"), std::string::npos);
  EXPECT_EQ(plain.find("end."), text.find("end."));
}

TEST(Language, UnclosedMarksAreText) {
  EXPECT_FALSE(detect_english("El valor de \"x no es para los que").english);
  EXPECT_FALSE(detect_english("El valor de `x no es para los que").english);
  // Many marks without a partner: the scan stays linear and nothing is blanked twice.
  std::string marks;
  for (int i = 0; i < 100'000; ++i) marks += "„«` ";
  EXPECT_TRUE(detect_english(marks).english);
}

TEST(Language, LabelledStatements) {
#ifdef PIMEMORY_SHARED_DATA
  const std::filesystem::path path = std::filesystem::path(PIMEMORY_SHARED_DATA) / "language.tsv";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "the labelled set is not present";
  int total = 0, different = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (second == std::string::npos) continue;
    ++total;
    if (detect_english(line.substr(second + 1)).english != (line.substr(0, first) == "en")) ++different;
  }
  EXPECT_GT(total, 0);
  EXPECT_EQ(different, 0) << "of " << total;
#else
  GTEST_SKIP() << "built without the path of the labelled set";
#endif
}

}  // namespace
}  // namespace pimemory
