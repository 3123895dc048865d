#include "drive/gear.hpp"

#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {

namespace {

constexpr KeySpec elastic_table[] = {
    {"stiffness", "torque or force on the coordinate per displacement", Holds::number, "N*m or N/m", "required",
     ValueRange::positive},
    {"damping", "torque or force on the coordinate per rate", Holds::number, "N*m*s or N*s/m", "0",
     ValueRange::not_negative},
    {"backlash", "total free play, as a displacement of the coordinate", Holds::number, "rad or m", "0",
     ValueRange::not_negative},
};

// The rotor starts relaxed and with the speed of its coordinate, unless the file says otherwise.
void start_relaxed(EquationsBuilder& builder, const Drive& drive, const NamedCoordinate& rotor,
                   const NamedCoordinate& x, Expression ratio) {
  const Start& start = builder.model().start;
  const auto said = [&](const std::vector<StartEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const StartEntry& entry) { return entry.name == rotor.name; });
  };
  Equations& e = builder.equations();
  if (!said(start.keep) && !said(start.near))
    e.keep.push_back({rotor.name, drive.where, rotor.value - ratio * x.value, "rad"});
  if (!said(start.speed_keep) && !said(start.speed_near))
    e.speed_keep.push_back({rotor.name, drive.where, rotor.rate - ratio * x.rate, "rad/s"});
}

// One flank of the gear: pushes while s > b/2, and never pulls. Its push.
Expression add_flank(EquationsBuilder& builder, const std::string& drive, double side, Expression s, Expression rate,
                     Expression k, Expression c, Expression b) {
  return add_push(builder, side * s - 0.5 * b, side * rate, k, c,
                  {"drive " + drive, "a flank of its gear touches", "a flank of its gear comes off"});
}

}  // namespace

FormatSection elastic_format() { return {"elastic", "an elastic gear", elastic_table}; }

void read_gear(const MapReader& map, bool is_length, Drive& drive, Reading& reading) {
  drive.gear.ratio = map.formula("gear_ratio");
  drive.gear.radius = map.formula("radius");
  drive.gear.efficiency = map.formula("efficiency");
  if (is_length && !map.has("radius"))
    reading.diagnostics.add(map.where(), map.path("radius"),
                            "is missing: how far the coordinate moves per radian of the gear's output");
  if (!is_length && map.has("radius"))
    reading.diagnostics.add(map.find("radius")->where, map.path("radius"),
                            "belongs to a length; this coordinate is an angle");
  // Stiffness and play are those of the coordinate: of a length, or of an angle.
  if (const YamlNode* elastic = map.find("elastic")) {
    const MapReader gear(*elastic, elastic_table, map.path("elastic"), reading);
    drive.gear.stiffness = gear.formula("stiffness", is_length);
    drive.gear.damping = gear.formula("damping", is_length);
    drive.gear.backlash = gear.formula("backlash", is_length);
  }
}

Gear::Gear(EquationsBuilder& builder, const Drive& drive) : builder_(&builder), drive_(&drive) {
  const NamedCoordinate x = builder.coordinate(drive.on, drive.where);
  of_length_ = x.unit == "m";
  ratio_ = builder.scalar(drive.gear.ratio, 1.0) / builder.scalar(drive.gear.radius, 1.0);
  builder.require_positive(square(ratio_), drive.gear.ratio.where, "the gear ratio is zero");
  if (drive.gear.elastic()) {
    add_elastic(x);
  } else {
    angle_ = ratio_ * x.value;
    speed_ = ratio_ * x.rate;
  }
}

void Gear::add_elastic(const NamedCoordinate& x) {
  const Transmission& gear = drive_->gear;
  const NamedCoordinate rotor =
      builder_->add_coordinate(drive_->name + ".rotor", Coordinate::Kind::angle, drive_->name);
  // The rotor becomes a coordinate of its own, relaxed at the start.
  start_relaxed(*builder_, *drive_, rotor, x, ratio_);
  angle_ = rotor.value;
  speed_ = rotor.rate;
  // The twist, as the coordinate sees it; a spring, or two flanks with play between them.
  const Expression s = rotor.value / ratio_ - x.value, rate = rotor.rate / ratio_ - x.rate;
  const Expression k = builder_->scalar(gear.stiffness), c = builder_->scalar(gear.damping),
                   b = builder_->scalar(gear.backlash);
  if (b.is(0)) {
    add_spring(*builder_, s, rate, k, c);
    spring_ = k * s + c * rate;
  } else {
    const Expression forwards = add_flank(*builder_, drive_->name, 1, s, rate, k, c, b);
    spring_ = forwards - add_flank(*builder_, drive_->name, -1, s, rate, k, c, b);
  }
}

// A gear of efficiency n passes n of the power from the motor, and of the power towards it: of T w that is n T w, or
// T w/n where T brakes. T is the machine's torque less its viscous friction; the rotor's inertia is taken as lossless.
Expression Gear::passed(Expression torque) const {
  const Expression efficiency = builder_->scalar(drive_->gear.efficiency, 1.0);
  builder_->require_not_negative(1.0 - efficiency, drive_->gear.efficiency.where, "an efficiency is at most 1");
  if (efficiency.is(1)) return torque;
  const std::string label = "drive " + drive_->name;
  const Expression drives = said(unit_step(torque * speed_), label,
                                 {.rises = "power flows through its gear from the motor",
                                  .falls = "power flows through its gear to the motor",
                                  .subject = label});
  return torque * select(drives, efficiency, 1.0 / efficiency);
}

bool Gear::changes_torque() const { return spring_ || drive_->gear.efficiency.given(); }

Expression Gear::torque_on_coordinate(Expression torque) const { return spring_ ? *spring_ : passed(torque) * ratio_; }

void Gear::apply(Expression torque) const {
  builder_->apply(passed(torque), speed_);
  builder_->equations().friction += (torque - passed(torque)) * speed_;
}

}  // namespace armature::internal
