// Singularities along a simulated motion: measures at every recorded time, and each change of sign of a determinant as an
// event with its time, its kind, what can move there, and which joints and loops are involved.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/singular_pose.hpp"
#include "simulate/simulate.hpp"

namespace armature {

struct SingularEvent {
  double t = 0;
  SingularityKind kind = SingularityKind::rank_drop;
  bool rising = false;  // sign of the determinant
  PoseMeasures measures;
  std::string words;  // what can move there
  std::vector<std::string> coordinates, loops;
};

struct SingularMotion {
  SingularityFrame frame;
  std::vector<double> t;
  std::vector<PoseMeasures> measures;  // at t
  std::vector<SingularEvent> events;
  PoseMeasures smallest;  // least singular values along the motion …
  double t_sigma = 0;     // … and when Phi was nearest to losing rank
  Outcome outcome;
  bool located = true;  // false: no determinant could be followed
};

// Throws ModelError; std::runtime_error (a sentence) for names that do not exist, and where there is no start.
SingularMotion singular_motion(const Model& model, const std::vector<std::string>& active,
                               const std::vector<std::string>& output, const Progress& progress = {});

}  // namespace armature
