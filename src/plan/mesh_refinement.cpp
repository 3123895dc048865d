#include "plan/mesh_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plan/radau.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int most_cuts = 4;
constexpr double local_order = 6;       // of the error of one interval
constexpr double switching_part = 0.2;  // of the range of an input, by which it turns at a node

// The range that an input takes in the motion.
double range_of(const PlannedMotion& motion, Index input) {
  return motion.inputs.row(input).maxCoeff() - motion.inputs.row(input).minCoeff();
}

// A value at a point is a polynomial through the points of its interval; without the start it has one degree less.
VectorXd at_points(const Eigen::MatrixXd& points, Index interval, double x) {
  const auto& c = radau::c;
  VectorXd sum = VectorXd::Zero(points.rows());
  for (int i = 0; i < 3; ++i) {
    double weight = 1;
    for (int j = 0; j < 3; ++j)
      if (j != i) weight *= (x - c[j]) / (c[i] - c[j]);
    sum += weight * points.col(3 * interval + i);
  }
  return sum;
}

}  // namespace

std::vector<int> cuts(const Collocation& collocation, const PlannedMotion& motion, const std::vector<double>& errors,
                      double reduction, bool switches) {
  const auto N = static_cast<std::size_t>(motion.intervals());
  std::vector<int> result(N, 1);
  double sum = 0;
  for (const double error : errors) sum += std::isfinite(error) ? error : 0;
  const double share = reduction * sum / (2 * static_cast<double>(N));
  for (std::size_t k = 0; k < N && reduction < 1; ++k) {
    if (!std::isfinite(errors[k])) result[k] = 2;
    if (std::isfinite(errors[k]) && errors[k] > share && share > 0)
      result[k] = std::clamp(static_cast<int>(std::ceil(std::pow(errors[k] / share, 1 / local_order))), 1, most_cuts);
  }
  if (!switches) return result;
  for (Index n = 0; n < collocation.nu(); ++n) {
    const double range = range_of(motion, n);
    for (std::size_t k = 1; k < N; ++k) {
      const auto node = static_cast<Index>(k);
      const double turn = motion.inputs(n, node + 1) - 2 * motion.inputs(n, node) + motion.inputs(n, node - 1);
      if (std::abs(turn) > switching_part * range)
        result[k - 1] = std::max(result[k - 1], 2), result[k] = std::max(result[k], 2);
    }
  }
  return result;
}

PlannedMotion on_finer_mesh(const PlannedMotion& motion, const std::vector<int>& cuts) {
  const Index N = std::accumulate(cuts.begin(), cuts.end(), Index{0});
  PlannedMotion finer = motion;
  finer.mesh = {0};
  finer.states.resize(motion.states.rows(), 1 + 3 * N), finer.inputs.resize(motion.inputs.rows(), N + 1);
  finer.accelerations.resize(motion.accelerations.rows(), 3 * N),
      finer.multipliers.resize(motion.multipliers.rows(), 3 * N);
  finer.states.col(0) = motion.states.col(0), finer.inputs.col(0) = motion.inputs.col(0);
  Index to = 0;
  for (Index k = 0; k < motion.intervals(); ++k) {
    const double start = motion.mesh[static_cast<std::size_t>(k)],
                 length = motion.mesh[static_cast<std::size_t>(k + 1)] - start;
    const int parts = cuts[static_cast<std::size_t>(k)];
    // Each part gets the polynomials of the old interval at its own points; inputs are straight between its ends.
    for (int part = 0; part < parts; ++part, ++to) {
      for (int j = 0; j < 3; ++j) {
        const double x = (part + radau::c[j]) / parts;
        const Eigen::Vector4d weights = radau::interpolation(x);
        finer.states.col(1 + 3 * to + j) = motion.states.middleCols(3 * k, 4) * weights;
        finer.accelerations.col(3 * to + j) = at_points(motion.accelerations, k, x);
        finer.multipliers.col(3 * to + j) = at_points(motion.multipliers, k, x);
      }
      const double end = static_cast<double>(part + 1) / parts;
      // The last part ends exactly where the old interval did.
      finer.mesh.push_back(part + 1 == parts ? motion.mesh[static_cast<std::size_t>(k + 1)] : start + end * length);
      finer.inputs.col(to + 1) = (1 - end) * motion.inputs.col(k) + end * motion.inputs.col(k + 1);
    }
  }
  return finer;
}

}  // namespace armature::internal
