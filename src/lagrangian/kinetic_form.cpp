// Whether T is what a kinetic energy must be,  T = 1/2 v' M v  with M(q) positive definite, seen at the start and at
// random states: angles all around, other coordinates near their start. States at which T has no value count for
// nothing.
#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include <fmt/format.h>

#include "expression/comparison_nesting.hpp"
#include "expression/program.hpp"
#include "lagrangian/lagrangian.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

constexpr int samples = 20;
constexpr double round_off = 1e-9;  // of T and M, relative: differences above it are not rounding
constexpr double definite = 1e-12;  // a pivot below this part of its diagonal entry is zero
constexpr double spread = 0.1;      // of coordinates that are not angles, besides 20 % of their start

class KineticForm {
 public:
  KineticForm(const Model& model, const Equations& equations, Expression T, const std::vector<Expression>& hessian)
      : model_(model),
        e_(equations),
        n_(static_cast<int>(equations.v.size())),
        explicit_time_(depends_on(T, equations.t)) {
    std::vector<Expression> outputs{T};
    outputs.insert(outputs.end(), hessian.begin(), hessian.end());
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) outputs.push_back(e_.M(i, j));
    for (const Graph::Comparison& comparison : e_.graph->comparisons()) outputs.push_back(comparison.root);
    outcomes_.resize(e_.graph->comparisons().size());
    std::set<std::int32_t> leaves;
    for (const Expression& output : outputs)
      for (std::int32_t leaf : leaves_of(output)) leaves.insert(leaf);
    std::vector<Expression> inputs;
    for (std::int32_t leaf : leaves) inputs.emplace_back(e_.graph.get(), leaf);
    leaves_.assign(leaves.begin(), leaves.end());
    evaluator_ = Evaluator(std::make_shared<const Program>(inputs, outputs));
    in_.resize(inputs.size());
    out_.resize(outputs.size());
    find_start();
  }

  std::string fault() {
    for (int k = 0; k < samples; ++k) {
      take_state(k == 0);
      const std::string found = fault_here();
      if (!found.empty()) return found;
    }
    return "";
  }

 private:
  void find_start() {
    start_ = Eigen::VectorXd::Zero(n_);
    for (const auto* entries : {&model_.start.near, &model_.start.keep})
      for (const StartEntry& entry : *entries)
        for (int i = 0; i < n_; ++i)
          if (entry.value.given() && e_.positions[i].name == entry.name) {
            try {
              start_[i] = evaluate_constant(entry.value, model_);
            } catch (const FormulaError&) {  // the start is judged elsewhere
            }
          }
  }

  double random() { return std::uniform_real_distribution<double>(-1, 1)(generator_); }

  void take_state(bool at_start) {
    q_ = start_;
    t_ = at_start ? 0 : random() + 1;
    if (!at_start)
      for (int i = 0; i < n_; ++i)
        q_[i] += e_.positions[i].kind == Coordinate::Kind::angle ? std::numbers::pi * random()
                                                                 : (spread + 0.2 * std::abs(start_[i])) * random();
  }

  // T, its Hessian and M at a velocity; false: no value.
  bool evaluate(const Eigen::VectorXd& v) {
    for (int pass = 0; pass < (outcomes_.empty() ? 1 : 1 + comparison_nesting(*e_.graph)); ++pass) {
      for (std::size_t k = 0; k < leaves_.size(); ++k) in_[k] = value_of(Expression(e_.graph.get(), leaves_[k]), v);
      evaluator_(in_.data(), out_.data());
      take_outcomes();
    }
    T_ = out_[0];
    H_ = Eigen::Map<const Eigen::MatrixXd>(out_.data() + 1, n_, n_);
    M_ = Eigen::Map<const Eigen::MatrixXd>(out_.data() + 1 + n_ * n_, n_, n_);
    return std::isfinite(T_) && H_.allFinite() && M_.allFinite();
  }

  // Of comparisons, by their roots; one that depends on another has the right one after as many passes as they are nested.
  void take_outcomes() {
    const double* roots = out_.data() + 1 + 2 * n_ * n_;
    for (std::size_t k = 0; k < outcomes_.size(); ++k) outcomes_[k] = e_.graph->comparisons()[k].outcome(roots[k]);
  }

  double value_of(Expression leaf, const Eigen::VectorXd& v) const {
    if (leaf == e_.t) return t_;
    for (int i = 0; i < n_; ++i) {
      if (leaf == e_.q[i]) return q_[i];
      if (leaf == e_.v[i]) return v[i];
    }
    for (std::size_t i = 0; i < e_.p.size(); ++i)
      if (leaf == e_.p[i]) return e_.p_value[i];
    return leaf.node().op == Op::outcome ? outcomes_[static_cast<std::size_t>(leaf.node().a)] : 1;
  }

  std::string fault_here() {
    Eigen::VectorXd v(n_);
    for (double& rate : v) rate = random();
    if (!evaluate(v)) return "";
    const Eigen::MatrixXd H = H_, M = M_;
    const double T = T_;
    if (!evaluate(2 * v)) return "";
    const double T2 = T_;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j <= i; ++j)
        if (std::abs(H_(i, j) - H(i, j)) > round_off * (H.cwiseAbs().maxCoeff() + H_.cwiseAbs().maxCoeff()))
          return fmt::format("is not quadratic in the rates: the coefficient of {} {} depends on the rates {}", rate(i),
                             rate(j), here());
    // T(v) = T2 + T1 + T0 has T(v) - 1/2 v'Hv = T1 + T0, T(2v) - 2 v'Hv = 2 T1 + T0
    const double form = 0.5 * v.dot(H * v), rest = T - form, rest2 = T2 - 4 * form;
    const double scale = round_off * (std::abs(T) + std::abs(form) + H.cwiseAbs().maxCoeff());
    if (!explicit_time_ && std::abs(rest2 - rest) > scale) return linear_fault(v, scale);
    if (!explicit_time_ && std::abs(2 * rest - rest2) > scale)
      return fmt::format(
          "has a part without rates ({:.6g} J {}); such a part belongs to the potential, with the opposite sign",
          2 * rest - rest2, here());
    return definiteness(M);
  }

  // The coordinate whose rate alone leaves a term of first degree.
  std::string linear_fault(const Eigen::VectorXd& v, double scale) {
    evaluate(Eigen::VectorXd::Zero(n_));
    const double T0 = T_;
    for (int i = 0; i < n_; ++i) {
      const Eigen::VectorXd single = v[i] * Eigen::VectorXd::Unit(n_, i);
      evaluate(single);
      if (std::abs(T_ - T0 - 0.5 * single.dot(H_ * single)) > scale / n_)
        return fmt::format("is not a quadratic form of the rates: it has a term of first degree in {} {}", rate(i),
                           here());
    }
    return fmt::format("is not a quadratic form of the rates {}", here());
  }

  // L D L' without pivoting: the first pivot that is lost names the coordinate.
  std::string definiteness(Eigen::MatrixXd M) const {
    const Eigen::VectorXd diagonal = M.diagonal();
    for (int k = 0; k < n_; ++k) {
      if (diagonal[k] == 0 && M.row(k).isZero())
        return fmt::format("does not depend on {}: the coordinate {} has no inertia {}", rate(k), e_.positions[k].name,
                           here());
      if (!(M(k, k) > definite * std::abs(diagonal[k])))
        return fmt::format("is not positive definite: it does not grow with {} {}", rate(k), here());
      for (int r = k + 1; r < n_; ++r)
        for (int c = k + 1; c < n_; ++c) M(r, c) -= M(r, k) * M(k, c) / M(k, k);
    }
    return "";
  }

  std::string rate(int i) const { return e_.velocities[i].name; }

  std::string here() const {
    std::string text = "at";
    for (int i = 0; i < n_; ++i) text += fmt::format("{} {} = {:.6g}", i == 0 ? "" : ",", e_.positions[i].name, q_[i]);
    return explicit_time_ ? text + fmt::format(", t = {:.6g}", t_) : text;
  }

  std::vector<double> outcomes_;  // of comparisons
  const Model& model_;
  const Equations& e_;
  int n_;
  bool explicit_time_;
  std::vector<std::int32_t> leaves_;
  Evaluator evaluator_;
  std::vector<double> in_, out_;
  std::mt19937 generator_{1};
  Eigen::VectorXd start_, q_;
  double t_ = 0, T_ = 0;
  Eigen::MatrixXd H_, M_;
};

}  // namespace

std::string fault_of_kinetic(const Model& model, const Equations& equations, Expression T,
                             const std::vector<Expression>& hessian) {
  return KineticForm(model, equations, T, hessian).fault();
}

}  // namespace armature::internal
