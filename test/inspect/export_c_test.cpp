// Exported code, compiled as strict C99 and C++20 and run, against the engine's own runs with the same steps.
#include "inspect/export_c.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "observe/ledger.hpp"
#include "prepare/setup.hpp"
#include "support/rotor.hpp"
#include "support/spatial_four_bar.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

const std::string print_state =
    "  printf(\"%.17g\\n\", s.t);\n  for (int i = 0; i < m_nx; ++i) printf(\"%.17g\\n\", s.x[i]);\n";

// The files of a model in a folder of their own.
class Exported {
 public:
  explicit Exported(const Prepared& prepared) {
    const ExportedCode code = export_c(prepared, "a model", "m");
    write("m.c", code.programs), write("m.h", code.header), write("m_step.cpp", code.step);
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }
  bool shell(const std::string& command) const {
    return std::system(("cd '" + folder_.path().string() + "' && " + command).c_str()) == 0;
  }

  // What a program prints with `body` in its main function. No library of C++ is linked.
  std::vector<double> printed(const std::string& body) const {
    write("main.c",
          "#include <stdio.h>\n\n#include \"m.h\"\nint main(void) {\n  m_state s;\n  int failed = 0;\n"
          "  m_start(&s);\n" +
              body + "  return failed;\n}\n");
    const std::string options = " -O1 -Wall -Wextra -Werror -pedantic -ffp-contract=off ";
    EXPECT_TRUE(shell("cc -std=c99" + options + "-c m.c main.c"));
    EXPECT_TRUE(shell("c++ -std=c++20 -fno-exceptions -fno-rtti" + options + "-c m_step.cpp"));
    EXPECT_TRUE(shell("cc m.o main.o m_step.o -lm -o m && ./m > x"));
    std::ifstream in(folder_ / "x");
    return {std::istream_iterator<double>(in), {}};
  }

  // Time and state after some steps.
  std::vector<double> after(int steps, double step) const {
    const char* const loop = "  for (int k = 0; k < {}; ++k) failed |= m_step(&s, m_parameters, {:.17g});\n";
    return printed(fmt::format(fmt::runtime(loop), steps, step) + print_state);
  }

 private:
  TemporaryFolder folder_;
};

// Time and state without the ledger.
std::vector<double> numbers_of(const Equations& e, double t, const Eigen::VectorXd& x) {
  std::vector<double> numbers = {t};
  const std::size_t plain = e.q.size() + e.v.size();
  numbers.insert(numbers.end(), x.data(), x.data() + plain);
  for (std::size_t i = 0; i < e.z.size(); ++i)
    if (!e.others[i].in_ledger()) numbers.push_back(x[static_cast<Eigen::Index>(plain + i)]);
  return numbers;
}

// A run as `armature run` makes it.
std::vector<double> run_engine(Prepared prepared, int steps) {
  prepared.options.end = prepared.start.t + steps * prepared.options.step;
  MemoryRecorder record;
  const Outcome outcome = simulate(prepared, record);
  EXPECT_EQ(outcome.status, RunStatus::finished) << outcome.sentence;
  EXPECT_GT((outcome.last.x - prepared.start.x).norm(), 1e-6);
  return numbers_of(prepared.system->equations(), outcome.last.t, outcome.last.x);
}

struct Case {
  std::string name;
  std::function<Model()> model;
  double step = 1e-3;  // s
  int steps = 200;
  std::string integrator = "rk4";
};

Case text(const std::string& name, const std::string& text, double step = 1e-3) {
  return {name, [text] { return read_model_text("armature: 1\n" + text); }, step};
}

Case file(const std::string& name, const std::string& model, double step = 1e-3, int steps = 200,
          const std::string& integrator = "rk4") {
  return {name, [model] { return shipped(model); }, step, steps, integrator};
}

Case with_baumgarte(const std::string& name, const std::string& file, bool projection) {
  return {name, [=] {
            Model model = shipped(file);
            model.simulate.projection = projection;
            model.simulate.alpha = 20, model.simulate.beta = 100;
            return model;
          }};
}

std::string controlled(const std::string& controller) {
  return rotor("u", "end: 1", "controllers: {u: {" + controller + "}}\n", 0.3);
}

// Two shafts and a universal joint between them; the angle of the cut bearing is no sum of coordinates.
const char* const shafts = R"(gravity: [0, 0, 0]
bodies:
  input: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  output: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  first: {type: revolute, axis: x, between: [ground, input]}
  cardan: {type: universal, axes: [z, [-sin(0.5), cos(0.5), 0]], between: [input, output]}
  second: {type: revolute, axis: [cos(0.5), sin(0.5), 0], between: [ground, output], cut: true}
forces: {s: {type: torsion_spring, on: second, stiffness: 1}}
start: {keep: {first: 0}, near: {second: 0}, speed: {first: 20}}
simulate: {end: 2}
)";

