#include "drive/motor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "drive/gear.hpp"
#include "drive/winding.hpp"

namespace armature::internal {

namespace {

// One motor while it is added. Currents and voltages are made when a formula or add() first asks for them.
class Motor {
 public:
  Motor(EquationsBuilder& builder, const DcMotor& motor)
      : builder_(builder),
        motor_(motor),
        gear_(add_gear(builder, motor)),
        winding_(add_winding(builder, motor, gear_)) {}

  const std::string& name() const { return motor_.name; }

  void offer() {
    const auto give = [&](const char* part, auto make) { builder_.offer(motor_.name + "." + part, make); };
    give("speed", [this] { return Value(gear_.speed); });
    give("voltage", [this] { return Value(winding_.voltage()); });
    give("current", [this] { return Value(winding_.current()); });
    give("torque", [this] { return Value(joint_torque()); });
    if (has_gear_torque()) give("gear_torque", [this] { return Value(gear_torque()); });
    give("power", [this] { return Value(winding_.voltage() * winding_.current()); });
    give("temperature", [this] { return Value(winding_.temperature()); });
    if (winding_.current_is_state()) give("current'", [this] { return Value(winding_.current_rate()); });
    if (winding_.has_temperature()) give("temperature_rise'", [this] { return Value(winding_.temperature_rate()); });
  }

  void add() {
    builder_.graph().set_mode_label("motor " + motor_.name);
    const Expression i = winding_.current();
    winding_.close();
    add_rotor(builder_, motor_, gear_);
    builder_.apply(passed_torque(), gear_.speed);
    builder_.equations().friction += (shaft_torque() - passed_torque()) * gear_.speed;
    Equations& e = builder_.equations();
    e.mismatch += (winding_.torque_constant() - winding_.back_emf_constant()) * i * gear_.speed;
    record();
    warn_of_mismatch();
  }

 private:
  Expression joint_torque() { return winding_.torque_constant() * winding_.current() * gear_.ratio; }

  // Less its viscous friction.
  Expression shaft_torque() {
    return winding_.torque_constant() * winding_.current() - builder_.scalar(motor_.viscous_friction) * gear_.speed;
  }

  // A gear of efficiency n passes n of the power from the motor, and of the power towards it: of T w that is n T w, or
  // T w/n where T brakes. T is the motor's torque less its viscous friction; the rotor's inertia is taken as lossless.
  Expression passed_torque() {
    const Expression efficiency = builder_.scalar(motor_.efficiency, 1.0), torque = shaft_torque();
    if (efficiency.is_constant() && efficiency.value() > 1)
      throw FormulaError(motor_.efficiency.where, "an efficiency is at most 1");
    return efficiency.is(1) ? torque : torque * select(unit_step(torque * gear_.speed), efficiency, 1.0 / efficiency);
  }

  // What the gear passes to the coordinate, where that is not the motor's torque: through a spring, or less its losses.
  bool has_gear_torque() const { return gear_.torque || motor_.efficiency.given(); }
  Expression gear_torque() { return gear_.torque ? *gear_.torque : passed_torque() * gear_.ratio; }

  void record() {
    auto& quantities = builder_.equations().quantities;
    const auto put = [&](const char* part, const char* unit, Expression value) {
      quantities.push_back({motor_.name + "." + part, unit, value});
    };
    builder_.equations().currents.push_back(motor_.name + ".current");
    if (!winding_.current_is_state()) put("current", "A", winding_.current());
    put("voltage", "V", winding_.voltage());
    put("torque", gear_.of_length ? "N" : "N m", joint_torque());
    if (has_gear_torque()) put("gear_torque", gear_.of_length ? "N" : "N m", gear_torque());
    put("speed", "rad/s", gear_.speed);
    put("power", "W", winding_.voltage() * winding_.current());
    if (winding_.has_temperature()) put("temperature", "K", winding_.temperature());
  }

  void warn_of_mismatch() {
    const Expression K_m = winding_.torque_constant(), K_e = winding_.back_emf_constant();
    if (!K_m.is_constant() || !K_e.is_constant() || std::abs(K_m.value() - K_e.value()) <= 1e-9 * K_m.value()) return;
    const bool created = K_m.value() > K_e.value();
    builder_.equations().warnings.push_back(
        fmt::format("{}: the torque constant {:g} N m/A and the back-EMF constant {:g} V s differ, so that {:.4g} of "
                    "every joule at the "
                    "shaft {}; the channel work.mismatch counts it",
                    motor_.name, K_m.value(), K_e.value(), std::abs(1 - K_e.value() / K_m.value()),
                    created ? "comes from nothing" : "vanishes"));
  }

  EquationsBuilder& builder_;
  const DcMotor& motor_;
  Gear gear_;
  Winding winding_;
};

}  // namespace

void add_drives(EquationsBuilder& builder) {
  auto motors = std::make_shared<std::vector<std::unique_ptr<Motor>>>();
  for (const DcMotor& motor : builder.model().motors)
    builder.guarded("drives." + motor.name, [&] {
      motors->push_back(std::make_unique<Motor>(builder, motor));
      motors->back()->offer();
    });
  builder.keep_alive(motors);
  for (const std::unique_ptr<Motor>& motor : *motors) builder.guarded("drives." + motor->name(), [&] { motor->add(); });
}

}  // namespace armature::internal
