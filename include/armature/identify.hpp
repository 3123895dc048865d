// Identification: the parameters for which the motion of a model fits measured records best.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "armature/study.hpp"

namespace armature {

// A parameter to fit, with its range in SI units. Without a range it keeps its sign and stays within a factor of 1000.
struct FittedParameter {
  std::string name;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

struct IdentifyQuestion {
  std::vector<FittedParameter> fit = {};
  std::vector<std::string> fit_start = {};  // start values by coordinate, speeds as "theta.v": each record has its own
  std::vector<std::string> offset = {};     // columns whose sensor has an unknown constant offset
  std::vector<std::string> use = {};        // columns to compare; empty: all
  std::vector<std::pair<std::string, double>> noise =
      {};                 // known standard deviations of columns, SI; others are estimated
  bool robust = false;    // reduce the weight of outliers (Huber's loss)
  int evaluations = 100;  // per search
  bool excite = false;    // also find the inputs of the next experiment
};

struct Estimated {
  std::string name, kind, unit;  // kind: "parameter", "start" or "offset"
  int record = 0;                // record of a start value, from 1; 0: all records
  double first = 0;              // where the search began
  double value = 0;
  double deviation = 0;      // standard deviation; infinite: the data do not determine it
  double low = 0, high = 0;  // 95 % confidence interval
  bool at_bound = false;
};

struct FittedColumn {
  std::string name, unit;
  int record = 1;
  double noise = 0;                                           // standard deviation by which the column is weighted
  double rms = 0;                                             // of the residuals
  double neighbor_correlation = 0;                            // of the residuals
  bool white = true;                                          // whether the residuals are white noise
  double peak_frequency = 0;                                  // Hz: frequency with most of their power
  std::vector<double> t = {}, measured = {}, simulated = {};  // NaN: not measured
};

struct Identified {
  bool converged = false;
  std::string sentence;
  std::vector<Estimated> estimates;
  std::vector<double> correlation;        // of the estimates, by rows; NaN: not determined
  std::vector<std::string> undetermined;  // in words: "only R/K is determined"
  std::vector<FittedColumn> columns;
  std::vector<std::string> notes, warnings;
  std::string text;  // model file with the estimates; empty if a value does not occur at a single place in it
  int evaluations = 0;
  // The next experiment, if requested: inputs whose record would be most informative.
  struct Excitation {
    std::vector<std::string> inputs;
    std::vector<double> t;           // s
    std::vector<double> values;      // SI, a row per time
    std::vector<double> deviations;  // of the fitted parameters after that record; infinite: not determined
  } excitation = {};
};

// records: CSV files with a line of names and units. Throws Error.
ARMATURE_API Identified identify(const Model& model, const std::vector<std::string>& records,
                                 const IdentifyQuestion& question, const StudyOptions& options = {});

// The model with inputs that follow a record: a CSV file with columns for t and for inputs, interpolated linearly. Throws Error.
ARMATURE_API Model driven_by(const Model& model, const std::string& record);

}  // namespace armature
