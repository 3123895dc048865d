// Five-bar robot with flexible links: the published machine with one element a link, and what more elements and
// foreshortening change. Frequencies and trajectories of independent builds; test/data/five_bar.csv is one of them.
#include <gtest/gtest.h>

#include <cmath>

#include "inspect/compare.hpp"
#include "support/linearized.hpp"
#include "support/reference_data.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

Model five_bar(int elements, bool foreshortening) {
  Model model = shipped("five_bar", {{"elements", std::to_string(elements)}});
  for (Body& body : model.bodies)
    if (body.beam) body.beam->foreshortening = foreshortening;
  return model;
}

// Of the controlled machine under gravity, from the equilibrium of the one with one element a link.
void put_at_equilibrium(Linearized& machine) {
  for (const auto& [name, value] : {std::pair{"theta11", 2.001377112},
                                    {"theta21", 2.002408490},
                                    {"theta12", 0.215147319},
                                    {"theta22", -1.076764793},
                                    {"motor1.rotor", -20.0},
                                    {"motor2.rotor", -20.0}})
    machine.position(name) = value;
  machine.find_equilibrium();
}

// Of vibrations about it. The two below it are those of the elastic gears, which their dampers quench.
double bending_frequency(int elements, bool foreshortening) {
  Linearized machine(five_bar(elements, foreshortening));
  put_at_equilibrium(machine);
  return machine.frequencies()[2];
}

TEST(BeamFiveBar, EqualsItsLagrangian) {
  CompareOptions options;
  options.run = false;
  options.match = {{"motor1.rotor", "phi1"}, {"motor2.rotor", "phi2"}, {"beam1.w1", "e13"},
                   {"beam1.slope1", "e14"},  {"beam2.w1", "e23"},      {"beam2.slope1", "e24"}};
  const CompareResult comparison = compare(shipped("five_bar"), shipped("five_bar_lagrangian"), options);
  EXPECT_EQ(comparison.obstacle, "");
  EXPECT_LT(comparison.acceleration, 1e-10);  // relative, at 50 states
}

TEST(BeamFiveBar, FollowsTheReference) {
  Model model = shipped("five_bar");
  model.simulate.end = 4, model.simulate.record = 0.05, model.simulate.rtol = 1e-10;
  const Simulation run = simulated(model);
  const ReferenceData reference("five_bar.csv");
  ASSERT_EQ(static_cast<int>(run.column("t").size()), reference.rows());
  for (const auto& [ours, theirs] : {std::pair{"theta11", "th11"},
                                     {"theta12", "th12"},
                                     {"beam1.w1", "e13"},
                                     {"beam1.slope1", "e14"},
                                     {"theta21", "th21"},
                                     {"theta22", "th22"},
                                     {"beam2.w1", "e23"},
                                     {"beam2.slope1", "e24"}}) {
    const std::vector<double> x = run.column(ours);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], reference[theirs][i], 1e-7) << ours << " in row " << i;
  }
  EXPECT_NEAR(run.at(1, "theta11"), 1.07207723, 1e-8);
  EXPECT_NEAR(run.at(1, "beam2.w1"), 4.87078396e-3, 1e-10);
  EXPECT_NEAR(run.at(20, "theta21"), 1.97484359, 1e-8);
  EXPECT_NEAR(run.at(20, "beam1.w1"), -5.15796469e-4, 1e-10);
}

// Tolerances: half of the last digit known.
TEST(BeamFiveBar, FrequenciesConvergeWithTheElements) {
  EXPECT_NEAR(bending_frequency(1, false), 198.96, 5e-3);
  EXPECT_NEAR(bending_frequency(2, false), 179.08, 5e-3);
  EXPECT_NEAR(bending_frequency(4, false), 178.39, 5e-3);
  EXPECT_NEAR(bending_frequency(8, false), 178.345, 5e-4);
}

// A geometrically exact model has 173.067 rad/s. The error falls with n^4: by a factor 16 each time, and the limit is
// w8 + (w8 - w4)/15.
TEST(BeamFiveBar, ForeshorteningCorrectsTheEffectOfGravity) {
  const double w4 = bending_frequency(4, true), w8 = bending_frequency(8, true), w16 = bending_frequency(16, true);
  EXPECT_NEAR(w4, 173.113, 5e-4);
  EXPECT_NEAR((w4 - w8) / (w8 - w16), 16, 0.5);
  EXPECT_NEAR(w8 + (w8 - w4) / 15, 173.067, 5e-4);
  EXPECT_NEAR(w16, 173.067, 5e-4);
}

// With G = K q + g the compensation takes the springs' torque off the rotors: they come to rest where the controller wants
// them, at 2 r. Without it they hang back.
TEST(BeamFiveBar, CompensationBringsTheRotorsToTheirTarget) {
  for (const char* compensation : {"0", "1"}) {
    Linearized machine(shipped("five_bar", {{"compensation", compensation}}));
    put_at_equilibrium(machine);
    const double off = machine.position("motor1.rotor") + 20;
    if (*compensation == '1')
      EXPECT_NEAR(off, 0, 1e-10);
    else
      EXPECT_GT(std::abs(off), 1e-3);
  }
  CompareOptions options;
  options.run = false;
  const Settings on{{"compensation", "1"}};
  EXPECT_LT(compare(shipped("five_bar", on), shipped("five_bar_lagrangian", on), options).acceleration, 1e-10);
}

// A planar model costs planar arithmetic: operations of an acceleration, solve included, as they were when this was written.
// Fewer are welcome.
TEST(BeamFiveBar, CostsPlanarArithmetic) {
  for (const auto& [elements, foreshortening, most] :
       {std::tuple{1, false, 965}, {1, true, 1671}, {2, true, 4408}, {4, true, 10128}, {8, true, 24958}}) {
    const Prepared machine = compile(five_bar(elements, foreshortening));
    EXPECT_LE(machine.system->program(Kernel::acceleration)->operation_count(), most) << elements << " elements";
  }
}

// Largest w(l/2) - w(l)/2 of the left arm in the first 0.2 s, with four elements: 3.22 mm, and 2.57 mm without foreshortening.
TEST(BeamFiveBar, BendsFurtherWithForeshortening) {
  for (const auto& [foreshortening, peak] : {std::pair{true, 3.22e-3}, {false, 2.57e-3}}) {
    Model model = five_bar(4, foreshortening);
    model.simulate.end = 0.2, model.simulate.record = 0.2e-3, model.simulate.rtol = 1e-7,
    model.simulate.integrator = "cvode_bdf";
    const Simulation run = simulated(model);
    const std::vector<double> middle = run.column("beam2.w2"), tip = run.column("beam2.w4");
    double largest = 0;
    for (std::size_t i = 0; i < tip.size(); ++i) largest = std::max(largest, std::abs(middle[i] - tip[i] / 2));
    EXPECT_NEAR(largest, peak, 5e-6);  // digits known
  }
}

}  // namespace
}  // namespace armature::internal
