// A servo motor by its torque-speed curves: it makes the commanded torque up to the peak torque at its speed, at once or with a lag,
//
//   T' = (limited command - T)/time constant,
//
// and reports which share of the peak and of the continuous torque it uses. What is inside, a motor with its amplifier, is not modeled: it takes
// the power T w.
#include "drive/curve.hpp"
#include "drive/drive_kinds.hpp"
#include "drive/shaft.hpp"
#include "drive/supplied.hpp"
#include "expression/interpolate.hpp"
#include "model/inverse_terminals.hpp"

namespace armature::internal {

namespace {

namespace servo_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "servo", text, "", "required"},
    shaft_format::on,
    shaft_format::torque,
    {"peak", "largest torque at the motor shaft over its speed: {speed, torque}", map, "", "required"},
    {"continuous", "torque that the servo can deliver continuously, over its speed: {speed, torque}", map, "", "peak"},
    supply_format::key,
    {"time_constant", "lag of the torque behind the command", number, "s", "0", not_negative},
    rotor_format::inertia,
    shaft_format::viscous_friction,
    shaft_format::coulomb_friction,
    gear_format::ratio,
    gear_format::radius,
    gear_format::efficiency,
    gear_format::elastic,
    rotor_format::rotor,
};
constexpr KeySpec curve[] = {
    {"speed", "speeds of the shaft, increasing from 0; beyond the last the curve keeps its last torque", list, "rad/s",
     "required", not_negative},
    {"torque", "torques at the shaft, one for each speed", list, "N*m", "required", not_negative},
};
}  // namespace servo_format

std::shared_ptr<const Table> servo_curve(const Model& model, const Drive& drive, const char* key) {
  const auto curve = find_curve(model, drive, key);
  return curve ? curve : find_curve(model, drive, "peak");
}

// In both directions of turning.
std::shared_ptr<const Table> mirrored(const std::shared_ptr<const Table>& curve) {
  std::vector<double> x, y;
  for (auto knot = curve->knots.rbegin(); knot != curve->knots.rend(); ++knot)
    if (*knot > 0) x.push_back(-*knot), y.push_back(curve->evaluate(*knot, 0));
  for (const double knot : curve->knots) x.push_back(knot), y.push_back(curve->evaluate(knot, 0));
  return std::make_shared<const Table>(Table::linear(x, y));
}

class ServoMotorEquations final : public DriveEquations {
 public:
  ServoMotorEquations(EquationsBuilder& builder, const Drive& drive)
      : builder_(builder), drive_(drive), shaft_(builder, drive) {
    const Expression lag = builder.scalar(drive.values["time_constant"]);
    if (!lag.is(0)) lagging_ = builder.add_state(drive.name + ".shaft_torque", "N m", drive.name);
  }

  void offer() override {
    shaft_.offer_motion([this] { return torque(); });
    shaft_.offer("power", [this] { return torque() * shaft_.speed(); });
    shaft_.offer("peak_use", [this] { return use("peak"); });
    shaft_.offer("continuous_use", [this] { return use("continuous"); });
    if (lagging_) shaft_.offer("shaft_torque'", [this] { return lag_rate(); });
  }

  void add() override {
    builder_.graph().set_comparison_label(label_of(drive_));
    shaft_.add(torque());
    if (supply_voltage(builder_, drive_))
      add_electrical_power(builder_, drive_, torque() * shaft_.speed());
    else
      builder_.equations().applied_power += torque() * shaft_.speed();
    if (lagging_) builder_.set_rate(*lagging_, lag_rate());
    shaft_.record("power", "W", torque() * shaft_.speed());
    shaft_.record("peak_use", "", use("peak"));
    shaft_.record("continuous_use", "", use("continuous"));
  }

 private:
  Expression capacity(const char* curve) {
    builder_.graph().set_comparison_label(label_of(drive_));
    return interpolate(mirrored(servo_curve(builder_.model(), drive_, curve)), shaft_.speed());
  }

  Expression limited_command() {
    if (command_) return *command_;
    command_ = builder_.scalar(drive_.command.is) / shaft_.ratio();
    if (!drive_.limits.empty()) {
      const Expression peak = capacity("peak");
      command_ = kept_within(*command_, peak, drive_, "its torque", "its peak torque");
    }
    return *command_;
  }

  Expression torque() { return lagging_ ? *lagging_ : limited_command(); }
  Expression lag_rate() { return (limited_command() - *lagging_) / builder_.scalar(drive_.values["time_constant"]); }
  // For the record only, so that a torque of either sign is no event.
  Expression use(const char* curve) { return kept_above(torque(), -torque()) / capacity(curve); }

  EquationsBuilder& builder_;
  const Drive& drive_;
  Shaft shaft_;
  std::optional<Expression> lagging_, command_;
};

// --- inverse dynamics

class ServoTerminals final : public InverseTerminals {
 public:
  double per_rate(std::size_t) const override { return 0; }
  double complete(double shaft_power, std::span<double>) const override { return shaft_power; }
};

class InverseServoMotor final : public InverseMachine {
 public:
  InverseServoMotor(const Drive& drive, const Model& model)
      : peak_(servo_curve(model, drive, "peak")), continuous_(servo_curve(model, drive, "continuous")) {}

  void at(double torque, double, double speed, std::span<double> needs) const override {
    needs[0] = std::abs(torque) / peak_->evaluate(std::abs(speed), 0);
    needs[1] = std::abs(torque) / continuous_->evaluate(std::abs(speed), 0);
  }

 private:
  std::shared_ptr<const Table> peak_, continuous_;
};

// --- the kind

class ServoMotor final : public DriveKind, public HasTerminals {
 public:
  FormatSection format() const override {
    return {"drives: servo", "motor by its torque-speed curves, with a gear", servo_format::table};
  }
  std::vector<FormatSection> maps() const override {
    return {{"peak", "a torque-speed curve", servo_format::curve},
            {"continuous", "a torque-speed curve", servo_format::curve},
            elastic_format(),
            rotor_map_format()};
  }

  void read(const MapReader& map, Drive& drive, Reading& reading) const override {
    const bool is_length = read_shaft(map, drive, reading);
    read_command_among(map, {"torque"}, is_length, drive, reading);
    drive.values.set("time_constant", map.formula("time_constant"));
    for (const char* key : {"peak", "continuous"}) read_curve(map, key, servo_format::curve, drive, reading);
    read_supply(map, drive);
    drive.limits.push_back({"peak_use", "times the peak torque", number_formula(1)});
  }

  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {torque_signal,
                                       gear_torque_signal,
                                       speed_signal,
                                       rotor_signal,
                                       {"power", false, "W"},
                                       {"peak_use", false, "1"},
                                       {"continuous_use", false, "1"}};
    return names;
  }

  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<ServoMotorEquations>(builder, drive);
  }

  void command_torque(Drive& drive, const Formula& torque) const override {
    drive.command = {"torque", torque};
    drive.limits.clear();
    drive.values.set("time_constant", {});
  }

  std::span<const Need> needs() const override {
    static constexpr Need list[] = {{"peak_use", ""}, {"continuous_use", ""}};
    return list;
  }

  std::unique_ptr<InverseTerminals> terminals(const Drive&, const Model&) const override {
    return std::make_unique<ServoTerminals>();
  }

  std::unique_ptr<InverseMachine> inverse_machine(const Drive& drive, const Model& model) const override {
    return std::make_unique<InverseServoMotor>(drive, model);
  }
};

}  // namespace

const DriveKind& servo_kind() {
  static const ServoMotor kind;
  return kind;
}

}  // namespace armature::internal
