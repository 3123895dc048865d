// Mechanisms as Equations written by hand: what mechanics/ would build, for tests that need a whole System.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "mechanics/equations.hpp"
#include "system/system.hpp"

namespace armature::internal::hand {

inline const double pi = std::acos(-1.0);

class Writer {
 public:
  Writer() { e->t = e->graph->input("t"); }

  void add(const std::string& name, Coordinate::Kind kind, double initial) {
    e->q.push_back(e->graph->input(name));
    e->v.push_back(e->graph->input(name + "'"));
    e->qdot.push_back(e->v.back());
    const std::string unit = kind == Coordinate::Kind::length ? "m" : "rad";
    e->positions.push_back({name, kind, unit, name});
    e->velocities.push_back({name + "'", kind, unit + "/s", name});
    e->q_initial.push_back(initial);
  }
  // After the last coordinate: M, f.
  void size() {
    const std::size_t n = e->v.size();
    e->M = ExpressionMatrix(static_cast<int>(n), static_cast<int>(n));
    e->f.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      e->a.push_back(e->graph->input("a" + std::to_string(i)));
      e->elimination_order.push_back(static_cast<int>(i));
    }
  }
  void inertia(int i, int j, Expression value) {
    e->M.add(i, j, value);
    if (i != j) e->M.add(j, i, value);
  }
  void row(const std::string& owner, const std::string& direction, Expression phi) {
    e->rows.push_back({owner + "." + direction, owner, "translation along " + direction, "m", false, phi});
    e->lambda.push_back(e->graph->input("lambda" + std::to_string(e->lambda.size())));
  }
  void keep(const std::string& name, Expression residual, const std::string& unit = "rad") {
    e->keep.push_back({name, {}, residual, unit});
  }
  void near(const std::string& name, Expression residual) { e->near.push_back({name, {}, residual, "rad"}); }

  std::shared_ptr<Equations> e = std::make_shared<Equations>();
};

inline std::shared_ptr<const System> compile(const Writer& writer, bool traced = true, bool jacobian = false) {
  SystemOptions options;
  for (std::size_t i = 0; i < writer.e->rows.size(); ++i) options.independent_rows.push_back(static_cast<int>(i));
  options.traced_solve = traced;
  options.jacobian = jacobian;
  return std::make_shared<const System>(writer.e, options);
}

// Point mass of 1 kg on a rod of 1 m, in x and y, from x = -1 at rest.
inline Writer pendulum() {
  Writer w;
  w.add("x", Coordinate::Kind::length, -1);
  w.add("y", Coordinate::Kind::length, 0);
  w.size();
  w.inertia(0, 0, 1.0), w.inertia(1, 1, 1.0);
  w.e->f[1] = -9.81;
  w.row("rod", "r", 0.5 * (square(w.e->q[0]) + square(w.e->q[1]) - 1.0));
  return w;
}

// Slider-crank with crank and rod of one length l = 0.35 m: Phi loses rank at 90 and 270 degrees. q = [crank, rod (positive
// below the horizontal), slider]; crank torque 200 - 20 q1' N m, flywheel 2.1 kg m^2.
inline Writer slider_crank() {
  const double l = 0.35, m1 = 1, m2 = 1, m3 = 0.5, g = 9.81, flywheel = 2.1;
  Writer w;
  w.add("crank", Coordinate::Kind::angle, 0);
  w.add("rod", Coordinate::Kind::angle, 0);
  w.add("slider", Coordinate::Kind::length, 0.7);
  w.size();
  const auto &q = w.e->q, &v = w.e->v;
  w.inertia(0, 0, flywheel + m1 * l * l / 12 + m1 * l * l / 4 + m2 * l * l);
  w.inertia(1, 1, m2 * l * l / 12 + m2 * l * l / 4);
  w.inertia(2, 2, m3);
  w.inertia(0, 1, -m2 * l * l / 2 * cos(q[0] + q[1]));
  const Expression bend = m2 * l * l / 2 * sin(q[0] + q[1]);
  w.e->f[0] = 200.0 - 20.0 * v[0] - bend * square(v[1]) - g * (m1 * l / 2 + m2 * l) * cos(q[0]);
  w.e->f[1] = g * m2 * l / 2 * cos(q[1]) - bend * square(v[0]);
  w.row("slide", "x", l * cos(q[0]) + l * cos(q[1]) - q[2]);
  w.row("slide", "y", l * sin(q[0]) - l * sin(q[1]));
  return w;
}

