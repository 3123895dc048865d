#include "events/crossings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/interruption.hpp"

namespace armature::internal {

using step::Guard;
using step::SearchPoint;
using step::StepPart;

namespace {

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

Crossings::Crossings(Dynamics& dynamics)
    : dynamics_(dynamics),
      ranges_(dynamics.system().layout(), *dynamics.system().program(Kernel::events)),
      zeros_(ranges_) {
  const auto count = static_cast<Eigen::Index>(dynamics.system().equations().events.size());
  value_ = end_ = sign_ = Eigen::VectorXd::Zero(count);
  guards_.reserve(static_cast<std::size_t>(count));
}

void Crossings::evaluate(double t) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set_outcomes(dynamics_.engine().weights_at(t, x_.data()));
  evaluator.set(t, x_.data());
  evaluator.events(value_);
}

void Crossings::evaluate_on(const Step& step, double t) {
  step.interpolate(t, x_);
  if (t < step.t()) dynamics_.project_if_possible(t, x_.data());
  evaluate(t);
}

void Crossings::begin(double t, const Eigen::VectorXd& x) {
  x_ = x;
  evaluate(t);
  t_ = t;
  sign_ = value_.unaryExpr(&sign_of);
}

void Crossings::put_guards(const Step& step, double until) {
  guards_.clear();
  for (int k = 0; k < sign_.size(); ++k)
    if (sign_[k] != 0) guards_.push_back({k, sign_[k], 0});
  const bool has_ranges = ranges_.begin(step, dynamics_.evaluator().inputs());
  guards_.resize(static_cast<std::size_t>(zeros_.keep_open(has_ranges, t_, until, guards_.data(), guard_count())));
}

// One after the other; each turns its guard round. What only the end itself shows, which lies on its constraints, is there.
void Crossings::find(const Step& step, double until, std::vector<RunEvent>& events) {
  // functions whose ranges contain zero
  evaluate_on(step, until);
  end_ = value_;
  put_guards(step, until);
  const auto negative = [&](double t) {
    if (t < until) evaluate_on(step, t);
    const Eigen::VectorXd& values = t < until ? value_ : end_;
    return std::ranges::any_of(guards_, [&](const Guard& guard) { return guard.at(values[guard.output]) < 0; });
  };
  // the earliest zero, from there the next
  for (Eigen::Index at_once = 0; !guards_.empty() && at_once <= sign_.size();) {  // functions that cross at one time
    const StepPart part = zeros_.first(t_, until, guards_.data(), guard_count(), negative);
    if (part.ended && !interrupted()) {
      t_ = part.from;
      continue;
    }
    if (!part.found) break;
    const double t = add_first(step, part, events);
    at_once = t > t_ ? 0 : at_once + 1;
    t_ = t;
  }
  // what has crossed by the end all the same
  for (int k = 0; k < sign_.size(); ++k)
    if (sign_[k] != 0 && sign_[k] * end_[k] <= 0) add(step, until, k, events);
  sign_ = end_.unaryExpr(&sign_of);
  t_ = until;
}

double Crossings::add_first(const Step& step, const StepPart& part, std::vector<RunEvent>& events) {
  evaluate_on(step, part.from);
  const Eigen::VectorXd before = value_;
  evaluate_on(step, part.to);
  const Eigen::VectorXd after = value_;
  // the zero of each function that changes its sign there; the earliest is the event
  double earliest = part.to;
  Guard* first = nullptr;
  for (Guard& guard : guards_) {
    if (!(guard.at(after[guard.output]) < 0)) continue;
    const double t = locate(step, guard.output, {part.from, before[guard.output]}, {part.to, after[guard.output]});
    if (!first || t < earliest) earliest = t, first = &guard;
  }
  if (!first) return part.to;
  add(step, earliest, first->output, events);
  first->sign = sign_[first->output] *= -1;
  return earliest;
}

void Crossings::add(const Step& step, double t, int function, std::vector<RunEvent>& events) {
  evaluate_on(step, t);
  const std::string& name = dynamics_.system().equations().events[static_cast<std::size_t>(function)].name;
  events.push_back({t, name + (sign_[function] < 0 ? " = 0, rising" : " = 0, falling"), x_});
}

double Crossings::locate(const Step& step, int function, SearchPoint before, SearchPoint after) {
  const auto value = [&](double t) { return evaluate_on(step, t), value_[function]; };
  const auto [recent, other] = step::bracket_zero(value, before, after);
  return std::abs(recent.value) <= std::abs(other.value) ? recent.t : other.t;
}

}  // namespace armature::internal
