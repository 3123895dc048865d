#include "simulate/rank_dips.hpp"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

constexpr double golden = 0.6180339887498949;
constexpr int most_steps = 43;        // as many golden sections would do
constexpr double closeness = 1e-9;    // of a step
constexpr double just_before = 1e-5;  // of a step: what lies between that and its end is below Regularity::singular there
constexpr double further = 1.5;       // the fall may grow steeper

}  // namespace

RankDips::RankDips(Dynamics& dynamics)
    : dynamics_(dynamics),
      rank_(static_cast<int>(dynamics.system().options().independent_rows.size())),
      terms_(dynamics.evaluator().make_sparse_terms()) {
  const Layout& n = dynamics.system().layout();
  rows_.resize(n.nv, n.m);
  rows_.set_groups(row_groups(dynamics.system().equations()));
  x_ = Eigen::VectorXd::Zero(n.nx());
}

double RankDips::pivot_at(const Step& step, double t) {
  step.interpolate(t, x_);
  if (t < step.t()) dynamics_.project_if_possible(t, x_.data());
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x_.data());
  evaluator.position(terms_);
  const bool factored = rows_.factor(terms_);
  return factored && rows_.rank() == rank_ ? rows_.smallest() : 0;
}

void RankDips::find(const Step& step, double until, double pivot) {
  before_ = last_, last_ = now_;
  now_ = {step.t(), pivot};
  const double fall = (before_.pivot - last_.pivot) / (last_.t - before_.t);
  if (!(fall > 0) || last_.pivot - further * fall * (until - last_.t) > Regularity::singular) return;
  const double from = std::max(last_.t, step.previous_t());
  if (still_falls(step, from, until)) return;
  const double t = time_of_minimum(step, from, until);
  if (pivot_at(step, t) > Regularity::singular) return;
  rows_.factor(terms_, Regularity::singular);
  smallest_rank_ = smallest_rank_ < 0 ? rows_.rank() : std::min(smallest_rank_, rows_.rank());
}

// At the end of the step: the minimum, if there is one, lies in a later step.
bool RankDips::still_falls(const Step& step, double from, double until) {
  const double end = pivot_at(step, until);
  return end > Regularity::singular && pivot_at(step, until - just_before * (until - from)) > end;
}

// Brent's search (Algorithms for Minimization without Derivatives, 1973, chapter 5): the square of |t - t1| is a parabola, so
// that a few steps do; a golden section takes the place of a step that does not shrink fast.
double RankDips::time_of_minimum(const Step& step, double a, double b) {
  const auto square_at = [&](double t) {
    const double pivot = pivot_at(step, t);
    return pivot * pivot;
  };
  const double near = closeness * (b - a);
  double x = a + (1 - golden) * (b - a), w = x, v = x;  // the best, the second, the one before
  double fx = square_at(x), fw = fx, fv = fx;
  double move = 0, before = 0;
  for (int k = 0; k < most_steps && fx > 0; ++k) {
    const double middle = 0.5 * (a + b);
    if (std::abs(x - middle) <= 2 * near - 0.5 * (b - a)) break;
    const double r = (x - w) * (fx - fv), q = (x - v) * (fx - fw);
    double p = (x - v) * q - (x - w) * r, denominator = 2 * (q - r);
    if (denominator > 0) p = -p;
    denominator = std::abs(denominator);
    const bool parabola =
        std::abs(p) < std::abs(0.5 * denominator * before) && p > denominator * (a - x) && p < denominator * (b - x);
    before = parabola ? move : (x < middle ? b : a) - x;
    move = parabola ? p / denominator : (1 - golden) * before;
    const double t = std::abs(move) >= near ? x + move : x + std::copysign(near, move), f = square_at(t);
    if (f <= fx) {
      (t < x ? b : a) = x;
      v = w, fv = fw, w = x, fw = fx, x = t, fx = f;
      continue;
    }
    (t < x ? a : b) = t;
    if (f <= fw || w == x)
      v = w, fv = fw, w = t, fw = f;
    else if (f <= fv || v == x || v == w)
      v = t, fv = f;
  }
  return x;
}

}  // namespace armature
