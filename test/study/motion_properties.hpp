// What must hold for the motion of every shipped model, over its first half second, or what the file asks for if that is less.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "force/effort.hpp"
#include "inspect/agreement.hpp"
#include "inspect/repeated_run.hpp"
#include "inspect/repeats.hpp"
#include "inverse/inverse.hpp"
#include "model/request_error.hpp"
#include "prepare/branches.hpp"
#include "study/motion_results.hpp"
#include "study/row_results.hpp"
#include "study/sweep.hpp"
#include "support/run_model.hpp"

namespace armature::internal {

// A run promises three digits less than its tolerance (inspect/verify.cpp): those of the models are 1e-8 and below.
constexpr double promised_share = 1e-5;

// Those of all folders that move: data of motors, and robots of other formats, do not.
inline std::vector<std::string> all_moving_models() {
  const std::filesystem::path models = std::string(source_directory) + "/models";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    const std::string name = std::filesystem::relative(entry.path(), models).replace_extension().string();
    const bool is_motor = name.find("motors/") != name.npos;
    if (entry.path().extension() == ".yaml" && !is_motor && !name.starts_with("robots/")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

inline std::string name_of_test(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '/', '_');
  return name;
}

inline Model short_motion(const std::string& name) {
  Model model = shipped(name);
  model.simulate.end = std::min(model.simulate.end, 0.5);
  model.simulate.record = model.simulate.end / 50;
  return model;
}

// Of positions and velocities.
inline std::vector<double> scales_of(const Simulation& run) {
  const ChannelScales scales = channel_scales(run.record, run.prepared);
  const Equations& e = run.prepared.system->equations();
  std::vector<double> list;
  for (const auto* coordinates : {&e.positions, &e.velocities})
    for (const Coordinate& coordinate : *coordinates) list.push_back(scales.at(coordinate.name));
  return list;
}

inline void expect_goes_on_from_its_middle(const Model& model) {
  const Simulation whole = simulated(model);
  ASSERT_EQ(whole.outcome.status, RunStatus::finished) << whole.outcome.sentence;
  Model half = model;
  half.simulate.end /= 2;
  const Simulation first = simulated(half);
  Prepared second = compile(model);
  assemble_start(second, first.outcome.last);
  const Simulation rest = simulated(std::move(second));
  const std::vector<double> scales = scales_of(whole);
  for (std::size_t k = 0; k < scales.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    EXPECT_NEAR(rest.outcome.last.x[i], whole.outcome.last.x[i], promised_share * scales[k]) << k;
  }
}

// Of the first parameter that can be varied, at its own value.
inline void expect_same_as_a_cell_of_a_sweep(const Model& model) {
  const Simulation run = simulated(model);
  const std::string q = run.prepared.system->equations().positions.at(0).name;
  const std::vector<std::pair<std::string, std::string>> results{{"last", "final(" + q + ")"}};
  const double alone = MotionResults(model, results).compute({}).numbers.at(0).second;
  EXPECT_NEAR(alone, run.outcome.last.x[0], promised_share * scales_of(run)[0]);
  for (const Parameter& parameter : model.parameters) try {
      CellSession session;
      const PointList here{{parameter.name}, {1, {parameter.value}}};
      const SweepResult sweep = sweep_motions(model, {.over = {}, .results = results, .list = here}, session);
      ASSERT_EQ(sweep.failures.count, 0) << sweep.sentence;
      EXPECT_NEAR(sweep.values.at(0).at(0), alone, promised_share * scales_of(run)[0]) << parameter.name;
      return;
    } catch (const RequestError&) {  // a number of parts, an axis: the next one
    }
}

// Another integrator at a hundredth of the tolerance, which may not know all that the model has.
inline void expect_same_by_another_integrator(const Model& model, const std::string& integrator) {
  const Simulation run = simulated(model);
  const Repeat exact = repeated(model, run.prepared, {.how = integrator, .integrator = integrator, .tolerance = 0.01});
  const RepeatedRun other = run_again(exact.prepared, 1, {});
  if (other.outcome.status != RunStatus::finished) GTEST_SKIP() << other.outcome.sentence;
  const std::vector<double> scales = scales_of(run);
  for (std::size_t k = 0; k < scales.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    EXPECT_NEAR(run.outcome.last.x[i], other.outcome.last.x[i], promised_share * scales[k]) << k;
  }
}

// Results are located between rows; rows of 1e-5 s hold them to second order in that time, and to first order at an impact.
inline void expect_results_of_fine_rows(Model model) {
  model.simulate.end = std::min(model.simulate.end, 0.1);
  const Simulation coarse = simulated(model);
  const std::string q = coarse.prepared.system->equations().positions.at(0).name;
  std::vector<std::pair<std::string, std::string>> results{{"highest", "max(" + q + ")"},
                                                           {"lowest", "min(" + q + ")"},
                                                           {"mean", "mean(" + q + "^2)"},
                                                           {"integral", "integral(sin(" + q + "))"}};
  const double from = coarse.at(0, q), to = coarse.last(q);
  if (std::abs(to - from) > 1e-6)
    results.emplace_back("first", fmt::format("first({} {} {:.17g})", q, to > from ? ">" : "<", 0.5 * (from + to)));
  const NamedNumbers located = MotionResults(model, results).compute({});
  model.simulate.record = 1e-5;
  const RowResults of_rows(model, results);
  MemoryRecorder kept;
  RowGatherer rows = of_rows.gatherer(kept);
  const Model observed = of_rows.model();
  ASSERT_EQ(simulate(prepared(observed), rows).status, RunStatus::finished);
  const RunRecord::Numbers fine = of_rows.numbers(rows).numbers;
  double largest = 1e-300, fastest = 0;
  for (const double x : kept.column(q)) largest = std::max(largest, std::abs(x));
  for (const double v : kept.column(q + "'")) fastest = std::max(fastest, std::abs(v));
  for (std::size_t k = 0; k < results.size(); ++k) {
    const auto& [name, value] = located.numbers[k];
    const double expected = fine[k].second;
    if (name == "first") {
      EXPECT_TRUE(std::abs(value - expected) <= 1.1e-5 || value == expected)
          << name << ": " << value << " " << expected;
      continue;
    }
    EXPECT_NEAR(value, expected, promised_share * std::max(largest, largest * largest) + 1e-5 * fastest) << name;
  }
}

// Each coordinate of an independent set swings by a twentieth of a radian or meter about its start. Efforts that inverse dynamics finds
// for that, as splines of its rows, then drive the machine. False: the model has drives, comparisons or states of its own, or nothing
// to be moved.
inline bool inverse_then_run_gives_the_motion(Model model) {
  constexpr double end = 0.2, swing = 0.05;
  if (!model.drives.empty() || !model.controllers.empty() || !model.prescribed.empty() || !model.tables.empty())
    return false;
  Prepared start = compile(model);
  assemble_start(start);
  if (!start.failure.empty() || start.system->layout().nw > 0 || start.degrees_of_freedom > 6) return false;
  model.start.near.insert(model.start.near.end(), model.start.keep.begin(), model.start.keep.end());
  model.start.keep.clear(), model.start.speed_keep.clear(), model.start.speed_near.clear();
  model.motion.clear(), model.actuators.clear();
  const std::vector<std::string> independent = find_branches(compile(model)).held;
  if (independent.empty() || static_cast<int>(independent.size()) != start.degrees_of_freedom) return false;
  const Equations& e = start.system->equations();
  const auto at_start = [&](const std::string& q) {
    const auto found = std::ranges::find(e.positions, q, &Coordinate::name);
    return start.start.x[found - e.positions.begin()];
  };
  model.simulate.end = end, model.simulate.record = 2e-4;
  model.simulate.rtol = 1e-10;
  for (const std::string& q : independent) {
    const std::string motion = fmt::format("{:.17g} + {}*sin(pi*t/{})^2", at_start(q), swing, end);
    model.motion.push_back({q, {}, parse_formula(motion, {})});
    model.actuators.push_back(q);
  }
  Prepared moved = compile_inverse(model);
  assemble_start(moved);
  if (!moved.failure.empty()) return false;
  MemoryRecorder found;
  if (inverse(model, moved, found).status != RunStatus::finished) return false;  // beyond its workspace
  Model driven = model;
  driven.motion.clear(), driven.actuators.clear();
  for (const std::string& q : independent) {
    driven.tables["fed_" + q] = std::make_shared<Table>(Table::spline(found.column("t"), found.column("effort." + q)));
    driven.forces.push_back(make_effort("fed " + q, {}, q, parse_formula("fed_" + q + "(t)", {})));
    StartEntry entry;
    entry.name = q, entry.value = parse_formula(fmt::format("{:.17g}", at_start(q)), {});
    driven.start.keep.push_back(entry);
  }
  for (std::size_t i = 0; i < e.positions.size(); ++i) {  // the same way to close the loops
    StartEntry entry;
    const std::string& q = e.positions[i].name;
    entry.name = q, entry.value = parse_formula(fmt::format("{:.17g}", found.column(q).front()), {});
    if (std::ranges::count(independent, q) == 0 && e.positions[i].kind != Coordinate::Kind::quaternion)
      driven.start.near.push_back(entry);
  }
  const Simulation run = simulated(driven);
  for (const std::string& q : independent) {
    const auto t = run.column("t"), x = run.column(q);
    for (std::size_t k = 0; k < t.size(); k += 50)
      EXPECT_NEAR(x[k], at_start(q) + swing * std::pow(std::sin(M_PI * t[k] / end), 2), 1e-6) << q << " at " << t[k];
  }
  return true;
}

}  // namespace armature::internal
