// Somebody else's FMU, for co-simulation: unpacked into a folder of its own, loaded and called. It runs its author's code.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "import/fmu_interface.hpp"

namespace armature::internal {

class ForeignFmu {
 public:
  // Throws RequestError (no binary for this computer) and ComputationError (it cannot be loaded, or refuses).
  ForeignFmu(const std::string& name, std::string_view archive);
  ~ForeignFmu();

  const FmuInterface& interface() const;
  void set(const FmuPort& port, double value);  // before initialize(): a start value
  double get(const FmuPort& port);
  void initialize(double t, double end);
  void step(double t, double length);

  struct Binary;  // of one version of the standard

 private:
  std::unique_ptr<Binary> binary_;
};

}  // namespace armature::internal
