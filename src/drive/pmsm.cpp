// A permanent-magnet synchronous motor in the rotor's axes d and q (amplitudes of phase quantities, we = p w):
//
//   Ld id' = e_d + we Lq iq              e = (v - R i)/(1 + R/R_iron),  without iron loss e = v - R i
//   Lq iq' = e_q - we (Ld id + psi)
//   torque 3/2 p (psi iq + (Ld - Lq) id iq),   power 3/2 (v_d i_d + v_q i_q) at the terminals
//
// The iron is a resistance beside the flux: the terminals carry i + e/R_iron. Three ways to drive it:
//
//   voltage, voltage_d    in the rotor's axes, within the circle that the inverter reaches; the currents are states
//   current, current_d    or torque with control: PI controllers with decoupling make the voltage, the currents are states
//   current, current_d    or torque without control: the currents follow at once
//
// A torque is made with the currents of field_weakening.hpp.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "drive/drive_kinds.hpp"
#include "drive/field_weakening.hpp"
#include "drive/known_rate.hpp"
#include "drive/shaft.hpp"
#include "drive/supplied.hpp"
#include "drive/thermal.hpp"
#include "model/formula_tree.hpp"
#include "model/inverse_terminals.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

// --- the words of the file

namespace pmsm_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "pmsm", text, "", "required"},
    shaft_format::on,
    {"voltage", "voltage in the q axis, amplitude of a phase; give this, current or torque", number, "V",
     "required without current or torque", any, moves},
    {"voltage_d", "voltage in the d axis", number, "V", "0", any, moves},
    {"current", "current in the q axis, amplitude of a phase", number, "A", "", any, moves},
    {"current_d", "current in the d axis, beside current", number, "A", "0", any, moves},
    shaft_format::torque,
    {"pole_pairs", "pairs of poles: electrical turns per turn of the shaft", number, "1", "required", positive},
    {"flux", "flux linkage of the magnets, amplitude of a phase", number, "V*s", "required", positive},
    {"resistance", "resistance of a phase", number, "Ohm", "required", positive},
    {"inductance", "inductance in the d axis", number, "H", "required", positive},
    {"inductance_q", "inductance in the q axis", number, "H", "inductance", positive},
    {"iron_resistance", "resistance in parallel with the back-EMF, for iron losses", number, "Ohm", "no iron loss",
     positive},
    {"control", "current controllers, for current or torque: {bandwidth}", map, "", "the currents follow at once"},
    {"dc_voltage", "voltage between the rails of the inverter; it reaches dc_voltage/sqrt(3)", number, "V",
     "limits.voltage", positive, moves},
    supply_format::key,
    rotor_format::inertia,
    shaft_format::viscous_friction,
    shaft_format::coulomb_friction,
    gear_format::ratio,
    gear_format::radius,
    gear_format::efficiency,
    gear_format::elastic,
    {"limits", "limits of the drive: {voltage, current}", map},
    rotor_format::rotor,
    thermal_format::winding,
};
constexpr KeySpec control[] = {
    {"bandwidth", "the currents follow their set points like a filter of first order with this frequency", number, "Hz",
     "required", positive},
};
constexpr KeySpec limits[] = {
    {"voltage", "largest amplitude of the phase voltage", number, "V", "dc_voltage/sqrt(3)", positive},
    {"current", "largest amplitude of the phase current", number, "A", "none", positive},
};
constexpr std::string_view inverse_mark =
    "inverse";  // among the values: the drive follows a torque of inverse dynamics
}  // namespace pmsm_format

void read_pmsm_limits(const MapReader& map, Drive& drive, Reading& reading) {
  read_limits(map, pmsm_format::limits, drive, reading);
  const Formula rails = map.formula("dc_voltage");
  if (!rails.given()) return;
  if (drive.limit("voltage").given())
    reading.diagnostics.add(map.find("dc_voltage")->where, map.path("dc_voltage"),
                            "stands beside limits.voltage; give one or the other");
  drive.limits.push_back({"voltage", "V", (1 / std::numbers::sqrt3) * rails});
}

