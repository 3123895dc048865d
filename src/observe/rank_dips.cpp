#include "observe/rank_dips.hpp"

#include <algorithm>
#include <cmath>

#include "step/minimum_search.hpp"

namespace armature::internal {

namespace {

constexpr double just_before =
    1e-5;                        // of a step: what lies between that and its end is below Regularity::singular there
constexpr double further = 1.5;  // the fall may grow steeper

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

// The square of the smallest sine: near its minimum |t - t1| it is a parabola.
double RankDips::time_of_minimum(const Step& step, double a, double b) {
  const auto square_at = [&](double t) {
    const double pivot = pivot_at(step, t);
    return pivot * pivot;
  };
  return step::MinimumSearch{.enough = 0}(square_at, a, b).t;
}

}  // namespace armature::internal
