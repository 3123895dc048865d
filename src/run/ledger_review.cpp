#include "run/ledger_review.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "expression/interruption.hpp"
#include "observe/energy_balance.hpp"
#include "observe/watcher.hpp"
#include "prepare/setup.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

namespace {

// Abramowitz, Stegun: Handbook of Mathematical Functions, table 25.4.
struct GaussPoint {
  double place, weight;  // on -1 ... 1
};
constexpr std::array<GaussPoint, 7> gauss_points{{{-0.949107912342758524526, 0.129484966168869693271},
                                                  {-0.741531185599394439864, 0.279705391489276667901},
                                                  {-0.405845151377397166907, 0.381830050505118944950},
                                                  {0, 0.417959183673469387755},
                                                  {0.405845151377397166907, 0.381830050505118944950},
                                                  {0.741531185599394439864, 0.279705391489276667901},
                                                  {0.949107912342758524526, 0.129484966168869693271}}};

class LedgerReview final : public StepWatcher {
 public:
  LedgerReview(const Prepared& prepared, double last_time)
      : last_time_(last_time),
        balance_(*prepared.system, !method_of(prepared.options.integrator).own_dae),
        dynamics_(make_dynamics(prepared)) {  // one of its own: what the run remembers stays as it is
    const Equations& e = prepared.system->equations();
    const Layout& n = prepared.system->layout();
    for (int i = 0; i < n.nz; ++i)
      if (e.others[static_cast<std::size_t>(i)].in_ledger()) entries_.push_back(n.nq + n.nv + i);
    if (prepared.options.projection) {
      projects_ = true;
      if (e.stabilization_work >= 0) stabilization_ = n.nq + n.nv + e.stabilization_work;
    }
    correction_.setZero(n.nx());
    rates_.setZero(n.nx());
  }

  void begin(Dynamics& run, const Integrator&, const State& state) override {
    state_ = &state;
    dynamics_->engine().project_stages(run.engine().projects_stages());
    if (projects_) dynamics_->begin_projection_as(run.engine().begin_projection(state.t, state.x.data()));
    dynamics_->set_state(state);
    stabilization_at_start_ = stabilization_ >= 0 ? state.x[stabilization_] : 0;
    evaluate(state.t, state.x);
    balance_.begin(stored_, state.x);
  }

  bool step(const Integrator& integrator, double until) override {
    dynamics_->set_state(*state_);
    sum_anew(integrator, until);
    if (until < integrator.t())
      integrator.interpolate(until, x_);
    else
      x_ = integrator.x();
    if (projects_) dynamics_->project_if_possible(until, x_.data());
    x_ += correction_;
    if (stabilization_ >= 0) x_[stabilization_] = stabilization_at_start_;
    evaluate(until, x_);
    balance_.look(stored_, x_);
    t_ = until;
    return failed_ ? false : until < last_time_;
  }

  std::optional<double> error() const {
    return failed_ || t_ < last_time_ ? std::nullopt : std::optional(balance_.largest_error());
  }

 private:
  void evaluate(double t, const Eigen::VectorXd& x) {
    SystemEvaluator& evaluator = dynamics_->evaluator();
    evaluator.set(t, x.data());
    evaluator.set_outcomes(dynamics_->weights());
    evaluator.observables(stored_);
  }

  // An entry without a power, such as the work of impacts, has jumped as it should.
  void sum_anew(const Integrator& step, double until) {
    const double t0 = step.previous_t(), h = until - t0;
    sum_.setZero(correction_.size());
    for (const GaussPoint& point : gauss_points) {
      const double t = t0 + 0.5 * h * (1 + point.place);
      step.interpolate(t, x_);
      if (projects_) dynamics_->project_if_possible(t, x_.data());
      if (!dynamics_->derivative(t, x_.data(), rates_.data())) failed_ = true;
      sum_ += 0.5 * h * point.weight * rates_;
    }
    step.interpolate(t0, begins_);
    if (until < step.t())
      step.interpolate(until, x_);
    else
      x_ = step.x();
    for (const int i : entries_)
      if (sum_[i] != 0) correction_[i] += sum_[i] - (x_[i] - begins_[i]);
  }

  double last_time_, t_ = -std::numeric_limits<double>::infinity();
  EnergyBalance balance_;
  std::unique_ptr<Dynamics> dynamics_;
  const State* state_ = nullptr;
  std::vector<int> entries_;  // of x: work and heat
  bool projects_ = false;
  int stabilization_ = -1;  // of x; -1: it is summed as it is
  double stabilization_at_start_ = 0;
  Eigen::VectorXd correction_, rates_, sum_, begins_, x_;
  Observables stored_;
  bool failed_ = false;
};

// Entries that jump only have nothing to be summed.
bool sums_powers(const Equations& e) {
  if (e.constraint_work >= 0) return true;
  for (std::size_t i = 0; i < e.others.size(); ++i)
    if (e.others[i].in_ledger() && !e.zdot[i].is(0)) return true;
  return false;
}

}  // namespace

std::optional<double> reviewed_energy_error(const Prepared& prepared, double last_time) {
  if (!sums_powers(prepared.system->equations())) return std::nullopt;
  LedgerReview review(prepared, last_time);
  follow(prepared, review, [](double, long) { return !interrupted(); });
  return review.error();
}

}  // namespace armature::internal