void refuse_idle_keys(const MapReader& map, const Drive& drive, Reading& reading) {
  const auto refuse = [&](const char* key, const char* needed) {
    if (map.has(key))
      reading.diagnostics.add(map.find(key)->where, map.path(key),
                              fmt::format("needs a motor that is driven by {}", needed));
  };
  if (is_supplied(drive) && drive.limit("voltage").given())
    reading.diagnostics.add(map.find("supply")->where, map.path("supply"),
                            "sets the voltage that the inverter reaches: leave out dc_voltage and limits.voltage");
  if (!drive.commands("voltage")) refuse("voltage_d", "a voltage");
  if (!drive.commands("current")) refuse("current_d", "a current");
  if (drive.commands("voltage")) refuse("control", "a current or a torque");
  if (drive.commands("voltage") && drive.limit("current").given())
    reading.diagnostics.add(drive.limit("current").where, map.path("limits.current"),
                            "needs a motor that is driven by a current or a torque");
}

// --- the equations

class PmsmEquations final : public DriveEquations {
 public:
  PmsmEquations(EquationsBuilder& builder, const Drive& drive)
      : builder_(builder), drive_(drive), shaft_(builder, drive), heat_(builder, drive) {
    const auto number = [&](const char* key) { return builder.scalar(drive.values[key]); };
    machine_ = {number("pole_pairs"), number("flux"), number("inductance"),
                builder.scalar(drive.values["inductance_q"], number("inductance"))};
    cold_ = number("resistance");
    R_ = heat_.warm(cold_);
    we_ = machine_.pole_pairs * shaft_.speed();
    if (drive.values["iron_resistance"].given()) iron_ = 1.0 / number("iron_resistance");
    is_controlled_ = drive.values["control.bandwidth"].given();
    is_state_ = drive.commands("voltage") || is_controlled_;
    const auto state = [&](const char* part, const char* unit) {
      return builder.add_state(drive.name + "." + part, unit, drive.name);
    };
    if (is_state_) i_ = Dq{state("current_d", "A"), state("current_q", "A")};
    if (is_controlled_) integral_ = {state("integral_d", "A s"), state("integral_q", "A s")};
  }

  void offer() override {
    shaft_.offer_motion([this] { return torque(); });
    shaft_.offer("current_d", [this] { return currents().d; });
    shaft_.offer("current_q", [this] { return currents().q; });
    shaft_.offer("voltage_d", [this] { return voltages().d; });
    shaft_.offer("voltage_q", [this] { return voltages().q; });
    shaft_.offer("current", [this] { return sqrt(squared(terminal_currents())); });
    shaft_.offer("voltage", [this] { return sqrt(squared(voltages())); });
    shaft_.offer("power", [this] { return power(); });
    shaft_.offer("temperature", [this] { return heat_.temperature(); });
    if (is_state_) {
      shaft_.offer("current_d'", [this] { return current_rates().d; });
      shaft_.offer("current_q'", [this] { return current_rates().q; });
    }
    if (is_controlled_) {
      shaft_.offer("integral_d'", [this] { return integral_rates().d; });
      shaft_.offer("integral_q'", [this] { return integral_rates().q; });
    }
    if (heat_.given())
      shaft_.offer("temperature_rise'", [this] { return heat_.rise_rate(copper_loss(), iron_loss()); });
    if (heat_.has_housing()) {
      shaft_.offer("housing_temperature", [this] { return heat_.housing_temperature(); });
      shaft_.offer("housing_rise'", [this] { return heat_.housing_rate(iron_loss()); });
    }
  }

  void add() override {
    builder_.graph().set_comparison_label(label_of(drive_));
    Equations& e = builder_.equations();
    const Dq i = currents();
    add_electrical_power(builder_, drive_, power());
    e.joule += copper_loss() + iron_loss();
    if (is_state_) set_rates(*i_, current_rates());
    if (is_controlled_) set_rates(integral_, integral_rates());
    if (is_state_ || stores_energy_) e.magnetic += 0.75 * (machine_.Ld * i.d * i.d + machine_.Lq * i.q * i.q);
    heat_.close(copper_loss(), iron_loss());
    if (const auto bound = voltage_limit(); bound && !is_state_ && drive_.commands("current"))
      watch_voltage(builder_, drive_, squared(voltages()), *bound);
    shaft_.add(torque());
    record();
  }

 private:
  Expression torque() { return machine_.torque(currents()); }
  Expression power() { return 1.5 * (voltages().d * terminal_currents().d + voltages().q * terminal_currents().q); }
  Expression copper_loss() { return 1.5 * (R_ * squared(terminal_currents())); }
  Expression iron_loss() { return 1.5 * (iron_ * squared(air_gap_voltages())); }

