// Laws of compliant contact: the push F against a penetration x = -gap and its rate x', and what it stores and loses.
//
//   spring_damper         F = k x^n + c x'
//   hunt_crossley         F = k x^n (1 + d x'),   d = 3 (1 - e)/(2 v)        Hunt and Crossley, J. Appl. Mech. 42 (1975)
//   lankarani_nikravesh   F = k x^n (1 + d x'),   d = 3 (1 - e^2)/(4 v)      Lankarani and Nikravesh, J. Mech. Des. 112 (1990)
//
// e is the coefficient of restitution and v the speed of the approach: the one that is given, or that of each touch. None pulls.
//
// Hertz's stiffness of two spheres, or of a sphere and a plane, of the common curvature 1/R:
//   k = 4/3 E sqrt(R),  n = 3/2,   1/E = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b
#pragma once

#include "mechanics/contact_geometry.hpp"
#include "model/force_element.hpp"

namespace armature::internal {

// The keys of laws, and what they read.
KeyTable contact_law_keys();
std::vector<FormatSection> contact_law_maps();
void read_contact_law(const MapReader& map, KeyTable keys, ForceElement& element, Reading& reading);

// A place where a law acts. `rate` is that of the penetration, linear in v but for what moves with t.
struct Penetration {
  std::string suffix;  // of several
  Expression x, rate;
  Expression moved = 0;      // the part of the rate that t makes
  Expression curvature = 0;  // of the surfaces, for Hertz's stiffness
};

// Adds the push, its energy and its losses; records NAME.gap, NAME.penetration and NAME.force. The push.
Expression add_contact_law(EquationsBuilder& builder, const ForceElement& element, const Penetration& at);

// Coulomb friction of a pair that is pressed together with `push`; records NAME.friction and NAME.slip.
void add_contact_friction(EquationsBuilder& builder, const ForceElement& element, const ContactPair& pair,
                          Expression push);

}  // namespace armature::internal
