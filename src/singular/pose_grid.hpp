// The cells of a map of poses: numbered with the first axis fastest, each next to two or four others.
#pragma once

#include <string>
#include <vector>

#include "singular/pose_machine.hpp"

namespace armature::internal {

struct PoseAxis {
  std::string name;            // a coordinate or a formula of them: "platform.C.x"
  std::vector<double> values;  // in increasing order
};

class PoseGrid {
 public:
  PoseGrid(std::vector<PoseAxis> axes, std::vector<double> held) : axes_(std::move(axes)), held_(std::move(held)) {}

  std::size_t dimensions() const { return axes_.size(); }
  long size() const { return count(0) * count(1); }
  long right_of(long k) const { return k % count(0) + 1 < count(0) ? k + 1 : -1; }
  long above(long k) const { return k + count(0) < size() ? k + count(0) : -1; }

  std::vector<long> neighbors(long k) const {
    std::vector<long> list;
    if (k % count(0) > 0) list.push_back(k - 1);
    if (right_of(k) >= 0) list.push_back(k + 1);
    if (k - count(0) >= 0) list.push_back(k - count(0));
    if (above(k) >= 0) list.push_back(k + count(0));
    return list;
  }

  int axis_between(long a, long b) const { return a / count(0) == b / count(0) ? 0 : 1; }  // of neighbors

  Place place(long k) const {
    Place at{axes_[0].values[static_cast<std::size_t>(k % count(0))]};
    if (axes_.size() > 1) at.push_back(axes_[1].values[static_cast<std::size_t>(k / count(0))]);
    at.insert(at.end(), held_.begin(), held_.end());
    return at;
  }

  // Squared, in the units of the axes.
  double distance(long k, const Place& from) const {
    const Place at = place(k);
    double square = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i) square += (at[i] - from[i]) * (at[i] - from[i]);
    return square;
  }

 private:
  long count(std::size_t axis) const { return axis < axes_.size() ? static_cast<long>(axes_[axis].values.size()) : 1; }

  std::vector<PoseAxis> axes_;
  std::vector<double> held_;
};

}  // namespace armature::internal
