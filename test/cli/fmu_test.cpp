// Models with FMUs of others at the command line: they run when they are trusted.

#include <algorithm>
#include <regex>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

class Fmus : public Program {
 protected:
  Fmus() {
    write("law.yaml",
          "armature: 1\ngravity: [0, 0, 0]\nplane: xy\ninputs: {angle: {unit: rad}}\ndefine: {command: 2*(1 - angle)}\n"
          "bodies: {nothing: {mass: 1 kg, inertia: {zz: 1}}}\njoints: {still: {type: revolute, axis: z, between: "
          "[ground, nothing]}}\n");
    write(
        "m.yaml",
        "armature: 1\ngravity: [0, 0, 0]\nplane: xy\nparameters: {J: 0.1 kg*m^2}\nbodies: {disk: {mass: 1 kg, inertia: "
        "{zz: J}}}\n"
        "joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}\n"
        "forces: {drive: {type: effort, on: turn, is: hold.command}}\n"
        "fmus: {hold: {file: law.fmu, step: 10 ms, connect: {angle: turn}}}\nsimulate: {end: 0.5 s, record: 0.1 s}\n");
    EXPECT_EQ(armature("export law.yaml --fmu").code, 0);
  }
  Answer run(const std::string& arguments) {
    return shell("export XDG_STATE_HOME='" + folder.path().string() + "/state'; '" + program_path + "' " + arguments);
  }
};

TEST_F(Fmus, RunWhenTheyAreTrusted) {
  const Answer refused = run("run m.yaml");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, testing::HasSubstr("law.fmu runs code of its own on this computer"));
  EXPECT_EQ(run("check m.yaml").code, 0);
  const Answer trusted = run("run m.yaml --trust");
  EXPECT_EQ(trusted.code, 0) << trusted.err;
  EXPECT_THAT(trusted.err, testing::HasSubstr("runs code of its own"));
  EXPECT_TRUE(exists("results/m/trajectory.csv"));
  EXPECT_EQ(run("run m.yaml").code, 0);  // once is enough
  EXPECT_EQ(armature("export law.yaml --fmu --fmi 2.0").code, 0);
  EXPECT_EQ(run("run m.yaml").code, 2);  // but this is another file
}

// A downloaded folder could bring its own list.
TEST_F(Fmus, AreNotTrustedByARelativeStateFolder) {
  ASSERT_EQ(run("run m.yaml --trust").code, 0);
  EXPECT_EQ(run("run m.yaml").code, 0);
  EXPECT_EQ(
      shell("export XDG_STATE_HOME=state HOME=\"$PWD/home\"; '" + std::string(program_path) + "' run m.yaml").code, 2);
}

TEST_F(Fmus, WithALineBreakInTheirNameAreRefused) {
  std::filesystem::copy_file(folder / "law.fmu", folder / "law\nof.fmu");
  write("n.yaml", std::regex_replace(read("m.yaml"), std::regex("law.fmu"), "\"law\\nof.fmu\""));
  const Answer answer = run("run n.yaml --trust");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, testing::HasSubstr("line break"));
}

// The rows up to there are kept and counted.
TEST_F(Fmus, ThatGetNoValueEndTheRun) {
  write("n.yaml", std::regex_replace(read("m.yaml"), std::regex("angle: turn"), "angle: 'sqrt(0.25 - t)*1 rad'"));
  const Answer answer = run("run n.yaml --trust");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(
      answer.err + answer.out,
      testing::HasSubstr("failed at t = 0.26 s: fmus.hold.connect.angle has no finite value; change its formula"));
  const std::string rows = read("results/n/trajectory.csv");
  EXPECT_THAT(read("results/n/run.json"), testing::ContainsRegex("\"t\": 0.2[0-9]*"));
  EXPECT_GE(std::ranges::count(rows, '\n'), 4);  // a header, and 0, 0.1 and 0.2 s
}

TEST_F(Fmus, WithMoreExchangesThanARunCanTakeAreRefused) {
  write("n.yaml", std::regex_replace(read("m.yaml"), std::regex("10 ms"), "1e-12 s"));
  const Answer answer = run("run n.yaml --trust");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(
      answer.err,
      testing::HasSubstr("n.yaml:8: fmus.hold.step: 1e-12 s makes 5e+11 exchanges until the end at 0.5 s, more than "
                         "the limit of 1e+10; exchange less often, or end earlier"));
  EXPECT_FALSE(exists("results/n"));
}

// One for another computer.
TEST_F(Fmus, WithoutABinaryForThisComputerAreNamed) {
  if (shell("command -v python3").code != 0) GTEST_SKIP() << "there is no python3";
  ASSERT_EQ(
      shell("python3 -c \"import zipfile; old = zipfile.ZipFile('law.fmu'); new = zipfile.ZipFile('other.fmu', 'w'); "
            "[new.writestr(name, old.read(name)) for name in old.namelist() if not name.startswith('binaries/')]; "
            "new.close()\"")
          .code,
      0);
  write("n.yaml", std::regex_replace(read("m.yaml"), std::regex("law.fmu"), "other.fmu"));
  const Answer answer = run("run n.yaml --trust");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, testing::HasSubstr("the FMU has no binary for 64-bit Linux"));
  EXPECT_THAT(answer.err, testing::Not(testing::HasSubstr("internal error")));
}

TEST_F(Fmus, AreRefusedByStudies) {
  const Answer answer = run("sweep m.yaml --over J=0.1:0.2:3 --result 'a=max(turn)'");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, testing::HasSubstr("only 'armature run' couples FMUs"));
}

}  // namespace
}  // namespace armature::internal
