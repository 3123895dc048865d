// A brushless motor in star connection with trapezoidal back-EMF, commutated in six steps. With the electrical angle y of the shaft,
// phase x in a, b, c lags by 0, 120 and 240 degrees and has the shape f: 1 from 30 to 150 degrees, -1 from 210 to 330, straight between.
//
//   L ix' = ux - un - R ix - K w f(yx),   un = (ua + ub + uc - K w (fa + fb + fc))/3,   ia + ib + ic = 0,   torque K (fa ia + fb ib + fc ic)
//
// The bridge puts +v/2 on the phase on its upper flat, -v/2 on that on its lower. The third phase is open: its diodes take a current that is left to
// the opposite rail, ux = -V/2 sign(ix), until it is zero. There the comparison ix >= 0 slides, and ux is the floating voltage of a phase
// without current.
#include <array>
#include <numbers>

#include "drive/drive_kinds.hpp"
#include "drive/shaft.hpp"
#include "drive/supplied.hpp"
#include "drive/thermal.hpp"
#include "model/inverse_terminals.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

namespace brushless_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "brushless", text, "", "required"},
    shaft_format::on,
    {"voltage", "voltage between the two phases that conduct, the mean of a switching bridge", number, "V", "required",
     any, moves},
    {"dc_voltage", "voltage between the rails of the bridge, to which its diodes lead", number, "V",
     "required without supply", positive, moves},
    supply_format::key,
    {"pole_pairs", "pairs of poles: electrical turns per turn of the shaft", number, "1", "required", positive},
    {"phase_constant",
     "back-EMF of a phase per speed at its flat top, and torque per current; the motor has twice this "
     "between two phases",
     number, "V*s", "required", positive},
    {"resistance", "resistance of a phase", number, "Ohm", "required", positive},
    {"inductance", "inductance of a phase", number, "H", "required", positive},
    rotor_format::inertia,
    shaft_format::viscous_friction,
    shaft_format::coulomb_friction,
    gear_format::ratio,
    gear_format::radius,
    gear_format::efficiency,
    gear_format::elastic,
    rotor_format::rotor,
    thermal_format::winding,
};
}  // namespace brushless_format

using Three = std::array<Expression, 3>;

class BrushlessEquations final : public DriveEquations {
 public:
  BrushlessEquations(EquationsBuilder& builder, const Drive& drive)
      : builder_(builder), drive_(drive), shaft_(builder, drive), heat_(builder, drive) {
    const auto number = [&](const char* key) { return builder.scalar(drive.values[key]); };
    K_ = number("phase_constant"), R_ = heat_.warm(number("resistance")), L_ = number("inductance");
    p_ = number("pole_pairs");
    if (is_inverse()) return;
    i_[0] = builder.add_state(drive.name + ".current_a", "A", drive.name);
    i_[1] = builder.add_state(drive.name + ".current_b", "A", drive.name);
    i_[2] = -(i_[0] + i_[1]);
  }

  void offer() override {
    shaft_.offer_motion([this] { return torque(); });
    shaft_.offer("voltage", [this] { return voltage(); });
    shaft_.offer("power", [this] { return power(); });
    shaft_.offer("temperature", [this] { return heat_.temperature(); });
    if (heat_.given()) shaft_.offer("temperature_rise'", [this] { return heat_.rise_rate(loss()); });
    if (heat_.has_housing()) {
      shaft_.offer("housing_temperature", [this] { return heat_.housing_temperature(); });
      shaft_.offer("housing_rise'", [this] { return heat_.housing_rate(); });
    }
    shaft_.offer("current", [this] { return current(); });
    // Inverse dynamics computes with two phases that conduct all the time, and knows nothing of each.
    if (is_inverse()) return;
    for (int k = 0; k < 3; ++k) {
      shaft_.offer(std::string("current_") + "abc"[k], [this, k] { return i_[k]; });
      shaft_.offer(std::string("voltage_") + "abc"[k], [this, k] { return terminals()[k]; });
    }
    for (int k = 0; k < 2; ++k) shaft_.offer(std::string("current_") + "ab"[k] + "'", [this, k] { return rate(k); });
  }

