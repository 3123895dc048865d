// The variables of an FMU, in one order for modelDescription.xml and for the binary: a variable's value reference is its place in this
// list.
//
//   time | inputs | parameters | entries of x | their rates | other channels of trajectory.csv | event indicators
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

struct FmuVariable {
  enum class Kind { time, input, parameter, state, rate, channel, indicator };
  Kind kind;
  int index;  // among its kind; of a channel: in a row of trajectory.csv
  std::string name, unit;
  std::string causality, variability;
  std::string initial = {};  // "exact", "approx", "calculated"; empty: none
  std::optional<double> start = {};
  double nominal = 0;      // of a state
  bool unbounded = false;  // an angle that counts its turns
  std::string description = {};
};

struct FmuVariables {
  std::vector<FmuVariable> list;
  int inputs = 0, parameters = 0, states = 0, indicators = 0;

  int first_input() const { return 1; }
  int first_parameter() const { return first_input() + inputs; }
  int first_state() const { return first_parameter() + parameters; }
  int first_rate() const { return first_state() + states; }
};

// channels: those of a run of the model. Throws RequestError where two variables would have one name.
FmuVariables fmu_variables(const Model& model, const Prepared& prepared, const std::vector<Channel>& channels);

}  // namespace armature::internal
