// The sparse factorizations against the dense ones: the same numbers, with work that grows as the mechanism does.
#include "linear/sparse_kinetic_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <random>

#include "linear/kinetic_rows.hpp"
#include "support/allocation_counter.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// N windows side by side: each couples three velocities of its own and its neighbour's by two rows, as loops in a row do.
struct Chain {
  int nv, m;
  SparseMatrix M, Phi;
  std::vector<int> groups;

  // Every `dependent`-th window says one thing twice (0: none).
  Chain(int N, int dependent, unsigned seed) : nv(2 * N + 1), m(2 * N), M(nv, nv), Phi(m, nv) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    std::vector<Eigen::Triplet<double>> mass, rows;
    for (int i = 0; i < nv; ++i) mass.emplace_back(i, i, 2 + std::abs(normal(generator)));
    for (int k = 0; k < N; ++k) {
      const int upright = 2 * k, coupler = 2 * k + 1, next = 2 * k + 2;
      const double shared = 0.5 * normal(generator) / (1 + std::abs(normal(generator)));
      mass.emplace_back(upright, coupler, shared), mass.emplace_back(coupler, upright, shared);
      double row[3];
      for (int j = 0; j < 3; ++j) row[j] = normal(generator), rows.emplace_back(2 * k, upright + j, row[j]);
      for (int j = 0; j < 3; ++j) {
        const bool again = dependent > 0 && k % dependent == 0;
        rows.emplace_back(2 * k + 1, (j == 2 ? next : upright + j), again ? -2 * row[j] : normal(generator));
      }
      groups.insert(groups.end(), {k, k});
    }
    M.setFromTriplets(mass.begin(), mass.end());
    Phi.setFromTriplets(rows.begin(), rows.end());
  }
};

VectorXd random_vector(int n, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(generator); });
}

void expect_near(const VectorXd& x, const VectorXd& y, double tolerance) {
  EXPECT_LT((x - y).norm(), tolerance * (1 + y.norm()));
}

TEST(SparseKineticRows, AgreesWithDenseRowsWhereSomeAreDependent) {
  for (int dependent : {0, 1, 3}) {
    const int N = 12;
    const Chain chain(N, dependent, 7);
    std::mt19937 generator(8);
    const VectorXd f = random_vector(chain.nv, generator), b = chain.Phi * random_vector(chain.nv, generator);
    SparseKineticRows sparse;
    DenseKineticRows dense;
    sparse.resize(chain.nv, chain.m), dense.resize(chain.nv, chain.m);
    sparse.set_groups(chain.groups), dense.set_groups(chain.groups);
    ASSERT_TRUE(sparse.factor(chain.M, chain.Phi, Regularity::dependent));
    ASSERT_TRUE(dense.factor(MatrixXd(chain.M), MatrixXd(chain.Phi), Regularity::dependent));
    const int twice = dependent == 0 ? 0 : (N + dependent - 1) / dependent;
    EXPECT_EQ(sparse.rank(), chain.m - twice);
    EXPECT_EQ(dense.rank(), sparse.rank());
    EXPECT_LT(sparse.neglected(), 1e-14);
    for (int r = 0; r < chain.m; ++r) EXPECT_NEAR(sparse.scale(r), dense.scale(r), 1e-14 * dense.scale(r));

    // conditioning of the random rows costs the digits
    VectorXd vdot(chain.nv), vdot_dense(chain.nv), lambda(chain.m), lambda_dense(chain.m);
    sparse.solve(f, b, vdot, lambda), dense.solve(f, b, vdot_dense, lambda_dense);
    expect_near(vdot, vdot_dense, 1e-11), expect_near(lambda, lambda_dense, 1e-11);
    EXPECT_LT((chain.M * vdot + chain.Phi.transpose() * lambda - f).norm(), 1e-11 * f.norm());
    sparse.least_norm(b, vdot), dense.least_norm(b, vdot_dense);
    expect_near(vdot, vdot_dense, 1e-11);
    VectorXd tangent = f, tangent_dense = f;
    sparse.make_tangent(tangent), dense.make_tangent(tangent_dense);
    expect_near(tangent, tangent_dense, 1e-11);
    EXPECT_LT((chain.Phi * tangent).norm(), 1e-11);
    const VectorXd force = chain.Phi.transpose() * random_vector(chain.m, generator);
    sparse.multipliers(force, lambda), dense.multipliers(force, lambda_dense);
    expect_near(lambda, lambda_dense, 1e-11);
  }
}

