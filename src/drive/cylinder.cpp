// A hydraulic cylinder with a four-way valve, on a length. A is the area of the bore, a that beside the rod, s the extension, B the bulk modulus:
//
//   pa' = B/Va (Qa - A s' - leak)      Va = dead + A s               force A pa - a pb
//   pb' = B/Vb (Qb + a s' + leak)      Vb = dead + a (stroke - s)
//
// The valve opens by y from -1 to 1. Where y > 0, supply leads to a and b to tank, else the other way round; through an edge flows
//
//   Q = rated flow |y| sqrt(dp/rated pressure),   linear in dp below the laminar pressure.
//
// The supply has a constant pressure, or is a pump with a line and a relief valve, ps' = B/Vs (Qpump - Qvalve - Qrelief).
//
// Oil of constant bulk modulus stores, per volume, e(p) = B (exp(p/B) - 1) - p: then V e(p) grows by p (Q - V') and by e(p) Q, what oil
// under pressure brings with it.
#include <numbers>

#include "drive/drive_kinds.hpp"
#include "drive/supplied.hpp"
#include "mechanics/builder.hpp"
#include "model/inverse_terminals.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {

namespace {

namespace cylinder_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "hydraulic_cylinder", text, "", "required"},
    {"on", "the driven length; its positive direction extends the cylinder", text, "", "required"},
    {"valve", "opening of the valve, from -1 to 1", number, "1", "required", any, moves},
    {"bore", "diameter of the piston", number, "m", "required", positive},
    {"rod", "diameter of the rod; 0: none, both areas are equal", number, "m", "0", not_negative},
    {"stroke", "largest extension", number, "m", "required", positive},
    {"retracted", "value of the length where the cylinder is retracted", number, "m", "0"},
    {"dead_volume", "volume of each chamber at the end of the stroke, with its line", number, "m^3",
     "a twentieth of bore and stroke", positive},
    {"bulk_modulus", "bulk modulus of the oil, including the elasticity of its lines", number, "Pa", "1.4e9 Pa",
     positive},
    {"rated_flow", "flow through an edge of the open valve at the rated pressure", number, "m^3/s", "required",
     positive},
    {"rated_pressure", "pressure drop over an edge for the rated flow", number, "Pa", "35 bar", positive},
    {"laminar_pressure", "pressure drop below which the flow is linear", number, "Pa", "1 bar", positive},
    {"leakage", "flow past the piston per pressure difference", number, "m^3/s/Pa", "0", not_negative},
    {"supply_pressure", "constant pressure of the supply; give this or pump", number, "Pa", "required without pump",
     positive, moves},
    {"pump", "pump with line and relief valve: {flow, relief_pressure, override, volume}", map},
    {"tank_pressure", "pressure of the tank", number, "Pa", "0", not_negative},
};
constexpr KeySpec pump[] = {
    {"flow", "flow of the pump", number, "m^3/s", "required", not_negative, moves},
    {"relief_pressure", "pressure from which on the relief valve opens", number, "Pa", "required", positive},
    {"override",
     "relative rise above the relief pressure at which the relief valve passes the rated flow of the control valve",
     number, "1", "10 %", positive},
    {"volume", "volume of the line between pump and valve", number, "m^3", "required", positive},
};
}  // namespace cylinder_format

constexpr double off_stroke = 1e-6;  // of the stroke: its ends, but for what steps err by
constexpr double vacuum = 101325.0;  // Pa below that of the air, from which pressures count

