// Impulses and forces of contacts with friction: conditions of complementarity on random problems, and small ones solved by hand.
#include "linear/contact_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace armature::internal {
namespace {

using Friction = ContactProblem::Friction;

ContactProblem problem_of(const Eigen::MatrixXd& G, const Eigen::VectorXd& v, double mu, Friction friction) {
  const auto n = G.rows() / 2;
  return {G * G.transpose(), G * v, Eigen::VectorXd::Constant(n, mu),
          std::vector<Friction>(static_cast<std::size_t>(n), friction)};
}

void expect_complementary(const ContactProblem& problem, const ContactSolution& solution) {
  ASSERT_TRUE(solution.found);
  const Eigen::VectorXd xi = problem.b + problem.A * solution.p;
  for (Eigen::Index i = 0; i < problem.mu.size(); ++i) {
    const double pn = solution.p[2 * i], pt = solution.p[2 * i + 1], limit = problem.mu[i] * pn;
    EXPECT_GE(xi[2 * i], -1e-8);
    EXPECT_GE(pn, -1e-8);
    EXPECT_NEAR(xi[2 * i] * pn, 0, 1e-8);
    EXPECT_LE(std::abs(pt), limit + 1e-8);
    const bool slips = pn > 1e-6 && std::abs(xi[2 * i + 1]) > 1e-6;
    EXPECT_NEAR(pt, slips ? -limit * (xi[2 * i + 1] > 0 ? 1 : -1) : pt, 1e-8);
  }
}

// One point on a plane: it sticks below tan of the angle at which it strikes, else slips with mu p_n.
TEST(ContactProblem, APointSticksOrSlips) {
  const Eigen::MatrixXd G = Eigen::MatrixXd::Identity(2, 2);
  const ContactSolution sticks = solve(problem_of(G, Eigen::Vector2d(-1, 0.3), 0.5, Friction::any));
  ASSERT_TRUE(sticks.found);
  EXPECT_EQ(sticks.state[0], ContactState::stick);
  EXPECT_NEAR(sticks.p[1], -0.3, 1e-15);
  const ContactSolution slips = solve(problem_of(G, Eigen::Vector2d(-1, 0.8), 0.5, Friction::any));
  EXPECT_EQ(slips.state[0], ContactState::slip_forwards);
  EXPECT_NEAR(slips.p[1], -0.5, 1e-15);
  EXPECT_EQ(solve(problem_of(G, Eigen::Vector2d(1, 0.8), 0.5, Friction::any)).state[0], ContactState::open);
}

// Three supports of a beam: the smallest forces share its weight alike where it lies in the middle.
TEST(ContactProblem, UndeterminedForcesAreTheSmallestThatPush) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(6, 2);
  G.col(0) << 1, 0, 1, 0, 1, 0;
  G.col(1) << -1, 0, 0, 0, 1, 0;
  const ContactSolution level = solve(problem_of(G, Eigen::Vector2d(-3, 0), 0, Friction::none));
  ASSERT_TRUE(level.found);
  EXPECT_TRUE(level.undetermined);
  EXPECT_NEAR(level.p[0] + level.p[2] + level.p[4], 3, 1e-12);
  EXPECT_NEAR(level.p[4] - level.p[0], 0, 1e-12);
  const ContactSolution right = solve(problem_of(G, Eigen::Vector2d(-3, -2.9), 0, Friction::none));
  ASSERT_TRUE(right.found);
  for (const int row : {0, 2, 4}) EXPECT_GE(right.p[row], -1e-9);
  EXPECT_NEAR(right.p[4] - right.p[0], 2.9, 1e-9);
}

TEST(ContactProblem, RandomProblemsWithoutFrictionHaveTheirSolution) {
  std::mt19937 random(11);
  std::normal_distribution<double> draw;
  for (int k = 0; k < 200; ++k) {
    const int contacts = 1 + k % 6, nv = 4;
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(2 * contacts, nv);
    for (int i = 0; i < contacts; ++i)
      for (int j = 0; j < nv; ++j)
        G(2 * i, j) = draw(random) + (j == 0 ? 2 : 0);  // all can be opened by the first velocity
    Eigen::VectorXd v(nv);
    for (int j = 0; j < nv; ++j) v[j] = draw(random);
    const ContactProblem problem = problem_of(G, v, 0, Friction::none);
    SCOPED_TRACE(k);
    expect_complementary(problem, solve(problem));
  }
}

