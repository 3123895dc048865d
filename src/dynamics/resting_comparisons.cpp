#include "dynamics/resting_comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "dynamics/machine_size.hpp"
#include "expression/derivative.hpp"
#include "step/comparison_changes.hpp"

namespace armature::internal {

namespace {

// What step/root_noise.hpp asks.
struct RootsOfSpeeds {
  SystemEvaluator& evaluator;
  Eigen::VectorXd& values;
  const double* roots(double t, const double* x) {
    evaluator.set(t, x);
    evaluator.roots(values);
    return values.data();
  }
};

}  // namespace

RestingComparisons::RestingComparisons(const System& system) : nq_(system.layout().nq), nv_(system.layout().nv) {
  const Equations& e = system.equations();
  const std::vector<Graph::Comparison>& comparisons = e.graph->comparisons();
  std::set<int> entries;
  for (std::size_t k = 0; k < comparisons.size(); ++k) {
    if (comparisons[k].kind == Graph::ComparisonKind::floor || comparisons[k].root.is_constant()) continue;
    const std::vector<std::int32_t> leaves = leaves_of(comparisons[k].root);
    bool of_speed = false;
    for (std::size_t i = 0; i < e.v.size(); ++i)
      if (std::ranges::binary_search(leaves, e.v[i].id())) of_speed = true, entries.insert(nq_ + static_cast<int>(i));
    if (of_speed) of_speeds_.push_back(static_cast<int>(k));
  }
  acts_.assign(comparisons.size(), false);
  for (const Expression& force : e.f)
    if (!force.is_constant())
      for (const std::int32_t leaf : leaves_of(force))
        if ((*e.graph)[leaf].op == Op::outcome) acts_[static_cast<std::size_t>((*e.graph)[leaf].a)] = true;
  entries_.assign(entries.begin(), entries.end());
  sizes_ = Eigen::VectorXd::Ones(system.layout().nx());
  roots_ = Eigen::VectorXd::Zero(system.layout().nw);
  noise_.resize(comparisons.size());
}

bool RestingComparisons::any_acts() const {
  return std::ranges::any_of(of_speeds_, [&](int k) { return acts(k); });
}

void RestingComparisons::measure(SystemEvaluator& evaluator, const State& start, double rate) {
  if (of_speeds_.empty()) return;
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.set(start);
  evaluator.position(terms);
  const MachineSize size(evaluator.system().equations(), terms, start.x.data());
  sizes_.head(nq_) = size.per_position().cwiseInverse();
  sizes_.segment(nq_, nv_) = rate * size.per_velocity().cwiseInverse();
}

std::vector<int> RestingComparisons::find(SystemEvaluator& evaluator, double t, const Eigen::VectorXd& x) {
  std::vector<int> resting;
  if (of_speeds_.empty()) return resting;
  x_ = x;
  RootsOfSpeeds engine{evaluator, roots_};
  const step::EventSizes sizes{
      static_cast<int>(noise_.size()),   nq_,          nv_, static_cast<int>(x_.size()), entries_.data(),
      static_cast<int>(entries_.size()), sizes_.data()};
  step::take_root_noise(engine, sizes, t, x_.data(), noise_.data());
  evaluator.set(t, x.data());
  for (const int k : of_speeds_) {
    const step::Comparison& root = noise_[static_cast<std::size_t>(k)];
    if (root.slope > 0 && std::abs(root.held_root) <= root.noise) resting.push_back(k);
  }
  return resting;
}

double RestingComparisons::least_rate(int k) const {
  const step::EventSizes sizes{
      static_cast<int>(noise_.size()), nq_, nv_, static_cast<int>(x_.size()), nullptr, 0, sizes_.data()};
  return step::events::rests * noise_[static_cast<std::size_t>(k)].noise * sizes.rate();
}

}  // namespace armature::internal
