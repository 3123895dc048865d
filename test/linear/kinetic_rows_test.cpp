#include "linear/kinetic_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "linear/decompositions.hpp"
#include "linear/random_matrix.hpp"
#include "support/allocation_counter.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_mass(int n, std::mt19937& generator) {
  const MatrixXd A = random_matrix(n, n, generator);
  return A * A.transpose() + MatrixXd::Identity(n, n);
}

TEST(KineticRows, CountsIndependentRowsWhateverTheirUnits) {
  std::mt19937 generator(1);
  const MatrixXd M = random_mass(7, generator);
  MatrixXd Phi = random_matrix(5, 7, generator);
  Phi.row(3) = 2 * Phi.row(0) - Phi.row(1);
  for (const double unit : {1e-6, 1.0, 1e6}) {
    MatrixXd scaled = Phi;
    scaled.row(2) *= unit;
    scaled.row(3) *= 1 / unit;
    KineticRows rows;
    rows.resize(7, 5);
    ASSERT_TRUE(rows.factor(M, scaled));
    EXPECT_EQ(rows.rank(), 4);
    EXPECT_GT(rows.smallest(), 0.05);
    EXPECT_LT(rows.neglected(), 1e-14);
  }
}

TEST(KineticRows, RankDecisionDoesNotDependOnUnitsOfCoordinates) {
  std::mt19937 generator(2);
  const MatrixXd M = random_mass(6, generator), Phi = random_matrix(4, 6, generator);
  VectorXd unit(6);
  unit << 1, 1e3, 1e-3, 1, 1e2, 1e-2;
  KineticRows plain, converted;
  plain.resize(6, 4), converted.resize(6, 4);
  ASSERT_TRUE(plain.factor(M, Phi));
  ASSERT_TRUE(converted.factor(unit.asDiagonal() * M * unit.asDiagonal(), Phi * unit.asDiagonal()));
  // the sines are the same numbers; conditioning of the scaled Cholesky costs a few digits
  EXPECT_NEAR(plain.smallest(), converted.smallest(), 1e-11);
}

TEST(KineticRows, NotesNearlySingularRows) {
  MatrixXd Phi(2, 3);
  for (const auto& [angle, rank, near] :
       {std::tuple{1e-3, 2, false}, std::tuple{1e-6, 2, true}, std::tuple{1e-9, 1, false}}) {
    Phi << 1, 0, 0, std::cos(angle), std::sin(angle), 0;
    KineticRows rows;
    rows.resize(3, 2);
    ASSERT_TRUE(rows.factor(MatrixXd::Identity(3, 3), Phi));
    EXPECT_EQ(rows.rank(), rank) << angle;
    EXPECT_EQ(rows.nearly_singular(), near) << angle;
  }
}

TEST(KineticRows, RowsThatVanishAreDependent) {
  MatrixXd Phi(2, 2);
  Phi << 1, 2, 0, 1e-17;
  KineticRows rows;
  rows.resize(2, 2);
  ASSERT_TRUE(rows.factor(MatrixXd::Identity(2, 2), Phi));
  EXPECT_EQ(rows.rank(), 1);
}

TEST(KineticRows, ComponentsOfOneVectorAreJudgedTogether) {
  MatrixXd Phi(2, 2);
  Phi << 1, 2, 0, 1e-9;
  KineticRows rows;
  rows.resize(2, 2);
  ASSERT_TRUE(rows.factor(MatrixXd::Identity(2, 2), Phi));
  EXPECT_EQ(rows.rank(), 2);  // two rows in units of their own
  rows.set_groups({0, 0});
  ASSERT_TRUE(rows.factor(MatrixXd::Identity(2, 2), Phi));
  EXPECT_EQ(rows.rank(), 1);  // x and y of one point
}

TEST(KineticRows, ALengthIsMeasuredByItsVector) {
  struct {
    MatrixXd M = MatrixXd::Identity(2, 2), Phi = MatrixXd::Zero(1, 2);
    VectorXd extent = VectorXd::Zero(1);
  } terms;
  terms.Phi << 0, 3e-9;
  KineticRows rows;
  rows.resize(2, 1);
  ASSERT_TRUE(rows.factor(terms));
  EXPECT_EQ(rows.smallest(), 1);  // by itself
  terms.extent << 9;
  ASSERT_TRUE(rows.factor(terms));
  EXPECT_EQ(rows.rank(), 0);
  terms.Phi << 1.2, 0;
  ASSERT_TRUE(rows.factor(terms));
  EXPECT_NEAR(rows.smallest(), 0.4, 1e-15);  // of 3
}

