// The models of models/drives and models/motors against the numbers at their tops and in docs/drives.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "drive/other_drives.hpp"

namespace armature::internal {
namespace {

Model drive_model(const std::string& name, const Settings& settings = {}) {
  return shipped("drives/" + name, settings);
}

InvertedRun inverted_model(const Model& model) {
  Prepared start = compile_inverse(model);
  assemble_start(start);
  InvertedRun run;
  run.outcome = inverse(model, start, run.record);
  return run;
}

TEST(DriveModels, PmsmReachesItsBaseSpeed) {
  const Simulation run = simulated(drive_model("pmsm"));
  EXPECT_NEAR(run.at(0, "motor.torque"), 22.61257734, 1e-8);
  EXPECT_NEAR(run.at(0, "motor.current_d"), -14.45799055, 1e-8);
  EXPECT_NEAR(run.at(0, "motor.current_q"), 26.28624182, 1e-8);
  const double base = 279.7520741991637;
  EXPECT_NEAR(0.08 * base / 22.61257734078573, 0.989722, 1e-6);
  const auto t = run.column("t"), w = run.column("turn'"), T = run.column("motor.torque");
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (w[k] < base)
      EXPECT_NEAR(w[k], 22.61257734078573 / 0.08 * t[k], 1e-6);
    else
      EXPECT_LT(T[k], 22.61257734078573);
  }
  EXPECT_GT(w.back(), 1.2 * base);
}

TEST(DriveModels, InductionMotorSettlesAtItsSlip) {
  const Simulation run = simulated(drive_model("induction_motor"));
  EXPECT_NEAR(run.last("turn'"), 154.5997, 1e-3);
}

TEST(DriveModels, StepperLiftsItsWeightOrStalls) {
  EXPECT_NEAR(simulated(drive_model("stepper")).last("motor.lag"), 0.3263693, 1e-5);
  EXPECT_GT(simulated(drive_model("stepper", {{"m", "6 kg"}})).last("motor.lag"), 4);
}

TEST(DriveModels, BrushlessRunsAlmostLikeADcMotor) {
  const Simulation run = simulated(drive_model("brushless"));
  const auto t = run.column("t"), w = run.column("turn'");
  const std::size_t before = static_cast<std::size_t>(std::ranges::lower_bound(t, 0.395) - t.begin());
  EXPECT_NEAR(w[before], 180.46, 0.03 * 180.46);
  EXPECT_NEAR(w.back(), 112.42, 0.03 * 112.42);
}

TEST(DriveModels, ServoUsesItsCurves) {
  const InvertedRun run = inverted_model(drive_model("servo"));
  const auto peak = run.record.column("motor.peak_use"), use = run.record.column("motor.continuous_use"),
             speed = run.record.column("motor.speed");
  EXPECT_NEAR(*std::ranges::max_element(peak), 0.6004, 1e-4);
  EXPECT_NEAR(*std::ranges::max_element(speed), 112.5, 1e-6);
  EXPECT_TRUE(run.outcome.warnings().empty());
  EXPECT_NEAR(simulated(drive_model("servo")).last("x"), 0.6, 1e-3);
}

TEST(DriveModels, BatteryIsChargedByBraking) {
  const Simulation run = simulated(drive_model("battery"));
  const auto charge = run.column("battery.charge"), work = run.column("work.electrical");
  // in the part of the curve from 0.1 to 0.9, 46 V to 50 V: W = 45.5 c + 2.5 c^2
  const auto stored = [](double c) { return 720 * (45.5 * c + 2.5 * c * c); };
  EXPECT_NEAR(work.back(), stored(0.8) - stored(charge.back()), 1e-6 * work.back());
  EXPECT_GT(charge.back(), *std::ranges::min_element(charge) + 1e-4);
  EXPECT_GT(run.last("motor.temperature"), run.last("motor.housing_temperature"));
}

TEST(DriveModels, CylinderVibratesOnItsOil) {
  Model model = drive_model("hydraulic_cylinder", {{"opening", "0"}});
  const Simulation run = simulated(model);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-3);
}

// Those of the library run by themselves, and in a machine.
TEST(DriveModels, MotorsOfTheLibraryGiveTheirNumbers) {
  EXPECT_NEAR(simulated(shipped("motors/dc_20w")).last("shaft'"), 523.599, 0.5);
  EXPECT_NEAR(simulated(shipped("motors/dc_20w")).last("motor.current"), 0.1, 2e-3);
  EXPECT_NEAR(simulated(shipped("motors/brushless_100w")).last("shaft'"), 400, 10);
  EXPECT_NEAR(simulated(shipped("motors/pmsm_750w")).last("motor.current_q"), 5, 1e-3);
  EXPECT_LT(std::abs(simulated(shipped("motors/stepper_nema23")).last("motor.lag")), 1);
  EXPECT_NEAR(simulated(shipped("motors/induction_1500w")).last("shaft'"), 157.08, 0.5);
}

TEST(DriveModels, AMachineUsesAMotorOfTheLibrary) {
  const std::string machine = R"(armature: 1
gravity: [0, 0, 0]
bodies: {wheel: {mass: 1, inertia: {xx: 0.01, yy: 1, zz: 1}}}
joints: {turn: {type: revolute, axis: x, between: [ground, wheel]}}
use:
  spindle: {file: motors/pmsm_750w.yaml, with: {torque: 1.2 N*m}}
constraints:
  belt: {type: gear, between: [turn, spindle_shaft], ratio: 3}
simulate: {end: 0.1, record: 0.01}
)";
  const Simulation run = simulated(read_model_text(machine, std::string(source_directory) + "/models/machine.yaml"));
  EXPECT_NEAR(run.last("spindle_motor.current_q"), 2.5, 1e-3);
  EXPECT_GT(std::abs(run.last("turn'")), 1);
}

}  // namespace
}  // namespace armature::internal
