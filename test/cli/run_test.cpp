#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class Run : public Program {
 protected:
  Run() { write("pendulum.yaml", pendulum); }
};

TEST_F(Run, WritesAFolderNamedAfterTheFileAndSaysSo) {
  const Answer answer = armature("run pendulum.yaml");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_THAT(answer.out, HasSubstr("results: results/pendulum/trajectory.csv (11 rows)"));
  EXPECT_THAT(read("results/pendulum/trajectory.csv"), StartsWith("t [s],theta [rad],"));
  EXPECT_THAT(rows("results/pendulum/trajectory.csv"), SizeIs(11));
}

// Two files of one name share the default folder: the second run says what it replaces.
TEST_F(Run, WarnsBeforeItReplacesTheResultsOfAnotherFile) {
  std::filesystem::create_directory(folder / "other");
  write("other/pendulum.yaml", pendulum);
  ASSERT_EQ(armature("run pendulum.yaml").err, "");
  EXPECT_EQ(armature("run ./pendulum.yaml").err, "");  // the same file
  EXPECT_THAT(armature("run other/pendulum.yaml").err,
              HasSubstr("warning: results/pendulum holds the results of ./pendulum.yaml, which this replaces"));
  EXPECT_EQ(armature("run other/pendulum.yaml").err, "");
  EXPECT_EQ(armature("run pendulum.yaml -o results/pendulum").err, "");  // whoever names a folder means it
}

TEST_F(Run, RecordsAtTheAskedTimes) {
  ASSERT_EQ(armature("run pendulum.yaml --end 0.25 --record 0.1 -o out.d").code, 0);
  const auto table = rows("out.d/trajectory.csv");
  ASSERT_THAT(table, SizeIs(4));  // 0, 0.1, 0.2 and the end
  EXPECT_DOUBLE_EQ(table[1][0], 0.1);
  EXPECT_DOUBLE_EQ(table[3][0], 0.25);
}

TEST_F(Run, HoldsModelOptionsStartAndVersionInRunJson) {
  ASSERT_EQ(armature("run pendulum.yaml --set length='2 m' --rtol 1e-9 --formulation null_space -o r").code, 0);
  const auto run = json("r/run.json");
  EXPECT_EQ(run["status"], "finished");
  EXPECT_EQ(run["model"]["text"], pendulum);
  EXPECT_EQ(run["settings"]["length"], "2 m");
  EXPECT_EQ(run["options"]["rtol"], 1e-9);
  EXPECT_EQ(run["options"]["formulation"], "null_space");
  EXPECT_EQ(run["options"]["integrator"], "dopri5");
  EXPECT_GT(run["options"]["atol"]["q"]["theta"], 0.0);
  EXPECT_EQ(run["start"]["q"]["theta"], 0.0);
  EXPECT_EQ(run["last"]["t"], 1.0);
  EXPECT_GT(run["statistics"]["steps"], 0);
  EXPECT_THAT(armature("--version").out, HasSubstr(run["armature"].get<std::string>()));
}

TEST_F(Run, PrintsJsonAndNothingElse) {
  const Answer answer = armature("run pendulum.yaml --json -o r");
  EXPECT_EQ(answer.code, 0);
  const auto result = nlohmann::json::parse(answer.out);
  EXPECT_EQ(result["status"], "finished");
  EXPECT_EQ(result["results"], "r");
  EXPECT_FALSE(result["model"].contains("text"));
  EXPECT_EQ(answer.err, "");
}

TEST_F(Run, ContinuesAnotherRunExactlyWhereItEnded) {
  ASSERT_EQ(armature("run pendulum.yaml --end 0.5 -o first").code, 0);
  ASSERT_EQ(armature("run pendulum.yaml --end 1 --from first -o second").code, 0);
  EXPECT_EQ(json("second/run.json")["start"], json("first/run.json")["last"]);
  const auto before = rows("first/trajectory.csv").back(), after = rows("second/trajectory.csv").front();
  for (int column : {0, 1, 2}) EXPECT_EQ(after.at(column), before.at(column));  // t, theta, theta'
}

// A sampled controller continues with what it held, and samples at the same times.
TEST_F(Run, ContinuesASampledController) {
  write("disc.yaml", R"(armature: 1
name: disc
plane: xy
gravity: [0, 0, 0]
bodies: {disc: {mass: 1, inertia: {zz: 0.02}}}
joints: {turn: {type: revolute, between: [ground, disc]}}
controllers: {c: {type: pid, measure: turn, target: 1, kp: 2, ki: 1, kd: 0.1, sampled: {period: 20 ms, delay: 7 ms}}}
forces: {push: {type: effort, on: turn, is: c}}
simulate: {end: 1, record: 0.05, rtol: 1e-12}
)");
  ASSERT_EQ(armature("run disc.yaml -o whole").code, 0);
  ASSERT_EQ(armature("run disc.yaml --end 0.45 -o first").code, 0);
  ASSERT_EQ(armature("run disc.yaml --from first -o second").code, 0);
  const auto whole = rows("whole/trajectory.csv"), second = rows("second/trajectory.csv");
  for (std::size_t column = 0; column < 3; ++column)  // t, turn, turn'
    EXPECT_NEAR(whole.back()[column], second.back()[column], 1e-9);
}

