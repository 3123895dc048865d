// armature export: the file it writes, and what it refuses.
#include "program.hpp"

namespace armature {
namespace {

using Export = Program;

TEST_F(Export, WritesAFileThatCompilesWithInputs) {
  write("swing.yaml", pendulum);
  const Answer answer = armature("export swing.yaml --c --input length");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "swing.c: 2 states, 0 constraints; call swing_start, then swing_step\n");
  EXPECT_NE(read("swing.c").find("swing_parameter_names[] = {\"length\", 0}"), std::string::npos);
  EXPECT_EQ(shell("cc -std=c99 -pedantic -Wall -Wextra -Werror -c swing.c").code, 0) << read("err");
}

TEST_F(Export, SaysWhatIsWrong) {
  write("swing.yaml", pendulum);
  Answer answer = armature("export swing.yaml --c --input lenght");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("did you mean 'length'"), std::string::npos) << answer.err;
  answer = armature("export swing.yaml --c --input length,length");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("'length' is named twice"), std::string::npos) << answer.err;
  answer = armature("export swing.yaml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("--c"), std::string::npos) << answer.err;
  answer = armature("export swing.yaml --c -o nowhere/swing.c");
  EXPECT_EQ(answer.code, 1);
  EXPECT_NE(answer.err.find("cannot be written"), std::string::npos) << answer.err;
}

// What shapes the model is no number that a step could be given.
TEST_F(Export, RefusesInputsThatShapeTheModel) {
  const std::string models = std::string(source_directory) + "/models/";
  Answer answer = armature("export " + models + "n_four_bar.yaml --c --input N");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("--input N: does more than enter the equations"), std::string::npos) << answer.err;
  answer = armature("export " + models + "crane.yaml --c --input inductance --set inductance=0");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("with the values of the file it is another model"), std::string::npos) << answer.err;
  EXPECT_EQ(armature("export " + models + "crane.yaml --c --input 'inductance, rope'").code, 0) << read("err");
}

}  // namespace
}  // namespace armature
