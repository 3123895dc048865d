#include "dynamics/lane_dynamics.hpp"

namespace armature::internal {

LaneDynamics::LaneDynamics(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      parts_(system_.system()),
      memory_(static_cast<std::size_t>(decltype(motion_)::memory(parts_.sizes<lane_count, SystemLanes>()))),
      motion_(system_, parts_.sizes<lane_count, SystemLanes>(), memory_.data()) {}

void LaneDynamics::set_lane(int k, Dynamics& dynamics) {
  lanes_[static_cast<std::size_t>(k)] = &dynamics;
  motion_.begin(k);
  hold(k);
}

void LaneDynamics::hold(int k) {
  Dynamics& dynamics = at(k);
  const Layout& n = system_.system().layout();
  const double* in = dynamics.evaluator().inputs();
  system_.hold(k, in + n.d(), dynamics.weights().data(), in + n.p());
  system_.set_gains(k, dynamics.stabilization().alpha, dynamics.stabilization().beta);
  motion_.set(k, dynamics.traits());
}

}  // namespace armature::internal
