// What the studies have in common: ranges, options and tables.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "call.hpp"

namespace armature::python {

using Over = std::vector<std::tuple<std::string, double, double, int, std::string>>;

inline std::vector<Axis> axes_of(const Over& over) {
  std::vector<Axis> axes;
  for (const auto& [name, from, to, count, law] : over) axes.push_back({name, from, to, count, law});
  return axes;
}

inline StudyOptions options_of(int threads, Watch& watch, bool errors) {
  StudyOptions options;
  options.threads = threads;
  options.errors = errors;
  options.progress = [&watch](long done, long count) { return watch(done, count); };
  return options;
}

inline py::array_t<double> table_of(const std::vector<std::vector<double>>& rows) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  py::array_t<double> table({static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
  for (std::size_t k = 0; k < rows.size(); ++k)
    std::copy(rows[k].begin(), rows[k].end(), table.mutable_data() + k * columns);
  return table;
}

inline py::array_t<double> columns_of(const std::vector<std::vector<double>>& columns) {
  return table_of(columns).attr("T").attr("copy")();
}

template <class Compute>
auto compute(int threads, py::object progress, const Compute& compute, bool errors = false) {
  Watch watch(std::move(progress));
  return computed(watch, [&] { return compute(options_of(threads, watch, errors)); });
}

}  // namespace armature::python
