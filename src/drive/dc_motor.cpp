// A DC motor. With the shaft's speed w, the current i and the voltage V at the terminals
//
//   L di/dt = V - R i - K_e w                 (L = 0: i = (V - K_e w)/R)        winding.hpp
//   J dw/dt = K_m i - d w - c sign(w) - load                                    rotor.hpp
//
// A rigid gear makes w = r x' of the coordinate x (r: gear ratio, over the radius of a wheel where x is a length), so that
// the rotor adds r^2 J to the coordinate's inertia; an elastic gear gives the rotor a coordinate of its own (gear.hpp).
#include <fmt/format.h>

#include <cmath>

#include "drive/datasheet.hpp"
#include "drive/drive_kinds.hpp"
#include "drive/gear.hpp"
#include "drive/rotor.hpp"
#include "drive/supplied.hpp"
#include "drive/winding.hpp"
#include "model/read_sections.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

// --- the words of the file

namespace dc_motor_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "dc_motor", text, "", "required"},
    {"on", "the driven coordinate", text, "", "required"},
    {"voltage", "voltage at the terminals; give this, current or torque", number, "V",
     "required without current or torque", any, moves},
    {"current", "current of an ideal current source", number, "A", "", any, moves},
    {"torque", "torque or force commanded on the coordinate; the current is torque/(gear_ratio torque_constant)",
     number, "N*m or N", "", any, moves},
    {"torque_constant", "torque per current, at the motor shaft", number, "N*m/A", "from the datasheet", positive},
    {"back_emf_constant", "voltage per speed, at the motor shaft", number, "V*s", "torque_constant", not_negative},
    {"resistance", "resistance of the winding", number, "Ohm", "from the datasheet", positive},
    {"inductance", "inductance of the winding; 0: the current follows the voltage at once", number, "H", "0",
     not_negative},
    {"datasheet",
     "values of the data sheet, in place of the constants: {voltage, no_load_speed, no_load_current, stall_torque, "
     "resistance}",
     map},
    supply_format::key,
    rotor_format::inertia,
    {"viscous_friction", "viscous friction torque per speed, at the motor shaft", number, "N*m*s", "0", not_negative},
    {"coulomb_friction",
     "Coulomb friction torque at the motor shaft; with a datasheet, the dry part of its no-load friction", number,
     "N*m", "0", not_negative},
    gear_format::ratio,
    gear_format::radius,
    gear_format::efficiency,
    gear_format::elastic,
    {"limits", "limits of the drive: {voltage, current, speed}", map},
    rotor_format::rotor,
    thermal_format::winding,
};
constexpr KeySpec limits[] = {
    {"voltage", "largest absolute voltage", number, "V", "none", positive},
    {"current", "largest absolute current", number, "A", "none", positive},
    {"speed", "shaft speed above which the motor brakes; not with inductance", number, "rad/s", "none", positive},
};
}  // namespace dc_motor_format

void read_command(const MapReader& map, bool is_length, Drive& drive, Reading& reading) {
  int given = 0;
  for (const char* quantity : {"voltage", "current", "torque"}) {
    const Formula is = map.formula(quantity, is_length);
    if (map.has(quantity) && given++ == 0) drive.command = {quantity, is};
  }
  if (given != 1)
    reading.diagnostics.add(map.where(), map.path("voltage"),
                            given == 0 ? "is missing: a motor needs voltage, current or torque"
                                       : "give one of voltage, current and torque");
}

void read_constants(const MapReader& map, Drive& drive, Reading& reading) {
  for (const char* key : {"torque_constant", "back_emf_constant", "resistance"})
    drive.values.set(key, map.formula(key));
  drive.rotor.viscous_friction = map.formula("viscous_friction");
  // A data sheet takes the place of the constants, which must not be given beside it.
  if (map.has("datasheet")) {
    for (const char* key : {"torque_constant", "back_emf_constant", "resistance", "viscous_friction"})
      if (map.has(key))
        reading.diagnostics.add(map.find(key)->where, map.path(key), "follows from the data sheet; leave it out");
    return read_datasheet(map, drive, reading);
  }
  for (const char* key : {"torque_constant", "resistance"})
    if (!map.has(key))
      reading.diagnostics.add(map.where(), "drives." + drive.name,
                              fmt::format("'{}' is missing (or give a datasheet)", key));
  // In SI units both constants are one number.
  if (!drive.values["back_emf_constant"].given())
    drive.values.set("back_emf_constant", drive.values["torque_constant"]);
}

