// Every method satisfies the order conditions of all rooted trees (Hairer, Norsett, Wanner, Solving ODEs I, II.2):
// sum_i b_i Phi_i(tree) = 1 / gamma(tree) up to its order; dense output gives theta^order / gamma at every theta.
#include "integrate/tableau.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "step/dense_output.hpp"

namespace armature::internal {
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
  const int s = method.stages, all = method.all_stages();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(all, all);
  A.topLeftCorner(s, s) = stage_weights(method);
  A.row(s).head(s) = end_weights(method).transpose();
  for (int i = 0; i < method.further_stages; ++i)
    A.row(s + 1 + i) = Eigen::Map<const Eigen::RowVectorXd>(method.further_A[i], all);
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
  const Eigen::VectorXd sums = full_A(method).rowwise().sum();
  for (int i = 0; i < method.stages; ++i) EXPECT_NEAR(sums(i), method.c[i], round_off) << "stage " << i;
  for (int i = 0; i < method.further_stages; ++i)
    EXPECT_NEAR(sums(method.stages + 1 + i), method.further_c[i], round_off) << "dense stage " << i;
}

TEST_P(EveryTableau, MeetsTheConditionsOfItsOrderAndNotOfTheNext) {
  const Tableau& method = tableau(GetParam());
  const std::vector<Tree> trees = trees_up_to(method.order + 1);
  const Eigen::MatrixXd Phi = elementary_weights(method, trees);
  double next_order = 0;
  for (int k = 0; k < Phi.cols(); ++k) {
    const double defect = std::abs(end_weights(method).dot(Phi.col(k).head(method.stages)) - 1 / trees[k].gamma);
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
    std::vector<step::Row<1>> stages(static_cast<std::size_t>(step::RungeKutta<1>::memory(method, 1)));
    std::vector<step::Row<1>> columns(static_cast<std::size_t>(step::DenseOutput<1>::memory(method, 1)));
    step::RungeKutta<1> steps(method, 1, stages.data());
    for (int i = 0; i < method.all_stages(); ++i) steps.stage(i)[0][0] = Phi(i, k);
    step::DenseOutput<1> dense(method, 1, columns.data());
    const step::Row<1> t0{{0}}, t1{{1}}, x0{{0}}, x1{{end_weights(method).dot(Phi.col(k).head(method.stages))}};
    const step::Ends<1> ends{t0, t1, &x0, &x1};
    dense.make_ends(steps, ends);
    for (int r = 0; r < method.dense_rows; ++r)
      step::combine<1>(1, method.D[r], method.all_stages(), t1, steps.stage(0), nullptr, dense.column(3 + r));
    for (double theta : {0.1, 0.35, 0.5, 0.8, 1.0}) {
      step::Row<1> x;
      dense.evaluate(ends, {{theta}}, &x);
      const double defect = std::abs(x[0] - std::pow(theta, trees[k].order) / trees[k].gamma);
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
      if (std::abs(Eigen::Map<const Eigen::VectorXd>(method.E[row], method.stages + 1)
                       .dot(Phi.col(k).head(method.stages + 1))) > round_off)
        return trees[k].order;
    return 8;
  };
  EXPECT_EQ(order_of_row(tableau("dopri5"), 0), 5);
  EXPECT_EQ(order_of_row(tableau("dop853"), 0), 6);
  EXPECT_EQ(order_of_row(tableau("dop853"), 1), 4);
}

TEST(Tableau, UnknownNameThrows) { EXPECT_THROW(tableau("rk5"), std::out_of_range); }

}  // namespace
}  // namespace armature::internal
