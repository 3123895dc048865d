// A prismatic joint in a planar picture: a block on its guide. What acts along the guide is the same in space.
#pragma once

#include "report/machine_sketch.hpp"

namespace armature::internal::plot {

constexpr double shoe_length = 2.4;  // of a brake behind a slider, units of the sketch

// Spring, damper and cylinder of a slider. On the ground the latter two are drawn in the first of several poses alone.
struct SliderElements {
  bool spring, damper, cylinder;
  int count() const { return spring + damper + cylinder; }
  double half_width() const {
    return 1.5 * (count() - 1);
  }  // between the middles of the outer ones, units of the sketch
};
SliderElements elements_of(const MachineSketch& m, const SceneJoint& joint);

// Side by side across the way from a post to the block, around its middle; lines join their ends.
void draw_side_by_side(MachineSketch& m, const SliderElements& elements, const Point& post, const Point& block,
                       SymbolPlace place);

void draw_slider(MachineSketch& m, std::size_t k);

}  // namespace armature::internal::plot
