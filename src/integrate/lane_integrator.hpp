// Eight integrations at once, each with its own time, steps and stops. A lane looks like an Integrator to whoever follows
// one run; its steps are taken together with those of the others.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "integrate/inner_steps.hpp"
#include "integrate/integrator.hpp"
#include "integrate/lane_ode.hpp"
#include "integrate/stiffness.hpp"
#include "integrate/tableau.hpp"
#include "step/dense_output.hpp"
#include "step/one_step.hpp"

namespace armature::internal {

class LaneIntegrator {
 public:
  virtual ~LaneIntegrator();

  void begin(int k);  // a new run in a lane: nothing is left of the one before
  // Of the runs that begin in a lane from now on: lanes may be machines of different sizes.
  virtual void set_atol(int k, const Eigen::VectorXd& atol) { (void)k, (void)atol; }
  Integrator& lane(int k);  // start() begins there, interpolate() is over its last step; step() is not for it

  // Tries one step in each of some lanes, never beyond t_stop. What is in neither set is tried again next time.
  using Tried = step::Tried<lane_count>;
  Tried attempt(LaneMask lanes, const LaneRow& t_stop);
  StepStatus failure(int k) const;  // of a lane that failed

  // Where the lanes' last steps began and ended.
  const LaneRow& previous_t() const { return steps().previous_t(); }
  const LaneRow& t() const { return steps().t(); }
  // x at a time of each lane's last step, as its interpolate() gives it in the lanes that are wanted.
  void interpolate(LaneMask wanted, const LaneRow& t, LaneRow* x);

  // Dense output is made when it is first asked for, not after every step: for f that depends on nothing but t and x.
  void make_dense_late() { late_ = true; }

 protected:
  class Lane;
  using Steps = step::OneStep<lane_count>;
  LaneIntegrator(const Tableau& tableau, LaneOde& ode, bool error_controlled, bool dense);
  virtual const Steps& steps() const = 0;
  Steps& steps() { return const_cast<Steps&>(std::as_const(*this).steps()); }
  virtual Tried try_steps(LaneMask lanes, const LaneRow& t_stop) = 0;
  virtual void begin_lane(int k) = 0;
  virtual void start_lane(int k, double t, const double* x) = 0;
  virtual std::string failure_sentence(int k) = 0;
  virtual const StiffnessTest* stiffness(int k) const { return (void)k, nullptr; }
  virtual void stepped(int k) { (void)k; }
  // By which dense output is judged, and with which inner steps are taken where it is not sound; null: it is always trusted.
  virtual const step::Tolerance<lane_count>* tolerance() const { return nullptr; }
  virtual const IntegratorOptions* error_control(int k) const { return (void)k, nullptr; }
  Lane& at(int k) { return *lanes_[static_cast<std::size_t>(k)]; }

  LaneOde& ode_;

 private:
  step::Ends<lane_count> ends() const { return {steps().previous_t(), steps().t(), steps().previous_x(), steps().x()}; }
  void make_dense(LaneMask lanes);  // over the last steps; f is known at their ends
  void make_dense_now(LaneMask lanes);
  const LaneRow* powers(int entry);  // of an entry over the last steps (dense_output.hpp)

  const Tableau& tableau_;
  int n_;
  bool dense_wanted_, late_ = false;
  LaneMask open_ = 0;     // dense output is not made yet
  LaneMask unsound_ = 0;  // it is not sound
  LaneMask linear_ = 0;   // nothing is known of the slope at the end of the last step
  std::vector<LaneRow> dense_memory_;
  step::DenseOutput<lane_count> dense_;
  std::vector<LaneRow> powers_;
  std::vector<char> has_powers_;  // entries
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
  bool ends_with_derivative() const override { return error_controlled_; }
  const StiffnessTest* stiffness() const override { return all_.stiffness(k_); }

  std::string give_up_sentence(StepStatus reason) { return give_up(reason), message_; }
  StepStatus failure() const { return failure_; }

 private:
  friend class LaneIntegrator;
  void take_step();
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

}  // namespace armature::internal
