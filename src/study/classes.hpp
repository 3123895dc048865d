// Classes of motions: conditions in order, of which the first that holds gives the class. A class is decided as soon as
// the conditions before it cannot hold any more and its own cannot fail any more, whatever the rest of the motion brings.
//
//   never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/interval.hpp"
#include "study/motion_formula.hpp"

namespace armature::internal {

class Classes {
 public:
  // Adds the conditions to the formulas. The last class needs no condition; if it has one, motions that meet no condition are
  // `other`. Throws FormulaError.
  Classes(const std::string& text, MotionFormulas& formulas);

  const std::vector<std::string>& names() const { return names_; }

  // The class, where `values` are those of all formulas at the end of the motion; -1: a condition that decides has no value.
  int of(const std::vector<double>& values) const;
  // The formula that is the first such condition.
  std::size_t undefined_condition(const std::vector<double>& values) const;

  // The class, if it can be told from the bounds of the functionals already.
  std::optional<int> decided(const std::vector<Interval>& functionals, std::span<const double> varied) const;
  // The same as a function in C++ for a card (study_motion.hpp): `decided`, which gives -1 where it cannot be told.
  std::string code() const;

 private:
  struct Node;  // of a condition as written, with its names looked up
  Node look_up(const Syntax& tree) const;
  Node look_up_name(const std::string& name) const;

  const MotionFormulas& formulas_;
  std::vector<std::string> names_;
  std::vector<int> conditions_;  // numbers of formulas
  std::vector<std::shared_ptr<const Node>> nodes_;
};

}  // namespace armature::internal
