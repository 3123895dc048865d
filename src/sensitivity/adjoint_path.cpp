#include "sensitivity/adjoint_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/table_quadrature.hpp"
#include "step/tableaus.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int most_parts = 4096;       // of a piece: an implicit step over a decay so much faster than the motion
constexpr double loose = 1.0 / 128;    // of the error allowed: half as many parts would do, by a margin of two
constexpr double column_floor = 1e-3;  // entries that small against the largest of their column need not be as accurate

const step::Tableau& pair() { return step::dormand_prince_54(); }

}  // namespace

AdjointPath::AdjointPath(const MotionAdjoint& adjoint) : adjoint_(adjoint) {}

// The steps are as long as x allows; lambda may lose one digit against it before a piece is divided.
void AdjointPath::begin(const Prepared& prepared, const MatrixXd& lambda, const std::vector<TableGradient>& tables) {
  adjoint_.set_parameters(prepared.parameters);
  tolerance_ = 10 * std::max(prepared.options.rtol, 1e-13);
  unit_ = prepared.options.atol;
  if (unit_.size() != adjoint_.layout().nx()) unit_.setOnes(adjoint_.layout().nx());
  lambda_ = lambda;
  tables_ = tables;
  seen_ = lambda.topRows(adjoint_.layout().nx()).cwiseAbs();
  count_ = 1;
  failure_.clear();
}

bool AdjointPath::advance(const RecordedPiece& piece, double from, double until, const MatrixXd& psi) {
  adjoint_.hold(*piece.held);
  psi_ = psi;
  lambda_begin_ = lambda_;
  // lambda over the whole piece, in twice as many parts until the estimated error of each is small enough.
  for (;; count_ *= 2) {
    lambda_ = lambda_begin_;
    if (!take_parts(piece, from, until)) return false;
    if (error_ <= 1) break;
    if (count_ < most_parts) continue;
    failure_ = fmt::format("before t = {:.10g} s the derivatives of the motion change too fast to be followed", until);
    return false;
  }
  // Only the parts that were accepted give to the gradients of tables.
  if (!tables_.empty() && !tables_.front().empty())
    for (int part = 0; part < count_; ++part)
      if (!add_tables(piece, parts_[static_cast<std::size_t>(part)])) return false;
  // Where the error is very small, the next piece begins with half as many.
  if (error_ < loose && count_ > 1) count_ /= 2;
  seen_ = seen_.cwiseMax(lambda_.topRows(seen_.rows()).cwiseAbs());
  return true;
}

bool AdjointPath::take_parts(const RecordedPiece& piece, double from, double until) {
  const double h = (from - until) / count_;
  parts_.resize(static_cast<std::size_t>(count_));
  error_ = 0;
  if (!rate_at(piece, until, lambda_, k_[0])) return false;
  for (int part = 0; part < count_; ++part) {
    if (!take_part(piece, until + part * h, part + 1 == count_ ? from - (until + part * h) : h,
                   parts_[static_cast<std::size_t>(part)]))
      return false;
    if (error_ > 1 && count_ < most_parts) return true;  // to be repeated with more parts
    k_[0] = k_[stages - 1];
  }
  return true;
}

