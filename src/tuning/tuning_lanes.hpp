// One thread's runs for tuning, eight pairs of gains at once: the numbers of TuningRun.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/lane_dynamics.hpp"
#include "integrate/lane_integrator.hpp"
#include "study/cells.hpp"
#include "tuning/tuning_run.hpp"

namespace armature::internal {

class TuningLanes {
 public:
  static bool possible(const TuningMachine& machine);
  TuningLanes(std::shared_ptr<const TuningMachine> machine, double speed_limit);

  // Cells of the grid, alpha fastest: when the run was lost (NaN: it was not), E1, E2.
  void run(const std::vector<double>& alpha, const std::vector<double>& beta, int lanes, CellFeed& feed);

 private:
  struct Lane {
    std::unique_ptr<Dynamics> dynamics;
    State state;
    step::TuningTrack track;
    long index = 0;
  };
  Lane& at(int k) { return lanes_[static_cast<std::size_t>(k)]; }
  void fill(int k);
  void begin(int k, double alpha, double beta);
  void advance();
  void follow_step(LaneMask lanes);
  LaneMask look(LaneMask lanes);  // lanes that are lost
  bool full_rank(int k);
  void finish(int k, const TuningErrors& errors);
  void set_states(LaneMask lanes);

  std::shared_ptr<const TuningMachine> machine_;
  step::TuningMeasure measure_;
  LaneDynamics dynamics_;
  std::unique_ptr<LaneIntegrator> integrator_;
  Evaluator program_;  // tuning_outputs()
  std::vector<Lane> lanes_;
  LaneMask running_ = 0;
  LaneRow t_{};
  std::vector<LaneRow> x_;
  std::vector<double> outputs_;  // of one lane
  const std::vector<double>*alpha_ = nullptr, *beta_ = nullptr;
  CellFeed* feed_ = nullptr;
};

}  // namespace armature::internal
