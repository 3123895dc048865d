// The N-four-bar and its regular motion, that of one coordinate:
//   ((N+1)/3 + N) phi'' = -g ((N+1)/2 + N) cos phi.
#pragma once

#include <algorithm>
#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal::n_four_bar {

// phi at t = 0, 0.1, ... 10 s, by RK4 with `steps` a tenth of a second.
inline std::vector<double> regular_motion(int N, int steps = 2000) {
  const double factor = -9.81 * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N), h = 0.1 / steps;
  auto acceleration = [&](double phi) { return factor * std::cos(phi); };
  double phi = M_PI / 2, w = -1;
  std::vector<double> result{phi};
  for (int k = 1; k <= 100 * steps; ++k) {
    const double a1 = acceleration(phi), a2 = acceleration(phi + h / 2 * w),
                 a3 = acceleration(phi + h / 2 * (w + h / 2 * a1));
    const double a4 = acceleration(phi + h * (w + h / 2 * a2));
    phi += h * (w + h / 6 * (a1 + a2 + a3));
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (k % steps == 0) result.push_back(phi);
  }
  return result;
}

inline Model bars(int N) {
  Model model = shipped("n_four_bar", {{"N", std::to_string(N)}});
  model.simulate.record = 0.1;
  return model;
}

// Largest distance of B0 from the regular motion; and all uprights must stay parallel, to the same.
inline double distance_from_branch(const Simulation& run, const std::vector<double>& phi, int N) {
  double largest = 0;
  const auto x = run.column("B0.x"), y = run.column("B0.y"), first = run.column("pivot0"),
             last = run.column("pivot" + std::to_string(N));
  EXPECT_EQ(x.size(), phi.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::hypot(x[i] - std::cos(phi[i]), y[i] - std::sin(phi[i])));
    largest = std::max(largest, std::abs(last[i] - first[i]));
  }
  return largest;
}

// RK4 on the one coordinate has an error e(h) of its own over 10 s; through the loops it may not be much larger, nor beyond
// the 1e-5 with which a method passes for one that holds.
inline void expect_passes_at_24_step_sizes(int N) {
  const auto exact = regular_motion(N);
  for (int k = 7; k <= 30; ++k) {
    Model model = bars(N);
    model.simulate.integrator = "rk4";
    model.simulate.step = 0.1 / k;
    const auto one_coordinate = regular_motion(N, k);
    double own = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) own = std::max(own, std::abs(one_coordinate[i] - exact[i]));
    EXPECT_LT(distance_from_branch(simulated(model), exact, N), std::min(3 * own + 1e-9, 1e-5))
        << "step 0.1/" << k << ", own error " << own;
  }
}

// The same equation as a pendulum of one coordinate: a point mass W^2/I on a rod of length I/W.
inline double error_of_one_coordinate(const std::string& integrator, double rtol, int N,
                                      const std::vector<double>& phi) {
  Model model = read_model_text(R"(
armature: 1
gravity: [0, -9.81, 0]
parameters: {N: 2, I: (N + 1)/3 + N, W: (N + 1)/2 + N}
bodies: {bob: {mass: W^2/I, center: [I/W, 0, 0], inertia: none}}
joints: {phi: {type: revolute, axis: z, between: [ground, bob]}}
start: {keep: {phi: 90 deg}, speed: {phi: -1}}
simulate: {end: 10, record: 0.1}
)",
                                "model", {{"N", std::to_string(N)}});
  model.simulate.integrator = integrator;
  model.simulate.rtol = rtol;
  const auto own = simulated(model).column("phi");
  double largest = 0;
  for (std::size_t i = 0; i < phi.size(); ++i) largest = std::max(largest, std::abs(own.at(i) - phi[i]));
  return largest;
}

// On the other branch the distance would be of the order of 1. Through the loops a run may err a few times as much as the
// same integrator does on the one coordinate at this tolerance.
inline void expect_passes(const std::string& integrator, double rtol, int N) {
  SCOPED_TRACE(integrator + " at rtol " + "1e" + std::to_string(std::lround(std::log10(rtol))));
  Model model = bars(N);
  model.simulate.integrator = integrator;
  model.simulate.rtol = rtol;
  const auto exact = regular_motion(N);
  const double own = error_of_one_coordinate(integrator, rtol, N, exact);
  EXPECT_LT(distance_from_branch(simulated(model), exact, N), 10 * own) << "own error " << own;
}

}  // namespace armature::internal::n_four_bar
