// What a number of the motion owes to the points of tables.
//
// A linear table is c_0 + c_1 s between two knots, s = x - knot. Where it is looked up at x with the adjoint y~, the coefficients of that
// piece gain
//
//   c_0~ += y~        c_1~ += y~ s        (of its slope: c_1~ += y~)
//
// and, since they follow from the points by a linear map, so do the points by its transpose, once at the end.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

// A look-up at one time of the motion.
struct TableLookUp {
  int table = 0, derivative = 0;  // its number in the graph
  double argument = 0, adjoint = 0;
};

class TableGradient {
 public:
  TableGradient() = default;
  // moving: the tables of the graph whose points are differentiated by; they are linear.
  TableGradient(const std::vector<std::shared_ptr<const Table>>& tables, const std::vector<int>& moving);

  void set_zero();
  bool empty() const { return tables_.empty(); }
  void add(const TableLookUp& look_up, double factor = 1);
  void add(const std::vector<TableLookUp>& look_ups, double factor = 1) {
    for (const TableLookUp& look_up : look_ups) add(look_up, factor);
  }
  // By the points of a table, in their order.
  Eigen::VectorXd by_points(int table) const;

  struct Coefficients {
    int number = 0;  // in the graph
    std::shared_ptr<const Table> table;
    std::vector<std::array<double, 2>> adjoint;  // of c_0 and c_1
  };
  const Coefficients& of(int table) const;

 private:
  std::vector<Coefficients> tables_;
};

}  // namespace armature::internal
