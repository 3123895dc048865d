// Records made by simulation, with noise: the truth is known.
#pragma once

#include <cmath>
#include <random>

#include "identify/identification.hpp"
#include "support/run_model.hpp"

namespace armature::internal {

// Columns of a run of the model, each with normal noise of so much of its own spread.
inline MeasuredRecord made_record(const Model& model, const std::vector<std::string>& columns, double noise,
                                  unsigned seed) {
  const Simulation run = simulated(model);
  MeasuredRecord record{"made", run.column("t"), {}};
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  for (const std::string& name : columns) {
    std::vector<double> values = run.column(name);
    double sum = 0, squares = 0;
    for (const double x : values) sum += x, squares += x * x;
    const double n = static_cast<double>(values.size()), spread = std::sqrt(squares / n - sum / n * (sum / n));
    for (double& x : values) x += noise * spread * normal(generator);
    record.columns.push_back({name, "", {}, values});
  }
  return record;
}

inline const Estimate& estimate_of(const IdentifyResult& result, const std::string& name) {
  for (const Estimate& estimate : result.estimates)
    if (estimate.name == name) return estimate;
  throw std::out_of_range(name);
}

inline bool covers(const Estimate& estimate, double truth) {
  return std::abs(estimate.value - truth) <= estimate.half_width;
}

// The twelve motor and link parameters of models/measured/rrr.yaml, and its sensors.
inline const std::vector<std::string>& twelve_parameters() {
  static const std::vector<std::string> names{
      "K1", "K2", "K3", "R1", "R2", "R3", "b1", "b2", "b3", "crank_inertia", "rod_mass", "platform_mass"};
  return names;
}
inline std::vector<std::string> rrr_sensors() {
  return {"theta1", "theta2", "theta3", "motor1.current", "motor2.current", "motor3.current"};
}
inline IdentifyOptions twelve_fits() {
  IdentifyOptions options;
  for (const std::string& name : twelve_parameters()) options.fit.push_back({name});
  return options;
}
inline double parameter_value(const Model& model, const std::string& name) {
  return std::ranges::find(model.parameters, name, &Parameter::name)->value;
}

}  // namespace armature::internal
