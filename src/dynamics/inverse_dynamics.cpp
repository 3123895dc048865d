#include "dynamics/inverse_dynamics.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/derivative.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature::internal {

namespace {

constexpr double no_grip = 1e-10;    // of the size of B: an actuator does nothing there but round-off
constexpr double moves = 1e-9;       // of the accelerations: what a comparison changes is no round-off
constexpr double no_demand = 1e-12;  // of the forces that act: what the motion demands is round-off of their balance

Eigen::MatrixXd rows_of(const Eigen::MatrixXd& matrix, const std::vector<int>& rows) {
  Eigen::MatrixXd part(static_cast<Eigen::Index>(rows.size()), matrix.cols());
  for (std::size_t r = 0; r < rows.size(); ++r) part.row(static_cast<Eigen::Index>(r)) = matrix.row(rows[r]);
  return part;
}

Eigen::VectorXd entries_of(const Eigen::VectorXd& vector, const std::vector<int>& rows) {
  Eigen::VectorXd part(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) part[static_cast<Eigen::Index>(r)] = vector[rows[r]];
  return part;
}

}  // namespace

InverseDynamics::InverseDynamics(const std::shared_ptr<const System>& system, const std::vector<bool>& motion,
                                 const std::vector<int>& efforts, int order)
    : evaluator_(system),
      effort_rates_(system, motion, efforts, order),
      efforts_(efforts),
      terms_(evaluator_.make_terms()),
      comparisons_(*system) {
  const Layout& n = system->layout();
  const std::vector<double>& values = system->equations().p_value;
  parameters_ = Eigen::Map<const Eigen::VectorXd>(values.data(), n.np);
  const auto nu = static_cast<Eigen::Index>(efforts.size());
  for (int r = 0; r < n.m; ++r) (motion[r] ? wanted_ : loops_).push_back(r);
  B_.resize(n.nv, nu);
  if (const Equations& e = system->equations(); !e.loads.empty()) {
    std::vector<Expression> slopes;
    for (const int effort : efforts_) {
      Derivative of_effort({{e.p[static_cast<std::size_t>(effort)].id(), 1.0}});
      for (const Expression& f : e.f) slopes.push_back(of_effort(f));
    }
    slopes_ = std::make_unique<Evaluator>(effort_rates_.program(slopes));
  }
  restart(parameters_);
}

void InverseDynamics::restart(const Eigen::VectorXd& parameters) {
  const Layout& n = system().layout();
  const MotionLevel zero{Eigen::VectorXd::Zero(n.nv), Eigen::VectorXd::Zero(n.m), Eigen::VectorXd::Zero(B_.cols())};
  motion_.assign(static_cast<std::size_t>(effort_rates_.order()) + 1, zero);
  w_ = Eigen::VectorXd::Zero(n.nw);
  resting_.clear();
  undetermined_ = orientation_ = 0, lack_ = grip_ = 0;
  parameters_ = parameters;
  evaluator_.set_parameters(parameters_);
}

void InverseDynamics::measure(const State& start, double rate, double soon) {
  comparisons_.measure(evaluator_, start, rate);
  rate_ = rate, soon_ = soon;
}

void InverseDynamics::apply(const Eigen::VectorXd& effort) {
  for (std::size_t i = 0; i < efforts_.size(); ++i) parameters_[efforts_[i]] = effort[static_cast<Eigen::Index>(i)];
  evaluator_.set_parameters(parameters_);
}

void InverseDynamics::set_outcomes_at(double t, const double* x) {
  evaluator_.set(t, x);
  evaluator_.take_outcomes(w_);
}

void InverseDynamics::set_outcomes_at_solution(double t, const double* x) {
  evaluator_.set(t, x);
  take_other_outcomes();
}

void InverseDynamics::take_other_outcomes() {
  const Eigen::VectorXd before = w_;
  evaluator_.take_outcomes(w_);
  if (resting_.empty()) return;
  for (const int k : resting_) w_[k] = before[k];
  evaluator_.set_outcomes(w_);
}

