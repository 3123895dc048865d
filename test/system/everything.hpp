// A model with what no shipped one has all of: comparisons, sampled values, events, reactions, a table over a speed, a free
// parameter; and a loop.
#pragma once

namespace armature::internal {

inline const char* const everything = R"(armature: 1
plane: xy
gravity: [0, -9.81, 0]
parameters: {mass: 1 kg}
tables: {drag: {x: [-2, 0, 1, 2], y: [1, 0, -0.5, 0], interpolation: spline}}
bodies:
  crank: {mass: mass, center: [0.15, 0, 0], inertia: {rod: 0.3}}
  rod: {mass: 2 kg, center: [0.35, 0, 0], inertia: {rod: 0.7}}
  slider: {mass: 1 kg, inertia: none}
joints:
  turn: {type: revolute, between: [ground, crank], friction: 0.2}
  knee: {type: revolute, between: ["crank [0.3, 0, 0]", rod], friction: 0.1}
  pin: {type: revolute, between: ["rod [0.7, 0, 0]", slider]}
  slide: {type: prismatic, axis: x, between: [ground, slider]}
controllers:
  c: {type: pid, measure: turn, target: 1, kp: 2, ki: 1, kd: 0.1, sampled: {period: 20 ms}}
forces:
  push: {type: effort, on: turn, is: c}
  wind: {type: effort, on: slide, is: drag(slide')}
record: {events: {half: turn - 0.5, third: turn - 0.3}, reactions: [turn]}
)";

}  // namespace armature::internal
