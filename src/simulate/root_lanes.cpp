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
  for (std::size_t probe = 0; probe < Modes::probes.size(); ++probe) {
    roots_[probe].resize(rows), weights_[probe].resize(rows);
    one_roots_[probe].resize(rows), one_weights_[probe].resize(rows);
  }
}

void RootLanes::evaluate_ends(LaneMask lanes) { evaluate(lanes, end); }

void RootLanes::evaluate_probes(LaneMask lanes) {
  for (std::size_t probe = 0; probe < end; ++probe) evaluate(lanes, probe);
}

// Weights of what slides are found first: roots may depend on them.
void RootLanes::evaluate(LaneMask lanes, std::size_t probe) {
  LaneRow t;
  for (int k = 0; k < lane_count; ++k) t[k] = Modes::probe_time(integrator_.lane(k), probe);
  integrator_.interpolate(t, x_.data());
  LaneMask sliding = 0;
  for_each_lane(lanes, [&](int k) { sliding |= static_cast<LaneMask>(!dynamics_.plain(k)) << k; });
  if (sliding) dynamics_.derivative(sliding, t, x_.data(), xdot_.data());
  SystemLanes& system = dynamics_.system();
  system.set(t, x_.data());
  std::copy_n(system.roots(), nw_, roots_[probe].begin());
  std::copy_n(system.weights(), nw_, weights_[probe].begin());
}

Modes::Probed RootLanes::gather(int k, std::size_t probe) {
  for (std::size_t i = 0; i < one_roots_[probe].size(); ++i)
    one_roots_[probe][i] = roots_[probe][i][k], one_weights_[probe][i] = weights_[probe][i][k];
  return {one_roots_[probe].data(), one_weights_[probe].data()};
}

bool RootLanes::stays_away(int k, Modes& modes) { return modes.stays_away(gather(k, end)); }

std::optional<double> RootLanes::find_change(int k, Modes& modes) {
  std::array<Modes::Probed, Modes::probes.size()> probed;
  for (std::size_t probe = 0; probe < probed.size(); ++probe) probed[probe] = gather(k, probe);
  return modes.find_change(integrator_.lane(k), probed);
}

}  // namespace armature
