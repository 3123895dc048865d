// Up to eight runs of one compiled model at once, on one thread: other parameters and starts, each with its own steps,
// events and end. Every lane is a Run; what costs the time (stages, projection, roots, samples) is computed for all lanes
// together, what happens now and then (an event, a comparison that slides, a nearly singular pose) by the lane alone. The result of
// a run has the same bits as that of follow(), whatever runs beside it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "dynamics/lane_dynamics.hpp"
#include "events/root_lanes.hpp"
#include "integrate/lane_integrator.hpp"
#include "observe/watcher.hpp"
#include "run/run.hpp"

namespace armature::internal {

class MotionLanes {
 public:
  // Explicit one-step methods with formulation `auto`; other runs go one by one.
  static bool possible(const Prepared& prepared);

  // observed: the program that the watchers look at, of the system's inputs (Layout).
  MotionLanes(const Prepared& prepared, std::shared_ptr<const Program> observed);
  ~MotionLanes();

  bool idle(int k) const { return !has(running_, k); }
  bool any() const { return running_ != 0; }
  // prepared: the same system and options as at first, but for absolute tolerances; both outlive the run.
  void begin(int k, const Prepared& prepared, SamplingWatcher& watcher);

  // One step tried in every lane. Lanes that ended are idle when `done` is called for them, and may begin again there.
  using Done = std::function<void(int k, const Outcome& outcome)>;
  void advance(const Progress& progress, const Done& done);

  // Host of step::advance.
  step::Tried<lane_count> attempt(LaneMask lanes);
  LaneMask show_all(LaneMask lanes);
  LaneMask find_changes(LaneMask lanes);
  LaneMask watch(LaneMask lanes);
  LaneMask move(LaneMask lanes);
  LaneMask follow(LaneMask lanes);
  LaneMask settle(LaneMask lanes);

 private:
  struct Lane {
    std::unique_ptr<Dynamics> dynamics;
    std::optional<Run> run;
    SamplingWatcher* watcher = nullptr;
  };
  Lane& at(int k) { return lanes_[static_cast<std::size_t>(k)]; }
  RunMotion& motion(int k) { return at(k).run->motion(); }
  double end_seen(int k);  // of what is seen of the step: its end, or a change
  void end(int k, const Outcome& outcome, const Done& done);

  LaneDynamics dynamics_;
  std::shared_ptr<const WatchedTerms> terms_;
  std::unique_ptr<LaneIntegrator> integrator_;
  RootLanes roots_;
  std::array<Lane, lane_count> lanes_;
  LaneMask running_ = 0;
  LaneMask anew_ = 0;  // what is held may be other than what is held in dynamics_
  Evaluator observed_;
  int outputs_;
  std::vector<int> compared_;      // comparisons that the outputs depend on
  std::vector<LaneRow> x_, seen_;  // states, outputs of `observed` at the samples of a step
  std::vector<double> one_;        // of one lane
};

}  // namespace armature::internal
