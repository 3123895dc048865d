// Units of formulas, by their syntax: for the columns of results. Checks leave the dimension of bare numbers, angles and signals
// open (expression/lower.hpp); here values of sin and the like are pure numbers, and so are pi, fractions such as 1/2 and whole numbers
// below ten that divide: "(a + b)/2" and "a^2/(2*a)" have the unit of a. Any other bare number could carry a unit of its own, so the unit
// stays open: "0.5*motor.current" and "2*(1 - angle)" could be torques.
//
// Angles have no dimension, but results show them in rad. What is in proportion to an angle is one as well, and its rate is in rad/s;
// times a length it is a length.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "expression/syntax.hpp"

namespace armature::internal {

struct InferredUnit {
  std::optional<Dimension> dimension = {};  // nothing: it is not known
  bool turns = false;                       // an angle, or its rate

  std::string text() const;  // in SI; "" for a pure number, and where it is not known
};

// What a name of a formula has.
using NameUnits = std::function<InferredUnit(const std::string& name)>;

InferredUnit inferred_unit(const Syntax& syntax, const NameUnits& names);

// "rad/s" as the unit of a signal
InferredUnit unit_of_text(const std::string& unit);

// Of what does the work of one joule along a quantity: a force along a length, a torque along an angle.
InferredUnit force_along(const InferredUnit& quantity);

}  // namespace armature::internal
