// A State with the names of its entries, as run.json holds it: every digit, so that a run can be repeated or continued.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mechanics/equations.hpp"
#include "system/state.hpp"

namespace armature::internal {

struct StoredState {
  using Entries = std::vector<std::pair<std::string, double>>;
  double t = 0;
  Entries q, v, z;
  Entries d;              // discrete values
  std::vector<double> w;  // outcomes of comparisons
  std::vector<ComparisonStatus> comparisons;
};

StoredState store(const State& state, const Equations& equations);

// Throws RecordError, which names the first coordinate that does not fit, if the state is of another model.
// further: the model may have comparisons besides those of the state, which count as not yet made.
State restore(const StoredState& stored, const Equations& equations, bool further = false);

}  // namespace armature::internal
