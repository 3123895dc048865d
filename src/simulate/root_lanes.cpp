#include "simulate/root_lanes.hpp"

#include <algorithm>

namespace armature {

namespace {

constexpr std::size_t end = Modes::probes.size() - 1;

}  // namespace

RootLanes::RootLanes(LaneDynamics& dynamics, LaneIntegrator& integrator)
    : dynamics_(dynamics), integrator_(integrator), nw_(dynamics.system().system().layout().nw) {
  const auto rows = static_cast<std::size_t>(nw_);
  x_.resize(static_cast<std::size_t>(dynamics.size()));
  xdot_ = x_;
  roots_.resize(Modes::probes.size() * rows), weights_ = roots_;
  one_roots_.resize(roots_.size()), one_weights_ = one_roots_;
  least_.resize(rows), most_ = size_ = least_;
  one_size_.resize(rows);
}

void RootLanes::evaluate_ends(LaneMask lanes) { evaluate(lanes, end); }

void RootLanes::evaluate_probes(LaneMask lanes) {
  for (std::size_t probe = 0; probe < end; ++probe) evaluate(lanes, probe);
  lane_kernels::extremes(nw_, static_cast<int>(Modes::probes.size()), roots_.data(), least_.data(), most_.data(),
                         size_.data());
}

// Weights of what slides are found first: roots may depend on them.
void RootLanes::evaluate(LaneMask lanes, std::size_t probe) {
  LaneRow t;
  const LaneRow &t0 = integrator_.previous_t(), &t1 = integrator_.t();
  for (int k = 0; k < lane_count; ++k) t[k] = Modes::probe_time(t0[k], t1[k], probe);
  integrator_.interpolate(lanes, t, x_.data());
  LaneMask sliding = 0;
  for_each_lane(lanes, [&](int k) { sliding |= static_cast<LaneMask>(!dynamics_.plain(k)) << k; });
  if (sliding) dynamics_.derivative(sliding, t, x_.data(), xdot_.data());
  SystemLanes& system = dynamics_.system();
  system.set(t, x_.data());
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(probe) * nw_;
  std::copy_n(system.roots(), nw_, roots_.begin() + first);
  std::copy_n(system.weights(), nw_, weights_.begin() + first);
}

Modes::Probed RootLanes::gather(int k, std::size_t probe) {
  const std::size_t first = probe * static_cast<std::size_t>(nw_);
  for (std::size_t i = first; i < first + static_cast<std::size_t>(nw_); ++i)
    one_roots_[i] = roots_[i][k], one_weights_[i] = weights_[i][k];
  return {one_roots_.data() + first, one_weights_.data() + first};
}

bool RootLanes::stays_away(int k, Modes& modes) { return modes.stays_away(gather(k, end)); }

bool RootLanes::passes(int k, const Modes& modes) const {
  for (int i = 0; i < nw_; ++i) {
    const double side = modes.side(i);
    const auto row = static_cast<std::size_t>(i);
    if (side == 0 || (side > 0 ? least_[row][k] < 0 : most_[row][k] > 0)) return false;
  }
  return true;
}

std::optional<double> RootLanes::find_change(int k, Modes& modes) {
  if (passes(k, modes)) {
    for (std::size_t i = 0; i < one_size_.size(); ++i) one_size_[i] = size_[i][k];
    modes.pass(one_size_.data(), gather(k, end).roots);
    return std::nullopt;
  }
  std::array<Modes::Probed, Modes::probes.size()> probed;
  for (std::size_t probe = 0; probe < probed.size(); ++probe) probed[probe] = gather(k, probe);
  return modes.find_change(integrator_.lane(k), probed);
}

}  // namespace armature
