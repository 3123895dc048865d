// What a newcomer reads first: nothing that sounds like trouble and is none, and no promise that is not kept.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class FirstImpression : public Program {
 protected:
  static std::string model(const std::string& name) {
    return std::string(source_directory) + "/models/" + name + ".yaml";
  }
};

TEST_F(FirstImpression, OfARunIsItsResult) {
  for (const char* name : {"rrr", "four_bar", "rrr_motors", "stewart"}) {
    const Answer answer = armature("run " + model(name) + " --end 0.01 --no-report -o r");
    EXPECT_THAT(answer.out, StartsWith("reached t = 0.01 s\n")) << name;
    EXPECT_EQ(answer.err, "") << name;
  }
  const Answer check = armature("check " + model("rrr"));
  EXPECT_THAT(check.out, HasSubstr("assembly moved"));
  EXPECT_THAT(check.out, HasSubstr("the nearest start misses platform by 0.0207 rad and 0.00654 m\n"));
  EXPECT_THAT(json("r/run.json").at("notes").dump(), HasSubstr("assembly moved"));
}

// A four-bar with a given crank closes in two ways (a quadratic equation); that these are all, the search does not know.
TEST_F(FirstImpression, OfAllBranchesSaysWhatWasSearched) {
  const Answer found = armature("assemble " + model("four_bar") + " --all");
  EXPECT_THAT(found.out, HasSubstr("branch 2\n"));
  EXPECT_THAT(found.out, HasSubstr("found 2 ways from 301 starts; a search does not prove that there are no others\n"));
  const nlohmann::json told = nlohmann::json::parse(armature("assemble " + model("four_bar") + " --all --json").out);
  EXPECT_EQ(told.at("complete"), false);
  EXPECT_EQ(told.at("guesses"), 301);
  EXPECT_GE(told.at("closed"), 2);
  EXPECT_EQ(told.at("free_motions"), nlohmann::json({0, 0}));
  EXPECT_THAT(armature("assemble --help").out, Not(HasSubstr("all branches")));
}

// Without the crank's angle the four-bar has one motion: two poses of it are no list of all ways.
TEST_F(FirstImpression, OfSamplesOfAFreeMotionSaysSo) {
  shell("sed '/keep:/d' " + model("four_bar") + " > free.yaml");
  const Answer found = armature("assemble free.yaml --all");
  EXPECT_THAT(found.out, HasSubstr("leave a free motion of 1 dimension at each of them: samples of it, all with "));
  EXPECT_THAT(found.out, HasSubstr(" as in branch 1\n"));
  const nlohmann::json told = nlohmann::json::parse(armature("assemble free.yaml --all --json").out);
  for (const auto& motions : told.at("free_motions")) EXPECT_EQ(motions, 1);
  EXPECT_EQ(told.at("held").size(), 1u);
}

// In the first moments of a run programs are still being made; an estimate from them said two hours for a tenth of a second.
TEST_F(FirstImpression, OfTheBarIsNoEstimateFromItsFirstMoment) {
  shell("script -qec '" + std::string(program_path) + " run " + model("biped") + " --no-report -o b' log");
  EXPECT_THAT(read("log"), HasSubstr("reached t = "));
  EXPECT_THAT(read("log"), Not(testing::ContainsRegex("[0-9]:[0-9][0-9]:[0-9][0-9] left")));
}

TEST_F(FirstImpression, OfInputsThatEndBeforeTheRunIsAWarning) {
  write("m.yaml",
        "armature: 1\nplane: xy\ngravity: [0, 0, 0]\ninputs: {u: {unit: N*m, default: 0}}\n"
        "bodies: {r: {mass: 1, inertia: {zz: 1}}}\njoints: {turn: {type: revolute, between: [ground, r]}}\n"
        "forces: {f: {type: effort, on: turn, is: u}}\nsimulate: {end: 1, record: 0.1}\n");
  write("u.csv", "t [s],u [N*m]\n0.4,2\n0.6,2\n");
  const Answer answer = armature("run m.yaml --inputs u.csv --no-report -o r");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.err, HasSubstr("warning: the input u has values from 0.4 s to 0.6 s only"));
  EXPECT_THAT(json("r/run.json").at("warnings").dump(), HasSubstr("the input u has values from 0.4 s to 0.6 s only"));
  write("u.csv", "t [s],u [N*m]\n0,2\n1,2\n");
  EXPECT_EQ(armature("run m.yaml --inputs u.csv --no-report -o r").err, "");
}

TEST_F(FirstImpression, OfSeveralClassesIsThatOfOneList) {
  const std::string map = "map " + model("pendulum") + " --over swing.v=0:9:4 --end 2 --no-report -q";
  const Answer one = armature(map + " --classify 'over: turns(swing) >= 0.5; swings' -o one");
  const Answer several = armature(map + " --classify 'over: turns(swing) >= 0.5' --classify swings -o one");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(several.out, one.out) << several.err;
}

}  // namespace
}  // namespace armature::internal
