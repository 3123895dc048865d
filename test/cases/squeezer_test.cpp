// Andrews' squeezer (IFToMM benchmark A03; Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7; Mazzia and
// Magherini, Test Set for IVP Solvers): accelerations at the start and positions at 0.03 s.
#include <gtest/gtest.h>

#include <array>

#include "support/accelerations.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

constexpr std::array<const char*, 7> angles{"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
constexpr std::array<double, 7> at_end{15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                                       0.5244099658805304, 0.5347301163226948, 1.048080741042263};

TEST(Squeezer, AccelerationsAtTheStart) {
  const NamedAcceleration a = acceleration_at_start(prepared(shipped("squeezer")));
  EXPECT_NEAR(a.vdot.at("beta'"), 14222.4439, 1e-3);  // of a start given to 15 digits: 1e-9 relative at best
  EXPECT_NEAR(a.vdot.at("Theta'"), -10666.8329, 1e-3);
  for (const char* angle : {"gamma'", "Phi'", "delta'", "Omega'", "epsilon'"})
    EXPECT_NEAR(a.vdot.at(angle), 0, 1e-3) << angle;
  // The published rows are F2 - F3, ours too: a is on body 3, b on body 2.
  EXPECT_NEAR(a.lambda.at("F3.x"), 98.56687, 1e-5);
  EXPECT_NEAR(a.lambda.at("F3.y"), -6.122688, 1e-6);
  for (const char* row : {"F4.x", "F4.y", "F6.x", "F6.y"}) EXPECT_NEAR(a.lambda.at(row), 0, 1e-5) << row;
}

// Nine digits of the published solution are trusted.
void expect_published_end(const Simulation& run, double digits) {
  for (std::size_t i = 0; i < angles.size(); ++i)
    EXPECT_NEAR(run.last(angles[i]), at_end[i], digits * std::abs(at_end[i])) << angles[i];
}

TEST(Squeezer, EndsWhereTheBenchmarkSays) {
  Model model = shipped("squeezer");
  model.simulate.rtol = 1e-12;
  expect_published_end(simulated(model), 1e-9);
}

TEST(Squeezer, EndsThereByDop853) {
  Model model = shipped("squeezer");
  model.simulate.integrator = "dop853";
  model.simulate.rtol = 1e-12;
  expect_published_end(simulated(model), 1e-9);
}

// The multistep methods of SUNDIALS: at rtol 1e-10 the error of a run is some hundred times that.
TEST(Squeezer, EndsThereByBdfAndIda) {
  for (const char* integrator : {"cvode_bdf", "ida"}) {
    Model model = shipped("squeezer");
    model.simulate.integrator = integrator;
    model.simulate.rtol = 1e-10;
    SCOPED_TRACE(integrator);
    expect_published_end(simulated(model), 1e-6);
  }
}

// Radau IIA keeps one step to its tolerance, and its errors add up to some ten of them.
TEST(Squeezer, EndsThereByRadau) {
  Model model = shipped("squeezer");
  model.simulate.integrator = "radau5";
  model.simulate.rtol = 1e-10;
  expect_published_end(simulated(model), 1e-7);
}

TEST(Squeezer, BalancesItsEnergy) {
  const Simulation run = simulated(shipped("squeezer"));
  const auto kinetic = run.column("energy.kinetic");
  const double size = *std::max_element(kinetic.begin(), kinetic.end());
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8 * size);
}

}  // namespace
}  // namespace armature::internal
