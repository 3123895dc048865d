// A drive of another kind than the DC motor: nothing outside the drive's class asks for a current or a voltage.
#include "drive/drive_kinds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "drive/gear.hpp"
#include "drive/rotor.hpp"
#include "inverse/inverse.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// A servo that follows a torque, less what its torque-speed line takes off: T = command/r - s w at the shaft.
class ServoEquations final : public DriveEquations {
 public:
  ServoEquations(EquationsBuilder& builder, const Drive& drive)
      : builder_(builder), drive_(drive), gear_(builder, drive) {}

  void offer() override {
    builder_.offer(drive_.name + ".speed", [this] { return Value(gear_.speed()); });
  }
  void add() override {
    const Expression T =
        builder_.scalar(drive_.command.is) / gear_.ratio() - builder_.scalar(drive_.values["slope"]) * gear_.speed();
    add_rotor(builder_, drive_, gear_);
    gear_.apply(T);
    builder_.equations().applied_power += T * gear_.speed();
    builder_.equations().quantities.push_back({drive_.name + ".torque", gear_.effort_unit(), T * gear_.ratio()});
    builder_.equations().quantities.push_back({drive_.name + ".speed", "rad/s", gear_.speed()});
  }

 private:
  EquationsBuilder& builder_;
  const Drive& drive_;
  Gear gear_;
};

class InverseServo final : public InverseMachine {
 public:
  void at(double, double, double, std::span<double>) const override {}
};

class Servo final : public DriveKind {
 public:
  FormatSection format() const override { return {"drives: servo", "a torque-speed line", {}}; }
  void read(const MapReader&, Drive&, Reading&) const override {}
  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {{"torque"}, {"speed", true}};
    return names;
  }
  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<ServoEquations>(builder, drive);
  }
  void command_torque(Drive& drive, const Formula& torque) const override {
    drive.command = {"torque", torque};
    drive.values.set("slope", {});
  }
  std::unique_ptr<InverseMachine> inverse_machine(const Drive&, const Model&) const override {
    return std::make_unique<InverseServo>();
  }
};

Model with_servo(const std::string& more) {
  static const Servo kind;
  Model model = read_model_text(R"(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {wheel: {mass: 1, inertia: {zz: 0.5}}}
joints: {q: {type: revolute, axis: z, between: [ground, wheel]}}
simulate: {end: 2, record: 0.1, rtol: 1e-12}
)" + more);
  Drive servo;
  servo.name = "servo", servo.kind = &kind, servo.on = "q";
  servo.command = {"torque", parse_formula("3", {})};
  servo.gear.ratio = parse_formula("5", {});
  servo.rotor.inertia = parse_formula("0.02", {});
  servo.values.set("slope", parse_formula("0.04", {}));
  model.drives.push_back(servo);
  return model;
}

// (I + r^2 J) q'' = 3 - r^2 s q':  q' = 3 (1 - exp(-t)), since r^2 s = 1 and I + r^2 J = 1.
TEST(DriveKinds, AnotherKindRuns) {
  const Simulation run = simulated(with_servo(""));
  EXPECT_NEAR(run.last("q'"), 3 * (1 - std::exp(-2.0)), 1e-10);
  EXPECT_NEAR(run.last("servo.torque"), 3 * std::exp(-2.0), 1e-10);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-10);
}

// q = t^2: the torque is (I + r^2 J) q'' = 2 at all times, and is the only column of this drive.
TEST(DriveKinds, AnotherKindIsInverted) {
  const Model model = with_servo("inverse: {motion: {q: t^2}}\n");
  Prepared start = compile_inverse(model);
  assemble_start(start);
  MemoryRecorder record;
  const Outcome outcome = inverse(model, start, record);
  ASSERT_EQ(outcome.status, RunStatus::finished) << outcome.sentence;
  ASSERT_EQ(record.column("servo.torque").size(), 21u);
  for (double torque : record.column("servo.torque")) EXPECT_NEAR(torque, 2, 1e-12);
  EXPECT_TRUE(record.column("servo.current").empty());
}

TEST(DriveKinds, KinematicsKeepsWhatFollowsFromTheMotion) {
  for (const DriveKind* kind : drive_kinds())
    for (const DriveKind::Signal& signal : kind->signals())
      EXPECT_EQ(signal.kinematic, signal.name == "speed" || signal.name == "rotor") << signal.name;
}

}  // namespace
}  // namespace armature::internal