TEST(KineticRows, SolvesTheConstrainedSystemWithMultipliersOfLeastNorm) {
  std::mt19937 generator(3);
  const MatrixXd M = random_mass(8, generator);
  MatrixXd Phi = random_matrix(6, 8, generator);
  Phi.row(4) = 3 * Phi.row(1);
  Phi.row(5) = Phi.row(0) + Phi.row(2);
  const VectorXd f = random_matrix(8, 1, generator), b = Phi * random_matrix(8, 1, generator);
  KineticRows rows;
  rows.resize(8, 6);
  VectorXd vdot(8), lambda(6);
  ASSERT_TRUE(rows.factor(M, Phi));
  rows.solve(f, b, vdot, lambda);
  EXPECT_LT((M * vdot + Phi.transpose() * lambda - f).norm(), 1e-12 * f.norm());
  EXPECT_LT((Phi * vdot - b).norm(), 1e-12 * b.norm());
  // least norm by another route: the pseudo-inverse of Phi'
  LeastNorm least;
  least.factor(Phi.transpose());
  const VectorXd reference = least.solve(VectorXd(f - M * vdot));
  EXPECT_LT((lambda - reference).norm(), 1e-11 * reference.norm());
}

TEST(KineticRows, LeastNormStepIsTheShortestInTheKineticMetric) {
  std::mt19937 generator(4);
  const MatrixXd M = random_mass(5, generator), Phi = random_matrix(2, 5, generator);
  const VectorXd r = random_matrix(2, 1, generator);
  KineticRows rows;
  rows.resize(5, 2);
  ASSERT_TRUE(rows.factor(M, Phi));
  VectorXd dv(5), tangent = random_matrix(5, 1, generator);
  rows.least_norm(r, dv);
  EXPECT_LT((Phi * dv - r).norm(), 1e-13 * r.norm());
  rows.make_tangent(tangent);
  EXPECT_LT((Phi * tangent).norm(), 1e-13);
  EXPECT_NEAR(dv.dot(M * tangent), 0, 1e-12);
}

TEST(KineticRows, NamesWhatADependentRowDependsOn) {
  std::mt19937 generator(5);
  MatrixXd Phi = random_matrix(3, 5, generator);
  Phi.row(2) = Phi.row(0) * 0.5;  // shorter, so that pivoting may take either
  KineticRows rows;
  rows.resize(5, 3);
  ASSERT_TRUE(rows.factor(random_mass(5, generator), Phi));
  ASSERT_EQ(rows.rank(), 2);
  VectorXd c;
  rows.dependence(2, c);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(std::abs(c[k]), rows.row(k) == 1 ? 0 : 1, 1e-12);
}

TEST(KineticRows, RefusesWhatIsNotFiniteOrNotPositive) {
  KineticRows rows;
  rows.resize(2, 1);
  MatrixXd M = MatrixXd::Identity(2, 2), Phi = MatrixXd::Ones(1, 2);
  EXPECT_TRUE(rows.factor(M, Phi));
  EXPECT_FALSE(rows.factor(-M, Phi));
  M(1, 1) = std::nan("");
  EXPECT_FALSE(rows.factor(M, Phi));
  M(1, 1) = 1, Phi(0, 0) = std::nan("");
  EXPECT_FALSE(rows.factor(M, Phi));
}

TEST(KineticRows, AllocatesNothingOnceSized) {
  std::mt19937 generator(6);
  const MatrixXd M = random_mass(30, generator);
  MatrixXd Phi = random_matrix(20, 30, generator);
  const VectorXd f = random_matrix(30, 1, generator), b = VectorXd::Zero(20);
  VectorXd vdot(30), lambda(20);
  KineticRows rows;
  rows.resize(30, 20);
  const AllocationCounter counter;
  for (int k = 0; k < 10; ++k) {
    if (k > 4) Phi.row(k) = Phi.row(0);  // the rank changes on the way
    ASSERT_TRUE(rows.factor(M, Phi));
    rows.solve(f, b, vdot, lambda);
    rows.least_norm(b, vdot);
    rows.make_tangent(vdot);
    rows.multipliers(f, lambda);
  }
  EXPECT_EQ(counter.count(), 0);
  EXPECT_EQ(rows.rank(), 15);
}

}  // namespace
}  // namespace armature::internal
