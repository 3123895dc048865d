#include "dynamics/start_metric.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "system/system.hpp"

namespace armature::internal {

using Eigen::VectorXd;

namespace {

bool is_length(const Equations& equations, int velocity) {
  return equations.velocities[velocity].kind == Coordinate::Kind::length;
}

// Rows that are components of one vector, and by how much each velocity moves it: |column|^2 of the block.
struct Block {
  bool of_length = false;  // the vector is given in meters
  std::map<int, double> squares;

  void add(const SparseMatrix& A, int row) {
    for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry)
      squares[static_cast<int>(entry.col())] += entry.value() * entry.value();
  }
};

using Blocks = std::map<std::string, Block>;

std::string without_component(const std::string& name) { return name.substr(0, name.rfind('.')); }

Blocks blocks_of(const Equations& equations, const SparseMatrix& Phi, const std::vector<StartCondition>& conditions,
                 const SparseMatrix& J) {
  Blocks blocks;
  for (int i = 0; i < Phi.rows(); ++i) {
    const ConstraintRow& row = equations.rows[i];
    Block& block = blocks["row " + row.owner + " " + row.unit];
    block.of_length = row.unit == "m", block.add(Phi, i);
  }
  for (int i = 0; i < J.rows(); ++i) {
    Block& block = blocks["start " + without_component(conditions[i].name) + " " + conditions[i].unit];
    block.of_length = conditions[i].unit == "m", block.add(J, i);
  }
  return blocks;
}

// What one radian moves, over what one meter moves: a length in whatever unit the vector has.
struct Arms {
  double squares = 0, fourth_powers = 0;

  void add(const Block& block, const Equations& equations) {
    double meter = block.of_length ? 1 : 0;
    for (const auto& [velocity, square] : block.squares)
      if (is_length(equations, velocity)) meter = std::max(meter, square);
    if (!(meter > 0)) return;
    for (const auto& [velocity, square] : block.squares) {
      if (is_length(equations, velocity)) continue;
      squares += square / meter;
      fourth_powers += square / meter * (square / meter);
    }
  }
  double mean() const { return std::sqrt(fourth_powers / squares); }
};

bool is_length(double length) { return std::isfinite(length) && length > 0; }

}  // namespace

StartMetric::StartMetric(const Equations& equations)
    : equations_(equations), configuration_(equations), groups_(row_groups(equations)) {
  row_scale_.setOnes(static_cast<Eigen::Index>(equations.rows.size()));
  set_length(1);
}

void StartMetric::set_length(double length) {
  const int nv = configuration_.nv();
  length_ = length;
  typical_.setOnes(nv);
  weights_.resize(nv, nv);
  weights_.reserve(Eigen::VectorXi::Ones(nv));
  for (int j = 0; j < nv; ++j) {
    if (is_length(equations_, j)) typical_[j] = length;
    weights_.insert(j, j) = 1 / (typical_[j] * typical_[j]);
  }
}

void StartMetric::measure(const SparseTerms& terms, const std::vector<StartCondition>& conditions,
                          const SparseMatrix& J, const VectorXd& q) {
  Arms arms;
  for (const auto& [name, block] : blocks_of(equations_, terms.Phi, conditions, J)) arms.add(block, equations_);
  double length = arms.mean();
  if (!is_length(length)) {
    length = 0;
    for (int i = 0; i < q.size(); ++i)
      if (equations_.positions[i].kind == Coordinate::Kind::length) length = std::max(length, std::abs(q[i]));
  }
  set_length(is_length(length) ? length : 1);
  scale_rows(terms.Phi);
}

// Metres over L; radians as they are; rows of another unit over what a typical motion changes them by.
void StartMetric::scale_rows(const SparseMatrix& Phi) {
  std::map<int, double> largest;
  for (int i = 0; i < Phi.rows(); ++i)
    for (SparseMatrix::InnerIterator entry(Phi, i); entry; ++entry) {
      double& size = largest[groups_[i]];
      size = std::max(size, std::abs(entry.value()) * typical_[static_cast<int>(entry.col())]);
    }
  for (int i = 0; i < Phi.rows(); ++i) {
    const std::string& unit = equations_.rows[i].unit;
    row_scale_[i] = unit == "m"                                        ? 1 / length_
                    : unit == "rad" || !is_length(largest[groups_[i]]) ? 1
                                                                       : 1 / largest[groups_[i]];
  }
}

double StartMetric::scale(const std::string& unit) const { return unit == "m" || unit == "m/s" ? 1 / length_ : 1; }

VectorXd StartMetric::scales(const std::vector<StartCondition>& conditions) const {
  VectorXd scale(static_cast<Eigen::Index>(conditions.size()));
  for (std::size_t i = 0; i < conditions.size(); ++i)
    scale[static_cast<Eigen::Index>(i)] = this->scale(conditions[i].unit);
  return scale;
}

VectorXd StartMetric::difference(const VectorXd& from, const VectorXd& to) const {
  VectorXd dv = VectorXd::Zero(configuration_.nv());
  for (int j = 0; j < dv.size(); ++j)
    if (const int i = configuration_.position_of(j); i >= 0) dv[j] = to[i] - from[i];
  for (const auto& [position, velocity] : equations_.quaternions) {
    const double *a = from.data() + position, *b = to.data() + position;
    const double turned[4] = {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
        a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3], a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]};
    const double sine = std::hypot(turned[1], turned[2], turned[3]);
    if (sine == 0) continue;
    const double angle = 2 * std::atan2(sine, std::abs(turned[0]));  // q and -q are one turn
    for (int k = 0; k < 3; ++k) dv[velocity + k] = std::copysign(angle, turned[0]) * turned[1 + k] / sine;
  }
  return dv;
}

double StartMetric::norm(const VectorXd& dv) const { return dv.cwiseQuotient(typical_).norm(); }

}  // namespace armature::internal