  std::optional<Expression> limit(const char* quantity) {
    const Formula& bound = drive_.limit(quantity);
    return bound.given() ? std::optional(builder_.scalar(bound)) : std::nullopt;
  }

  // What the inverter reaches: by its limit, or with the rails of its supply. Inverse dynamics does not follow how those sag.
  std::optional<Expression> voltage_limit() {
    if (!is_supplied(drive_)) return limit("voltage");
    if (drive_.values[pmsm_format::inverse_mark].given()) return std::nullopt;
    return *supply_voltage(builder_, drive_) / std::numbers::sqrt3;
  }

  // Within a circle, in the same direction.
  Dq within(const Dq& x, const std::optional<Expression>& bound, const std::string& what) const {
    if (!bound) return x;
    const Expression size = squared(x), most = *bound * *bound;
    said(unit_step(size - most), label_of(drive_),
         {.rises = what + " reaches its limit", .falls = what + " leaves its limit", .subject = label_of(drive_)});
    const Expression share = *bound / sqrt(max(size, most));
    return {share * x.d, share * x.q};
  }

  Dq set_points() {
    if (!drive_.commands("torque"))
      return within({builder_.scalar(drive_.values["current_d"]), builder_.scalar(drive_.command.is)}, limit("current"),
                    "its current");
    PmsmLimits limits{voltage_limit(), limit("current"), label_of(drive_)};
    if (limits.voltage && limits.current) limits.voltage = *limits.voltage - cold_ * *limits.current;
    return currents_within_limits(machine_, limits, builder_.scalar(drive_.command.is) / shaft_.ratio(), we_,
                                  !drive_.values[pmsm_format::inverse_mark].given());
  }

  const Dq& currents() {
    if (!i_) i_ = set_points();
    return *i_;
  }

  // Induced by the flux that turns.
  Dq rotational() {
    const Dq flux = machine_.flux(currents());
    return {-we_ * flux.q, we_ * flux.d};
  }

  Expression ohmic_share() const { return 1.0 + R_ * iron_; }

  // Of the controllers, before the circle: PI on the error of the current, with the voltage added that turning induces.
  Dq wanted_voltages() {
    if (drive_.commands("voltage"))
      return {builder_.scalar(drive_.values["voltage_d"]), builder_.scalar(drive_.command.is)};
    const Expression bandwidth = 2 * std::numbers::pi * builder_.scalar(drive_.values["control.bandwidth"]),
                     ki = bandwidth * cold_ / ohmic_share();
    const Dq error = errors(), turning = rotational();
    return {ohmic_share() * (bandwidth * machine_.Ld * error.d + ki * integral_.d + turning.d),
            ohmic_share() * (bandwidth * machine_.Lq * error.q + ki * integral_.q + turning.q)};
  }

  Dq errors() {
    if (!set_) set_ = set_points();
    return {set_->d - currents().d, set_->q - currents().q};
  }

  const Dq& voltages() {
    if (v_) return *v_;
    if (is_state_) {
      v_ = within(wanted_voltages(), voltage_limit(), "its voltage");
    } else {
      const Dq i = terminal_currents(), e = air_gap_voltages();
      v_ = Dq{R_ * i.d + e.d, R_ * i.q + e.q};
    }
    return *v_;
  }

  // Behind the resistance: what changes the flux and what turning induces.
  Dq air_gap_voltages() {
    const Dq i = currents();
    if (is_state_) {
      const Dq v = voltages();
      return {(v.d - R_ * i.d) / ohmic_share(), (v.q - R_ * i.q) / ohmic_share()};
    }
    if (!changing_) changing_ = changing_flux();
    return {rotational().d + changing_->d, rotational().q + changing_->q};
  }

  // L di/dt of currents that follow at once. Inverse dynamics adds it by itself.
  Dq changing_flux() {
    if (drive_.values[pmsm_format::inverse_mark].given()) return {};
    const Dq i = currents();
    const auto d = known_rate(builder_, drive_, i.d);
    if (!d) return {};
    const auto q = known_rate(builder_, drive_, i.q);
    if (!q) return {};
    stores_energy_ = true;
    return {machine_.Ld * *d, machine_.Lq * *q};
  }

  Dq terminal_currents() {
    const Dq i = currents();
    if (iron_.is(0)) return i;
    const Dq e = air_gap_voltages();
    return {i.d + iron_ * e.d, i.q + iron_ * e.q};
  }