// 2N+1 uniform bars of 1 m and 1 kg; see hand::four_bars of hand_systems.hpp.
inline Writer four_bars(int N) {
  const double g = 9.81;
  Writer w;
  for (int i = 0; i <= N; ++i) w.add("link" + std::to_string(i), Coordinate::Kind::angle, pi / 2);
  for (int i = 0; i < N; ++i) w.add("coupler" + std::to_string(i), Coordinate::Kind::angle, 0);
  w.size();
  const auto &q = w.e->q, &v = w.e->v;
  for (int i = 0; i <= N; ++i) {
    const double carried = i < N ? 1.0 : 0.0;
    w.inertia(i, i, 1.0 / 3 + carried);
    w.e->f[i] = -g * (0.5 + carried) * cos(q[i]);
  }
  for (int i = 0; i < N; ++i) {
    const int k = N + 1 + i;
    w.inertia(k, k, 1.0 / 3);
    w.inertia(i, k, 0.5 * cos(q[i] - q[k]));
    w.e->f[i] -= 0.5 * sin(q[i] - q[k]) * square(v[k]);
    w.e->f[k] = -g * 0.5 * cos(q[k]) + 0.5 * sin(q[i] - q[k]) * square(v[i]);
    w.row("loop" + std::to_string(i), "x", cos(q[i]) + cos(q[k]) - cos(q[i + 1]) - 1.0);
    w.row("loop" + std::to_string(i), "y", sin(q[i]) + sin(q[k]) - sin(q[i + 1]));
  }
  return w;
}

inline State four_bars_start(const System& system, int N) {
  State state = system.initial_state();
  for (int i = 0; i <= N; ++i) state.x[2 * N + 1 + i] = -1;  // the tops move with 1 m/s to +x
  return state;
}

// The planar 3RRR robot in Lagrange form; see hand::rrr of hand_systems.hpp.
inline Writer rrr() {
  const double l1 = 0.581, l2 = 0.620, radius = 0.2 / std::sqrt(3.0);
  const double base[3][2] = {{0, 0}, {1.2, 0}, {0.6, 0.6 * std::sqrt(3.0)}};
  const double corner[3] = {7 * pi / 6, -pi / 6, pi / 2}, volts[3] = {5, -5, 5}, start[3] = {-0.1259, 1.3727, 3.2675};
  Writer w;
  for (int i = 0; i < 3; ++i) w.add("theta" + std::to_string(i + 1), Coordinate::Kind::angle, start[i]);
  w.add("x", Coordinate::Kind::length, 0.5936271468069613);
  w.add("y", Coordinate::Kind::length, 0.6014507913354462);
  w.add("phi", Coordinate::Kind::angle, 0.020707095085640663);
  w.size();
  const auto &q = w.e->q, &v = w.e->v;
  const double inertia[6] = {1.431441973, 1.431441973, 1.431441973, 2.103, 2.103, 0.022};
  for (int i = 0; i < 6; ++i) w.inertia(i, i, inertia[i]);
  for (int i = 0; i < 3; ++i) {
    w.e->f[i] = 10 * volts[i] - 10.0 * v[i];
    const Expression x = q[3] + radius * cos(q[5] + corner[i]) - base[i][0] - l1 * cos(q[i]);
    const Expression y = q[4] + radius * sin(q[5] + corner[i]) - base[i][1] - l1 * sin(q[i]);
    w.row("rod" + std::to_string(i + 1), "r", square(x) + square(y) - l2 * l2);
  }
  return w;
}

}  // namespace armature::internal::hand
