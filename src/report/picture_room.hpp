// Where a machine is placed in a picture so that its symbols fit, too. They do not grow with the machine, so trial pictures tell how far
// they reach beyond it.
#pragma once

#include <functional>

#include "report/drawing.hpp"
#include "report/posed_scene.hpp"
#include "report/sketch.hpp"

namespace armature::internal::plot {

inline constexpr double picture_margin = 22;  // points around a machine, at least

struct Canvas {
  double width = 0, height = 0;  // points
  double head = 0, foot = 0;     // for title and legend, and for the time of a film
  bool fixed = false;            // the picture is as high as this, else as high as needed
};

// What is seen of the machine without its symbols, in m.
struct SeenRange {
  Point low, high;
};

// One scale in both directions. `out` gets its size.
Placement fitted(const SeenRange& machine, const Projection& projection, const PosedScene& pose, const Canvas& canvas,
                 const std::function<void(const Placement&, Drawing&)>& draw, Drawing& out);

}  // namespace armature::internal::plot
