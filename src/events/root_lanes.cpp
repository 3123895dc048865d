#include "events/root_lanes.hpp"

#include <algorithm>

namespace armature::internal {

RootLanes::RootLanes(LaneDynamics& dynamics, LaneIntegrator& integrator)
    : dynamics_(dynamics), integrator_(integrator), x_(static_cast<std::size_t>(dynamics.size())), xdot_(x_) {
  const auto comparisons = static_cast<std::size_t>(dynamics.system().system().layout().nw);
  for (Rows* rows : {&middle_, &end_}) {
    rows->roots.resize(comparisons), rows->weights.resize(comparisons);
    rows->one_roots.resize(comparisons), rows->one_weights.resize(comparisons);
  }
}

LaneMask RootLanes::sliding(LaneMask lanes) const {
  LaneMask found = 0;
  for_each_lane(lanes, [&](int k) { found |= static_cast<LaneMask>(!dynamics_.plain(k)) << k; });
  return found;
}

// The ends last: the weights there have to stay.
void RootLanes::evaluate(LaneMask lanes) {
  const LaneRow &t0 = integrator_.previous_t(), &t1 = integrator_.t();
  if (const LaneMask slides = sliding(lanes)) {
    LaneRow middle;
    for (int k = 0; k < lane_count; ++k) middle[k] = 0.5 * (t0[k] + t1[k]);
    evaluate(slides, middle, middle_);
  }
  evaluate(lanes, t1, end_);
}

// Weights of what slides are found first: roots may depend on them.
void RootLanes::evaluate(LaneMask lanes, const LaneRow& t, Rows& rows) {
  integrator_.interpolate(lanes, t, x_.data());
  if (const LaneMask slides = sliding(lanes)) dynamics_.derivative(slides, t, x_.data(), xdot_.data());
  SystemLanes& system = dynamics_.system();
  system.set(t, x_.data());
  std::copy_n(system.roots(), rows.roots.size(), rows.roots.begin());
  std::copy_n(system.weights(), rows.weights.size(), rows.weights.begin());
}

void RootLanes::gather(int k, Rows& rows) {
  for (std::size_t i = 0; i < rows.roots.size(); ++i)
    rows.one_roots[i] = rows.roots[i][k], rows.one_weights[i] = rows.weights[i][k];
}

std::optional<double> RootLanes::find_change(int k, Comparisons& comparisons) {
  gather(k, middle_);
  gather(k, end_);
  return comparisons.find_change(integrator_.lane(k),
                                 {middle_.one_weights.data(), end_.one_roots.data(), end_.one_weights.data()});
}

}  // namespace armature::internal
