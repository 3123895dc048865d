#include "study/motion_gradient.hpp"

#include <algorithm>
#include <array>
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
constexpr double start_step = 1e-3;  // of a variable's scale, for differences of the start

// The observed formulas along a direction of all leaves that move with the variables.
StateProgram observed_derivatives(const Study& study) {
  const Equations& e = study.prepared().system->equations();
  List outputs(study.formulas().observed().size(), 0.0), leaves;
  LeafMap direction;
  for (const List* list : {&e.q, &e.v, &e.z, &e.p})
    for (const Expression& leaf : *list) {
      leaves.push_back(e.graph->input("d"));
      direction[leaf.id()] = leaves.back();
    }
  Derivative along(direction);
  for (const Quantity& quantity : e.quantities)
    if (const int k = functional_number(quantity.name); k >= 0)
      outputs[static_cast<std::size_t>(k)] = along(quantity.value);
  return StateProgram(e, outputs, leaves);
}

}  // namespace

GradientStudy::GradientStudy(const Study& study, std::vector<double> scales)
    : study_(study),
      scales_(std::move(scales)),
      sensitivity_(study.prepared().system, study.prepared().options.alpha, study.prepared().options.beta),
      observed_(observed_derivatives(study)),
      formulas_(study.formulas()) {}

std::string GradientStudy::missing(const Study& study) {
  for (const Functional& functional : study.formulas().functionals())
    if (functional.kind == Kind::first || functional.kind == Kind::last)
      return "uses a time, first(…) or last(…), whose derivative is not computed";
  for (const Functional& functional : study.formulas().functionals())
    if (functional.has_window()) return "uses a window of time, whose derivative is not computed";
  if (study.prepared().from_equilibrium) return "starts in an equilibrium, whose derivative is not computed";
  const Equations& equations = study.prepared().system->equations();
  for (const auto& [state, start] : equations.z_initial)
    if (!start.is_constant()) return "starts a state at what is varied, whose derivative is not computed";
  return why_no_sensitivity(equations);
}

// Follows S along the motion, and gathers the gradients of the functionals.
class GradientRun::Watcher : public MotionWatcher {
 public:
  Watcher(const GradientStudy& shared, const Study& study)
      : MotionWatcher(study.formulas().functionals(), study.observed(), study.prepared().options.end),
        sensitivity_(shared.sensitivity_),
        observed_(shared.observed_) {}

  void set(const VectorXd& parameters, const MatrixXd& S) {
    set_parameters(parameters);
    sensitivity_.set_parameters(parameters);
    observed_.set_parameters(parameters);
    S_[0] = S;
    failed_ = false;
  }

  void begin(Dynamics& dynamics, const Integrator& integrator, const State& start) override {
    MotionWatcher::begin(dynamics, integrator, start);
    dynamics_ = &dynamics;
    moving_ = &start;
    state_ = start;
    t_start_ = start.t;
    const MatrixXd at_start = observe(S_[0]);
    gradient_.assign(functionals().size(), {});
    for (std::size_t k = 0; k < gradient_.size(); ++k) {
      const VectorXd g = at_start.row(functionals()[k].observed);
      gradient_[k] = {g, g, g, g, g, VectorXd::Zero(g.size())};
    }
  }

  bool step(const Integrator& integrator, double until) override {
    const double from = t();
    if (!(until > from)) return MotionWatcher::step(integrator, until);
    state_.d = moving_->d;
    state_.w = dynamics_->weights();
    advance(integrator, from, until);
    const bool go_on = MotionWatcher::step(integrator, until);
    for (std::size_t k = 0; k < gradient_.size(); ++k) gather(k, integrator, from, until);
    place(integrator, until);
    sensitivity_.make_tangent(state_, S_[nodes - 1]);
    S_[0] = S_[nodes - 1];
    return go_on && !failed_;
  }

  bool failed() const { return failed_; }

  // After the motion. One row a functional, one column a parameter.
  MatrixXd gradients() const {
    MatrixXd result(static_cast<Eigen::Index>(gradient_.size()), S_[0].cols());
    for (std::size_t k = 0; k < gradient_.size(); ++k) result.row(static_cast<Eigen::Index>(k)) = gradient_of(k);
    return result;
  }

 private:
  static constexpr int nodes = 5;  // of a step: those of Boole's rule
  struct Gathered {
    VectorXd initial, last, largest, smallest, at, integral;
  };

  void place(const Integrator& integrator, double t) {
    integrator.interpolate(t, state_.x);
    state_.t = t;
  }

  void rate(const Integrator& integrator, double t, const MatrixXd& S, MatrixXd& result) {
    place(integrator, t);
    if (!sensitivity_.rate(state_, S, result)) failed_ = true, result.setZero(S.rows(), S.cols());
  }

