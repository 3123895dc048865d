#include "dynamics/formulation.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "dynamics/hand_systems.hpp"
#include "linear/decompositions.hpp"
#include "support/allocation_counter.hpp"

namespace armature::internal {
namespace {

using Eigen::VectorXd;
using hand::random_vector;

Acceleration solve(const std::string& name, const Terms& terms, const VectorXd& b) {
  Formulation formulation({.name = name}, static_cast<int>(terms.M.rows()), static_cast<int>(b.size()));
  Acceleration acceleration(static_cast<int>(terms.M.rows()), static_cast<int>(b.size()));
  formulation.solve(terms, b, acceleration);
  return acceleration;
}

// Both residuals relative to the size of their own terms.
double kkt_residual(const Terms& terms, const VectorXd& b, const Acceleration& a) {
  const VectorXd inertia = terms.M * a.vdot, reaction = terms.Phi.transpose() * a.lambda;
  const double force = (inertia + reaction - terms.f).norm() / (inertia.norm() + reaction.norm() + terms.f.norm());
  const VectorXd size = terms.Phi.cwiseAbs() * a.vdot.cwiseAbs() + b.cwiseAbs();
  double error = 0;
  for (int i = 0; i < b.size(); ++i) error = std::max(error, std::abs(terms.Phi.row(i).dot(a.vdot) - b[i]) / size[i]);
  return std::max(force, error);
}

class EveryFormulation : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, EveryFormulation, testing::ValuesIn(formulation_names()),
                         [](const auto& info) { return info.param; });

class RankSafeFormulation : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, RankSafeFormulation, testing::Values("auto", "null_space", "udwadia_kalaba", "proximal"),
                         [](const auto& info) { return info.param; });

class FullRankFormulation : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, FullRankFormulation, testing::Values("multipliers", "partition"),
                         [](const auto& info) { return info.param; });

// Accelerations of the 3RRR robot at its start, case A: two independent derivations agree on these digits.
TEST_P(EveryFormulation, GivesThePublishedAccelerationOfTheRobot) {
  const Terms terms = hand::rrr(hand::rrr_start(), VectorXd::Zero(6));
  const Acceleration a = solve(GetParam(), terms, terms.gamma);
  ASSERT_TRUE(a.ok);
  EXPECT_EQ(a.rank, 3);
  VectorXd expected(6);
  expected << 24.92403278, -21.94598119, 35.10427322, 13.67654546, 12.77911711, -29.61729252;
  EXPECT_LT((a.vdot - expected).cwiseAbs().maxCoeff(), 1e-8);  // ten digits are given
}

TEST_P(EveryFormulation, AgreesWithMultipliersAtRandomStates) {
  std::mt19937 generator(7);
  for (int sample = 0; sample < 50; ++sample) {
    const bool robot = sample % 2 == 0;
    const int n = robot ? 6 : 7;
    const VectorXd q = random_vector(n, 3, generator), v = random_vector(n, 5, generator);
    const Terms terms = robot ? hand::rrr(q, v) : hand::four_bars(3, q, v);
    const VectorXd b = terms.gamma - 10 * terms.phidot - 25 * terms.phi;
    const Acceleration reference = solve("multipliers", terms, b);
    if (!reference.ok || reference.smallest < 0.02) continue;  // regular states only
    const Acceleration a = solve(GetParam(), terms, b);
    ASSERT_TRUE(a.ok);
    EXPECT_LT((a.vdot - reference.vdot).norm(), 1e-10 * reference.vdot.norm());
    EXPECT_LT((a.lambda - reference.lambda).norm(), 1e-10 * reference.lambda.norm());
    EXPECT_LT(kkt_residual(terms, b, a), 1e-12);
  }
}

TEST_P(EveryFormulation, SolvesWithoutConstraints) {
  Terms terms = hand::sized(3, 0);
  terms.M.diagonal() << 1, 2, 4;
  terms.f << 1, 2, 3;
  const Acceleration a = solve(GetParam(), terms, terms.gamma);
  ASSERT_TRUE(a.ok);
  EXPECT_DOUBLE_EQ(a.vdot[2], 0.75);
}

TEST_P(EveryFormulation, SaysSoWhenNothingIsFinite) {
  Terms terms = hand::rrr(hand::rrr_start(), VectorXd::Zero(6));
  terms.f[2] = std::nan("");
  EXPECT_FALSE(solve(GetParam(), terms, terms.gamma).ok);
}

TEST_P(EveryFormulation, AllocatesNothingOnceSized) {
  const Terms terms = hand::rrr(hand::rrr_start(), VectorXd::Ones(6));
  Formulation formulation({.name = GetParam()}, 6, 3);
  Acceleration a(6, 3);
  formulation.solve(terms, terms.gamma, a);
  const AllocationCounter counter;
  for (int k = 0; k < 100; ++k) formulation.solve(terms, terms.gamma, a);
  EXPECT_EQ(counter.count(), 0);
}

TEST_P(RankSafeFormulation, AllocatesNothingWithDependentRows) {
  const Terms terms = hand::with_redundant_rows(hand::rrr(hand::rrr_start(), VectorXd::Ones(6)));
  Formulation formulation({.name = GetParam()}, 6, 5);
  Acceleration a(6, 5);
  formulation.solve(terms, terms.gamma, a);
  const AllocationCounter counter;
  for (int k = 0; k < 100; ++k) formulation.solve(terms, terms.gamma, a);
  EXPECT_EQ(counter.count(), 0);
}

