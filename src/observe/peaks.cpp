#include "observe/peaks.hpp"

#include <algorithm>
#include <cmath>

#include "observe/stray.hpp"
#include "step/minimum_search.hpp"

namespace armature::internal {

namespace {

constexpr int probes = 4;          // of a step
constexpr double near_end = 1e-3;  // of the distance of probes
constexpr double near_top = 1e-8;  // of a step: closer to its top a smooth function tells no more

int index_of(const std::string& name, const auto& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace

Peaks::Peaks(Dynamics& dynamics) : dynamics_(dynamics) {
  const Equations& e = dynamics.system().equations();
  const Layout& n = dynamics.system().layout();
  for (const std::string& name : e.currents) {
    const int state = index_of(name, e.others);
    peaks_.push_back({name, "A", 0, 0});
    state_.push_back(state < 0 ? -1 : n.nq + n.nv + state);
  }
  value_ = before_ = last_ = end_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(peaks_.size()));
  size_ = Eigen::MatrixXd::Zero(value_.size(), probes + 1);
}

void Peaks::evaluate(double t) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  if (currents_) {
    evaluator.set_outcomes(dynamics_.engine().weights_at(t, x_.data()));
    evaluator.set(t, x_.data());
    (*currents_)(evaluator.inputs(), outputs_.data());
  }
  std::size_t next = 0;
  for (std::size_t k = 0; k < peaks_.size(); ++k)
    value_[static_cast<Eigen::Index>(k)] = state_[k] >= 0 ? x_[state_[k]] : outputs_[next++];
}

void Peaks::evaluate_on(const Step& step, double t) {
  step.interpolate(t, x_);
  evaluate(t);
}

void Peaks::raise(std::size_t k, double t) {
  const double value = value_[static_cast<Eigen::Index>(k)];
  if (std::abs(value) > std::abs(peaks_[k].value)) peaks_[k].value = value, peaks_[k].t = t;
}

void Peaks::make_program() {
  const Equations& e = dynamics_.system().equations();
  std::vector<Expression> formulas;
  for (std::size_t k = 0; k < peaks_.size(); ++k)
    if (state_[k] < 0) formulas.push_back(e.quantities[index_of(peaks_[k].name, e.quantities)].value);
  if (formulas.empty()) return;
  currents_.emplace(dynamics_.system().make_program(formulas));
  currents_->translate();
  outputs_.resize(formulas.size());
}

void Peaks::begin(double t, const Eigen::VectorXd& x) {
  make_program();
  x_ = x;
  evaluate(t);
  last_ = value_;
  for (std::size_t k = 0; k < peaks_.size(); ++k) peaks_[k].t = t, raise(k, t);
  t_ = t;
}

// By the ends of this step and the two before; where there are none, by three points of this one.
bool Peaks::stays_below(const Step& step, double until) {
  evaluate_on(step, until);
  end_ = value_;
  if (smooth_) return below(before_, last_);
  evaluate_on(step, t_);
  before_ = value_;
  evaluate_on(step, 0.5 * (t_ + until));
  return below(before_, value_);
}

bool Peaks::below(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
  for (Eigen::Index k = 0; k < end_.size(); ++k) {
    const double highest = std::max({std::abs(a[k]), std::abs(b[k]), std::abs(end_[k])});
    if (!(highest + stray(a[k], b[k], end_[k]) < std::abs(peaks_[static_cast<std::size_t>(k)].value))) return false;
  }
  return true;
}

void Peaks::find(const Step& step, double until) {
  const bool below = stays_below(step, until);
  if (smooth_) before_ = last_;
  smooth_ = true;
  last_ = end_;
  if (!below) probe(step, until);
  t_ = until;
}

void Peaks::probe(const Step& step, double until) {
  const double from = t_, width = (until - from) / probes;
  for (int probe = 0; probe <= probes; ++probe) {
    const double t = probe == probes ? until : from + probe * width;
    evaluate_on(step, t);
    size_.col(probe) = value_.cwiseAbs();
    for (std::size_t k = 0; k < peaks_.size(); ++k) raise(k, t);
  }
  // around the highest probe, where it is the highest of the run so far and the current falls on both sides of it
  for (std::size_t k = 0; k < peaks_.size(); ++k) {
    Eigen::Index top;
    const double highest = size_.row(static_cast<Eigen::Index>(k)).maxCoeff(&top);
    if (highest < std::abs(peaks_[k].value)) continue;
    const double a = std::max(from, from + double(top - 1) * width),
                 b = std::min(until, from + double(top + 1) * width);
    if (top == 0 || top == probes) {
      evaluate_on(step, top == 0 ? a + near_end * width : b - near_end * width);
      if (std::abs(value_[static_cast<Eigen::Index>(k)]) <= highest) continue;
    }
    refine(step, k, a, b);
  }
}

// The top of |current|.
void Peaks::refine(const Step& step, std::size_t k, double a, double b) {
  const auto below = [&](double t) {
    evaluate_on(step, t);
    raise(k, t);
    return -std::abs(value_[static_cast<Eigen::Index>(k)]);
  };
  step::MinimumSearch{.closeness = near_top}(below, a, b);
}

}  // namespace armature::internal
