// A rigid contact: a gap, a function of positions and t, that does not become negative. Its force N >= 0 acts along the gap, and
// dry friction T along a sliding velocity s, if it has one. Three values that the run sets at events say what holds between them:
//
//   closed = 0                  N = 0               T = 0
//   closed = 1                  gap'' = 0
//   closed = 1, sticks = 1                          s' = 0
//   closed = 1, sticks = 0                          T = -friction direction N,   direction = 1 or -1: that of s
//
// In space s and T are vectors along two tangents, and friction acts against s wherever it turns: T = -friction N s/|s|. So that this is
// smooth where s begins and where a step goes beyond its end, s/|s| is
//
//   (r d + b d')/|r d + b d'|,   r = (a + sqrt(a^2 + 4 slow^2))/2,   a = d.s,  b = d'.s
//
// with a direction d that the run holds, d' across it, and a small speed `slow`: r is a where s is faster.
//
// N and T are unknowns that forces depend on in proportion, as loads of friction are (friction_load.hpp), so that contacts need no
// solver of their own. Each is the solution of one row,
//
//   closed gap'' + (1 - closed) N = 0,    sticks s' + (1 - sticks)(T + friction direction N) = 0.
//
// Rows of contacts that carry a body together may depend on each other. The matrix then gets a larger diagonal, and the forces are
// found in a few steps: the motion is the same, and the forces are the smallest that give it (`softness`: by which part it is larger).
//
// Impacts, and what a contact does next, are found by the run (events/contacts.hpp).
#pragma once

#include <string>

#include "expression/graph.hpp"
#include "expression/syntax.hpp"

namespace armature::internal {

class EquationsBuilder;

struct RigidContact {
  std::string name;   // of its element
  std::string label;  // in words: "contact floor"
  std::string unit;   // of the gap, m or rad
  Location where;
  Expression gap, rate;  // rate: gap'
  Expression sliding;    // s, linear in v; 0: it has no friction
  Expression second;     // s along the second tangent; 0: there is one
  Expression ahead;      // s, or its part along the direction held: what slides goes on sliding while it has its sign
  Expression restitution, friction, tangential_restitution;
  Expression force, tangential_force, second_force;  // N, T along both tangents
  int closed = -1, sticks = -1, direction = -1;      // of Equations::discrete
  int across = -1, slow = -1;                        // in space: direction and across are d, along both tangents

  bool has_friction() const { return !sliding.is_constant(); }
  bool has_two_tangents() const { return across >= 0; }
};

// What an element gives. gap must depend on positions and t only.
struct ContactLaw {
  std::string name, label, unit;
  Location where;
  Expression gap;
  Expression sliding = 0.0, second = 0.0;  // along one tangent, or two
  Expression restitution = 0.0, friction = 0.0, tangential_restitution = 0.0;
};

// Adds the force to the equations and the contact to Equations::contacts.
RigidContact add_rigid_contact(EquationsBuilder& builder, const ContactLaw& law);

}  // namespace armature::internal
