#include "study/motion_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "run/simulate.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using Kind = Functional::Kind;
using List = std::vector<Expression>;

constexpr double boole[] = {7.0 / 90, 32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90};
constexpr int boole_nodes = 5;

// The observed formulas, in their order.
List observed_formulas(const Study& study) {
  List formulas(study.formulas().observed().size(), 0.0);
  for (const Quantity& quantity : study.prepared().system->equations().quantities)
    if (const int k = functional_number(quantity.name); k >= 0) formulas[static_cast<std::size_t>(k)] = quantity.value;
  return formulas;
}

}  // namespace

GradientStudy::GradientStudy(const Study& study, std::vector<double> scales)
    : study_(study),
      scales_(std::move(scales)),
      sensitivity_(study.prepared().system, study.prepared().options.alpha, study.prepared().options.beta),
      start_(study.prepared().system),
      observed_(*study.prepared().system, observed_formulas(study)),
      formulas_(study.formulas()) {}

std::string GradientStudy::missing(const Study& study) {
  for (const Functional& functional : study.formulas().functionals())
    if (functional.kind == Kind::first || functional.kind == Kind::last)
      return "uses a time, first(…) or last(…), whose derivative is not computed";
  for (const Functional& functional : study.formulas().functionals())
    if (functional.has_window()) return "uses a window of time, whose derivative is not computed";
  const std::string why = StartSensitivity::missing(study.prepared());
  return why.empty() ? why_no_sensitivity(study.prepared().system->equations()) : why;
}

// Follows S along the motion, and gathers the gradients of the functionals.
class GradientRun::Watcher : public MotionWatcher {
 public:
  Watcher(const GradientStudy& shared, const Study& study)
      : MotionWatcher(study.formulas().functionals(), study.observed(), study.prepared().options.end),
        path_(shared.sensitivity_, study.prepared().options.rtol),
        observed_(shared.observed_) {}

  void set(const VectorXd& parameters, const MatrixXd& S) {
    set_parameters(parameters);
    path_.sensitivity().set_parameters(parameters);
    observed_.set_parameters(parameters);
    path_.begin(S);
    failed_ = false;
  }

  void begin(Dynamics& dynamics, const Integrator& integrator, const State& start) override {
    MotionWatcher::begin(dynamics, integrator, start);
    dynamics_ = &dynamics;
    moving_ = &start;
    state_ = start;
    t_start_ = start.t;
    observe(path_.S());
    gradient_.assign(functionals().size(), {});
    for (std::size_t k = 0; k < gradient_.size(); ++k) {
      const VectorXd g = changes_.row(functionals()[k].observed);
      gradient_[k] = {g, g, g, g, g, VectorXd::Zero(g.size())};
    }
  }

  bool step(const Integrator& integrator, double until) override {
    const double from = t();
    if (!(until > from)) return MotionWatcher::step(integrator, until);
    state_.d = moving_->d;
    state_.w = dynamics_->weights();
    failed_ = !path_.advance(integrator, state_, from, until);
    const bool go_on = MotionWatcher::step(integrator, until);
    if (failed_) return false;
    for (std::size_t k = 0; k < gradient_.size(); ++k) gather(k, integrator, from, until);
    return go_on;
  }

  bool failed() const { return failed_; }

  // After the motion. One row a functional, one column a parameter.
  MatrixXd gradients() const {
    MatrixXd result(static_cast<Eigen::Index>(gradient_.size()), path_.S().cols());
    for (std::size_t k = 0; k < gradient_.size(); ++k) result.row(static_cast<Eigen::Index>(k)) = gradient_of(k);
    return result;
  }

 private:
  struct Gathered {
    VectorXd initial, last, largest, smallest, at, integral;
  };

  // Gradients of the observed formulas at state_: one row a formula, one column a parameter.
  void observe(const MatrixXd& S) {
    observed_.set(state_);
    observed_(S, changes_);
  }
  VectorXd observe_at(const Integrator& integrator, double t, int formula) {
    integrator.interpolate(t, state_.x);
    state_.t = t;
    path_.at(t, S_);
    observe(S_);
    return changes_.row(formula);
  }

