// A brake on a coordinate x: dry friction of a given torque, or that of a band or rope around a drum (Euler, Eytelwein). The band is
// pulled with F at one end, and the drum of radius r carries it through the angle beta. Where the drum moves away from that end
// (x' > 0) friction tightens the band, where it moves towards it friction loosens it:
//
//   x' > 0:  -F r (e^(mu beta) - 1)        x' < 0:  F r (1 - e^(-mu beta))
//
// On a length, a rope that slips around a fixed post, r is 1.
#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {
namespace {

namespace brake_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "brake", text, "", "required"},
    {"on", "a coordinate", text, "", "required"},
    {"torque", "braking torque or force while it slips", number, "N*m or N", "required without band", not_negative,
     moves},
    {"band", "band brake or rope around a drum: {force, radius, friction, wrap}", map, "", ""},
    pair_format::breakaway,
};
constexpr KeySpec band[] = {
    {"force", "pull at the end from which the coordinate moves away", number, "N", "required", not_negative, moves},
    {"radius", "radius of the drum", number, "m", "required on an angle", positive},
    {"friction", "coefficient of friction", number, "1", "required", not_negative},
    {"wrap", "angle of contact", number, "1", "required", positive},
};
}  // namespace brake_format

class Brake final : public ForceKind {
 public:
  FormatSection format() const override { return {"forces: brake", "brake on a coordinate", brake_format::table}; }
  std::vector<FormatSection> maps() const override { return {{"band", "a band brake", brake_format::band}}; }

  void read(const MapReader& map, ForceElement& brake, Reading& reading) const override {
    read_on_coordinate(map, brake_format::table, brake, reading);
    read_values_of(map, "band", brake_format::band, brake, reading);
    if (map.has("torque") == map.has("band"))
      reading.diagnostics.add(map.where(), map.path(map.has("band") ? "band" : "torque"),
                              map.has("band") ? "cannot be combined with 'torque'; give one of them"
                                              : "is missing: give a torque, or a band {force, radius, friction, wrap}");
    if (brake.on.empty() || !map.has("band")) return;
    const auto on = read_coordinate_on(map, reading);
    const bool has_radius = brake.values["band.radius"].given();
    // The drum's radius turns a pull into a torque; a rope around a post on a length has none.
    if (on && has_radius == on->is_length)
      reading.diagnostics.add(
          map.find("band")->where, map.path("band.radius"),
          on->is_length ? "belongs to an angle; this coordinate is a length" : "is missing: the radius of the drum");
  }

  void add(EquationsBuilder& builder, const ForceElement& brake) const override {
    const NamedCoordinate& x = builder.coordinate(brake.on[0], brake.where);
    const auto [forwards, backwards] = efforts(builder, brake);
    add_friction(builder, {"brake " + brake.name, "brake " + brake.name, x.rate, forwards, backwards,
                           breakaway_of(builder, brake)});
    record_effort(builder, brake, x.unit == "m", -select(unit_step(x.rate), forwards, -backwards));
  }

 private:
  static std::pair<Expression, Expression> efforts(EquationsBuilder& builder, const ForceElement& brake) {
    if (brake.values["torque"].given()) {
      const Expression torque = builder.scalar(brake.values["torque"]);
      return {torque, torque};
    }
    const auto number = [&](const char* key) { return builder.scalar(brake.values[key]); };
    const Expression pull = number("band.force") * builder.scalar(brake.values["band.radius"], 1.0),
                     tightening = exp(number("band.friction") * number("band.wrap"));
    return {pull * (tightening - 1.0), pull * (1.0 - 1.0 / tightening)};
  }
};

}  // namespace

const ForceKind& brake_kind() {
  static const Brake kind;
  return kind;
}

}  // namespace armature::internal