TEST(SparseKineticRows, NamesWhatADependentRowDependsOn) {
  const Chain chain(10, 5, 3);
  SparseKineticRows rows;
  rows.resize(chain.nv, chain.m);
  ASSERT_TRUE(rows.factor(chain.M, chain.Phi, Regularity::dependent));
  ASSERT_EQ(rows.rank(), 18);
  VectorXd c;
  for (int k = rows.rank(); k < chain.m; ++k) {
    rows.dependence(k, c);
    for (int i = 0; i < rows.rank(); ++i)
      EXPECT_NEAR(std::abs(c[i]), rows.row(i) / 2 == rows.row(k) / 2 ? 1 : 0, 1e-12);
  }
}

TEST(SparseKineticRows, FactorsGrowAsTheChainDoes) {
  long previous = 0;
  for (int N : {25, 50, 100, 200}) {
    const Chain chain(N, 0, 1);
    SparseKineticRows rows;
    rows.resize(chain.nv, chain.m);
    ASSERT_TRUE(rows.factor(chain.M, chain.Phi, Regularity::dependent));
    EXPECT_TRUE(previous == 0 || rows.entries() < 2.2 * previous) << N << ": " << rows.entries();
    previous = rows.entries();
  }
}

TEST(SparseKineticRows, SeesAngleOfRowsThatAreNearlyDependent) {
  for (const double sine : {1e-3, 1e-6, 1e-9}) {
    Chain chain(6, 1, 11);
    for (int k = 0; k < 6; ++k) chain.Phi.coeffRef(2 * k + 1, 2 * k + 1) *= 1 + sine;
    SparseKineticRows rows;
    rows.resize(chain.nv, chain.m);
    ASSERT_TRUE(rows.factor(chain.M, chain.Phi, Regularity::dependent));
    EXPECT_EQ(rows.rank(), sine > Regularity::dependent ? 12 : 6) << sine;
    if (sine > Regularity::dependent) {
      EXPECT_LT(rows.smallest(), sine);
      EXPECT_GT(rows.smallest(), 1e-2 * sine);
    }
  }
}

TEST(SparseKineticRows, RefusesWhatIsNotFiniteOrNotPositive) {
  Chain chain(5, 0, 1);
  SparseKineticRows rows;
  rows.resize(chain.nv, chain.m);
  EXPECT_TRUE(rows.factor(chain.M, chain.Phi, Regularity::dependent));
  EXPECT_FALSE(rows.factor(-chain.M, chain.Phi, Regularity::dependent));
  SparseMatrix M = chain.M, Phi = chain.Phi;
  M.coeffRef(3, 3) = Phi.coeffRef(2, 2) = std::nan("");
  EXPECT_FALSE(rows.factor(M, chain.Phi, Regularity::dependent));
  EXPECT_FALSE(rows.factor(chain.M, Phi, Regularity::dependent));
  EXPECT_TRUE(rows.factor(chain.M, chain.Phi, Regularity::dependent));
}

TEST(SparseKineticRows, AllocatesNothingOnceThePatternIsKnown) {
  const Chain chain(40, 0, 2);
  VectorXd f = VectorXd::Ones(chain.nv), b = VectorXd::Ones(chain.m), vdot(chain.nv), lambda(chain.m);
  SparseKineticRows rows;
  rows.resize(chain.nv, chain.m);
  ASSERT_TRUE(rows.factor(chain.M, chain.Phi, Regularity::dependent));
  const AllocationCounter counter;
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(rows.factor(chain.M, chain.Phi, Regularity::dependent));
    rows.solve(f, b, vdot, lambda);
    rows.least_norm(b, vdot);
    rows.make_tangent(vdot);
    rows.multipliers(f, lambda);
  }
  EXPECT_EQ(counter.count(), 0);
}

// Three rows and one column more than a front passes on: it is made triangular, and the basis must still be one.
TEST(SparseQr, BasisIsOrthonormalWhereFrontsHaveManyRows) {
  std::mt19937 generator(4);
  const int rows = 30;
  std::vector<int> start{0}, row;
  for (int k = 0; k < 5; ++k) {
    for (int r = 0; r < rows; ++r)
      if (r % 5 == k || r % 5 == (k + 1) % 5 || r == 29) row.push_back(r);
    start.push_back(static_cast<int>(row.size()));
  }
  std::vector<double> values(row.size());
  std::normal_distribution<double> normal;
  for (double& value : values) value = normal(generator);
  SparseQr qr;
  qr.analyze(rows, start, row);
  qr.factor(values, 0);
  const VectorXd y = random_vector(rows, generator);
  VectorXd back(rows);
  qr.to_basis(y);
  qr.from_basis(back);
  expect_near(back, y, 1e-14);

  // normal to all columns once the head is gone, and A = Q R column by column
  qr.to_basis(y);
  qr.head().setZero();
  qr.from_basis(back);
  for (int k = 0; k < 5; ++k) {
    double product = 0;
    for (int p = start[k]; p < start[k + 1]; ++p) product += values[p] * back[row[p]];
    EXPECT_NEAR(product, 0, 1e-13);
  }
}

}  // namespace
}  // namespace armature::internal
