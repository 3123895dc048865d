// armature run --verify, and what a run says while it crawls, as their user sees them.
#include <gmock/gmock.h>

#include <sstream>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

class Verify : public Program {
 protected:
  Verify() { write("pendulum.yaml", pendulum); }

  std::vector<std::size_t> widths(const std::string& text) {
    std::vector<std::size_t> list;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) list.push_back(line.size());
    return list;
  }
};

TEST_F(Verify, PrintsDigitsAndPutsThemIntoRunJson) {
  const Answer answer = armature("run pendulum.yaml --verify -o v");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_THAT(answer.out, AllOf(HasSubstr("digits that agree with"), HasSubstr("rtol 1e-10"), HasSubstr("dop853"),
                                HasSubstr("left out: another formulation: there are no constraints"),
                                HasSubstr("all channels agree to ")));
  const auto verify = json("v/run.json")["verify"];
  EXPECT_THAT(verify["repeats"], SizeIs(2));
  EXPECT_EQ(verify["repeats"][0]["status"], "finished");
  EXPECT_GT(verify["digits"]["theta"][1], 6.0);
  EXPECT_EQ(verify["doubtful"], false);
  EXPECT_FALSE(verify.contains("divergence"));
  EXPECT_EQ(nlohmann::json::parse(armature("run pendulum.yaml --verify --json -o w").out)["verify"], verify);
}

TEST_F(Verify, FitsAPageOfEightyColumns) {
  const Answer answer = armature("run " + std::string(source_directory) + "/models/rrr.yaml --verify --end 0.2 -o v");
  EXPECT_EQ(answer.code, 0) << answer.err;
  const std::size_t table = answer.out.find("digits that agree"), end = answer.out.find("all channels agree");
  EXPECT_THAT(widths(answer.out.substr(table, end - table)), Each(testing::Le(80u)));
}

TEST_F(Verify, WarnsOfARunThatDisagreesAndSucceeds) {
  const Answer answer = armature("run pendulum.yaml --verify --integrator euler --step 0.1 -o v");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("warning: "));
  EXPECT_EQ(json("v/run.json")["verify"]["doubtful"], true);
}

// The warning is there before the run has ended, which it would not within weeks.
TEST_F(Verify, ACrawlingRunSaysSoWhileItGoesOn) {
  const std::string crane = std::string(source_directory) + "/models/crane.yaml";
  const Answer answer =
      shell(std::string(program_path) + " run " + crane +
            " --set inductance=1e-12 -o c & for i in $(seq 550); do grep -q warning err && break; sleep "
            "0.1; done; kill -KILL $!; wait $!");
  EXPECT_THAT(answer.err, AllOf(HasSubstr("warning: at t = "), HasSubstr("motor.current"), HasSubstr("cvode_bdf")));
  const Answer automatic = armature("run " + crane + " --set inductance=1e-12 --integrator auto -o a");
  EXPECT_EQ(automatic.code, 0) << automatic.err;
  EXPECT_EQ(automatic.err, "");
  EXPECT_THAT(json("a/run.json")["events"][0]["what"], HasSubstr("cvode_bdf continues"));
  EXPECT_EQ(json("a/run.json")["options"]["integrator"], "auto");
}

}  // namespace
}  // namespace armature::internal
