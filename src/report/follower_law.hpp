// A formula that is zero, or a gap that closes at zero, between two joints: where it is linear in one of them, this one follows the other,
//
//   0 = c b + h(a)      b = g(a) = -h(a)/c
//
// as the follower of a cam and the wheel of a Geneva drive do.
#pragma once

#include <optional>
#include <vector>

#include "mechanics/builder.hpp"
#include "report/scene.hpp"

namespace armature::internal {

class FollowerLaw {
 public:
  // None: it names the time or other joints, or both joints are in proportion, or neither follows the other.
  static std::optional<FollowerLaw> find(const Formula& zero, const Model& model, const Scene& scene,
                                         EquationsBuilder& builder);

  int leader = 0, follower = 0;       // joints
  double operator()(double leading);  // where the follower is

 private:
  Evaluator evaluate_;
  std::vector<double> in_, out_;  // leader, free parameters, outcomes of comparisons; h and the roots of these
  std::vector<Graph::Comparison> comparisons_;
  double factor_ = 1;  // c
};

}  // namespace armature::internal
