// Somebody else's FMU, for co-simulation: unpacked into a folder of its own and run in a process of its own. It runs its author's code.
// Whatever that code does becomes a sentence with the name of the FMU.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "couple/fmu_archive.hpp"
#include "couple/fmu_process.hpp"
#include "couple/temporary_fmu_folder.hpp"
#include "import/fmu_interface.hpp"

namespace armature::internal {

// A value that the FMU is given, or takes.
struct FmuValue {
  FmuPort port;
  double number = 0;  // SI
};

// Nobody wants the answer of an FMU any more.
struct FmuUnwanted : std::runtime_error {
  FmuUnwanted() : std::runtime_error("the run was interrupted") {}
};

class ForeignFmu {
 public:
  // Throws RequestError (no binary for this computer) and ComputationError (it cannot be loaded, or refuses).
  ForeignFmu(const FmuArchive& archive, FmuProcess::Wanted wanted);

  const FmuInterface& interface() const { return interface_; }
  // What follows throws ComputationError where the FMU fails in any way, and FmuUnwanted.
  // Inputs and parameters are set, before initialize() as start values, then outputs are read.
  void exchange(std::span<const FmuValue> given, std::span<FmuValue> taken = {});
  void initialize(double t, double end);
  void step(double t, double length);

  // After the last step. What it printed, logged and did at its end, each as the rest of a sentence: "printed …". Nothing where it has
  // failed: the sentence of that has its last words.
  std::vector<std::string> end();

 private:
  void ask(fmu_protocol::Command command);
  std::string what_it_does() const;
  std::string value_name() const;
  std::string end_in_words(const FmuEnd& end) const;
  std::string logged() const;
  std::string last_words() const;

  std::string name_;
  double time_limit_;
  FmuInterface interface_;
  TemporaryFmuFolder folder_;
  std::optional<FmuProcess> process_;  // ends before its folder is removed
  double t_ = 0, length_ = 0;          // of the step
  std::span<const FmuValue> given_;    // in the exchange on its way
  std::span<FmuValue> taken_;
  bool failed_ = false;
};

}  // namespace armature::internal
