// What the host of an FMU has set, and the machine with these values.
//
// Parameters are set by reading and compiling the model anew, so that a mass, a length or an axis can be set as well as a gain. Start
// values of positions and speeds hold exactly, like `keep` in the file. Where they contradict each other or the file,
//
//   1. values of the host win over those of the file, which become preferred values (`near`);
//   2. of two values of the host, the one that was set later wins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fmi/variables.hpp"
#include "read/reader.hpp"

namespace armature::internal {

struct HostValues {
  struct Start {
    int state;  // entry of x
    double value;
    bool operator==(const Start&) const = default;
  };
  std::vector<std::optional<double>> parameters;  // nothing: as the file says
  std::vector<double> inputs;
  std::vector<Start> starts;        // in the order in which they were set
  std::optional<double> tolerance;  // relative, of the integrator
  double start_time = 0;            // s

  void set_start(int state, double value);
  bool operator==(const HostValues&) const = default;
};

// The model as it lies in the FMU.
struct FmuModel {
  std::string text, file;
  Settings settings;  // those of the export
  std::string root;   // of the files that it names
};

struct HostMachine {
  Model model;
  Prepared prepared;               // its start is assembled
  std::vector<std::string> notes;  // start values that could not hold
};

// Throws ModelError, RequestError and ComputationError.
HostMachine machine_with(const FmuModel& source, const HostValues& values);

}  // namespace armature::internal
