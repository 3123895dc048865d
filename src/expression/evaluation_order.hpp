// The order in which formulas that name one another are evaluated: what each needs comes first. An explicit stack replaces
// recursion, since a chain of names may be as long as the file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expression/syntax.hpp"

namespace armature::internal {

struct NamedFormulas {
  // The formula of a name that is still to be evaluated; null: there is none, or its value is known.
  std::function<const Formula*(const std::string& name)> pending;
  // Called when everything that the formula names is known; afterwards the name is no longer pending.
  std::function<void(const std::string& name)> evaluate;
  // Called with a chain a, b, …, a. It either throws or settles the last name, so that it is no longer pending.
  std::function<void(const std::vector<std::string>& chain)> cycle;
};

// Evaluates `name` after what it needs. What `evaluate` and `cycle` throw ends the evaluation.
void evaluate_in_order(const std::string& name, const NamedFormulas& formulas);

// "a -> b -> a"; the middle of a long chain is left out.
std::string chain_in_words(const std::vector<std::string>& chain);

}  // namespace armature::internal
