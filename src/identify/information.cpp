#include "identify/information.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/combination_words.hpp"
#include "linear/decompositions.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double accuracy = 1e-8;  // of the derivatives: smaller singular values are zero, against the largest
constexpr double vague = 1;        // relative standard deviation

// A basis of the same space with as many zeros as can be: rows are eliminated, the largest entry first, and each vector keeps one of the
// entries that the others have lost. negligible: entries below it are round-off, or too small to speak of.
MatrixXd sparse_basis(MatrixXd N, double negligible) {
  std::vector<bool> taken(static_cast<std::size_t>(N.rows()), false);
  // Gauss-Jordan: the largest entry of each vector is made the only one of its row.
  for (Index column = 0; column < N.cols(); ++column) {
    Index pivot = -1;
    for (Index i = 0; i < N.rows(); ++i)
      if (!taken[static_cast<std::size_t>(i)] && (pivot < 0 || std::abs(N(i, column)) > std::abs(N(pivot, column))))
        pivot = i;
    taken[static_cast<std::size_t>(pivot)] = true;
    N.col(column) /= N(pivot, column);
    for (Index other = 0; other < N.cols(); ++other)
      if (other != column) N.col(other) -= N(pivot, other) * N.col(column);
  }
  // Each vector is scaled to a largest entry of one.
  for (Index column = 0; column < N.cols(); ++column) {
    N.col(column) /= N.col(column).cwiseAbs().maxCoeff();
    for (double& entry : N.col(column))
      if (std::abs(entry) < negligible) entry = 0;
  }
  return N;
}

UndeterminedDirection direction_of(const VectorXd& changes, double deviation, const std::vector<Estimate>& estimates,
                                   const InformationRequest& request) {
  UndeterminedDirection direction;
  direction.deviation = deviation;
  std::vector<CombinedUnknown> unknowns;
  for (Index k = 0; k < changes.size(); ++k) {
    if (changes[k] == 0) continue;
    const auto place = static_cast<std::size_t>(k);
    direction.names.push_back(words_of(estimates[place]));
    direction.changes.push_back(changes[k]);
    unknowns.push_back({words_of(estimates[place]), changes[k], request.sizes[place],
                        estimates[place].kind == Estimate::Kind::parameter});
  }
  direction.sentence = combination_sentence(unknowns, std::isinf(deviation), request.parameters);
  return direction;
}

}  // namespace

double student_quantile(double freedoms) {
  // Cornish and Fisher's expansion about the normal quantile; 12.706 and 4.303 where it is not yet good.
  const double z = 1.959963984540054;
  if (freedoms < 1) return infinite;
  if (freedoms < 2) return 12.706;
  if (freedoms < 3) return 4.303;
  const double n = freedoms, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

Information find_information(const InformationRequest& request, std::vector<Estimate>& estimates) {
  Information information;
  const Index n = request.R.cols();
  information.freedoms = std::max(0.0, request.measurements - static_cast<double>(n));
  information.correlation = MatrixXd::Constant(n, n, std::numeric_limits<double>::quiet_NaN());
  if (n == 0) return information;
  // relative changes; what is at a bound does not move
  MatrixXd scaled = request.R;
  for (Index k = 0; k < n; ++k)
    scaled.col(k) *= estimates[static_cast<std::size_t>(k)].bound != 0 ? 0 : request.sizes[static_cast<std::size_t>(k)];
  const Svd parts = svd(scaled, Eigen::ComputeFullV);
  information.singular_values = parts.values;

  // directions: determined, vague, or not to be seen at all
  const double noise = std::sqrt(request.variance), largest = parts.values[0];
  std::vector<Index> determined, undetermined;
  const auto is_zero = [&](Index k) { return !(parts.values[k] > accuracy * largest); };
  const auto is_bound = [&](Index k) {  // the direction of an unknown at its bound
    Index place = 0;
    parts.V.col(k).cwiseAbs().maxCoeff(&place);
    return estimates[static_cast<std::size_t>(place)].bound != 0 && std::abs(parts.V(place, k)) > 1 - 1e-9;
  };
  for (Index k = 0; k < n; ++k) {
    if (is_zero(k) && is_bound(k)) continue;
    (is_zero(k) || noise > vague * parts.values[k] ? undetermined : determined).push_back(k);
  }
  information.condition = determined.empty() ? 0 : largest / parts.values[determined.back()];

  // covariance of the relative changes, along the determined directions
  MatrixXd covariance = MatrixXd::Zero(n, n);
  for (const Index k : determined)
    covariance += request.variance / (parts.values[k] * parts.values[k]) * parts.V.col(k) * parts.V.col(k).transpose();

  std::vector<bool> open(static_cast<std::size_t>(n), false);
  for (const bool zero : {true, false}) {
    std::vector<Index> directions;
    for (const Index k : undetermined)
      if (is_zero(k) == zero) directions.push_back(k);
    if (directions.empty()) continue;
    MatrixXd N(n, static_cast<Index>(directions.size()));
    double least = 0;
    for (std::size_t k = 0; k < directions.size(); ++k) {
      N.col(static_cast<Index>(k)) = parts.V.col(directions[k]);
      least = std::max(least, noise / std::max(parts.values[directions[k]], 1e-300));
    }
    N = sparse_basis(N, zero ? 1e-5 : 0.02);
    for (Index k = 0; k < N.cols(); ++k) {
      for (Index i = 0; i < n; ++i)
        if (N(i, k) != 0) open[static_cast<std::size_t>(i)] = true;
      information.undetermined.push_back(direction_of(N.col(k), zero ? infinite : least, estimates, request));
    }
  }

  const double quantile = student_quantile(request.variance_is_known ? infinite : information.freedoms);
  for (Index k = 0; k < n; ++k) {
    Estimate& estimate = estimates[static_cast<std::size_t>(k)];
    estimate.deviation = std::sqrt(covariance(k, k)) * request.sizes[static_cast<std::size_t>(k)];
    if (open[static_cast<std::size_t>(k)]) estimate.deviation = infinite;
    estimate.half_width = std::isinf(estimate.deviation) ? infinite : quantile * estimate.deviation;
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (!open[static_cast<std::size_t>(i)] && !open[static_cast<std::size_t>(j)] && covariance(i, i) > 0 &&
          covariance(j, j) > 0)
        information.correlation(i, j) = covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
  return information;
}

}  // namespace armature::internal
