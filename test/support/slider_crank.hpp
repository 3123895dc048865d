// A slider-crank of two uniform rods, 0.2 m and 0.5 m long, whose slider moves along x: a model without a start.
#pragma once

#include <fmt/format.h>

#include <string>

namespace armature::internal {

inline std::string slider_crank_text(double gravity, double crank_mass = 1) {
  return fmt::format(R"yaml(armature: 1
plane: xy
gravity: [0, {}, 0]
bodies:
  arm: {{mass: {} kg, center: [0.1, 0, 0], inertia: {{rod: 0.2}}}}
  rod: {{mass: 1 kg, center: [0.25, 0, 0], inertia: {{rod: 0.5}}}}
  slider: {{mass: 0.5 kg}}
joints:
  crank: {{type: revolute, between: [ground, arm]}}
  knee: {{type: revolute, between: ["arm [0.2, 0, 0]", rod]}}
  pin: {{type: revolute, between: ["rod [0.5, 0, 0]", slider]}}
  slide: {{type: prismatic, axis: x, between: [ground, slider]}}
)yaml",
                     gravity, crank_mass);
}

}  // namespace armature::internal
