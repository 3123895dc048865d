// Arithmetic of one-step methods on eight lanes: arrays of n rows. Each does to a lane what runge_kutta, dense_output and
// step_control do to a state.
#pragma once

#include <span>

#include "expression/lanes.hpp"

namespace armature::lane_kernels {

struct Term {
  int stage;
  double weight;
};
// result = start + sum of (h weight) K_stage, term after term; K: n rows a stage; start null: zero.
void combine(int n, std::span<const Term> terms, const LaneRow& h, const LaneRow* K, const LaneRow* start,
             LaneRow* result);

// Tolerance::norm
void error_norm(int n, double rtol, const double* atol, const LaneRow* error, const LaneRow* x0, const LaneRow* x1,
                LaneRow& norm);

// DenseOutput: F has n rows a column.
void dense_ends(int n, const LaneRow& h, const LaneRow* x0, const LaneRow* x1, const LaneRow* f0, const LaneRow* f1,
                LaneRow* F);
void dense_evaluate(int n, int columns, const LaneRow& theta, const LaneRow* F, const LaneRow* x0, LaneRow* x);

void scale(int n, const LaneRow& factor, LaneRow* x);                // x *= factor
void add(int n, const LaneRow& c, const LaneRow* y, LaneRow* x);     // x += c y
void largest(int n, const LaneRow* x, LaneRow& size);                // of |x_i|
void copy(LaneMask lanes, int n, const LaneRow* from, LaneRow* to);  // the other lanes of `to` stay
LaneMask finite(int n, const LaneRow* x);                            // lanes in which every number is
LaneMask different(int n, const LaneRow* a, const LaneRow* b);       // lanes in which some number is

}  // namespace armature::lane_kernels