// Columns of df/du, by the difference that one unit of effort makes where f is linear, and f0.
void InverseDynamics::linearize_at(const Eigen::VectorXd& effort) {
  apply(effort);
  evaluator_.all(terms_);
  const Eigen::VectorXd f = terms_.f;
  if (slopes_) return take_slopes(effort);
  for (Eigen::Index i = 0; i < B_.cols(); ++i) {
    apply(effort + Eigen::VectorXd::Unit(B_.cols(), i));
    evaluator_.all(terms_);
    B_.col(i) = terms_.f - f;
  }
  terms_.f = f - B_ * effort;
}

// A difference would take the mean of two slopes where a load changes its sign nearby.
void InverseDynamics::take_slopes(const Eigen::VectorXd& effort) {
  effort_rates_.run(*slopes_, evaluator_, motion_, slope_);
  B_ = Eigen::Map<const Eigen::MatrixXd>(slope_.data(), B_.rows(), B_.cols());
  terms_.f -= B_ * effort;
}

bool InverseDynamics::solve(double t, const Eigen::VectorXd& x, const std::vector<int>& sticking) {
  resting_ = sticking;
  evaluator_.set(t, x.data());
  apply(Eigen::VectorXd::Zero(B_.cols()));
  evaluator_.take_outcomes(w_);
  if (!settle()) return false;
  std::vector<int> resting = comparisons_.find(evaluator_, t, x);
  for (const int k : sticking)
    if (std::ranges::count(resting, k) == 0) resting.push_back(k);
  resting_ = std::move(resting);
  if (!resting_.empty() && !rest(t, x)) return false;
  evaluator_.all(terms_);
  return motion_[0].vdot.allFinite() && motion_[0].effort.allFinite();
}

bool InverseDynamics::moves_freedoms(int comparison) {
  if (undetermined_ == 0 || !comparisons_.acts(comparison)) return false;
  const double outcome = w_[comparison];
  Eigen::VectorXd vdot[2];
  for (const int side : {0, 1}) {
    w_[comparison] = side;
    evaluator_.set_outcomes(w_);
    if (!solve_with_outcomes()) return true;
    vdot[side] = motion_[0].vdot;
  }
  w_[comparison] = outcome;
  evaluator_.set_outcomes(w_);
  return (vdot[1] - vdot[0]).norm() > moves * (vdot[0].norm() + vdot[1].norm());
}

// f is linear in u while comparisons hold. One that depends on u (the direction of power through a gear) must be as the
// solution has it: those at u = 0 only give the first solution.
bool InverseDynamics::settle() {
  for (int pass = 0; pass < 3; ++pass) {
    const Eigen::VectorXd assumed = w_;
    if (!solve_with_outcomes()) return false;
    apply(motion_[0].effort);
    take_other_outcomes();
    if (w_ == assumed) break;
  }
  return true;
}

bool InverseDynamics::root_rates_of(const std::vector<int>& comparisons, Eigen::VectorXd& rates) {
  Eigen::VectorXd all(w_.size());
  evaluator_.set_outcomes(w_);
  if (!settle()) return false;
  evaluator_.root_rates(motion_[0].vdot, all);
  rates = all(comparisons);
  return rates.allFinite();
}

// At a state where some roots are zero: what holds them, or how they move on.
bool InverseDynamics::rest(double t, const Eigen::VectorXd& x) {
  const auto& all = system().equations().graph->comparisons();
  for (const int k : resting_) w_[k] = comparisons_.acts(k) ? 0.5 : all[static_cast<std::size_t>(k)].outcome(0);
  std::vector<int> still = resting_;
  if (undetermined_ > 0 && !stick(still)) return false;
  // by the motion there and soon afterwards
  for (const double later : {0.0, soon_}) {
    Eigen::VectorXd rates;
    evaluator_.set(t + later, x.data());
    take_other_outcomes();
    if (!root_rates_of(still, rates)) return false;
    std::vector<int> left;
    for (std::size_t i = 0; i < still.size(); ++i)
      if (const double rate = rates[static_cast<Eigen::Index>(i)]; std::abs(rate) > comparisons_.least_rate(still[i]))
        w_[still[i]] = rate > 0 ? 1 : 0;
      else
        left.push_back(still[i]);
    still = std::move(left);
  }
  evaluator_.set(t, x.data());
  take_other_outcomes();
  evaluator_.set_outcomes(w_);
  return settle();
}

