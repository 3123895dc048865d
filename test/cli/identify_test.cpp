// armature identify, as its user sees it.
#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

class IdentifyVerb : public Program {
 protected:
  const std::string measured = std::string(source_directory) + "/models/measured/";
  const std::string crane = "identify " + measured + "crane.yaml " + measured + "crane.csv ";
};

TEST_F(IdentifyVerb, PrintsEstimatesAndWritesTheModel) {
  const Answer answer = armature(crane + "--fit cart_mass,load_mass --fit friction,rope=0.5:1 -o fit");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("4 unknowns fitted to 1193 measured values"));
  // of docs/identify.md; the tolerance of the motions leaves the last digits open, a hundredth of the intervals
  for (const char* number : {"   2.304", " 0.015 ", " 0.9326", " 0.011 ", " 3.403", " 0.013 ", " 0.7199", " 0.00071 "})
    EXPECT_THAT(answer.out, HasSubstr(number));
  const auto result = json("fit/identify.json");
  EXPECT_EQ(result["status"], "finished");
  // with which the record was made, as crane.yaml says; within three deviations
  for (const auto& [name, truth] :
       {std::pair{"cart_mass", 2.31}, {"load_mass", 0.93}, {"friction", 3.4}, {"rope", 0.72}})
    for (const auto& estimate : result["estimates"]) {
      if (estimate["name"] != name) continue;
      EXPECT_NEAR(estimate["value"].get<double>(), truth, 3 * estimate["standard_deviation"].get<double>()) << name;
    }
  EXPECT_EQ(rows("fit/fit.csv").size(), 401u);
  EXPECT_THAT(read("fit/spectra.csv"), HasSubstr("record,column,frequency [Hz],amplitude\n1,travel,"));
  EXPECT_THAT(read("fit/report.html"), HasSubstr("<svg"));
  // the model with its new values runs, and its comments are there
  EXPECT_THAT(read("fit/model.yaml"), HasSubstr("# of the trolley's wheel"));
  EXPECT_THAT(read("fit/model.yaml"), HasSubstr(" kg\n"));
  EXPECT_EQ(armature("run fit/model.yaml --no-report -o again").code, 0);
  EXPECT_EQ(armature(crane + "--fit rope -o fit --no-report").code, 0);  // a result may be replaced
  EXPECT_FALSE(exists("fit/report.html"));
}

TEST_F(IdentifyVerb, NamesWhatTheDataCannotTell) {
  const Answer answer = armature(crane + "--fit cart_mass,rotor_inertia,load_mass,friction,rope --json -o fit");
  EXPECT_EQ(answer.code, 0) << answer.err;
  const auto result = nlohmann::json::parse(answer.out);
  ASSERT_EQ(result["undetermined"].size(), 1u);
  EXPECT_EQ(result["undetermined"][0]["sentence"],
            "the data do not determine cart_mass, rotor_inertia one by one: only cart_mass + rotor_inertia*4e+04 is "
            "determined");
  EXPECT_TRUE(result["estimates"][0]["interval"][0].is_null());
  EXPECT_EQ(result["estimates"][2]["determined"], true);
}

TEST_F(IdentifyVerb, RefusesWithASentence) {
  const auto refused = [&](const std::string& arguments, const std::string& sentence) {
    const Answer answer = armature(arguments);
    EXPECT_EQ(answer.code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(sentence));
  };
  refused(crane, "--fit: names no parameter; give at least one, or a start value to fit");
  refused(crane + "--fit cart_mas", "--fit cart_mas: is not a parameter of the model (did you mean 'cart_mass'?)");
  refused(crane + "--fit rope=1:0.5", "--fit rope=1:0.5: the range is empty");
  refused(crane + "--fit rope=1", "--fit rope=1: expected NAME or NAME=LOW:HIGH");
  refused(crane + "--fit rope --offset swinge", "--offset swinge: is not a measured column that is compared");
  refused(crane + "--fit rope --noise swing=0", "--noise swing: must be positive");
  refused("identify " + measured + "crane.yaml nothing.csv --fit rope", "nothing.csv: there is no such file");
  write("bad.csv", "t [s],sving [deg]\n0,1\n1,2\n");
  refused("identify " + measured + "crane.yaml bad.csv --fit rope",
          "bad.csv:1: column 'sving' is no signal of the model: ");
  write("volts.csv", "t [s],swing [V]\n0,1\n1,2\n");
  refused("identify " + measured + "crane.yaml volts.csv --fit rope",
          "volts.csv:1: column 'swing': 'V' is not a unit of this signal");
}

TEST_F(IdentifyVerb, SaysWhereTheSearchDidNotComeToItsEnd) {
  const Answer answer = armature(crane + "--fit cart_mass,load_mass,friction,rope --evaluations 1 -o fit");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("1 evaluations were not enough (--evaluations)"));
  EXPECT_TRUE(exists("fit/identify.json") || exists("fit.failed/identify.json"));
}

// The rows of a run are a record: with the values that it was made with, nothing is left over.
TEST_F(IdentifyVerb, TakesARunForARecord) {
  write("pendulum.yaml", pendulum);
  ASSERT_EQ(armature("run pendulum.yaml --end 2 --record 0.01 --no-report -o run").code, 0);
  const Answer answer =
      armature("identify pendulum.yaml run/trajectory.csv --use theta --set length=0.8 --fit length --json -o fit");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NEAR(nlohmann::json::parse(answer.out)["estimates"][0]["value"].get<double>(), 1, 1e-6);
}

}  // namespace
}  // namespace armature::internal
