#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

using GalleryVerb = Program;

TEST_F(GalleryVerb, JudgesTheProblemsThatAreQuick) {
  const Answer answer = armature("gallery --only benchmarks/a01,benchmarks/a03,rrr/fig3b -o g");
  EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("reproduced         A01"));
  const auto result = json("g/result.json");
  EXPECT_EQ(result["status"], "finished");
  for (const auto& entry : result["entries"])
    for (const auto& item : entry["items"]) {
      EXPECT_EQ(item["verdict"], "reproduced") << item["label"];
      for (const auto& number : item["numbers"])
        if (number.contains("expected")) {
          EXPECT_NEAR(number["value"], number["expected"]["value"], number["expected"]["within"].get<double>())
              << number["name"];
        }
    }
  const std::string page = read("g/index.html");
  EXPECT_THAT(page, HasSubstr("src=\"pictures/benchmarks_a01_1.svg\""));
  EXPECT_TRUE(exists("g/pictures/benchmarks_a01_1.svg"));
  EXPECT_TRUE(exists("g/benchmarks/squeezer/trajectory.csv"));
  EXPECT_THAT(page, Not(HasSubstr("http")));                  // needs nothing from elsewhere
  EXPECT_THAT(page, Not(HasSubstr(folder.path().string())));  // and may be moved
}

constexpr const char* toy_entry = R"yaml(
name: toy
title: A toy
source: a paper
experiments: {one: run models/toy.yaml}
items:
  - {name: fig1, label: Fig. 1, shows: a pendulum, numbers: [{name: speed, of: one, formula: max(abs(theta')), expect: EXPECTED, source: "sqrt(2 g/l)"}]}
)yaml";

TEST_F(GalleryVerb, SaysWhatDoesNotComeOut) {
  std::filesystem::create_directories(folder / "own/gallery");
  std::filesystem::create_directories(folder / "own/models");
  write("own/models/toy.yaml", pendulum);
  const auto with = [](const std::string& expected) {
    std::string text = toy_entry;
    return text.replace(text.find("EXPECTED"), 8, expected);
  };
  write("own/gallery/toy.yaml", with("4.429447"));
  EXPECT_EQ(armature("gallery --from own -o g").code, 0);
  write("own/gallery/toy.yaml", with("4.50"));
  const Answer answer = armature("gallery --from own -o g");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, HasSubstr("FAILED"));
  EXPECT_THAT(answer.out, HasSubstr("expected 4.50 within 0.01 (sqrt(2 g/l))"));
  EXPECT_THAT(read("g/index.html"), HasSubstr("class=\"failed\""));
}

TEST_F(GalleryVerb, ListsAndRefuses) {
  EXPECT_THAT(armature("gallery --list").out, HasSubstr("rrr/fig2b"));
  EXPECT_FALSE(exists("results"));
  const auto listed = nlohmann::json::parse(armature("gallery --list --json --only rrr").out);
  EXPECT_EQ(listed["entries"].size(), 1);
  EXPECT_EQ(listed["entries"][0]["name"], "rrr");
  EXPECT_EQ(listed["entries"][0]["items"][0]["name"], "rrr/tab1");
  const Answer answer = armature("gallery --only rrr/fig2");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("--only rrr/fig2: unknown name (did you mean rrr/fig2a or rrr/fig2b?)"));
  EXPECT_THAT(armature("gallery --only pres").err, HasSubstr("(did you mean press?)"));
  EXPECT_THAT(armature("gallery --only map").err, HasSubstr("(did you mean press/map?)"));
  EXPECT_EQ(armature("gallery --only everything").err,
            "--only everything: unknown name; expected rrr, gains, motors, press, flexible, benchmarks; "
            "'armature gallery --list' shows their items\n");
  EXPECT_THAT(armature("gallery --only press/everything").err, HasSubstr("; expected press/tab1, press/fig1, "));
  EXPECT_THAT(armature("gallery --from .").err, HasSubstr("expected a folder with gallery/ and models/"));
}

}  // namespace
}  // namespace armature::internal
