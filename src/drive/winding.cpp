#include "drive/winding.hpp"

namespace armature::internal {

namespace {

namespace winding_keys {
using namespace keys;
constexpr KeySpec table[] = {
    {"heat_capacity", "heat capacity of the winding", number, "J/K", "required", positive},
    {"thermal_resistance", "thermal resistance from the winding to its surroundings", number, "K/W", "required",
     positive},
    {"ambient", "ambient temperature, and initial temperature of the winding", number, "K", "293.15 K"},
    {"temperature_coefficient", "relative increase of the resistance per kelvin above ambient", number, "K^-1", "0"},
};
}  // namespace winding_keys

}  // namespace

FormatSection winding_format() { return {"winding", "the winding's temperature", winding_keys::table}; }

void read_winding(const MapReader& map, Drive& drive, Reading& reading) {
  read_values_of(map, "winding", winding_keys::table, drive, reading);
}

Winding::Winding(EquationsBuilder& builder, const Drive& drive, const Gear& gear)
    : builder_(&builder), drive_(&drive), speed_(gear.speed()), ratio_(gear.ratio()) {
  K_m_ = builder.scalar(drive.values["torque_constant"]);
  K_e_ = builder.scalar(drive.values["back_emf_constant"]);
  R_ = builder.scalar(drive.values["resistance"]);
  L_ = builder.scalar(drive.values["inductance"]);
  temperature_ = builder.scalar(drive.values["winding.ambient"], 293.15);
  if (has_temperature()) {
    rise_ = builder.add_state(drive.name + ".temperature_rise", "K", drive.name);
    temperature_ += rise_;
    R_ *= 1.0 + builder.scalar(drive.values["winding.temperature_coefficient"]) * rise_;
  }
  is_state_ = drive.commands("voltage") && !L_.is(0);
  if (!drive.commands("voltage") && drive.limit("voltage").given())
    throw FormulaError(drive.limit("voltage").where, "a voltage limit needs a motor that is driven by a voltage");
  if (is_state_ && drive.limit("speed").given())
    throw FormulaError(drive.limit("speed").where,
                       "a speed limit needs a motor without inductance: through an inductance the current cannot "
                       "change at once, so no voltage holds the speed; use a controller that measures the speed");
  if (is_state_) current_ = builder.add_state(drive.name + ".current", "A", drive.name);
}

Expression Winding::limited(Expression x, const Formula& limit) {
  if (!limit.given()) return x;
  const Expression bound = builder_->scalar(limit);
  return max(min(x, bound), -bound);
}

Expression Winding::wanted_voltage() { return limited(builder_->scalar(drive_->command.is), drive_->limit("voltage")); }

// Beyond the limit the winding sees R i too little, which drives the current back.
Expression Winding::chopped(Expression voltage) {
  if (!drive_->limit("current").given()) return voltage;
  const Expression bound = builder_->scalar(drive_->limit("current")), i = *current_, held = R_ * i + K_e_ * speed_;
  const Expression below_upper = select(unit_step(i - bound), held - R_ * bound, voltage);
  return select(unit_step(-i - bound), held + R_ * bound, below_upper);
}

// Beyond the limit the current brakes with the size it would drive with.
Expression Winding::below_speed_limit(Expression current) {
  if (!drive_->limit("speed").given()) return current;
  const Expression bound = builder_->scalar(drive_->limit("speed")), size = abs(current);
  return select(unit_step(speed_ - bound), -size, select(unit_step(-speed_ - bound), size, current));
}

Expression Winding::current() {
  if (current_) return *current_;
  Expression wanted;
  if (drive_->commands("voltage"))
    wanted = (wanted_voltage() - K_e_ * speed_) / R_;
  else if (drive_->commands("current"))
    wanted = builder_->scalar(drive_->command.is);
  else
    wanted = builder_->scalar(drive_->command.is) / (ratio_ * K_m_);
  current_ = limited(below_speed_limit(wanted), drive_->limit("current"));
  return *current_;
}

Expression Winding::voltage() {
  if (voltage_) return *voltage_;
  if (is_state_)
    voltage_ = chopped(wanted_voltage());
  else if (drive_->commands("voltage") && !drive_->limit("current").given() && !drive_->limit("speed").given())
    voltage_ = wanted_voltage();
  else
    voltage_ = R_ * current() + K_e_ * speed_ + inductive_voltage();
  return *voltage_;
}

// L di/dt of a current that a formula gives. One that depends on velocities has a rate that no formula knows, one with
// comparisons or held values may jump: then the voltage is without it, and a note tells so.
Expression Winding::inductive_voltage() {
  if (L_.is(0)) return 0.0;
  const Expression i = current();
  const auto leaves = leaves_of(i);
  const auto moves_smoothly = [&](std::int32_t leaf) {
    const auto& q = builder_->equations().q;
    return leaf == builder_->equations().t.id() ||
           std::any_of(q.begin(), q.end(), [&](const Expression& x) { return x.id() == leaf; });
  };
  stores_energy_ = std::all_of(leaves.begin(), leaves.end(), moves_smoothly);
  if (stores_energy_) return L_ * builder_->rate_of(i);
  builder_->equations().warnings.push_back(
      drive_->name +
      ": driven by a current or torque that may jump or whose rate is unknown, so its voltage omits L di/dt");
  return 0.0;
}

Expression Winding::current_rate() { return (voltage() - R_ * current() - K_e_ * speed_) / L_; }

Expression Winding::temperature_rate() {
  const Expression i = current();
  const Expression to_surroundings = rise_ / builder_->scalar(drive_->values["winding.thermal_resistance"]);
  return (R_ * i * i - to_surroundings) / builder_->scalar(drive_->values["winding.heat_capacity"]);
}

void Winding::close() {
  const Expression i = current(), V = voltage();
  Equations& e = builder_->equations();
  e.electrical += V * i;
  e.joule += R_ * i * i;
  if (is_state_) builder_->set_rate(i, current_rate());
  if (is_state_ || stores_energy_) e.magnetic += 0.5 * (L_ * i * i);
  if (has_temperature()) builder_->set_rate(rise_, temperature_rate());
}

}  // namespace armature::internal
