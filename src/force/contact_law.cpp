#include "force/contact_law.hpp"

#include <fmt/format.h>

#include "force/between_coordinates.hpp"
#include "force/rigid_law.hpp"
#include "mechanics/coordinate_forces.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {
namespace {

namespace law_format {
using namespace keys;
constexpr std::string_view laws[] = {"spring_damper", "hunt_crossley", "lankarani_nikravesh"};
constexpr KeySpec hertz[] = {
    {"youngs_modulus", "Young's modulus of both bodies", number, "Pa", "required", positive},
    {"other_modulus", "Young's modulus of the second body, where it differs", number, "Pa", "youngs_modulus", positive},
    {"poisson_ratio", "Poisson's ratio of both bodies", number, "1", "0.3", not_negative},
    {"other_ratio", "Poisson's ratio of the second body, where it differs", number, "1", "poisson_ratio", not_negative},
};
constexpr KeySpec table[] = {
    word("law", "law of the contact force", laws, "spring_damper"),
    {"stiffness",
     "force per penetration; with an exponent n, per (penetration in m)^n; without it surfaces with a restitution are "
     "rigid",
     number, "", "required without hertz or restitution", positive},
    {"hertz", "stiffness from the materials of spheres: {youngs_modulus, poisson_ratio, …}", map, "", ""},
    {"exponent", "n of k x^n", number, "1", "1; 1.5 of hunt_crossley, lankarani_nikravesh and hertz", positive},
    {"damping", "force per rate of penetration, for spring_damper", number, "N*s/m", "0", not_negative},
    {"restitution", "coefficient of restitution, 0 to 1, for rigid surfaces, hunt_crossley and lankarani_nikravesh",
     number, "1", "", not_negative},
    {"impact_speed", "approach speed at which the restitution is exact", number, "m/s", "that of each touch", positive},
    {"friction", "coefficient of friction between the surfaces", number, "1", "0", not_negative},
    {"creep", "sliding speed up to which friction grows; without it, and in a plane, surfaces stick", number, "m/s",
     "required with friction in space", positive},
    pair_format::breakaway,
    rigid_format::tangential,
};
}  // namespace law_format

enum class Law { spring_damper, hunt_crossley, lankarani_nikravesh };

Law law_of(const ForceElement& element) {
  for (std::size_t k = 0; k < std::size(law_format::laws); ++k)
    if (element.word == law_format::laws[k]) return static_cast<Law>(k);
  return Law::spring_damper;
}

bool is_hertz(const ForceElement& element) { return element.values["hertz.youngs_modulus"].given(); }

Expression hertz_stiffness(EquationsBuilder& builder, const ForceElement& element, Expression curvature) {
  if (curvature.is(0))
    throw FormulaError(element.values["hertz.youngs_modulus"].where,
                       "Hertz's stiffness belongs to a sphere against a sphere or a plane; give 'stiffness' here");
  // The second body is like the first but for what is given of it.
  const auto compliance = [&](const char* modulus, const char* ratio) {
    const Expression E = builder.scalar(element.values[modulus],
                                        builder.scalar(element.values["hertz.youngs_modulus"])),
                     nu = builder.scalar(element.values[ratio],
                                         builder.scalar(element.values["hertz.poisson_ratio"], 0.3));
    return (1.0 - nu * nu) / E;
  };
  const Expression both = compliance("hertz.youngs_modulus", "hertz.poisson_ratio") +
                          compliance("hertz.other_modulus", "hertz.other_ratio");
  return 4.0 / (3.0 * both * sqrt(curvature));
}

Expression exponent_of(EquationsBuilder& builder, const ForceElement& element) {
  const bool straight = law_of(element) == Law::spring_damper && !is_hertz(element);
  return builder.scalar(element.values["exponent"], straight ? 1.0 : 1.5);
}

// d v: what the law's damping is at the approach v.
Expression loss_of(EquationsBuilder& builder, const ForceElement& element) {
  const Expression e = builder.scalar(element.values["restitution"]);
  return law_of(element) == Law::hunt_crossley ? 1.5 * (1.0 - e) : 0.75 * (1.0 - e * e);
}

// d, s/m. Without an impact speed it is held from the last step before the surfaces touch; at a start where they do, it is zero.
Expression damping_factor(EquationsBuilder& builder, const ForceElement& element, const Penetration& at,
                          Expression pressed) {
  const Expression loss = loss_of(builder, element);
  if (loss.is(0)) return 0.0;
  if (element.values["impact_speed"].given()) return loss / builder.scalar(element.values["impact_speed"]);
  const std::string name = fmt::format("{}.damping{}", element.name, at.suffix);
  constexpr double slowest = 1e-300;  // m/s: of surfaces that part, whose damping is never used
  const Expression held = builder.add_discrete(name, 0, 0);
  builder.set_next(held, select(pressed, held, loss / kept_above(at.rate, slowest)));
  return held;
}

void report_missing(const MapReader& map, Reading& reading, const char* key, const std::string& message) {
  const YamlNode* node = map.find(key);
  reading.diagnostics.add(node ? node->where : map.where(), map.path(key), message);
}

}  // namespace