std::vector<Case> cases() {
  std::vector<Case> list = {
      file("tree", "arm"),
      file("planar_loops", "rrr"),
      {"long_chain",
       [] {
         return shipped("n_four_bar", {{"N", "10"}});
       }},
      file("many_states", "press"),
      file("balls", "stewart", 1e-3, 50),
      file("friction", "slider_crank", 1e-5),
      file("friction_and_currents", "crane", 1e-4),
      with_baumgarte("baumgarte", "four_bar", false),
      with_baumgarte("baumgarte_and_projection", "rrr", true),
      text("ball_in_the_tree", spatial_four_bar("", ", cut: true")),
      text("sawtooth", rotor("sqrt(mod(t, 0.05)) + mod(2*t, -0.03)")),
      text("functions", rotor("exp(-t)*sin(3*shaft) + atan2(shaft, 1 + t) + f(t) + tanh(shaft)^3 + max(t, 0.1)")),
      text("sampled", controlled("type: pd, measure: shaft, target: 1, kp: 2, kd: 0.1, sampled: {period: 3 ms}")),
      text("sampled_late", controlled("type: formula, is: \"if(shaft > 0.01, t, -t)\", "
                                      "sampled: {period: 7 ms, delay: 2 ms}")),
  };
  for (const char* integrator : {"euler", "semi_implicit_euler", "rk2"})
    list.push_back(file(integrator, "four_bar", 1e-3, 100, integrator));
  return list;
}

class ExportedCase : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Models, ExportedCase, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST_P(ExportedCase, HasTheBitsOfARun) {
  Model model = GetParam().model();
  model.simulate.integrator = GetParam().integrator;
  model.simulate.step = GetParam().step;
  const Prepared start = prepared(model);
  EXPECT_EQ(Exported(start).after(GetParam().steps, GetParam().step), run_engine(start, GetParam().steps));
}

// An engine that begins anew at each step, as exported steps do.
std::vector<double> restarted_engine(const Prepared& prepared, int steps) {
  const auto dynamics = make_dynamics(prepared);
  dynamics->follow_roots(true);
  dynamics->engine().begin_projection(prepared.start.t, prepared.start.x.data());
  const Solver solver = make_solver(prepared, *dynamics);
  State state = prepared.start;
  for (int k = 0; k < steps; ++k) {
    dynamics->set_state(state);
    solver.integrator->start(state.t, state.x);
    EXPECT_EQ(solver.integrator->step(1e9), StepStatus::ok);
    state.t = solver.integrator->t(), state.x = solver.integrator->x();
    dynamics->evaluator().set(state.t, state.x.data());
    dynamics->evaluator().next_discrete(state.d);
  }
  return numbers_of(prepared.system->equations(), state.t, state.x);
}

// A run keeps the derivative at the end of a step for the next one, and corrects the references of angles between the two. An
// exported step evaluates it with the corrected reference: the same angle up to round-off. The step is a power of two, so that
// times are exact however they are summed.
TEST(ExportC, CutAnglesInSpaceHaveTheBitsOfStepsThatBeginAnew) {
  const double step = 0x1p-8;
  Model model = read_model_text(std::string("armature: 1\n") + shafts);
  model.simulate.integrator = "rk4", model.simulate.step = step;
  const Prepared start = prepared(model);
  ASSERT_EQ(start.system->equations().references.size(), 1u);
  const std::vector<double> c = Exported(start).after(1000, step), run = run_engine(start, 1000);
  EXPECT_EQ(c, restarted_engine(start, 1000));
  ASSERT_EQ(c.size(), run.size());
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], run[i], 1e-10);
}

TEST(ExportC, ParametersAreInputs) {
  Model model = shipped("rrr_motors");
  model.simulate.integrator = "rk4", model.simulate.step = 1e-3;
  Prepared start = compile(model, {"m2"});
  assemble_start(start);
  ASSERT_EQ(start.failure, "");
  const std::vector<double> with_own = run_engine(start, 50);
  start.parameters[0] *= 1.25;
  const std::vector<double> with_other = run_engine(start, 50);
  EXPECT_NE(with_own, with_other);
  const std::string steps =
      fmt::format("  const double p[] = {{{:.17g}}};\n  for (int k = 0; k < 50; ++k) failed |= m_step(&s, p, 1e-3);\n",
                  start.parameters[0]);
  EXPECT_EQ(Exported(start).printed(steps + print_state), with_other);
}

// At every wrap and one number before and behind it: the bits of the engine, and never a root of something negative.
TEST(ExportC, DerivativesHaveTheBitsOfTheEngineAtEveryWrap) {
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
  EXPECT_EQ(Exported(start).printed(body), expected);
}

// Numbers of a period that the step does not divide: a sample at 25 ms within the step from 20 to 30 ms.
TEST(ExportC, ASampleWithinAStepIsTakenWhenItIsDue) {
  const std::string text = controlled("type: formula, is: t, sampled: {period: 25 ms}");
  const std::vector<double> x = Exported(prepared_text(text)).after(10, 0.01);
  EXPECT_DOUBLE_EQ(x.at(0), 0.1);
  EXPECT_NEAR(x.at(2), 0.3 + 0.025 * (0 + 0.025 + 0.05 + 0.075), 1e-14);
}

