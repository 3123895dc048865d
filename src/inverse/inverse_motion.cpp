#include "inverse/inverse_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dynamics/projection.hpp"
#include "expression/derivative.hpp"
#include "integrate/integrator.hpp"
#include "inverse/inverse_model.hpp"
#include "inverse/kinematics.hpp"
#include "model/findings.hpp"
#include "observe/constraint_gaps.hpp"
#include "observe/recorded_rows.hpp"
#include "observe/watcher.hpp"
#include "prepare/setup.hpp"

namespace armature::internal {

namespace {

constexpr double at_row = 1e-12;  // of the distance of rows: a row this far ahead is here

constexpr double nearly_closed = 1e-6;  // share of a row's size that the end of a step may miss it by

// xdot with the efforts that keep the motion; x returns to loops and motion after each step. Near a singular pose the projection
// leaves rows out: a step counts only if these are closed, too, so that the motion ends where the machine's reach does.
class InverseOde final : public Ode {
 public:
  explicit InverseOde(InverseDynamics& inverse)
      : inverse_(inverse),
        layout_(inverse.evaluator().system().layout()),
        projection_(inverse.evaluator()),
        gaps_(inverse.evaluator().system().equations()),
        terms_(inverse.evaluator().make_sparse_terms()) {}

  int size() const override { return layout_.nx(); }
  bool derivative(double t, const double* x, double* xdot) override {
    x_ = Eigen::Map<const Eigen::VectorXd>(x, size());
    if (!inverse_.solve(t, x_)) return false;
    const Terms& terms = inverse_.terms();
    Eigen::Map<Eigen::VectorXd> rate(xdot, size());
    rate << terms.qdot, inverse_.acceleration(), terms.zdot;
    return rate.allFinite();
  }
  bool project(double t, double* x, double* error) override {
    inverse_.set_outcomes_at(t, x);
    return projection_.position(t, x) && is_closed(t, x) && projection_.velocity(t, x, error);
  }

 private:
  bool is_closed(double t, const double* x) {
    inverse_.evaluator().set(t, x);
    inverse_.evaluator().position(terms_);
    return gaps_.look(t, x, terms_) <= nearly_closed;
  }

  InverseDynamics& inverse_;
  Layout layout_;
  Projection projection_;
  ConstraintGaps gaps_;
  SparseTerms terms_;
  Eigen::VectorXd x_;
};

// Energies do not matter here, nor do signals that rows set; a temperature does, since the resistance depends on it.
bool is_state(const Coordinate& z) { return z.kind == Coordinate::Kind::other && !z.name.starts_with(signal_prefix); }
bool has_states(const Equations& equations) { return std::ranges::any_of(equations.others, is_state); }

// A temperature or a charge; not the bristles of friction.
bool has_states_of_efforts(const Equations& equations) {
  for (std::size_t i = 0; i < equations.z.size(); ++i)
    for (const int effort : effort_places(equations))
      if (is_state(equations.others[i]) && depends_on(equations.zdot[i], equations.p[static_cast<std::size_t>(effort)]))
        return true;
  return false;
}

// From row to row: whether what is left free has changed sides, which is not located here.
class FreeChanges {
 public:
  // Begins with the state that was solved.
  explicit FreeChanges(InverseDynamics& inverse) : inverse_(inverse), before_(inverse.outcomes()) {}
  void look(double t, const Eigen::VectorXd& x) {
    if (!found_.empty() || inverse_.undetermined() == 0) return;
    const Eigen::VectorXd now = inverse_.outcomes(), before = std::exchange(before_, now);
    if (before == now || !inverse_.solve(t, x)) return;
    for (Eigen::Index k = 0; k < now.size(); ++k)
      if (now[k] != before[k] && inverse_.moves_freedoms(static_cast<int>(k)))
        found_ = {finding<FindingCode::unlocated>(
            "t"_a = t,
            "change"_a = inverse_.system().equations().graph->comparisons()[static_cast<std::size_t>(k)].label)};
  }
  const Findings& findings() const { return found_; }

