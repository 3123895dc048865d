#include "observe/held_friction.hpp"

#include <cmath>
#include <limits>

#include "expression/derivative.hpp"
#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<int> frictions_that_may_be_held(const Equations& e) {
  std::vector<int> list;
  if (e.rows.empty()) return list;
  for (int k = 0; k < static_cast<int>(e.graph->comparisons().size()); ++k)
    if (e.graph->comparisons()[static_cast<std::size_t>(k)].kind != Graph::ComparisonKind::floor &&
        depends_on(e.friction, e.graph->outcome(k)))
      list.push_back(k);
  return list;
}

HeldFriction::HeldFriction(Dynamics& dynamics, std::vector<int> frictions)
    : dynamics_(dynamics), comparisons_(std::move(frictions)) {}

// What a root changes by where every state moves by its tolerance.
void HeldFriction::begin(const State& start, const Eigen::VectorXd& atol) {
  if (comparisons_.empty()) return;
  SystemEvaluator& evaluator = dynamics_.evaluator();
  terms_ = evaluator.make_sparse_terms();
  const Layout& n = dynamics_.system().layout();
  Eigen::VectorXd moved = start.x, of_moved(n.nw);
  root_.resize(n.nw);
  rest_.assign(comparisons_.size(), 0), since_.assign(comparisons_.size(), not_known);
  evaluator.set_outcomes(dynamics_.weights());
  evaluator.set(start.t, start.x.data());
  evaluator.roots(root_);
  for (int i = n.nq; i < n.nq + n.nv; ++i) {
    moved[i] += atol[i];
    evaluator.set(start.t, moved.data());
    evaluator.roots(of_moved);
    moved[i] = start.x[i];
    for (std::size_t k = 0; k < comparisons_.size(); ++k)
      rest_[k] += std::abs(of_moved[comparisons_[k]] - root_[comparisons_[k]]);
  }
}

bool HeldFriction::rests(std::size_t k) const {
  const double weight = dynamics_.weights()[comparisons_[k]];
  const bool sticks = weight != 0 && weight != 1;
  return !sticks && std::abs(root_[comparisons_[k]]) <= rest_[k];
}

bool HeldFriction::acts(int comparison) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  Eigen::VectorXd weights = dynamics_.weights();
  evaluator.all(terms_);
  const Eigen::VectorXd forces = terms_.f;
  weights[comparison] = 1 - weights[comparison];
  evaluator.set_outcomes(weights);
  evaluator.all(terms_);
  evaluator.set_outcomes(dynamics_.weights());
  return terms_.f != forces;
}

void HeldFriction::look(double t, const Eigen::VectorXd& x) {
  if (comparisons_.empty() || found_ || dynamics_.comparisons().follows_roots()) return;
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set_outcomes(dynamics_.weights());
  evaluator.set(t, x.data());
  evaluator.roots(root_);
  for (std::size_t k = 0; k < comparisons_.size(); ++k) {
    if (!rests(k)) {
      since_[k] = not_known;
    } else if (std::isnan(since_[k])) {
      since_[k] = t;
    } else if (t > since_[k] && !found_ && acts(comparisons_[k])) {
      found_ = finding_about(comparisons_[k], since_[k]);
    }
  }
}

Finding HeldFriction::finding_about(int comparison, double t) const {
  const Graph::Comparison& held =
      dynamics_.system().equations().graph->comparisons()[static_cast<std::size_t>(comparison)];
  const std::string& label = held.words.subject.empty() ? held.label : held.words.subject;
  return finding<FindingCode::friction>("friction"_a = label.empty() ? "a friction" : label, "t"_a = t,
                                        "direction"_a = dynamics_.weights()[comparison] == 1 ? "+" : "-");
}

void HeldFriction::report(Outcome& outcome) const {
  if (found_) outcome.findings.push_back(*found_);
}

}  // namespace armature::internal
