#include "study/motion_gradient.hpp"

#include <fmt/format.h>

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
constexpr double round_off = 1e-12;       // relative: a formula that does not jump at an event
constexpr double difference_part = 1e-5;  // of a variable's scale, where a motion has no derivative
constexpr std::size_t many = 24;          // variables a formula: from here on going backwards takes less time

// The observed formulas, in their order.
List observed_formulas(const Study& study) {
  List formulas(study.formulas().observed().size(), 0.0);
  for (const Quantity& quantity : study.prepared().system->equations().quantities)
    if (const int k = functional_number(quantity.name); k >= 0) formulas[static_cast<std::size_t>(k)] = quantity.value;
  return formulas;
}

}  // namespace

GradientStudy::GradientStudy(const Study& study, std::vector<double> scales, std::size_t count, DerivativeWay way,
                             std::size_t record_limit)
    : study_(study),
      scales_(std::move(scales)),
      count_(count > 0 ? count : scales_.size()),
      sensitivity_(study.prepared().system, study.prepared().options.alpha, study.prepared().options.beta),
      saltation_(study.prepared().system, sensitivity_.sliders()),
      start_(study.prepared().system),
      observed_(*study.prepared().system, observed_formulas(study), {}, sensitivity_.sliders()),
      formulas_(study.formulas()) {
  const bool pays = count_ >= many * study.formulas().formulas().size();
  const bool wanted =
      way == DerivativeWay::adjoint || !study.tables().empty() || (way == DerivativeWay::automatic && pays);
  if (wanted && no_adjoint(study).empty())
    adjoint_ = std::make_unique<const AdjointStudy>(study, sensitivity_, observed_formulas(study), record_limit);
}

// Points of tables have no sensitivities.
std::string GradientStudy::missing(const Study& study) {
  if (!study.tables().empty()) return no_adjoint(study);
  const std::string why = StartSensitivity::missing(study.prepared());
  return why.empty() ? why_no_sensitivity(study.prepared()) : why;
}

std::string GradientStudy::no_adjoint(const Study& study) {
  return AdjointSweep::missing(study.prepared(), study.varied_tables());
}

// Follows S along the motion, and gathers the gradients of the functionals. The values are gathered even where S ends.
class GradientRun::Watcher : public MotionWatcher {
 public:
  Watcher(const GradientStudy& shared, const Study& study)
      : MotionWatcher(study.formulas().functionals(), study.observed(), study.prepared().options.end),
        path_(shared.sensitivity_, shared.saltation_),
        observed_(shared.observed_),
        values_(study.observed()) {
    in_.resize(static_cast<std::size_t>(study.observed()->input_count()));
    y_before_.resize(study.observed()->output_count());
    y_after_ = y_before_;
  }

  void set(const Prepared& prepared, const MatrixXd& S) {
    set_motion(prepared);
    parameters_ = prepared.parameters;
    observed_.set_parameters(prepared.parameters);
    path_.set(prepared, S);
    failure_.clear();
  }

  void begin(Dynamics& dynamics, const Integrator& integrator, const State& start) override {
    MotionWatcher::begin(dynamics, integrator, start);
    path_.begin(dynamics, start);
    t_start_ = start.t;
    event_at_ = -1;
    path_.observe(observed_, path_.held(), path_.S(), changes_);
    gradient_.assign(functionals().size(), {});
    for (std::size_t k = 0; k < gradient_.size(); ++k) {
      const VectorXd g = changes_.row(functionals()[k].observed), none = VectorXd::Zero(g.size());
      gradient_[k] = {g, g, g, g, g, none, none};
    }
  }

  bool step(const Integrator& integrator, double until) override {
    const double from = t();
    if (!(until > from)) return MotionWatcher::step(integrator, until);
    state_ = path_.held();
    if (differentiates() && path_.step(integrator, until)) state_.d = path_.held().d, state_.w = path_.held().w;
    note();
    const bool go_on = MotionWatcher::step(integrator, until);
    if (differentiates())
      for (std::size_t k = 0; k < gradient_.size(); ++k) gather(k, integrator, from, until);
    return go_on;
  }

  void changing() override { path_.changing(); }
  void contacts_changed(const ContactImpulses& impulses) override { path_.contacts_changed(impulses); }
  void sampling(const Samples& samples) override { path_.sampling(samples); }
  void restarted() override {
    if (!path_.begun() || !differentiates() || !path_.restarted()) return;
    const Instant& instant = path_.instant();
    event_at_ = instant.before.t;
    evaluate(instant.before, y_before_);
    evaluate(instant.after, y_after_);
    observe_flow(instant.before, instant.flow_before, rate_before_);
    observe_flow(instant.after, instant.flow_after, rate_after_);
    for (std::size_t k = 0; k < gradient_.size(); ++k) pass_event(k, instant);
  }

