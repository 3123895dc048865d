// Dry friction of a joint with its load: mu times the force that presses its surfaces together, against the sliding s' = arm x'.
//
//   slide      N = |F_n|, the force across the axis; with a length l between two pads, |F_n/2 + M x e/l| + |F_n/2 - M x e/l|
//   bearing    the same of a pin with the radius r: arm = r; a shoulder of radius R adds (R/r) |F_e|, the force along the axis
//   thread     with the lead angle l and the flank angle p:  F_e = N cos(p) cos(l) + f sin(l),  arm = r/cos(l), f: friction along s
//
// N follows from the reaction of the joint, which friction itself changes: it is solved for (mechanics/friction_load.hpp). At rest
// the joint sticks. The coefficient may fall from a static one with the sliding speed (Stribeck),
//
//   mu(s') = mu + (mu_s - mu) exp(-(s'/v)^2),
//
// or belong to bristles of deflection z (LuGre; Canudas de Wit et al. 1995), which stick elastically:
//
//   f = N (s0 z + s1 z'),   z' = s' - s0 |s'| z/mu(s'),   s0 = mu/(deflection at which they slip)
#include <algorithm>
#include <cmath>

#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "mechanics/coordinate_forces.hpp"
#include "mechanics/friction_load.hpp"
#include "model/joint_components.hpp"
#include "model/joint_type.hpp"

namespace armature::internal {
namespace {

namespace friction_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "friction", text, "", "required"},
    {"on", "coordinate of a revolute, prismatic, cylindrical or screw joint", text, "", "required"},
    {"coefficient", "coefficient of sliding friction", number, "1", "required", not_negative, moves},
    {"radius", "radius of the pin, or mean radius of the thread", number, "m", "required on an angle", positive},
    {"length",
     "length of the guide or bearing: two pads or rings this far apart carry moments; without it, moments cause no "
     "friction",
     number, "m", "", positive},
    {"collar", "mean radius of a shoulder that carries the force along the axis of a bearing", number, "m", "0",
     not_negative},
    {"flank_angle", "half the angle of the thread's profile: 0 square, 15 deg trapezoidal, 30 deg metric", number, "1",
     "0", not_negative},
    {"stribeck",
     "Stribeck effect, a coefficient that falls from a static value as the joint begins to slide: {static, speed}", map,
     "", ""},
    {"lugre", "bristles that stick elastically: {deflection, damping}", map, "", ""},
    pair_format::breakaway,
};
constexpr KeySpec stribeck[] = {
    {"static", "coefficient at rest", number, "1", "required", not_negative},
    {"speed", "sliding speed at which 37 % of the difference remains", number, "m/s", "required", positive},
};
constexpr KeySpec lugre[] = {
    {"deflection", "deflection at which the bristles slip", number, "m", "required", positive},
    {"damping", "coefficient of friction per rate of deflection", number, "s/m", "0", not_negative},
};
}  // namespace friction_format

const Joint* joint_with(const Model& model, const std::string& coordinate) {
  for (const Joint& joint : model.joints)
    for (const JointComponent& component : components_of(joint.type))
      if (coordinate_name(joint, component) == coordinate) return &joint;
  return nullptr;
}

bool carries_friction(const Joint& joint) {
  return joint.type == JointType::revolute || joint.type == JointType::prismatic ||
         joint.type == JointType::cylindrical || joint.type == JointType::screw;
}

std::vector<Expression> parts(const Vec3& x) {
  std::vector<Expression> list;
  for (const Expression& part : x)
    if (!part.is(0)) list.push_back(part);
  return list;
}

