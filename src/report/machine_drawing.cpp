#include "report/machine_drawing.hpp"

#include <algorithm>

#include "report/body_drawing.hpp"
#include "report/display_list.hpp"
#include "report/machine_colors.hpp"
#include "report/machine_sketch.hpp"
#include "report/surface_drawing.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

void draw_load(MachineSketch& m, const SceneLoad& load) {
  if (load.offset < 0) return;
  const Vector3d is = m.pose.point(load.offset), at = m.pose.place(load.at);
  const Vector3d vector = load.in_body ? m.pose.direction(load.at.body, {is.x(), is.y(), is.z()}) : is;
  if (load.kind == "force") {
    if (!(m.look.largest_force > 0)) return;
    const Point way = longest_arrow / m.look.largest_force * m.at.along(vector);
    m.sketch.arrow(Sketch::marks, "force", m.at(at), m.at(at) + way, mark_color, 0.45 * m.u);
  } else if (m.look.largest_torque > 0 && vector.norm() > 1e-3 * m.look.largest_torque) {
    draw_turning_arrow(m.sketch, m.at(at), 4 * m.u, vector.dot(m.at.projection.towards) >= 0, "torque", mark_color,
                       {Sketch::marks, 0});
  }
}

}  // namespace

std::string MachineColors::fill(int body) const {
  if (!pose.empty()) return mixed(pose, paper_color, 0.55);
  return body_colors[static_cast<std::size_t>(std::max(body, 0)) % body_colors.size()];
}

std::string MachineColors::edge(int body) const { return pose.empty() ? mixed(fill(body), "#000000", 0.5) : pose; }

void draw_machine(const PosedScene& pose, const MachineLook& look, Sketch& sketch) {
  MachineSketch m(pose, look, sketch);
  const Scene& scene = m.scene;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) draw_body(m, static_cast<int>(k));
  for (const SceneProfile& profile : scene.profiles) draw_profile(m, profile);
  for (const SceneDrawing& drawing : scene.drawings)
    drawing.outline ? draw_surface(m, drawing) : draw_lines(m, drawing);
  if (m.flat && look.ground) draw_planes(m);
  for (const Symbol& symbol : symbols_of(m)) draw_symbol(m, symbol);
  for (const SceneLoad& load : scene.loads) draw_load(m, load);
}

}  // namespace armature::internal::plot
