#include "linear/singular_values.hpp"

#include <cmath>
#include <limits>

namespace armature::internal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_sweeps = 40;  // convergence is quadratic: six to ten are usual

// x, y become  c x - s y,  s x + c y.
template <class Column>
void rotate(Column x, Column y, double c, double s) {
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double a = x[k], b = y[k];
    x[k] = c * a - s * b;
    y[k] = s * a + c * b;
  }
}

}  // namespace

void SingularValues::resize(int rows, int columns) {
  U_.setZero(rows, columns);
  V_.setZero(columns, columns);
  values_.setZero(columns);
}

// tan(2 angle) = 2 x.y / (y.y - x.x), the smaller of the two angles.
bool SingularValues::turn(int i, int j) {
  const double xx = U_.col(i).squaredNorm(), yy = U_.col(j).squaredNorm(), xy = U_.col(i).dot(U_.col(j));
  if (std::abs(xy) <= epsilon * std::sqrt(xx * yy) || xx <= negligible_ || yy <= negligible_) return false;
  const double cotangent = (yy - xx) / (2 * xy);
  const double t = (cotangent >= 0 ? 1 : -1) / (std::abs(cotangent) + std::sqrt(1 + cotangent * cotangent));
  const double c = 1 / std::sqrt(1 + t * t), s = c * t;
  rotate(U_.col(i), U_.col(j), c, s);
  rotate(V_.col(i), V_.col(j), c, s);
  return true;
}

void SingularValues::sort() {
  for (Eigen::Index k = 0; k < values_.size(); ++k) {
    Eigen::Index largest = k;
    values_.tail(values_.size() - k).maxCoeff(&largest);
    largest += k;
    if (largest == k) continue;
    std::swap(values_[k], values_[largest]);
    U_.col(k).swap(U_.col(largest));
    V_.col(k).swap(V_.col(largest));
  }
}

bool SingularValues::compute(const Eigen::MatrixXd& A, GiveUp give_up) {
  U_ = A;
  V_.setIdentity();
  negligible_ = epsilon * epsilon * A.squaredNorm();
  const int n = static_cast<int>(A.cols());
  bool turned = true;
  // One-sided Jacobi: pairs of columns are turned until all are perpendicular to each other.
  for (int sweep = 0; sweep < most_sweeps && turned; ++sweep) {
    turned = false;
    for (int i = 0; i < n; ++i) {
      if (give_up && give_up(4L * n * A.rows())) return false;
      for (int j = i + 1; j < n; ++j) turned = turn(i, j) || turned;
    }
  }
  // Their lengths are the singular values; what is round-off of the whole matrix is zero.
  for (int k = 0; k < n; ++k) {
    values_[k] = U_.col(k).norm();
    if (values_[k] * values_[k] <= negligible_)
      U_.col(k).setZero(), values_[k] = 0;
    else
      U_.col(k) /= values_[k];
  }
  sort();
  return true;
}

}  // namespace armature::internal
