// Places for names beside what they belong to, where no other text and no mark is.
#pragma once

#include <vector>

#include "report/sketch.hpp"

namespace armature::internal::plot {

class LabelPlaces {
 public:
  // steady: each label has the place that is wanted, so that it does not jump while the machine moves.
  LabelPlaces(Sketch& sketch, bool steady) : sketch_(sketch), steady_(steady) {}

  void keep_free(std::vector<Point> outline) { taken_.push_back(std::move(outline)); }  // convex

  // Around a place, so far from it at least, in points. wanted: on which side; {0, 0}: on the place.
  void add(Text label, const Point& at, double away, const Point& wanted);

 private:
  bool is_free(const Text& label) const;

  Sketch& sketch_;
  bool steady_;
  std::vector<std::vector<Point>> taken_;
};

}  // namespace armature::internal::plot