class CylinderEquations final : public DriveEquations {
 public:
  CylinderEquations(EquationsBuilder& builder, const Drive& drive) : builder_(builder), drive_(drive) {
    const auto number = [&](const char* key, double otherwise) { return builder.scalar(drive.values[key], otherwise); };
    const NamedCoordinate x = builder.coordinate(drive.on, drive.where);
    rate_ = x.rate;
    // Areas of the piston on both sides, and volumes by the stroke, with a twentieth of dead volume.
    A_ = std::numbers::pi / 4 * square(number("bore", 0));
    a_ = A_ - std::numbers::pi / 4 * square(number("rod", 0));
    builder.require_positive(a_, drive.values["rod"].where, "the rod must be thinner than the bore");
    const Expression s = x.value - number("retracted", 0), stroke = number("stroke", 0),
                     dead = builder.scalar(drive.values["dead_volume"], A_ * stroke / 20.0);
    Va_ = dead + A_ * s, Vb_ = dead + a_ * (stroke - s);
    watch(s + off_stroke * stroke, "is pushed in beyond its stroke; give its coordinate limits");
    watch(stroke - s + off_stroke * stroke, "is pulled out beyond its stroke; give its coordinate limits");
    // The valve by its rated flow, with the root of the pressure; below the laminar pressure with the pressure itself.
    B_ = number("bulk_modulus", 1.4e9);
    tank_ = number("tank_pressure", 0);
    edge_ = number("rated_flow", 0) / sqrt(number("rated_pressure", 35e5));
    laminar_ = number("laminar_pressure", 1e5);
    leak_ = number("leakage", 0);
    if (is_inverse()) return;
    // The states: pressures of both chambers, and that of a pump's line.
    pa_ = add_state("pressure_a", tank_), pb_ = add_state("pressure_b", tank_);
    watch(*pa_ + vacuum, "has a pressure_a below that of a vacuum: its oil would cavitate");
    watch(*pb_ + vacuum, "has a pressure_b below that of a vacuum: its oil would cavitate");
    if (has_pump()) ps_ = add_state("supply_pressure", number("pump.relief_pressure", 0));
  }

  void offer() override {
    give("force", [this] { return force(); });
    give("speed", [this] { return rate_; });
    give("valve", [this] { return opening(); });
    give("pressure_a", [this] { return pressures().a; });
    give("pressure_b", [this] { return pressures().b; });
    give("flow", [this] { return flow_from_supply(); });
    give("power", [this] { return supply() * flow_from_supply(); });
    if (is_inverse()) return;
    give("pressure_a'", [this] { return pressure_rate(Va_, into_a(), A_ * rate_); });
    give("pressure_b'", [this] { return pressure_rate(Vb_, into_b(), -a_ * rate_); });
    if (!has_pump()) return;
    give("supply_pressure", [this] { return *ps_; });
    give("supply_pressure'", [this] { return supply_rate(); });
  }

  void add() override {
    builder_.graph().set_comparison_label(label_of(drive_));
    builder_.apply(force(), rate_);
    if (is_inverse())
      builder_.equations().applied_power += force() * rate_;
    else
      // With the force as a command pressures follow from it and are only recorded.
      add_oil();
    record("force", "N", force());
    record("speed", "m/s", rate_);
    record("valve", "", opening());
    if (is_inverse()) {
      record("pressure_a", "Pa", pressures().a);
      record("pressure_b", "Pa", pressures().b);
      record("supply_pressure", "Pa", supply());
    }
    record("flow", "m^3/s", flow_from_supply());
    record("power", "W", supply() * flow_from_supply());
  }

 private:
  struct Pressures {
    Expression a, b;
  };

  // x must not become negative; `otherwise` is the warning if it does.
  void watch(Expression x, const char* otherwise) {
    builder_.equations().watched.push_back({"drives." + drive_.name, drive_.where, sqrt(x), otherwise});
  }

  bool is_inverse() const { return drive_.commands("torque"); }
  bool has_pump() const { return drive_.values["pump.flow"].given(); }

  Expression add_state(const char* part, Expression start) {
    const Expression state = builder_.add_state(drive_.name + "." + part, "Pa", drive_.name);
    if (!start.is(0))
      builder_.equations().z_initial.emplace_back(static_cast<int>(builder_.equations().z.size()) - 1, start);
    return state;
  }
  void give(const std::string& part, std::function<Expression()> make) {
    builder_.offer(drive_.name + "." + part, [make = std::move(make)] { return Value(make()); });
  }
  void record(const std::string& part, const std::string& unit, Expression value) {
    builder_.equations().quantities.push_back({drive_.name + "." + part, unit, value});
  }

  Expression force() { return is_inverse() ? builder_.scalar(drive_.command.is) : A_ * *pa_ - a_ * *pb_; }

  Expression supply() {
    if (ps_) return *ps_;
    ps_ = builder_.scalar(has_pump() ? drive_.values["pump.relief_pressure"] : drive_.values["supply_pressure"]);
    return *ps_;
  }

