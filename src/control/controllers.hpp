// Controllers: named signals that formulas of drives and forces use.
//
//   formula   u = is
//   pid       u = kp e + ki I + kd e',   I' = e + (limited u - u)/(ki T)      e = target - measure
//
// within limits; the last term of I' lets the integral follow a limited output (anti-windup by back-calculation).
// Sampled, the same with e at the samples, e' by differences of samples and I by their sum; the output is held, and appears
// a delay after its sample.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

void add_controllers(EquationsBuilder& builder);

}  // namespace armature::internal
