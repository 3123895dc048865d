// A squirrel-cage induction motor with the flux linkages of stator and rotor as states, in axes that turn with the supply, whose
// voltage is along d (amplitudes of phase quantities, ws = 2 pi f, J x = (-x_q, x_d)):
//
//   psi_s' = v - Rs i_s - ws J psi_s            psi_s = Ls i_s + Lm i_r        Ls = Lm + stator leakage
//   psi_r' =   - Rr i_r - (ws - p w) J psi_r    psi_r = Lm i_s + Lr i_r        Lr = Lm + rotor leakage
//   torque 3/2 p (psi_s x i_s),   power 3/2 v.i_s
//
// The supply is a frequency, of either sign, with a voltage of its own or one in proportion to it (V/f).
#include <numbers>

#include "drive/drive_kinds.hpp"
#include "drive/field_weakening.hpp"
#include "drive/shaft.hpp"
#include "drive/supplied.hpp"
#include "drive/thermal.hpp"

namespace armature::internal {

namespace {

namespace induction_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "induction_motor", text, "", "required"},
    shaft_format::on,
    {"frequency", "frequency of the supply; a negative one turns the other way", number, "Hz", "required", any, moves},
    {"voltage", "amplitude of the phase voltage; give this or volts_per_hertz", number, "V",
     "required without volts_per_hertz", any, moves},
    {"volts_per_hertz", "amplitude of the phase voltage per frequency, up to the limit of the voltage", number, "V*s",
     "", positive},
    {"boost", "voltage at rest, beside volts_per_hertz", number, "V", "0", not_negative},
    {"pole_pairs", "pairs of poles: electrical turns per turn of the shaft", number, "1", "required", positive},
    {"stator_resistance", "resistance of a phase of the stator", number, "Ohm", "required", positive},
    {"rotor_resistance", "resistance of a phase of the rotor, referred to the stator", number, "Ohm", "required",
     positive},
    {"stator_leakage", "leakage inductance of the stator", number, "H", "required", positive},
    {"rotor_leakage", "leakage inductance of the rotor, referred to the stator", number, "H", "required", positive},
    {"magnetizing_inductance", "inductance of the flux that stator and rotor share", number, "H", "required", positive},
    supply_format::key,
    rotor_format::inertia,
    shaft_format::viscous_friction,
    shaft_format::coulomb_friction,
    gear_format::ratio,
    gear_format::radius,
    gear_format::efficiency,
    gear_format::elastic,
    {"limits", "limits of the drive: {voltage}", map},
    rotor_format::rotor,
    thermal_format::winding,
};
constexpr KeySpec limits[] = {
    {"voltage", "largest amplitude of the phase voltage", number, "V", "none", positive},
};
constexpr const char* states[] = {"stator_flux_d", "stator_flux_q", "rotor_flux_d", "rotor_flux_q"};
}  // namespace induction_format

class InductionEquations final : public DriveEquations {
 public:
  InductionEquations(EquationsBuilder& builder, const Drive& drive)
      : builder_(builder), drive_(drive), shaft_(builder, drive), heat_(builder, drive) {
    const auto number = [&](const char* key) { return builder.scalar(drive.values[key]); };
    p_ = number("pole_pairs");
    Rs_ = heat_.warm(number("stator_resistance")), Rr_ = number("rotor_resistance");
    const Expression Lm = number("magnetizing_inductance"), Ls = Lm + number("stator_leakage"),
                     Lr = Lm + number("rotor_leakage");
    const auto state = [&](int k) {
      return builder.add_state(drive.name + "." + induction_format::states[k], "V s", drive.name);
    };
    stator_ = {state(0), state(1)}, rotor_ = {state(2), state(3)};
    // the inverse of the two inductances
    const Expression determinant = Ls * Lr - Lm * Lm;
    const auto current = [&](const Dq& own, const Dq& other, Expression L) {
      return Dq{(L * own.d - Lm * other.d) / determinant, (L * own.q - Lm * other.q) / determinant};
    };
    is_ = current(stator_, rotor_, Lr), ir_ = current(rotor_, stator_, Ls);
  }

