// armature export: the files it writes, and what it refuses.
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace armature::internal {
namespace {

using Export = Program;

TEST_F(Export, WritesFilesThatCompileWithInputs) {
  write("swing.yaml", pendulum);
  const Answer answer = armature("export swing.yaml --c --input length");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out,
            "swing.c, swing.h, swing_step.cpp: 2 states, 0 constraints; call swing_start, then swing_step\n");
  EXPECT_NE(read("swing.c").find("swing_parameter_names[] = {\"length\", 0}"), std::string::npos);
  EXPECT_EQ(shell("cc -std=c99 -pedantic -Wall -Wextra -Werror -c swing.c").code, 0) << read("err");
  EXPECT_EQ(shell("c++ -std=c++20 -pedantic -Wall -Wextra -Werror -c swing_step.cpp").code, 0) << read("err");
}

TEST_F(Export, WritesTheOtherFilesBesideTheFirst) {
  write("swing.yaml", pendulum);
  ASSERT_EQ(shell("mkdir target").code, 0);
  const Answer answer = armature("export swing.yaml --c -o 'target/my swing.c' --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  const nlohmann::json said = nlohmann::json::parse(answer.out);
  EXPECT_EQ(said["prefix"], "my_swing");
  EXPECT_EQ(said["files"], nlohmann::json({"target/my swing.c", "target/my_swing.h", "target/my_swing_step.cpp"}));
  EXPECT_EQ(shell("cd target && cc -std=c99 -c 'my swing.c' && c++ -std=c++20 -c my_swing_step.cpp").code, 0)
      << read("err");
}

// Two models in one program, also of different versions: nothing of one is taken for the other's.
TEST_F(Export, ModelsCanBeLinkedTogether) {
  write("a.yaml", pendulum), write("b.yaml", pendulum);
  for (const std::string name : {"a", "b"}) {
    ASSERT_EQ(armature("export " + name + ".yaml --c").code, 0) << read("err");
    ASSERT_EQ(shell("cc -std=c99 -c " + name + ".c && c++ -std=c++20 -c " + name + "_step.cpp").code, 0) << read("err");
  }
  write(
      "both.c",
      "#include \"a.h\"\n#include \"b.h\"\nint main(void) {\n  a_state a;\n  b_state b;\n  a_start(&a), b_start(&b);\n"
      "  return a_step(&a, a_parameters, 1e-3) || b_step(&b, b_parameters, 1e-3);\n}\n");
  EXPECT_EQ(shell("cc -std=c99 both.c a.o a_step.o b.o b_step.o -lm -o both && ./both").code, 0) << read("err");
  EXPECT_EQ(shell("nm a.o a_step.o | grep -v a_ | grep ' [TWu] '").out, "");
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
  answer = armature("export swing.yaml --c -o swing.h");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("expected the name of a C file"), std::string::npos) << answer.err;
}

// What shapes the model is no number that a step could be given.
TEST_F(Export, RefusesInputsThatShapeTheModel) {
  const std::string models = std::string(source_directory) + "/models/";
  Answer answer = armature("export " + models + "n_four_bar.yaml --c --input N");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("--input N: changes more than numbers in the equations"), std::string::npos) << answer.err;
  answer = armature("export " + models + "crane.yaml --c --input inductance --set inductance=0");
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.err.find("with the values in the file the model has other equations"), std::string::npos)
      << answer.err;
  EXPECT_EQ(armature("export " + models + "crane.yaml --c --input 'inductance, rope'").code, 0) << read("err");
}

}  // namespace
}  // namespace armature::internal
