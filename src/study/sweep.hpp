// A sweep: numbers of the motion over many parameters and start values, with their distribution and how much of their variance each
// variable explains by itself.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "step/lanes.hpp"
#include "study/card_cells.hpp"
#include "study/cell_session.hpp"
#include "study/design.hpp"
#include "study/motion_diagnostics.hpp"
#include "study/statistics.hpp"

namespace armature::internal {

struct PointList {
  std::vector<std::string> names;
  Points points;
};

struct SweepOptions {
  std::vector<Axis> over;                                    // a grid: each axis with its count; else without
  std::vector<std::pair<std::string, std::string>> results;  // name, formula over the motion (motion_formula.hpp)
  int latin = 0;                                             // so many points of a Latin hypercube …
  int sobol = 0;                                             // … or of a Sobol sequence, in place of the grid …
  unsigned seed = 1;
  std::optional<PointList> list = {};  // … or these points, in place of `over`
  int lanes = lane_count;              // motions at once in a thread, 1 to 8; the results are the same
  bool inverse = false;                // the motion is that of `inverse`
  Cards cards = {};                    // compute the motions, with the same results

  bool grid() const { return latin == 0 && sobol == 0 && !list; }
};

struct SweepResult {
  std::vector<Axis> over;              // of a grid
  std::vector<std::string> variables;  // names
  std::vector<std::string> results;    // names
  std::vector<std::string> units;      // of the results; empty where there is none, or it is not known
  bool grid = false;
  bool complete = false;  // false: stopped; of what follows only `points` is known

  // One entry per point.
  Points points;
  std::vector<std::vector<double>> values;  // by result; NaN where the motion did not get to its end
  std::vector<MotionStatus> status;
  std::vector<double> warning_bits;  // motion_warnings.hpp

  struct Statistics {
    Distribution distribution;
    std::vector<double> main_effects;  // one per variable
  };
  std::vector<Statistics> statistics;  // one per result
  MotionDiagnostics failures, warnings;
  std::string sentence;  // "25 motions, 2 failed"
  CardShares shares;     // of cards and processor, where there are cards
};

// Throws ModelError, RequestError and, with a folder, RecordError.
SweepResult sweep_motions(const Model& model, const SweepOptions& options, CellSession& session);

}  // namespace armature::internal
