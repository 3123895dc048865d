#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Usage : public Program {
 protected:
  Usage() { write("pendulum.yaml", pendulum); }

  // The arguments are refused with this sentence, and nothing is written.
  void expect_refusal(const std::string& arguments, const std::string& sentence) {
    const Answer answer = armature(arguments);
    EXPECT_EQ(answer.code, 2) << arguments;
    EXPECT_EQ(answer.out, "") << arguments;
    EXPECT_THAT(answer.err, HasSubstr(sentence)) << arguments;
    EXPECT_FALSE(exists("results")) << arguments;
  }
};

TEST_F(Usage, HelpsEverywhereWithExamples) {
  for (const char* arguments : {"--help", "run --help", "check --help", "assemble --help", "kinematics --help",
                                "inverse --help", "map --help", "sweep --help", "optimize --help", "modes --help",
                                "tune --help", "singularities --help", "format --help", "doctor --help"}) {
    const Answer answer = armature(arguments);
    EXPECT_EQ(answer.code, 0) << arguments;
    EXPECT_THAT(answer.out, HasSubstr("Examples:\n  armature ")) << arguments;
  }
}

TEST_F(Usage, DoctorRunsAMotionThatComesOutRight) {
  const Answer answer = armature("doctor");
  EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, StartsWith("armature "));
  for (const char* line : {"\n  processor ", "\n  memory ", "\n  programs ", "\n  GPU ", "\n  HDF5 ", "\n  reports ",
                           "\n  models ", "/models\n", "\n  test motion  ok"})
    EXPECT_THAT(answer.out, HasSubstr(line));
}

TEST_F(Usage, RefusesWhatItDoesNotKnow) {
  expect_refusal("", "a verb is missing");
  expect_refusal("rum pendulum.yaml", "unknown verb 'rum' (did you mean 'run'?)");
  expect_refusal("pendulum.yaml",
                 "unknown verb 'pendulum.yaml'; expected run, view, check, assemble, kinematics, inverse");
  expect_refusal("run", "FILE is missing");
  expect_refusal("run pendulum.yaml --colour red", "--colour");
  expect_refusal("run none.yaml", "none.yaml: there is no such file");
  expect_refusal("run .", ".: is a folder, not a model file");
  expect_refusal("check /dev/zero", "/dev/zero: is a device, not a model file");
  expect_refusal("view /dev/zero", "/dev/zero: is a device, not a model file");
  expect_refusal("view none.yaml", "none.yaml: there is no such file");
  expect_refusal("view pendulum.yaml --root /etc", "pendulum.yaml: is outside of /etc");
  expect_refusal("run pendulum.yaml --integrator rk44", "unknown integrator 'rk44' (did you mean 'rk4'?)");
  expect_refusal("run pendulum.yaml --formulation nullspace",
                 "unknown formulation 'nullspace' (did you mean 'null_space'?)");
  expect_refusal("run pendulum.yaml --stabilization baumgarte", "expected baumgarte:ALPHA:BETA");
  expect_refusal("run pendulum.yaml --stabilization baumgarte:1:x", "'x' is not a gain");
  expect_refusal("run pendulum.yaml --stabilization none,projection", "'none' cannot be combined with other methods");
  expect_refusal("run pendulum.yaml --end -1", "'-1' is not a number greater than zero");
  expect_refusal("run pendulum.yaml --end nan", "'nan' is not a number greater than zero");
  expect_refusal("run pendulum.yaml --set length", "--set length: expected NAME=FORMULA");
  expect_refusal("run pendulum.yaml --set length=1 --set length=2",
                 "--set length=2: 'length' already has the value 1 from an earlier --set; give it once");
  expect_refusal("sweep pendulum.yaml --over length=1:2:2 --result 'x=final(theta)' --set length=1 --set length=1",
                 "--set length=1: 'length' already has the value 1 from an earlier --set; give it once");
  expect_refusal("kinematics pendulum.yaml --move theta=t --move theta=2*t",
                 "--move theta=2*t: 'theta' already has the value t from an earlier --move; give it once");
  expect_refusal("run pendulum.yaml --from nowhere", "nowhere: there is no such run");
  expect_refusal("run pendulum.yaml --integrator rk4", "rk4 needs a fixed step: give --step");
  expect_refusal("run pendulum.yaml --step 1e-3", "--step: dopri5 chooses its own steps; --max-step bounds them");
  expect_refusal("kinematics pendulum.yaml", "--move: nothing moves; prescribe a formula in t for one of theta");
  expect_refusal("kinematics pendulum.yaml --move thet=t", "--move thet: unknown name 'thet' (did you mean 'theta'?)");
}

TEST_F(Usage, OneSentenceIsAListOfOneError) {
  const auto result = nlohmann::json::parse(armature("run pendulum.yaml --from nowhere --json").out);
  ASSERT_EQ(result["errors"].size(), 1u);
  EXPECT_EQ(result["errors"][0]["message"], "nowhere: there is no such run");
}

TEST_F(Usage, WhatCannotBeParsedIsSaidAsJsonToo) {
  for (const char* arguments : {"run pendulum.yaml --colour red --json", "run --json", "rum pendulum.yaml --json"}) {
    const Answer answer = armature(arguments);
    EXPECT_EQ(answer.code, 2) << arguments;
    EXPECT_EQ(nlohmann::json::parse(answer.out)["status"], "error") << arguments;
  }
}

TEST_F(Usage, SetsOptionsThatAreLists) {
  const Answer answer = armature("run pendulum.yaml --set 'simulate.independent=[theta]' -o r");
  EXPECT_EQ(answer.code, 0) << answer.err;
  expect_refusal("run pendulum.yaml --set 'simulate.independent=[phi]'", "unknown coordinate 'phi'");
}

TEST_F(Usage, NamesTheParameterThatDoesNotExist) {
  expect_refusal("run pendulum.yaml --set lenght=2", "did you mean 'length'?");
}

TEST_F(Usage, GivesFileLineAndKeyOfAWrongModel) {
  std::string wrong = pendulum;
  wrong.replace(wrong.find("mass: 1 kg"), 10, "mas: 1 kg");
  write("wrong.yaml", wrong);
  const Answer answer = armature("check wrong.yaml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, StartsWith("wrong.yaml:6: "));

  const auto result = nlohmann::json::parse(armature("check wrong.yaml --json").out);
  EXPECT_EQ(result["status"], "error");
  EXPECT_EQ(result["errors"][0]["line"], 6);
  EXPECT_EQ(result["errors"][0]["file"], "wrong.yaml");
}

// Under mpirun only the first process runs what cannot be divided.
TEST_F(Usage, OneProcessOfATeamDoesWhatIsNotDivided) {
  write("pendulum.yaml", pendulum);
  const std::string team = "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=";
  const std::string verb = std::string(" ") + program_path + " modes pendulum.yaml";
  EXPECT_EQ(shell(team + "1" + verb).out, "");
  EXPECT_NE(shell(team + "0" + verb).out, "");
}

}  // namespace
}  // namespace armature::internal
