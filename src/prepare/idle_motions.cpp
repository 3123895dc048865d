#include "prepare/idle_motions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/Core>

#include "dynamics/assembly.hpp"
#include "linear/decompositions.hpp"
#include "system/constraint_inertia.hpp"
#include "system/solution_signals.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double round_off = 1e-9;  // of the largest entry

// The largest entry is 1, and round-off is zero.
VectorXd tidy(VectorXd n) {
  Eigen::Index largest = 0;
  n.cwiseAbs().maxCoeff(&largest);
  n /= n[largest];
  for (double& entry : n)
    if (std::abs(entry) < round_off) entry = 0;
  return n;
}

// Directions among the velocities of one joint along which M has no entries at the start.
std::vector<VectorXd> directions_without_inertia(const MatrixXd& M, const std::vector<int>& velocities) {
  const auto count = static_cast<Eigen::Index>(velocities.size());
  MatrixXd block(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j) block(i, j) = M(velocities[std::size_t(i)], velocities[std::size_t(j)]);
  const double largest = block.cwiseAbs().maxCoeff();
  std::vector<VectorXd> directions;
  if (!(largest > 0)) return directions;  // nothing holds it: refused by its name
  const Svd found = svd(block, Eigen::ComputeFullV);
  for (Eigen::Index k = 0; k < count; ++k) {
    if (found.values[k] > round_off * largest) continue;
    VectorXd direction = VectorXd::Zero(M.rows());
    for (Eigen::Index i = 0; i < count; ++i) direction[velocities[std::size_t(i)]] = found.V(i, k);
    directions.push_back(tidy(direction));
  }
  return directions;
}

// Any pose and speed, also where loops are open: what is idle is so everywhere.
class AnyStates {
 public:
  AnyStates(SystemEvaluator& evaluator, const State& start)
      : evaluator_(evaluator), e_(evaluator.system().equations()), start_(start), terms_(evaluator.make_terms()) {}

  const Terms& terms_at_start() { return terms_at(start_); }
  const Terms& next() {
    std::uniform_real_distribution<double> share(-1, 1);
    State state = start_;
    for (std::size_t i = 0; i < e_.q.size() + e_.v.size(); ++i) state.x[static_cast<Eigen::Index>(i)] += share(random_);
    for (const auto& [first, velocity] : e_.quaternions) state.x.segment(first, 4).normalize();
    return terms_at(state);
  }

 private:
  const Terms& terms_at(const State& state) {
    evaluator_.set(state);
    evaluator_.all(terms_);
    return terms_;
  }

  SystemEvaluator& evaluator_;
  const Equations& e_;
  const State& start_;
  Terms terms_;
  std::mt19937 random_{1};
};

enum class Idle { yes, pushed, no };

Idle is_idle(const VectorXd& direction, AnyStates& states) {
  constexpr int poses = 8;
  for (int k = 0; k < poses; ++k) {
    const Terms& terms = states.next();
    if (!terms.M.allFinite() || !terms.f.allFinite()) continue;
    if ((terms.M * direction).cwiseAbs().maxCoeff() > round_off * terms.M.cwiseAbs().maxCoeff()) return Idle::no;
    if (std::abs(terms.f.dot(direction)) > round_off * terms.f.cwiseAbs().maxCoeff()) return Idle::pushed;
  }
  return Idle::yes;
}

void give_inertia(Equations& e, const VectorXd& direction) {
  const Expression inertia = typical_inertia(e, false);
  for (Eigen::Index i = 0; i < direction.size(); ++i)
    for (Eigen::Index j = 0; j < direction.size(); ++j)
      if (direction[i] != 0 && direction[j] != 0)
        e.M.add(static_cast<int>(i), static_cast<int>(j), direction[i] * direction[j] * inertia);
}

// "B.wx", or "B about [1, 0.5, 0]"
std::string direction_in_words(const Equations& e, const std::vector<int>& velocities, const VectorXd& direction) {
  std::vector<double> axis;
  for (const int k : velocities) axis.push_back(direction[k]);
  return fmt::format("{} about [{:.4g}]", e.velocities[static_cast<std::size_t>(velocities[0])].joint,
                     fmt::join(axis, ", "));
}

}  // namespace

void hold_idle_motions(const Model& model, const std::shared_ptr<Equations>& equations) {
  Equations& e = *equations;
  std::map<std::string, std::vector<int>> of_joint;
  for (const int k : e.massless) of_joint[e.velocities[static_cast<std::size_t>(k)].joint].push_back(k);
  std::erase_if(of_joint, [](const auto& entry) { return entry.second.size() < 2; });
  if (of_joint.empty()) return;
  const auto system = std::make_shared<const System>(SolutionSignals(equations).at_zero());
  SystemEvaluator evaluator(system);
  const State start = assemble(evaluator, system->initial_state()).state;
  AnyStates states(evaluator, start);
  const MatrixXd M = states.terms_at_start().M;
  if (!M.allFinite()) return;
  for (const auto& [name, velocities] : of_joint)
    for (const VectorXd& direction : directions_without_inertia(M, velocities)) {
      const Idle idle = is_idle(direction, states);
      if (idle == Idle::no) continue;
      if (idle == Idle::pushed) {
        const auto joint = std::ranges::find(model.joints, name, &Joint::name);
        throw ModelError(model, {{joint == model.joints.end() ? Location{} : joint->where, "joints." + name,
                                  fmt::format("a force turns {}, but nothing that it moves has mass or inertia",
                                              direction_in_words(e, velocities, direction))}});
      }
      give_inertia(e, direction);
      e.notes.push_back(fmt::format("nothing resists the rotation of {}: it keeps its initial speed",
                                    direction_in_words(e, velocities, direction)));
    }
}

}  // namespace armature::internal
