// Verdicts come from numbers alone, and nothing that does not come out is passed over.
#include "gallery/verdict.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "gallery/gallery.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::gallery {
namespace {

using testing::HasSubstr;

Number number(std::optional<Expectation> expect, std::optional<Claim> paper, const std::string& because = "") {
  Number result;
  result.name = "a number";
  result.of = "experiment";
  result.expect = std::move(expect);
  result.paper = std::move(paper);
  result.because = because;
  return result;
}

const Expectation two{2, 0.1, "2.0", "a book"};
const Claim about_two{"about 2", 1.5, 2.5};

TEST(Verdict, NumberThatMustComeOutFailsWhereItDoesNot) {
  EXPECT_FALSE(judge(number(two, {}), 2.05).failed());
  EXPECT_TRUE(judge(number(two, {}), 2.2).failed());
  EXPECT_THAT(judge(number(two, {}), 2.2).problem, HasSubstr("2.2 came out, expected 2.0 within 0.1 (a book)"));
  EXPECT_TRUE(judge(number(two, {}), std::nan("")).failed());
}

TEST(Verdict, ClaimThatDoesNotHoldNeedsAReason) {
  EXPECT_TRUE(*judge(number({}, about_two), 2).holds);
  EXPECT_FALSE(judge(number({}, about_two), 2).failed());
  EXPECT_TRUE(judge(number({}, about_two), 3).failed());
  EXPECT_FALSE(judge(number({}, about_two, "a misprint"), 3).failed());
  EXPECT_FALSE(*judge(number({}, about_two, "a misprint"), 3).holds);
  EXPECT_TRUE(judge(number({}, about_two, "a misprint"), std::nan("")).holds == false);
}

TEST(Verdict, ReasonForWhatComesOutIsAFailureToo) {
  EXPECT_THAT(judge(number({}, about_two, "a misprint"), 2).problem, HasSubstr("is reproduced, although a reason"));
}

JudgedItem item_of(const std::vector<JudgedNumber>& numbers) {
  JudgedItem item{nullptr, numbers, {}, Verdict::failed};
  item.verdict = verdict_of(item);
  return item;
}

TEST(Verdict, OfAFigureCountsItsClaims) {
  static const Number plain = number(two, about_two), odd = number({}, about_two, "a misprint"),
                      silent = number(two, {});
  EXPECT_EQ(item_of({judge(plain, 2), judge(plain, 2)}).verdict, Verdict::reproduced);
  EXPECT_EQ(item_of({judge(plain, 2), judge(odd, 3)}).verdict, Verdict::in_part);
  EXPECT_EQ(item_of({judge(odd, 3), judge(silent, 2)}).verdict, Verdict::not_reproduced);
  EXPECT_EQ(item_of({judge(silent, 2)}).verdict, Verdict::confirmed);
  EXPECT_EQ(item_of({}).verdict, Verdict::without_numbers);
  EXPECT_EQ(item_of({judge(plain, 2), judge(silent, 3)}).verdict, Verdict::failed);
}

constexpr const char* entry = R"(
name: toy
title: A toy
source: a paper
experiments:
  one: run models/toy.yaml --end 1
items:
  - name: fig1
    label: Fig. 1
    shows: a toy
    numbers:
      - {name: final x, of: one, formula: final(x), paper: 3, expect: EXPECTED, source: a book}
      - {name: second zero, of: one, event: "x = 0", nth: 2, expect: 0.75, source: a book}
      - {name: zeros to 0.5 s, of: one, count: "x = 0", until: 0.5, expect: 1, source: a book}
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// A program that says what a run says.
int toy_program(const std::vector<std::string>& arguments, const std::filesystem::path& out,
                const std::filesystem::path& error) {
  EXPECT_THAT(arguments, testing::Contains("fig1_1=final(x)"));
  std::ofstream(error) << "";
  std::ofstream(out) << R"({"status": "finished", "sentence": "done", "numbers": {"fig1_1": 3.02},
    "events": [{"t": 0.25, "what": "x = 0, rising"}, {"t": 0.75, "what": "x = 0, falling"}]})";
  return 0;
}

Gallery gallery_with(const std::string& expected, const std::filesystem::path& folder, std::vector<Entry>& entries) {
  entries = {read_entry_text(with(entry, "EXPECTED", expected), "toy.yaml")};
  return make_gallery(entries, ".", folder, toy_program, 2);
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Verdict, WrongExpectationFailsThePage) {
  const TemporaryFolder folder;
  std::vector<Entry> entries;
  EXPECT_EQ(gallery_with("3.02", folder.path(), entries).failures(), 0);
  EXPECT_THAT(text_of(folder / "index.html"), testing::Not(HasSubstr("FAILED")));
  EXPECT_EQ(gallery_with("3.07", folder.path(), entries).failures(), 1);
  EXPECT_THAT(text_of(folder / "index.html"), HasSubstr("FAILED"));
  EXPECT_THAT(text_of(folder / "result.json"), HasSubstr("3.02 came out, expected 3.07"));
}

TEST(Verdict, ExperimentThatFailsFailsItsNumbers) {
  const TemporaryFolder folder;
  const std::vector<Entry> entries = {read_entry_text(with(entry, "EXPECTED", "3.02"), "toy.yaml")};
  const Gallery result = make_gallery(
      entries, ".", folder.path(),
      [](const auto&, const auto& out, const auto& error) {
        std::ofstream(out) << R"({"status": "failed", "sentence": "the loop does not close"})";
        std::ofstream(error) << "";
        return 1;
      },
      1);
  EXPECT_EQ(result.failures(), 1);
  EXPECT_THAT(result.entries[0].items[0].judged.numbers[0].problem, HasSubstr("the loop does not close"));
}

}  // namespace
}  // namespace armature::internal::gallery
