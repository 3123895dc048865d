// Adjoints along the pieces of a recorded motion, backwards.
//
// The motion stays as it was computed. Over each piece lambda is integrated on the dense output of x, by Dormand and Prince's method from the
// end of the piece to its beginning, over one or more equal parts; its own error estimate decides how many, as in sensitivity_path.hpp. Rows
// of discrete values and parameters are integrals along the way: nothing depends on them.
//
// What tables gain is an integral as well, but one with corners, since a point of a table counts between its neighbors alone. Along a part
// their adjoints and arguments are polynomials through five points, which are integrated from knot to knot.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sensitivity/motion_adjoint.hpp"
#include "sensitivity/motion_record.hpp"

namespace armature::internal {

class AdjointPath {
 public:
  explicit AdjointPath(const MotionAdjoint& adjoint);

  MotionAdjoint& adjoint() { return adjoint_; }
  const MotionAdjoint& adjoint() const { return adjoint_; }
  // prepared: the run. lambda: at its end, a column for each result. tables: one a column.
  void begin(const Prepared& prepared, const Eigen::MatrixXd& lambda, const std::vector<TableGradient>& tables);
  // From `until` back to `from`, inside the piece. psi: weights of the integrals there. False: lambda has no value.
  bool advance(const RecordedPiece& piece, double from, double until, const Eigen::MatrixXd& psi);
  const std::string& failure() const { return failure_; }

  const Eigen::MatrixXd& lambda() const { return lambda_; }
  Eigen::MatrixXd& lambda() { return lambda_; }
  std::vector<TableGradient>& tables() { return tables_; }
  long evaluations() const { return evaluations_; }  // of the right side, in all

 private:
  using MatrixXd = Eigen::MatrixXd;
  using LookUps = std::vector<std::vector<TableLookUp>>;  // of each column
  static constexpr int stages = 7;                        // the last one is at the end of a part
  static constexpr int dense = 4;                         // coefficients of the dense output, step/tableau.hpp
  struct Part {
    double t = 0, h = 0;  // h < 0
    MatrixXd x0;
    std::array<MatrixXd, dense> F;
    LookUps at_t, at_end;
  };

  bool take_parts(const RecordedPiece& piece, double from, double until);  // sets error_
  bool take_part(const RecordedPiece& piece, double t, double h, Part& part);
  bool rate_at(const RecordedPiece& piece, double t, const MatrixXd& lambda, MatrixXd& rate);
  void measure_error(double h);
  LookUps look_ups() const;
  bool add_tables(const RecordedPiece& piece, const Part& part);

  MotionAdjoint adjoint_;
  double tolerance_ = 0;
  Eigen::VectorXd unit_;  // of each entry of x: lambda times it is comparable
  Eigen::VectorXd x_;
  MatrixXd lambda_, lambda_begin_, stage_, psi_, seen_, inside_;
  std::array<MatrixXd, stages> k_;
  std::vector<Part> parts_;
  int count_ = 1;  // parts of the next piece
  std::string failure_;
  std::vector<TableGradient> tables_;
  double error_ = 0;  // of the worst part, 1: as large as allowed
  long evaluations_ = 0;
};

}  // namespace armature::internal
