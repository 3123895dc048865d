// Models with FMUs of others at the command line: they run when they are trusted.

#include "cli/program.hpp"

namespace armature::internal {
namespace {

class Fmus : public Program {
 protected:
  Fmus() {
    write("law.yaml",
          "armature: 1\ngravity: [0, 0, 0]\nplane: xy\ninputs: {angle: {unit: rad}}\ndefine: {command: 2*(1 - angle)}\n"
          "bodies: {nothing: {mass: 1 kg, inertia: {zz: 1}}}\njoints: {still: {type: revolute, axis: z, between: [ground, nothing]}}\n");
    write("m.yaml",
          "armature: 1\ngravity: [0, 0, 0]\nplane: xy\nparameters: {J: 0.1 kg*m^2}\nbodies: {disk: {mass: 1 kg, inertia: {zz: J}}}\n"
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

TEST_F(Fmus, AreRefusedByStudies) {
  const Answer answer = run("sweep m.yaml --over J=0.1:0.2:3 --result 'a=max(turn)'");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, testing::HasSubstr("only 'armature run' couples FMUs"));
}

}  // namespace
}  // namespace armature::internal
