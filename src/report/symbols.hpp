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
void draw_support(Sketch& sketch, const Point& at, const Point& down, SymbolPlace place);  // a pivot on the ground
void draw_clamp(Sketch& sketch, const Point& at, const Point& out,
                SymbolPlace place);  // a wall; a body sticks out of it
void draw_coil(Sketch& sketch, const Point& a, const Point& b, SymbolPlace place,
               double half_width = 0);                                                 // a spring; 0: as a rule
void draw_dashpot(Sketch& sketch, const Point& a, const Point& b, SymbolPlace place);  // a damper
void draw_gas_spring(Sketch& sketch, const Point& a, const Point& b, SymbolPlace place);
void draw_actuator(Sketch& sketch, const Point& a, const Point& b, SymbolPlace place);  // a cylinder that pushes
void draw_bushing(Sketch& sketch, const Point& at, SymbolPlace place);
void draw_torsion_spring(Sketch& sketch, const Point& at, SymbolPlace place, double size = 1);
// On a joint; inner: of the two circles between which it lies.
void draw_torsion_damper(Sketch& sketch, const Point& at, const Point& towards, double inner, SymbolPlace place,
                         double size = 1);
void draw_stop(Sketch& sketch, const Point& at, const Point& along, double half_width,
               SymbolPlace place);  // `along` into the stop
void draw_motor(Sketch& sketch, const Point& at, const Point& letter_towards, SymbolPlace place);
void draw_motor_letter(Sketch& sketch, const Point& from, const Point& side);  // beside a place
void draw_turning_arrow(Sketch& sketch, const Point& at, double radius, bool counter_clockwise, const std::string& kind,
                        const std::string& color, SymbolPlace place);
void draw_center_of_mass(Sketch& sketch, const Point& at);
double center_radius(const Sketch& sketch);  // of that, points

}  // namespace armature::internal::plot
