// Formulas over a motion that have no value for it: a signal that is not a number on the way, or a formula of numbers that is none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "observe/outcome.hpp"
#include "record/run_record.hpp"
#include "study/motion_formula.hpp"

namespace armature::internal {

// What a motion gave: its functionals, and for those that are not numbers the time from which on: the signal was none, or changes too
// often to be followed between the steps.
struct Functionals {
  std::vector<double> values, undefined_at;  // s
  std::vector<bool> unresolved;              // the latter; empty: none
};

// "'max(sqrt(a))' has no value: the signal inside max(…) is not a number at t = 0.05 s"; by the name of a result in front of it.
Finding undefined_finding(const MotionFormulas& formulas, std::size_t formula, const Functionals& functionals,
                          const std::string& name = "");

// A finding `undefined` for each formula that is not a number. values: of the formulas.
void add_undefined(const MotionFormulas& formulas, const std::vector<double>& values, const Functionals& functionals,
                   Findings& findings);

// Results of one motion by name, and a finding `undefined` for each that has no value.
struct NamedNumbers {
  RunRecord::Numbers numbers;
  std::vector<std::pair<std::string, std::string>> units;  // by name, where they are known
  Findings findings;
};
NamedNumbers named_numbers(const MotionFormulas& formulas, const std::vector<std::string>& names,
                           const std::vector<double>& values, const Functionals& functionals);

}  // namespace armature::internal
