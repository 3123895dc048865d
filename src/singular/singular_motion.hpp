// Singularities along a simulated motion: measures at every recorded time, and each singular pose, located on the dense
// output of its step (singular_search.hpp), as an event with its time, its kind, what can move there, and which joints and
// loops are involved.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/simulate.hpp"
#include "singular/singular_pose.hpp"

namespace armature::internal {

struct SingularEvent {
  double t = 0;
  double until = 0;  // later than t: the motion stays singular until then
  SingularityKind kind = SingularityKind::rank_drop;
  int sign = 0;  // of the determinant afterwards; 0: it touches zero
  PoseMeasures measures;
  std::string words;  // what can move there
  std::vector<std::string> coordinates, loops;
};

struct SingularMotion {
  SingularityFrame frame;
  std::vector<double> t;
  std::vector<PoseMeasures> measures;  // at t
  std::vector<SingularEvent> events;
  PoseMeasures smallest;  // least singular values along the motion, between recorded times too …
  double t_sigma = 0;     // … and when Phi was nearest to losing rank
  Outcome outcome;
};

// Throws ModelError; ComputationError for names that do not exist, and where there is no start.
SingularMotion singular_motion(const Model& model, const std::vector<std::string>& active,
                               const std::vector<std::string>& output, const Progress& progress = {});

}  // namespace armature::internal
