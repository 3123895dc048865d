// The command that a study gives for one of its motions runs this motion, with everything the study was told.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RunCommand : public Program {
 protected:
  RunCommand() {
    std::ifstream in(std::string(source_directory) + "/models/press.yaml");
    write("the press.yaml", {std::istreambuf_iterator<char>(in), {}});
  }

  // A pattern of result.json with the values of a cell; runs it with more options and returns what it prints as JSON.
  nlohmann::json run(std::string pattern, const std::vector<std::pair<std::string, double>>& cell,
                     const std::string& more) {
    for (const auto& [name, value] : cell) {
      const std::string place = "{" + name + "}";
      EXPECT_THAT(pattern, HasSubstr(place));
      pattern.replace(pattern.find(place), place.size(), nlohmann::json(value).dump());
    }
    EXPECT_THAT(pattern, StartsWith("armature run "));
    const Answer answer = shell(std::string(program_path) + pattern.substr(8) + more + " --json --no-report -o one");
    EXPECT_EQ(answer.code, 0) << pattern << "\n" << answer.err;
    return nlohmann::json::parse(answer.out);
  }

  const std::string common = " --set ripple=0 --set l2=3.6 --rtol 1e-5 --end 12";
  const std::string options = common + " --set w0=7";
};

// phi.v would be another name of the same speed.
TEST_F(RunCommand, OfASweepGivesTheNumbersOfTheCell) {
  const Answer study =
      armature("sweep 'the press.yaml'" + common + " --over w0=1:3:3 --over phi=1:2:2 --result 'way=final(phi)' -o s");
  ASSERT_EQ(study.code, 0) << study.err;
  const std::string pattern = json("s/result.json")["command"];
  EXPECT_EQ(pattern,
            "armature run 'the press.yaml' --set ripple=0 --set l2=3.6 --end 12 --rtol 1e-05 --set w0={w0} "
            "--set start.keep.phi={phi}");
  const auto cells = rows("s/cells.csv");
  ASSERT_EQ(cells.size(), 6u);
  for (const std::size_t k : {1u, 4u}) {
    const auto one = run(pattern, {{"w0", cells[k][0]}, {"phi", cells[k][1]}}, " --result 'way=final(phi)'");
    EXPECT_EQ(one["numbers"]["way"], cells[k][2]) << k;
    EXPECT_EQ(one["number_units"]["way"], "rad");
  }
}

TEST_F(RunCommand, OfAMapGivesTheClassOfTheCell) {
  const Answer study = armature("map 'the press.yaml'" + options +
                                " --over phi.v=-3:3:6 --classify 'turns: turns(phi) >= 1; rests' -o m");
  ASSERT_EQ(study.code, 0) << study.err;
  const std::string pattern = json("m/result.json")["command"];
  const auto cells = rows("m/cells.csv");
  ASSERT_EQ(cells.size(), 6u);
  double least = 1, most = 0;
  for (const auto& cell : cells) {
    const auto one = run(pattern, {{"phi.v", cell[0]}}, " --result 'turns=turns(phi)'");
    EXPECT_EQ(one["numbers"]["turns"] >= 1 ? 0 : 1, cell[2]) << cell[0];
    least = std::min(least, cell[2]), most = std::max(most, cell[2]);
  }
  EXPECT_LT(least, most);  // both classes
}

// The page makes its command of the same parts.
TEST_F(RunCommand, IsInTheReport) {
  ASSERT_EQ(armature("map 'the press.yaml'" + options +
                     " --over phi.v=-3:3:2 --classify 'turns: turns(phi) >= 1; rests' "
                     "-o m")
                .code,
            0);
  const std::string page = read("m/report.html");
  EXPECT_THAT(page,
              HasSubstr("\"command\":\"armature run 'the press.yaml' --set ripple=0 --set l2=3.6 --set w0=7 --end 12 "
                        "--rtol 1e-05\""));
  EXPECT_THAT(page, HasSubstr("\"setting\":\"start.speed.phi\""));
}

TEST_F(RunCommand, OfOptimizeRunsTheBestMotion) {
  const Answer study =
      armature("optimize 'the press.yaml'" + options + " --over phi=1:2 --maximize 'final(phi)' --evaluations 6 -o o");
  ASSERT_EQ(study.code, 0) << study.err;
  const auto result = json("o/result.json");
  EXPECT_THAT(study.out, HasSubstr(result["command"].get<std::string>()));
  EXPECT_EQ(run(result["command"], {}, " --result 'way=final(phi)'")["numbers"]["way"], result["value"]);
}

// --set replaces no table: the user is told where the new one goes.
TEST_F(RunCommand, OfOptimizeNamesTheTablesOfTheBestMotion) {
  const std::string models = std::string(source_directory) + "/models/design/";
  const Answer study = armature("optimize " + models +
                                "crane_volts.yaml --over volts=-12:12 --minimize 'final(miss)' "
                                "--method gradient --evaluations 2 -o o");
  ASSERT_EQ(study.code, 0) << study.err;
  EXPECT_THAT(study.out, HasSubstr("crane_volts.yaml  # first set tables.volts.file to o/volts.csv in the model\n"));
}

// A start value replaces what the file keeps, and what it only looks for.
TEST_F(RunCommand, SetsStartValues) {
  ASSERT_EQ(armature("run 'the press.yaml' --end 0.1 --set start.keep.phi='90 deg' --set start.speed.phi=-2 -o r").code,
            0);
  const auto start = json("r/run.json")["start"];
  const auto row = rows("r/trajectory.csv").front();
  EXPECT_NEAR(row[1], M_PI / 2, 1e-12);
  EXPECT_THAT(
      armature("run 'the press.yaml' --set start.keep.ph=1").err,
      HasSubstr("--set start.keep.ph: no coordinate, body or point of a body has this name (did you mean 'phi'?)"));
  EXPECT_THAT(armature("run 'the press.yaml' --set start.phi=1").err,
              HasSubstr("--set start.phi: start values are set as start.keep.NAME and start.speed.NAME"));
  EXPECT_THAT(armature("run 'the press.yaml' --from r --end 1 --set start.keep.phi=1").err,
              HasSubstr("--set start.keep.phi: --from r already gives the start"));
}

}  // namespace
}  // namespace armature::internal
