#include "sensitivity/table_gradient.hpp"

#include <algorithm>
#include <stdexcept>

namespace armature::internal {

using Eigen::VectorXd;

TableGradient::TableGradient(const std::vector<std::shared_ptr<const Table>>& tables, const std::vector<int>& moving) {
  for (const int number : moving) {
    const auto& table = tables[static_cast<std::size_t>(number)];
    tables_.push_back({number, table, std::vector<std::array<double, 2>>(table->coefficients.size())});
  }
}

void TableGradient::set_zero() {
  for (Coefficients& table : tables_) std::ranges::fill(table.adjoint, std::array<double, 2>{});
}

const TableGradient::Coefficients& TableGradient::of(int table) const {
  const auto found = std::ranges::find(tables_, table, &Coefficients::number);
  if (found == tables_.end()) throw std::logic_error("the points of this table do not move");
  return *found;
}

void TableGradient::add(const TableLookUp& look_up, double weight) {
  const int derivative = look_up.derivative;
  double x = look_up.argument;
  const auto found = std::ranges::find(tables_, look_up.table, &Coefficients::number);
  if (found == tables_.end() || derivative > 1) return;
  const Table& table = *found->table;
  // Where the look-up falls: a table that repeats is wrapped, one that holds its ends has no slope beyond them.
  const bool beyond = x < table.knots.front() || x > table.knots.back();
  if (table.repeat)
    x = table.wrapped(x);
  else if (table.hold && beyond) {
    if (derivative > 0) return;
    x = std::clamp(x, table.knots.front(), table.knots.back());
  }
  // On its piece the value is y + slope (x - knot): both coefficients take their share of the adjoint.
  const auto above = std::upper_bound(table.knots.begin() + 1, table.knots.end() - 1, x);
  const auto piece = static_cast<std::size_t>(above - table.knots.begin()) - 1;
  const double s = x - table.knots[piece];
  auto& [value, slope] = found->adjoint[piece];
  if (derivative == 0) value += weight * look_up.adjoint, slope += weight * look_up.adjoint * s;
  if (derivative == 1) slope += weight * look_up.adjoint;
}

// c_0 = y_i, c_1 = (y_{i+1} - y_i)/h, backwards.
VectorXd TableGradient::by_points(int number) const {
  const Coefficients& of_table = of(number);
  const std::vector<double>& x = of_table.table->knots;
  VectorXd y = VectorXd::Zero(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < of_table.adjoint.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const auto& [value, slope] = of_table.adjoint[i];
    const double per_point = slope / (x[i + 1] - x[i]);
    y[k] += value - per_point, y[k + 1] += per_point;
  }
  return y;
}

}  // namespace armature::internal