  Dq current_rates() {
    const Dq e = air_gap_voltages(), turning = rotational();
    return {(e.d - turning.d) / machine_.Ld, (e.q - turning.q) / machine_.Lq};
  }

  // At the circle they follow the voltage that is left, so that they do not wind up.
  Dq integral_rates() {
    const Dq error = errors(), wanted = wanted_voltages(), v = voltages();
    const Expression bandwidth = 2 * std::numbers::pi * builder_.scalar(drive_.values["control.bandwidth"]),
                     gain = ohmic_share() * bandwidth;
    return {error.d + (v.d - wanted.d) / (gain * machine_.Ld), error.q + (v.q - wanted.q) / (gain * machine_.Lq)};
  }

  void set_rates(const Dq& state, const Dq& rates) {
    builder_.set_rate(state.d, rates.d);
    builder_.set_rate(state.q, rates.q);
  }

  void record() {
    builder_.equations().currents.push_back(drive_.name + ".current");
    if (!is_state_) {
      shaft_.record("current_d", "A", currents().d);
      shaft_.record("current_q", "A", currents().q);
    }
    shaft_.record("voltage_d", "V", voltages().d);
    shaft_.record("voltage_q", "V", voltages().q);
    shaft_.record("current", "A", sqrt(squared(terminal_currents())));
    shaft_.record("voltage", "V", sqrt(squared(voltages())));
    shaft_.record("power", "W", power());
    if (heat_.given()) shaft_.record("temperature", "K", heat_.temperature());
  }

  EquationsBuilder& builder_;
  const Drive& drive_;
  Shaft shaft_;
  WindingHeat heat_;
  PmsmConstants machine_;
  Expression cold_, R_, we_, iron_ = 0.0;  // iron_: conductance
  bool is_state_ = false, is_controlled_ = false, stores_energy_ = false;
  std::optional<Dq> i_, v_, set_, changing_;
  Dq integral_;
};

// --- inverse dynamics

struct PmsmNumbers {
  double p, psi, R, Ld, Lq, iron;  // iron: conductance

  PmsmNumbers(const Drive& drive, const Model& model) {
    const auto number = [&](const char* key, double otherwise) {
      return drive.values[key].given() ? evaluate_constant(drive.values[key], model) : otherwise;
    };
    p = number("pole_pairs", 1), psi = number("flux", 1), R = number("resistance", 0);
    Ld = number("inductance", 1), Lq = number("inductance_q", Ld);
    iron = 1 / number("iron_resistance", HUGE_VAL);
  }
};

// The needs are id, iq, vd, vq, and the amplitudes of current and voltage at the terminals.
class PmsmTerminals final : public InverseTerminals {
 public:
  PmsmTerminals(const Drive& drive, const Model& model) : m_(drive, model) {}

  double per_rate(std::size_t need) const override { return (1 + m_.R * m_.iron) * (need == 2 ? m_.Ld : m_.Lq); }

  double complete(double, std::span<double> needs) const override {
    const double vd = needs[2], vq = needs[3];
    const auto at_terminals = [&](double i, double v) { return i + m_.iron * (v - m_.R * i) / (1 + m_.R * m_.iron); };
    const double d = at_terminals(needs[0], vd), q = at_terminals(needs[1], vq);
    needs[4] = std::hypot(d, q), needs[5] = std::hypot(vd, vq);
    return 1.5 * (vd * d + vq * q);
  }

 private:
  PmsmNumbers m_;
};

// Behind an elastic gear, without field weakening: MTPA and its rate.
class InversePmsm final : public InverseMachine {
 public:
  InversePmsm(const Drive& drive, const Model& model) : m_(drive, model) {}

  void at(double torque, double torque_rate, double speed, std::span<double> needs) const override {
    const Dq i = currents_of_least_loss({m_.p, m_.psi, m_.Ld, m_.Lq}, torque);
    const double id = i.d.value(), iq = i.q.value(), saliency = m_.Lq - m_.Ld, we = m_.p * speed;
    // T = 3/2 p iq (psi/2 + s), id = (psi/2 - s)/saliency with s = sqrt((psi/2)^2 + (saliency iq)^2)
    const double s = std::hypot(m_.psi / 2, saliency * iq);
    const double q_rate = torque_rate / (1.5 * m_.p * (m_.psi / 2 + s + saliency * saliency * iq * iq / s)),
                 d_rate = -saliency * iq * q_rate / s;
    const double ed = m_.Ld * d_rate - we * m_.Lq * iq, eq = m_.Lq * q_rate + we * (m_.Ld * id + m_.psi);
    needs[0] = id, needs[1] = iq;
    needs[2] = m_.R * (id + m_.iron * ed) + ed, needs[3] = m_.R * (iq + m_.iron * eq) + eq;
  }

