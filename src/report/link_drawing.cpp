#include "report/link_drawing.hpp"

#include "report/machine_colors.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

// A strand; where the rope goes on there is a pulley.
void draw_rope(MachineSketch& m, std::size_t k, const Point& from, const Point& to, SymbolPlace place) {
  m.sketch.line(place.layer, "rope", {from, to}, ink_color, 0.35 * m.u, place.depth);
  const bool goes_on = k + 1 < m.scene.links.size() && m.scene.links[k + 1].name == m.scene.links[k].name;
  if (goes_on) m.sketch.area(Sketch::joints, "pulley", circle(to, 1.5 * m.u), "#dfe4e8", ink_color, place.depth);
  draw_pin(m.sketch, to, 0.45 * m.u, paper_color, {Sketch::joints, place.depth});
}

}  // namespace

void draw_link(MachineSketch& m, std::size_t k) {
  const SceneLink& link = m.scene.links[k];
  const Vector3d a = m.pose.place(link.a), b = m.pose.place(link.b);
  const Point from = m.at(a), to = m.at(b), side = 1.5 * m.u * across(unit_of(to - from));
  const SymbolPlace place = m.over(Sketch::elements, 0.5 * (a + b), 1);
  for (const ScenePlace* end : {&link.a, &link.b})
    if (end->body < 0 && link.kind != "bushing") m.add_ground(to_vector(end->at));
  if (link.kind == "spring") draw_coil(m.sketch, from, to, place);
  if (link.kind == "damper") draw_dashpot(m.sketch, from, to, place);
  if (link.kind == "spring_damper") {
    draw_coil(m.sketch, from + side, to + side, place), draw_dashpot(m.sketch, from - side, to - side, place);
    for (const Point& end : {from, to})
      m.sketch.line(place.layer, "spring", {end + side, end - side}, ink_color, 0.26 * m.u, place.depth);
  }
  if (link.kind == "gas_spring") draw_gas_spring(m.sketch, from, to, place);
  if (link.kind == "bushing") return draw_bushing(m.sketch, to, {Sketch::joints, 0});
  if (link.kind == "rope") draw_rope(m, k, from, to, place);
  if (link.kind == "distance")
    m.sketch.area(Sketch::machine, "rod", capsule(from, to, 0.45 * m.u), "#c9d0d6", ink_color, place.depth);
  if (link.kind == "rope") return;
  for (const Vector3d& end : {a, b})
    draw_pin(m.sketch, m.at(end), 0.45 * m.u, paper_color, m.over(Sketch::joints, end, 2));
}

}  // namespace armature::internal::plot
