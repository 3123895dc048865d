// Derivatives along directions: against a Jacobian taken by differences, and the same bits in lanes as alone.
#include "sensitivity/directional.hpp"

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

TEST(Directional, GivesTheSameBitsInLanesAsAlone) {
  const Prepared p = prepared(shipped("slider_crank"));
  const Equations& e = p.system->equations();
  Directional along(*p.system, e.f);
  along.set(p.start);
  const Layout& n = p.system->layout();
  const Eigen::MatrixXd directions =
      Eigen::MatrixXd::Random(Directional::rows(n), 11);  // eight, and three in lanes again
  Eigen::MatrixXd together, alone;
  along(directions, together);
  ASSERT_EQ(together.cols(), 11);
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    along(directions.col(k), alone);
    for (Eigen::Index i = 0; i < alone.rows(); ++i) EXPECT_EQ(together(i, k), alone(i, 0));
  }
}

TEST(Directional, IsTheDerivativeOfTheExpressions) {
  const Prepared p = prepared(shipped("slider_crank"));
  SystemEvaluator evaluator(p.system);
  Terms terms = evaluator.make_terms();
  const Layout& n = p.system->layout();
  State state = p.start;
  state.x.setLinSpaced(0.1, 0.9);  // no special pose
  Directional along(*p.system, p.system->equations().f);
  along.set(state);
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(Directional::rows(n));
  direction.head(n.nx()).setLinSpaced(-1, 1);
  Eigen::MatrixXd exact;
  along(direction, exact);
  const auto force = [&](double s) -> Eigen::VectorXd {
    State moved = state;
    moved.x += s * direction.head(n.nx());
    evaluator.set(moved);
    evaluator.all(terms);
    return terms.f;
  };
  const double h = 1e-4;  // fourth order: an error of 1e-16 h^-1 by round-off, below 1e-11
  const Eigen::VectorXd near = (8 * (force(h) - force(-h)) - (force(2 * h) - force(-2 * h))) / (12 * h);
  EXPECT_LT((exact.col(0) - near).norm(), 1e-9 * (1 + near.norm()));
}

}  // namespace
}  // namespace armature::internal
