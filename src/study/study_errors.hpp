// The errors of a study: a few of its motions, evenly over those that finished, are repeated with another integrator, a hundredth of
// the tolerance and steps of half a row at most (inspect/repeats.hpp). Which ones does not depend on how fast the computer is. All of
// them are known in time, or no error is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "read/reader.hpp"
#include "study/map.hpp"
#include "study/optimization.hpp"
#include "study/sweep.hpp"

namespace armature::internal {

struct StudyErrors {
  std::string how;                   // the repetition
  std::string missing;               // why there are none; empty: there are
  long motions = 0;                  // that were repeated …
  std::vector<long> cells;           // … as cells of a sweep or a map
  std::vector<double> worst;         // the largest error of each result; of an optimum, that of its objective
  std::vector<long> of_other_class;  // of a map: cells whose class is another one when repeated
};

// For how long, s, and whether anybody still waits.
struct ErrorTime {
  double seconds = 0;
  std::function<bool()> going = {};
};

StudyErrors errors_of(const Model& model, const Settings& settings, const SweepOptions& options,
                      const SweepResult& sweep, const ErrorTime& time);
StudyErrors errors_of(const Model& model, const MapOptions& options, const MapResult& map, const ErrorTime& time);
// Of the best motion.
StudyErrors errors_of(const Model& model, const Settings& settings, const OptimizationOptions& options,
                      const OptimizationResult& found, const ErrorTime& time);

// Up to so many of the cells, evenly.
std::vector<long> evenly_chosen(const std::vector<long>& cells, std::size_t most);

}  // namespace armature::internal
