// Comparisons of what is not a number. The outcome of sqrt(x) > 1 is held as "no" where x is negative, since a motion must go on; but
// what is recorded or measured must not turn that into an ordinary number. Expressions made by this class are not numbers there:
//
//   outcome  ->  outcome + max(0, min(0, root)),   which is the outcome itself, or NaN where the root is
//
// A branch that select() does not look at does not count: if(x > 0, if(sqrt(x) > 1, 1, 2), 3) is 3 where x is negative. Outcomes whose
// roots are numbers wherever the state is one (sums, products, sines) stay as they are.
#pragma once

#include <vector>

#include "expression/derivative.hpp"

namespace armature::internal {

class UndefinedOutcomes {
 public:
  Expression operator()(Expression x);

 private:
  void look_at_nodes(const Graph& graph);
  void mark(Graph& graph, std::size_t comparison);

  std::vector<bool> may_be_undefined_;  // nodes, by id
  std::size_t marked_ = 0;              // comparisons
  Substitution marking_{{}};
};

}  // namespace armature::internal
