// The exported C file, compiled as strict C99 and run, against the engine's own RK4 with the same step.
#include "inspect/export_c.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "simulate/ledger.hpp"
#include "simulate/setup.hpp"
#include "support/rotor.hpp"
#include "temporary_folder.hpp"

namespace armature {
namespace {

struct Export {
  std::string model;
  Settings settings;
  std::vector<std::string> inputs;
  int steps = 200;
  double step = 1e-3;  // s
};

// What the compiled file prints with `body` as the rest of its main function.
std::vector<double> printed(const Prepared& prepared, const std::string& body) {
  TemporaryFolder folder;
  std::ofstream(folder / "m.c") << export_c(prepared, "a model", "m") << "\n#include <stdio.h>\n"
                                << "int main(void) {\n  m_state s;\n  int singular = 0;\n  m_start(&s);\n"
                                << body << "  return singular;\n}\n";
  const std::string at = folder.path().string();
  const std::string build =
      "cd '" + at + "' && cc -std=c99 -O1 -Wall -Wextra -Werror -pedantic -ffp-contract=off m.c -lm -o m";
  EXPECT_EQ(std::system(build.c_str()), 0);
  EXPECT_EQ(std::system(("cd '" + at + "' && ./m > x").c_str()), 0);
  std::ifstream in(folder / "x");
  return {std::istream_iterator<double>(in), {}};
}

// The state after some steps.
std::vector<double> run_exported(const Prepared& prepared, int steps, double step) {
  return printed(prepared, fmt::format("  for (int k = 0; k < {}; ++k) singular |= m_step(&s, m_parameters, {});\n"
                                       "  for (int i = 0; i < m_nx; ++i) printf(\"%.17g\\n\", s.x[i]);\n",
                                       steps, step));
}

Eigen::VectorXd run_engine(const Prepared& prepared, int steps) {
  const auto dynamics = make_dynamics(prepared);
  dynamics->set_state(prepared.start);
  dynamics->follow_roots(true);
  const Solver solver = make_solver(prepared, *dynamics);
  solver.integrator->start(prepared.start.t, prepared.start.x);
  for (int k = 0; k < steps; ++k) EXPECT_EQ(solver.integrator->step(1e9), StepStatus::ok);
  return solver.integrator->x();
}

class ExportedC : public testing::TestWithParam<Export> {};
INSTANTIATE_TEST_SUITE_P(Models, ExportedC,
                         testing::Values(Export{"rrr", {}, {}}, Export{"stewart", {}, {}, 50},
                                         Export{"slider_crank", {}, {}, 200, 1e-5},
                                         Export{"n_four_bar", {{"N", "10"}}, {}}, Export{"press", {}, {}}),
                         [](const auto& info) { return info.param.model; });

// Round-off of 200 steps: the C library's sines differ from ours in the last place.
TEST_P(ExportedC, MovesAsTheEngine) {
  Model model = shipped(GetParam().model, GetParam().settings);
  model.simulate.integrator = "rk4";
  model.simulate.step = GetParam().step;
  Prepared start = compile(model, GetParam().inputs);
  assemble_start(start);
  ASSERT_EQ(start.failure, "");
  const std::vector<double> c = run_exported(start, GetParam().steps, GetParam().step);
  const Eigen::VectorXd engine = run_engine(start, GetParam().steps);
  const Equations& e = start.system->equations();
  std::vector<double> expected(engine.data(), engine.data() + e.q.size() + e.v.size());
  for (std::size_t i = 0; i < e.z.size(); ++i)
    if (!e.others[i].in_ledger()) expected.push_back(engine[e.q.size() + e.v.size() + i]);
  ASSERT_EQ(c.size(), expected.size());
  EXPECT_GT((engine - start.start.x).norm(), 1e-6);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], expected[i], 1e-11 * (1 + std::abs(expected[i])));
}

// Steps of 1.07 ms meet no wrap: times of steps may differ by round-off, and with them the side of a wrap that is met.
TEST(ExportC, TakesTheRootOfASawtooth) {
  Prepared start =
      prepared_text(rotor("sqrt(mod(t, 0.05)) + mod(2*t, -0.03)", "end: 2, integrator: rk4, step: 1.07e-3"));
  const std::vector<double> c = run_exported(start, 1000, 1.07e-3);
  const Eigen::VectorXd engine = run_engine(start, 1000);
  ASSERT_EQ(c.size(), 2u);
  EXPECT_NEAR(c[0], engine[0], 1e-11);
  EXPECT_NEAR(c[1], engine[1], 1e-11);
}

// At every wrap and one number before and behind it: the bits of the engine, and never a root of something negative.
TEST(ExportC, HasTheBitsOfTheEngineAtEveryWrap) {
  const Prepared start = prepared_text(rotor("sqrt(mod(t, 0.05)) + mod(2*t, -0.03)"));
  const auto dynamics = make_dynamics(start);
  dynamics->set_state(start.start);
  dynamics->follow_roots(true);
  std::string body = "  double d[m_nx];\n";
  std::vector<double> expected;
  Eigen::VectorXd xdot = start.start.x;
  for (int k = 1; k <= 300; ++k)
    for (const double t : {std::nextafter(0.005 * k, 0), 0.005 * k, std::nextafter(0.005 * k, 10)}) {
      body += fmt::format("  s.t = {:.17g}; m_derivative(&s, m_parameters, d); printf(\"%.17g\\n\", d[1]);\n", t);
      ASSERT_TRUE(dynamics->derivative(t, start.start.x.data(), xdot.data())) << t;
      expected.push_back(xdot[1]);
    }
  EXPECT_EQ(printed(start, body), expected);
}

TEST(ExportC, NamesAreIdentifiers) {
  EXPECT_EQ(c_identifier("five bar-2"), "five_bar_2");
  EXPECT_EQ(c_identifier("3rrr"), "model_3rrr");
}

}  // namespace
}  // namespace armature
