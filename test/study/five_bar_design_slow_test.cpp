// The five-bar robot, designed: lengths, gear and gains are varied, the motor is chosen. How many motions that takes with exact gradients,
// without derivatives (cobyla), and with an evolution strategy (CMA-ES, Hansen 2016).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>
#include <random>

#include "study/optimization.hpp"
#include "study/study.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

const std::string folder = std::string(source_directory) + "/models/design/motors/";
const std::vector<Axis> box{{"l1", 0.2, 0.35},  {"l2", 0.35, 0.55},       {"base", 0.05, 0.25},
                            {"ratio", 10, 200}, {"stiffness", 100, 1000}, {"damping", 5, 60}};

OptimizationOptions wanted(const std::string& method) {
  OptimizationOptions options;
  options.over = box;
  options.choose = {"motor=" + folder + "small.yml," + folder + "medium.yml," + folder + "large.yml"};
  options.objective = "integral(loss)";
  options.subject = {"max(miss, 0.6, 0.8) <= 2 mm"};
  options.method = method;
  options.evaluations = 1500;
  return options;
}

// Minimizes over the unit box. f: to be called so many times at most; returns the smallest.
double cma_es(int n, int evaluations, const std::function<double(const Eigen::VectorXd&)>& f) {
  using Eigen::MatrixXd, Eigen::VectorXd;
  const int lambda = 4 + static_cast<int>(3 * std::log(n)), mu = lambda / 2;
  VectorXd weights(mu);
  for (int i = 0; i < mu; ++i) weights[i] = std::log(mu + 0.5) - std::log(i + 1);
  weights /= weights.sum();
  const double mueff = 1 / weights.squaredNorm(), N = n;
  const double cc = (4 + mueff / N) / (N + 4 + 2 * mueff / N), cs = (mueff + 2) / (N + mueff + 5);
  const double c1 = 2 / ((N + 1.3) * (N + 1.3) + mueff);
  const double cmu = std::min(1 - c1, 2 * (mueff - 2 + 1 / mueff) / ((N + 2) * (N + 2) + mueff));
  const double damps = 1 + 2 * std::max(0.0, std::sqrt((mueff - 1) / (N + 1)) - 1) + cs;
  const double chi = std::sqrt(N) * (1 - 1 / (4 * N) + 1 / (21 * N * N));
  VectorXd mean = VectorXd::Constant(n, 0.5), pc = VectorXd::Zero(n), ps = pc;
  MatrixXd C = MatrixXd::Identity(n, n);
  double sigma = 0.3, best = 1e300;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int used = 0, generation = 1; used < evaluations; ++generation) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(C);
    const VectorXd D = eigen.eigenvalues().cwiseMax(1e-30).cwiseSqrt();
    const MatrixXd& V = eigen.eigenvectors();
    std::vector<std::pair<double, VectorXd>> all;
    for (int k = 0; k < lambda && used < evaluations; ++k, ++used) {
      VectorXd z(n);
      for (double& number : z) number = normal(random);
      const VectorXd x = mean + sigma * (V * D.cwiseProduct(z)), inside = x.cwiseMax(0).cwiseMin(1);
      const double value = f(inside);
      best = std::min(best, value);
      all.emplace_back(value + (x - inside).squaredNorm(), x);
    }
    std::ranges::stable_sort(all, {}, &std::pair<double, VectorXd>::first);
    const VectorXd before = mean;
    mean.setZero();
    for (int i = 0; i < std::min<int>(mu, static_cast<int>(all.size())); ++i)
      mean += weights[i] * all[static_cast<std::size_t>(i)].second;
    if (static_cast<int>(all.size()) < lambda) break;
    const VectorXd y = (mean - before) / sigma;
    ps = (1 - cs) * ps + std::sqrt(cs * (2 - cs) * mueff) * (V * D.cwiseInverse().cwiseProduct(V.transpose() * y));
    const bool steady = ps.norm() / std::sqrt(1 - std::pow(1 - cs, 2 * generation)) / chi < 1.4 + 2 / (N + 1);
    pc = (1 - cc) * pc + (steady ? std::sqrt(cc * (2 - cc) * mueff) : 0) * y;
    MatrixXd rank_mu = MatrixXd::Zero(n, n);
    for (int i = 0; i < mu; ++i) {
      const VectorXd step = (all[static_cast<std::size_t>(i)].second - before) / sigma;
      rank_mu += weights[i] * step * step.transpose();
    }
    C = (1 - c1 - cmu) * C + c1 * pc * pc.transpose() + cmu * rank_mu;
    sigma *= std::exp(cs / damps * (ps.norm() / chi - 1));
  }
  return best;
}

// Measured: 68 evaluations with gradients, 2095 with cobyla.
TEST(FiveBarDesign, TakesATwentiethOfTheMotionsWithGradients) {
  const Model model = read_model(std::string(source_directory) + "/models/design/five_bar.yaml", {});
  CellSession first, second;
  const OptimizationResult with = optimize_motion(model, wanted("gradient"), first);
  ASSERT_TRUE(with.best());
  EXPECT_TRUE(with.note.empty()) << with.note;
  EXPECT_NE(with.chosen.at(0).find("medium.yml"), std::string::npos);
  EXPECT_NEAR(with.best()->objective, 0.49722736, 1e-6);
  std::printf("gradient: %.8g J in %ld evaluations\n", with.best()->objective, with.evaluations);

  const OptimizationResult without = optimize_motion(model, wanted("cobyla"), second);
  std::printf("cobyla: %.8g J in %ld evaluations\n", without.best()->objective, without.evaluations);
  EXPECT_GE(without.evaluations, 20 * with.evaluations);

  // an evolution strategy, with a third of twenty times as many motions for each of the three motors: not there yet
  const double motors[][3] = {{0.025, 2.2, 4e-6}, {0.04, 1.1, 1.2e-5}, {0.06, 0.5, 8e-5}};
  const Varied varied = vary(model, {"l1", "l2", "base", "ratio", "stiffness", "damping", "K", "R", "J"});
  MotionFormulas formulas(varied.model, varied.parameters);
  formulas.add_number("integral(loss)");
  formulas.add_number("max(miss, 0.6, 0.8)");
  const Study study(varied, formulas);
  const StopFlag stop = false;
  StudyRun run(study, nullptr, stop);
  double least = 1e300;
  const int allowed = static_cast<int>(20 * with.evaluations / 3);
  for (const auto& motor : motors)
    least = std::min(least, cma_es(static_cast<int>(box.size()), allowed, [&](const Eigen::VectorXd& x) {
                       std::vector<double> point;
                       for (std::size_t d = 0; d < box.size(); ++d)
                         point.push_back(box[d].from + (box[d].to - box[d].from) * x[static_cast<Eigen::Index>(d)]);
                       point.insert(point.end(), motor, motor + 3);
                       if (run.run(point) != MotionStatus::finished || !(run.values()[0] < 1e300)) return 1e3;
                       return run.values()[0] + 1e4 * std::max(0.0, run.values()[1] - 0.002);
                     }));
  std::printf("CMA-ES: %.8g J in %d evaluations\n", least, 3 * allowed);
  EXPECT_GT(least, with.best()->objective * (1 + 1e-5));
}

}  // namespace
}  // namespace armature::internal
