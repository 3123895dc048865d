#include "integrate/runge_kutta_lanes.hpp"

#include <algorithm>

#include "integrate/runge_kutta.hpp"

namespace armature {

namespace {

template <class Weights>
std::vector<lane_kernels::Term> terms_of(const Weights& weights) {
  std::vector<lane_kernels::Term> terms;
  for (int i = 0; i < weights.size(); ++i)
    if (weights(i) != 0) terms.push_back({i, weights(i)});
  return terms;
}

auto rows_of(const Eigen::MatrixXd& matrix) {
  std::vector<std::vector<lane_kernels::Term>> rows;
  for (int i = 0; i < matrix.rows(); ++i) rows.push_back(terms_of(matrix.row(i)));
  return rows;
}

}  // namespace

RungeKuttaLanes::RungeKuttaLanes(const Tableau& tableau, LaneOde& ode)
    : tableau_(tableau),
      ode_(ode),
      n_(ode.size()),
      A_(rows_of(tableau.A)),
      E_(rows_of(tableau.E)),
      E_without_end_(rows_of(tableau.E.leftCols(tableau.estimates_error() ? tableau.stages() : 0))),
      dense_A_(rows_of(tableau.dense_A)),
      D_(rows_of(tableau.D)),
      b_(terms_of(tableau.b)),
      K_(static_cast<std::size_t>(n_ * tableau.all_stages())),
      stage_x_(static_cast<std::size_t>(n_)),
      F_(static_cast<std::size_t>(n_ * dense_columns())),
      dense_x_(static_cast<std::size_t>(n_) * static_cast<std::size_t>(tableau.dense_c.size())),
      slope_(static_cast<std::size_t>(n_)) {}

LaneMask RungeKuttaLanes::finish(LaneMask lanes, const LaneRow& t1, const LaneRow* x1) {
  return ode_.derivative(lanes, t1, x1, stage(tableau_.stages()));
}

bool RungeKuttaLanes::finish(int lane, double t1, const double* x1) {
  const bool ok = ode_.derivative(lane, t1, x1, slope_.data());
  for (int e = 0; e < n_; ++e) stage(tableau_.stages())[e][lane] = slope_[static_cast<std::size_t>(e)];
  return ok;
}

void RungeKuttaLanes::shift(LaneMask lanes) { lane_kernels::copy(lanes, n_, last(), stage(0)); }

LaneMask RungeKuttaLanes::evaluate(LaneMask lanes, const LaneRow& t, const LaneRow& h, double c, const Terms& terms,
                                   const LaneRow* x0, int i) {
  lane_kernels::combine(n_, terms, h, K_.data(), x0, stage_x_.data());
  LaneRow at;
  for (int k = 0; k < lane_count; ++k) at[k] = t[k] + c * h[k];
  return ode_.derivative(lanes, at, stage_x_.data(), stage(i));
}

LaneMask RungeKuttaLanes::advance(LaneMask lanes, const LaneRow& t, const LaneRow& h, const LaneRow* x0, LaneRow* x1) {
  for (int i = 1; i < tableau_.stages() && lanes; ++i)
    lanes = evaluate(lanes, t, h, tableau_.c(i), A_[static_cast<std::size_t>(i)], x0, i);
  lane_kernels::combine(n_, b_, h, K_.data(), x0, x1);
  return lanes;
}

void RungeKuttaLanes::estimate(int row, const LaneRow& h, LaneRow* error) const {
  lane_kernels::combine(n_, E_[static_cast<std::size_t>(row)], h, K_.data(), nullptr, error);
}

void RungeKuttaLanes::estimate_without_end(int row, const LaneRow& h, LaneRow* error) const {
  lane_kernels::combine(n_, E_without_end_[static_cast<std::size_t>(row)], h, K_.data(), nullptr, error);
}

LaneOde::Finish RungeKuttaLanes::finish_and_return(LaneMask lanes, const LaneRow& t1, const LaneRow& h, LaneRow* x1,
                                                   LaneRow* error) {
  LaneRow weight;
  for (int k = 0; k < lane_count; ++k) weight[k] = h[k] * tableau_.E(0, tableau_.stages());
  return ode_.finish(lanes, t1, x1, stage(tableau_.stages()), error, weight);
}

LaneMask RungeKuttaLanes::interpolant(LaneMask lanes, const LaneRow& t, const LaneRow& h, const LaneRow* x0,
                                      const LaneRow* x1, const Tolerance* tolerance, LaneRow* F) {
  lane_kernels::dense_ends(n_, h, x0, x1, first(), last(), F_.data());
  LaneMask complete = lanes;
  for (int i = 0; i < tableau_.dense_c.size() && complete; ++i) {
    complete = evaluate(complete, t, h, tableau_.dense_c(i), dense_A_[static_cast<std::size_t>(i)], x0,
                        tableau_.stages() + 1 + i);
    std::copy_n(stage_x_.data(), n_, dense_x_.data() + i * n_);
  }
  for (std::size_t row = 0; row < D_.size(); ++row) {
    LaneRow* column = F_.data() + (3 + static_cast<int>(row)) * n_;
    lane_kernels::combine(n_, D_[row], h, K_.data(), nullptr, column);
    for_each_lane(lanes & ~complete, [&](int k) {
      for (int e = 0; e < n_; ++e) column[e][k] = 0;
    });
  }
  lane_kernels::copy(lanes, n_ * dense_columns(), F_.data(), F);
  if (tableau_.dense_c.size() == 0 || !tolerance) return lanes;
  return complete & stages_lie_on_dense_output(t, h, x0, x1, *tolerance);
}

LaneMask RungeKuttaLanes::stages_lie_on_dense_output(const LaneRow& t, const LaneRow& h, const LaneRow* x0,
                                                     const LaneRow* x1, const Tolerance& tolerance) {
  LaneMask sound = all_lanes;
  LaneRow theta, norm;
  for (int i = 0; i < tableau_.dense_c.size(); ++i) {
    const LaneRow* stage = dense_x_.data() + i * n_;
    for (int k = 0; k < lane_count; ++k) theta[k] = (t[k] + tableau_.dense_c(i) * h[k] - t[k]) / h[k];
    lane_kernels::dense_evaluate(n_, dense_columns(), theta, F_.data(), x0, stage_x_.data());
    for (int e = 0; e < n_; ++e)
      for (int k = 0; k < lane_count; ++k) stage_x_[static_cast<std::size_t>(e)][k] -= stage[e][k];
    lane_kernels::error_norm(n_, tolerance.rtol, tolerance.atol.data(), stage_x_.data(), x0, x1, norm);
    for (int k = 0; k < lane_count; ++k)
      if (!(norm[k] <= RungeKutta::off_course)) sound &= ~(1u << k);
  }
  return sound;
}

}  // namespace armature