  void add() override {
    builder_.graph().set_comparison_label(label_of(drive_));
    Equations& e = builder_.equations();
    // Mechanics, power and losses, with the heat that they make.
    shaft_.add(torque());
    add_electrical_power(builder_, drive_, power());
    e.joule += loss();
    heat_.close(loss());
    e.currents.push_back(drive_.name + ".current");
    shaft_.record("current", "A", current());
    shaft_.record("voltage", "V", voltage());
    shaft_.record("power", "W", power());
    if (heat_.given()) shaft_.record("temperature", "K", heat_.temperature());
    if (is_inverse()) return;
    // Two phase currents are states; the third is minus their sum.
    e.magnetic += 0.5 * (L_ * squares());
    for (int k = 0; k < 2; ++k) builder_.set_rate(i_[k], rate(k));
    shaft_.record("current_c", "A", i_[2]);
    for (int k = 0; k < 3; ++k) shaft_.record(std::string("voltage_") + "abc"[k], "V", terminals()[k]);
  }

 private:
  bool is_inverse() const { return drive_.commands("torque"); }

  Expression squares() const { return i_[0] * i_[0] + i_[1] * i_[1] + i_[2] * i_[2]; }
  Expression loss() { return is_inverse() ? 2.0 * R_ * square(current()) : R_ * squares(); }

  Expression torque() {
    if (is_inverse()) return builder_.scalar(drive_.command.is) / shaft_.ratio();
    const Three& f = shapes();
    return K_ * (f[0] * i_[0] + f[1] * i_[1] + f[2] * i_[2]);
  }

  // Of the two phases that conduct; where three do, the largest of them: half the sum of all sizes. For the record only, so no events.
  Expression current() {
    if (is_inverse()) return torque() / (2.0 * K_);
    Expression sum = 0.0;
    for (const Expression& i : i_) sum += kept_above(i, -i);
    return 0.5 * sum;
  }

  Expression voltage() {
    if (is_inverse()) return 2.0 * R_ * current() + 2.0 * K_ * shaft_.speed();
    if (voltage_) return *voltage_;
    const Expression rails = rails_voltage();
    voltage_ = kept_within(builder_.scalar(drive_.command.is), rails, drive_, "its voltage",
                           is_supplied(drive_) ? "the supply's limit" : "its limit");
    return *voltage_;
  }

  Expression rails_voltage() {
    const auto supply = supply_voltage(builder_, drive_);
    return supply ? *supply : builder_.scalar(drive_.values["dc_voltage"]);
  }

  Expression power() {
    if (is_inverse()) return voltage() * current();
    const Three& u = terminals();
    return u[0] * i_[0] + u[1] * i_[1] + u[2] * i_[2];
  }

  // sin y tells the flats, |sin y| > 1/2, and between them the angle from the crossing of zero.
  struct Flats {
    Expression sine, upper, lower;
  };
  Flats flats(int phase) const {
    const Expression sine = sin(p_ * shaft_.angle() - phase * (2 * std::numbers::pi / 3));
    const std::string label = label_of(drive_), name = std::string("phase ") + "abc"[phase];
    return {sine,
            said(unit_step(sine - 0.5), label,
                 {.rises = name + " is switched on", .falls = name + " is switched off", .subject = label}),
            said(above(-sine - 0.5), label,
                 {.rises = name + " is switched on, reversed", .falls = name + " is switched off", .subject = label})};
  }

  const Three& shapes() {
    if (shapes_) return *shapes_;
    shapes_.emplace();
    for (int k = 0; k < 3; ++k) {
      const Flats on = flats(k);
      (*shapes_)[k] = select(on.upper, 1.0, select(on.lower, -1.0, 6 / std::numbers::pi * asin(on.sine)));
    }
    return *shapes_;
  }

  const Three& terminals() {
    if (terminals_) return *terminals_;
    const Expression half = 0.5 * voltage(), rail = 0.5 * rails_voltage();
    terminals_.emplace();
    // A phase that is switched on has half of the voltage. An open one conducts through a diode, to the rail against
    // its current, until that has died away.
    for (int k = 0; k < 3; ++k) {
      const Flats on = flats(k);
      const std::string label = label_of(drive_), current = std::string("the current of phase ") + "abc"[k];
      const Expression open = select(said(unit_step(i_[k]), label,
                                          {.rises = current + " turns positive",
                                           .falls = current + " turns negative",
                                           .holds = current + " has died away",
                                           .subject = label}),
                                     -rail, rail);
      (*terminals_)[k] = select(on.upper, half, select(on.lower, -half, open));
    }
    return *terminals_;
  }

