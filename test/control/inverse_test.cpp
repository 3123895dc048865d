// Inverse dynamics: known torques, the way back, redundant actuation and refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/inverse.hpp"
#include "support/reference_data.hpp"
#include "support/run_model.hpp"

namespace armature {
namespace {

struct Inverse {
  MemoryRecorder record;
  Outcome outcome;
  std::vector<double> column(const std::string& name) const { return record.column(name); }
};

Inverse inverse_of(const Model& model) {
  Prepared start = compile_inverse(model);
  assemble_start(start);
  EXPECT_EQ(start.failure, "");
  Inverse result;
  result.outcome = inverse(model, start, result.record);
  return result;
}

// The slider-crank with its motion still to be said.
Model slider_crank(const std::string& inductance) {
  Model model = shipped("slider_crank", {{"inductance", inductance}});
  model.motion.clear();
  return model;
}

void want(Model& model, const std::string& name, const std::string& formula) {
  model.motion.push_back({name, {}, parse_formula(formula, {})});
}

// The spatial arm whose tip follows a circle: torques of an independent exact solution.
TEST(InverseDynamics, ArmOnACircle) {
  Model model = shipped("arm_on_circle");
  model.prescribed.clear();
  want(
      model, "lower.tip",
      "[1 + cos(t)/(2*sqrt(2)) + sin(t)/(2*sqrt(6)), 1 - cos(t)/(2*sqrt(2)) + sin(t)/(2*sqrt(6)), 1 - sin(t)/sqrt(6)]");
  model.actuators = {"q1", "q2", "q3"};
  model.simulate.record = 0.1;
  model.simulate.end = 6;
  const Inverse run = inverse_of(model);
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const ReferenceData data("arm_on_circle_exact.csv");
  const auto t = run.column("t");
  int compared = 0;
  for (int row = 0; row < data.rows() && data["t"][row] <= 6; ++row) {
    const auto k = std::lround(data["t"][row] / 0.1);
    if (std::abs(t.at(k) - data["t"][row]) > 1e-9) continue;
    ++compared;
    EXPECT_NEAR(run.column("effort.q1")[k], data["Qc1"][row], 1e-6);
    EXPECT_NEAR(run.column("effort.q2")[k], data["Qc2"][row], 1e-6);
    EXPECT_NEAR(run.column("effort.q3")[k], data["Qc3"][row], 1e-6);
  }
  EXPECT_GT(compared, 5);
}

// The voltages found, fed to the same machine, make the motion.
TEST(InverseDynamics, FedBackReproducesTheMotion) {
  for (const char* inductance : {"0", "1 mH"}) {
    Model model = slider_crank(inductance);
    // from where the machine hangs at rest without current, which is how the way back starts
    model.start.keep[0].value = parse_formula("-pi/2", {});
    model.start.near.clear();
    model.simulate.end = 1, model.simulate.record = 5e-4;
    Model forward = model;
    want(model, "crank", "-pi/2 + 2*quintic(t, 0 s, 1 s)");
    const Inverse found = inverse_of(model);
    ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;

    forward.tables["fed"] = std::make_shared<Table>(Table::spline(found.column("t"), found.column("motor.voltage")));
    forward.motors[0].voltage = parse_formula("fed(t)", {});
    forward.simulate.rtol = 1e-11;
    const Simulation run = simulated(forward);
    const auto t = run.column("t"), x = run.column("crank");
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double s = t[k], expected = -M_PI / 2 + 2 * s * s * s * (10 + s * (6 * s - 15));
      ASSERT_NEAR(x[k], expected, 1e-7) << inductance << " t = " << t[k];
    }
  }
}

// A third actuator on a redundantly driven loop shares the load: least norm, and the same motion.
TEST(InverseDynamics, RedundantActuationIsOfLeastNorm) {
  Model model = slider_crank("0");
  model.motors.clear();
  model.simulate.end = 0.5, model.simulate.record = 0.05;
  model.start.keep[0].value = parse_formula("0.5", {});
  model.start.near.clear();
  want(model, "crank", "0.5 + t");
  model.actuators = {"crank"};
  const Inverse one = inverse_of(model);
  model.actuators = {"crank", "slide"};
  const Inverse two = inverse_of(model);
  ASSERT_EQ(two.outcome.status, RunStatus::finished) << two.outcome.sentence;
  for (int k = 0; k < one.record.rows(); ++k) {
    // one = a + s b, with s = d slide / d crank; least a^2 + b^2: (a, b) = one (1, s)/(1 + s^2)
    const double s = one.column("slide'")[k] / one.column("crank'")[k], total = one.column("effort.crank")[k];
    EXPECT_NEAR(two.column("effort.crank")[k], total / (1 + s * s), 1e-9 * (1 + std::abs(total)));
    EXPECT_NEAR(two.column("effort.slide")[k], total * s / (1 + s * s), 1e-9 * (1 + std::abs(total)));
  }
}

// Driven at the slider, a slider-crank cannot be turned through its dead center.
TEST(InverseDynamics, RefusesInfiniteEffortAtASingularPose) {
  Model model = slider_crank("0");
  model.motors.clear();
  model.simulate.end = 1, model.simulate.record = 0.01;
  model.start.keep[0].value = parse_formula("2.5", {});
  model.start.near.clear();
  want(model, "crank", "2.5 + t + 3*t^2");
  model.actuators = {"slide"};
  const Inverse run = inverse_of(model);
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  const double dead_center = (-1 + std::sqrt(1 + 12 * (M_PI - 2.5))) / 6;
  EXPECT_NE(run.outcome.sentence.find("infinite effort"), std::string::npos) << run.outcome.sentence;
  char time[32];
  std::snprintf(time, sizeof time, "%.6f", dead_center);
  EXPECT_NE(run.outcome.sentence.find(std::string(time).substr(0, 6)), std::string::npos)
      << run.outcome.sentence << " " << time;
}

TEST(InverseDynamics, RefusesWhatNoActuatorCanDo) {
  Model model = shipped("crane", {{"inductance", "0"}});
  model.simulate.end = 0.5, model.simulate.record = 0.05;
  want(model, "travel", "0.1*t^2");
  want(model, "swing", "0.1*sin(t)");
  const Inverse run = inverse_of(model);
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_NE(run.outcome.sentence.find("no efforts of the actuators"), std::string::npos) << run.outcome.sentence;
}

// What the motion leaves free is integrated: the crane's payload swings as it does when the motor makes this motion.
TEST(InverseDynamics, UnderActuatedMachinesSwingFreely) {
  Model model = shipped("crane", {{"inductance", "0"}});
  model.simulate.end = 1, model.simulate.record = 1e-3;
  Model forward = model;
  want(model, "travel", "0.2*quintic(t, 0 s, 1 s)");
  const Inverse found = inverse_of(model);
  ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
  forward.tables["fed"] = std::make_shared<Table>(Table::spline(found.column("t"), found.column("motor.voltage")));
  forward.motors[0].voltage = parse_formula("fed(t)", {});
  const Simulation run = simulated(forward);
  EXPECT_NEAR(run.last("travel"), 0.2, 1e-7);
  EXPECT_NEAR(run.last("swing"), found.column("swing").back(), 1e-7);
}

}  // namespace
}  // namespace armature
