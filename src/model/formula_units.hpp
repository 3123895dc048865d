// Units of formulas, for the columns of results. Checks leave the dimension of angles, signals and bare numbers open, so that
// "24 V - 0.5*motor.current" may be written; here angles count as pure numbers, and signals have their units.
#pragma once

#include <map>
#include <string>

#include "model/scope.hpp"

namespace armature::internal {

class FormulaUnits {
 public:
  explicit FormulaUnits(const Model& model);  // which must outlive it

  std::optional<Dimension> dimension_of(const Formula& formula) const;  // nothing: it is not known
  std::string unit_of(const Formula& formula) const;                    // of SI; "" also for a pure number

 private:
  Graph graph_;
  Scope exact_, checking_;
};

// Everything that moves as a leaf, with its dimension wherever it has one.
Scope exact_scope(const Model& model, Graph& graph);

}  // namespace armature::internal
