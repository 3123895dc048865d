// The runs that `--verify` puts beside one: each changes one thing that the motion must not depend on.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

struct Repeat {
  std::string how;  // "rtol 1e-10"
  Prepared prepared;
};

struct Repeats {
  std::vector<Repeat> list;
  std::vector<std::string> left_out;  // "another formulation: there are no constraints"
};

// A tighter tolerance (a hundredth; a quarter of a fixed step), another formulation, another integrator; all from the same start.
Repeats repeats_of(const Model& model, const Prepared& prepared);

}  // namespace armature::internal