void read_drive_limits(const MapReader& map, Drive& drive, Reading& reading) {
  const YamlNode* node = map.find("limits");
  if (!node) return;
  const MapReader limits(*node, dc_motor_format::limits, map.path("limits"), reading);
  for (const KeySpec& spec : dc_motor_format::limits)
    if (const Formula bound = limits.formula(std::string(spec.name)); bound.given())
      drive.limits.push_back({std::string(spec.name), std::string(spec.unit), bound});
}

// --- the equations

// Currents and voltages are made when a formula or add() first asks for them.
class DcMotorEquations final : public DriveEquations {
 public:
  DcMotorEquations(EquationsBuilder& builder, const Drive& drive)
      : builder_(builder), drive_(drive), gear_(builder, drive), winding_(builder, drive, gear_) {}

  void offer() override {
    const auto give = [&](const char* part, auto make) { builder_.offer(drive_.name + "." + part, make); };
    give("speed", [this] { return Value(gear_.speed()); });
    give("voltage", [this] { return Value(winding_.voltage()); });
    give("current", [this] { return Value(winding_.current()); });
    give("torque", [this] { return Value(joint_torque()); });
    if (gear_.changes_torque()) give("gear_torque", [this] { return Value(gear_torque()); });
    give("power", [this] { return Value(winding_.voltage() * winding_.current()); });
    give("temperature", [this] { return Value(winding_.temperature()); });
    // Rates of what may be a state, where it is one.
    if (winding_.current_is_state()) give("current'", [this] { return Value(winding_.current_rate()); });
    const WindingHeat& heat = winding_.heat();
    if (heat.given())
      give("temperature_rise'", [this] { return Value(winding_.heat().rise_rate(winding_.copper_loss())); });
    if (heat.has_housing()) {
      give("housing_temperature", [this] { return Value(winding_.heat().housing_temperature()); });
      give("housing_rise'", [this] { return Value(winding_.heat().housing_rate()); });
    }
  }

  void add() override {
    builder_.graph().set_comparison_label(label_of(drive_));
    const Expression i = winding_.current();
    winding_.close();
    if (const auto bound = supply_voltage(builder_, drive_); bound && !drive_.commands("voltage"))
      watch_voltage(builder_, drive_, square(winding_.voltage()), *bound);
    add_rotor(builder_, drive_, gear_);
    gear_.apply(shaft_torque());
    builder_.equations().mismatch += (winding_.torque_constant() - winding_.back_emf_constant()) * i * gear_.speed();
    record();
    warn_of_mismatch();
  }

 private:
  Expression joint_torque() { return winding_.torque_constant() * winding_.current() * gear_.ratio(); }
  Expression gear_torque() { return gear_.torque_on_coordinate(shaft_torque()); }

  // Less its viscous friction.
  Expression shaft_torque() {
    return winding_.torque_constant() * winding_.current() -
           builder_.scalar(drive_.rotor.viscous_friction) * gear_.speed();
  }

  void record() {
    auto& quantities = builder_.equations().quantities;
    const auto put = [&](const char* part, const std::string& unit, Expression value) {
      quantities.push_back({drive_.name + "." + part, unit, value});
    };
    builder_.equations().currents.push_back(drive_.name + ".current");
    if (!winding_.current_is_state()) put("current", "A", winding_.current());
    put("voltage", "V", winding_.voltage());
    put("torque", gear_.effort_unit(), joint_torque());
    if (gear_.changes_torque()) put("gear_torque", gear_.effort_unit(), gear_torque());
    put("speed", "rad/s", gear_.speed());
    put("power", "W", winding_.voltage() * winding_.current());
    if (winding_.heat().given()) put("temperature", "K", winding_.temperature());
  }

  void warn_of_mismatch() {
    const Expression K_m = winding_.torque_constant(), K_e = winding_.back_emf_constant();
    if (!K_m.is_constant() || !K_e.is_constant() || std::abs(K_m.value() - K_e.value()) <= 1e-9 * K_m.value()) return;
    const bool created = K_m.value() > K_e.value();
    builder_.equations().warnings.push_back(
        fmt::format("{}: the torque constant {:g} N m/A and the back-EMF constant {:g} V s differ, so {:.4g} of every "
                    "joule at the shaft {}; the channel work.mismatch counts it",
                    drive_.name, K_m.value(), K_e.value(), std::abs(1 - K_e.value() / K_m.value()),
                    created ? "comes from nothing" : "vanishes"));
  }

