// A model as the tests run it: read, compiled, assembled, simulated, its rows kept in memory.
//
//   Model model = shipped("n_four_bar", {{"N", "10"}});
//   model.simulate.rtol = 1e-11;
//   const Simulation run = simulated(model);
//   EXPECT_NEAR(run.last("B0.x"), 0.328, 1e-8);
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "prepare/prepare.hpp"
#include "read/reader.hpp"
#include "record/recorder.hpp"
#include "run/simulate.hpp"
#include "support/paths.hpp"

namespace armature::internal {

// The names of all files of models/, in order.
inline std::vector<std::string> shipped_models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(source_directory) + "/models"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

// A file of models/.
inline Model shipped(const std::string& name, const Settings& settings = {}) {
  return read_model(std::string(source_directory) + "/models/" + name + ".yaml", settings);
}

// Compiled and assembled; fails the test where there is no start.
inline Prepared prepared(const Model& model) {
  Prepared result = compile(model);
  assemble_start(result);
  EXPECT_EQ(result.failure, "");
  return result;
}

inline Prepared prepared_text(const std::string& text) { return prepared(read_model_text("armature: 1\n" + text)); }

struct Simulation {
  Prepared prepared;
  MemoryRecorder record;
  Outcome outcome;

  std::vector<double> column(const std::string& channel) const {
    std::vector<double> values = record.column(channel);
    if (values.empty()) throw std::out_of_range("no channel " + channel);
    return values;
  }
  double at(int row, const std::string& channel) const { return column(channel).at(row); }
  double last(const std::string& channel) const { return column(channel).back(); }

  // At any time inside the run, by the cubic through two rows with their rates: error O(record^4).
  double between_rows(double t, const std::string& channel) const {
    const auto time = column("t"), x = column(channel), rate = column(channel + "'");
    const auto next =
        std::clamp<std::ptrdiff_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin(), 1, time.size() - 1);
    const double h = time[next] - time[next - 1], s = (t - time[next - 1]) / h;
    const double x0 = x[next - 1], x1 = x[next], v0 = h * rate[next - 1], v1 = h * rate[next];
    return x0 + s * (v0 + s * (3 * (x1 - x0) - 2 * v0 - v1 + s * (2 * (x0 - x1) + v0 + v1)));
  }
  // The first time at which a growing channel reaches a value.
  double time_of(const std::string& channel, double value) const {
    const auto time = column("t"), x = column(channel);
    const auto after = std::find_if(x.begin(), x.end(), [&](double y) { return y >= value; });
    if (after == x.begin() || after == x.end()) throw std::out_of_range(channel + " does not reach the value");
    double a = time[after - x.begin() - 1], b = time[after - x.begin()];
    for (int k = 0; k < 60; ++k) (between_rows(0.5 * (a + b), channel) < value ? a : b) = 0.5 * (a + b);
    return b;
  }
};

inline Simulation simulated(Prepared start) {
  Simulation run{std::move(start), {}, {}};
  run.outcome = simulate(run.prepared, run.record);
  return run;
}

// Fails the test where the run does not reach its end.
inline Simulation simulated(const Model& model) {
  Simulation run = simulated(prepared(model));
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  return run;
}

// A model given by its text, without the line of the format's version.
inline Simulation simulated_text(const std::string& text) { return simulated(read_model_text("armature: 1\n" + text)); }

}  // namespace armature::internal
