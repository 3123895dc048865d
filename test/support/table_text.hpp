// The points of a table as a model file lists them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace armature::internal {

// "x: [0, 0.5, 1], y: [0, 1, 0]"; x, y: of the k-th point.
template <class X, class Y>
std::string table_text(int count, const X& x, const Y& y) {
  std::vector<double> xs, ys;
  for (int k = 0; k < count; ++k) xs.push_back(x(k)), ys.push_back(y(k));
  return fmt::format("x: [{}], y: [{}]", fmt::join(xs, ", "), fmt::join(ys, ", "));
}

}  // namespace armature::internal
