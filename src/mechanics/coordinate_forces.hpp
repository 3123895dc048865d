// Elements that act on a coordinate, whatever it belongs to. Each states its force, its energy and the power it loses.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

// A spring and a damper:  -stiffness stretch - damping stretch',  where rate = stretch'.
void add_spring(EquationsBuilder& builder, Expression stretch, Expression rate, Expression stiffness,
                Expression damping);

// The same on a coordinate x, relaxed at x = rest.
void add_coordinate_spring(EquationsBuilder& builder, const NamedCoordinate& coordinate, Expression stiffness,
                           Expression damping, Expression rest);

// Stiction over sliding friction; 1 where none is given. Throws FormulaError.
double breakaway_of(EquationsBuilder& builder, const Formula& breakaway);

// Coulomb: -friction sign(rate). At rest the comparison rate > 0 slides, which is stiction.
void add_friction(EquationsBuilder& builder, const NamedCoordinate& coordinate, Expression friction, double breakaway);

// The same between any two sides of a rate:  -forwards where it is positive, +backwards where it is negative; at rest, whatever
// between them holds the rate at zero.
struct DryFriction {
  std::string label;  // of the comparison, for messages
  Expression rate, forwards, backwards;
  double breakaway = 1;
};
void add_friction(EquationsBuilder& builder, const DryFriction& friction);

// Pushes back against x > 0 with  stiffness x + damping x'  and never pulls. Returns the push.
Expression add_push(EquationsBuilder& builder, Expression x, Expression rate, Expression stiffness, Expression damping);

// Changes in words of the comparison by which elastic surfaces touch; its root is the penetration, or in proportion to it.
namespace words {
inline constexpr const char *touches = "touches", *lifts_off = "lifts off";
}

// An end stop at `limit` pushes back with k x + c x' while it is pressed (x > 0) and never pulls. side: 1 or -1.
void add_stop(EquationsBuilder& builder, const NamedCoordinate& coordinate, double side, Expression limit,
              Expression stiffness, Expression damping);

void add_force_elements(EquationsBuilder& builder);  // those of the model, each by its kind

}  // namespace armature::internal
