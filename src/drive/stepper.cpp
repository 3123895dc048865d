// A two-phase stepper motor. With N = steps per turn/4 teeth and the angle x of the shaft
//
//   L ia' = va - R ia + K w sin(N x)            torque K (ib cos(N x) - ia sin(N x)) - T_detent sin(4 N x)
//   L ib' = vb - R ib - K w cos(N x)
//
// The amplifier turns the phase currents (or voltages) with the commanded angle y, rounded to microsteps: ia = I cos(N y), ib = I sin(N y). The
// torque is then K I sin(N (y - x)): beyond K I the rotor slips by whole periods of four steps. Turning evenly at w with the voltage
// V it makes at most
//
//   K V/Z - K^2 w R/Z^2,   Z^2 = R^2 + (N w L)^2.
#include <numbers>

#include "drive/drive_kinds.hpp"
#include "drive/known_rate.hpp"
#include "drive/shaft.hpp"
#include "drive/supplied.hpp"
#include "model/inverse_terminals.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

namespace stepper_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "stepper", text, "", "required"},
    shaft_format::on,
    {"angle", "commanded angle of the motor shaft", number, "rad", "required", any, moves},
    {"current", "amplitude of the phase currents, which follow at once; give this or voltage", number, "A",
     "required without voltage", any, moves},
    {"voltage", "amplitude of the phase voltages", number, "V", "required without current", any, moves},
    {"steps_per_turn", "full steps per turn, four per tooth", number, "1", "200", positive},
    {"microsteps", "microsteps per full step; 0: the command is not rounded", number, "1", "0", not_negative},
    {"torque_constant", "torque per amplitude of the current: the holding torque is torque_constant*current", number,
     "N*m/A", "required", positive},
    {"resistance", "resistance of a phase", number, "Ohm", "required", positive},
    {"inductance", "inductance of a phase", number, "H", "required with voltage", not_negative},
    {"detent_torque", "amplitude of the torque without current, of period one full step", number, "N*m", "0",
     not_negative},
    supply_format::key,
    rotor_format::inertia,
    shaft_format::viscous_friction,
    shaft_format::coulomb_friction,
    gear_format::ratio,
    gear_format::radius,
    gear_format::efficiency,
    gear_format::elastic,
    rotor_format::rotor,
};
}  // namespace stepper_format

struct Phases {
  Expression a = 0.0, b = 0.0;
};

class StepperEquations final : public DriveEquations {
 public:
  StepperEquations(EquationsBuilder& builder, const Drive& drive)
      : builder_(builder), drive_(drive), shaft_(builder, drive) {
    const auto number = [&](const char* key, double otherwise) { return builder.scalar(drive.values[key], otherwise); };
    N_ = 0.25 * number("steps_per_turn", 200);
    K_ = number("torque_constant", 1), R_ = number("resistance", 0), L_ = number("inductance", 0);
    detent_ = number("detent_torque", 0);
    is_state_ = drive.values["voltage"].given() && !is_inverse();
    if (is_state_ && L_.is(0)) throw FormulaError(drive.where, "a stepper on a voltage needs an inductance above 0");
    if (is_state_)
      i_ = Phases{builder.add_state(drive.name + ".current_a", "A", drive.name),
                  builder.add_state(drive.name + ".current_b", "A", drive.name)};
  }

  void offer() override {
    shaft_.offer_motion([this] { return torque(); });
    shaft_.offer("pull_out_use", [this] { return pull_out_use(); });
    shaft_.offer("power", [this] { return is_inverse() ? torque() * shaft_.speed() : power(); });
    if (is_inverse()) return;
    shaft_.offer("current_a", [this] { return currents().a; });
    shaft_.offer("current_b", [this] { return currents().b; });
    shaft_.offer("voltage_a", [this] { return voltages().a; });
    shaft_.offer("voltage_b", [this] { return voltages().b; });
    shaft_.offer("lag", [this] { return lag(); });
    if (is_state_) {
      shaft_.offer("current_a'", [this] { return rates().a; });
      shaft_.offer("current_b'", [this] { return rates().b; });
    }
  }

