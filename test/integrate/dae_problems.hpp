// Differential-algebraic problems with known solutions.
#pragma once

#include "integrate/ode.hpp"
#include "integrate/pendulum.hpp"

namespace armature::internal {

// Robertson's reactions with the sum of the three as an algebraic equation:
//     y1' = -0.04 y1 + 1e4 y2 y3,   y2' = 0.04 y1 - 1e4 y2 y3 - 3e7 y2^2,   0 = y1 + y2 + y3 - 1.
class Robertson : public Dae {
 public:
  int size() const override { return 3; }
  bool residual(double, const double* y, const double* ydot, double* r) override {
    r[0] = ydot[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[1] = ydot[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1;
    return true;
  }
  bool jacobian(double, double cj, const double* y, const double*, Eigen::MatrixXd& J) override {
    ++jacobian_calls;
    J << cj + 0.04, -1e4 * y[2], -1e4 * y[1],             //
        -0.04, cj + 1e4 * y[2] + 6e7 * y[1], 1e4 * y[1],  //
        1, 1, 1;
    return true;
  }
  void differential(Eigen::VectorXd& id) const override { id << 1, 1, 0; }
  void tested(Eigen::VectorXd& id) const override { id << 1, 1, 1; }
  bool begin(double, const double* x, double* y, double* ydot) override {
    for (int i = 0; i < 3; ++i) y[i] = x[i];
    ydot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    ydot[2] = 3e7 * y[1] * y[1];
    ydot[1] = -ydot[0] - ydot[2];
    return true;
  }
  int jacobian_calls = 0;
};

// The pendulum of pendulum.hpp as stabilized index-2 problem (Gear, Gupta, Leimkuhler), y = (p, v, lambda, mu):
//     p' = v - mu p,   v' = -(0, 1) - lambda p,   0 = p.v,   0 = (p.p - 1) / 2.
class PendulumDae : public Dae {
 public:
  int size() const override { return 6; }
  bool residual(double, const double* y, const double* ydot, double* r) override {
    for (int i = 0; i < 2; ++i) {
      r[i] = ydot[i] - y[2 + i] + y[5] * y[i];
      r[2 + i] = ydot[2 + i] + i + y[4] * y[i];
    }
    r[4] = y[0] * y[2] + y[1] * y[3];
    r[5] = (y[0] * y[0] + y[1] * y[1] - 1) / 2;
    return true;
  }
  bool jacobian(double, double cj, const double* y, const double*, Eigen::MatrixXd& J) override {
    J << cj + y[5], 0, -1, 0, 0, y[0],  //
        0, cj + y[5], 0, -1, 0, y[1],   //
        y[4], 0, cj, 0, y[0], 0,        //
        0, y[4], 0, cj, y[1], 0,        //
        y[2], y[3], y[0], y[1], 0, 0,   //
        y[0], y[1], 0, 0, 0, 0;
    return true;
  }
  void differential(Eigen::VectorXd& id) const override { id << 1, 1, 1, 1, 0, 0; }
  void tested(Eigen::VectorXd& id) const override { id << 1, 1, 1, 1, 0, 0; }
  bool begin(double t, const double* x, double* y, double* ydot) override {
    if (!can_begin) return false;
    for (int i = 0; i < 4; ++i) y[i] = x[i];
    y[4] = x[2] * x[2] + x[3] * x[3] - x[1];
    y[5] = ydot[4] = ydot[5] = 0;
    return pendulum_derivative(t, x, ydot);
  }
  bool can_begin = true;
};

}  // namespace armature::internal
