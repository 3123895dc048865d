// The derivative of an assembled start: by its rows where these determine it, by differences elsewhere.
#include "sensitivity/start_sensitivity.hpp"

#include <gtest/gtest.h>

#include "signal_case.hpp"

namespace armature::internal {
namespace {

struct Started {
  Started(const Model& model, const std::vector<std::string>& names)
      : prepared(compile(model, names)), known(prepared.system), start(prepared.system) {
    assemble_start(prepared);
    const Layout& n = prepared.system->layout();
    S.setZero(Directional::rows(n), n.np);
    S.bottomRows(n.np).setIdentity();
    found = start(prepared, known, Eigen::VectorXd::Constant(n.np, 0.1), S);
    exact = S.topRows(n.nx());
  }
  // Of the assembled start, by differences of fourth order.
  Eigen::MatrixXd differences() {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(exact.rows(), exact.cols());
    for (Eigen::Index k = 0; k < result.cols(); ++k)
      for (const auto& [at, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
        Prepared beside = prepared;
        beside.parameters[k] += 2e-4 * at;
        assemble_start(beside);
        result.col(k) += weight / 24e-4 * beside.start.x;
      }
    return result;
  }
  Prepared prepared;
  KnownPositions known;
  StartSensitivity start;
  Eigen::MatrixXd S, exact;
  bool found = false;
};

TEST(StartSensitivity, OfALoopFollowsFromItsRows) {
  Started s(shipped("rrr_motors"), {"l1", "l2", "side", "radius"});
  ASSERT_TRUE(s.found);
  EXPECT_FALSE(s.start.by_differences());
  EXPECT_LT((s.exact - s.differences()).cwiseAbs().maxCoeff(),
            1e-8);  // the differences' own error: (2e-4/0.1)^4 and 1e-13/2e-4, times some ten
}

// The speeds of a loop depend on its lengths, too.
TEST(StartSensitivity, OfAMovingLoopFollowsFromItsRows) {
  const char* const text = R"(armature: 1
name: four-bar
plane: xy
gravity: [0, 0, 0]
parameters: {a: 0.2, b: 0.5, c: 0.4, w: 3, angle: 0.7}
bodies:
  crank: {mass: 1, center: [a/2, 0, 0], inertia: {rod: a}}
  rod: {mass: 1, center: [b/2, 0, 0], inertia: {rod: b}}
  rocker: {mass: 1, center: [c/2, 0, 0], inertia: {rod: c}}
joints:
  turn: {type: revolute, between: [ground, crank]}
  elbow: {type: revolute, between: ["crank [a, 0, 0]", rod]}
  wrist: {type: revolute, between: ["rod [b, 0, 0]", "rocker [c, 0, 0]"]}
  swing: {type: revolute, between: ["ground [0.5, 0, 0]", rocker]}
start: {keep: {turn: angle}, near: {swing: 1.5}, speed: {turn: w}}
)";
  Started s(read_model_text(text), {"a", "b", "c", "w", "angle"});
  ASSERT_TRUE(s.found);
  EXPECT_FALSE(s.start.by_differences());
  EXPECT_LT((s.exact - s.differences()).cwiseAbs().maxCoeff(), 1e-7 * s.exact.cwiseAbs().maxCoeff());
}

// Two joint values that cannot both be as the file says: the start nearest to both is no matter of rows.
TEST(StartSensitivity, OfANearestPoseIsTakenFromDifferences) {
  const char* const text = R"(armature: 1
name: four-bar
plane: xy
gravity: [0, 0, 0]
parameters: {a: 0.2}
bodies:
  crank: {mass: 1, center: [a/2, 0, 0], inertia: {rod: a}}
  rod: {mass: 1, center: [0.25, 0, 0], inertia: {zz: 0.02}}
  rocker: {mass: 1, center: [0.2, 0, 0], inertia: {zz: 0.02}}
joints:
  turn: {type: revolute, between: [ground, crank]}
  elbow: {type: revolute, between: ["crank [a, 0, 0]", rod]}
  wrist: {type: revolute, between: ["rod [0.5, 0, 0]", "rocker [0.4, 0, 0]"]}
  swing: {type: revolute, between: ["ground [0.5, 0, 0]", rocker]}
start: {near: {turn: 0.7, swing: 1.5}}
)";
  Started s(read_model_text(text), {"a"});
  ASSERT_TRUE(s.found);
  EXPECT_TRUE(s.start.by_differences());
  EXPECT_LT((s.exact - s.differences()).cwiseAbs().maxCoeff(), 1e-6);
}

// States start at formulas of the parameters.
TEST(StartSensitivity, OfAStateIsThatOfItsFormula) {
  const char* const text = R"(armature: 1
name: a temperature
gravity: [0, 0, 0]
parameters: {warm: 300, k: 2}
states: {T: {rate: "-k*T", start: 2*warm}}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass]}}
simulate: {end: 1 s, rtol: 1e-10}
)";
  SignalCase c(read_model_text(text), {"warm", "k"}, {"T"}, {1});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_NEAR(exact(0, c.place("warm")), 2 * std::exp(-2), 1e-9);
  EXPECT_NEAR(exact(0, c.place("k")), -600 * std::exp(-2), 1e-6);
}

}  // namespace
}  // namespace armature::internal
