// compare and equations as their user sees them.
#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

const char* const lagrangian = R"(armature: 1
parameters: {l: 1 m, m: 1 kg, g: 9.81 m/s^2}
lagrangian:
  coordinates: {theta: rad}
  define: {bob: "l*[cos(theta), sin(theta)]"}
  kinetic: 1/2*m*norm2(bob')
  potential: m*g*bob.y
simulate: {end: 1 s, record: 0.1 s}
)";

class LagrangianProgram : public Program {
 protected:
  void SetUp() override {
    write("bodies.yaml", pendulum);
    write("energies.yaml", lagrangian);
  }
};

TEST_F(LagrangianProgram, CompareSaysThatTwoFilesAreTheSame) {
  const Answer answer = armature("compare bodies.yaml energies.yaml --rtol 1e-12");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("compared: theta"));
  EXPECT_THAT(answer.out, HasSubstr("the same equations of motion: accelerations agree to"));
}

TEST_F(LagrangianProgram, CompareTakesTwoSetsOfOptions) {
  const Answer answer = armature("compare energies.yaml --with '--set l=1.1' --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_FALSE(json["same_equations"].get<bool>());
  EXPECT_GT(json["trajectory_difference"].get<double>(), 1e-3);
}

TEST_F(LagrangianProgram, CompareNeedsTwoSides) {
  const Answer answer = armature("compare energies.yaml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("compare: give a second model file, or --with"));
  EXPECT_EQ(armature("compare energies.yaml --with '--formulatoin auto'").code, 2);
}

TEST_F(LagrangianProgram, EquationsPrintsThem) {
  const Answer answer = armature("equations energies.yaml");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("M[1] = l^2*m\n"));
  EXPECT_THAT(answer.out, HasSubstr("g[1] = l*m*g*cos(theta)\n"));
  EXPECT_THAT(armature("equations energies.yaml --format latex").out, HasSubstr("l^{2} m"));
  EXPECT_EQ(armature("equations energies.yaml --format pdf").code, 2);
}

// The written Python and C compute what the text says.
TEST_F(LagrangianProgram, EquationsWritesFunctionsThatRun) {
  if (shell("python3 --version").code != 0 || shell("cc --version").code != 0) GTEST_SKIP() << "needs python3 and cc";
  EXPECT_EQ(shell(std::string(program_path) +
                  " equations energies.yaml --format python > arm.py && python3 -c "
                  "\"import arm; r = arm.equations(0, [0.0], [2.0]); print('%g %g' % (r['M'][0], r['g'][0]))\"")
                .out,
            "1 9.81\n");
  write(
      "main.c",
      "#include <stdio.h>\nvoid equations(double, const double *, const double *, const double *, double *, double *, "
      "double *, double *, double *, double *);\nint main(void) { double q[1] = {0}, v[1] = {2}, M[1], C[1], D[1], "
      "K[1], g[1], Q[1]; equations(0, q, v, 0, M, C, D, K, g, Q); printf(\"%g %g\\n\", M[0], g[0]); return 0; }\n");
  EXPECT_EQ(shell(std::string(program_path) +
                  " equations energies.yaml --format c > arm.c && cc main.c arm.c -lm -o arm && ./arm")
                .out,
            "1 9.81\n");
}

}  // namespace
}  // namespace armature::internal