  // Slow motion of stiff oil: with k = s'/(y rated flow/sqrt(rated pressure)) the drops are (A k)^2 and (a k)^2 over the edges, and
  //   force = A ps - a pt - (A^3 + a^3) k^2   when it extends.   Where it needs more than the supply has, k is nearly zero.
  Expression edge_ratio() {
    const Expression extending = A_ * supply() - a_ * tank_ - force(),
                     retracting = force() - A_ * tank_ + a_ * supply();
    const Expression left = select(extends(), extending, retracting) / (A_ * A_ * A_ + a_ * a_ * a_);
    return sqrt(kept_above(left, 1e-12 * supply() / (A_ * A_)));
  }

  Pressures pressures() {
    if (!is_inverse()) return {*pa_, *pb_};
    const Expression k2 = square(edge_ratio()), forwards = extends(), in_a = A_ * A_ * k2, in_b = a_ * a_ * k2;
    return {select(forwards, supply() - in_a, tank_ + in_a), select(forwards, tank_ + in_b, supply() - in_b)};
  }

  Expression opening() {
    if (opening_) return *opening_;
    opening_ = is_inverse()
                   ? rate_ / (edge_ * edge_ratio())
                   : kept_within(builder_.scalar(drive_.command.is), 1.0, drive_, "its valve", "its full opening");
    return *opening_;
  }

  // Through an edge, of either sign.
  Expression through(Expression opening, Expression drop) const {
    return edge_ * opening * drop / sqrt(sqrt(drop * drop + laminar_ * laminar_));
  }
  Expression ahead() {
    say(unit_step(opening()), "its valve opens to extend", "its valve ceases to extend");
    return max(opening(), 0.0);
  }
  Expression back() {
    say(unit_step(-opening()), "its valve opens to retract", "its valve ceases to retract");
    return max(-opening(), 0.0);
  }
  Expression say(Expression outcome, const char* rises, const char* falls) const {
    return said(outcome, label_of(drive_), {.rises = rises, .falls = falls, .subject = label_of(drive_)});
  }
  Expression extends() const { return say(unit_step(rate_), "extends", "retracts"); }

  Expression supply_to_a() { return through(ahead(), supply() - *pa_); }
  Expression supply_to_b() { return through(back(), supply() - *pb_); }
  Expression a_to_tank() { return through(back(), *pa_ - tank_); }
  Expression b_to_tank() { return through(ahead(), *pb_ - tank_); }
  Expression leak() { return leak_ * (*pa_ - *pb_); }
  Expression into_a() { return supply_to_a() - a_to_tank() - leak(); }
  Expression into_b() { return supply_to_b() - b_to_tank() + leak(); }

  Expression flow_from_supply() {
    if (is_inverse()) return select(extends(), A_, -a_) * rate_;
    return supply_to_a() + supply_to_b();
  }

  // Opens in proportion.
  Expression relief() {
    const Expression limit = builder_.scalar(drive_.values["pump.relief_pressure"]),
                     share = builder_.scalar(drive_.values["pump.override"], 0.1);
    const Expression beyond = supply() - limit;
    say(unit_step(beyond), "its relief valve opens", "its relief valve closes");
    return builder_.scalar(drive_.values["rated_flow"]) * max(beyond, 0.0) / (share * limit);
  }

  Expression into_line() { return builder_.scalar(drive_.values["pump.flow"]) - flow_from_supply() - relief(); }
  Expression supply_rate() { return B_ * into_line() / builder_.scalar(drive_.values["pump.volume"]); }
  Expression pressure_rate(Expression volume, Expression flow, Expression growth) const {
    return B_ * (flow - growth) / volume;
  }

  Expression stored(Expression pressure) const { return B_ * (exp(pressure / B_) - 1.0) - pressure; }

