// A measured record: a CSV file with a line of names and units, a column of times, and columns of numbers.
//
//   t [s],theta1 [deg],motor1.current [A]
//   0,12.5,0.31
//   0.001,,0.33          an empty field, nan: not measured
//
// Times and values are converted to SI. The header is that of trajectory.csv; a unit that is missing is the one of SI.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "expression/units.hpp"

namespace armature::internal {

struct MeasuredColumn {
  std::string name;
  std::string unit;                    // as in the header
  std::optional<Dimension> dimension;  // where there is a unit
  std::vector<double> values;          // SI; NaN: not measured
};

struct MeasuredRecord {
  std::string file;
  std::vector<double> t;  // s, increasing
  std::vector<MeasuredColumn> columns;
};

// Throws RequestError: "run1.csv:12: …".
MeasuredRecord read_measured(const std::string& file);

}  // namespace armature::internal
