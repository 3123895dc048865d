// Right sides of adjoints: the transpose of those of sensitivities, by a program of its own and by a factorization at any state.
#include "sensitivity/motion_adjoint.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

Prepared started(const Model& model, const std::vector<std::string>& names) {
  Prepared prepared = compile(model, names);
  assemble_start(prepared);
  EXPECT_EQ(prepared.failure, "");
  return prepared;
}

// lambda' (dS/dt) and - (dlambda/dt)' S are the same bilinear form: their largest difference, against the largest entry. At a state near
// the start; slides: what sticks there holds.
double asymmetry(const Prepared& prepared, MotionAdjoint& adjoint) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  State state = prepared.start;
  for (double& x : state.x) x += 0.01 * normal(random);
  Eigen::MatrixXd S(adjoint.rows(), 5), lambda(adjoint.rows(), 3), rate, gain;
  for (double& x : S.reshaped()) x = normal(random);
  for (double& x : lambda.reshaped()) x = normal(random);
  S.row(Directional::time_row(adjoint.layout())).setZero();
  adjoint.set_parameters(prepared.parameters);
  EXPECT_TRUE(adjoint.set(state));
  EXPECT_TRUE(adjoint.motion().rate(S, rate));
  EXPECT_TRUE(adjoint.rate(state.t, state.x, lambda, Eigen::MatrixXd::Zero(0, 3), gain));
  const Eigen::MatrixXd forwards = lambda.topRows(rate.rows()).transpose() * rate, backwards = gain.transpose() * S;
  return (forwards - backwards).cwiseAbs().maxCoeff() / forwards.cwiseAbs().maxCoeff();
}

MotionAdjoint adjoint_of(const Prepared& prepared) {
  const RunOptions& options = prepared.options;
  return MotionAdjoint(prepared.system, MotionSensitivity(prepared.system, options.alpha, options.beta), options.alpha,
                       options.beta, {});
}

// Both ways: the traced program, and the factorization that is used where something slides.
TEST(MotionAdjoint, IsTheTransposeOfSensitivities) {
  for (const auto& [name, parameters] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"rrr_motors", {"l1", "l2", "m2", "side", "radius"}},
           {"slider_crank", {"l1", "flywheel"}},
           {"delta", {}},
           {"stewart", {}}}) {
    const Prepared prepared = started(shipped(name), parameters);
    MotionAdjoint adjoint = adjoint_of(prepared);
    EXPECT_TRUE(adjoint.traced()) << name;
    EXPECT_LT(asymmetry(prepared, adjoint), 1e-10) << name;
    adjoint.without_traced_program();
    EXPECT_LT(asymmetry(prepared, adjoint), 1e-10) << name;
  }
}

}  // namespace
}  // namespace armature::internal
