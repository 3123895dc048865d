// Units of formulas of a model, for the columns of results (unit_inference.hpp).
#pragma once

#include <map>
#include <string>

#include "model/scope.hpp"
#include "model/unit_inference.hpp"

namespace armature::internal {

class FormulaUnits {
 public:
  explicit FormulaUnits(const Model& model);  // which must outlive it
  FormulaUnits(const FormulaUnits&) = delete;

  void know(const std::string& name, const std::string& unit);  // of a channel that has one

  InferredUnit inferred(const Formula& formula) const;
  std::optional<Dimension> dimension_of(const Formula& formula) const;  // nothing: it is not known
  std::string unit_of(const Formula& formula) const;                    // of SI; "" also for a pure number

 private:
  void add_angles();
  void add_signals();
  InferredUnit name(const std::string& name) const;
  void settle(const std::string& definition) const;

  const Model& model_;
  mutable Graph graph_;
  Scope exact_;
  std::map<std::string, const Formula*> formulas_;     // of definitions, lists, controllers and parameters
  mutable std::map<std::string, InferredUnit> known_;  // of these and of what turns
};

// Everything that moves as a leaf, with its dimension wherever it has one.
Scope exact_scope(const Model& model, Graph& graph);

}  // namespace armature::internal
