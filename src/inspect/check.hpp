// What a model is made of, and what is odd about it: cut joints, degrees of freedom, redundant constraints by joint and
// direction, inertia that is missing.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "system/system.hpp"

namespace armature::internal {

struct RedundantRow {
  std::string owner;      // joint or constraint
  std::string direction;  // "translation along z", "rotation about x"
  bool always = true;     // false: only at this pose
};

struct CheckReport {
  struct JointLine {
    std::string name, type, a, b;
    bool cut = false;
  };
  struct ParameterLine {
    std::string name;
    double value = 0;  // SI
    std::string unit;
  };
  std::vector<ParameterLine> parameters;
  std::vector<std::string> bodies;
  std::vector<JointLine> joints;
  int coordinates = 0;         // velocities, nv
  int constraints = 0;         // rows, m; those that vanished while compiling are counted as redundant, not here
  int rank = 0;                // of Phi at the start
  int degrees_of_freedom = 0;  // nv - rank
  int position_degrees_of_freedom = 0;  // without constraints that hold velocities alone: more where something rolls
  std::vector<RedundantRow> redundant;
  std::vector<std::string> notes;     // which joints were cut and why, what moved in assembly
  std::vector<std::string> warnings;  // massless bodies, missing inertia, nearly singular start
};

CheckReport check(const Model& model, const System& system, const State& start);

}  // namespace armature::internal
