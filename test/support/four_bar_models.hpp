// Four-bar loops as texts of model files: bodies and joints, without the first line and the start.
#pragma once

#include <string>

namespace armature::internal {

// It can lie flat, where a row of its loop has no slope.
inline const std::string parallelogram = R"(
plane: xy
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 0.6, center: [0.15, 0, 0], inertia: {rod: 0.3}}
  coupler: {mass: 1.6, center: [0.4, 0, 0], inertia: {rod: 0.8}}
  rocker: {mass: 0.6, center: [0.15, 0, 0], inertia: {rod: 0.3}}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["crank [0.3, 0, 0]", coupler]}
  c: {type: revolute, between: ["coupler [0.8, 0, 0]", "rocker [0.3, 0, 0]"]}
  d: {type: revolute, between: ["ground [0.8, 0, 0]", rocker]}
)";

// Its crank cannot turn all the way round.
inline const std::string short_four_bar = R"(
plane: xy
gravity: [0, -9.81, 0]
bodies:
  l1: {mass: 1, center: [0.15, 0, 0], inertia: {rod: 0.3}}
  l2: {mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}
  l3: {mass: 1, center: [0.125, 0, 0], inertia: {rod: 0.25}}
joints:
  A: {type: revolute, between: [ground, l1]}
  B: {type: revolute, between: ["l1 [0.3, 0, 0]", l2]}
  C: {type: revolute, between: ["l2 [0.2, 0, 0]", "l3 [0.25, 0, 0]"]}
  D: {type: revolute, between: ["ground [0.5, 0, 0]", l3]}
)";

}  // namespace armature::internal
