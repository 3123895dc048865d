// Where to look next for a zero between two points: by inverse quadratic interpolation where it can be trusted, else in the
// middle (Chandrupatla, Adv. Eng. Software 28, 1997).
#pragma once

namespace armature {

struct SearchPoint {
  double t, value;
};

// Recent is the last point, other the one beyond the zero, older the one before. The zero of the parabola t(value) through all
// three, as a part of the way from recent to other; 1/2 where value(t) may turn back between them.
double zero_part(const SearchPoint& recent, const SearchPoint& other, const SearchPoint& older);

}  // namespace armature
