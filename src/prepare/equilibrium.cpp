#include "prepare/equilibrium.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "dynamics/assembly.hpp"
#include "dynamics/configuration.hpp"
#include "expression/interruption.hpp"
#include "linear/decompositions.hpp"
#include "step/root_noise.hpp"
#include "system/state_program.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int most_steps = 2000;
constexpr int patience = 1000;            // evaluations since the forces came closer to balance
constexpr double closer = 0.9;            // of the residual that was closest to it
constexpr double longest_turn = 0.2;      // rad a step
constexpr double settled = 1e-12;         // step of plain Newton, against the longest: nothing is left to gain
constexpr double newton_residual = 1e-3;  // of the first: from here on plain Newton,
constexpr int most_dampings = 30;
constexpr double squeezes = 1e-9;    // of the largest effect of a motion on oil
constexpr double newton_way = 1e-6;  // and where that goes hardly anywhere, against the longest step
constexpr int most_newton_steps = 8;
constexpr double corrected = 0.01;  // of the way of a step: what is left of it is left to the next
constexpr double converging = 0.7;  // a correction against the one before; beyond it the step was too long

// What step/root_noise.hpp asks.
struct RootsAtRest {
  SystemEvaluator& evaluator;
  VectorXd& values;
  const double* roots(double t, const double* x) {
    evaluator.set(t, x);
    evaluator.roots(values);
    return values.data();
  }
};

}  // namespace

MatrixXd RestTerms::statics(double inverse_delta) const {
  const auto nv = M.rows(), nz = zdot.size(), m = phi.size();
  MatrixXd A = MatrixXd::Zero(nv + nz + m, nv + nz + m);
  A.topLeftCorner(nv, nv) = K + inverse_delta * M;
  A.block(0, nv, nv, nz) = r_z;
  A.topRightCorner(nv, m) = Phi.transpose();
  A.block(nv, 0, nz, nv) = -zq;
  A.block(nv, nv, nz, nz) = -zz;
  A.bottomLeftCorner(m, nv) = Phi;
  return A;
}

MatrixXd RestTerms::rest(double inverse_delta) const {
  MatrixXd A = statics(inverse_delta);
  const auto nv = M.rows(), nz = zdot.size();
  if (oil_z.size() > 0) A.block(nv, 0, nz, nv) += oil_q, A.block(nv, nv, nz, nz) += oil_z;
  return A;
}

RestState::RestState(std::shared_ptr<const System> system)
    : evaluator_(std::move(system)),
      rows_(evaluator_.system().options().independent_rows),
      terms_(evaluator_.make_terms()),
      jacobian_(evaluator_.make_jacobian()) {
  const Layout& n = evaluator_.system().layout();
  const auto& others = evaluator_.system().equations().others;
  for (int i = 0; i < n.nz; ++i)
    if (others[i].kind == Coordinate::Kind::other) dynamic_.push_back(i);
  for (std::size_t i = 0; i < dynamic_.size(); ++i)
    if (others[static_cast<std::size_t>(dynamic_[i])].unit == "Pa") pressures_.push_back(static_cast<int>(i));
  zero_state_ = evaluator_.system().initial_state();
  all_lambda_ = VectorXd::Zero(n.m);
  zero_ = VectorXd::Zero(n.nv);
  roots_ = VectorXd::Zero(n.nw);
  noise_.resize(static_cast<std::size_t>(n.nw));
  for (int i = 0; i < n.nx(); ++i)
    if (i < n.nq || i >= n.nq + n.nv) entries_.push_back(i);
}

const MachineSize& RestState::size(const State& state) {
  if (size_.known()) return size_;
  const Layout& n = evaluator_.system().layout();
  SparseTerms terms = evaluator_.make_sparse_terms();
  evaluator_.set(state);
  evaluator_.position(terms);
  size_ = MachineSize(evaluator_.system().equations(), terms, state.x.data());
  sizes_ = VectorXd::Ones(n.nx());
  sizes_.head(n.nq) = size_.per_position().cwiseInverse();
  return size_;
}

