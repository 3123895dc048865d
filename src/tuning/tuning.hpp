// Choosing Baumgarte's gains: runs over a grid of (alpha, beta) with one integrator and one step, and how far each leaves
// the constraints (or leads a point astray).
//
//   E1 = (1/T) sqrt(int |position error|^2 dt),   E2 the same of velocity,   e = sqrt(c E1^2 + d E2^2)
//
// by the trapezoidal rule over the steps, both ends included (Lyu & Liu, Math. Probl. Eng. 2018). A run is lost when a number
// is not finite, a speed exceeds a limit, or the constraints turn singular: det Phi changes sign where Phi is square, else
// Phi loses rank. Gains whose run is not lost are selectable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "step/lanes.hpp"
#include "study/card_cells.hpp"
#include "study/cells.hpp"
#include "tuning/stability_region.hpp"

namespace armature::internal {

struct TuningOptions {
  std::vector<double> alpha, beta;  // the grid, 1/s and 1/s^2; empty: 40 values each that cover the stability region
  double c = 0.5, d = 0.5;          // weights of E1 and E2
  std::string of;                   // a constraint, or a point or formula; empty: all constraints
  double speed_limit = 1e3;         // rad/s or m/s
  int refine = 0;                   // further grids around the best cell, each over its neighbors in the range
  int threads = 0;                  // 0: one per core
  int lanes = lane_count;           // runs at once in a thread, 1 to 8; the numbers are the same
  CellRunner cells = {};            // who computes the runs; empty: threads of this process
  Cards cards = {};                 // compute the grids; the numbers are the same
};

struct TuningCell {
  double alpha = 0, beta = 0;
  bool stable = false;           // (alpha h, beta h^2) lies in the stability region
  double lost = 0;               // when the run was lost, s; NaN: it was not
  double E1 = 0, E2 = 0, e = 0;  // NaN where the run was lost
  bool selectable() const;
};

struct TuningGrid {
  std::vector<double> alpha, beta;
  std::vector<TuningCell> cells;  // alpha runs fastest
  // The cell of least E1, E2 or e among those that are selectable; null: none is.
  const TuningCell* least(double TuningCell::*what) const;
  long selectable() const;
};

struct Tuning {
  std::string integrator, of;
  double step = 0, end = 0;  // s
  std::optional<StabilityRegion> region;
  std::vector<TuningGrid> grids;        // the first, then refinements
  TuningCell none, projection;          // without stabilization, and with projection in its place
  TuningCell best;                      // of least e over all grids
  bool found = false, complete = true;  // complete: no run was left out
  long runs = 0;                        // that it takes, as far as is known
  bool on_border = false;               // the best lies on the border of the range
  double seconds = 0;                   // of the first grid
  bool preview = false;                 // in single precision
  CardShares shares;                    // of cards and processor in the grids, where there are cards
};

// Throws ModelError, RequestError where there is nothing to tune, ComputationError where there is no motion.
Tuning tune(const Model& model, const TuningOptions& options);
struct TuningMachine;  // tuning_run.hpp
Tuning tune(std::shared_ptr<const TuningMachine> machine, const TuningOptions& options);
constexpr int tuning_width = 3;  // numbers that a run gives: when it was lost, E1, E2

// Why these gains, in a sentence or two.
std::string recommendation(const Tuning& tuning);

}  // namespace armature::internal
