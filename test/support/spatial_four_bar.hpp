#pragma once

#include <string>

namespace armature::internal {

// A spatial four-bar: two cranks, and a coupler between two balls.
inline std::string spatial_four_bar(const std::string& first_ball, const std::string& second_ball,
                                    const std::string& last = "") {
  return R"(gravity: [0, 0, -9.81]
bodies:
  a: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}
  b: {mass: 2, inertia: {xx: 1, yy: 2, zz: 1}}
  c: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  r1: {type: revolute, axis: z, between: [ground, a]}
  s2: {type: spherical, between: ["a [1, 0, 0]", b])" +
         first_ball + R"(}
  s3: {type: spherical, between: ["b [2.2, 0, 0]", "c [1.5, 0, 0]"])" +
         second_ball + R"(}
  r4: {type: revolute, axis: [0, 1, 1], between: ["ground [2, 0, 0]", c])" +
         last + R"(}
start: {keep: {r1: 1}, speed: {r1: 3}}
simulate: {end: 3, record: 0.01, rtol: 1e-10}
)";
}

}  // namespace armature::internal
