// Identification: the parameters with which the motion of a model comes nearest to measured records.
//
//   records ──► experiments: a motion each, its signals where and when they were measured (experiment.hpp)
//                   │ residuals and their exact derivatives, columns of S in lanes
//                   ▼
//               least squares with bounds (least_squares.hpp)  ──► what the data determine (information.hpp)
//                   │ noise of each column, from its residuals
//                   └── again, until the noise stays
//
// The unknowns are parameters of the model, which all experiments share; start values, of which each experiment has its own; and offsets
// of sensors. The sum of squares counts each residual in units of the noise of its column, which is given or estimated.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "identify/information.hpp"
#include "identify/measured_record.hpp"
#include "identify/residual_analysis.hpp"
#include "model/model.hpp"
#include "read/reader.hpp"

namespace armature::internal {

struct IdentifyOptions {
  struct Fit {
    std::string name;
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  };
  std::vector<Fit> fit;                // parameters
  std::vector<std::string> fit_start;  // start values by coordinate, speeds as "theta.v": each experiment its own
  std::vector<std::string> offsets;    // columns whose sensor shows a constant more
  std::vector<std::string> use;        // measured columns; empty: all
  std::vector<std::pair<std::string, double>> noise;           // known standard deviations of columns, SI
  bool robust = false;                                         // Huber's loss
  int evaluations = 100;                                       // of all motions, for each search
  int threads = 0;                                             // 0: one per core
  Settings settings = {};                                      // with which the model was read
  std::function<bool(const std::string& what)> progress = {};  // called now and then; false: stop
};

enum class IdentifyStatus { converged, not_converged, stopped, failed };

struct IdentifyResult {
  IdentifyStatus status = IdentifyStatus::failed;
  std::string sentence;  // how it ended
  std::vector<Estimate> estimates;
  Information information;

  struct Column {
    std::string name, unit;
    int experiment = 0;
    double noise = 0;  // standard deviation that weighs it
    bool noise_is_known = false;
    ResidualAnalysis residuals;
    std::vector<double> measured, simulated;  // at the times of the record
  };
  struct Experiment {
    std::string file;
    std::vector<double> t;
    std::vector<std::string> inputs;  // columns that drive the model
  };
  std::vector<Experiment> experiments;
  std::vector<Column> columns;
  std::vector<std::string> notes, warnings;
  long measurements = 0;
  int evaluations = 0;
  double seconds = 0;
};

// Throws ModelError, RequestError, and ComputationError where the motion at the first values has no end.
IdentifyResult identify(const Model& model, const std::vector<MeasuredRecord>& records, const IdentifyOptions& options);

}  // namespace armature::internal
