// Eight integrations at once, each with its own time, steps and stops. A lane looks like an Integrator to whoever follows
// one run; its steps are taken together with those of the others.
#pragma once

#include <memory>
#include <vector>

#include "integrate/inner_steps.hpp"
#include "integrate/integrator.hpp"
#include "integrate/lane_ode.hpp"
#include "integrate/runge_kutta_lanes.hpp"
#include "integrate/stiffness.hpp"

namespace armature {

class LaneIntegrator {
 public:
  LaneIntegrator(const Tableau& tableau, LaneOde& ode, bool error_controlled);
  virtual ~LaneIntegrator();

  void begin(int k);        // a new run in a lane: nothing is left of the one before
  Integrator& lane(int k);  // start() begins there, interpolate() is over its last step; step() is not for it

  // Tries one step in each of some lanes, never beyond t_stop. What is in neither set is tried again next time.
  struct Tried {
    LaneMask stepped = 0, failed = 0;
  };
  virtual Tried attempt(LaneMask lanes, const LaneRow& t_stop) = 0;
  StepStatus failure(int k) const;  // of a lane that failed

  // Where the lanes' last steps began and ended.
  const LaneRow& previous_t() const { return previous_t_; }
  const LaneRow& t() const { return t_; }
  // x at a time of each lane's last step, as its interpolate() gives it in the lanes that are wanted.
  void interpolate(LaneMask wanted, const LaneRow& t, LaneRow* x);

  // Dense output is made when it is first asked for, not after every step: for f that depends on nothing but t and x.
  void make_dense_late() { late_ = true; }

 protected:
  class Lane;
  virtual void begun(int k) = 0;
  virtual void restarted(int k) = 0;
  virtual double next_length(int k) const { return (void)k, 0; }
  virtual const StiffnessTest* stiffness(int k) const { return (void)k, nullptr; }
  void take(int k, double t1, const LaneRow* x1, double h);  // the end of a step of length h
  void make_dense(LaneMask lanes);                           // over the last steps; f is known at their ends
  Lane& at(int k) { return *lanes_[static_cast<std::size_t>(k)]; }
  // By which dense output is judged, and with which inner steps are taken where it is not sound; null: it is always trusted.
  virtual const Tolerance* tolerance() const { return nullptr; }
  virtual const IntegratorOptions* error_control() const { return nullptr; }

  int n_;
  LaneOde& ode_;
  RungeKuttaLanes method_;
  std::vector<LaneRow> x_, previous_x_, x1_;
  LaneRow t_{}, previous_t_{};
  LaneMask has_end_ = 0;  // f(t, x) is known
  LaneMask linear_ = 0;   // nothing is known of the slope at the end of the last step

 private:
  void make_dense_now(LaneMask lanes);

  bool late_ = false;
  LaneMask open_ = 0;       // dense output is not made yet
  LaneMask unsound_ = 0;    // it is not sound
  std::vector<LaneRow> F_;  // columns of the dense output
  std::vector<std::unique_ptr<Lane>> lanes_;
};

class LaneIntegrator::Lane final : public Integrator, public LooksForStiffness {
 public:
  Lane(LaneIntegrator& all, int k, bool error_controlled) : all_(all), k_(k), error_controlled_(error_controlled) {}
  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;
  void interpolate(double t, Eigen::VectorXd& x) const override;
  bool path(const std::vector<int>& entries, StepPath& path) const override;
  bool error_controlled() const override { return error_controlled_; }
  double next_length() const override { return all_.next_length(k_); }
  const StiffnessTest* stiffness() const override { return all_.stiffness(k_); }

  IntegratorStatistics& count() { return statistics_; }
  void fail(StepStatus reason) { failure_ = give_up(reason); }
  void fail(StepStatus reason, std::string sentence) { failure_ = reason, message_ = std::move(sentence); }
  StepStatus failure() const { return failure_; }

 private:
  friend class LaneIntegrator;
  void gather_dense() const;
  bool reach(double t, Eigen::VectorXd& x) const;  // by inner steps
  LaneIntegrator& all_;
  int k_;
  bool error_controlled_;
  StepStatus failure_ = StepStatus::ok;
  mutable Eigen::VectorXd previous_x_;  // of the last step, and the columns of its dense output
  mutable Eigen::MatrixXd F_;
  mutable bool gathered_ = false;
  mutable std::unique_ptr<InnerSteps> inner_;
};

// euler, rk2, rk4, dopri5, dop853; null for any other. dense: interpolate() will be asked for after every step.
std::unique_ptr<LaneIntegrator> make_lane_integrator(const std::string& name, LaneOde& ode,
                                                     const IntegratorOptions& options, bool dense);
// Steps of one length with any of these methods.
std::unique_ptr<LaneIntegrator> make_fixed_step_lanes(const std::string& name, LaneOde& ode,
                                                      const IntegratorOptions& options, bool dense);

}  // namespace armature
