// Simbody: loops are constraints solved exactly, with projection; a pin of a planar machine is a point on a line.
#include <Simbody.h>

#include "engine.hpp"

namespace armature::internal::bench {

namespace {

SimTK::Vec3 vec(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

class Simbody : public Engine {
 public:
  explicit Simbody(const Machine& machine) : machine_(machine), matter_(system_), forces_(system_) {
    SimTK::Force::UniformGravity(forces_, matter_, vec(machine.gravity));
    for (const Link& link : machine.links) add(link);
    for (const Pin& pin : machine.pins) close(pin);
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    set(machine.q.data(), machine.v.data());
    system_.realize(state_, SimTK::Stage::Acceleration);
  }

  void acceleration(const double* q, const double* v, double* vdot) override {
    set(q, v);
    system_.realize(state_, SimTK::Stage::Acceleration);
    const SimTK::Vector& udot = state_.getUDot();
    for (int i = 0; i < machine_.size(); ++i) vdot[i] = udot[i];
  }

  void motion(const Setting& setting, double end, Motion& result) override {
    SimTK::RungeKuttaMersonIntegrator integrator(system_);
    if (setting.step > 0) integrator.setFixedStepSize(setting.step);
    integrator.setAccuracy(setting.step > 0 ? 1e-6 : setting.rtol);
    integrator.setConstraintTolerance(setting.step > 0 ? 1e-10 : setting.rtol / 10);
    set(machine_.q.data(), machine_.v.data());
    state_.setTime(0);
    try {
      integrator.initialize(state_);
      for (Eigen::Index k = 0; k < result.q.cols(); ++k) {
        const double due = end * static_cast<double>(k + 1) / static_cast<double>(result.q.cols());
        while (integrator.getTime() < due) integrator.stepTo(due);
        for (int i = 0; i < machine_.size(); ++i) result.q(i, k) = integrator.getState().getQ()[i];
      }
      result.finished = true;
    } catch (const std::exception&) {
      result.finished = false;
    }
    result.steps = integrator.getNumStepsTaken();
  }

 private:
  void add(const Link& link) {
    const Eigen::Matrix3d& I = link.inertia;
    const SimTK::Inertia central(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    const SimTK::Body::Rigid body(
        SimTK::MassProperties(link.mass, vec(link.center), central.shiftFromMassCenter(vec(link.center), link.mass)));
    const SimTK::Rotation turn(SimTK::UnitVec3(vec(link.axis)), SimTK::ZAxis);  // its pins turn about z
    SimTK::MobilizedBody& parent = link.parent < 0 ? matter_.updGround() : bodies_[link.parent];
    SimTK::MobilizedBody::Pin joint(parent, SimTK::Transform(turn, vec(link.at)), body, SimTK::Transform(turn));
    if (link.damping > 0) SimTK::Force::MobilityLinearDamper(forces_, joint, 0, link.damping);
    if (link.effort != 0) SimTK::Force::MobilityConstantForce(forces_, joint, 0, link.effort);
    bodies_.push_back(joint);
  }
  void close(const Pin& pin) {
    if (machine_.planar)
      SimTK::Constraint::PointOnLine(bodies_[pin.a], SimTK::UnitVec3(SimTK::ZAxis), vec(pin.at_a), bodies_[pin.b],
                                     vec(pin.at_b));
    else
      SimTK::Constraint::Ball(bodies_[pin.a], vec(pin.at_a), bodies_[pin.b], vec(pin.at_b));
  }
  void set(const double* q, const double* v) {
    SimTK::Vector& Q = state_.updQ();
    SimTK::Vector& U = state_.updU();
    for (int i = 0; i < machine_.size(); ++i) Q[i] = q[i], U[i] = v[i];
  }

  const Machine& machine_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
};

std::string version() {
  int major, minor, build;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor) + (build ? "." + std::to_string(build) : "");
}

}  // namespace

EngineKind simbody_engine() {
  EngineKind kind{"Simbody", version(), {}, true, {}, {"RK Merson", 1e-3, 0}};
  kind.make = [](const Machine& machine) { return std::make_unique<Simbody>(machine); };
  for (double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) kind.settings.push_back({"RK Merson", 0, rtol});
  return kind;
}

}  // namespace armature::internal::bench