bool AdjointPath::take_part(const RecordedPiece& piece, double t, double h, Part& part) {
  const step::Tableau& method = pair();
  const Eigen::Index nx = seen_.rows();
  const bool with_tables = !tables_.empty() && !tables_.front().empty();
  part.t = t, part.h = h, part.x0 = lambda_.topRows(nx);
  if (with_tables) part.at_t = look_ups();
  // the stages
  stage_ = lambda_;
  for (int i = 1; i < method.stages; ++i) {
    stage_.topRows(nx) = part.x0;
    for (int j = 0; j < i; ++j)
      if (method.A[i][j] != 0) stage_.topRows(nx) += h * method.A[i][j] * k_[static_cast<std::size_t>(j)].topRows(nx);
    if (!rate_at(piece, t + method.c[i] * h, stage_, k_[static_cast<std::size_t>(i)])) return false;
  }
  for (int i = 0; i < method.stages; ++i)
    if (method.b[i] != 0) lambda_ += h * method.b[i] * k_[static_cast<std::size_t>(i)];
  if (!rate_at(piece, t + h, lambda_, k_[stages - 1])) return false;
  measure_error(h);
  if (!with_tables) return true;
  // dense output
  part.at_end = look_ups();
  const auto k = [&](int i) { return k_[static_cast<std::size_t>(i)].topRows(nx); };
  part.F[0] = lambda_.topRows(nx) - part.x0;
  part.F[1] = h * k(0) - part.F[0];
  part.F[2] = 2 * part.F[0] - h * (k(0) + k(stages - 1));
  part.F[3].setZero(nx, lambda_.cols());
  for (int i = 0; i < stages; ++i)
    if (method.D[0][i] != 0) part.F[3] += h * method.D[0][i] * k(i);
  return true;
}

// d lambda/dt. The time row is no part of it: no direction moves time.
bool AdjointPath::rate_at(const RecordedPiece& piece, double t, const MatrixXd& lambda, MatrixXd& rate) {
  ++evaluations_;
  (*piece.path)(t, x_);
  if (!adjoint_.rate(t, x_, lambda, psi_, rate)) {
    failure_ = fmt::format("at t = {:.10g} s {}", t, adjoint_.why());
    return false;
  }
  rate = -rate;
  rate.row(Directional::time_row(adjoint_.layout())).setZero();
  return true;
}

// Each entry against the largest value it has had, and against a small part of the largest of its column, in units of the state.
void AdjointPath::measure_error(double h) {
  for (Eigen::Index column = 0; column < lambda_.cols(); ++column) {
    double largest = 0;
    for (Eigen::Index i = 0; i < seen_.rows(); ++i)
      largest = std::max(largest, unit_[i] * std::max(seen_(i, column), std::abs(lambda_(i, column))));
    for (Eigen::Index i = 0; i < seen_.rows(); ++i) {
      double error = 0;
      for (int k = 0; k < stages; ++k) error += pair().E[0][k] * k_[static_cast<std::size_t>(k)](i, column);
      const double size = unit_[i] * std::max(seen_(i, column), std::abs(lambda_(i, column))) + column_floor * largest;
      if (size > 0) error_ = std::max(error_, unit_[i] * std::abs(h * error) / (tolerance_ * size));
    }
  }
}

AdjointPath::LookUps AdjointPath::look_ups() const {
  LookUps all;
  for (Eigen::Index column = 0; column < lambda_.cols(); ++column) all.push_back(adjoint_.look_ups(column));
  return all;
}

// Three points between the ends; lambda there by dense output of order four.
bool AdjointPath::add_tables(const RecordedPiece& piece, const Part& part) {
  std::array<LookUps, TableQuadrature::points> at;
  at.front() = part.at_t, at.back() = part.at_end;
  // What every table is looked up at inside the part: the dense output of lambda at each point, and one evaluation
  // there.
  inside_ = lambda_;
  for (int j = 1; j + 1 < TableQuadrature::points; ++j) {
    const double theta = static_cast<double>(j) / (TableQuadrature::points - 1), rest = 1 - theta;
    inside_.topRows(part.x0.rows()) =
        part.x0 + theta * (part.F[0] + rest * (part.F[1] + theta * (part.F[2] + rest * part.F[3])));
    if (!rate_at(piece, part.t + theta * part.h, inside_, stage_)) return false;
    at[static_cast<std::size_t>(j)] = look_ups();
  }
  // One integral for each place of the equations that looks a table up; time runs backwards, hence -h.
  for (std::size_t column = 0; column < tables_.size(); ++column) {
    for (std::size_t use = 0; use < at.front()[column].size(); ++use) {
      std::array<TableLookUp, TableQuadrature::points> along;
      for (std::size_t j = 0; j < along.size(); ++j) along[j] = at[j][column][use];
      TableQuadrature(along, -part.h).add_to(tables_[column]);
    }
  }
  return true;
}

}  // namespace armature::internal
