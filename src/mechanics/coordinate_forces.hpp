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

// Coulomb: -friction sign(rate). At rest the comparison rate > 0 slides, which is stiction. owner: of the coordinate, "joint crank".
void add_friction(EquationsBuilder& builder, const NamedCoordinate& coordinate, Expression friction, double breakaway,
                  const std::string& owner);

// What events say of friction.
ComparisonWords friction_words(const std::string& subject);

// The same between any two sides of a rate:  -forwards where it is positive, +backwards where it is negative; at rest, whatever
// between them holds the rate at zero.
struct DryFriction {
  std::string label, subject;  // of the comparison, for messages; of its events
  Expression rate, forwards, backwards;
  double breakaway = 1;
};
void add_friction(EquationsBuilder& builder, const DryFriction& friction);

// What events say of a push: where x becomes positive and negative, and where damping alone ends the push and lets it begin.
struct PushWords {
  std::string subject, touches, leaves;
  std::string pushes = "pushes again", ceases = "ceases to push";
  std::string label = {};  // of the comparisons, for messages; empty: the subject
};

// Pushes back against x > 0 with  stiffness x + damping x'  and never pulls. Returns the push.
Expression add_push(EquationsBuilder& builder, Expression x, Expression rate, Expression stiffness, Expression damping,
                    const PushWords& words);

// An end stop at `limit` pushes back with k x + c x' while it is pressed (x > 0) and never pulls. side: 1 or -1.
void add_stop(EquationsBuilder& builder, const NamedCoordinate& coordinate, double side, Expression limit,
              Expression stiffness, Expression damping);

void add_force_elements(EquationsBuilder& builder);  // those of the model, each by its kind

}  // namespace armature::internal
