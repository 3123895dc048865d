#include "sensitivity/signal_motion.hpp"

#include <algorithm>
#include <limits>

#include "observe/motion_checks.hpp"
#include "observe/watcher.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

SignalStudy::SignalStudy(Prepared compiled, const std::vector<Expression>& signals, std::vector<double> times)
    : prepared_(std::move(compiled)),
      times_(std::move(times)),
      signals_(prepared_.system->make_program(signals)),
      known_(std::make_unique<KnownPositions>(prepared_.system)) {
  if (!times_.empty()) prepared_.options.end = std::max(times_.back(), std::numeric_limits<double>::min());
  if (!missing(prepared_).empty()) return;
  const RunOptions& options = prepared_.options;
  motion_ = std::make_unique<const MotionSensitivity>(prepared_.system, options.alpha, options.beta);
  saltation_ = std::make_unique<const Saltation>(prepared_.system, motion_->sliders());
  start_ = std::make_unique<const StartSensitivity>(prepared_.system);
  observed_ =
      std::make_unique<const Directional>(*prepared_.system, signals, std::vector<Expression>{}, motion_->sliders());
}

std::string SignalStudy::missing(const Prepared& compiled) {
  const std::string why = StartSensitivity::missing(compiled);
  return why.empty() ? why_no_sensitivity(compiled) : why;
}

// Looks at the steps of the run: S from one end of a piece to the other, signals at the times inside.
class SignalRun::Watcher : public StepWatcher {
 public:
  explicit Watcher(const SignalStudy& study)
      : times_(study.times_), checks_(study.prepared_), signals_(study.signals_) {
    if (study.motion_) path_.emplace(*study.motion_, *study.saltation_);
    if (study.observed_) observed_.emplace(*study.observed_);
    in_.resize(static_cast<std::size_t>(study.signals_->input_count()));
    y_.resize(std::max(1, study.signals_->output_count()));
  }

  // S: of the start; without columns: values alone.
  void set(const Prepared& prepared, const MatrixXd& S, MatrixXd& values, MatrixXd& derivatives) {
    prepared_ = &prepared;
    parameters_ = prepared.parameters;
    differentiates_ = S.cols() > 0;
    values_ = &values, derivatives_ = &derivatives;
    const auto count = static_cast<Eigen::Index>(times_.size()),
               signals = Eigen::Index{signals_.program().output_count()};
    values.resize(count, signals);
    derivatives.resize(differentiates_ ? count * signals : 0, S.cols());
    next_ = 0;
    if (!differentiates_) return;
    observed_->set_parameters(parameters_);
    path_->set(prepared, S);
  }

  void begin(Dynamics& dynamics, const Integrator&, const State& start) override {
    dynamics_ = &dynamics;
    moving_ = &start;
    t_ = start.t;
    state_ = start;
    checks_.begin(*prepared_, dynamics, start);
    if (differentiates_) path_->begin(dynamics, start);
    hold();
    while (next_ < times_.size() && times_[next_] <= t_) {
      if (differentiates_) S_ = path_->S();
      observe();
    }
  }

  bool step(const Integrator& integrator, double until) override {
    if (!(until > t_)) return true;
    checks_.step(integrator, until);
    hold();
    if (differentiates_ && !path_->step(integrator, until)) return false;
    for (; next_ < times_.size() && times_[next_] <= until;) {
      state_.t = times_[next_];
      integrator.interpolate(state_.t, state_.x);
      state_.w = dynamics_->engine().weights_at(state_.t, state_.x.data());
      if (differentiates_) path_->at(state_.t, S_);
      observe();
    }
    t_ = until;
    return true;
  }

