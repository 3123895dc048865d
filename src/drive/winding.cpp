#include "drive/winding.hpp"

#include "drive/known_rate.hpp"
#include "drive/supplied.hpp"

namespace armature::internal {

Winding::Winding(EquationsBuilder& builder, const Drive& drive, const Gear& gear)
    : builder_(&builder), drive_(&drive), speed_(gear.speed()), ratio_(gear.ratio()), heat_(builder, drive) {
  K_m_ = builder.scalar(drive.values["torque_constant"]);
  K_e_ = builder.scalar(drive.values["back_emf_constant"]);
  R_ = heat_.warm(builder.scalar(drive.values["resistance"]));
  L_ = builder.scalar(drive.values["inductance"]);
  is_state_ = drive.commands("voltage") && !L_.is(0);
  if (!drive.commands("voltage") && drive.limit("voltage").given())
    throw FormulaError(drive.limit("voltage").where, "a voltage limit needs a motor that is driven by a voltage");
  if (is_state_ && drive.limit("speed").given())
    throw FormulaError(drive.limit("speed").where,
                       "a speed limit needs a motor without inductance: through an inductance the current cannot "
                       "change at once, so no voltage holds the speed; use a controller that measures the speed");
  if (is_state_) current_ = builder.add_state(drive.name + ".current", "A", drive.name);
}

Expression Winding::limited(Expression x, const std::string& quantity) {
  const Formula& limit = drive_->limit(quantity);
  return limit.given() ? kept_within(x, builder_->scalar(limit), *drive_, "its " + quantity) : x;
}

Expression Winding::wanted_voltage() {
  const Expression V = limited(builder_->scalar(drive_->command.is), "voltage");
  const std::optional<Expression> supply = supply_voltage(*builder_, *drive_);
  return supply ? kept_within(V, *supply, *drive_, "its voltage", "the supply's limit") : V;
}

// Beyond the limit the winding sees R i too little, which drives the current back.
Expression Winding::chopped(Expression voltage) {
  if (!drive_->limit("current").given()) return voltage;
  const Expression bound = builder_->scalar(drive_->limit("current")), i = *current_, held = R_ * i + K_e_ * speed_;
  const std::string label = label_of(*drive_);
  const auto words = [&](const std::string& limit) {
    return ComparisonWords{.rises = "its current exceeds " + limit,
                           .falls = "its current drops below " + limit,
                           .holds = "its current reaches " + limit + " and is held there",
                           .subject = label};
  };
  const Expression below_upper =
      select(said(unit_step(i - bound), label, words("its limit")), held - R_ * bound, voltage);
  return select(said(unit_step(-i - bound), label, words("its limit in the - direction")), held + R_ * bound,
                below_upper);
}

// Beyond the limit the current brakes with the size it would drive with.
Expression Winding::below_speed_limit(Expression current) {
  if (!drive_->limit("speed").given()) return current;
  const Expression bound = builder_->scalar(drive_->limit("speed")), size = abs(current);
  const std::string label = label_of(*drive_);
  said(unit_step(current), label,
       {.rises = "its current turns positive", .falls = "its current turns negative", .subject = label});
  const auto words = [&](const std::string& limit) {
    return ComparisonWords{.rises = "its speed exceeds " + limit,
                           .falls = "its speed drops below " + limit,
                           .holds = "its speed is held at " + limit,
                           .subject = label};
  };
  const Expression backwards =
      select(said(unit_step(-speed_ - bound), label, words("its limit in the - direction")), size, current);
  return select(said(unit_step(speed_ - bound), label, words("its limit")), -size, backwards);
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
  current_ = limited(below_speed_limit(wanted), "current");
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

Expression Winding::inductive_voltage() {
  if (L_.is(0)) return 0.0;
  const std::optional<Expression> rate = known_rate(*builder_, *drive_, current());
  stores_energy_ = rate.has_value();
  return rate ? L_ * *rate : 0.0;
}

Expression Winding::current_rate() { return (voltage() - R_ * current() - K_e_ * speed_) / L_; }

Expression Winding::copper_loss() { return R_ * current() * current(); }

void Winding::close() {
  const Expression i = current(), V = voltage();
  Equations& e = builder_->equations();
  add_electrical_power(*builder_, *drive_, V * i);
  e.joule += copper_loss();
  if (is_state_) builder_->set_rate(i, current_rate());
  if (is_state_ || stores_energy_) e.magnetic += 0.5 * (L_ * i * i);
  heat_.close(copper_loss());
}

}  // namespace armature::internal
