// A machine in one pose, as a kinematic diagram: bars and plates from its joints, given shapes, beams bent; symbols for joints, drives,
// springs, dampers, end stops, gears, racks, belts, screws, ropes and loads; hatching where something is fixed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/posed_scene.hpp"
#include "report/sketch.hpp"

namespace armature::internal::plot {

struct MachineColors {
  std::string pose = {};  // of all bodies; empty: each body has its own

  std::string fill(int body) const;
  std::string edge(int body) const;
};

struct MachineLook {
  MachineColors colors;
  std::vector<std::array<double, 2>> travel;  // by joint: the least and largest slide of the motion, m
  std::vector<bool> posts_in_front =
      {};  // by joint: its spring or damper begins at a post in front of the slider, else behind it
  std::vector<std::optional<std::array<Eigen::Vector3d, 2>>> planes =
      {};                                                  // by drawing: ends of a plane on the ground, for all poses
  double largest_force = 0, largest_torque = 0;            // of all that is drawn, N and N m; 0: none
  std::optional<std::array<double, 2>> largest_load = {};  // colors beams: by stress, Pa, or by bending moment, N m
  bool steady = false;                                     // letters stay where they are while the machine moves
  bool ground = true;                                      // what does not move, too, and what drives it
};

constexpr double longest_arrow = 60;  // points

void draw_machine(const PosedScene& pose, const MachineLook& look, Sketch& sketch);

}  // namespace armature::internal::plot
