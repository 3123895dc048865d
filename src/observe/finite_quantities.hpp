// Quantities of the file and energies that are infinite or not a number although the motion goes on.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "mechanics/equations.hpp"
#include "model/finding.hpp"
#include "system/system.hpp"

namespace armature::internal {

class FiniteQuantities {
 public:
  explicit FiniteQuantities(const Equations& equations) : equations_(equations) {}  // kept by reference
  void begin() { list_.clear(), without_value_.clear(); }
  void look(double t, const Observables& values);
  Findings findings() const;  // the first few, and how many more

 private:
  struct WithoutValue {
    std::string_view name;
    bool is_infinite;
    double t;  // since when
  };
  void look(double t, std::string_view name, double value);

  const Equations& equations_;
  std::vector<WithoutValue> list_;            // those that are put into words
  std::set<std::string_view> without_value_;  // all
};

}  // namespace armature::internal