KeyTable contact_law_keys() { return law_format::table; }

std::vector<FormatSection> contact_law_maps() {
  return {{"hertz", "materials of two spheres, or of a sphere and a plane", law_format::hertz}};
}

void read_contact_law(const MapReader& map, KeyTable keys, ForceElement& element, Reading& reading) {
  read_values(map, keys, element);
  read_values_of(map, "hertz", law_format::hertz, element, reading);
  element.word = map.choice("law").value_or("spring_damper");
  if (is_rigid(map)) return check_rigid_law(map, reading);
  // What the law needs, and what belongs to another one.
  const bool impacts = law_of(element) != Law::spring_damper;
  const auto report = [&](const char* key, const std::string& message) { report_missing(map, reading, key, message); };
  if (!map.has("stiffness") && !map.has("hertz"))
    report("stiffness",
           "is missing: force per penetration, hertz: {youngs_modulus: …}, or the restitution of rigid surfaces");
  if (map.has("stiffness") && map.has("hertz")) report("hertz", "gives the stiffness; leave one of the two out");
  if (impacts && !map.has("restitution"))
    report("restitution", fmt::format("is missing: the law {} is made of it", element.word));
  if (impacts && map.has("damping"))
    report("damping", fmt::format("belongs to spring_damper; {} follows from the restitution", element.word));
  for (const char* key : {"restitution", "impact_speed"})
    if (!impacts && map.has(key)) report(key, "belongs to law: hunt_crossley or lankarani_nikravesh");
  // What belongs to rigid surfaces, or to friction that is not there.
  for (const char* key : {"sliding", "tangential_restitution"})
    if (map.has(key)) report(key, "belongs to rigid surfaces, which have no stiffness");
  for (const char* key : {"creep", "breakaway"})
    if (map.has(key) && !map.has("friction")) report(key, "belongs to friction, which is not given");
  if (map.has("creep") && map.has("breakaway"))
    report("breakaway", "has no meaning where surfaces creep; leave creep out");
}

