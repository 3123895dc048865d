// The classical explicit methods and Dormand-Prince 5(4).
#pragma once

#include "step/tableau.hpp"

namespace armature::step {

namespace tables {

inline constexpr Tableau euler = {.order = 1, .stages = 1, .b = {1}};

inline constexpr Tableau midpoint = {.order = 2, .stages = 2, .A = {{}, {1.0 / 2}}, .b = {0, 1}, .c = {0, 1.0 / 2}};

// Kutta, Z. Math. Phys. 46 (1901).
inline constexpr Tableau classical = {.order = 4,
                                      .stages = 4,
                                      .A = {{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}},
                                      .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                                      .c = {0, 1.0 / 2, 1.0 / 2, 1}};

// Dormand & Prince, J. Comp. Appl. Math. 6 (1980); dense output of order 4 by Shampine, Math. Comp. 46 (1986).
inline constexpr Tableau dormand_prince_54 = {
    .order = 5,
    .stages = 6,
    .A = {{},
          {1.0 / 5},
          {3.0 / 40, 9.0 / 40},
          {44.0 / 45, -56.0 / 15, 32.0 / 9},
          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}},
    .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    .c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1},
    .estimates = 1,
    .E = {{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}},
    .error_order = 5,
    .stable = 3.3,
    .dense_rows = 1,
    .D = {{-12715105075.0 / 11282082432.0, 0, 87487479700.0 / 32700410799.0, -10690763975.0 / 1880347072.0,
           701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0}},
    .dense_order = 4};

}  // namespace tables

// By function: what a device reads lies on the device.
ARMATURE_STEP const Tableau& euler() {
  static constexpr Tableau method = tables::euler;
  return method;
}
ARMATURE_STEP const Tableau& midpoint() {
  static constexpr Tableau method = tables::midpoint;
  return method;
}
ARMATURE_STEP const Tableau& classical() {
  static constexpr Tableau method = tables::classical;
  return method;
}
ARMATURE_STEP const Tableau& dormand_prince_54() {
  static constexpr Tableau method = tables::dormand_prince_54;
  return method;
}

}  // namespace armature::step