// Forces across the axis, on one surface or on the two ends of a length; and those along it on a collar.
std::vector<LoadTerm> surface_terms(const JointWrench& wrench, const Expression* length, Expression collar_share,
                                    bool slides) {
  const Vec3 across = cross(wrench.axis, wrench.force);  // as long as the force, and perpendicular to it
  std::vector<LoadTerm> terms;
  if (length) {
    const Vec3 moment = slides ? wrench.moment - cross(wrench.to_b, wrench.force) : wrench.moment;
    const Vec3 couple = (1.0 / *length) * (moment - dot(moment, wrench.axis) * wrench.axis);
    terms.push_back({1.0, parts(0.5 * across + couple)});
    terms.push_back({1.0, parts(0.5 * across - couple)});
  } else {
    terms.push_back({1.0, parts(across)});
  }
  if (!collar_share.is(0)) terms.push_back({collar_share, {dot(wrench.axis, wrench.force)}});
  std::erase_if(terms, [](const LoadTerm& term) { return term.n.empty(); });
  return terms;
}

class Friction final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: friction", "dry friction of a joint with its load", friction_format::table};
  }
  std::vector<FormatSection> maps() const override {
    return {{"stribeck", "coefficient that falls with the sliding speed", friction_format::stribeck},
            {"lugre", "bristles between the surfaces", friction_format::lugre}};
  }

  void read(const MapReader& map, ForceElement& friction, Reading& reading) const override {
    read_on_coordinate(map, friction_format::table, friction, reading);
    read_values_of(map, "stribeck", friction_format::stribeck, friction, reading);
    read_values_of(map, "lugre", friction_format::lugre, friction, reading);
    if (friction.on.empty()) return;
    const Joint* joint = joint_with(reading.model, friction.on[0]);
    const auto report = [&](const char* key, const char* message) {
      const YamlNode* node = map.find(key);
      reading.diagnostics.add(node ? node->where : map.where(), map.path(key), message);
    };
    if (!joint || !carries_friction(*joint))
      return report(
          "on", "has no load: friction acts on the coordinate of a revolute, prismatic, cylindrical or screw joint");
    // What the kind of joint needs, and what belongs to another kind.
    const bool is_length = find_coordinate(reading.model, friction.on[0])->is_length,
               is_screw = joint->type == JointType::screw;
    if (!is_length && !map.has("radius"))
      report("radius", is_screw ? "is missing: the mean radius of the thread" : "is missing: the radius of the pin");
    if (is_length && map.has("radius")) report("radius", "belongs to an angle; this coordinate is a length");
    if (map.has("flank_angle") && !is_screw) report("flank_angle", "belongs to the thread of a screw joint");
    if (map.has("length") && is_screw) report("length", "has no meaning for a thread");
    if (map.has("collar") && joint->type != JointType::revolute) report("collar", "belongs to a revolute joint");
    if (map.has("lugre") && map.has("breakaway"))
      report("breakaway", "has no meaning for bristles; give stribeck a static coefficient");
    if (map.has("stribeck") && map.has("breakaway"))
      report("breakaway", "cannot be combined with the static coefficient of stribeck");
  }

  void add(EquationsBuilder& builder, const ForceElement& friction) const override {
    const NamedCoordinate& x = builder.coordinate(friction.on[0], friction.where);
    const Joint& joint = *joint_with(builder.model(), friction.on[0]);
    const bool is_length = x.unit == "m", is_screw = joint.type == JointType::screw;
    if (is_screw && std::ranges::count(builder.equations().cut_joints, joint.name) > 0)
      throw FormulaError(friction.where,
                         "the screw closes a loop, where its thread has no force of its own: give another joint of "
                         "this loop 'cut: true'");
    // The sliding speed at the surface, its coefficient, and the share of the load that acts, with its sign.
    const Thread thread = is_screw ? thread_of(builder, friction, joint) : Thread{};
    const Expression arm = is_length  ? Expression(1.0)
                           : is_screw ? builder.scalar(friction.values["radius"]) / thread.cosine
                                      : builder.scalar(friction.values["radius"]);
    const Expression sliding = arm * x.rate, mu = coefficient(builder, friction, sliding);
    const std::string label = "friction of " + friction.name;
    builder.graph().set_comparison_label(label);
    const bool has_bristles = friction.values["lugre.deflection"].given();
    const Expression forwards = said(unit_step(x.rate), label, friction_words("joint " + joint.name)),
                     share = has_bristles ? bristles(builder, friction, sliding, mu) : select(forwards, mu, -mu);
    // The load follows from the joint's reaction, which the share of it changes; it is solved for later.
    const Expression load =
        add_joint_load(builder, friction.name, friction.where, joint.name,
                       is_screw ? thread_terms(thread, share)
                                : surface_terms_of(builder, friction, joint.type != JointType::revolute));
    const Expression effort = load * share * arm;
    builder.apply(-effort, x.rate);
    builder.equations().friction += effort * x.rate;
    // Bristles stick by themselves; else the comparison of the direction slides at rest.
    if (!has_bristles && !forwards.is_constant() && forwards.node().op == Op::outcome)
      builder.graph().set_breakaway(forwards.node().a, breakaway_of(builder, friction));
    record_part(builder, friction, "load", "N", load);
    record_effort(builder, friction, is_length, -effort);
  }

 private:
  static FrictionLoad::Terms surface_terms_of(EquationsBuilder& builder, const ForceElement& friction, bool slides) {
    const Expression length = builder.scalar(friction.values["length"]),
                     collar =
                         builder.scalar(friction.values["collar"]) / builder.scalar(friction.values["radius"], 1.0);
    const bool has_length = friction.values["length"].given();
    return [=](const JointWrench& wrench, Expression) {
      return surface_terms(wrench, has_length ? &length : nullptr, collar, slides);
    };
  }

  struct Thread {
    Expression sine, cosine, flank_cosine;
  };
  static Thread thread_of(EquationsBuilder& builder, const ForceElement& friction, const Joint& joint) {
    const Expression lead_angle =
        atan(builder.scalar(joint.own[0]) / (2.0 * M_PI * builder.scalar(friction.values["radius"])));
    return {sin(lead_angle), cos(lead_angle), cos(builder.scalar(friction.values["flank_angle"]))};
  }
  // The force along the axis is that of the flanks and of their own friction.
  static FrictionLoad::Terms thread_terms(const Thread& thread, Expression share) {
    return [=](const JointWrench& wrench, Expression load) {
      const Expression axial = dot(wrench.axis, wrench.force) + share * load * thread.sine;
      return std::vector<LoadTerm>{{1.0 / (thread.cosine * thread.flank_cosine), {axial}}};
    };
  }

  static Expression coefficient(EquationsBuilder& builder, const ForceElement& friction, Expression sliding) {
    const Expression mu = builder.scalar(friction.values["coefficient"]);
    if (!friction.values["stribeck.static"].given()) return mu;
    const Expression at_rest = builder.scalar(friction.values["stribeck.static"]),
                     speed = builder.scalar(friction.values["stribeck.speed"]);
    return mu + (at_rest - mu) * exp(-square(sliding / speed));
  }

  static Expression bristles(EquationsBuilder& builder, const ForceElement& friction, Expression sliding,
                             Expression mu) {
    const Expression stiffness = builder.scalar(friction.values["coefficient"]) /
                                 builder.scalar(friction.values["lugre.deflection"]),
                     damping = builder.scalar(friction.values["lugre.damping"]);
    const std::string state = friction.name + ".deflection";
    const Expression z = builder.add_state(state, "m", friction.name);
    const Expression rate = sliding - stiffness * abs(sliding) * z / mu;
    builder.set_rate(z, rate);
    builder.offer(state, [z] { return Value(z); });
    builder.offer(state + "'", [rate] { return Value(rate); });
    return stiffness * z + damping * rate;
  }
};

}  // namespace

const ForceKind& friction_kind() {
  static const Friction kind;
  return kind;
}

}  // namespace armature::internal