Expression add_contact_law(EquationsBuilder& builder, const ForceElement& element, const Penetration& at) {
  const Law law = law_of(element);
  const Expression e = builder.scalar(element.values["restitution"]);
  builder.require_not_negative(1.0 - e, element.values["restitution"].where,
                               "a restitution is at most 1: more would make energy");
  const Expression pressed = unit_step(at.x), x = kept_above(at.x, 0.0), n = exponent_of(builder, element);
  const Expression k =
      is_hertz(element) ? hertz_stiffness(builder, element, at.curvature) : builder.scalar(element.values["stiffness"]);
  const Expression spring = k * (n.is(1) ? at.x : pow(x, n));
  // Of the laws of impact the factor is not negative. It becomes so only where something tears the surfaces apart faster than they met: a
  // kink of a force that goes on without a jump, and worth no search in every step.
  const auto factor = [&] { return kept_above(1.0 + damping_factor(builder, element, at, pressed) * at.rate, 0.0); };
  const Expression damping = builder.scalar(element.values["damping"]), sum = spring + damping * at.rate;
  const std::string label = "contact " + element.name + (at.suffix.empty() ? "" : " at point " + at.suffix);
  said(pressed, label, {.rises = "touches", .falls = "lifts off"});
  builder.graph().set_touch(pressed);
  const bool looks_apart =
      element.surfaces.empty() || damping.is(0);  // without damping it is the comparison of the touch itself
  const Expression both = looks_apart ? sum : select(pressed, sum, 1.0);
  const Expression force = law != Law::spring_damper ? spring * factor() : max(both, 0.0);
  if (law == Law::spring_damper && !damping.is(0))
    said(unit_step(both), label, {.rises = "pushes", .falls = "ceases to push"});
  const Expression push = select(pressed, force, 0.0);
  builder.apply(-push, at.rate);
  // what is not stored is lost
  Equations& equations = builder.equations();
  const Expression energy = select(pressed, n.is(1) ? 0.5 * (k * at.x * at.x) : spring * x / (n + 1.0), 0.0);
  equations.potential += energy;
  equations.elastic += energy;
  equations.dissipation += push * at.rate - select(pressed, spring * at.rate, 0.0);
  equations.applied_power += push * at.moved;
  record_part(builder, element, "gap" + at.suffix, "m", -at.x);
  record_part(builder, element, "penetration" + at.suffix, "m", select(pressed, at.x, 0.0));
  record_part(builder, element, "force" + at.suffix, "N", push);
  return push;
}

namespace {

// In a plane: along the one tangent, with stiction where no creep is given.
Expression drag_along(EquationsBuilder& builder, const ForceElement& element, Expression rate, Expression most) {
  if (element.values["creep"].given()) {
    const Expression creep = builder.scalar(element.values["creep"]),
                     drag = most * rate / sqrt(rate * rate + creep * creep);
    builder.apply(-drag, rate);
    builder.equations().friction += drag * rate;
    return drag;
  }
  add_friction(builder, {"sliding in contact " + element.name, "contact " + element.name, rate, most, most,
                         breakaway_of(builder, element)});
  return select(unit_step(rate), most, -most);
}

// In space: against the slip, a vector across the normal.
Expression drag_across(EquationsBuilder& builder, const ForceElement& element, const ContactPair& pair,
                       Expression most) {
  if (!element.values["creep"].given())
    throw FormulaError(element.values["friction"].where,
                       "in space friction needs 'creep', the sliding speed up to which it grows, such as 1 mm/s");
  const Expression creep = builder.scalar(element.values["creep"]);
  const Vec3 slip = pair.velocity - pair.gap_rate * pair.normal;
  const Expression speed = sqrt(dot(slip, slip) + creep * creep);
  for (std::size_t i = 0; i < 3; ++i) builder.apply(-(most * slip[i] / speed), pair.velocity[i]);
  builder.equations().friction += most * dot(slip, slip) / speed;
  return most * sqrt(dot(slip, slip)) / speed;
}

}  // namespace

void add_contact_friction(EquationsBuilder& builder, const ForceElement& element, const ContactPair& pair,
                          Expression push) {
  const Expression mu = builder.scalar(element.values["friction"]);
  if (mu.is(0)) return;
  const bool planar = !builder.model().plane.empty();
  const Expression drag = planar ? drag_along(builder, element, pair.slip_rates[0], mu * push)
                                 : drag_across(builder, element, pair, mu * push);
  const Vec3 slip = pair.velocity - pair.gap_rate * pair.normal;
  record_part(builder, element, "friction" + pair.suffix, "N", planar ? -drag : drag);
  record_part(builder, element, "slip" + pair.suffix, "m/s", planar ? pair.slip_rates[0] : sqrt(dot(slip, slip)));
}

}  // namespace armature::internal
