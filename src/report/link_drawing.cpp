#include "report/link_drawing.hpp"

#include "report/machine_colors.hpp"
#include "report/space_line.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

// A strand from a to b; where the rope goes on there is a pulley.
void draw_rope(MachineSketch& m, std::size_t k, const Vector3d& a, const Vector3d& b) {
  const double width = 0.35 * m.u;
  m.flat ? m.sketch.line(Sketch::elements, "rope", {m.at(a), m.at(b)}, ink_color, width)
         : draw_space_line(m.sketch, "rope", {a, b}, {ink_color, width});
  const SymbolPlace end = m.over(Sketch::joints, b, 2);
  const bool goes_on = k + 1 < m.scene.links.size() && m.scene.links[k + 1].name == m.scene.links[k].name;
  if (goes_on) m.sketch.area(end.layer, "pulley", circle(m.at(b), 1.5 * m.u), "#dfe4e8", ink_color, end.depth);
  draw_pin(m.sketch, m.at(b), 0.45 * m.u, paper_color, end);
}

}  // namespace

void draw_link(MachineSketch& m, std::size_t k) {
  const SceneLink& link = m.scene.links[k];
  const Vector3d a = m.pose.place(link.a), b = m.pose.place(link.b);
  const Point from = m.at(a), to = m.at(b), side = 1.5 * m.u * across(unit_of(to - from));
  const SymbolPlace place = m.over(Sketch::elements, 0.5 * (a + b), 1);
  for (const ScenePlace* end : {&link.a, &link.b})
    if (end->body < 0 && link.kind != "bushing") m.add_ground(to_vector(end->at));
  if (link.kind == "rope") return draw_rope(m, k, a, b);
  if (link.kind == "spring") draw_coil(m.sketch, from, to, place);
  if (link.kind == "damper") draw_dashpot(m.sketch, from, to, place);
  if (link.kind == "spring_damper") {
    draw_coil(m.sketch, from + side, to + side, place), draw_dashpot(m.sketch, from - side, to - side, place);
    for (const Point& end : {from, to})
      m.sketch.line(place.layer, "spring", {end + side, end - side}, ink_color, 0.26 * m.u, place.depth);
  }
  if (link.kind == "gas_spring") draw_gas_spring(m.sketch, from, to, place);
  if (link.kind == "bushing") return draw_bushing(m.sketch, to, {Sketch::joints, 0});
  if (link.kind == "distance")
    m.sketch.area(Sketch::machine, "rod", capsule(from, to, 0.45 * m.u), "#c9d0d6", ink_color, place.depth);
  for (const Vector3d& end : {a, b})
    draw_pin(m.sketch, m.at(end), 0.45 * m.u, paper_color, m.over(Sketch::joints, end, 2));
}

}  // namespace armature::internal::plot