// What is left free can stick: the weights nearest to 1/2 that hold the roots at zero. A comparison whose weight would leave its range
// slips. Leaves in the list those that no weight moves.
bool InverseDynamics::stick(std::vector<int>& still) {
  const auto& all = system().equations().graph->comparisons();
  std::vector<int> held = still;
  std::erase_if(held, [&](int k) { return !comparisons_.acts(k); });
  Eigen::MatrixXd J;
  Eigen::VectorXd rates, other;
  while (!held.empty()) {
    // rates of the roots with weights of 1/2, and what the weights do to them
    for (const int k : held) w_[k] = 0.5;
    if (!root_rates_of(held, rates)) return false;
    const auto count = static_cast<Eigen::Index>(held.size());
    J.resize(count, count);
    for (Eigen::Index j = 0; j < count; ++j) {
      w_[held[static_cast<std::size_t>(j)]] = 1;
      if (!root_rates_of(held, other)) return false;
      w_[held[static_cast<std::size_t>(j)]] = 0.5;
      J.col(j) = 2 * (other - rates);
    }
    // those that are moved, whatever friction does
    std::vector<int> moved;
    for (Eigen::Index i = 0; i < count; ++i)
      if (const int k = held[static_cast<std::size_t>(i)]; J.row(i).cwiseAbs().maxCoeff() <= comparisons_.least_rate(k))
        moved.push_back(k);
    if (!moved.empty()) {
      std::erase_if(held, [&](int k) { return std::ranges::count(moved, k) > 0; });
      continue;
    }
    // the weights, corrected once where rates are not linear in them
    LeastNorm inverse;
    inverse.factor(J);
    for (int pass = 0; pass < 2; ++pass) {
      const Eigen::VectorXd change = inverse.solve(Eigen::VectorXd(-rates));
      for (Eigen::Index i = 0; i < count; ++i) w_[held[static_cast<std::size_t>(i)]] += change[i];
      if (!root_rates_of(held, rates)) return false;
    }
    std::erase_if(still, [&](int k) { return std::ranges::count(held, k) > 0; });
    const auto slips = [&](int k) { return std::abs(w_[k] - 0.5) > 0.5 * all[static_cast<std::size_t>(k)].breakaway; };
    const auto slipping = std::ranges::max_element(held, {}, [&](int k) { return std::abs(w_[k] - 0.5); });
    if (!slips(*slipping)) return true;
    w_[*slipping] = w_[*slipping] > 0.5 ? 1 : 0;
    held.erase(slipping);
  }
  return true;
}

// Friction with load is not linear in u: there the solution is repeated with the slopes at the last one.
bool InverseDynamics::solve_with_outcomes() {
  constexpr int most_solutions = 12;
  constexpr double settled = 1e-13;
  constexpr double unsettled = 1e-9;  // of the forces: efforts that still change by more are none
  Eigen::VectorXd effort = Eigen::VectorXd::Zero(B_.cols());
  for (int k = 0;; ++k) {
    linearize_at(effort);
    if (!terms_.M.allFinite() || !terms_.f.allFinite() || !B_.allFinite() || !factor()) return false;
    solve_for(terms_.f, terms_.gamma, nullptr, motion_[0]);
    const Eigen::VectorXd change = motion_[0].effort - effort;
    effort = motion_[0].effort;
    if (!slopes_ || change.norm() <= settled * effort.norm()) return true;
    if (k == most_solutions) return (B_ * change).norm() <= unsettled * (terms_.f.norm() + (B_ * effort).norm());
  }
}