  Expression rate(int phase) {
    const Three &u = terminals(), &f = shapes();
    const Expression Kw = K_ * shaft_.speed(), neutral = (u[0] + u[1] + u[2] - Kw * (f[0] + f[1] + f[2])) / 3.0;
    return (u[phase] - neutral - R_ * i_[phase] - Kw * f[phase]) / L_;
  }

  EquationsBuilder& builder_;
  const Drive& drive_;
  Shaft shaft_;
  WindingHeat heat_;
  Expression K_, R_, L_, p_;
  Three i_;
  std::optional<Three> shapes_, terminals_;
  std::optional<Expression> voltage_;
};

// --- inverse dynamics: two phases on their flats, without the short times of commutation

class InverseBrushless final : public InverseMachine {
 public:
  InverseBrushless(const Drive& drive, const Model& model)
      : K_(evaluate_constant(drive.values["phase_constant"], model)),
        R_(evaluate_constant(drive.values["resistance"], model)),
        L_(evaluate_constant(drive.values["inductance"], model)) {}

  void at(double torque, double torque_rate, double speed, std::span<double> needs) const override {
    needs[0] = torque / (2 * K_);
    needs[1] = 2 * (R_ * needs[0] + K_ * speed + L_ * torque_rate / (2 * K_));
  }

 private:
  double K_, R_, L_;
};

class Brushless final : public DriveKind {
 public:
  FormatSection format() const override {
    return {"drives: brushless", "brushless motor commutated in six steps, with a gear", brushless_format::table};
  }
  std::vector<FormatSection> maps() const override { return {elastic_format(), rotor_map_format(), winding_format()}; }

  void read(const MapReader& map, Drive& drive, Reading& reading) const override {
    read_shaft(map, drive, reading);
    read_command_among(map, {"voltage"}, false, drive, reading);
    for (const char* key : {"dc_voltage", "pole_pairs", "phase_constant", "resistance", "inductance"})
      drive.values.set(key, map.formula(key));
    if (map.has("dc_voltage")) drive.limits.push_back({"voltage", "V", drive.values["dc_voltage"]});
    read_winding(map, drive, reading);
    read_supply(map, drive);
    if (map.has("supply") == map.has("dc_voltage"))
      reading.diagnostics.add(map.where(), map.path("dc_voltage"), "give either dc_voltage or supply");
  }

  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {{"current", false, "A"},
                                       {"voltage", false, "V"},
                                       {"current_a", false, "A"},
                                       {"current_b", false, "A"},
                                       {"current_c", false, "A"},
                                       {"voltage_a", false, "V"},
                                       {"voltage_b", false, "V"},
                                       {"voltage_c", false, "V"},
                                       torque_signal,
                                       gear_torque_signal,
                                       speed_signal,
                                       {"power", false, "W"},
                                       {"temperature", false, "K"},
                                       rotor_signal,
                                       {"housing_temperature", false, "K"}};
    return names;
  }

  std::vector<StartState> start_states(const Drive&) const override {
    return {{"current_a", "A", ""}, {"current_b", "A", ""}};
  }

  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<BrushlessEquations>(builder, drive);
  }

  std::string why_not_inverted(const Drive& drive) const override {
    return drive.gear.elastic() && drive.values["winding.heat_capacity"].given()
               ? "inverse dynamics does not know the winding's temperature behind an elastic gear"
               : "";
  }
  void command_torque(Drive& drive, const Formula& torque) const override { drive.command = {"torque", torque}; }

  std::span<const Need> needs() const override {
    static constexpr Need list[] = {{"current", "A"}, {"voltage", "V", "current"}};
    return list;
  }
  double inductance(const Drive& drive, const Model& model) const override {
    return 2 * evaluate_constant(drive.values["inductance"], model);
  }
  std::unique_ptr<InverseMachine> inverse_machine(const Drive& drive, const Model& model) const override {
    return std::make_unique<InverseBrushless>(drive, model);
  }
};

}  // namespace

const DriveKind& brushless_kind() {
  static const Brushless kind;
  return kind;
}

}  // namespace armature::internal
