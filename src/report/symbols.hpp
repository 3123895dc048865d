// Symbols of kinematic diagrams, in points. `u` of the sketch is their measure.
#pragma once

#include "report/sketch.hpp"

namespace armature::internal::plot {

struct SymbolPlace {
  Sketch::Layer layer = Sketch::elements;
  double depth = 0;
};

void draw_pin(Sketch& sketch, const Point& at, double radius, const std::string& fill, SymbolPlace place);
// Strokes on one side of a line: it does not move.
void draw_hatch(Sketch& sketch, const Point& from, const Point& to, const Point& away, SymbolPlace place,
                const std::string& kind = "ground");
void draw_motor_letter(Sketch& sketch, const Point& from, const Point& side);  // beside a place
void draw_turning_arrow(Sketch& sketch, const Point& at, double radius, bool counter_clockwise, const std::string& kind,
                        const std::string& color, SymbolPlace place);
void draw_center_of_mass(Sketch& sketch, const Point& at);
double center_radius(const Sketch& sketch);  // of that, points

}  // namespace armature::internal::plot
