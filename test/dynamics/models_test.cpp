// The formulations, the rank decision and assembly on the files of models/.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <fstream>
#include <random>
#include <sstream>

#include "dynamics/assembly.hpp"
#include "dynamics/configuration.hpp"
#include "dynamics/dynamics.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/hand_systems.hpp"
#include "dynamics/redundancy.hpp"
#include "mechanics/build.hpp"
#include "read/reader.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

using Eigen::VectorXd;

std::string text_of(const std::string& name) {
  std::ifstream file(std::string(source_directory) + "/models/" + name + ".yaml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A model compiled as a run does it: assembled, redundant rows left out of the traced solve.
struct Machine {
  explicit Machine(const std::string& text) {
    const std::shared_ptr<const Equations> equations = build_equations(read_model_text(text));
    auto plain = std::make_shared<const System>(equations);
    SystemEvaluator evaluator(plain);
    start = assemble(evaluator, plain->initial_state());
    if (!start.success) return;
    redundancy = find_redundancy(evaluator, start.state);
    SystemOptions options;
    options.independent_rows = redundancy.independent;
    options.traced_solve = true;
    system = std::make_shared<const System>(equations, options);
  }
  AssemblyResult start;
  Redundancy redundancy;
  std::shared_ptr<const System> system;
};

class Models : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Models,
                         testing::Values("pendulum", "four_bar", "n_four_bar", "rrr", "squeezer", "stewart"),
                         [](const auto& info) { return info.param; });

TEST_P(Models, AssembleToRoundOff) {
  const Machine machine(text_of(GetParam()));
  ASSERT_TRUE(machine.start.success) << machine.start.sentence;
  SystemEvaluator evaluator(machine.system);
  Terms terms = evaluator.make_terms();
  evaluator.set(0, machine.start.state.x.data());
  evaluator.motion(terms);
  if (terms.phi.size() == 0) return;
  EXPECT_LT(terms.phi.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT(terms.phidot.cwiseAbs().maxCoeff(), 1e-14);
}

// Random states around the start, on no constraint: the agreement of the formulations does not need one.
TEST_P(Models, FormulationsAgreeAtRandomRegularStates) {
  const Machine machine(text_of(GetParam()));
  ASSERT_TRUE(machine.start.success) << machine.start.sentence;
  const Layout& layout = machine.system->layout();
  if (static_cast<int>(machine.redundancy.independent.size()) < layout.m) return;  // off the loops such rows contradict
  const Configuration configuration(machine.system->equations());
  std::mt19937 generator(21);
  int regular = 0;
  for (int sample = 0; sample < 10; ++sample) {
    VectorXd x = machine.start.state.x, xdot(layout.nx()), expected(layout.nx());
    configuration.advance(x.data(), hand::random_vector(layout.nv, 0.2, generator).data());
    x.segment(layout.nq, layout.nv) = hand::random_vector(layout.nv, 1, generator);
    Dynamics reference(machine.system, {.name = "multipliers"}, {});
    if (!reference.derivative(0, x.data(), expected.data()) || reference.acceleration().smallest < 1e-2) continue;
    ++regular;
    for (const std::string& name : formulation_names()) {
      Dynamics dynamics(machine.system, {.name = name}, {});
      ASSERT_TRUE(dynamics.derivative(0, x.data(), xdot.data())) << name;
      EXPECT_LT((xdot - expected).norm(), 1e-10 * expected.norm()) << name;
    }
  }
  EXPECT_GT(regular, 0);
}

// A step's end by one evaluation is what derivative() and project() give one after the other: from states off the
// constraints by d, on which the estimate's tangent space depends to first order.
TEST_P(Models, FinishAStepAtOnceAsApart) {
  const Machine machine(text_of(GetParam()));
  ASSERT_TRUE(machine.start.success) << machine.start.sentence;
  const Layout& n = machine.system->layout();
  if (n.m == 0) return;
  Stabilization stabilization;
  stabilization.projection = true;
  Dynamics at_once(machine.system, {}, stabilization), apart(machine.system, {}, stabilization);
  const Configuration configuration(machine.system->equations());
  std::mt19937 generator(5);
  int finished = 0;
  for (int sample = 0; sample < 10; ++sample)
    for (const double off : {1e-9, 1e-5}) {
      VectorXd x = machine.start.state.x;
      configuration.advance(x.data(), hand::random_vector(n.nv, 0.1, generator).data());
      x.segment(n.nq, n.nv) = hand::random_vector(n.nv, 1, generator);
      if (!at_once.project(0, x.data(), nullptr)) continue;
      configuration.advance(x.data(), hand::random_vector(n.nv, off, generator).data());
      x.segment(n.nq, n.nv) += hand::random_vector(n.nv, off, generator);
      const VectorXd share = hand::random_vector(n.nx(), 1e-6, generator);
      const double weight = 1e-3;

      VectorXd x1 = x, error = share, xdot(n.nx()), expected_xdot(n.nx());
      if (at_once.finish(0, x1.data(), xdot.data(), error.data(), weight) == Ode::Finish::nothing) continue;
      ++finished;
      ASSERT_TRUE(apart.derivative(0, x.data(), expected_xdot.data()));
      VectorXd expected_x = x, expected_error = share + weight * expected_xdot;
      ASSERT_TRUE(apart.project(0, expected_x.data(), expected_error.data()));
      EXPECT_LT((x1 - expected_x).cwiseAbs().maxCoeff(), 100 * off * off + 1e-14 * (10 + expected_x.norm()));
      EXPECT_LT((xdot - expected_xdot).norm(), 1e3 * off * (1 + expected_xdot.norm()));
      EXPECT_LT((error - expected_error).norm(), 1e3 * off * expected_error.norm());

      SystemEvaluator evaluator(machine.system);
      Terms terms = evaluator.make_terms();
      evaluator.set(0, x1.data());
      evaluator.motion(terms);
      EXPECT_LT(terms.phi.cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_LT(terms.phidot.cwiseAbs().maxCoeff(), 1e-13);
    }
  EXPECT_GT(finished, 0);
}

// Without `plane` the loop of the four-bar is closed by a revolute joint in space: five rows, three of which the plane
// mechanism satisfies by itself.
TEST(FourBarModel, InSpaceHasThreeRedundantDirections) {
  std::string text = text_of("four_bar");
  const std::string plane = "plane: xy", type = "type: revolute,";
  text.erase(text.find(plane), plane.size());
  for (std::size_t at = text.find(type); at != std::string::npos; at = text.find(type, at + 1))
    text.replace(at, type.size(), type + " axis: z,");
  const Machine machine(text);
  ASSERT_TRUE(machine.start.success) << machine.start.sentence;
  const Equations& equations = machine.system->equations();
  EXPECT_EQ(machine.redundancy.always.size() + equations.vanished.size(), 3u);
  EXPECT_EQ(machine.redundancy.degrees_of_freedom, 1);
}

TEST(FourBarModel, ClosesInTwoWays) {
  const std::shared_ptr<const Equations> equations = build_equations(read_model_text(text_of("four_bar")));
  const auto system = std::make_shared<const System>(equations);
  SystemEvaluator evaluator(system);
  EXPECT_EQ(assemble_all(evaluator, system->initial_state()).size(), 2u);
}

}  // namespace
}  // namespace armature::internal