// Steps of any length, one after the other; the last one goes far beyond several samples.
TEST(ExportC, TheLengthOfAStepMayChange) {
  const std::string text = controlled("type: formula, is: t, sampled: {period: 25 ms}");
  const std::string steps =
      "  failed |= m_step(&s, m_parameters, 0.01) | m_step(&s, m_parameters, 0.03) | m_step(&s, m_parameters, 0.06);\n"
      "  printf(\"%.17g %.17g\\n\", s.t, s.x[1]);\n";
  const std::vector<double> x = Exported(prepared_text(text)).printed(steps);
  EXPECT_NEAR(x.at(0), 0.1, 1e-16);
  EXPECT_NEAR(x.at(1), 0.3 + 0.025 * (0 + 0.025 + 0.05 + 0.075), 1e-14);
}

// A slider-crank of equal bars whose slider is upon the crank's bearing: two rows become one.
TEST(ExportC, AStepThatFailsLeavesTheStateAsItWas) {
  const Prepared start = prepared(shipped("slider_crank_equal"));
  const std::string steps =
      "  m_state before = s;\n  int k = 0, status = 0;\n"
      "  for (; k < 100000 && !status; ++k) before = s, status = m_step(&s, m_parameters, 1e-3);\n"
      "  int same = before.t == s.t;\n"
      "  for (int i = 0; i < m_nx; ++i) same = same && before.x[i] == s.x[i];\n"
      "  printf(\"%d %d\\n\", status, same);\n"
      "  s.x[0] = 0.0 / (s.t - s.t);\n  printf(\"%d\\n\", m_step(&s, m_parameters, 1e-3));\n"
      "  m_start(&s);\n  printf(\"%d\\n\", m_step(&s, m_parameters, 1.0 / (s.t - s.t)));\n";
  const std::vector<double> answers = Exported(start).printed(steps);
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_NE(answers[0], 0);
  EXPECT_EQ(answers[1], 1);
  EXPECT_NE(answers[2], 0);
  EXPECT_NE(answers[3], 0);
}

// A file of C alone, with an integrator of one's own.
TEST(ExportC, TheProgramsNeedNoStep) {
  const Exported code(prepared_text(rotor("1 + cos(shaft)")));
  code.write("own.c",
             "#include \"m.h\"\nint main(void) {\n  m_state s;\n  double d[m_nx], y[m_ny + 1];\n  m_start(&s);\n"
             "  for (int k = 0; k < 1000; ++k) {\n    if (m_derivative(&s, m_parameters, d)) return 2;\n"
             "    for (int i = 0; i < m_nx; ++i) s.x[i] += 1e-3 * d[i];\n  }\n  m_quantities(&s, m_parameters, y);\n"
             "  return !(s.x[1] > 1.6 && s.x[1] < 2.0);\n}\n");
  EXPECT_TRUE(code.shell("cc -std=c99 -pedantic -Wall -Wextra -Werror m.c own.c -lm -o own && ./own"));
}

TEST(ExportC, ClangTakesIt) {
  const Exported code(prepared(shipped("stewart")));
  if (!code.shell("clang++ --version > /dev/null 2>&1")) GTEST_SKIP() << "needs clang";
  const std::string warnings = " -Wall -Wextra -Werror -pedantic -fsyntax-only ";
  EXPECT_TRUE(code.shell("clang -std=c99" + warnings + "m.c && clang++ -std=c++20" + warnings + "m_step.cpp"));
}

// Without a library; ten lines stand for the <math.h> of the target.
TEST(ExportC, CompilesForWebAssembly) {
  const Exported code(prepared(shipped("rrr")));
  if (!code.shell("clang++ --version > /dev/null 2>&1")) GTEST_SKIP() << "needs clang";
  code.write("math.h",
             "double fabs(double), sqrt(double), sin(double), cos(double), exp(double), floor(double);\n"
             "double atan2(double, double), pow(double, double);\n");
  const std::string options = " --target=wasm32 -nostdlib -ffreestanding -O2 -Wall -Wextra -Werror -c ";
  EXPECT_TRUE(code.shell("clang -std=c99 -I." + options + "m.c"));
  EXPECT_TRUE(code.shell("clang++ -std=c++20 -nostdinc++ -fno-exceptions" + options + "m_step.cpp"));
}

TEST(ExportC, NamesAreIdentifiers) {
  EXPECT_EQ(c_identifier("five bar-2"), "five_bar_2");
  EXPECT_EQ(c_identifier("3rrr"), "model_3rrr");
  EXPECT_EQ(c_identifier("_plant"), "model__plant");
}

}  // namespace
}  // namespace armature::internal
