// A supply of several drives: a source with its resistance, the capacitor of the link, and what the drives take.
//
//   C V' = I - sum of P/V - I_chopper,   I = (E - V)/R,   of a rectifier not negative
//
// E is a voltage, or that of a battery by its charge, charge' = -I/capacity. A braking chopper loads the link where its voltage would rise
// further: at the limit the comparison slides, which is the mean of its switching. What drives brake into the link charges the battery.
#include "drive/curve.hpp"
#include "drive/drive_kinds.hpp"
#include "drive/supplied.hpp"
#include "expression/interpolate.hpp"

namespace armature::internal {

namespace {

namespace supply_source_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "supply", text, "", "required"},
    {"voltage", "voltage of the source; give this or open_circuit", number, "V", "required without open_circuit",
     positive},
    {"open_circuit", "voltage of a battery over its charge, from 0 to 1: {charge, voltage}", map},
    {"capacity", "charge of a full battery", number, "A*s", "required with open_circuit", positive},
    {"charge", "charge of the battery at the start, 1 is full", number, "1", "1", not_negative},
    {"resistance", "internal resistance of the source, with its cables", number, "Ohm", "required", positive},
    {"capacitance", "capacitor of the link", number, "F", "required", positive},
    {"rectifier", "true or false: no current flows back into the source", text, "", "false"},
    {"chopper", "braking chopper: {voltage, resistance}", map, "", "none"},
};
constexpr KeySpec curve[] = {
    {"charge", "charges, increasing from 0 to 1", list, "1", "required", not_negative},
    {"voltage", "voltages without load, one for each charge", list, "V", "required", positive},
};
constexpr KeySpec chopper[] = {
    {"voltage", "voltage of the link that it holds", number, "V", "required", positive},
    {"resistance", "braking resistor", number, "Ohm", "required", positive},
};
}  // namespace supply_source_format

constexpr double no_charge = 1e-6;  // of a full battery, or of its voltage: empty, but for what steps err by

class SupplyEquations final : public DriveEquations {
 public:
  SupplyEquations(EquationsBuilder& builder, const Drive& drive) : builder_(builder), drive_(drive) {
    battery_ = find_curve(builder.model(), drive, "open_circuit");
    Expression at_start = builder.scalar(drive.values["voltage"]);
    if (battery_) {
      const Expression charge = builder.scalar(drive.values["charge"], 1.0);
      builder.require_not_negative(1.0 - charge, drive.values["charge"].where, "a charge is at most 1, which is full");
      charge_ = add_state("charge", "", charge);
      // comparisons have no outcomes yet
      at_start = charge.is_constant() ? interpolate(battery_, charge) : charge.graph()->lookup(battery_, charge);
    }
    V_ = add_state("voltage", "V", at_start);
  }

  void offer() override {
    give("voltage", [this] { return V_; });
    give("voltage'", [this] { return voltage_rate(); });
    give("current", [this] { return current(); });
    give("power", [this] { return source_voltage() * current(); });
    if (!battery_) return;
    give("charge", [this] { return *charge_; });
    give("charge'", [this] { return charge_rate(); });
  }

  void add() override {
    builder_.graph().set_comparison_label(label_of(drive_));
    Equations& e = builder_.equations();
    const Expression I = current(), C = builder_.scalar(drive_.values["capacitance"]);
    builder_.set_rate(V_, voltage_rate());
    e.watched.push_back({"drives." + drive_.name, drive_.where, sqrt(V_ - no_charge * source_voltage()),
                         "breaks down: its drives take more power than it has"});
    if (charge_) builder_.set_rate(*charge_, charge_rate());
    if (charge_)
      e.watched.push_back({"drives." + drive_.name, drive_.where, sqrt(*charge_ + no_charge),
                           "is empty, and its voltage stays that of an empty battery"});
    e.electrical += source_voltage() * I;
    // what the source does not pass to the link, and what the chopper burns
    e.joule += (source_voltage() - V_) * I + V_ * chopper_current();
    e.magnetic += 0.5 * (C * V_ * V_);
    e.currents.push_back(drive_.name + ".current");
    record("current", "A", I);
    record("power", "W", source_voltage() * I);
    if (drive_.values["inverse"].given()) {  // which does not record states
      record("voltage", "V", V_);
      if (charge_) record("charge", "", *charge_);
    }
    if (drive_.values["chopper.voltage"].given()) record("chopper_power", "W", V_ * chopper_current());
  }

 private:
  Expression add_state(const char* part, const char* unit, Expression start) {
    const Expression state = builder_.add_state(drive_.name + "." + part, unit, drive_.name);
    builder_.equations().z_initial.emplace_back(static_cast<int>(builder_.equations().z.size()) - 1, start);
    return state;
  }
  void give(const std::string& part, std::function<Expression()> make) {
    builder_.offer(drive_.name + "." + part, [make = std::move(make)] { return Value(make()); });
  }
  void record(const std::string& part, const std::string& unit, Expression value) {
    builder_.equations().quantities.push_back({drive_.name + "." + part, unit, value});
  }