  // Runge's classical method over a quarter of the step at a time.
  void advance(const Integrator& integrator, double from, double until) {
    const double h = (until - from) / (nodes - 1);
    rate(integrator, from, S_[0], rate_[0]);
    for (int k = 0; k + 1 < nodes; ++k) {
      const double t = from + k * h, next = k + 2 == nodes ? until : from + (k + 1) * h;
      rate(integrator, t + 0.5 * h, S_[k] + 0.5 * h * rate_[k], k2_);
      rate(integrator, t + 0.5 * h, S_[k] + 0.5 * h * k2_, k3_);
      rate(integrator, next, S_[k] + h * k3_, k4_);
      S_[k + 1] = S_[k] + h / 6 * (rate_[k] + 2 * k2_ + 2 * k3_ + k4_);
      rate(integrator, next, S_[k + 1], rate_[k + 1]);
    }
  }

  // Cubic between two nodes, from their values and rates.
  MatrixXd S_at(double t, double from, double until) const {
    const double h = (until - from) / (nodes - 1);
    const int k = std::clamp(static_cast<int>((t - from) / h), 0, nodes - 2);
    const double s = (t - from) / h - k, r = 1 - s;
    return r * r * (1 + 2 * s) * S_[k] + s * s * (1 + 2 * r) * S_[k + 1] +
           h * s * r * (r * rate_[k] - s * rate_[k + 1]);
  }

  // Gradients of the observed formulas at state_: one row a formula, one column a parameter.
  MatrixXd observe(const MatrixXd& S) {
    MatrixXd result;
    VectorXd direction = VectorXd::Zero(S.rows() + S.cols());
    observed_.set(state_);
    for (Eigen::Index k = 0; k < S.cols(); ++k) {
      direction.head(S.rows()) = S.col(k);
      direction.tail(S.cols()).setZero();
      direction[S.rows() + k] = 1;
      observed_.set_further(direction);
      const VectorXd& change = observed_.evaluate();
      if (k == 0) result.resize(change.size(), S.cols());
      result.col(k) = change;
    }
    return result;
  }
  VectorXd observe_at(const Integrator& integrator, double t, double from, double until, int formula) {
    place(integrator, t);
    return observe(S_at(t, from, until)).row(formula);
  }

  void gather(std::size_t k, const Integrator& integrator, double from, double until) {
    const Functional& f = functionals()[k];
    Gathered& known = gradient_[k];
    const auto inside = [&](double t) { return t > from && t <= until; };
    const auto gradient = [&](double t) { return observe_at(integrator, t, from, until, f.observed); };
    if (f.kind == Kind::final) known.last = gradient(until);
    if (f.kind == Kind::at && inside(f.time)) known.at = gradient(f.time);
    if ((f.kind == Kind::max || f.kind == Kind::turns) && inside(when_largest(k)))
      known.largest = gradient(when_largest(k));
    if ((f.kind == Kind::min || f.kind == Kind::turns) && inside(when_smallest(k)))
      known.smallest = gradient(when_smallest(k));
    if (f.kind == Kind::integral || f.kind == Kind::mean)
      for (int j = 0; j < nodes; ++j)
        known.integral += boole[j] * (until - from) * gradient(from + (until - from) * j / (nodes - 1));
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
      default: return VectorXd::Constant(S_[0].cols(), std::nan(""));
    }
  }
  double value_up(std::size_t k) const { return largest(k) - initial(k); }
  double value_down(std::size_t k) const { return initial(k) - smallest(k); }

  MotionSensitivity sensitivity_;
  StateProgram observed_;
  Dynamics* dynamics_ = nullptr;
  const State* moving_ = nullptr;  // the state of the run
  State state_;                    // where it is looked at
  double t_start_ = 0;
  std::array<MatrixXd, nodes> S_, rate_;
  MatrixXd k2_, k3_, k4_;
  std::vector<Gathered> gradient_;
  bool failed_ = false;
};

GradientRun::GradientRun(const GradientStudy& gradients, const StopFlag& stop)
    : shared_(gradients),
      stop_(stop),
      prepared_(gradients.study_.prepared()),
      beside_(prepared_),
      assembler_(prepared_.system),
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
  MatrixXd S;
  sentence_ = "the loops close here but not nearby: the start has no derivative";
  if (!differentiate_start(S)) return MotionStatus::no_start;
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

//   (8 (x(+h) - x(-h)) - (x(+2h) - x(-2h))) / 12 h
bool GradientRun::differentiate_start(MatrixXd& S) {
  constexpr std::pair<double, double> stencil[] = {{1, 8}, {-1, -8}, {2, -1}, {-2, 1}};
  const Eigen::Index count = prepared_.parameters.size();
  S.setZero(prepared_.start.x.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const double h = start_step * shared_.scales_[shared_.study_.variable_of(k)];
    for (const auto& [place, weight] : stencil) {
      beside_.parameters = prepared_.parameters;
      beside_.parameters[k] += place * h;
      beside_.failure.clear(), beside_.notes.clear();
      assemble_start(beside_, assembler_, shared_.study_.known_positions());
      if (!beside_.failure.empty()) return false;
      S.col(k) += weight / (12 * h) * beside_.start.x;
    }
  }
  return true;
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