 private:
  PmsmNumbers m_;
};

// --- the kind

class Pmsm final : public DriveKind, public HasTerminals {
 public:
  FormatSection format() const override {
    return {"drives: pmsm", "permanent-magnet synchronous motor with a gear", pmsm_format::table};
  }
  std::vector<FormatSection> maps() const override {
    return {elastic_format(),
            {"control", "current controllers of a pmsm", pmsm_format::control},
            {"pmsm limits", "limits of a pmsm", pmsm_format::limits},
            rotor_map_format(),
            winding_format()};
  }

  void read(const MapReader& map, Drive& drive, Reading& reading) const override {
    const bool is_length = read_shaft(map, drive, reading);
    read_command_among(map, {"voltage", "current", "torque"}, is_length, drive, reading);
    for (const char* key : {"voltage_d", "current_d", "pole_pairs", "flux", "resistance", "inductance", "inductance_q",
                            "iron_resistance"})
      drive.values.set(key, map.formula(key));
    read_values_of(map, "control", pmsm_format::control, drive, reading);
    read_pmsm_limits(map, drive, reading);
    read_winding(map, drive, reading);
    read_supply(map, drive);
    refuse_idle_keys(map, drive, reading);
  }

  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {{"current_d", false, "A"},
                                       {"current_q", false, "A"},
                                       {"voltage_d", false, "V"},
                                       {"voltage_q", false, "V"},
                                       {"current", false, "A"},
                                       {"voltage", false, "V"},
                                       torque_signal,
                                       gear_torque_signal,
                                       speed_signal,
                                       {"power", false, "W"},
                                       {"temperature", false, "K"},
                                       rotor_signal,
                                       {"housing_temperature", false, "K"}};
    return names;
  }

  std::vector<StartState> start_states(const Drive& drive) const override {
    const bool is_state = drive.commands("voltage") || drive.values["control.bandwidth"].given();
    const char* why_not = is_state ? "" : "has no initial value: the currents follow at once without control";
    return {{"current_d", "A", why_not}, {"current_q", "A", why_not}};
  }

  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<PmsmEquations>(builder, drive);
  }

  std::string why_not_inverted(const Drive& drive) const override {
    if (drive.gear.elastic() && drive.values["winding.heat_capacity"].given())
      return "inverse dynamics does not know the winding's temperature behind an elastic gear";
    if (drive.values["iron_resistance"].given() && drive.values["winding.heat_capacity"].given())
      return "inverse dynamics does not know iron losses beside the winding's temperature";
    if (drive.gear.elastic() && drive.limit("voltage").given())
      return "inverse dynamics does not know field weakening behind an elastic gear: leave out the limit of the "
             "voltage";
    return "";
  }

  void command_torque(Drive& drive, const Formula& torque) const override {
    drive.command = {"torque", torque};
    drive.values.set("control.bandwidth", {});
    drive.values.set(pmsm_format::inverse_mark, number_formula(1));
  }

  std::span<const Need> needs() const override {
    static constexpr Need list[] = {
        {"current_d", "A"}, {"current_q", "A"}, {"voltage_d", "V", "current_d"}, {"voltage_q", "V", "current_q"},
        {"current", "A"},   {"voltage", "V"}};
    return list;
  }

  double inductance(const Drive& drive, const Model& model) const override {
    return evaluate_constant(drive.values["inductance"], model);
  }

  std::unique_ptr<InverseTerminals> terminals(const Drive& drive, const Model& model) const override {
    return std::make_unique<PmsmTerminals>(drive, model);
  }

  std::unique_ptr<InverseMachine> inverse_machine(const Drive& drive, const Model& model) const override {
    return std::make_unique<InversePmsm>(drive, model);
  }
};

}  // namespace

const DriveKind& pmsm_kind() {
  static const Pmsm kind;
  return kind;
}

}  // namespace armature::internal
