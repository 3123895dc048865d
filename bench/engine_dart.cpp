// DART: forward dynamics of trees by articulated bodies; loops only in its time stepping, by impulses, with semi-implicit
// Euler steps.
#include <cmath>
#include <dart/config.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

#include "engine.hpp"

namespace armature::internal::bench {

namespace {

using dart::dynamics::BodyNode;
using dart::dynamics::RevoluteJoint;

class Dart : public Engine {
 public:
  explicit Dart(const Machine& machine)
      : machine_(machine),
        skeleton_(dart::dynamics::Skeleton::create(machine.name)),
        world_(dart::simulation::World::create()) {
    for (const Link& link : machine.links) add(link);
    skeleton_->setSelfCollisionCheck(false);
    world_->setGravity(machine.gravity);
    world_->addSkeleton(skeleton_);
    for (const Link& link : machine.links) {
      const auto* joint = skeleton_->getJoint(link.joint);
      place_.push_back(static_cast<int>(joint->getIndexInSkeleton(0)));
    }
    set(machine.q.data(), machine.v.data());
    for (const Pin& pin : machine.pins) close(pin);
  }

  void acceleration(const double* q, const double* v, double* vdot) override {
    set(q, v);
    skeleton_->computeForwardDynamics();
    for (int i = 0; i < machine_.size(); ++i) vdot[i] = skeleton_->getAcceleration(place_[i]);
  }

  void motion(const Setting& setting, double end, Motion& result) override {
    const double interval = end / static_cast<double>(result.q.cols());
    const int steps = std::max(1, static_cast<int>(std::lround(interval / setting.step)));
    world_->reset();
    world_->setTimeStep(interval / steps);
    set(machine_.q.data(), machine_.v.data());
    for (Eigen::Index k = 0; k < result.q.cols(); ++k) {
      for (int i = 0; i < steps; ++i) {
        for (int j = 0; j < machine_.size(); ++j) skeleton_->setForce(place_[j], machine_.links[j].effort);
        world_->step();
      }
      for (int i = 0; i < machine_.size(); ++i) result.q(i, k) = skeleton_->getPosition(place_[i]);
    }
    result.steps = steps * result.q.cols();
    result.finished = result.q.allFinite();
  }

 private:
  void add(const Link& link) {
    RevoluteJoint::Properties joint;
    joint.mName = link.joint;
    joint.mAxis = link.axis;
    joint.mT_ParentBodyToJoint.translation() = link.at;
    joint.mDampingCoefficients[0] = link.damping;
    BodyNode* parent = link.parent < 0 ? nullptr : bodies_[link.parent];
    BodyNode::Properties body;
    body.mName = "body of " + link.joint;
    body.mInertia = dart::dynamics::Inertia(link.mass, link.center, link.inertia);
    bodies_.push_back(skeleton_->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second);
  }
  void close(const Pin& pin) {
    world_->getConstraintSolver()->addConstraint(std::make_shared<dart::constraint::BallJointConstraint>(
        bodies_[pin.a], bodies_[pin.b], bodies_[pin.a]->getTransform() * pin.at_a));
  }
  void set(const double* q, const double* v) {
    for (int i = 0; i < machine_.size(); ++i) {
      skeleton_->setPosition(place_[i], q[i]);
      skeleton_->setVelocity(place_[i], v[i]);
      skeleton_->setForce(place_[i], machine_.links[i].effort);
    }
  }

  const Machine& machine_;
  dart::dynamics::SkeletonPtr skeleton_;
  dart::simulation::WorldPtr world_;
  std::vector<BodyNode*> bodies_;
  std::vector<int> place_;
};

}  // namespace

EngineKind dart_engine() {
  EngineKind kind{"DART", DART_VERSION, {}, false, {}, {"semi-implicit Euler", 1e-3, 0}};
  kind.make = [](const Machine& machine) { return std::make_unique<Dart>(machine); };
  for (double step : {1e-3, 2e-4, 1e-4}) kind.settings.push_back({"semi-implicit Euler", step, 0});
  return kind;
}

}  // namespace armature::internal::bench
