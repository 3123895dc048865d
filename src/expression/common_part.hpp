// Expressions in two parts, by what they depend on: what varies from lane to lane, and what all lanes have in common.
//
//   y(common, varying) = rest(values(common), varying)
//
// The values are the largest parts of y that depend on nothing that varies. They are computed once for all lanes, and the rest takes them
// as its common inputs (program.hpp).
#pragma once

#include <span>
#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

struct CommonPart {
  std::vector<Expression> values;  // of leaves that do not vary
  std::vector<Expression> leaves;  // new ones, which stand for the values …
  std::vector<Expression> rest;    // … in the outputs
};

// varying: leaves. Writes into the graph.
CommonPart split_common(std::span<const Expression> outputs, std::span<const Expression> varying);

}  // namespace armature::internal
