#include "observe/comparison_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "expression/program_inputs.hpp"
#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double often = 1000;       // tolerances: what a root may drift while it slides
constexpr double of_time = 1e-12;    // to which a change is located
constexpr double round_off = 1e-12;  // of the largest a root has been: two formulas that are equal differ by that

}  // namespace

ComparisonCheck::ComparisonCheck(const Prepared& prepared, Dynamics& dynamics)
    : prepared_(prepared), dynamics_(dynamics) {
  const Layout& n = dynamics.system().layout();
  root_ = moved_ = largest_ = Eigen::VectorXd::Zero(n.nw);
  undefined_at_ = outcome_there_ = Eigen::VectorXd::Constant(n.nw, not_a_number);
  told_.assign(static_cast<std::size_t>(n.nw), false);
  if (n.nw == 0) return;
  const std::vector<bool> read = inputs_read(*dynamics.system().program(Kernel::roots));
  // references of angles, the last of x, have no tolerance, and angles do not err by what they do
  const int references = static_cast<int>(dynamics.system().equations().references.size());
  for (int i = 0; i < n.nx() - references; ++i)
    if (read[static_cast<std::size_t>(n.q() + i)]) entries_.push_back(i);
}

// A weight that is no integer belongs to a comparison that slides: its root is zero.
bool ComparisonCheck::slides(int k) const {
  const double w = dynamics_.weights()[k];
  return w != std::floor(w);
}

double ComparisonCheck::outside(int k) const {
  if (slides(k)) return std::abs(root_[k]);
  const double w = dynamics_.weights()[k];
  const bool is_floor =
      dynamics_.system().equations().graph->comparisons()[std::size_t(k)].kind == Graph::ComparisonKind::floor;
  if (is_floor) return std::max(w - root_[k], root_[k] - w - 1);
  return w == 1 ? -root_[k] : root_[k];
}

double ComparisonCheck::uncertainty(int k, double t, const Eigen::VectorXd& x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  const RunOptions& options = prepared_.options;
  const auto moved_by = [&] { return evaluator.roots(moved_), std::abs(moved_[k] - root_[k]); };
  evaluator.set(t + of_time * (1 + std::abs(t)), x.data());
  double sum = moved_by() + round_off * largest_[k];
  x_ = x;
  for (const int i : entries_) {
    x_[i] += often * (options.rtol * std::abs(x[i]) + options.atol[i]);
    evaluator.set(t, x_.data());
    sum += moved_by();
    x_[i] = x[i];
  }
  return sum;
}

// A root that has only drifted returns to zero.
bool ComparisonCheck::runs_away(int k, double t, const Eigen::VectorXd& x) {
  x_ = x;
  if (!dynamics_.derivative(t, x.data(), x_.data())) return false;
  dynamics_.evaluator().set(t, x.data());
  dynamics_.evaluator().root_rates(dynamics_.acceleration().vdot, moved_);
  return moved_[k] * root_[k] > 0;
}

void ComparisonCheck::find_roots(double t, const Eigen::VectorXd& x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set_outcomes(dynamics_.weights());
  evaluator.set(t, x.data());
  evaluator.roots(root_);
}

void ComparisonCheck::begin(double t, const Eigen::VectorXd& x) {
  if (root_.size() == 0 || dynamics_.comparisons().follows_roots()) return;
  find_roots(t, x);
  for (int k = 0; k < root_.size(); ++k) take_undefined(k, t);
}

void ComparisonCheck::look(double t, const Eigen::VectorXd& x) {
  if (root_.size() == 0 || dynamics_.comparisons().follows_roots() || !found_.empty()) return;
  find_roots(t, x);
  for (int k = 0; k < root_.size(); ++k)
    if (std::abs(root_[k]) > largest_[k]) largest_[k] = std::abs(root_[k]);
  for (int k = 0; k < root_.size() && found_.empty(); ++k) {
    if (take_undefined(k, t)) continue;
    const double outcome = dynamics_.weights()[k];
    const double there = std::exchange(outcome_there_[k], not_a_number);
    undefined_ -= !std::isnan(there);
    if (!std::isnan(there) && outcome != there) {  // it has changed where its formula has no value
      found_ = sentence_about(k, t);
      continue;
    }
    const double outside = this->outside(k);
    if (!(outside > 0) || !(outside > uncertainty(k, t, x)) || (slides(k) && !runs_away(k, t, x))) continue;
    found_ = sentence_about(k, t);
  }
}

void ComparisonCheck::pass(const Step& step, double until) {
  if (undefined_ == 0) return;
  if (until < step.t())
    step.interpolate(until, x_);
  else
    x_ = step.x();
  find_roots(until, x_);
  for (int k = 0; k < root_.size(); ++k)
    if (!std::isnan(root_[k])) undefined_ -= !std::isnan(std::exchange(outcome_there_[k], not_a_number));
}

bool ComparisonCheck::take_undefined(int k, double t) {
  if (!std::isnan(root_[k])) return false;
  undefined_ += std::isnan(outcome_there_[k]);
  undefined_at_[k] = t, outcome_there_[k] = dynamics_.weights()[k];
  if (!told_[static_cast<std::size_t>(k)] && decides(k)) {
    told_[static_cast<std::size_t>(k)] = true;
    findings_.push_back(finding<FindingCode::undefined_comparison>("comparison"_a = name_of(k), "t"_a = t));
  }
  return true;
}

// At the state that is set.
bool ComparisonCheck::decides(int k) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  if (!terms_) terms_ = evaluator.make_sparse_terms(), others_ = terms_;
  Eigen::VectorXd weights = dynamics_.weights();
  evaluator.all(*terms_);
  weights[k] = weights[k] == 0 ? 1 : 0;
  evaluator.set_outcomes(weights);
  evaluator.all(*others_);
  evaluator.set_outcomes(dynamics_.weights());
  return terms_->f != others_->f || terms_->zdot != others_->zdot || terms_->gamma != others_->gamma;
}

std::string ComparisonCheck::name_of(int k) const {
  const std::string& label = dynamics_.system().equations().graph->comparisons()[std::size_t(k)].label;
  return label.empty() ? fmt::format("comparison {}", k + 1) : label;
}

std::string ComparisonCheck::sentence_about(int k, double t) const {
  const std::string name = name_of(k);
  if (slides(k))
    return fmt::format(
        "at t = {:.10g} s {} is treated as sticking, but nothing holds it at zero: the motion is already wrong before "
        "that. Fixed "
        "steps (rk4) do not locate events",
        t, name);
  if (!std::isnan(undefined_at_[k]))
    return fmt::format(
        "at t = {:.10g} s {} compares something that is not a number, such as the square root of a negative number, so "
        "its change "
        "before t = {:.10g} s could not be located. Write a formula that has a value at all times, for example "
        "sqrt(max(0, x))",
        undefined_at_[k], name, t);
  return fmt::format(
      "at t = {:.10g} s {} does not have the outcome that its formula gives there: a change was missed, and the motion "
      "is already "
      "wrong before that. Set max_step to less than the time for which the outcome lasts",
      t, name);
}

void ComparisonCheck::report(Outcome& outcome) const {
  append(findings_, outcome.findings);
  if (found_.empty() || outcome.status != RunStatus::finished) return;
  outcome.status = RunStatus::failed;
  outcome.sentence = found_;
}

}  // namespace armature::internal