  void gather(std::size_t k, const Integrator& integrator, double from, double until) {
    const Functional& f = functionals()[k];
    Gathered& known = gradient_[k];
    const auto inside = [&](double t) { return t > from && t <= until; };
    const auto gradient = [&](double t) { return observe_at(integrator, t, f.observed); };
    if (f.kind == Kind::final) known.last = gradient(until);
    if (f.kind == Kind::at && inside(f.time)) known.at = gradient(f.time);
    if ((f.kind == Kind::max || f.kind == Kind::turns) && inside(when_largest(k)))
      known.largest = gradient(when_largest(k));
    if ((f.kind == Kind::min || f.kind == Kind::turns) && inside(when_smallest(k)))
      known.smallest = gradient(when_smallest(k));
    if (f.kind == Kind::integral || f.kind == Kind::mean)
      for (int j = 0; j < boole_nodes; ++j)
        known.integral += boole[j] * (until - from) * gradient(from + (until - from) * j / (boole_nodes - 1));
  }

  VectorXd gradient_of(std::size_t k) const {
    const Gathered& known = gradient_[k];
    switch (functionals()[k].kind) {
      case Kind::initial: return known.initial;
      case Kind::final: return known.last;
      case Kind::at: return known.at;
      case Kind::max: return known.largest;
      case Kind::min: return known.smallest;
      case Kind::mean: return known.integral / (t() - t_start_);
      case Kind::integral: return known.integral;
      case Kind::turns: {
        const bool up = value_up(k) >= value_down(k);
        return (up ? VectorXd(known.largest - known.initial) : VectorXd(known.initial - known.smallest)) /
               (2 * std::numbers::pi);
      }
      default: return VectorXd::Constant(path_.S().cols(), std::nan(""));
    }
  }
  double value_up(std::size_t k) const { return largest(k) - initial(k); }
  double value_down(std::size_t k) const { return initial(k) - smallest(k); }

  SensitivityPath path_;
  Directional observed_;
  Dynamics* dynamics_ = nullptr;
  const State* moving_ = nullptr;  // the state of the run
  State state_;                    // where it is looked at
  double t_start_ = 0;
  MatrixXd S_, changes_;
  std::vector<Gathered> gradient_;
  bool failed_ = false;
};

GradientRun::GradientRun(const GradientStudy& gradients, const StopFlag& stop)
    : shared_(gradients),
      stop_(stop),
      prepared_(gradients.study_.prepared()),
      assembler_(prepared_.system),
      start_(gradients.start_),
      evaluator_(gradients.study_.evaluator()),
      formulas_(gradients.formulas_),
      watcher_(std::make_unique<Watcher>(gradients, gradients.study_)) {}

GradientRun::~GradientRun() = default;

MotionStatus GradientRun::run(std::span<const double> point) {
  prepared_.parameters = shared_.study_.parameters_at(point);
  prepared_.failure.clear(), prepared_.notes.clear(), findings_.clear();
  assemble_start(prepared_, assembler_, shared_.study_.known_positions());
  sentence_ = prepared_.failure;
  if (!sentence_.empty()) return MotionStatus::no_start;
  MatrixXd S = shared_.sensitivity_.unit_directions();
  VectorXd scales(S.cols());
  for (Eigen::Index k = 0; k < scales.size(); ++k) scales[k] = shared_.scales_[shared_.study_.variable_of(k)];
  sentence_ = "the loops close here but not nearby: the start has no derivative";
  if (!start_(prepared_, shared_.study_.known_positions(), scales, S)) return MotionStatus::no_start;
  watcher_->set(prepared_.parameters, S);
  const Outcome outcome = follow(prepared_, *watcher_, [this](double, long) { return !stop_; });
  findings_ = outcome.findings;
  sentence_ = watcher_->failed() ? "the sensitivities of the motion have no value" : outcome.sentence;
  if (outcome.status == RunStatus::stopped) return MotionStatus::stopped;
  if (outcome.status == RunStatus::failed || watcher_->failed()) return MotionStatus::failed;
  functionals_ = watcher_->functionals_at_end();
  values_ = evaluator_(functionals_.values, point);
  add_undefined(shared_.study_.formulas(), values_, functionals_, findings_);
  differentiate_formulas(point);
  return MotionStatus::finished;
}

void GradientRun::differentiate_formulas(std::span<const double> point) {
  const MatrixXd& partial = formulas_(functionals_.values, point);
  const auto count = static_cast<Eigen::Index>(functionals_.values.size());
  const MatrixXd by_parameter = partial.leftCols(count) * watcher_->gradients();
  gradients_ = partial.rightCols(static_cast<Eigen::Index>(point.size()));
  for (Eigen::Index k = 0; k < by_parameter.cols(); ++k)
    gradients_.col(static_cast<Eigen::Index>(shared_.study_.variable_of(k))) += by_parameter.col(k);
}

}  // namespace armature::internal
