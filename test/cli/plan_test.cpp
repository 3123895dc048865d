// armature plan, as its user sees it.
#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

class PlanVerb : public Program {
 protected:
  const std::string cart = "plan " + std::string(source_directory) + "/models/plan/cart.yaml ";
};

TEST_F(PlanVerb, WritesARunAndATableThatRepeatsIt) {
  const Answer answer = armature(cart + "--to 'travel=1 m' --input push=-2:2 --gains -o plan");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("shortest time: 2.0000"));
  EXPECT_THAT(answer.out, HasSubstr("active limits: the range of push"));
  for (const char* file : {"plan/run.json", "plan/trajectory.csv", "plan/plan.json", "plan/inputs.csv",
                           "plan/gains.csv", "plan/report.html"})
    EXPECT_TRUE(exists(file)) << file;
  const auto found = json("plan/plan.json");
  EXPECT_EQ(found["status"], "finished");
  EXPECT_THAT(read("plan/report.html"), HasSubstr(R"(["cost","2.00005 s"])"));  // as its duration
  EXPECT_THAT(read("plan/report.html"), HasSubstr(R"(["duration","2.00005 s"])"));
  EXPECT_NEAR(found["cost"]["value"].get<double>(), 2,
              4e-4);  // 2 sqrt(m d/F), and what a switch within an interval costs
  EXPECT_THAT(read("plan/inputs.csv"), HasSubstr("t [s],push [N]\n0,1.9999"));
  EXPECT_THAT(read("plan/gains.csv"), HasSubstr("t [s],travel,travel',K push travel,K push travel'\n"));
  // `run` repeats it
  const std::string end = std::to_string(found["duration"].get<double>());
  const Answer run =
      armature("run " + std::string(source_directory) + "/models/plan/cart.yaml --inputs plan/inputs.csv --end " + end +
               " --result 'x=final(travel)' -o again");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NEAR(std::stod(run.out.substr(run.out.find("x = ") + 4)), 1, 1e-5);
}

TEST_F(PlanVerb, PrintsJson) {
  const Answer answer = armature(cart + "--to 'travel=1 m' --minimize 'push^2' --time 1 --json -o plan");
  EXPECT_EQ(answer.code, 0) << answer.err;
  const auto result = nlohmann::json::parse(answer.out);
  EXPECT_EQ(result["status"], "finished");
  EXPECT_NEAR(result["plan"]["cost"]["value"].get<double>(), 48, 1e-6);  // 12 m^2 d^2/T^3
}

TEST_F(PlanVerb, RefusesWithASentence) {
  const auto refused = [&](const std::string& arguments, const std::string& sentence, int code = 2) {
    const Answer answer = armature(arguments);
    EXPECT_EQ(answer.code, code) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(sentence));
  };
  refused(cart, "--to: is missing: say where the motion ends");
  refused(cart + "--to travell=1", "--to travell=1: unknown name 'travell'");
  refused(cart + "--to travel=1", "--minimize time: nothing limits the motion");
  refused(cart + "--to travel=1 --input push=2:-2", "--input push=2:-2: the range is empty");
  refused(cart + "--to travel=1 --input push=2", "--input push=2: expected NAME=LOW:HIGH");
  refused(cart + "--to travel=1 --input push=-2:2 --time 2:1",
          "--time 2:1: expected positive times, the shortest first");
  refused(cart + "--to travel=1 --input push=-2:2 --time 1",
          "the range of push, the longest duration, 1 s stand in the way", 1);
  refused(cart + "--to travel=1 --along travel=path", "--along: --within says how far off the path");
  refused("plan " + std::string(source_directory) + "/models/pendulum.yaml --to theta=1",
          "inputs: is missing: a plan finds the inputs");
  write("wrong.csv", "t,pusch\n0,1\n1,2\n");
  refused("run " + std::string(source_directory) + "/models/plan/cart.yaml --inputs wrong.csv",
          "unknown input 'pusch' (did you mean 'push'?)");
}

}  // namespace
}  // namespace armature::internal
