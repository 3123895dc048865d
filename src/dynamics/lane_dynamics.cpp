#include "dynamics/lane_dynamics.hpp"

#include "dynamics/noted_forces.hpp"
#include "dynamics/step_kernel.hpp"

namespace armature::internal {

struct LaneDynamics::Regular : StepKernel<lane_count, SystemLanes> {
  using StepKernel::StepKernel;
};

LaneDynamics::LaneDynamics(std::shared_ptr<const System> system)
    : system_(std::move(system)), regular_(std::make_unique<Regular>(system_.system(), system_)) {}

LaneDynamics::~LaneDynamics() = default;

bool LaneDynamics::plain(int k) const { return regular_->motion.plain(k); }
bool LaneDynamics::regular(int k) const { return regular_->motion.was_regular(k); }

void LaneDynamics::set_lane(int k, Dynamics& dynamics) {
  lanes_[static_cast<std::size_t>(k)] = &dynamics;
  regular_->motion.begin(k);
  hold(k);
}

// The step for eight lanes is compiled here and nowhere else.
LaneMask LaneDynamics::derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) {
  const LaneMask done = regular_->motion.derivative(*this, lanes, t, x, xdot);
  note_contact_forces(done, t);
  return done;
}

LaneMask LaneDynamics::project(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) {
  return regular_->motion.project(*this, lanes, t, x, error);
}

LaneDynamics::Finish LaneDynamics::finish(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* xdot, LaneRow* error,
                                          const LaneRow& weight) {
  const Finish done = regular_->motion.finish(*this, lanes, t, x, xdot, error, weight);
  note_contact_forces(done.any(), t);
  return done;
}

void LaneDynamics::note_contact_forces(LaneMask lanes, const LaneRow& t) {
  if (system_.system().equations().contacts.empty()) return;
  const auto& motion = regular_->motion;
  step::for_each<lane_count>(lanes, [&](int k) {
    if (motion.was_regular(k) && motion.plain(k)) note_forces(at(k), t[k], motion.rates(), k);
  });
}

void LaneDynamics::hold(int k) {
  Dynamics& dynamics = at(k);
  const Layout& n = system_.system().layout();
  const double* in = dynamics.evaluator().inputs();
  system_.hold(k, in + n.d(), dynamics.weights().data(), in + n.p());
  system_.set_gains(k, dynamics.stabilization().alpha, dynamics.stabilization().beta);
  regular_->motion.set(k, dynamics.traits());
}

}  // namespace armature::internal