  EquationsBuilder& builder_;
  const Drive& drive_;
  Gear gear_;
  Winding winding_;
};

// --- inverse dynamics

double constant_of(const Formula& formula, const Model& model, double otherwise) {
  return formula.given() ? evaluate_constant(formula, model) : otherwise;
}

class InverseDcMotor final : public InverseMachine {
 public:
  InverseDcMotor(const Drive& drive, const Model& model)
      : K_m_(constant_of(drive.values["torque_constant"], model, 1)),
        K_e_(constant_of(drive.values["back_emf_constant"], model, K_m_)),
        R_(constant_of(drive.values["resistance"], model, 0)),
        L_(constant_of(drive.values["inductance"], model, 0)) {}

  void at(double torque, double torque_rate, double speed, std::span<double> needs) const override {
    const double current = torque / K_m_, current_rate = torque_rate / K_m_;
    needs[0] = current;
    needs[1] = R_ * current + K_e_ * speed + L_ * current_rate;
  }

 private:
  double K_m_, K_e_, R_, L_;
};

// --- the kind

class DcMotor final : public DriveKind {
 public:
  FormatSection format() const override { return {"drives: dc_motor", "DC motor with a gear", dc_motor_format::table}; }
  std::vector<FormatSection> maps() const override {
    return {datasheet_format(),
            elastic_format(),
            {"drive limits", "limits of a drive", dc_motor_format::limits},
            rotor_map_format(),
            winding_format()};
  }

  void read(const MapReader& map, Drive& drive, Reading& reading) const override {
    const std::optional<CoordinateReference> on = read_coordinate_on(map, reading);
    const bool is_length = on && on->is_length;
    if (on) drive.on = on->name;
    read_command(map, is_length, drive, reading);
    read_constants(map, drive, reading);
    if (on) read_gear(map, is_length, drive, reading);
    drive.values.set("inductance", map.formula("inductance"));
    drive.rotor.inertia = map.formula("rotor_inertia");
    drive.rotor.coulomb_friction = map.formula("coulomb_friction");
    read_drive_limits(map, drive, reading);
    read_carrier(map, drive, reading);
    read_winding(map, drive, reading);
    read_supply(map, drive);
  }

  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {{"current", false, "A"},
                                       {"voltage", false, "V"},
                                       {"torque"},
                                       {"gear_torque"},
                                       {"speed", true, "rad/s"},
                                       {"power", false, "W"},
                                       {"temperature", false, "K"},
                                       {"rotor", true, "rad"},
                                       {"housing_temperature", false, "K"}};
    return names;
  }

  std::vector<StartState> start_states(const Drive& drive) const override {
    const bool is_state = drive.commands("voltage") && drive.values["inductance"].given();
    return {
        {"current", "A",
         is_state ? "" : "has no initial value: only a motor with voltage and inductance has a current at the start"}};
  }

  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<DcMotorEquations>(builder, drive);
  }

  std::optional<SwitchedCurrent> switched_current(const Drive& drive, const Model& model) const override {
    const auto limit = find_constant(drive.limit("current"), model),
               L = find_constant(drive.values["inductance"], model),
               R = find_constant(drive.values["resistance"], model);
    if (!drive.commands("voltage") || !limit || !L || !R || *L <= 0 || *R <= 0) return std::nullopt;
    return SwitchedCurrent{drive.name + ".current", *limit, *L / *R};
  }

  std::string why_not_inverted(const Drive& drive) const override {
    return drive.gear.elastic() && drive.values["winding.heat_capacity"].given()
               ? "inverse dynamics does not know the winding's temperature behind an elastic gear"
               : "";
  }

  // L di/dt is added to the voltage when di/dt is known.
  void command_torque(Drive& drive, const Formula& torque) const override {
    drive.command = {"torque", torque};
    drive.limits.clear();
    drive.values.set("inductance", {});
  }

  std::span<const Need> needs() const override {
    static constexpr Need terminals[] = {{"current", "A"}, {"voltage", "V", "current"}};
    return terminals;
  }

  double inductance(const Drive& drive, const Model& model) const override {
    return constant_of(drive.values["inductance"], model, 0);
  }

  std::unique_ptr<InverseMachine> inverse_machine(const Drive& drive, const Model& model) const override {
    return std::make_unique<InverseDcMotor>(drive, model);
  }
};

}  // namespace

const DriveKind& dc_motor_kind() {
  static const DcMotor kind;
  return kind;
}

}  // namespace armature::internal
