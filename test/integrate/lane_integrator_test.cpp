// Steps taken in lanes have the bits of those that an integrator takes alone.

#include "integrate/lane_integrator.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace armature::internal {
namespace {

// Van der Pol's oscillator with stiffness mu, which cannot be evaluated beyond x = limit; project() keeps x[2] = 1: dense
// output of dop853, with stages that are not projected, is not sound.
class Oscillator final : public Ode {
 public:
  Oscillator(double mu, double limit) : mu_(mu), limit_(limit) {}
  int size() const override { return 3; }
  bool derivative(double t, const double* x, double* xdot) override {
    xdot[0] = x[1], xdot[1] = mu_ * (1 - x[0] * x[0]) * x[1] - x[0] + 0.1 * t, xdot[2] = 1e-3 * x[0];
    return x[0] < limit_;
  }
  bool project(double, double* x, double* error) override {
    x[2] = 1;
    if (error) error[2] = 0;
    return true;
  }

 private:
  double mu_, limit_;
};

// Lane by lane.
class Oscillators final : public LaneOde {
 public:
  explicit Oscillators(std::vector<Oscillator>& odes) : odes_(odes) {}
  int size() const override { return 3; }
  LaneMask derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) override {
    return each(lanes, x, xdot,
                [&](int k, double* state, double* rate) { return at(k).derivative(t[k], state, rate); });
  }
  LaneMask project(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) override {
    std::vector<LaneRow> none(3);
    return each(lanes, x, error ? error : none.data(), [&](int k, double* state, double* rate) {
      const bool ok = at(k).project(t[k], state, error ? rate : nullptr);
      for (int i = 0; i < 3; ++i) x[i][k] = state[i];
      return ok;
    });
  }
  Ode* alone(int k) override { return &at(k); }

 private:
  Oscillator& at(int k) { return odes_[static_cast<std::size_t>(k)]; }
  template <class Action>
  LaneMask each(LaneMask lanes, const LaneRow* x, LaneRow* y, const Action& action) {
    LaneMask done = 0;
    for_each_lane(lanes, [&](int k) {
      double state[3], rate[3];
      for (int i = 0; i < 3; ++i) state[i] = x[i][k], rate[i] = y[i][k];
      if (action(k, state, rate)) done |= 1u << k;
      for (int i = 0; i < 3; ++i) y[i][k] = rate[i];
    });
    return done;
  }
  std::vector<Oscillator>& odes_;
};

IntegratorOptions options() {
  IntegratorOptions options;
  options.step = 0.01, options.rtol = 1e-7;
  options.atol = Eigen::VectorXd::Constant(3, 1e-9);
  return options;
}

Eigen::VectorXd start_of(int k) { return Eigen::Vector3d(1 + 0.1 * k, -0.2 * k, 1); }

// Ends of steps and points between, as bits; then how it failed, if it did.
struct Seen {
  std::vector<std::uint64_t> bits;
  std::string message;
  void add(double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); }
  void step(const Integrator& integrator) {
    Eigen::VectorXd x;
    for (double part : {0.3, 1.0}) {
      const double t =
          part == 1 ? integrator.t() : integrator.previous_t() + part * (integrator.t() - integrator.previous_t());
      integrator.interpolate(t, x);
      add(t);
      for (double value : x) add(value);
    }
  }
};

Eigen::VectorXd atol_of(int k) {
  return Eigen::VectorXd::Constant(3, 1e-9 * (1 + k));
}  // as of machines of different sizes

Seen alone(const std::string& name, Oscillator ode, int k, double end) {
  IntegratorOptions own = options();
  own.atol = atol_of(k);
  const auto integrator = make_integrator(name, ode, own);
  Seen seen;
  integrator->start(0, start_of(k));
  while (integrator->t() < end) {
    if (integrator->step(end) != StepStatus::ok) {
      seen.message = integrator->message();
      break;
    }
    seen.step(*integrator);
  }
  return seen;
}

std::vector<Seen> together(const std::string& name, std::vector<Oscillator> odes, double end) {
  Oscillators ode(odes);
  const auto integrator = make_lane_integrator(name, ode, options(), true);
  std::vector<Seen> seen(odes.size());
  LaneMask running = (1u << odes.size()) - 1;
  LaneRow stop;
  for (int k = 0; k < lane_count; ++k) stop[k] = end;
  for_each_lane(running, [&](int k) {
    integrator->set_atol(k, atol_of(k));
    integrator->begin(k);
    integrator->lane(k).start(0, start_of(k));
  });
  while (running) {
    const auto tried = integrator->attempt(running, stop);
    for_each_lane(tried.stepped, [&](int k) {
      seen[static_cast<std::size_t>(k)].step(integrator->lane(k));
      if (!(integrator->lane(k).t() < end)) running &= ~(1u << k);
    });
    for_each_lane(tried.failed,
                  [&](int k) { seen[static_cast<std::size_t>(k)].message = integrator->lane(k).message(); });
    running &= ~tried.failed;
  }
  return seen;
}

TEST(LaneIntegrator, HasTheBitsOfIntegratorsThatGoAlone) {
  std::vector<Oscillator> odes;
  for (int k = 0; k < 7; ++k) odes.emplace_back(0.5 * k, k == 3 ? 1.5 : 1e9);  // lane 3 fails, lane 7 stays empty
  for (const char* name : {"euler", "rk2", "rk4", "dopri5", "dop853"}) {
    const std::vector<Seen> seen = together(name, odes, 6);
    for (int k = 0; k < 7; ++k) {
      const Seen expected = alone(name, odes[static_cast<std::size_t>(k)], k, 6);
      EXPECT_GT(expected.bits.size(), 0u);
      EXPECT_EQ(expected.message.empty(), k != 3);
      EXPECT_EQ(seen[static_cast<std::size_t>(k)].bits, expected.bits) << name << ", lane " << k;
      EXPECT_EQ(seen[static_cast<std::size_t>(k)].message, expected.message) << name << ", lane " << k;
    }
  }
}

// All lanes at a time of each: the same as lane by lane.
TEST(LaneIntegrator, InterpolatesAllLanesAtOnce) {
  std::vector<Oscillator> odes;
  for (int k = 0; k < lane_count; ++k) odes.emplace_back(0.3 * k, 1e9);
  Oscillators ode(odes);
  const auto integrator = make_lane_integrator("dop853", ode, options(), true);
  LaneRow stop, t;
  for (int k = 0; k < lane_count; ++k) stop[k] = 5, integrator->begin(k), integrator->lane(k).start(0, start_of(k));
  for (int round = 0; round < 10; ++round) integrator->attempt(all_lanes, stop);
  for (int k = 0; k < lane_count; ++k) {
    const Integrator& lane = integrator->lane(k);
    t[k] = k == 2 ? lane.t() : lane.previous_t() + 0.1 * k * (lane.t() - lane.previous_t());
  }
  std::vector<LaneRow> x(3);
  integrator->interpolate(all_lanes, t, x.data());
  Eigen::VectorXd one;
  for (int k = 0; k < lane_count; ++k) {
    integrator->lane(k).interpolate(t[k], one);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(x[static_cast<std::size_t>(i)][k], one[i]) << k;
  }
}

}  // namespace
}  // namespace armature::internal
