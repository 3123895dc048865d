// What is left of an elimination from link to link: the steps by which right sides follow it (articulated_pass.hpp).
#pragma once

#include "mechanics/articulated_tree.hpp"
#include "system/symmetric_factor.hpp"

namespace armature::internal {

// A velocity or a row that is eliminated at a link.
struct Elimination {
  struct RowFactor {
    int row;
    Expression factor;
  };
  bool is_row = false;
  int index = 0;                       // of the velocity or row
  Freedom freedom = {};                // of a velocity
  int unit = -1;                       // component of y that it is, by itself and without inertia of its own; -1: none
  Expression inverse = 0;              // of the pivot
  Wrench scaled = {};                  // U/D or F/S_rr
  std::vector<RowFactor> w, w_scaled;  // of the rows that are there: w and w/D, or S_rs and S_rs/S_rr
};

struct TreeFactor {
  std::vector<Elimination> outside;             // velocities that move no link
  std::vector<std::vector<Elimination>> links;  // in the order of elimination
  SymmetricFactor ground;                       // of the rows that are left in the end …
  std::vector<int> ground_order;                // … in this order
  std::size_t velocities = 0, rows = 0;
};

}  // namespace armature::internal