  Expression source_voltage() {
    builder_.graph().set_comparison_label(label_of(drive_));
    return battery_ ? interpolate(battery_, *charge_) : builder_.scalar(drive_.values["voltage"]);
  }

  Expression current() {
    if (current_) return *current_;
    current_ = (source_voltage() - V_) / builder_.scalar(drive_.values["resistance"]);
    if (!drive_.values["rectifier"].given()) return *current_;
    said(unit_step(*current_), label_of(drive_),
         {.rises = "its rectifier conducts", .falls = "its rectifier blocks", .subject = label_of(drive_)});
    current_ = max(*current_, 0.0);
    return *current_;
  }

  Expression chopper_current() {
    const Formula& limit = drive_.values["chopper.voltage"];
    if (!limit.given()) return 0.0;
    const Expression burns = said(unit_step(V_ - builder_.scalar(limit)), label_of(drive_),
                                  {.rises = "its braking chopper switches on",
                                   .falls = "its braking chopper switches off",
                                   .holds = "its braking chopper holds the voltage",
                                   .leaves_above = "its braking chopper no longer holds the voltage",
                                   .subject = label_of(drive_)});
    return select(burns, V_ / builder_.scalar(drive_.values["chopper.resistance"]), 0.0);
  }

  // A drive with a mistake, which was reported, has no power.
  Expression drives_power() {
    Expression sum = 0.0;
    for (const Drive& other : builder_.model().drives) {
      if (!is_supplied_by(other, drive_.name)) continue;
      if (const auto power = builder_.look_up(other.name + ".power")) sum += power->parts[0];
    }
    return sum;
  }

  Expression voltage_rate() {
    return (current() - drives_power() / V_ - chopper_current()) / builder_.scalar(drive_.values["capacitance"]);
  }
  Expression charge_rate() { return -current() / builder_.scalar(drive_.values["capacity"]); }

  EquationsBuilder& builder_;
  const Drive& drive_;
  std::shared_ptr<const Table> battery_;
  Expression V_;
  std::optional<Expression> charge_, current_;
};

class Supply final : public DriveKind {
 public:
  FormatSection format() const override {
    return {"drives: supply", "source or battery with a capacitor, which feeds drives", supply_source_format::table};
  }
  std::vector<FormatSection> maps() const override {
    return {{"open_circuit", "voltage of a battery without load", supply_source_format::curve},
            {"chopper", "a braking chopper", supply_source_format::chopper}};
  }

  void read(const MapReader& map, Drive& drive, Reading& reading) const override {
    for (const char* key : {"voltage", "capacity", "charge", "resistance", "capacitance"})
      drive.values.set(key, map.formula(key));
    read_curve(map, "open_circuit", supply_source_format::curve, drive, reading);
    read_values_of(map, "chopper", supply_source_format::chopper, drive, reading);
    if (map.has("rectifier") && map.flag("rectifier").value_or(false)) drive.values.set("rectifier", number_formula(1));
    const bool battery = map.has("open_circuit");
    if (battery == map.has("voltage"))
      reading.diagnostics.add(map.where(), map.path("voltage"), "give either voltage or open_circuit");
    for (const char* key : {"capacity", "charge"})
      if (map.has(key) && !battery)
        reading.diagnostics.add(map.find(key)->where, map.path(key), "belongs to a battery, which has open_circuit");
    if (battery && !map.has("capacity"))
      reading.diagnostics.add(map.where(), map.path("capacity"), "is missing: a battery has a capacity");
  }

  std::span<const Signal> signals() const override {
    static constexpr Signal names[] = {{"voltage", false, "V"},
                                       {"current", false, "A"},
                                       {"power", false, "W"},
                                       {"charge", false, "1"},
                                       {"chopper_power", false, "W"}};
    return names;
  }

  std::vector<StartState> start_states(const Drive&) const override { return {{"voltage", "V", ""}}; }

  std::unique_ptr<DriveEquations> equations(EquationsBuilder& builder, const Drive& drive) const override {
    return std::make_unique<SupplyEquations>(builder, drive);
  }

  // It acts on no coordinate: inverse dynamics leaves it as it is.
  void command_torque(Drive& drive, const Formula&) const override { drive.values.set("inverse", number_formula(1)); }
  std::unique_ptr<InverseMachine> inverse_machine(const Drive&, const Model&) const override { return nullptr; }
};

}  // namespace

const DriveKind& supply_kind() {
  static const Supply kind;
  return kind;
}

}  // namespace armature::internal