TEST_F(Run, ContinuedInTwoPartsIsTheRunInOne) {
  // rk4 has no memory from step to step, and multiples of 1/64 s are exact: the same bits.
  const std::string fixed = "run pendulum.yaml --integrator rk4 --step 0.015625 ";
  ASSERT_EQ(armature(fixed + "--end 1 -o whole").code, 0);
  ASSERT_EQ(armature(fixed + "--end 0.5 -o first").code, 0);
  ASSERT_EQ(armature(fixed + "--end 1 --from first -o second").code, 0);
  EXPECT_EQ(json("second/run.json")["last"]["q"], json("whole/run.json")["last"]["q"]);
  EXPECT_EQ(json("second/run.json")["last"]["v"], json("whole/run.json")["last"]["v"]);
}

TEST_F(Run, RefusesToContinueARunOfAnotherModel) {
  ASSERT_EQ(armature("run pendulum.yaml --end 0.1 -o first").code, 0);
  std::string other = pendulum;
  other.replace(other.find("theta"), 5, "swing");
  write("other.yaml", other);
  const Answer answer = armature("run other.yaml --from first");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err, "--from first: the run does not fit this model: the state has no coordinate 'swing'\n");
}

TEST_F(Run, SaysThatThereIsNothingLeftToRun) {
  ASSERT_EQ(armature("run pendulum.yaml -o first").code, 0);
  const Answer answer = armature("run pendulum.yaml --from first");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("starts at t = 1 s, which is not before its end at 1 s"));
}

TEST_F(Run, KeepsWhatWasRecordedWhenInterrupted) {
  const Answer answer =
      shell(std::string(program_path) +
            " run pendulum.yaml --integrator rk4 --step 1e-6 --end 5e3 -o r & "
            "for i in $(seq 100); do [ -s r.partial/trajectory.csv ] && break; sleep 0.05; done; sleep 0.3; "
            "kill -INT $!; wait $!");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("t = "));
  EXPECT_THAT(answer.out, HasSubstr("kept"));
  EXPECT_FALSE(exists("r.partial"));
  const auto run = json("r/run.json");
  EXPECT_EQ(run["status"], "stopped");
  const auto table = rows("r/trajectory.csv");
  ASSERT_FALSE(table.empty());
  EXPECT_LE(table.back()[0], run["last"]["t"]);
  EXPECT_GT(table.back()[0] + 0.1, run["last"]["t"]);  // rows are 0.1 s apart
  EXPECT_EQ(double(table.size()), run["statistics"]["rows"]);
}

TEST_F(Run, LeavesWholeRowsWhenKilled) {
  ASSERT_EQ(armature("run pendulum.yaml -o r").code, 0);
  const std::string old = read("r/run.json");
  shell(std::string(program_path) +
        " run pendulum.yaml --integrator rk4 --step 1e-6 --end 1e2 --record 1e-5 -o r & "
        "for i in $(seq 100); do [ \"$(wc -l <r.partial/trajectory.csv)\" -gt 10 ] && break; sleep 0.05; done; "
        "kill -KILL $!; wait $!");
  EXPECT_EQ(read("r/run.json"), old);
  // Only the row that was being written may be cut; the system hands over the pages of a file one by one.
  std::istringstream rows(read("r.partial/trajectory.csv"));
  std::string header, row;
  std::getline(rows, header);
  long count = 0;
  for (; std::getline(rows, row) && !rows.eof(); ++count)
    ASSERT_EQ(std::ranges::count(row, ','), std::ranges::count(header, ',')) << row;
  EXPECT_GT(count, 9);
}

TEST_F(Run, WritesAReportThatNeedsNothingElse) {
  const Answer answer = armature("run pendulum.yaml -o r");
  ASSERT_EQ(answer.code, 0) << answer.err;
  if (answer.out.find("built without Node") != std::string::npos)
    GTEST_SKIP() << "this program was built without Node, so that it has no page";
  EXPECT_THAT(answer.out, HasSubstr("r/trajectory.csv (11 rows), run.json, report.html"));
  const std::string page = read("r/report.html");
  EXPECT_THAT(page, HasSubstr("\"name\":\"a pendulum\""));
  EXPECT_THAT(page, HasSubstr("</html>"));
  EXPECT_THAT(page, testing::Not(HasSubstr("@ARMATURE_DOCUMENT@")));
  for (const char* foreign : {"src=", "href=", "@import"}) EXPECT_THAT(page, testing::Not(HasSubstr(foreign)));
}

// What stands in a model must not end the script that holds it.
TEST_F(Run, ReportHoldsAnyTextOfAModel) {
  write("odd.yaml", std::string(pendulum) + "# </script><b> \xc3\xa4\n");
  ASSERT_EQ(armature("run odd.yaml -o r").code, 0);
  if (!exists("r/report.html")) GTEST_SKIP() << "this program was built without Node, so that it has no page";
  EXPECT_THAT(read("r/report.html"), HasSubstr("\\u003c/script>\\u003cb> \xc3\xa4"));
}

TEST_F(Run, LeavesOutTheReportOnRequest) {
  const Answer answer = armature("run pendulum.yaml --no-report -o r");
  EXPECT_EQ(answer.code, 0);
  EXPECT_FALSE(exists("r/report.html"));
  EXPECT_THAT(answer.out, testing::Not(HasSubstr("report.html")));
}

TEST_F(Run, NeverReplacesAFolderThatIsNotAResult) {
  write("precious.txt", "");
  const Answer answer = armature("run pendulum.yaml -o .");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("is not a results folder"));
  EXPECT_TRUE(exists("precious.txt"));
}

}  // namespace
}  // namespace armature::internal