  // Why there are no gradients of this motion; empty: there are.
  std::string failure() const { return path_.failure().empty() ? failure_ : path_.failure(); }

  // After the motion. One row a functional, one column a parameter.
  MatrixXd gradients() const {
    MatrixXd result(static_cast<Eigen::Index>(gradient_.size()), path_.S().cols());
    for (std::size_t k = 0; k < gradient_.size(); ++k) result.row(static_cast<Eigen::Index>(k)) = gradient_of(k);
    return result;
  }

 private:
  struct Gradients {
    VectorXd initial, last, largest, smallest, at, integral, time;
  };
  // What a functional knew before the piece.
  struct Noted {
    double largest, when_largest, smallest, when_smallest, first;
  };

  bool differentiates() const { return failure_.empty() && path_.failure().empty(); }

  void note() {
    noted_.clear();
    for (std::size_t k = 0; k < functionals().size(); ++k)
      noted_.push_back({largest(k), when_largest(k), smallest(k), when_smallest(k), first(k)});
  }

  void evaluate(const State& state, VectorXd& y) {
    in_[0] = state.t;
    double* next = in_.data() + 1;
    for (const VectorXd* part : std::initializer_list<const VectorXd*>{&state.x, &state.d, &state.w, &parameters_})
      next = std::copy_n(part->data(), part->size(), next);
    values_(in_.data(), y.data());
  }
  void observe_flow(const State& state, const VectorXd& flow, MatrixXd& rate) {
    path_.observe(observed_, state, flow, rate);
  }

  // At a fixed time inside the last piece.
  VectorXd gradient_at(const Integrator& integrator, double t, int formula) {
    integrator.interpolate(t, state_.x);
    state_.t = t;
    path_.at(t, S_);
    path_.observe(observed_, state_, S_, changes_);
    return changes_.row(formula);
  }

  // Where an extreme stands at the beginning of a piece, after a jump of the formula at an event, it moves with the event.
  VectorXd extreme(const Integrator& integrator, double t, double from, int formula) {
    VectorXd g = gradient_at(integrator, t, formula);
    if (t == from && t == event_at_) g += rate_after_(formula, 0) * needed_shift();
    return g;
  }

  const VectorXd needed_shift() {
    const Instant& instant = path_.instant();
    if (!instant.shift.allFinite() && failure_.empty())
      failure_ = fmt::format("the time t = {:.10g} s of an event has no derivative: {}", instant.before.t,
                             instant.why_no_shift);
    return instant.shift.transpose();
  }

  void gather(std::size_t k, const Integrator& integrator, double from, double until) {
    const Functional& f = functionals()[k];
    Gradients& known = gradient_[k];
    const double a = std::max(from, f.from), b = std::min(until, f.to);
    const auto gradient = [&](double t) { return gradient_at(integrator, t, f.observed); };
    if (f.kind == Kind::final) known.last = gradient(until);
    if (f.kind == Kind::at && f.time > from && f.time <= until) known.at = gradient(f.time);
    if (!(a < b)) return;
    if (f.has_window() && f.from >= from && f.from > t_start_)
      known.initial = known.largest = known.smallest = gradient(a);
    const bool up = largest(k) != noted_[k].largest || when_largest(k) != noted_[k].when_largest;
    const bool down = smallest(k) != noted_[k].smallest || when_smallest(k) != noted_[k].when_smallest;
    if ((f.kind == Kind::max || f.kind == Kind::turns) && up && when_largest(k) >= a)
      known.largest = extreme(integrator, when_largest(k), from, f.observed);
    if ((f.kind == Kind::min || f.kind == Kind::turns) && down && when_smallest(k) >= a)
      known.smallest = extreme(integrator, when_smallest(k), from, f.observed);
    if (f.kind == Kind::integral || f.kind == Kind::mean)
      for (int j = 0; j < boole_nodes; ++j)
        known.integral += boole[j] * (b - a) * gradient(a + (b - a) * j / (boole_nodes - 1));
    if (f.kind == Kind::first && first(k) != noted_[k].first && first(k) == from && from == event_at_)
      known.time = needed_shift();
    if (f.kind == Kind::last && last(k) > from) known.time.setZero();
  }