  void offer() override {
    shaft_.offer_motion([this] { return torque(); });
    shaft_.offer("current", [this] { return sqrt(squared(is_)); });
    shaft_.offer("rotor_current", [this] { return sqrt(squared(ir_)); });
    shaft_.offer("voltage", [this] { return voltage(); });
    shaft_.offer("frequency", [this] { return frequency(); });
    shaft_.offer("slip", [this] { return slip_speed() / (2 * std::numbers::pi * frequency()); });
    shaft_.offer("power", [this] { return power(); });
    shaft_.offer("temperature", [this] { return heat_.temperature(); });
    // Fluxes of stator and rotor, with their rates.
    for (int k = 0; k < 4; ++k) {
      shaft_.offer(induction_format::states[k], [this, k] { return k < 2 ? part(stator_, k) : part(rotor_, k - 2); });
      shaft_.offer(std::string(induction_format::states[k]) + "'",
                   [this, k] { return k < 2 ? part(stator_rates(), k) : part(rotor_rates(), k - 2); });
    }
    if (heat_.given())
      shaft_.offer("temperature_rise'", [this] { return heat_.rise_rate(stator_loss(), rotor_loss()); });
    if (heat_.has_housing()) {
      shaft_.offer("housing_temperature", [this] { return heat_.housing_temperature(); });
      shaft_.offer("housing_rise'", [this] { return heat_.housing_rate(rotor_loss()); });
    }
  }

  void add() override {
    builder_.graph().set_comparison_label(label_of(drive_));
    Equations& e = builder_.equations();
    // The fluxes of stator and rotor are the states.
    const Dq stator = stator_rates(), rotor = rotor_rates();
    builder_.set_rate(stator_.d, stator.d), builder_.set_rate(stator_.q, stator.q);
    builder_.set_rate(rotor_.d, rotor.d), builder_.set_rate(rotor_.q, rotor.q);
    add_electrical_power(builder_, drive_, power());
    e.joule += stator_loss() + rotor_loss();
    e.magnetic += 0.75 * (stator_.d * is_.d + stator_.q * is_.q + rotor_.d * ir_.d + rotor_.q * ir_.q);
    heat_.close(stator_loss(), rotor_loss());
    shaft_.add(torque());
    e.currents.push_back(drive_.name + ".current");
    shaft_.record("current", "A", sqrt(squared(is_)));
    shaft_.record("rotor_current", "A", sqrt(squared(ir_)));
    shaft_.record("voltage", "V", voltage());
    shaft_.record("frequency", "Hz", frequency());
    shaft_.record("power", "W", power());
    if (heat_.given()) shaft_.record("temperature", "K", heat_.temperature());
  }

 private:
  static Expression part(const Dq& x, int k) { return k == 0 ? x.d : x.q; }

  Expression torque() const { return 1.5 * p_ * (stator_.d * is_.q - stator_.q * is_.d); }
  Expression power() { return 1.5 * (voltage() * is_.d); }
  Expression stator_loss() const { return 1.5 * (Rs_ * squared(is_)); }
  Expression rotor_loss() const { return 1.5 * (Rr_ * squared(ir_)); }
  Expression slip_speed() { return 2 * std::numbers::pi * frequency() - p_ * shaft_.speed(); }

  Expression frequency() {
    if (!frequency_) frequency_ = builder_.scalar(drive_.command.is);
    return *frequency_;
  }

  Expression voltage() {
    if (voltage_) return *voltage_;
    const Formula& ratio = drive_.values["volts_per_hertz"];
    if (ratio.given())
      said(unit_step(frequency()), label_of(drive_),
           {.rises = "its frequency turns positive",
            .falls = "its frequency turns negative",
            .subject = label_of(drive_)});
    const Expression V = ratio.given()
                             ? builder_.scalar(drive_.values["boost"]) + builder_.scalar(ratio) * abs(frequency())
                             : builder_.scalar(drive_.values["voltage"]);
    voltage_ = V;
    const auto limit_by = [&](Expression bound, const char* limit) {
      voltage_ = kept_within(*voltage_, bound, drive_, "its voltage", limit);
    };
    if (const Formula& limit = drive_.limit("voltage"); limit.given()) limit_by(builder_.scalar(limit), "its limit");
    if (const auto rails = supply_voltage(builder_, drive_))
      limit_by(*rails / std::numbers::sqrt3, "the supply's limit");
    return *voltage_;
  }