int RestState::settle_comparisons(State& state) {
  if (roots_.size() == 0) return 0;
  int balanced = 0;
  take_root_noise(state);
  evaluator_.set(state);
  const std::vector<Graph::Comparison>& comparisons = evaluator_.system().equations().graph->comparisons();
  for (int pass = 0; pass < evaluator_.system().comparison_nesting(); ++pass) {
    evaluator_.set_outcomes(state.w);
    evaluator_.roots(roots_);
    balanced = 0;
    for (int k = 0; k < roots_.size(); ++k) {
      const Graph::Comparison& comparison = comparisons[static_cast<std::size_t>(k)];
      const bool zero = comparison.kind != Graph::ComparisonKind::floor &&
                        std::abs(roots_[k]) <= noise_[static_cast<std::size_t>(k)].noise;
      balanced += zero;
      const double outcome = comparison.outcome(roots_[k]);
      state.w[k] = zero ? 0.5 : outcome;
      state.comparisons[k] = status_of(comparison, outcome);
    }
  }
  evaluator_.set_outcomes(state.w);
  return balanced;
}

void RestState::take_root_noise(State& state) {
  const Layout& n = evaluator_.system().layout();
  size(state);
  evaluator_.set(state);
  RootsAtRest engine{evaluator_, roots_};
  const step::EventSizes sizes{n.nw,         n.nq, n.nv, n.nx(), entries_.data(), static_cast<int>(entries_.size()),
                               sizes_.data()};
  step::take_root_noise(engine, sizes, state.t, state.x.data(), noise_.data());
}

double RestState::least(int pressure) const {
  const Layout& n = evaluator_.system().layout();
  return zero_state_.x[n.nq + n.nv + dynamic_[static_cast<std::size_t>(pressure)]];
}

// Rates of pressures p at rest are A (dq, dz), and B v in motion. Sums u'p with u'A = 0 are those that nothing changes. Where u'B is
// not zero, motion along it squeezes the oil: it is held. The others: a pressure at its start keeps it, or the sum does.
void RestState::hold_oil(const State& state, RestTerms& terms) const {
  terms.oil_q.resize(0, 0), terms.oil_z.resize(0, 0);
  if (pressures_.empty()) return;
  const auto nv = terms.zv.cols(), nz = terms.zz.cols();
  MatrixXd A(static_cast<Eigen::Index>(pressures_.size()), nv + nz);
  A << terms.zq(pressures_, Eigen::all), terms.zz(pressures_, Eigen::all);
  const MatrixXd U = null_space(A.transpose());  // one column a sum
  if (U.cols() == 0 || !U.allFinite()) return;
  const Svd squeezed = svd(U.transpose() * terms.zv(pressures_, Eigen::all), Eigen::ComputeFullU | Eigen::ComputeFullV);
  terms.oil_q = MatrixXd::Zero(nz, nv), terms.oil_z = MatrixXd::Zero(nz, nz);
  const VectorXd z = state.x.tail(evaluator_.system().layout().nz)(dynamic_);
  std::vector<int> kept;
  for (const int p : pressures_)
    if (z[p] == least(p)) kept.push_back(p);
  const Eigen::Index held = (squeezed.values.array() > squeezes * squeezed.values[0]).count();
  const bool keeps = static_cast<Eigen::Index>(kept.size()) == U.cols() - held;
  for (Eigen::Index k = 0; k < U.cols(); ++k) {
    const VectorXd sum = U * squeezed.U.col(k);
    MatrixXd row = MatrixXd::Zero(1, nz);
    if (k < held)
      terms.oil_q(pressures_, Eigen::all) += sum * squeezed.V.col(k).transpose();
    else if (keeps)
      row(0, kept[static_cast<std::size_t>(k - held)]) = 1;
    else
      for (std::size_t i = 0; i < pressures_.size(); ++i) row(0, pressures_[i]) = sum[static_cast<Eigen::Index>(i)];
    if (k >= held) terms.oil_z(pressures_, Eigen::all) += sum * row;
  }
}