  void report(Outcome& outcome) override { checks_.finish(outcome); }
  bool wants_words() const override { return false; }
  void changing() override {
    if (differentiates_) path_->changing();
  }
  void contacts_changed(const ContactImpulses& impulses) override {
    if (differentiates_) path_->contacts_changed(impulses);
  }
  void sampling(const Samples& samples) override {
    if (differentiates_) path_->sampling(samples);
  }
  void restarted() override {
    if (differentiates_ && path_->begun()) path_->restarted();
  }
  // Why there are no derivatives of this motion; empty: there are.
  std::string failure() const { return differentiates_ ? path_->failure() : ""; }
  Eigen::Index samples() const { return static_cast<Eigen::Index>(next_); }

 private:
  void hold() { state_.d = moving_->d, state_.w = dynamics_->weights(), state_.comparisons = moving_->comparisons; }

  // The next row, at state_ and S_.
  void observe() {
    const auto row = static_cast<Eigen::Index>(next_++), signals = values_->cols();
    in_[0] = state_.t;
    double* next = in_.data() + 1;
    for (const VectorXd* part : {&state_.x, &state_.d, &state_.w, &parameters_})
      next = std::copy_n(part->data(), part->size(), next);
    signals_(in_.data(), y_.data());
    for (Eigen::Index k = 0; k < signals; ++k) (*values_)(row, k) = y_[static_cast<std::size_t>(k)];
    if (!differentiates_) return;
    path_->observe(*observed_, state_, S_, dy_);
    derivatives_->middleRows(row * signals, signals) = dy_;
  }

  const std::vector<double>& times_;
  const Prepared* prepared_ = nullptr;
  MotionChecks checks_;
  Evaluator signals_;
  std::optional<RunSensitivity> path_;
  std::optional<Directional> observed_;
  VectorXd parameters_;
  bool differentiates_ = false;
  Dynamics* dynamics_ = nullptr;
  const State* moving_ = nullptr;  // the state of the run
  State state_;                    // where it is looked at
  double t_ = 0;                   // up to which the motion was seen
  std::size_t next_ = 0;           // time
  MatrixXd S_, dy_;
  std::vector<double> in_, y_;
  MatrixXd *values_ = nullptr, *derivatives_ = nullptr;
};

SignalRun::SignalRun(const SignalStudy& study)
    : study_(study),
      prepared_(study.prepared_),
      assembler_(study.prepared_.system),
      start_(study.start_ ? std::make_unique<StartSensitivity>(*study.start_) : nullptr),
      watcher_(std::make_unique<Watcher>(study)) {}

SignalRun::~SignalRun() = default;

RunStatus SignalRun::run(const Request& request, const std::atomic<bool>& stop) {
  // Parameters, end and start of this motion; all else is that of the study.
  prepared_.parameters = request.parameters;
  prepared_.failure.clear(), prepared_.notes.clear(), prepared_.remarks.clear();
  prepared_.options.end = request.until > 0 ? request.until : study_.prepared_.options.end;
  samples_ = 0, steps_ = 0, no_derivative_ = false;
  assemble_start(prepared_, assembler_, *study_.known_);
  sentence_ = prepared_.failure;
  if (!sentence_.empty()) return RunStatus::failed;
  // S at the start: the identity in the directions asked for, and what assembly makes of it.
  MatrixXd S;
  if (request.directions.cols() > 0) {
    S.setZero(study_.motion_->rows(), request.directions.cols());
    S.bottomRows(request.directions.rows()) = request.directions;
    sentence_ = "the loops close here but not nearby: the start has no derivative";
    if (!(*start_)(prepared_, *study_.known_, request.scales, S)) return RunStatus::failed;
  }
  // The motion itself, with the watcher that samples the signals and their derivatives.
  watcher_->set(prepared_, S, values_, derivatives_);
  const Outcome outcome = follow(prepared_, *watcher_, [&](double, long) { return !stop; });
  samples_ = watcher_->samples();
  steps_ = outcome.statistics.integrator.steps;
  findings_ = outcome.findings;
  no_derivative_ = !watcher_->failure().empty();
  sentence_ = no_derivative_ ? watcher_->failure() : outcome.sentence;
  return no_derivative_ ? RunStatus::failed : outcome.status;
}

}  // namespace armature::internal