  // The time of an event moves: so does what ends or begins there.
  void pass_event(std::size_t k, const Instant& instant) {
    const Functional& f = functionals()[k];
    Gradients& known = gradient_[k];
    const double t = instant.before.t;
    if (t < f.from || t > f.to) return;
    const Eigen::Index formula = f.observed;
    const double jump = y_before_[formula] - y_after_[formula];
    const bool jumps = std::abs(jump) > round_off * std::max(std::abs(y_before_[formula]), std::abs(y_after_[formula]));
    if ((f.kind == Kind::integral || f.kind == Kind::mean) && jumps) known.integral += jump * needed_shift();
    if ((f.kind == Kind::max || f.kind == Kind::turns) && when_largest(k) == t)
      known.largest += rate_before_(formula, 0) * needed_shift();
    if ((f.kind == Kind::min || f.kind == Kind::turns) && when_smallest(k) == t)
      known.smallest += rate_before_(formula, 0) * needed_shift();
    if (f.kind == Kind::last && last(k) == t && jumps) known.time = needed_shift();
  }

  VectorXd gradient_of(std::size_t k) const {
    const Gradients& known = gradient_[k];
    const Functional& f = functionals()[k];
    switch (f.kind) {
      case Kind::initial: return known.initial;
      case Kind::final: return known.last;
      case Kind::at: return known.at;
      case Kind::max: return known.largest;
      case Kind::min: return known.smallest;
      case Kind::mean: return known.integral / (std::min(f.to, t()) - std::max(f.from, t_start_));
      case Kind::integral: return known.integral;
      case Kind::turns: {
        const bool up = largest(k) - initial(k) >= initial(k) - smallest(k);
        return (up ? VectorXd(known.largest - known.initial) : VectorXd(known.initial - known.smallest)) /
               (2 * std::numbers::pi);
      }
      case Kind::first:
      case Kind::last: return known.time;
    }
    return VectorXd::Constant(path_.S().cols(), std::nan(""));
  }

  RunSensitivity path_;
  Directional observed_;
  Evaluator values_;
  VectorXd parameters_;
  State state_;  // where it is looked at
  double t_start_ = 0, event_at_ = -1;
  MatrixXd S_, changes_, rate_before_, rate_after_;
  VectorXd y_before_, y_after_;
  std::vector<double> in_;
  std::vector<Gradients> gradient_;
  std::vector<Noted> noted_;
  std::string failure_;
};

GradientRun::GradientRun(const GradientStudy& gradients, const StopFlag& stop)
    : shared_(gradients),
      stop_(stop),
      prepared_(gradients.study_.prepared()),
      assembler_(prepared_.system),
      start_(gradients.start_),
      evaluator_(gradients.study_.evaluator()),
      formulas_(gradients.formulas_),
      watcher_(std::make_unique<Watcher>(gradients, gradients.study_)),
      adjoint_(gradients.adjoint_ ? std::make_unique<AdjointRun>(*gradients.adjoint_) : nullptr),
      beside_(gradients.study_, nullptr, stop) {}

GradientRun::~GradientRun() = default;

MotionStatus GradientRun::run(std::span<const double> point) {
  prepared_.parameters = shared_.study_.parameters_at(point);
  shared_.study_.move_tables(point);
  prepared_.failure.clear(), prepared_.notes.clear(), prepared_.remarks.clear(), findings_.clear();
  if (sentence_ = shared_.study_.violation(point); !sentence_.empty()) return MotionStatus::no_start;
  assemble_start(prepared_, assembler_, shared_.study_.known_positions());
  sentence_ = prepared_.failure;
  if (!sentence_.empty()) return MotionStatus::no_start;
  return adjoint_ ? run_backwards(point) : run_forwards(point);
}

// How far each parameter may go for differences.
VectorXd GradientRun::scales() const {
  VectorXd scales(prepared_.parameters.size());
  for (Eigen::Index k = 0; k < scales.size(); ++k) scales[k] = shared_.scales_[shared_.study_.variable_of(k)];
  return scales;
}

MotionStatus GradientRun::run_forwards(std::span<const double> point) {
  const MatrixXd all = shared_.sensitivity_.unit_directions();
  parameters_.clear();
  for (Eigen::Index k = 0; k < all.cols(); ++k)
    if (shared_.study_.variable_of(k) < shared_.count_) parameters_.push_back(k);
  MatrixXd S = all(Eigen::all, parameters_);
  sentence_ = "the loops close here but not nearby: the start has no derivative";
  if (!start_(prepared_, shared_.study_.known_positions(), scales(), S)) return MotionStatus::no_start;
  watcher_->set(prepared_, S);
  const Outcome outcome = follow(prepared_, *watcher_, [this](double, long) { return !stop_; });
  if (const MotionStatus status = conclude(outcome, *watcher_, point); status != MotionStatus::finished) return status;
  no_derivative_ = watcher_->failure();
  if (!no_derivative_.empty()) return take_differences(point);
  differentiate_formulas(point);
  return MotionStatus::finished;
}

