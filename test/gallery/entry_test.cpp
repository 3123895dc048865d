// Entries are read with everything that is wrong said at its place, and those of the project name every figure of their papers.
#include "gallery/entry.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "gallery/fields.hpp"
#include "model/model.hpp"
#include "support/paths.hpp"

namespace armature::internal::gallery {
namespace {

using testing::HasSubstr;

std::string complaint(const std::string& number) {
  try {
    read_entry_text(
        "name: a\ntitle: b\nsource: c\nexperiments:\n  one: run x.yaml\nitems:\n"
        "  - {name: fig1, label: Fig. 1, shows: d, numbers: [" +
            number + "]}\n",
        "a.yaml");
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

TEST(GalleryEntry, SaysWhatIsWrongWhere) {
  EXPECT_EQ(complaint("{name: x, of: one, value: a/b, expect: 1, source: book}"), "");
  EXPECT_THAT(complaint("{name: x, of: ones, value: a/b, expect: 1, source: book}"),
              HasSubstr("a.yaml:7: items[1].numbers[1].of: there is no experiment 'ones' (did you mean 'one'?)"));
  EXPECT_THAT(complaint("{name: x, of: one, value: a/b, expct: 1, source: book, paper: 2}"),
              HasSubstr("unknown key (did you mean 'expect'?)"));
  EXPECT_THAT(complaint("{name: x, of: one, value: a/b, expect: 1}"), HasSubstr("an expected number needs its source"));
  EXPECT_THAT(complaint("{name: x, of: one, value: a/b}"), HasSubstr("nothing would be judged"));
  EXPECT_THAT(complaint("{name: x, of: one, value: a, formula: b, paper: 1}"), HasSubstr("expected one of formula"));
}

TEST(GalleryEntry, LastDigitIsTheTolerance) {
  EXPECT_DOUBLE_EQ((Written{0.4954775066, "0.4954775066"}.last_digit()), 1e-10);
  EXPECT_DOUBLE_EQ((Written{2.789e-3, "2.789e-3"}.last_digit()), 1e-6);
  EXPECT_DOUBLE_EQ((Written{10, "10"}.last_digit()), 1);
}

TEST(GalleryEntry, SplitsCommandsAsAShellDoes) {
  EXPECT_THAT(split_words("run a.yaml --set 'b=[c, d]' -x \"e f\""),
              testing::ElementsAre("run", "a.yaml", "--set", "b=[c, d]", "-x", "e f"));
  EXPECT_THROW(split_words("run 'a"), std::runtime_error);
}

// What the five papers hold, and the problems.
const std::map<std::string, std::vector<std::string>> figures = {
    {"rrr", {"Table 1", "Fig. 1", "Fig. 2a", "Fig. 2b", "Fig. 3a", "Fig. 3b"}},
    {"gains",
     {"Fig. 1", "Fig. 2", "Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7", "Fig. 8, 9", "Fig. 10, 11", "Fig. 12, 13",
      "Fig. 14"}},
    {"motors",
     {"Fig. 1", "Fig. 2", "Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7", "Fig. 8", "Fig. 9", "Fig. 10", "Fig. 11",
      "Fig. 12"}},
    {"press",
     {"Table 1", "Fig. 1", "Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7", "Fig. 8", "Fig. 9", "Fig. 10", "Fig. 11",
      "Fig. 12", "Fig. 13", "Fig. 14"}},
    {"flexible", {"Table 1", "Fig. 1", "Fig. 2", "Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6"}},
    {"benchmarks", {"A01", "A02", "A03"}}};

TEST(GalleryEntry, EveryFigureOfThePapersIsThere) {
  std::map<std::string, Entry> entries;
  for (Entry& entry : read_entries(std::string(source_directory) + "/gallery")) entries[entry.name] = std::move(entry);
  EXPECT_EQ(entries.size(), figures.size());
  for (const auto& [name, labels] : figures)
    for (const std::string& label : labels)
      EXPECT_TRUE(std::ranges::count(entries[name].items, label, &Item::label)) << name << " " << label;
}

// Numbers that a reader of the papers would look for first, as digits in the entries.
TEST(GalleryEntry, HoldsTheReferenceNumbers) {
  std::vector<std::string> digits;
  for (const Entry& entry : read_entries(std::string(source_directory) + "/gallery"))
    for (const Item& item : entry.items)
      for (const Number& number : item.numbers)
        if (number.expect) digits.push_back(number.expect->digits);
  for (const char* known : {"0.4954775066", "0.2977298", "0.9177974", "4.838166e-3", "32.573204", "8.4370053",
                            "8.9105479267", "0.265310", "4.5025801", "1520", "1241", "960", "4.87078396e-3", "198.96",
                            "173.113", "-0.27508746", "0.98357274", "15.8107712"})
    EXPECT_THAT(digits, testing::Contains(known));
}

}  // namespace
}  // namespace armature::internal::gallery
