// S beside a run: piece by piece along its steps (sensitivity_path.hpp), across its events and samples (saltation.hpp). A StepWatcher owns
// one, and passes on what it is told.
//
//   set(…)   begin   step   [changing [contacts_changed] | sampling]   restarted   step …
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "dynamics/dynamics.hpp"
#include "events/samples.hpp"
#include "integrate/integrator.hpp"
#include "sensitivity/saltation.hpp"
#include "sensitivity/sensitivity_path.hpp"
#include "sensitivity/singular_bridge.hpp"

namespace armature::internal {

class RunSensitivity {
 public:
  RunSensitivity(const MotionSensitivity& motion, const Saltation& saltation);

  // prepared: the run, with its start as assembled. S: of the start.
  void set(const Prepared& prepared, const Eigen::MatrixXd& S);
  bool begun() const { return dynamics_ != nullptr; }
  void begin(Dynamics& dynamics, const State& state);  // state: that of the run, which moves on
  // To `until`, inside the step. False: S has no value, and failure() says why.
  bool step(const Step& step, double until);
  void changing();
  void contacts_changed(const ContactImpulses& impulses);
  void sampling(const Samples& samples);
  // Whether an event has taken place: instant().
  bool restarted();

  double t() const { return held_.t; }
  const State& held() const { return held_; }  // where the last piece ended, with its discrete values and outcomes
  const Eigen::MatrixXd& S() const { return path_.S(); }
  void at(double t, Eigen::MatrixXd& S);               // inside the last piece
  const Instant& instant() const { return instant_; }  // the last event
  const std::string& failure() const { return failure_; }

  // Derivatives of formulas along S at a state of the last piece, or at an end of it: with what weights that move add.
  void observe(Directional& formulas, const State& state, const Eigen::MatrixXd& S, Eigen::MatrixXd& derivatives);

 private:
  void hold();
  void look_at_roots();
  bool advance(const Step& step, double from, double until);
  bool pass_singular_pose(const Step& step, double from, double until);
  double regularity(const Step& step, double t);

  SensitivityPath path_;
  SingularBridge bridge_, passed_;              // passed_: the last that ended
  std::optional<SensitivityPath> before_pose_;  // of a piece with a singular pose: its dense output up to pose_begin_
  double pose_begin_ = 0, pose_end_ = 0;
  Saltation saltation_;
  Dynamics* dynamics_ = nullptr;
  const State* moving_ = nullptr;
  State held_;
  Instant instant_;
  RootHistory roots_;
  Eigen::VectorXd root_;
  Eigen::MatrixXd rate_;
  bool changes_ = false, samples_ = false;
  std::string failure_;
};

}  // namespace armature::internal
