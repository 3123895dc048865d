#include "drive/gear.hpp"

namespace armature::internal {

namespace {

// The rotor starts relaxed and with the speed of its coordinate, unless the file says otherwise.
void start_relaxed(EquationsBuilder& builder, const DcMotor& motor, const NamedCoordinate& rotor,
                   const NamedCoordinate& x, Expression ratio) {
  const Start& start = builder.model().start;
  const auto said = [&](const std::vector<StartEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const StartEntry& entry) { return entry.name == rotor.name; });
  };
  Equations& e = builder.equations();
  if (!said(start.keep) && !said(start.near))
    e.keep.push_back({rotor.name, motor.where, rotor.value - ratio * x.value, "rad"});
  if (!said(start.speed_keep) && !said(start.speed_near))
    e.speed_keep.push_back({rotor.name, motor.where, rotor.rate - ratio * x.rate, "rad/s"});
}

// One flank of the gear: pushes while s > b/2, and never pulls. Its push.
Expression add_flank(EquationsBuilder& builder, double side, Expression s, Expression rate, Expression k, Expression c,
                     Expression b) {
  const Expression pressed = side * s - 0.5 * b, in_contact = unit_step(pressed), closing = side * rate;
  const Expression push = select(in_contact, max(k * pressed + c * closing, 0.0), 0.0);
  builder.apply(-push, closing);
  Equations& e = builder.equations();
  const Expression energy = select(in_contact, 0.5 * (k * pressed * pressed), 0.0);
  e.potential += energy;
  e.elastic += energy;
  e.dissipation += push * closing - select(in_contact, k * pressed * closing, 0.0);
  return push;
}

}  // namespace

Gear add_gear(EquationsBuilder& builder, const DcMotor& motor) {
  const NamedCoordinate x = builder.coordinate(motor.on, motor.where);
  Gear gear;
  gear.of_length = x.unit == "m";
  gear.ratio = builder.scalar(motor.gear_ratio, 1.0) / builder.scalar(motor.radius, 1.0);
  if (gear.ratio.is(0)) throw FormulaError(motor.gear_ratio.where, "the gear ratio is zero");
  if (!motor.stiffness.given()) {
    gear.angle = gear.ratio * x.value;
    gear.speed = gear.ratio * x.rate;
    return gear;
  }
  const NamedCoordinate rotor = builder.add_coordinate(motor.name + ".rotor", Coordinate::Kind::angle, motor.name);
  start_relaxed(builder, motor, rotor, x, gear.ratio);
  gear.angle = rotor.value;
  gear.speed = rotor.rate;
  builder.graph().set_mode_label("backlash of " + motor.name);
  const Expression s = rotor.value / gear.ratio - x.value, rate = rotor.rate / gear.ratio - x.rate;
  const Expression k = builder.scalar(motor.stiffness), c = builder.scalar(motor.damping),
                   b = builder.scalar(motor.backlash);
  if (b.is(0)) {
    builder.add_coordinate_spring({motor.name + ".twist", x.unit, s, rate}, k, c, 0.0);
    gear.torque = k * s + c * rate;
  } else {
    const Expression forwards = add_flank(builder, 1, s, rate, k, c, b);
    gear.torque = forwards - add_flank(builder, -1, s, rate, k, c, b);
  }
  return gear;
}

void add_rotor(EquationsBuilder& builder, const DcMotor& motor, const Gear& gear) {
  const Expression J = builder.scalar(motor.rotor_inertia), d = builder.scalar(motor.viscous_friction);
  if (motor.carried_by.empty()) {
    if (!J.is(0)) builder.add_inertia(J, gear.speed);
  } else {
    const auto [R, w] = builder.turning_of(motor.carried_by, motor.where);
    Vec3 n = builder.vector(motor.spins_about);
    n = R * ((1.0 / norm(n)) * n);
    const Expression spin = dot(n, w) + gear.speed;
    builder.add_inertia(J, spin);
    const Vec3 moment = (J * spin) * cross(w, n);
    for (int i = 0; i < 3; ++i) builder.apply(-moment[i], w[i]);
  }
  builder.equations().dissipation += d * gear.speed * gear.speed;
  const Expression coulomb = builder.scalar(motor.coulomb_friction);
  if (!coulomb.is(0)) builder.add_friction({motor.name, "rad", gear.angle, gear.speed}, coulomb, 1);
}

}  // namespace armature::internal
