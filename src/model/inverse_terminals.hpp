// What a drive reports in inverse dynamics beyond DriveKind::Need: rates of several currents, and what follows from other needs.
#pragma once

#include <memory>
#include <span>

#include "model/drive.hpp"

namespace armature::internal {

// Of one drive, as numbers.
class InverseTerminals {
 public:
  virtual ~InverseTerminals() = default;
  virtual bool turns() const { return true; }           // false: it pushes with a force, and its speed is in m/s
  virtual double per_rate(std::size_t need) const = 0;  // what a need gets per rate of its signal `rate_of`, H
  // Sets the needs that follow from others, once these have their rates; returns the power that the drive takes.
  virtual double complete(double shaft_power, std::span<double> needs) const = 0;
};

// A kind of drive that has them.
class HasTerminals {
 public:
  virtual ~HasTerminals() = default;
  virtual std::unique_ptr<InverseTerminals> terminals(const Drive& drive, const Model& model) const = 0;
};

}  // namespace armature::internal
