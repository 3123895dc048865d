#include "drive/winding.hpp"

#include "drive/gear.hpp"

namespace armature::internal {

Winding add_winding(EquationsBuilder& builder, const DcMotor& motor, const Gear& gear) {
  return Winding(builder, motor, gear.speed, gear.ratio);
}

Winding::Winding(EquationsBuilder& builder, const DcMotor& motor, Expression speed, Expression ratio)
    : builder_(&builder), motor_(&motor), speed_(speed), ratio_(ratio) {
  K_m_ = builder.scalar(motor.torque_constant);
  K_e_ = builder.scalar(motor.back_emf_constant);
  R_ = builder.scalar(motor.resistance);
  L_ = builder.scalar(motor.inductance);
  temperature_ = builder.scalar(motor.winding.ambient, 293.15);
  if (has_temperature()) {
    rise_ = builder.add_state(motor.name + ".temperature_rise", "K", motor.name);
    temperature_ += rise_;
    R_ *= 1.0 + builder.scalar(motor.winding.temperature_coefficient) * rise_;
  }
  is_state_ = motor.voltage.given() && !L_.is(0);
  if (!motor.voltage.given() && motor.voltage_limit.given())
    throw FormulaError(motor.voltage_limit.where, "a voltage limit needs a motor that is driven by a voltage");
  if (is_state_ && motor.speed_limit.given())
    throw FormulaError(
        motor.speed_limit.where,
        "a speed limit needs a motor without inductance: through an inductance the current cannot change at "
        "once, so that no voltage holds the speed; use a controller that measures the speed");
  if (is_state_) current_ = builder.add_state(motor.name + ".current", "A", motor.name);
}

Expression Winding::limited(Expression x, const Formula& limit) {
  if (!limit.given()) return x;
  const Expression bound = builder_->scalar(limit);
  return max(min(x, bound), -bound);
}

Expression Winding::wanted_voltage() { return limited(builder_->scalar(motor_->voltage), motor_->voltage_limit); }

// Beyond the limit the winding sees R i too little, which drives the current back.
Expression Winding::chopped(Expression voltage) {
  if (!motor_->current_limit.given()) return voltage;
  const Expression bound = builder_->scalar(motor_->current_limit), i = *current_, held = R_ * i + K_e_ * speed_;
  const Expression below_upper = select(unit_step(i - bound), held - R_ * bound, voltage);
  return select(unit_step(-i - bound), held + R_ * bound, below_upper);
}

// Beyond the limit the current brakes with the size it would drive with.
Expression Winding::below_speed_limit(Expression current) {
  if (!motor_->speed_limit.given()) return current;
  const Expression bound = builder_->scalar(motor_->speed_limit), size = abs(current);
  return select(unit_step(speed_ - bound), -size, select(unit_step(-speed_ - bound), size, current));
}

Expression Winding::current() {
  if (current_) return *current_;
  Expression wanted;
  if (motor_->voltage.given())
    wanted = (wanted_voltage() - K_e_ * speed_) / R_;
  else if (motor_->current.given())
    wanted = builder_->scalar(motor_->current);
  else
    wanted = builder_->scalar(motor_->torque) / (ratio_ * K_m_);
  current_ = limited(below_speed_limit(wanted), motor_->current_limit);
  return *current_;
}

Expression Winding::voltage() {
  if (voltage_) return *voltage_;
  if (is_state_)
    voltage_ = chopped(wanted_voltage());
  else if (motor_->voltage.given() && !motor_->current_limit.given() && !motor_->speed_limit.given())
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
      motor_->name +
      ": driven by a current or torque that may jump or whose rate is not known, so that its voltage is "
      "without L di/dt");
  return 0.0;
}

Expression Winding::current_rate() { return (voltage() - R_ * current() - K_e_ * speed_) / L_; }

Expression Winding::temperature_rate() {
  const Expression i = current();
  const auto& winding = motor_->winding;
  return (R_ * i * i - rise_ / builder_->scalar(winding.thermal_resistance)) / builder_->scalar(winding.heat_capacity);
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
