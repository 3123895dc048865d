#include "simulate/peaks.hpp"

#include <cmath>

namespace armature {

namespace {

constexpr int probes = 4;  // of a step
constexpr double golden = 0.6180339887498949;
constexpr double near_end = 1e-3;  // of the distance of probes
constexpr int sections = 38;       // to 1e-8 of a step: near its top a smooth function tells no more

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
    quantity_.push_back(index_of(name, e.quantities));
  }
  value_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(peaks_.size()));
  size_ = Eigen::MatrixXd::Zero(value_.size(), probes + 1);
}

void Peaks::evaluate(double t) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x_.data());
  evaluator.set_modes(dynamics_.weights());
  evaluator.observables(observables_);
  for (std::size_t k = 0; k < peaks_.size(); ++k)
    value_[static_cast<Eigen::Index>(k)] = state_[k] >= 0 ? x_[state_[k]] : observables_.quantities[quantity_[k]];
}

void Peaks::evaluate_on(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  evaluate(t);
}

void Peaks::raise(std::size_t k, double t) {
  const double value = value_[static_cast<Eigen::Index>(k)];
  if (std::abs(value) > std::abs(peaks_[k].value)) peaks_[k].value = value, peaks_[k].t = t;
}

void Peaks::begin(double t, const Eigen::VectorXd& x) {
  x_ = x;
  evaluate(t);
  for (std::size_t k = 0; k < peaks_.size(); ++k) peaks_[k].t = t, raise(k, t);
  t_ = t;
}

void Peaks::find(const Integrator& integrator, double until) {
  const double from = t_, width = (until - from) / probes;
  for (int probe = 0; probe <= probes; ++probe) {
    const double t = probe == probes ? until : from + probe * width;
    evaluate_on(integrator, t);
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
      evaluate_on(integrator, top == 0 ? a + near_end * width : b - near_end * width);
      if (std::abs(value_[static_cast<Eigen::Index>(k)]) <= highest) continue;
    }
    refine(integrator, k, a, b);
  }
  t_ = until;
}

// Golden section for the top of |current|.
void Peaks::refine(const Integrator& integrator, std::size_t k, double a, double b) {
  const auto size_at = [&](double t) {
    evaluate_on(integrator, t);
    raise(k, t);
    return std::abs(value_[static_cast<Eigen::Index>(k)]);
  };
  const double width = b - a;
  double c = b - golden * width, d = a + golden * width, fc = size_at(c), fd = size_at(d);
  for (int section = 0; section < sections; ++section) {
    if (fc > fd)
      b = d, d = c, fd = fc, c = b - golden * (b - a), fc = size_at(c);
    else
      a = c, c = d, fc = fd, d = a + golden * (b - a), fd = size_at(d);
  }
}

}  // namespace armature
