// A map: the class of the motion over a grid of parameters and start values. Boxes of the grid whose corners are of several classes can
// be halved again and again, so that the boundary between classes is known more exactly than the grid tells.
#pragma once

#include <string>
#include <vector>

#include "step/lanes.hpp"
#include "study/card_cells.hpp"
#include "study/cell_session.hpp"
#include "study/design.hpp"
#include "study/lattice.hpp"
#include "study/motion_diagnostics.hpp"

namespace armature::internal {

struct MapOptions {
  std::vector<Axis> over;  // the grid: each axis with its count
  std::string classify;    // "never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped" (classes.hpp)
  int refine = 0;          // boxes at a boundary are halved so many times
  int lanes = lane_count;  // motions at once in a thread, 1 to 8; the results are the same
  Cards cards = {};        // compute the motions, with the same results
};

struct MapResult {
  std::vector<Axis> over;
  std::vector<std::string> classes;  // names
  bool complete = false;             // false: stopped; of what follows only `points` is known

  // One entry per node: those of the grid, then those of the refinement, level by level.
  Points points;
  std::vector<int> level;
  std::vector<int> motion_class;         // -1: the motion failed
  std::vector<double> decided;           // s: the time at which the class was known
  std::vector<double> warning_bits;      // motion_warnings.hpp
  std::vector<Lattice::Border> borders;  // pairs of neighbors whose classes differ

  std::vector<long> counts;  // nodes of the grid itself by class …
  long failed = 0;           // … and those whose motion failed
  MotionDiagnostics failures, warnings;
  std::string sentence;  // "12 turns, 13 rests"
  CardShares shares;     // of cards and processor, where there are cards
  // Of one variable: "w0 = 1.28677 ± 5e-05: rests | turns" for each border, in order.
  std::vector<std::string> border_sentences() const;

  std::string class_name(long node) const;  // "failed" where the motion did
};

// Throws ModelError, RequestError and, with a folder, RecordError.
MapResult map_motions(const Model& model, const MapOptions& options, CellSession& session);

}  // namespace armature::internal
