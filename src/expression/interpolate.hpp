// A table as an expression. A short piecewise linear one becomes a chain of comparisons, so that its kinks are events. A
// spline, which is smooth, or a long table is looked up between its ends; beyond these, where it holds its end values,
// it has kinks, which are events too.
#pragma once

#include <memory>

#include "expression/graph.hpp"

namespace armature::internal {

Expression interpolate(const std::shared_ptr<const Table>& table, Expression x);

}  // namespace armature::internal
