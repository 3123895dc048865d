// Constraint rows phi = 0: what every source of them goes through, and those that the file prescribes by a formula.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

struct NewRow {
  std::string owner;      // "wrist2": the joint or constraint it comes from
  std::string suffix;     // "x"; empty where the owner has one row
  std::string direction;  // for messages
  std::string unit;
  Expression phi;
  std::vector<Expression> terms = {};  // what phi is a difference of, m; none: pure numbers
};

// Adds a row; notes it as vanished where phi folded to zero. Throws FormulaError where phi depends on more than positions and t.
// The row, or null where there is none.
ConstraintRow* add_row(EquationsBuilder& builder, Location where, const NewRow& row);

// Adds a row that holds velocities alone, rate = A(q) v = 0; notes it as vanished where the rate folded to zero.
ConstraintRow* add_velocity_row(EquationsBuilder& builder, Location where, const NewRow& row, Expression rate);

// The prescribed constraints of the model.
void add_prescribed(EquationsBuilder& builder);

}  // namespace armature::internal
