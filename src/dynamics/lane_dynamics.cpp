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

// The step for eight lanes is compiled here and nowhere else.
LaneMask LaneDynamics::derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) {
  const LaneMask done = motion_.derivative(*this, lanes, t, x, xdot);
  note_contact_forces(done, t);
  return done;
}

LaneMask LaneDynamics::project(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) {
  return motion_.project(*this, lanes, t, x, error);
}

LaneDynamics::Finish LaneDynamics::finish(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* xdot, LaneRow* error,
                                          const LaneRow& weight) {
  const Finish done = motion_.finish(*this, lanes, t, x, xdot, error, weight);
  note_contact_forces(done.any(), t);
  return done;
}

void LaneDynamics::note_contact_forces(LaneMask lanes, const LaneRow& t) {
  if (system_.system().equations().contacts.empty()) return;
  step::for_each<lane_count>(lanes, [&](int k) {
    if (motion_.was_regular(k) && motion_.plain(k)) at(k).note_contact_forces(t[k], motion_.rates(), k);
  });
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