// Where there are no adjoints, sensitivities may know more; they know nothing of the points of tables.
MotionStatus GradientRun::run_backwards(std::span<const double> point) {
  const Progress progress = [this](double, long) { return !stop_; };
  const Outcome outcome = adjoint_->follow(prepared_, progress);
  if (const MotionStatus status = conclude(outcome, adjoint_->watcher(), point); status != MotionStatus::finished)
    return status;
  const MatrixXd partial = formulas_(functionals_.values, point);
  const auto functionals = static_cast<Eigen::Index>(functionals_.values.size()),
             count = static_cast<Eigen::Index>(shared_.count_);
  if (!adjoint_->differentiate(prepared_, partial.leftCols(functionals), scales(), progress)) {
    if (stop_) return MotionStatus::stopped;
    if (shared_.study_.tables().empty()) return run_forwards(point);
    no_derivative_ = adjoint_->failure();
    return take_differences(point);
  }
  no_derivative_.clear();
  gradients_ = partial.middleCols(functionals, count);
  for (Eigen::Index k = 0; k < prepared_.parameters.size(); ++k)
    if (const auto variable = static_cast<Eigen::Index>(shared_.study_.variable_of(k)); variable < count)
      gradients_.col(variable) += adjoint_->by_parameter().col(k);
  const std::vector<int> numbers = shared_.study_.varied_tables();
  for (std::size_t table = 0; table < numbers.size(); ++table)
    for (Eigen::Index row = 0; row < gradients_.rows() && numbers[table] >= 0; ++row)
      shared_.study_.tables()[table].add_gradient(adjoint_->by_points(row, numbers[table]), gradients_.row(row));
  return MotionStatus::finished;
}

// The values of a motion that went to its end.
MotionStatus GradientRun::conclude(const Outcome& outcome, const MotionWatcher& watcher,
                                   std::span<const double> point) {
  findings_ = outcome.findings;
  sentence_ = outcome.sentence;
  if (outcome.status == RunStatus::stopped) return MotionStatus::stopped;
  if (outcome.status == RunStatus::failed) return MotionStatus::failed;
  functionals_ = watcher.functionals_at_end();
  values_ = evaluator_(functionals_.values, point);
  add_undefined(shared_.study_.formulas(), values_, functionals_, findings_);
  return MotionStatus::finished;
}

// Central differences of motions; one-sided where there is no motion on one side.
MotionStatus GradientRun::take_differences(std::span<const double> point) {
  gradients_.setZero(static_cast<Eigen::Index>(values_.size()), static_cast<Eigen::Index>(shared_.count_));
  const VectorXd here = Eigen::Map<const VectorXd>(values_.data(), static_cast<Eigen::Index>(values_.size()));
  for (std::size_t k = 0; k < shared_.count_; ++k) {
    const double h = difference_part * shared_.scales_[k];
    VectorXd up = here, down = here;
    double width = 0;
    for (const double side : {1.0, -1.0}) {
      std::vector<double> beside(point.begin(), point.end());
      beside[k] += side * h;
      const MotionStatus status = beside_.run(beside);
      ++motions_beside_;
      if (status == MotionStatus::stopped) return status;
      if (status != MotionStatus::finished) continue;
      (side > 0 ? up : down) = Eigen::Map<const VectorXd>(beside_.values().data(), here.size());
      width += h;
    }
    if (width > 0) gradients_.col(static_cast<Eigen::Index>(k)) = (up - down) / width;
  }
  return MotionStatus::finished;
}

void GradientRun::differentiate_formulas(std::span<const double> point) {
  const MatrixXd& partial = formulas_(functionals_.values, point);
  const auto count = static_cast<Eigen::Index>(functionals_.values.size());
  const MatrixXd by_parameter = partial.leftCols(count) * watcher_->gradients();
  gradients_ = partial.middleCols(count, static_cast<Eigen::Index>(shared_.count_));
  for (std::size_t k = 0; k < parameters_.size(); ++k)
    gradients_.col(static_cast<Eigen::Index>(shared_.study_.variable_of(parameters_[k]))) +=
        by_parameter.col(static_cast<Eigen::Index>(k));
}

}  // namespace armature::internal
