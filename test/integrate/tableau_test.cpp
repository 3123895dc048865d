// Every method satisfies the order conditions of all rooted trees (Hairer, Norsett, Wanner, Solving ODEs I, II.2):
// sum_i b_i Phi_i(tree) = 1 / gamma(tree) up to its order; dense output gives theta^order / gamma at every theta.
#include "integrate/tableau.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "integrate/dense_output.hpp"

namespace armature {
namespace {

struct Tree {
  int order = 1;
  double gamma = 1;
  std::vector<int> children;  // indices of smaller trees, not decreasing
};

// Children of total order `left`, indices from `first` on.
void add_trees(int left, int first, const std::vector<Tree>& smaller, Tree& tree, std::vector<Tree>& result) {
  if (left == 0) result.push_back(tree);
  for (int i = first; i < static_cast<int>(smaller.size()); ++i)
    if (smaller[i].order <= left) {
      tree.children.push_back(i);
      add_trees(left - smaller[i].order, i, smaller, tree, result);
      tree.children.pop_back();
    }
}

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> trees;
  for (int k = 1; k <= order; ++k) {
    std::vector<Tree> found;
    Tree root;
    add_trees(k - 1, 0, trees, root, found);
    for (Tree& tree : found) {
      tree.order = k;
      tree.gamma = k;
      for (int child : tree.children) tree.gamma *= trees[child].gamma;
    }
    trees.insert(trees.end(), found.begin(), found.end());
  }
  return trees;
}

// All stages as one method: s stages, the end of the step, stages of dense output.
Eigen::MatrixXd full_A(const Tableau& method) {
  const int s = method.stages(), all = method.all_stages();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(all, all);
  A.topLeftCorner(s, s) = method.A;
  A.row(s).head(s) = method.b.transpose();
  if (method.dense_c.size() > 0) A.bottomRows(method.dense_c.size()) = method.dense_A;
  return A;
}

// A column a tree: Phi_i = prod over children of sum_j a_ij Phi_j(child), which is k_i for a problem with that tree
// alone.
Eigen::MatrixXd elementary_weights(const Tableau& method, const std::vector<Tree>& trees) {
  const Eigen::MatrixXd A = full_A(method);
  Eigen::MatrixXd Phi = Eigen::MatrixXd::Ones(A.rows(), static_cast<int>(trees.size()));
  for (int k = 0; k < Phi.cols(); ++k)
    for (int child : trees[k].children) Phi.col(k).array() *= (A * Phi.col(child)).array();
  return Phi;
}

class EveryTableau : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Names, EveryTableau, testing::Values("euler", "rk2", "rk4", "dopri5", "dop853"),
                         [](const auto& info) { return std::string(info.param); });

// Coefficients of up to 43 with 16 digits: sums of their products are good to about 1e-13.
constexpr double round_off = 2e-13;

TEST(RootedTrees, AreAsManyAsTheLiteratureCounts) { EXPECT_EQ(trees_up_to(8).size(), 200u); }  // table II.2.1

TEST_P(EveryTableau, NodesAreRowSums) {
  const Tableau& method = tableau(GetParam());
  EXPECT_LT((method.A.rowwise().sum() - method.c).cwiseAbs().maxCoeff(), round_off);
  for (int i = 0; i < method.dense_c.size(); ++i)
    EXPECT_NEAR(method.dense_A.row(i).sum(), method.dense_c(i), round_off) << "dense stage " << i;
}

TEST_P(EveryTableau, MeetsTheConditionsOfItsOrderAndNotOfTheNext) {
  const Tableau& method = tableau(GetParam());
  const std::vector<Tree> trees = trees_up_to(method.order + 1);
  const Eigen::MatrixXd Phi = elementary_weights(method, trees);
  double next_order = 0;
  for (int k = 0; k < Phi.cols(); ++k) {
    const double defect = std::abs(method.b.dot(Phi.col(k).head(method.stages())) - 1 / trees[k].gamma);
    if (trees[k].order <= method.order)
      EXPECT_LT(defect, round_off) << "tree " << k;
    else
      next_order = std::max(next_order, defect);
  }
  EXPECT_GT(next_order, 1e-7);
}

class TableauWithDenseOutput : public EveryTableau {};
INSTANTIATE_TEST_SUITE_P(Names, TableauWithDenseOutput, testing::Values("dopri5", "dop853"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(TableauWithDenseOutput, MeetsTheConditionsOfItsOrderInsideTheStep) {
  const Tableau& method = tableau(GetParam());
  const std::vector<Tree> trees = trees_up_to(method.dense_order + 1);
  const Eigen::MatrixXd Phi = elementary_weights(method, trees);
  double next_order = 0;
  for (int k = 0; k < Phi.cols(); ++k) {
    DenseOutput dense(1, static_cast<int>(method.D.rows()));
    const auto scalar = [](double value) { return Eigen::VectorXd::Constant(1, value); };
    dense.set_ends(0, 1, scalar(0), scalar(method.b.dot(Phi.col(k).head(method.stages()))), scalar(Phi(0, k)),
                   scalar(Phi(method.stages(), k)));
    for (int r = 0; r < method.D.rows(); ++r) dense.row(r) = scalar(method.D.row(r).dot(Phi.col(k)));
    for (double theta : {0.1, 0.35, 0.5, 0.8, 1.0}) {
      Eigen::VectorXd x(1);
      dense.evaluate(theta, x);
      const double defect = std::abs(x(0) - std::pow(theta, trees[k].order) / trees[k].gamma);
      // D has entries of up to 500.
      if (trees[k].order <= method.dense_order)
        EXPECT_LT(defect, 10 * round_off) << "tree " << k << " at " << theta;
      else
        next_order = std::max(next_order, defect);
    }
  }
  EXPECT_GT(next_order, 1e-7);
}

TEST(Tableau, ErrorEstimatesVanishUpToTheirOrder) {
  const auto order_of_row = [](const Tableau& method, int row) {  // the first order at which a tree remains
    const std::vector<Tree> trees = trees_up_to(7);
    const Eigen::MatrixXd Phi = elementary_weights(method, trees);
    for (int k = 0; k < Phi.cols(); ++k)
      if (std::abs(method.E.row(row).dot(Phi.col(k).head(method.stages() + 1))) > round_off) return trees[k].order;
    return 8;
  };
  EXPECT_EQ(order_of_row(tableau("dopri5"), 0), 5);
  EXPECT_EQ(order_of_row(tableau("dop853"), 0), 6);
  EXPECT_EQ(order_of_row(tableau("dop853"), 1), 4);
}

TEST(Tableau, UnknownNameThrows) { EXPECT_THROW(tableau("rk5"), std::out_of_range); }

}  // namespace
}  // namespace armature
