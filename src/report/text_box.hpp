// Where a text lies in a picture.
#pragma once

#include <vector>

#include "report/outlines.hpp"

namespace armature::internal::plot {

// The corners of the box around a text, turned as the text is.
std::vector<Point> box_of(const Text& text);

// Whether two convex outlines share more than an edge: no line separates them.
bool overlap(const std::vector<Point>& a, const std::vector<Point>& b);

}  // namespace armature::internal::plot
