// Runs of a machine and of the same machine written differently, and what may differ between them.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <numbers>

#include "cases/similar_machines.hpp"
#include "support/random_draws.hpp"
#include "support/similar_runs.hpp"

namespace armature::internal {

inline void PrintTo(const SimilarMachine& machine, std::ostream* out) { *out << machine.name; }
inline std::string test_name(const testing::TestParamInfo<SimilarMachine>& info) { return info.param.name; }

// --- draws

inline double random_power_of_ten(double low, double high) { return std::pow(10, random_number(low, high)); }
inline double random_power_of_four() { return std::ldexp(1, 2 * random_integer(-10, 10)); }
inline unsigned random_seed() { return static_cast<unsigned>(random_integer(0, 1'000'000)); }

inline Eigen::Matrix3d random_turn(bool planar) {
  const Eigen::Vector3d axis(random_number(-1, 1), random_number(-1, 1), random_number(0.1, 1));
  Eigen::Matrix3d turn =
      Eigen::AngleAxisd(random_number(0, 2 * std::numbers::pi), planar ? Eigen::Vector3d(0, 0, 1) : axis.normalized())
          .toRotationMatrix();
  if (planar) turn.row(2) = Eigen::RowVector3d(0, 0, 1), turn.col(2) = Eigen::Vector3d(0, 0, 1);
  return turn;
}

inline Transformation random_transformation(Change change, bool planar) {
  Transformation to;
  switch (change) {
    case Change::units:
      to.length = random_power_of_ten(-6, 6), to.mass = random_power_of_ten(-6, 6),
      to.time = random_power_of_ten(-6, 0);
      break;
    case Change::exactly:
      to.length = random_power_of_four(), to.mass = random_power_of_four(), to.time = random_power_of_four();
      break;
    case Change::slower: to.time = random_power_of_ten(0, 6); break;
    case Change::world:
      to.turn = random_turn(planar);
      to.shift = {random_number(-100, 100), random_number(-100, 100), planar ? 0 : random_number(-100, 100)};
      break;
    case Change::mirror: to.turn = random_turn(planar) * Eigen::Vector3d(1, -1, 1).asDiagonal(); break;
    case Change::order: to.shuffle = random_seed(); break;
    case Change::names: to.rename = random_seed(); break;
    case Change::counting: to.recount = random_seed(); break;
  }
  return to;
}

// --- runs

constexpr double rtol = 1e-9;

struct Expectation {
  SimilarRuns runs;
  Difference own;  // from a run with a hundredth of its tolerance
};

inline Model model_with(const SimilarMachine& machine, double end, double tolerance) {
  Model model = model_of(machine);
  model.simulate.end = end, model.simulate.record = end / 20;
  model.simulate.rtol = tolerance;
  return model;
}

// Made once a machine.
inline const Expectation& expectation_of(const SimilarMachine& machine, double end) {
  static std::map<std::pair<std::string, double>, std::unique_ptr<Expectation>> known;
  std::unique_ptr<Expectation>& result = known[{machine.name, end}];
  if (result) return *result;
  result.reset(new Expectation{SimilarRuns(model_with(machine, end, rtol)), {}});
  const SimilarModel better(model_with(machine, end, rtol / 100), {});
  result->own = result->runs.difference(better, simulated(better.prepared()));
  return *result;
}

// Zeros are located, and what is said about a machine is said about every one like it.
inline void expect_same_report(const Simulation& first, const Simulation& second, const SimilarModel& similar,
                               double tolerance) {
  RC_ASSERT(second.outcome.events.size() == first.outcome.events.size());
  for (std::size_t i = 0; i < first.outcome.events.size(); ++i)
    RC_ASSERT(std::abs(similar.old_time(second.outcome.events[i].t) - first.outcome.events[i].t) <=
              tolerance * first.prepared.options.end);
  RC_ASSERT(second.outcome.warnings().size() == first.outcome.warnings().size());
  RC_ASSERT(second.prepared.findings.size() == first.prepared.findings.size());
  RC_ASSERT(second.prepared.notes.size() == first.prepared.notes.size());
}

// Round-off and errors of steps differ between two ways to write a machine, so they differ by as much as a run differs from a
// better one, times a number of order ten, or by ten tolerances. Where nothing is rounded, nothing differs.
inline void expect_same_motion(const SimilarMachine& machine, double end, Change change) {
  const auto& [runs, own] = expectation_of(machine, end);
  const Model model = model_with(machine, end, rtol);
  Transformation to = random_transformation(change, !model.plane.empty());
  to.frames_stay = machine.frames_stay;
  const SimilarModel similar(model, to);
  const Simulation second = simulated(similar.prepared());
  const Difference found = runs.difference(similar, second);
  RC_LOG() << "units " << to.length << " m, " << to.mass << " kg, " << to.time << " s; own errors " << own.motion
           << " and " << own.others << ", differences " << found.motion << " of " << found.worst_motion << " and "
           << found.others << " of " << found.worst_other << '\n';
  const double rounded = change == Change::exactly ? 0 : 1;
  RC_ASSERT(found.motion <= rounded * (30 * own.motion + 10 * rtol));
  RC_ASSERT(found.others <= rounded * (30 * own.others + 10 * rtol));
  expect_same_report(runs.first(), second, similar, rounded * (30 * own.motion + 10 * rtol));
}

// Every change that the machine takes.
inline void expect_same_motions(const SimilarMachine& machine, double end, int draws) {
  for (const Change change : all_changes()) {
    if (machine.left_out.contains(change)) continue;
    SCOPED_TRACE(to_string(change));
    for_random_draws(draws, [&] { expect_same_motion(machine, end, change); });
  }
}

}  // namespace armature::internal