  void add() override {
    builder_.graph().set_comparison_label(label_of(drive_));
    shaft_.add(torque());
    shaft_.record("pull_out_use", "", pull_out_use());
    if (is_inverse()) return;
    Equations& e = builder_.equations();
    // Copper losses, energy of the windings, and of the magnets in their detents.
    const Phases i = currents(), v = voltages();
    add_electrical_power(builder_, drive_, power());
    e.joule += R_ * (i.a * i.a + i.b * i.b);
    if (is_state_ || stores_energy_) e.magnetic += 0.5 * (L_ * (i.a * i.a + i.b * i.b));
    e.magnetic -= detent_ / (4.0 * N_) * cos(4.0 * N_ * shaft_.angle());
    if (is_state_) builder_.set_rate(i.a, rates().a), builder_.set_rate(i.b, rates().b);
    if (!is_state_) shaft_.record("current_a", "A", i.a), shaft_.record("current_b", "A", i.b);
    shaft_.record("voltage_a", "V", v.a);
    shaft_.record("voltage_b", "V", v.b);
    shaft_.record("power", "W", power());
    shaft_.record("lag", "", lag());
  }

 private:
  bool is_inverse() const { return drive_.commands("torque"); }

  Expression tooth_angle() const { return N_ * shaft_.angle(); }

  // In electrical radians, rounded to microsteps.
  Expression commanded() {
    if (commanded_) return *commanded_;
    commanded_ = N_ * builder_.scalar(drive_.command.is);
    const Expression microsteps = builder_.scalar(drive_.values["microsteps"]);
    if (!microsteps.is(0)) {
      const Expression step = 0.5 * std::numbers::pi / microsteps;
      commanded_ =
          step *
          said(floor(*commanded_ / step + 0.5), label_of(drive_),
               {.rises = "takes a step forwards", .falls = "takes a step backwards", .subject = label_of(drive_)});
    }
    return *commanded_;
  }

  Phases turned(const Formula& amplitude) {
    const Expression A = builder_.scalar(amplitude);
    return {A * cos(commanded()), A * sin(commanded())};
  }

  const Phases& currents() {
    if (!i_) i_ = turned(drive_.values["current"]);
    return *i_;
  }

  Phases induced() const {
    const Expression Kw = K_ * shaft_.speed();
    return {-Kw * sin(tooth_angle()), Kw * cos(tooth_angle())};
  }

  const Phases& voltages() {
    if (v_) return *v_;
    if (is_state_) {
      v_ = turned(drive_.values["voltage"]);
      return *v_;
    }
    const Phases i = currents(), e = induced();
    v_ = Phases{R_ * i.a + e.a, R_ * i.b + e.b};
    if (L_.is(0)) return *v_;
    const auto a = known_rate(builder_, drive_, i.a);
    const auto b = a ? known_rate(builder_, drive_, i.b) : std::nullopt;
    stores_energy_ = a && b;
    if (stores_energy_) v_->a += L_ * *a, v_->b += L_ * *b;
    return *v_;
  }

  Phases rates() {
    const Phases i = currents(), v = voltages(), e = induced();
    return {(v.a - R_ * i.a - e.a) / L_, (v.b - R_ * i.b - e.b) / L_};
  }

  Expression torque() {
    if (is_inverse()) return builder_.scalar(drive_.command.is) / shaft_.ratio();
    const Phases i = currents();
    return K_ * (i.b * cos(tooth_angle()) - i.a * sin(tooth_angle())) - detent_ * sin(4.0 * tooth_angle());
  }

  Expression power() { return voltages().a * currents().a + voltages().b * currents().b; }

  // Of the shaft behind the command, in full steps; the torque is largest at 1, and the rotor slips by 4.
  Expression lag() { return (commanded() - tooth_angle()) / (0.5 * std::numbers::pi); }

