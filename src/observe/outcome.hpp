// How a run ended: a status, one sentence, and what was counted on the way.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "events/run_event.hpp"
#include "integrate/integrator.hpp"
#include "model/finding.hpp"
#include "system/state.hpp"

namespace armature::internal {

enum class RunStatus {
  finished,  // reached the end
  stopped,   // Progress asked to stop: Ctrl-C
  failed,    // a step or the start failed; the sentence says where, when, and what to try
};

// The largest size of a quantity during a run.
struct Peak {
  std::string name, unit;
  double value = 0, t = 0;
};

// The row of the constraints that was open most, as a share of its size (constraint_gaps.hpp).
struct ConstraintGap {
  int row = -1;  // of Equations::rows; -1: none
  double t = 0, gap = 0, share = 0;
};

struct RunStatistics {
  IntegratorStatistics integrator;
  long rows = 0;                            // recorded
  long near_singular = 0;                   // evaluations whose smallest pivot was below 1e-4 of its scale
  int smallest_rank = -1, constraints = 0;  // of Phi along the run (-1: not known), of all its rows
  void take_rank(int rank) {                // -1: there is none
    if (rank >= 0) smallest_rank = smallest_rank < 0 ? rank : std::min(smallest_rank, rank);
  }
  double position_error = 0;      // largest |phi| of a recorded row
  double velocity_error = 0;      // largest |phidot| of a recorded row
  ConstraintGap gap;              // the largest of a recorded row
  double energy_error = 0;        // largest |E - E(0) - work|, J
  double energy_size = 0;         // the most energy that was in motion, J
  double stabilization_work = 0;  // largest |work.stabilization|, J
  double seconds = 0;             // wall time of the loop
};

struct Outcome {
  RunStatus status = RunStatus::finished;
  std::string sentence;
  RunStatistics statistics;
  Findings findings;
  std::vector<std::string> warnings() const { return warnings_among(findings); }
  std::vector<RunEvent> events;
  std::vector<Peak> peaks;  // of the motors' currents
  State last;               // enough to continue exactly
};

}  // namespace armature::internal