bool RestState::evaluate(const State& state, const VectorXd& lambda, RestTerms& terms) {
  evaluator_.set(state.t, state.x.data());
  evaluator_.all(terms_);
  for (std::size_t k = 0; k < rows_.size(); ++k) all_lambda_[rows_[k]] = lambda[k];
  evaluator_.jacobian(zero_, all_lambda_, jacobian_);
  const auto& j = jacobian_;
  terms.M = terms_.M, terms.f = terms_.f;
  terms.K = j.r_q * j.qdot_v, terms.D = j.r_v;
  terms.r_z = j.r_z(Eigen::all, dynamic_);
  terms.zq = (j.zdot_q * j.qdot_v)(dynamic_, Eigen::all);
  terms.zv = j.zdot_v(dynamic_, Eigen::all);
  terms.zz = j.zdot_z(dynamic_, dynamic_);
  terms.zdot = terms_.zdot(dynamic_);
  terms.Phi = terms_.Phi(rows_, Eigen::all);
  terms.phi = terms_.phi(rows_);
  hold_oil(state, terms);
  return terms.f.allFinite() && terms.K.allFinite() && terms.zdot.allFinite() && terms.Phi.allFinite();
}

namespace {

class EquilibriumSearch {
 public:
  EquilibriumSearch(std::shared_ptr<const System> system, const State& guess, const VectorXd& parameters)
      : at_(std::move(system)),
        n_(at_.evaluator().system().layout()),
        configuration_(equations()),
        forces_(at_.evaluator().make_terms()) {
    if (parameters.size() > 0) at_.evaluator().set_parameters(parameters);
    result_.state = guess;
    result_.state.x.segment(n_.nq, n_.nv).setZero();
    result_.lambda = VectorXd::Zero(static_cast<Eigen::Index>(at_.rows().size()));
  }

  Equilibrium run() {
    const VectorXd begin = result_.state.x.head(n_.nq);
    if (!evaluate()) return failed("a formula has no finite value");
    first_ = residual_;
    for (; result_.steps < most_steps; ++result_.steps) {
      stop_if_interrupted();
      if (balanced()) return done(begin);
      if (!step())
        return failed(finite_ ? "the equations of equilibrium are singular" : "a formula has no finite value");
      resting_ = newton_ && last_ < settled ? resting_ + 1 : 0;
      if (resting_ > 0 && (states_ < settled || resting_ > most_newton_steps)) return done(begin);
      if (evaluations_ - closest_at_ > patience) break;
      adapt();
    }
    return failed(fmt::format("after {} steps the forces are still out of balance ({:.2g} of the first residual)",
                              result_.steps, first_ > 0 ? residual_ / first_ : 0));
  }

 private:
  const Equations& equations() { return at_.evaluator().system().equations(); }

  Equilibrium done(const VectorXd& begin) {
    result_.found = true;
    const VectorXd ways = (result_.state.x.head(n_.nq) - begin).cwiseAbs();
    if (n_.nq > 0) result_.moved = ways.maxCoeff(&result_.mover);
    result_.balanced = at_.settle_comparisons(result_.state);
    return result_;
  }
  Equilibrium failed(const std::string& why) {
    result_.sentence =
        fmt::format("no equilibrium was found from the start: {}. A machine that its drives keep moving has none", why);
    return result_;
  }

  // Terms, and how far the forces are from balance: the acceleration that they would cause, in the kinetic metric.
  bool evaluate() { return finite_ = evaluated(); }

