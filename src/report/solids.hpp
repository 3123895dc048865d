// Given shapes of bodies, seen from somewhere: the outlines of their faces with a light from the reader's upper left.
#pragma once

#include "report/posed_scene.hpp"
#include "report/sketch.hpp"

namespace armature::internal::plot {

// Points in the body's frame around a shape.
std::vector<Eigen::Vector3d> points_around(const SceneShape& shape);

void draw_solid(const PosedScene& pose, int body, const SceneShape& shape, const std::string& fill,
                const std::string& edge, Sketch::Layer layer, Sketch& sketch);

// A cylinder between two places of the ground's frame.
void draw_cylinder(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double radius, const std::string& kind,
                   const std::string& fill, const std::string& edge, Sketch::Layer layer, Sketch& sketch,
                   double lift = 0);

}  // namespace armature::internal::plot