bool InverseDynamics::factor() {
  const Eigen::Index nv = terms_.M.rows();
  // N spans the motions that the loops allow
  L_ = rows_of(terms_.Phi, loops_);
  C_ = rows_of(terms_.Phi, wanted_);
  N_ = Eigen::MatrixXd::Identity(nv, nv);
  if (L_.rows() > 0) {
    const PivotedQr qr = pivoted_qr(L_.transpose());
    N_ = qr.Q.rightCols(nv - qr.rank);
    L_solve_.factor(L_);
    Lt_solve_.factor(L_.transpose());
  }
  // G: their inertia, in whose metric the rest is done
  G_.compute(N_.transpose() * terms_.M * N_);
  if (G_.info() != Eigen::Success) return false;
  factor_motion();
  find_orientation();
  return true;
}

void InverseDynamics::factor_motion() {
  const Eigen::Index free = N_.cols();
  // Q spans the motions that are wanted, Z what they leave free
  Eigen::MatrixXd Ct = G_.matrixL().solve((C_ * N_).transpose());
  C_scale_ = Ct.colwise().norm();
  for (Eigen::Index k = 0; k < C_scale_.size(); ++k)
    if (C_scale_[k] > 0) Ct.col(k) /= C_scale_[k];
  C_qr_ = pivoted_qr(Ct, Regularity::dependent);
  const Eigen::Index rank = C_qr_.rank;
  Q_ = C_qr_.Q.leftCols(rank), Z_ = C_qr_.Q.rightCols(free - rank);
  undetermined_ = static_cast<int>(free - rank);
  // A: what the efforts do along Q, and the least of it
  const Eigen::MatrixXd B = G_.matrixL().solve(N_.transpose() * B_);
  A_ = Q_.transpose() * B;
  grip_ = 0;
  if (A_.size() == 0) return;  // the wanted motion cannot be told from no motion here
  A_svd_ = svd(A_, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& sigma = A_svd_.values;
  const double negligible = std::max(no_grip * sigma[0], std::numeric_limits<double>::min());
  for (A_rank_ = sigma.size(); A_rank_ > 0 && sigma[A_rank_ - 1] < negligible;) --A_rank_;
  if (const double size = B.norm(); size > 0) grip_ = sigma[sigma.size() - 1] / size;
}

// [M L' -B; L 0 0; C 0 0]; where the rows fix the whole motion its sign is that of [B, L'], the rest being the pose's own.
void InverseDynamics::find_orientation() {
  const Eigen::Index nv = terms_.M.rows(), nL = L_.rows(), nu = B_.cols(), nC = C_.rows();
  orientation_ = 0;
  if (nv - N_.cols() < nL) return;  // dependent loops
  Eigen::MatrixXd square;
  if (undetermined_ == 0 && nu + nL == nv) {
    square.resize(nv, nv);
    square << B_, L_.transpose();
  } else if (undetermined_ > 0 && nu == nC) {
    square = Eigen::MatrixXd::Zero(nv + nL + nu, nv + nL + nu);
    square.topLeftCorner(nv, nv) = terms_.M;
    square.block(0, nv, nv, nL) = L_.transpose();
    square.topRightCorner(nv, nu) = -B_;
    square.block(nv, 0, nL, nv) = L_;
    square.bottomLeftCorner(nC, nv) = C_;
  } else {
    return;
  }
  orientation_ = square.partialPivLu().determinant() < 0 ? -1 : 1;
}

Eigen::VectorXd InverseDynamics::reduced(const Eigen::VectorXd& force) const {
  return G_.matrixL().solve(N_.transpose() * force);
}

Eigen::VectorXd InverseDynamics::expanded(const Eigen::VectorXd& y) const { return N_ * G_.matrixU().solve(y); }

Eigen::VectorXd InverseDynamics::loop_part(const Eigen::VectorXd& r) const {
  if (L_.rows() == 0) return Eigen::VectorXd::Zero(N_.rows());
  return L_solve_.solve(r);
}

Eigen::VectorXd InverseDynamics::least_effort(const Eigen::VectorXd& r) const {
  Eigen::VectorXd along = A_svd_.U.leftCols(A_rank_).transpose() * r;
  along.array() *= A_svd_.values.head(A_rank_).array().inverse();
  return A_svd_.V.leftCols(A_rank_) * along;
}

void InverseDynamics::solve_for(const Eigen::VectorXd& force, const Eigen::VectorXd& gamma, const Eigen::VectorXd* idle,
                                MotionLevel& level) {
  // what the loops demand, and the forces along them
  const Eigen::VectorXd particular = loop_part(entries_of(gamma, loops_));
  const Eigen::VectorXd f = reduced(force - terms_.M * particular);
  // the wanted acceleration: R' P' Q'y = C N y on the independent rows
  const Eigen::Index rank = Q_.cols();
  Eigen::VectorXd c = entries_of(gamma, wanted_) - C_ * particular;
  for (Eigen::Index k = 0; k < c.size(); ++k) c[k] /= C_scale_[k] > 0 ? C_scale_[k] : 1;
  const Eigen::VectorXd taken = c(C_qr_.order);
  const Eigen::VectorXd wanted =
      C_qr_.R.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solve(taken.head(rank));
  const Eigen::VectorXd own = Q_.transpose() * f;
  // the efforts that give it, and what they lack
  level.effort.setZero();
  if (grip_ > no_grip || A_.norm() > no_grip * B_.norm()) level.effort = least_effort(wanted - own);
  if (idle) level.effort += *idle - least_effort(A_ * *idle);
  const double size = std::max(wanted.norm() + own.norm(), no_demand * f.norm());
  lack_ = size > 0 ? (A_ * level.effort - (wanted - own)).norm() / size : 0;
  // the acceleration of all coordinates, and the multipliers of the loops
  const Eigen::VectorXd free = Z_.transpose() * (f + reduced(B_ * level.effort));
  level.vdot = particular + expanded(Q_ * wanted + Z_ * free);
  level.lambda.setZero();
  if (L_.rows() == 0) return;
  const Eigen::VectorXd left = force + B_ * level.effort - terms_.M * level.vdot, multipliers = Lt_solve_.solve(left);
  for (std::size_t r = 0; r < loops_.size(); ++r) level.lambda[loops_[r]] = multipliers[static_cast<Eigen::Index>(r)];
}

bool InverseDynamics::rates() {
  const double lack = lack_;
  Eigen::VectorXd E, e;
  for (int k = 1; k <= effort_rates_.order(); ++k) {
    effort_rates_.residuals(k, evaluator_, motion_, E, e);
    const bool redundant = k == 1 && A_.size() > 0 && A_.cols() > A_rank_;
    const Eigen::VectorXd idle = redundant ? idle_rate() : Eigen::VectorXd();
    solve_for(-E, -e, redundant ? &idle : nullptr, motion_[k]);
    if (!motion_[k].effort.allFinite()) return false;
  }
  lack_ = lack;
  return true;
}

// Of least norm are the efforts u = B'pi, pi = N G^-T Q w, A A' w = A u. With the rates of B, L, M and Phi the equations of
// pi give the rate of u up to what A then demands.
Eigen::VectorXd InverseDynamics::idle_rate() {
  LeastNorm At, Phi_t;
  At.factor(A_.transpose());
  Phi_t.factor(terms_.Phi.transpose());
  const Eigen::VectorXd w = At.solve(motion_[0].effort);
  const Eigen::VectorXd pi = expanded(Q_ * w), push = terms_.M * pi;
  const Eigen::VectorXd kappa = Phi_t.solve(Eigen::VectorXd(-push));
  const EffortRates::Adjoint rates = effort_rates_.adjoint(evaluator_, motion_, pi, kappa);
  const Eigen::VectorXd particular = loop_part(-entries_of(rates.Phi, loops_));
  const Eigen::VectorXd y = Z_ * (Z_.transpose() * reduced(-rates.M - terms_.M * particular));
  return B_.transpose() * (particular + expanded(y)) + rates.B;
}

}  // namespace armature::internal