  bool evaluated() {
    at_.settle_comparisons(result_.state);
    // the multipliers of this place come first: the derivatives, which cost far more than the forces, depend on them
    at_.evaluator().set(result_.state.t, result_.state.x.data());
    at_.evaluator().all(forces_);
    const auto nv = forces_.M.rows(), m = static_cast<Eigen::Index>(at_.rows().size());
    const MatrixXd Phi = forces_.Phi(at_.rows(), Eigen::all);
    if (!forces_.f.allFinite() || !Phi.allFinite()) return false;
    MatrixXd A = MatrixXd::Zero(nv + m, nv + m);
    A.topLeftCorner(nv, nv) = forces_.M, A.topRightCorner(nv, m) = Phi.transpose();
    A.bottomLeftCorner(m, nv) = Phi;
    VectorXd b = VectorXd::Zero(nv + m);
    b.head(nv) = forces_.f;
    const VectorXd solution = solve_square(A, b);
    if (!solution.allFinite()) return false;
    acceleration_ = solution.head(nv);
    result_.lambda = solution.tail(m);
    if (!at_.evaluate(result_.state, result_.lambda, terms_)) return false;
    force_size_ = std::sqrt(terms_.f.dot(solve_symmetric(terms_.M, terms_.f)));
    residual_ = std::sqrt(acceleration_.dot(terms_.M * acceleration_));
    ++evaluations_;
    if (residual_ < closer * closest_) closest_ = residual_, closest_at_ = evaluations_;
    return true;
  }

  bool balanced() { return residual_ <= 1e-14 * force_size_ && moving_states() <= 1e-14 && open() < 1e-12; }

  // Rates of the auxiliary states, over the terms that make them up.
  double moving_states() const {
    double largest = 0;
    for (Eigen::Index i = 0; i < terms_.zdot.size(); ++i) {
      double size = 0, rest = terms_.zdot[i];
      for (std::size_t k = 0; k < at_.dynamic().size(); ++k) {
        const double term =
            terms_.zz(i, static_cast<Eigen::Index>(k)) * result_.state.x[n_.nq + n_.nv + at_.dynamic()[k]];
        size += std::abs(term), rest -= term;
      }
      size += std::abs(rest);
      if (size > 0) largest = std::max(largest, std::abs(terms_.zdot[i]) / size);
    }
    return largest;
  }

  // Loops, over the sizes of their rows.
  double open() {
    const VectorXd& per_row = at_.size(result_.state).per_row();
    double largest = 0;
    for (std::size_t k = 0; k < at_.rows().size(); ++k)
      largest = std::max(largest, std::abs(terms_.phi[static_cast<Eigen::Index>(k)]) * per_row[at_.rows()[k]]);
    return largest;
  }

  double way(const VectorXd& dv) {  // in units of the longest step
    return at_.size(result_.state).of_velocities(dv.data()) / longest_turn;
  }

  // Newton's step leads to the nearest equilibrium, stable or not; the forces have to want it as well.
  bool downhill(const VectorXd& b, const VectorXd& d) {
    return b.head(n_.nv).dot(d.head(n_.nv)) >= 0 || way(d.head(n_.nv)) < settled;
  }

  // (K + M/delta) d = b: along the forces for small delta. Where the potential curves downwards, a large one leads uphill.
  VectorXd damped_step(const VectorXd& b) {
    VectorXd d = solve_square(terms_.rest(1 / delta_), b);
    for (int k = 0; k < most_dampings && !(d.allFinite() && downhill(b, d)); ++k) {
      delta_ *= 0.25;
      d = solve_square(terms_.rest(1 / delta_), b);
    }
    return d;
  }

  VectorXd right_side(const VectorXd& gone) const {
    VectorXd b(terms_.M.rows() + terms_.zdot.size() + terms_.phi.size());
    b << terms_.f - terms_.Phi.transpose() * result_.lambda - terms_.M * gone / delta_, terms_.zdot, -terms_.phi;
    return b;
  }

  // Plain Newton where it can be trusted, else an implicit Euler step.
  bool step() {
    if (delta_ == 0) delta_ = 1 / std::max(std::numeric_limits<double>::min(), way(acceleration_));
    const VectorXd b = right_side(VectorXd::Zero(n_.nv));
    const VectorXd d = solve_square(terms_.rest(), b);
    newton_ =
        d.allFinite() && (residual_ < newton_residual * first_ || way(d.head(n_.nv)) < newton_way) && downhill(b, d);
    if (!newton_) return euler_step(b);
    last_ = way(d.head(n_.nv));
    return take(d, std::min(1.0, 1 / last_)), evaluate();
  }