  Dq stator_rates() {
    const Expression ws = 2 * std::numbers::pi * frequency();
    return {voltage() - Rs_ * is_.d + ws * stator_.q, -(Rs_ * is_.q) - ws * stator_.d};
  }
  Dq rotor_rates() {
    const Expression slip = slip_speed();
    return {slip * rotor_.q - Rr_ * ir_.d, -(Rr_ * ir_.q) - slip * rotor_.d};
  }

  EquationsBuilder& builder_;
  const Drive& drive_;
  Shaft shaft_;
  WindingHeat heat_;
  Expression p_, Rs_, Rr_;
  Dq stator_, rotor_, is_, ir_;
  std::optional<Expression> frequency_, voltage_;
};

class InductionMotor final : public DriveKind {
 public:
  FormatSection format() const override {
    return {"drives: induction_motor", "induction motor on a supply of given frequency, with a gear",
            induction_format::table};
  }
  std::vector<FormatSection> maps() const override {
    return {elastic_format(),
            {"induction motor limits", "limits of an induction motor", induction_format::limits},
            rotor_map_format(),
            winding_format()};
  }

  void read(const MapReader& map, Drive& drive, Reading& reading) const override {
    read_shaft(map, drive, reading);
    read_command_among(map, {"frequency"}, false, drive, reading);
    for (const char* key : {"voltage", "volts_per_hertz", "boost", "pole_pairs", "stator_resistance",
                            "rotor_resistance", "stator_leakage", "rotor_leakage", "magnetizing_inductance"})
      drive.values.set(key, map.formula(key));
    read_limits(map, induction_format::limits, drive, reading);
    read_winding(map, drive, reading);
    read_supply(map, drive);
    if (map.has("voltage") == map.has("volts_per_hertz"))
      reading.diagnostics.add(map.where(), map.path("voltage"), "give either voltage or volts_per_hertz");
    if (map.has("boost") && !map.has("volts_per_hertz"))
      reading.diagnostics.add(map.find("boost")->where, map.path("boost"), "needs volts_per_hertz");
  }

  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {{"current", false, "A"},
                                       {"rotor_current", false, "A"},
                                       {"voltage", false, "V"},
                                       {"frequency", false, "Hz"},
                                       {"slip", false, "1"},
                                       torque_signal,
                                       gear_torque_signal,
                                       speed_signal,
                                       {"power", false, "W"},
                                       {"temperature", false, "K"},
                                       rotor_signal,
                                       {"housing_temperature", false, "K"},
                                       {"stator_flux_d", false, "V*s"},
                                       {"stator_flux_q", false, "V*s"},
                                       {"rotor_flux_d", false, "V*s"},
                                       {"rotor_flux_q", false, "V*s"}};
    return names;
  }

  std::vector<StartState> start_states(const Drive&) const override {
    std::vector<StartState> states;
    for (const char* name : induction_format::states) states.push_back({name, "V*s", ""});
    return states;
  }

  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<InductionEquations>(builder, drive);
  }

  std::string why_not_inverted(const Drive&) const override {
    return "inverse dynamics does not know an induction motor: the supply does not set its torque, which follows from "
           "the "
           "slip with the lag of its fluxes; name the coordinate under inverse.actuators in a file without the motor";
  }
  void command_torque(Drive&, const Formula&) const override {}
  std::unique_ptr<InverseMachine> inverse_machine(const Drive&, const Model&) const override { return nullptr; }
};

}  // namespace

const DriveKind& induction_motor_kind() {
  static const InductionMotor kind;
  return kind;
}

}  // namespace armature::internal
