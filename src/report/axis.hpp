// An axis of a figure: its range, and ticks at round numbers with their labels.
#pragma once

#include <string>
#include <vector>

namespace armature::internal::plot {

struct Tick {
  double value = 0;
  std::string label;  // empty: a small tick
};

struct Axis {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<Tick> ticks;
  std::string factor;  // "×10⁻³" by which the labels are to be multiplied; or empty

  double share(double value) const;  // 0 at low, 1 at high
};

// Holds all of [low, high], with some room, and about `count` ticks. An empty range is widened.
Axis linear_axis(double low, double high, int count, bool tight = false);
// Decades that hold [low, high], both positive.
Axis logarithmic_axis(double low, double high, int count);

std::string power_of_ten(int exponent);  // "10⁻³"

}  // namespace armature::internal::plot
