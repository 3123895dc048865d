// Figures of runs: channels by name, those of one unit in one panel, several runs on top of each other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/figure.hpp"

namespace armature::internal::plot {

struct RunFigureOptions {
  std::vector<std::string> channels;  // names, with * for any letters; empty: the coordinates
  std::string x = "t";                // channel of the horizontal axis
  bool logarithmic = false;           // vertical axes, of absolute values
  bool events = true;
  std::string title;
  std::vector<std::string> names;  // of the runs; those of their folders where there are too few
  std::optional<double> from, to;  // of x
};

// Runs by their folders. Throws RecordError where a run or a channel does not exist.
Figure figure_of_runs(const std::vector<std::filesystem::path>& runs, const RunFigureOptions& options);

}  // namespace armature::internal::plot