 private:
  InverseDynamics& inverse_;
  Eigen::VectorXd before_;
  Findings found_;
};

Outcome ended(RunStatus status, std::string sentence, const Integrator& integrator) {
  Outcome outcome;
  outcome.status = status;
  outcome.sentence = std::move(sentence);
  outcome.statistics.integrator = integrator.statistics();
  return outcome;
}

Outcome integrate_motion(const Prepared& prepared, InverseDynamics& inverse, MotionStates& states,
                         const Progress& progress) {
  const RunOptions& run = prepared.options;
  InverseOde ode(inverse);
  const std::string name(method_of(run.integrator).own_dae ? step::usual_method : run.integrator);
  const auto integrator = make_integrator(name, ode, integrator_options(run));
  integrator->start(prepared.start.t, prepared.start.x);
  const long count = std::max(1L, std::lround((run.end - prepared.start.t) / run.record));
  const auto due = [&](long k) { return k == count ? run.end : prepared.start.t + double(k) * run.record; };
  states.t = {prepared.start.t}, states.x = {prepared.start.x};
  inverse.solve(prepared.start.t, prepared.start.x);
  FreeChanges changes(inverse);
  const auto as_found = [&](RunStatus status, std::string sentence) {
    Outcome outcome = ended(status, std::move(sentence), *integrator);
    append(changes.findings(), outcome.findings);
    return outcome;
  };
  Eigen::VectorXd row;
  for (long k = 1, steps = 0; k <= count;) {
    if (integrator->step(run.end) != StepStatus::ok) return as_found(RunStatus::failed, integrator->message());
    for (; k <= count && due(k) <= integrator->t() + at_row * run.record; ++k) {
      integrator->interpolate(std::min(due(k), integrator->t()), row);
      if (!ode.project(due(k), row.data(), nullptr))
        return as_found(RunStatus::failed, fmt::format("the loops cannot close at t = {:.6g} s", due(k)));
      changes.look(due(k), row);
      states.t.push_back(due(k)), states.x.push_back(row);
    }
    if (progress && !progress(integrator->t(), ++steps))
      return as_found(RunStatus::stopped, fmt::format("stopped at t = {:.6g} s", integrator->t()));
  }
  return as_found(RunStatus::finished, fmt::format("reached t = {:g} s", run.end));
}

// The rows of a run, and what sticks in each.
class MotionRows final : public StepWatcher {
 public:
  MotionRows(const RunOptions& options, MotionStates& states) : options_(options), states_(states) {}

  void begin(Dynamics& dynamics, const Integrator&, const State& state) override {
    dynamics_ = &dynamics, state_ = &state, from_ = state.t;
    add(state.t, state.x);
  }
  bool step(const Integrator& integrator, double until) override {
    const long count = std::max(1L, std::lround((options_.end - from_) / options_.record));
    for (; rows_ <= count; add(due(count), x_)) {
      if (due(count) > until + at_row * options_.record) break;
      integrator.interpolate(std::min(due(count), integrator.t()), x_);
      dynamics_->project_if_possible(due(count), x_.data());
    }
    return true;
  }
  bool wants_words() const override { return false; }

 private:
  double due(long count) const { return rows_ == count ? options_.end : from_ + double(rows_) * options_.record; }
  void add(double t, const Eigen::VectorXd& x) {
    std::vector<int> sticking;
    for (std::size_t k = 0; k < state_->comparisons.size(); ++k)
      if (state_->comparisons[k] == ComparisonStatus::sliding) sticking.push_back(static_cast<int>(k));
    states_.t.push_back(t), states_.x.push_back(x), states_.sticking.push_back(std::move(sticking));
    ++rows_;
  }

  const RunOptions& options_;
  MotionStates& states_;
  Dynamics* dynamics_ = nullptr;
  const State* state_ = nullptr;
  double from_ = 0;
  long rows_ = 0;
  Eigen::VectorXd x_;
};

Outcome run_motion(const Prepared& prepared, MotionStates& states, const Progress& progress) {
  MotionRows rows(prepared.options, states);
  Outcome outcome = follow(prepared, rows, progress);
  std::erase_if(outcome.findings, [&](const Finding& found) {
    return std::ranges::find(prepared.findings, found.sentence, &Finding::sentence) != prepared.findings.end();
  });
  return outcome;
}

Outcome place_motion(const Prepared& prepared, MotionStates& states, const Progress& progress) {
  MemoryRecorder record;
  Outcome outcome = move(prepared, record, progress);
  for (int row = 0; row < record.rows(); ++row) {
    const auto values = record.row_at(row);
    states.t.push_back(values[0]);
    states.x.push_back(state_of_row(values, prepared.system->equations(), prepared.start.d));
  }
  return outcome;
}

}  // namespace

Outcome find_motion(const Prepared& prepared, InverseDynamics& inverse, bool efforts_on_motion, MotionStates& states,
                    const Progress& progress) {
  const Equations& equations = prepared.system->equations();
  const bool placed = inverse.solve(prepared.start.t, prepared.start.x) && inverse.undetermined() == 0,
             determined = placed && !has_states(equations);
  Outcome outcome = determined ? place_motion(prepared, states, progress)
                    : !placed && efforts_on_motion && inverse.may_stick() && !has_states_of_efforts(equations)
                        ? run_motion(prepared, states, progress)
                        : integrate_motion(prepared, inverse, states, progress);
  outcome.last = prepared.start;
  if (!states.t.empty()) outcome.last.t = states.t.back(), outcome.last.x = states.x.back();
  if (outcome.status == RunStatus::failed && !determined)
    outcome.sentence = "the prescribed motion cannot be followed: " + outcome.sentence;
  return outcome;
}

}  // namespace armature::internal
