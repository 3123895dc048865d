// Shapes of symbols, in units of the drawing. `share` runs from the first end of a symbol to its second.
#pragma once

#include "report/display_list.hpp"

namespace armature::internal::plot {

SymbolShape operator+(SymbolShape a, const SymbolShape& b);
SymbolShape beside(SymbolShape shape, double units);  // moved across

SymbolPart line(std::vector<Corner> corners, const std::string& color, double width);
SymbolPart round_line(double radius_m, double radius, int turns, const std::string& color, double width);
SymbolPart area(std::vector<Corner> corners, const std::string& color, const std::string& edge);
SymbolPart disc(double radius, const std::string& color, const std::string& edge);
SymbolPart rod(double radius, const std::string& color);
SymbolPart hatch(const Corner& from, const Corner& to, const Corner& away);
SymbolPart letter(const Corner& from, const Corner& edge);
SymbolPart block(double half_length, double half_width, const std::string& color, const std::string& edge);

SymbolShape coil(double length, double half_width = 1.15);  // of a spring that is so many units long
SymbolShape dashpot();                                      // a cup at the first end, a piston in it at the second
SymbolShape barrel(const std::string& color, const std::string& edge, double half_width, double rod);
SymbolShape joined(double from, double to);  // lines across both ends
SymbolShape bushing();
SymbolShape support();  // of a pivot on the ground, which is along it
SymbolShape wall(double half, double away);
SymbolShape torsion_spring(double size);
SymbolShape torsion_damper(double inner, double size);  // between two circles, the first this large
SymbolShape brake_shoe(double radius_m, double units,
                       bool on_ground);  // on the rim of a wheel; units: its radius as it is drawn
SymbolShape motor();
SymbolShape turning_arrow();
SymbolShape arrow(double length, const std::string& color, double width);

}  // namespace armature::internal::plot
