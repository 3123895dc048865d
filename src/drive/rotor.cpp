#include "drive/rotor.hpp"

#include <fmt/format.h>

#include "mechanics/bodies.hpp"
#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {

namespace {

constexpr KeySpec rotor_table[] = {
    {"carried_by", "the body that carries the motor", Holds::text, "", "required"},
    {"axis", "spin axis of the rotor: x, y, z or a vector in this body's frame", Holds::vector, "", "required"},
};

}  // namespace

FormatSection rotor_map_format() { return {"rotor", "a rotor carried by a body", rotor_table}; }

void read_carrier(const MapReader& drive_map, Drive& drive, Reading& reading) {
  const YamlNode* node = drive_map.find("rotor");
  if (!node) return;
  const MapReader map(*node, rotor_table, drive_map.path("rotor"), reading);
  drive.rotor.axis = map.axis("axis");
  drive.rotor.carried_by = map.text("carried_by").value_or("");
  std::vector<std::string> bodies;
  for (const Body& body : reading.model.bodies) bodies.push_back(body.name);
  if (map.has("carried_by") && std::find(bodies.begin(), bodies.end(), drive.rotor.carried_by) == bodies.end())
    reading.diagnostics.add(
        map.find("carried_by")->where, map.path("carried_by"),
        fmt::format("there is no body '{}'{}", drive.rotor.carried_by, did_you_mean(drive.rotor.carried_by, bodies)));
}

void add_rotor(EquationsBuilder& builder, const Drive& drive, const Gear& gear) {
  const Rotor& rotor = drive.rotor;
  const Expression J = builder.scalar(rotor.inertia), d = builder.scalar(rotor.viscous_friction);
  // On the ground the inertia is reflected; on a body it turns with the body, whose turning gives its spin a moment.
  if (rotor.carried_by.empty()) {
    if (!J.is(0)) builder.add_inertia(J, gear.speed());
  } else {
    const auto [R, w] = builder.bodies_with(rotor.carried_by, drive.where).turning_of(rotor.carried_by);
    Vec3 n = builder.vector(rotor.axis);
    n = R * ((1.0 / norm(n)) * n);
    const Expression spin = dot(n, w) + gear.speed();
    builder.add_inertia(J, spin);
    const Vec3 moment = (J * spin) * cross(w, n);
    for (int i = 0; i < 3; ++i) builder.apply(-moment[i], w[i]);
  }
  builder.equations().dissipation += d * gear.speed() * gear.speed();
  const Expression coulomb = builder.scalar(rotor.coulomb_friction);
  if (!coulomb.is(0))
    add_friction(builder, {drive.name, "rad", gear.angle(), gear.speed()}, coulomb, 1, "drive " + drive.name);
}

}  // namespace armature::internal