TEST_P(RankSafeFormulation, IgnoresRowsThatSayNothingNew) {
  std::mt19937 generator(8);
  for (int sample = 0; sample < 20; ++sample) {
    const Terms regular = hand::four_bars(2, random_vector(5, 3, generator), random_vector(5, 5, generator));
    const Terms redundant = hand::with_redundant_rows(regular);
    const Acceleration reference = solve("multipliers", regular, regular.gamma);
    if (!reference.ok || reference.smallest < 0.02) continue;
    const Acceleration a = solve(GetParam(), redundant, redundant.gamma);
    ASSERT_TRUE(a.ok);
    EXPECT_EQ(a.rank, 4);
    EXPECT_LT((a.vdot - reference.vdot).norm(), 1e-10 * reference.vdot.norm());
    // least norm by another route
    LeastNorm least;
    least.factor(redundant.Phi.transpose());
    const VectorXd lambda = least.solve(VectorXd(redundant.f - redundant.M * a.vdot));
    EXPECT_LT((a.lambda - lambda).norm(), 1e-9 * lambda.norm());
  }
}

// Flat four-bars: the rank drops by one for each loop, and the regular motion's acceleration -g((N+1)/2+N)/((N+1)/3+N)
// is still the answer when all bars turn alike, since the start is on that branch.
TEST_P(RankSafeFormulation, PassesTheFlatPoseOfTheFourBars) {
  const int N = 2;
  const double pi = std::acos(-1.0);
  VectorXd q = VectorXd::Zero(5), v = VectorXd::Zero(5);
  q.head(N + 1).setConstant(pi), v.head(N + 1).setConstant(2);
  Terms terms = hand::four_bars(N, q, v);
  terms.f.setZero();  // turning freely: no bar is accelerated
  const Acceleration a = solve(GetParam(), terms, terms.gamma);
  ASSERT_TRUE(a.ok);
  EXPECT_EQ(a.rank, 2);
  EXPECT_LT((terms.Phi * a.vdot - terms.gamma).norm(), 1e-12);
}

TEST_P(FullRankFormulation, RefusesDependentRowsWithASentence) {
  const Terms terms = hand::with_redundant_rows(hand::rrr(hand::rrr_start(), VectorXd::Zero(6)));
  Formulation formulation({.name = GetParam()}, 6, 5);
  Acceleration a(6, 5);
  formulation.solve(terms, terms.gamma, a);
  EXPECT_FALSE(a.ok);
  EXPECT_EQ(formulation.refusal(a), "formulation " + GetParam() +
                                        " needs independent constraint rows, but Phi has rank 3 of 5 here; use "
                                        "formulation auto, null_space, udwadia_kalaba or proximal");
}

TEST(Formulation, RefusesUnknownNamesAndWrongPartitions) {
  EXPECT_THROW(Formulation({.name = "nullspace"}, 6, 3), std::invalid_argument);
  EXPECT_THROW(Formulation({.name = "partition", .independent = {0, 1}}, 6, 3), std::invalid_argument);
  EXPECT_THROW(Formulation({.name = "partition", .independent = {0, 1, 6}}, 6, 3), std::invalid_argument);
  EXPECT_THROW(Formulation({.name = "partition", .independent = {0, 1, 1}}, 6, 3), std::invalid_argument);
}

// The platform of the robot such that det Phi_x = 0: all three rods meet in one point. Found on the line from a regular
// pose by bisection of the determinant.
Terms type_two_singularity(const VectorXd& v) {
  VectorXd low = hand::rrr_start(), high = low;
  high[5] += 2.5;
  const auto determinant = [&](const VectorXd& q) { return hand::rrr(q, v).Phi.rightCols(3).determinant(); };
  EXPECT_LT(determinant(low) * determinant(high), 0);
  for (int k = 0; k < 80; ++k) {
    const VectorXd middle = 0.5 * (low + high);
    (determinant(middle) * determinant(low) > 0 ? low : high) = middle;
  }
  return hand::rrr(low, v);
}

TEST(Partition, LosesDigitsWhereItsBlockIsSingularAndTheNullSpaceDoesNot) {
  const Terms terms = type_two_singularity(VectorXd::Ones(6));
  ASSERT_LT(std::abs(terms.Phi.rightCols(3).determinant()), 1e-14);
  const Acceleration reference = solve("multipliers", terms, terms.gamma);
  ASSERT_TRUE(reference.ok);
  EXPECT_GT(reference.smallest, 1e-2);  // the mechanism itself is regular here
  const double size = reference.vdot.norm();
  EXPECT_LT((solve("null_space", terms, terms.gamma).vdot - reference.vdot).norm(), 1e-12 * size);

  const auto error = [&](const FormulationOptions& options) {
    Formulation formulation(options, 6, 3);
    Acceleration a(6, 3);
    formulation.solve(terms, terms.gamma, a);
    return a.ok ? (a.vdot - reference.vdot).norm() / size : INFINITY;
  };
  EXPECT_GT(error({.name = "partition", .independent = {0, 1, 2}}), 1e-6);
  EXPECT_LT(error({.name = "partition", .independent = {0, 1, 2}, .repartition = true}), 1e-12);
  EXPECT_LT(error({.name = "partition"}), 1e-12);
}

}  // namespace
}  // namespace armature::internal
