// Points of a table as variables: "torque[3]" is the third value of the table torque. Such a table is looked up in the compiled programs, and
// its values change in place from motion to motion, so that nothing is compiled again. A study of such motions therefore runs on one thread.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expression/graph.hpp"
#include "model/model.hpp"

namespace armature::internal {

class VariedTable {
 public:
  // Throws FormulaError where its points cannot be varied: it is no linear table that holds its end values.
  VariedTable(const std::string& name, const Table& table);

  const std::string& name() const { return name_; }
  std::shared_ptr<const Table> table() const { return table_; }  // what the compiled model looks up
  const std::vector<double>& knots() const { return knots_; }
  std::size_t size() const { return knots_.size(); }
  const std::vector<double>& values() const { return values_; }  // as in the model

  void vary(std::size_t point, std::size_t variable) { variables_[point] = variable; }
  // The table with the values of the variables at a point of the study.
  std::vector<double> values_at(std::span<const double> variables) const;
  void move_to(std::span<const double> variables) const;
  std::shared_ptr<const Table> table_at(std::span<const double> variables) const;  // another one

  // The gradient by the variables gains that by the points of table().
  template <class Gradient, class Row>
  void add_gradient(const Gradient& by_points, Row&& by_variables) const {
    const std::size_t last = size() - 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(by_points.size()); ++k) {
      const std::size_t point = k == 0 ? 0 : std::min(k - 1, last);  // what lies beyond the ends holds their values
      if (variables_[point]) by_variables[static_cast<long>(*variables_[point])] += by_points[static_cast<long>(k)];
    }
  }

 private:
  void fill(const std::vector<double>& values, Table& table) const;

  std::string name_;
  std::vector<double> knots_, values_;
  std::vector<std::optional<std::size_t>> variables_;  // of each point
  std::shared_ptr<Table> table_;
};

// "torque[3]": the table and the point, from 0; nothing: it is another name.
struct TablePoint {
  std::string table;
  std::size_t point = 0;
};
std::optional<TablePoint> table_point(const Model& model, const std::string& name);

// The names of all elements where `name` is a list of parameters or a table, else the name.
std::vector<std::string> element_names(const Model& model, const std::string& name);

}  // namespace armature::internal
