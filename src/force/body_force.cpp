// A force F on a place of a body, or a torque N on a body, along the axes of the ground or of the body. Their power F.v + N.w is
// that of applied forces.
#include "force/force_kinds.hpp"
#include "mechanics/bodies.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

namespace body_force_format {
using namespace keys;
constexpr std::string_view frames[] = {"ground", "body"};
constexpr KeySpec force[] = {
    {"type", "force", text, "", "required"},
    {"on", "a place on a body", text, "", "required"},
    {"is", "the force", vector, "N", "required", any, moves},
    word("frame", "axes in which the vector is given", frames, "ground"),
};
constexpr KeySpec torque[] = {
    {"type", "torque", text, "", "required"},
    {"on", "a body", text, "", "required"},
    {"is", "the torque", vector, "N*m", "required", any, moves},
    word("frame", "axes in which the vector is given", frames, "ground"),
};
}  // namespace body_force_format

class BodyForce final : public ForceKind {
 public:
  explicit BodyForce(bool is_torque) : is_torque_(is_torque) {}

  FormatSection format() const override {
    return is_torque_ ? FormatSection{"forces: torque", "torque on a body", body_force_format::torque}
                      : FormatSection{"forces: force", "force on a place", body_force_format::force};
  }

  void read(const MapReader& map, ForceElement& force, Reading& reading) const override {
    force.in_body = map.choice("frame").value_or("ground") == "body";
    const YamlNode* on = map.find("on");
    force.places.resize(1);
    if (on) force.places[0] = read_attachment(*on, map.path("on"), reading).value_or(Attachment{});
    if (on && force.places[0].body == "ground")
      reading.diagnostics.add(on->where, map.path("on"),
                              "is on the ground, which does not move; name a place on a body");
    read_values(map, format().keys, force);
  }

  void add(EquationsBuilder& builder, const ForceElement& force) const override {
    builder.graph().set_comparison_label("force " + force.name);
    const Attachment& on = force.places[0];
    if (on.body == "ground") throw FormulaError(force.where, "acts on the ground, which does not move");
    Bodies& bodies = builder.bodies_with(on.body, on.where);
    if (!bodies.can_move(on))
      return;  // only the reaction of the joint that fixes the body, built apart, sees the force
    const Vec3 is = builder.vector(force.values["is"]);
    for (const Expression& power :
         bodies.apply_wrench(on, is_torque_ ? Vec3{} : is, is_torque_ ? is : Vec3{}, force.in_body))
      builder.equations().applied_power += power;
  }

 private:
  bool is_torque_;
};

}  // namespace

const ForceKind& force_kind() {
  static const BodyForce kind(false);
  return kind;
}

const ForceKind& torque_kind() {
  static const BodyForce kind(true);
  return kind;
}

}  // namespace armature::internal