  // Torque over the largest in its direction, turning evenly at this speed; for the record only, so that its sign is no event.
  Expression pull_out_use() {
    Expression most, drag = 0.0;
    if (drive_.values["current"].given()) {
      most = K_ * builder_.scalar(drive_.values["current"]);
    } else {
      const Expression w = shaft_.speed(), Z2 = R_ * R_ + square(N_ * w * L_);
      most = K_ * builder_.scalar(drive_.values["voltage"]) / sqrt(Z2);
      drag = K_ * K_ * R_ * w / Z2;
    }
    const Expression T = torque(), nothing = 1e-9 * most;
    return kept_above(T / kept_above(most - drag, nothing), -T / kept_above(most + drag, nothing));
  }

  EquationsBuilder& builder_;
  const Drive& drive_;
  Shaft shaft_;
  Expression N_, K_, R_, L_, detent_;
  bool is_state_ = false, stores_energy_ = false;
  std::optional<Phases> i_, v_;
  std::optional<Expression> commanded_;
};

// --- inverse dynamics

class StepperTerminals final : public InverseTerminals {
 public:
  double per_rate(std::size_t) const override { return 0; }
  double complete(double shaft_power, std::span<double>) const override { return shaft_power; }
};

class Stepper final : public DriveKind, public HasTerminals {
 public:
  FormatSection format() const override {
    return {"drives: stepper", "two-phase stepper motor with a gear", stepper_format::table};
  }
  std::vector<FormatSection> maps() const override { return {elastic_format(), rotor_map_format()}; }

  void read(const MapReader& map, Drive& drive, Reading& reading) const override {
    read_shaft(map, drive, reading);
    read_command_among(map, {"angle"}, false, drive, reading);
    for (const char* key : {"current", "voltage", "steps_per_turn", "microsteps", "torque_constant", "resistance",
                            "inductance", "detent_torque"})
      drive.values.set(key, map.formula(key));
    if (map.has("current") == map.has("voltage"))
      reading.diagnostics.add(map.where(), map.path("current"), "give either current or voltage");
    if (map.has("voltage") && !map.has("inductance"))
      reading.diagnostics.add(map.where(), map.path("inductance"), "is missing: a stepper on a voltage needs it");
    read_supply(map, drive);
    drive.limits.push_back({"pull_out_use", "times the pull-out torque", number_formula(1)});
  }

  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {{"current_a", false, "A"},
                                       {"current_b", false, "A"},
                                       {"voltage_a", false, "V"},
                                       {"voltage_b", false, "V"},
                                       torque_signal,
                                       gear_torque_signal,
                                       speed_signal,
                                       rotor_signal,
                                       {"power", false, "W"},
                                       {"lag", false, "1"},
                                       {"pull_out_use", false, "1"}};
    return names;
  }

  std::vector<StartState> start_states(const Drive& drive) const override {
    const char* why_not =
        drive.values["voltage"].given() ? "" : "has no initial value: the currents follow the command at once";
    return {{"current_a", "A", why_not}, {"current_b", "A", why_not}};
  }

  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<StepperEquations>(builder, drive);
  }

  std::string why_not_inverted(const Drive& drive) const override {
    return drive.gear.elastic() ? "inverse dynamics does not know a stepper behind an elastic gear" : "";
  }
  void command_torque(Drive& drive, const Formula& torque) const override { drive.command = {"torque", torque}; }

  std::span<const Need> needs() const override {
    static constexpr Need list[] = {{"pull_out_use", ""}};
    return list;
  }
  std::unique_ptr<InverseTerminals> terminals(const Drive&, const Model&) const override {
    return std::make_unique<StepperTerminals>();
  }
  std::unique_ptr<InverseMachine> inverse_machine(const Drive&, const Model&) const override { return nullptr; }
};

}  // namespace

const DriveKind& stepper_kind() {
  static const Stepper kind;
  return kind;
}

}  // namespace armature::internal
