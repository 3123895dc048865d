// What elements require of the constants they are given (Equations::requirements), at every point of a study: an efficiency is 1 at most, an
// inertia is that of some body. The builder checks numbers; here are the formulas of free parameters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "expression/program.hpp"
#include "mechanics/equations.hpp"
#include "model/model.hpp"

namespace armature::internal {

class Requirements {
 public:
  Requirements() = default;
  // What follows from an input of the host moves, and is left out.
  Requirements(const Model& model, const Equations& equations);

  // The first that does not hold with these parameters, as the builder would say it; else nothing. In the order of Equations::p.
  std::string violation(std::span<const double> parameters) const;
  // Whether the file allows these parameters and describes a machine of other equations with them.
  bool has_otherwise(std::span<const double> parameters) const;

  const std::vector<Requirement>& list() const { return list_; }              // what the file requires first
  const std::shared_ptr<const Program>& program() const { return program_; }  // of their values; null: there are none
  std::string place(const Requirement& each) const;                           // "gear.yaml:30: forces.teeth"

 private:
  const Requirement* violated(std::span<const double> parameters) const;  // the first, or null

  std::string file_;
  UsedFiles used_;
  std::vector<Requirement> list_;
  std::shared_ptr<const Program> program_;
};

}  // namespace armature::internal
