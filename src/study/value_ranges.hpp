// What a file allows its values to be, at every point of a study: a stiffness that is not negative, a length that is positive. The reader
// checks them for the values of the file; here they are formulas of what is varied. Two parameters may each be legal at both ends of
// their ranges, and their difference may not.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "expression/program.hpp"
#include "model/reading.hpp"

namespace armature::internal {

class ValueRanges {
 public:
  ValueRanges() = default;
  // Of formulas that depend on parameters of the model among `varied`, and on nothing that moves.
  ValueRanges(const std::vector<FormulaCheck>& checks, const Model& model, const std::vector<std::string>& varied);

  // The first value that is not allowed where the parameters have these values, as the reader would say it; else nothing.
  std::string violation(std::span<const double> values) const;

  struct Ranged {
    ValueRange range;
    std::string place;  // "crane.yaml:7: joints.travel.limits.stiffness"
  };
  const std::vector<Ranged>& ranged() const { return ranged_; }
  const Program* program() const {
    return program_.get();
  }  // of their values; null: no value depends on the parameters

 private:
  std::vector<Ranged> ranged_;
  std::shared_ptr<const Program> program_;  // of the varied parameters; null: no value depends on them
};

}  // namespace armature::internal