  void add_oil() {
    Equations& e = builder_.equations();
    // Both chambers: what flows in, less what the piston makes room for, over the compliance of the oil.
    builder_.set_rate(*pa_, pressure_rate(Va_, into_a(), A_ * rate_));
    builder_.set_rate(*pb_, pressure_rate(Vb_, into_b(), -a_ * rate_));
    // The ledger: energy stored in compressed oil, work of what enters, heat of throttling.
    e.magnetic += Va_ * stored(*pa_) + Vb_ * stored(*pb_);
    e.applied_power += stored(*pa_) * into_a() + stored(*pb_) * into_b() - tank_ * (a_to_tank() + b_to_tank());
    e.dissipation += supply_to_a() * (supply() - *pa_) + supply_to_b() * (supply() - *pb_) +
                     a_to_tank() * (*pa_ - tank_) + b_to_tank() * (*pb_ - tank_) + leak() * (*pa_ - *pb_);
    if (!has_pump()) {
      e.applied_power += supply() * flow_from_supply();
      return;
    }
    // A pump has a line of its own with a relief valve.
    builder_.set_rate(*ps_, supply_rate());
    e.magnetic += builder_.scalar(drive_.values["pump.volume"]) * stored(supply());
    e.applied_power +=
        supply() * builder_.scalar(drive_.values["pump.flow"]) + stored(supply()) * into_line() - tank_ * relief();
    e.dissipation += relief() * (supply() - tank_);
  }

  EquationsBuilder& builder_;
  const Drive& drive_;
  Expression rate_, A_, a_, Va_, Vb_, B_, tank_, edge_, laminar_, leak_;
  std::optional<Expression> pa_, pb_, ps_, opening_;
};

// --- inverse dynamics

class CylinderTerminals final : public InverseTerminals {
 public:
  double per_rate(std::size_t) const override { return 0; }
  double complete(double, std::span<double> needs) const override { return needs[3] * needs[4]; }  // flow by pressure
  bool turns() const override { return false; }
};

class HydraulicCylinder final : public DriveKind, public HasTerminals {
 public:
  FormatSection format() const override {
    return {"drives: hydraulic_cylinder", "hydraulic cylinder with a valve and a pump", cylinder_format::table};
  }
  std::vector<FormatSection> maps() const override {
    return {{"pump", "a pump with its line and relief valve", cylinder_format::pump}};
  }

  void read(const MapReader& map, Drive& drive, Reading& reading) const override {
    const std::optional<CoordinateReference> on = read_coordinate_on(map, reading);
    if (on) drive.on = on->name;
    if (on && !on->is_length)
      reading.diagnostics.add(map.find("on")->where, map.path("on"),
                              "a cylinder drives a length; this coordinate is an angle");
    drive.command = {"valve", map.formula("valve")};
    for (const KeySpec& spec : cylinder_format::table)
      if (spec.holds == Holds::number && spec.name != "valve")
        drive.values.set(spec.name, map.formula(std::string(spec.name)));
    read_values_of(map, "pump", cylinder_format::pump, drive, reading);
    drive.limits.push_back({"valve", "of the full opening", number_formula(1)});
    if (map.has("pump") == map.has("supply_pressure"))
      reading.diagnostics.add(map.where(), map.path("supply_pressure"), "give either supply_pressure or pump");
  }

  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {{"force"},
                                       {"speed", true, "m/s"},
                                       {"valve", false, "1"},
                                       {"pressure_a", false, "Pa"},
                                       {"pressure_b", false, "Pa"},
                                       {"supply_pressure", false, "Pa"},
                                       {"flow", false, "m^3/s"},
                                       {"power", false, "W"}};
    return names;
  }

  std::vector<StartState> start_states(const Drive& drive) const override {
    return {{"pressure_a", "Pa", ""},
            {"pressure_b", "Pa", ""},
            {"supply_pressure", "Pa", drive.values["pump.flow"].given() ? "" : "has no initial value without a pump"}};
  }

  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<CylinderEquations>(builder, drive);
  }

  void command_torque(Drive& drive, const Formula& torque) const override { drive.command = {"torque", torque}; }
  std::span<const Need> needs() const override {
    static constexpr Need list[] = {
        {"valve", ""}, {"pressure_a", "Pa"}, {"pressure_b", "Pa"}, {"flow", "m^3/s"}, {"supply_pressure", "Pa"}};
    return list;
  }
  std::unique_ptr<InverseTerminals> terminals(const Drive&, const Model&) const override {
    return std::make_unique<CylinderTerminals>();
  }
  std::unique_ptr<InverseMachine> inverse_machine(const Drive&, const Model&) const override { return nullptr; }
};

}  // namespace

const DriveKind& hydraulic_cylinder_kind() {
  static const HydraulicCylinder kind;
  return kind;
}

}  // namespace armature::internal