TEST(ContactProblem, RandomProblemsWithFrictionHaveASolution) {
  std::mt19937 random(12);
  std::normal_distribution<double> draw;
  for (int k = 0; k < 200; ++k) {
    const int contacts = 1 + k % 4, nv = 8;
    Eigen::MatrixXd G(2 * contacts, nv);
    for (int i = 0; i < G.rows(); ++i)
      for (int j = 0; j < nv; ++j) G(i, j) = draw(random);
    Eigen::VectorXd v(nv);
    for (int j = 0; j < nv; ++j) v[j] = draw(random);
    const ContactProblem problem = problem_of(G, v, 0.2, Friction::any);
    SCOPED_TRACE(k);
    expect_complementary(problem, solve(problem));
  }
}

// Rows of second tangents stand behind those of all contacts.
ContactProblem problem_in_space(const Eigen::MatrixXd& G, const Eigen::VectorXd& v, double mu) {
  const auto n = static_cast<int>(G.rows() / 3);
  ContactProblem problem{G * G.transpose(), G * v, Eigen::VectorXd::Constant(n, mu),
                         std::vector<Friction>(static_cast<std::size_t>(n), Friction::any)};
  for (int i = 0; i < n; ++i) problem.second.push_back(2 * n + i), problem.along.push_back(Eigen::Vector2d::UnitX());
  return problem;
}

// mu p_n against (3, 4)/5, or all of it.
TEST(ContactProblem, APointInSpaceSticksOrSlipsAgainstItsVelocity) {
  const Eigen::MatrixXd G = Eigen::MatrixXd::Identity(3, 3);
  const ContactSolution slips = solve(problem_in_space(G, Eigen::Vector3d(-1, 3, 4), 0.5));
  ASSERT_TRUE(slips.found);
  EXPECT_EQ(slips.state[0], ContactState::slip_forwards);
  EXPECT_NEAR(slips.p[1], -0.3, 1e-14);
  EXPECT_NEAR(slips.p[2], -0.4, 1e-14);
  EXPECT_NEAR(slips.along[0].y(), 0.8, 1e-14);
  const ContactSolution sticks = solve(problem_in_space(G, Eigen::Vector3d(-1, 0.3, 0.3), 0.5));
  EXPECT_EQ(sticks.state[0], ContactState::stick);
  EXPECT_NEAR(sticks.p[2], -0.3, 1e-14);
}

TEST(ContactProblem, RandomProblemsInSpaceHaveForcesInTheirCones) {
  std::mt19937 random(13);
  std::normal_distribution<double> draw;
  for (int k = 0; k < 200; ++k) {
    const int contacts = 1 + k % 4, nv = 12;
    Eigen::MatrixXd G(3 * contacts, nv);
    for (int i = 0; i < G.rows(); ++i)
      for (int j = 0; j < nv; ++j) G(i, j) = draw(random);
    Eigen::VectorXd v(nv);
    for (int j = 0; j < nv; ++j) v[j] = draw(random);
    const ContactProblem problem = problem_in_space(G, v, 0.3);
    const ContactSolution solution = solve(problem);
    ASSERT_TRUE(solution.found) << k;
    const Eigen::VectorXd xi = problem.b + problem.A * solution.p;
    for (int i = 0; i < contacts; ++i) {
      const double pn = solution.p[2 * i];
      const Eigen::Vector2d pt(solution.p[2 * i + 1], solution.p[2 * contacts + i]),
          slip(xi[2 * i + 1], xi[2 * contacts + i]);
      EXPECT_GE(xi[2 * i], -1e-7) << k;
      EXPECT_GE(pn, -1e-8) << k;
      EXPECT_NEAR(xi[2 * i] * pn, 0, 1e-7) << k;
      EXPECT_LE(pt.norm(), 0.3 * pn + 1e-7) << k;
      if (pn > 1e-6 && slip.norm() > 1e-5) {
        EXPECT_LT((pt + 0.3 * pn * slip.normalized()).norm(), 1e-6) << k;
      }
    }
  }
}

}  // namespace
}  // namespace armature::internal
