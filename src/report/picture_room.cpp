#include "report/picture_room.hpp"

#include <algorithm>
#include <limits>

#include "report/machine_extent.hpp"
#include "report/text_box.hpp"

namespace armature::internal::plot {
namespace {

constexpr int trials = 2;          // the scale follows from the room, and the size of symbols from the scale
constexpr double symbol_edge = 6;  // points between a symbol and the edge of the picture
constexpr double beyond_all = std::numeric_limits<double>::infinity();

Box around(const Drawing& drawing) {
  Box box{beyond_all, beyond_all, -beyond_all, -beyond_all};
  const auto include = [&](const Box& other) {
    box = {std::min(box.left, other.left), std::min(box.top, other.top), std::max(box.right, other.right),
           std::max(box.bottom, other.bottom)};
  };
  for (const Shape& shape : drawing.shapes)
    for (const Point& at : shape.points) {
      const double half = 0.5 * shape.stroke.width;
      include({at.x - half, at.y - half, at.x + half, at.y + half});
    }
  for (const Text& text : drawing.texts)
    for (const Point& at : box_of(text)) include({at.x, at.y, at.x, at.y});
  return box;
}

Placement placed(const SeenRange& machine, const Canvas& canvas, const Box& room, Drawing& out) {
  const double wide = std::max(machine.high.x - machine.low.x, 1e-9),
               tall = std::max(machine.high.y - machine.low.y, 1e-9);
  const double above = room.top + (canvas.fixed ? canvas.head : 0), below = room.bottom + canvas.foot;
  Placement placement;
  placement.scale = std::min(std::max(canvas.width - room.left - room.right, 0.2 * canvas.width) / wide,
                             std::max(canvas.height - above - below, 0.2 * canvas.height) / tall);
  out.width = canvas.width;
  out.height = canvas.fixed ? canvas.height : placement.scale * tall + room.top + room.bottom + canvas.head;
  const double middle_x = 0.5 * (out.width + room.left - room.right);
  const double middle_y = 0.5 * (out.height + canvas.head + room.top - below);
  placement.origin = {middle_x - 0.5 * placement.scale * (machine.low.x + machine.high.x),
                      middle_y + 0.5 * placement.scale * (machine.low.y + machine.high.y)};
  return placement;
}

// How far the picture reaches beyond the machine, on each side.
Box room_around(const Drawing& picture, const SeenRange& machine, const Placement& placement) {
  const Box box = around(picture);
  const auto at = [&](const Point& seen) {
    return Point{placement.origin.x + placement.scale * seen.x, placement.origin.y - placement.scale * seen.y};
  };
  const Point low = at(machine.low), high = at(machine.high);
  const auto room = [](double beyond) { return std::max(picture_margin, beyond + symbol_edge); };
  return {room(low.x - box.left), room(high.y - box.top), room(box.right - high.x), room(box.bottom - low.y)};
}

}  // namespace

Placement fitted(const SeenRange& machine, const Projection& projection, const PosedScene& pose, const Canvas& canvas,
                 const std::function<void(const Placement&, Drawing&)>& draw, Drawing& out) {
  Box room{picture_margin, picture_margin, picture_margin, picture_margin};
  for (int trial = 0;; ++trial) {
    Placement placement = placed(machine, canvas, room, out);
    placement.projection = projection;
    placement.unit = drawing_unit(pose, placement.scale);
    if (trial == trials) return placement;
    Drawing picture;
    draw(placement, picture);
    room = room_around(picture, machine, placement);
  }
}

}  // namespace armature::internal::plot
