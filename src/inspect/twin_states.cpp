#include "inspect/twin_states.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dynamics/assembly.hpp"
#include "linear/decompositions.hpp"

namespace armature::internal {

namespace {

constexpr int path_steps = 12;
constexpr int newton_steps = 30;
constexpr double met = 1e-11;   // of positions, rad or m: Newton has converged
constexpr double apart = 1e-7;  // positions that differ by more are not the same machine
constexpr double reach = 0.8;   // rad, and for lengths times their size: how far a walk goes at most
constexpr double rank = 1e-9;

// Phi over J, and the right-hand side on which both agree.
struct Stacked {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  Stacked(const Eigen::MatrixXd& Phi, const Eigen::VectorXd& phi, const Eigen::MatrixXd& J, const Eigen::VectorXd& y)
      : A(Phi.rows() + J.rows(), J.cols()), b(phi.size() + y.size()) {
    A << Phi, J;
    b << phi, y;
  }
};

}  // namespace

TwinStates::TwinStates(const Prepared& a, const Prepared& b, const TwinNames& names, unsigned seed)
    : a_(a),
      b_(b),
      names_(names),
      motion_a_(a.system->equations(), names.a),
      motion_b_(b.system->equations(), names.b),
      evaluator_a_(a.system),
      evaluator_b_(b.system),
      configuration_a_(a.system->equations()),
      configuration_b_(b.system->equations()),
      start_b_(b.start),
      generator_(seed) {
  if (!follow(a.start, start_b_)) {
    NamedMotion::Values y, z;
    motion_a_.evaluate(a.start, Eigen::VectorXd::Zero(configuration_a_.nv()), y);
    motion_b_.evaluate(start_b_, Eigen::VectorXd::Zero(configuration_b_.nv()), z);
    int worst = 0;
    const double gap = (y.y - z.y).cwiseAbs().maxCoeff(&worst);
    obstacle_ =
        fmt::format("B has no state with the positions of A: at A's start {} is {:.6g}, in B it is {:.6g} (gap {:.2g})",
                    names.a[worst], y.y[worst], z.y[worst], gap);
    return;
  }
  // at a state off the start, where nothing is singular by accident
  State state_a, state_b;
  if (!walk(state_a, state_b)) return;
  Terms terms = evaluator_b_.make_terms();
  evaluator_b_.set(state_b);
  evaluator_b_.position(terms);
  NamedMotion::Values y;
  motion_b_.evaluate(state_b, Eigen::VectorXd::Zero(configuration_b_.nv()), y);
  const Eigen::Index determined = pivoted_qr(Stacked(terms.Phi, terms.phi, y.J, y.y).A, rank).rank;
  if (determined < configuration_b_.nv())
    obstacle_ = fmt::format("the names in common leave {} of B's {} coordinates free; define more names in both files",
                            configuration_b_.nv() - determined, configuration_b_.nv());
}

void TwinStates::randomize(Eigen::VectorXd& dv, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  for (double& x : dv) x = uniform(generator_);
}

void TwinStates::unwrap(SystemEvaluator& evaluator, State& state) {
  evaluator.set(state);
  Eigen::VectorXd next = state.d;
  evaluator.next_discrete(next);
  const auto& discrete = evaluator.system().equations().discrete;
  for (std::size_t i = 0; i < discrete.size(); ++i)
    if (discrete[i].follows_steps()) state.d[i] = next[i];
}

bool TwinStates::follow(const State& a, State& b) {
  NamedMotion::Values target, y;
  motion_a_.evaluate(a, Eigen::VectorXd::Zero(configuration_a_.nv()), target);
  Terms terms = evaluator_b_.make_terms();
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(configuration_b_.nv());
  b.t = a.t;
  b.x.segment(configuration_b_.nq(), configuration_b_.nv()).setZero();
  bool converged = false;
  for (int k = 0; k < newton_steps; ++k) {
    evaluator_b_.set(b);
    evaluator_b_.position(terms);
    motion_b_.evaluate(b, at_rest, y);
    const Stacked system(terms.Phi, terms.phi, y.J, y.y - target.y);
    if (!system.b.allFinite() || !system.A.allFinite()) return false;
    if (converged) {  // one step beyond, to round-off
      unwrap(evaluator_b_, b);
      return true;
    }
    converged = system.b.lpNorm<Eigen::Infinity>() < met;
    LeastNorm step;
    step.factor(system.A, rank);
    const Eigen::VectorXd dv = -step.solve(system.b);
    configuration_b_.advance(b.x.data(), dv.data());
  }
  motion_b_.evaluate(b, at_rest, y);
  return (y.y - target.y).lpNorm<Eigen::Infinity>() < apart;
}

// Small steps in one random direction; the last state that both reach counts.
bool TwinStates::walk(State& a, State& b) {
  a = a_.start;
  b = start_b_;
  const int nq = configuration_a_.nq(), nv = configuration_a_.nv();
  const Equations& e = a_.system->equations();
  const double time_step = std::uniform_real_distribution<double>(0, 1.0 / path_steps)(generator_);
  Eigen::VectorXd way(nv);
  randomize(way, reach / path_steps);
  for (int i = 0; i < nv; ++i)
    if (const int position = configuration_a_.position_of(i);
        position >= 0 && e.positions[position].kind != Coordinate::Kind::angle)
      way[i] *= 0.05 + 0.5 * std::abs(a.x[position]);
  bool moved = false;
  for (int k = 0; k < path_steps; ++k) {
    State next_a = a, next_b = b;
    next_a.t += time_step;
    configuration_a_.advance(next_a.x.data(), way.data());
    next_a.x.segment(nq, nv).setZero();
    if (!correct(evaluator_a_, next_a)) break;
    unwrap(evaluator_a_, next_a);
    if (!follow(next_a, next_b)) break;
    a = next_a;
    b = next_b;
    moved = true;
  }
  return moved;
}

void TwinStates::take_rates(const State& a, State& b) {
  NamedMotion::Values target, y;
  motion_a_.evaluate(a, Eigen::VectorXd::Zero(configuration_a_.nv()), target);
  b.x.segment(configuration_b_.nq(), configuration_b_.nv()).setZero();
  Terms terms = evaluator_b_.make_terms();
  evaluator_b_.set(b);
  evaluator_b_.motion(terms);
  motion_b_.evaluate(b, Eigen::VectorXd::Zero(configuration_b_.nv()), y);
  const Stacked system(terms.Phi, -terms.phidot, y.J, target.rate - y.rate);
  LeastNorm rates;
  rates.factor(system.A);
  b.x.segment(configuration_b_.nq(), configuration_b_.nv()) = rates.solve(system.b);
}

void TwinStates::take_others(State& a, State& b) {
  const auto &of_a = a_.system->equations().others, &of_b = b_.system->equations().others;
  const int first_a = configuration_a_.nq() + configuration_a_.nv(),
            first_b = configuration_b_.nq() + configuration_b_.nv();
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::size_t i = 0; i < of_a.size(); ++i)
    for (std::size_t k = 0; k < of_b.size(); ++k)
      if (of_a[i].name == of_b[k].name && of_a[i].kind == Coordinate::Kind::other)
        a.x[first_a + i] = b.x[first_b + k] = uniform(generator_);
}

bool TwinStates::draw(State& a, State& b) {
  if (!walk(a, b)) return false;
  const int nq = configuration_a_.nq(), nv = configuration_a_.nv();
  Eigen::VectorXd v(nv);
  randomize(v, 1);
  a.x.segment(nq, nv) = v;
  if (!correct(evaluator_a_, a)) return false;
  take_rates(a, b);
  take_others(a, b);
  return true;
}

}  // namespace armature::internal
