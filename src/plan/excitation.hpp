// The next experiment: inputs of which a record would tell most about the parameters that an identification fits.
//
// Each input is a series of sines and cosines over the length of the record, within its range. With the derivatives S of the measured signals
// by the parameters, at the estimates and in units of the noise, a record adds the information S'S; the series are those with the largest
//
//   log det (I + S'S)
//
// where I is the information of the records so far (D-optimal). Parameters count as relative changes, so that units do not matter. Limits of
// drives and end stops hold. The search compares random series and improves the best one without derivatives.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "identify/identification.hpp"

namespace armature::internal {

struct Excitation {
  std::vector<std::string> inputs, units;
  std::vector<double> t;   // s
  Eigen::MatrixXd values;  // a row per time, a column per input
  std::vector<std::string> parameters;
  std::vector<double> now,
      then;  // standard deviations: of the records so far, and with the new one; infinite: not determined
  int evaluations = 0;
  bool stopped = false;
  std::vector<std::string> notes;
};

// found: of these records, with these options. Throws ModelError, RequestError, and ComputationError where no motion gets to its end.
Excitation excite(const Model& model, const std::vector<MeasuredRecord>& records, const IdentifyOptions& options,
                  const IdentifyResult& found);

}  // namespace armature::internal
