// One number of each of W states, lane by lane.
#pragma once

namespace armature::step {

template <int W>
struct alignas(8 * W) Row {
  double lane[W];
  double& operator[](int k) { return lane[k]; }
  double operator[](int k) const { return lane[k]; }
};

}  // namespace armature::step
