// The integral of one look-up over a short time, for the points of its table: adjoint and argument are polynomials through five points at equal
// distances, and the table has its corners at the knots that the argument passes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sensitivity/table_gradient.hpp"

namespace armature::internal {

class TableQuadrature {
 public:
  static constexpr int points = 5;
  using Values = std::array<double, points>;

  // length: of the time, s
  TableQuadrature(const std::array<TableLookUp, points>& along, double length) : use_(along.front()), length_(length) {
    for (std::size_t j = 0; j < points; ++j) argument_[j] = along[j].argument, adjoint_[j] = along[j].adjoint;
  }

  // Gauss's rule with three points, exact for the adjoint times s, between two knots.
  void add_to(TableGradient& gradient) {
    constexpr double node[] = {0.11270166537925831, 0.5, 0.8872983346207417}, weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    find_corners(gradient.of(use_.table).table->knots);
    for (std::size_t i = 0; i + 1 < corners_.size(); ++i) {
      const double width = corners_[i + 1] - corners_[i];
      for (int k = 0; k < 3; ++k) {
        const double theta = corners_[i] + node[k] * width;
        gradient.add({use_.table, use_.derivative, at(argument_, theta), at(adjoint_, theta)},
                     length_ * width * weight[k]);
      }
    }
  }

 private:
  // The polynomial through the values, at theta from 0 to 1 (Lagrange).
  static double at(const Values& values, double theta) {
    const double s = theta * (points - 1);
    const double a = s - 1, b = s - 2, c = s - 3, d = s - 4;
    return (values[0] * a * b * c * d - 4 * values[1] * s * b * c * d + 6 * values[2] * s * a * c * d -
            4 * values[3] * s * a * b * d + values[4] * s * a * b * c) /
           24;
  }

  // Where the argument passes a knot: between two of the points it goes one way.
  void find_corners(const std::vector<double>& knots) {
    corners_ = {0};
    for (std::size_t j = 0; j + 1 < points; ++j) {
      const double from = static_cast<double>(j) / (points - 1), to = static_cast<double>(j + 1) / (points - 1);
      const double low = std::min(argument_[j], argument_[j + 1]), high = std::max(argument_[j], argument_[j + 1]);
      for (auto knot = std::upper_bound(knots.begin(), knots.end(), low); knot != knots.end() && *knot < high; ++knot)
        corners_.push_back(passage(*knot, from, to, argument_[j], argument_[j + 1]));
      corners_.push_back(to);
    }
    std::sort(corners_.begin(), corners_.end());
  }

  // By the secant that keeps the knot between both ends.
  double passage(double knot, double from, double to, double at_from, double at_to) const {
    double theta = from;
    for (int k = 0; k < 60; ++k) {
      theta = from + (to - from) * (knot - at_from) / (at_to - at_from);
      const double here = at(argument_, theta);
      if (std::abs(here - knot) <= 1e-15 * std::max(std::abs(at_from), std::abs(at_to)) || to - from < 1e-12) break;
      ((here < knot) == (at_from < knot) ? from : to) = theta;
      ((here < knot) == (at_from < knot) ? at_from : at_to) = here;
    }
    return theta;
  }

  TableLookUp use_;
  double length_;
  Values argument_, adjoint_;
  std::vector<double> corners_;
};

}  // namespace armature::internal
