// Random states on phi = 0, phidot = 0 around a model's start: some way along random directions, then the shortest way back
// onto the constraints. Outcomes of comparisons are those there. Always the same ones for one seed.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "dynamics/assembly.hpp"
#include "dynamics/configuration.hpp"
#include "dynamics/outcomes_by_roots.hpp"
#include "linear/kinetic_rows.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

// Only states at which the constraints are regular: smallest pivot above `regular`.
inline std::vector<State> random_states(const Prepared& prepared, int count, double regular = 1e-3, unsigned seed = 1) {
  SystemEvaluator evaluator(prepared.system);
  const Layout& n = prepared.system->layout();
  const Configuration configuration(prepared.system->equations());
  Terms terms = evaluator.make_terms();
  KineticRows rows;
  rows.resize(n.nv, n.m);
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int most = static_cast<int>(prepared.system->options().independent_rows.size());

  std::vector<State> states;
  State walker = prepared.start;
  for (int attempt = 0; attempt < 50 * count && static_cast<int>(states.size()) < count; ++attempt) {
    State next = walker;
    next.t += 0.1;
    const Eigen::VectorXd move = Eigen::VectorXd::NullaryExpr(n.nv, [&] { return 0.2 * uniform(generator); });
    configuration.advance(next.x.data(), move.data());
    next.x.segment(n.nq, n.nv) = Eigen::VectorXd::NullaryExpr(n.nv, [&] { return uniform(generator); });
    evaluator.set_discrete(next.d);
    evaluator.set_outcomes(next.w);
    if (!correct(evaluator, next)) continue;
    walker = next;
    set_outcomes_by_roots(evaluator, next);
    evaluator.position(terms);
    if (rows.factor(terms.M, terms.Phi) && rows.rank() == most && rows.smallest() > regular) states.push_back(next);
  }
  EXPECT_EQ(static_cast<int>(states.size()), count) << "too few regular states were found";
  return states;
}

}  // namespace armature::internal
