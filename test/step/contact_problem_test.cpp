// Impulses and forces of contacts with friction: conditions of complementarity on random problems, and small ones solved by hand.
#include "step/contact_freedom.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace armature::internal {
namespace {

using step::ContactState;
using Friction = step::ContactFriction;

struct ContactProblem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b, mu;
  std::vector<Friction> friction;
  std::vector<int> second = {};  // of each contact: the row of its second tangent; empty: there are none
  std::vector<Eigen::Vector2d> along = {};
};

struct ContactSolution {
  bool found, undetermined, leaves_motion_open;
  std::vector<ContactState> state;
  Eigen::VectorXd p;
  std::vector<Eigen::Vector2d> along;
};

// The memory of a solver, and the problem in it.
class Solver {
 public:
  explicit Solver(const ContactProblem& problem)
      : contacts_(static_cast<int>(problem.mu.size())),
        rows_(static_cast<int>(problem.b.size())),
        numbers_(static_cast<std::size_t>(step::ContactSolver::numbers(contacts_, rows_) +
                                          step::ContactFreedom::numbers(rows_))),
        indices_(static_cast<std::size_t>(step::ContactSolver::indices(rows_) + step::ContactFreedom::indices(rows_))),
        modes_(static_cast<std::size_t>(step::ContactSolver::modes(contacts_))),
        kinds_(problem.mu.size()),
        solver(contacts_, rows_, {numbers_.data(), indices_.data(), modes_.data(), kinds_.data()}),
        freedom(solver, rows_, numbers_.data() + step::ContactSolver::numbers(contacts_, rows_),
                indices_.data() + step::ContactSolver::indices(rows_)) {
    step::ContactProblem& posed = solver.problem();
    posed.begin(contacts_, rows_);
    for (int i = 0; i < rows_; ++i) {
      posed.b[i] = problem.b[i];
      for (int j = 0; j < rows_; ++j) posed.A[i * rows_ + j] = problem.A(i, j);
    }
    for (int i = 0; i < contacts_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      posed.mu[i] = problem.mu[i];
      posed.kind[i].friction = problem.friction[k];
      if (problem.second.empty()) continue;
      posed.kind[i].second = problem.second[k];
      posed.kind[i].along = {problem.along[k].x(), problem.along[k].y()};
    }
  }

 private:
  int contacts_, rows_;
  std::vector<double> numbers_;
  std::vector<int> indices_;
  std::vector<step::ContactMode> modes_;
  std::vector<step::ContactKind> kinds_;

 public:
  step::ContactSolver solver;
  step::ContactFreedom freedom;
};

ContactSolution solve(const ContactProblem& problem) {
  Solver one(problem);
  const step::ContactSolution& found = one.solver.solve();
  ContactSolution solution{found.found, found.undetermined, one.freedom.leaves_open(), {}, {}, {}};
  solution.p = Eigen::Map<const Eigen::VectorXd>(found.p, problem.b.size());
  one.solver.problem().take_scale_back(solution.p.data());
  for (Eigen::Index i = 0; i < problem.mu.size(); ++i) {
    solution.state.push_back(found.modes[i].state);
    solution.along.emplace_back(found.modes[i].along.x, found.modes[i].along.y);
  }
  return solution;
}

bool leaves_motion_open(const ContactProblem& problem, const ContactSolution& states) {
  Solver one(problem);
  one.solver.problem().scale();
  std::vector<step::ContactMode> modes;
  for (std::size_t i = 0; i < states.state.size(); ++i)
    modes.push_back({states.state[i], {states.along[i].x(), states.along[i].y()}});
  return one.freedom.leaves_open(modes.data());
}

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

// Four feet of a table of unit mass and inertia at (±1, ±1), its center of mass above them by `height`: normals, then both tangents.
ContactProblem table_that_slides(const std::array<Eigen::Vector2d, 4>& along, double height) {
  Eigen::MatrixXd G(12, 6);
  for (int i = 0; i < 4; ++i) {
    const double x = i == 0 || i == 3 ? 1 : -1, y = i < 2 ? 1 : -1;
    G.row(2 * i) << 0, 0, 1, y, -x, 0;
    G.row(2 * i + 1) << 1, 0, 0, 0, -height, -y;
    G.row(8 + i) << 0, 1, 0, height, 0, x;
  }
  ContactProblem problem{G * G.transpose(),
                         Eigen::VectorXd::Zero(12),
                         Eigen::Vector4d::Constant(0.3),
                         std::vector<Friction>(4, Friction::forwards),
                         {8, 9, 10, 11},
                         {along.begin(), along.end()}};
  problem.b = G.col(2) * -9.81;
  return problem;
}

// N1 - N2 + N3 - N4 is not determined. Friction -mu N (direction of sliding) of these shares adds up to nothing where all feet slide in one
// direction, and to a force or a moment where they do not.
TEST(ContactProblem, FeetThatSlideInDifferentDirectionsLeaveTheMotionOpen) {
  const Eigen::Vector2d x(1, 0), y(0, 1), tilted = Eigen::Vector2d(1, 0.1).normalized();
  for (const double height : {0.0, 0.2}) {
    const ContactSolution parallel = solve(table_that_slides({tilted, tilted, tilted, tilted}, height));
    ASSERT_TRUE(parallel.found);
    EXPECT_TRUE(parallel.undetermined);
    EXPECT_FALSE(parallel.leaves_motion_open);
    for (const auto& along : {std::array{x, x, x, tilted}, std::array{x, y, x, y}}) {
      const ContactProblem problem = table_that_slides(along, height);
      const ContactSolution open = solve(problem);
      ASSERT_TRUE(open.found);
      EXPECT_TRUE(open.undetermined);
      EXPECT_TRUE(open.leaves_motion_open);
      EXPECT_TRUE(leaves_motion_open(problem, open));
    }
  }
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
