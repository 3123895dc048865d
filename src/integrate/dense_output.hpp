// The polynomial over one step that tableau.hpp defines: cubic Hermite between both ends, plus rows that vanish with
// their first derivative at both ends. It is therefore continuous with its slope from step to step, also where x1 was
// moved by a projection: moving the end and its slope by O(h^(p+1)) adds theta^2 (3 - 2 theta) times that, which keeps
// the order.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "integrate/step_path.hpp"

namespace armature {

class DenseOutput {
 public:
  DenseOutput(int size, int rows) : F_(Eigen::MatrixXd::Zero(size, 3 + rows)), x0_(Eigen::VectorXd::Zero(size)) {}

  template <class Slope0, class Slope1>
  void set_ends(double t0, double h, const Eigen::VectorXd& x0, const Eigen::VectorXd& x1, const Slope0& f0,
                const Slope1& f1) {
    t0_ = t0;
    h_ = h;
    x0_ = x0;
    F_.col(0) = x1 - x0;
    F_.col(1) = h * f0 - F_.col(0);
    F_.col(2) = 2 * F_.col(0) - h * (f0 + f1);
  }
  auto rows() { return F_.rightCols(F_.cols() - 3); }  // a column a row of D
  auto row(int row) { return F_.col(3 + row); }

  void path(double t1, const std::vector<int>& entries, StepPath& path) const {
    const auto columns = static_cast<int>(F_.cols());
    path.begin(t0_, t1, columns, entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
      path.set_dense(
          i, x0_[entries[i]], [&](int column) { return F_(entries[i], column); }, columns);
  }

  void evaluate(double t, Eigen::VectorXd& x) const {
    const double theta = (t - t0_) / h_;
    x.resize(x0_.size());
    Eigen::Index first = 0;
    for (; first + 4 <= x.size(); first += 4) evaluate_some<4>(theta, first, x);
    for (; first < x.size(); ++first) evaluate_some<1>(theta, first, x);
  }

 private:
  // Horner's scheme with the factors theta and 1 - theta in turn. A few numbers stay in registers from column to column.
  template <int count>
  void evaluate_some(double theta, Eigen::Index first, Eigen::VectorXd& x) const {
    Eigen::Array<double, count, 1> sum = Eigen::Array<double, count, 1>::Zero();
    for (Eigen::Index i = F_.cols() - 1; i >= 0; --i)
      sum = (i % 2 == 0 ? theta : 1 - theta) * (sum + F_.col(i).template segment<count>(first).array());
    x.segment<count>(first) = sum.matrix() + x0_.segment<count>(first);
  }

  double t0_ = 0, h_ = 1;
  Eigen::MatrixXd F_;
  Eigen::VectorXd x0_;
};

}  // namespace armature