  // M (q - q_n)/delta + r(q) = 0 by Newton's method. A stiff part (beams) has to follow the slow motion of the rest within
  // the step: what it is out of balance after one correction would decide on all that follows. Where the corrections do
  // not converge the step is taken again with a shorter delta.
  bool euler_step(const VectorXd& b) {
    const State begin = result_.state;
    const VectorXd lambda = result_.lambda;
    for (int k = 0; k < most_dampings; ++k) {
      const VectorXd d = damped_step(b);
      if (!d.allFinite()) return false;
      last_ = way(d.head(n_.nv));
      if (last_ <= 1 && corrections_converge(d)) return true;
      delta_ *= last_ > 1 ? std::max(0.1, 0.8 / last_) : 0.25;
      result_.state = begin, result_.lambda = lambda;
      if (!evaluate()) return false;
    }
    return false;
  }

  bool corrections_converge(VectorXd d) {
    VectorXd gone = VectorXd::Zero(n_.nv);
    double before = last_;
    for (int k = 0; k < most_newton_steps; ++k) {
      take(d, 1);
      gone += d.head(n_.nv);
      if (!evaluate()) return false;
      d = solve_square(terms_.rest(1 / delta_), right_side(gone));
      const double now = d.allFinite() ? way(d.head(n_.nv)) : 1e300;
      if (now <= corrected * last_) return true;
      if (now > converging * before) return false;
      before = now;
    }
    return false;
  }

  void take(const VectorXd& d, double share) {
    State& state = result_.state;
    const VectorXd dv = share * d.head(n_.nv);
    configuration_.advance(state.x.data(), dv.data());
    const VectorXd dz = d.segment(n_.nv, static_cast<Eigen::Index>(at_.dynamic().size()));
    double size = 0;
    for (std::size_t k = 0; k < at_.dynamic().size(); ++k) {
      double& z = state.x[n_.nq + n_.nv + at_.dynamic()[k]];
      z += dz[static_cast<Eigen::Index>(k)];
      size = std::max(size, std::abs(z));
    }
    states_ = size > 0 ? dz.lpNorm<Eigen::Infinity>() / size : 0;
    keep_pressures();
    correct(at_.evaluator(), state);  // where it fails, phi is left to the next step
    state.x.segment(n_.nq, n_.nv).setZero();
    at_.evaluator().set(state);
    at_.evaluator().next_discrete(state.d);
  }

  // Of oil that is held, the chamber that would lose pressure gives its share of the load to the other one.
  void keep_pressures() {
    if (terms_.oil_z.size() == 0) return;
    for (const int p : at_.pressures()) {
      double& z = result_.state.x[n_.nq + n_.nv + at_.dynamic()[static_cast<std::size_t>(p)]];
      z = std::max(z, at_.least(p));
    }
  }

  // delta grows until a step is as long as it may be.
  void adapt() { delta_ *= std::clamp(0.8 / last_, 0.5, 3.0); }

  RestState at_;
  const Layout& n_;
  Configuration configuration_;
  Terms forces_;  // and M, Phi: at the state
  Equilibrium result_;
  RestTerms terms_;
  VectorXd acceleration_;
  double states_ = 0;  // the last step of states, over the largest of them
  int resting_ = 0;    // plain steps in a row that moved no coordinate: states need a few after the pose does
  double delta_ = 0, residual_ = 0, first_ = 0, force_size_ = 0, last_ = 1;
  double closest_ = std::numeric_limits<double>::infinity();  // the least residual, found at this evaluation
  int evaluations_ = 0, closest_at_ = 0;
  bool newton_ = false, finite_ = true;
};

}  // namespace

Equilibrium find_equilibrium(const std::shared_ptr<const System>& system, const State& guess,
                             const Eigen::VectorXd& parameters) {
  return EquilibriumSearch(system, guess, parameters).run();
}

}  // namespace armature::internal
