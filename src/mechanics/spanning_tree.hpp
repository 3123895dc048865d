// Which joints make the tree and which close loops (are cut).
// Kept in the tree if possible: joints that carry something or are named in the file (start values, formulas, forces); of
// the rest the joint with most freedoms is cut, then the one that leaves the shallowest tree. `cut` decides: true cuts,
// and joints that say false go before all others, so that they are cut only where they close a loop by themselves.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

struct SpanningTree {
  struct Edge {
    int joint;      // index in Model::joints
    bool reversed;  // b is nearer to the ground than a
  };
  std::vector<Edge> edges;             // parents first
  std::vector<int> cut;                // indices in Model::joints, in file order
  std::vector<std::string> unreached;  // bodies that no uncut joint connects to the ground
};

SpanningTree spanning_tree(const Model& model);

}  // namespace armature::internal
