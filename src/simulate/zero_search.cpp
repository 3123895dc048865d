#include "simulate/zero_search.hpp"

namespace armature {

double zero_part(const SearchPoint& recent, const SearchPoint& other, const SearchPoint& older) {
  const double f1 = recent.value, f2 = other.value, f3 = older.value;
  const double xi = (recent.t - other.t) / (older.t - other.t), phi = (f1 - f2) / (f3 - f2);
  if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) return 0.5;
  const double span = (older.t - recent.t) / (other.t - recent.t);
  return f1 / (f2 - f1) * f3 / (f2 - f3) + span * f1 / (f3 - f1) * f2 / (f3 - f2);
}

}  // namespace armature
