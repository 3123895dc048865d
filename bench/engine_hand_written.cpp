// The hand-written 3RRR robot behind the interface of the comparison, with the classical Runge-Kutta method on fixed steps
// and nothing that keeps the constraints: what remains when all is left out that can be.
#include <algorithm>
#include <cmath>

#include "engine.hpp"
#include "hand_rrr.hpp"

namespace armature::internal::bench {

namespace {

constexpr int n = 7;
using Angles = std::array<double, n>;
struct State {
  Angles q, v;
};

class HandWritten : public Engine {
 public:
  explicit HandWritten(const Machine& machine) : machine_(machine) {
    robot_.rod_inertia = machine.links[3].inertia(2, 2);
    for (int i = 0; i < 3; ++i) robot_.torque[i] = machine.links[i].effort;
  }

  void acceleration(const double* q, const double* v, double* vdot) override { robot_.acceleration(q, v, vdot); }

  void motion(const Setting& setting, double end, Motion& result) override {
    State x;
    std::copy_n(machine_.q.data(), n, x.q.data());
    std::copy_n(machine_.v.data(), n, x.v.data());
    const double interval = end / static_cast<double>(result.q.cols());
    const int steps = std::max(1, static_cast<int>(std::lround(interval / setting.step)));
    for (Eigen::Index k = 0; k < result.q.cols(); ++k) {
      for (int i = 0; i < steps; ++i) step(interval / steps, x);
      std::copy_n(x.q.data(), n, result.q.col(k).data());
    }
    result.steps = steps * result.q.cols();
    result.finished = result.q.allFinite();
  }

 private:
  // x + h (v, vdot) of another state
  static State moved(const State& x, double h, const Angles& qdot, const Angles& vdot) {
    State y;
    for (int i = 0; i < n; ++i) y.q[i] = x.q[i] + h * qdot[i], y.v[i] = x.v[i] + h * vdot[i];
    return y;
  }
  Angles rate(const State& x) const {
    Angles vdot;
    robot_.acceleration(x.q.data(), x.v.data(), vdot.data());
    return vdot;
  }
  void step(double h, State& x) const {
    const Angles k1 = rate(x);
    const State x2 = moved(x, h / 2, x.v, k1);
    const Angles k2 = rate(x2);
    const State x3 = moved(x, h / 2, x2.v, k2);
    const Angles k3 = rate(x3);
    const State x4 = moved(x, h, x3.v, k3);
    const Angles k4 = rate(x4);
    for (int i = 0; i < n; ++i) {
      x.q[i] += h / 6 * (x.v[i] + 2 * (x2.v[i] + x3.v[i]) + x4.v[i]);
      x.v[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
    }
  }

  const Machine& machine_;
  HandRrr robot_;
};

}  // namespace

EngineKind hand_written_engine() {
  EngineKind kind{"by hand", "-", {}, true, {}, {"RK4", 1e-3, 0}};
  kind.make = [](const Machine& machine) -> std::unique_ptr<Engine> {
    if (!machine.name.starts_with("rrr")) return nullptr;
    return std::make_unique<HandWritten>(machine);
  };
  for (double step : {5e-3, 2.5e-3, 1e-3, 5e-4, 2.5e-4, 1e-4}) kind.settings.push_back({"RK4", step, 0});
  return kind;
}

}  // namespace armature::internal::bench
