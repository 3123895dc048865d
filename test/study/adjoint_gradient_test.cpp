// Gradients by adjoints: against sensitivities, which go the other way; against closed forms; and of the points of a table against differences
// of tightly solved motions.
#include "study/adjoint_gradient.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "read/reader.hpp"
#include "study/motion_gradient.hpp"
#include "study/optimization.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using Real = long double;
constexpr Real half_turn = std::numbers::pi_v<Real>;

struct AdjointCase {
  AdjointCase(const Model& model, const std::vector<std::string>& names, const std::vector<std::string>& texts)
      : varied(vary(model, names, true)), formulas(varied.model, varied.parameters) {
    for (const std::string& text : texts) formulas.add_number(text);
    study = std::make_unique<Study>(varied, formulas);
    missing = GradientStudy::missing(*study);
    scales.assign(names.size(), 1.0);
    for (const std::string& name : names) {
      const auto own = std::ranges::find(varied.model.parameters, name, &Parameter::name);
      point.push_back(own == varied.model.parameters.end() ? 0 : own->value);
    }
  }

  Eigen::MatrixXd gradients(DerivativeWay way, std::size_t limit = MotionRecord::usual_limit) {
    const GradientStudy gradients(*study, scales, 0, way, limit);
    EXPECT_EQ(gradients.backwards(), way == DerivativeWay::adjoint);
    GradientRun run(gradients, stop);
    EXPECT_EQ(run.run(point), MotionStatus::finished) << run.sentence();
    values = run.values();
    no_derivative = run.no_derivative();
    if (run.backwards()) passes = run.backwards()->passes(), failure = run.backwards()->failure();
    return run.gradients();
  }
  Eigen::MatrixXd backwards(std::size_t limit = MotionRecord::usual_limit) {
    return gradients(DerivativeWay::adjoint, limit);
  }
  Eigen::MatrixXd forwards() { return gradients(DerivativeWay::forward); }

  std::vector<double> values_at(const std::vector<double>& there) {
    StudyRun run(*study, nullptr, stop);
    EXPECT_EQ(run.run(there), MotionStatus::finished) << run.sentence();
    return run.values();
  }

  Varied varied;
  MotionFormulas formulas;
  std::unique_ptr<Study> study;
  std::string missing, no_derivative, failure;
  std::vector<double> scales, point, values;
  int passes = 0;
  StopFlag stop = false;
};

// Each row against its largest entry.
void expect_alike(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double close) {
  ASSERT_EQ(a.rows(), b.rows());
  for (Eigen::Index k = 0; k < a.rows(); ++k)
    EXPECT_LT((a.row(k) - b.row(k)).cwiseAbs().maxCoeff(), close * b.row(k).cwiseAbs().maxCoeff() + 1e-14)
        << "formula " << k << "\n"
        << a.row(k) << "\n"
        << b.row(k);
}

void expect_as_forwards(AdjointCase& c, double close) {
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd backwards = c.backwards();
  EXPECT_EQ(c.failure, "");
  EXPECT_EQ(c.no_derivative, "");
  const std::vector<double> values = c.values;
  expect_alike(backwards, c.forwards(), close);
  EXPECT_EQ(values, c.values);              // the motion is the same, bit for bit,
  EXPECT_EQ(values, c.values_at(c.point));  // and that of a plain run
}

// d f/d p_k by differences of fourth order in 64 bits of mantissa.
double differentiated(const std::function<Real(const std::vector<Real>&)>& f, std::vector<Real> p, std::size_t k) {
  const Real own = p[k], h = 1e-3L * std::abs(own);
  const auto at = [&](Real shift) {
    p[k] = own + shift;
    return f(p);
  };
  return static_cast<double>((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
}

void expect_closed_form(AdjointCase& c, const std::function<Real(const std::vector<Real>&)>& f) {
  const Eigen::MatrixXd g = c.backwards();
  EXPECT_EQ(c.failure, "");
  const std::vector<Real> p(c.point.begin(), c.point.end());
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double known = differentiated(f, p, k);
    EXPECT_NEAR(g(0, static_cast<Eigen::Index>(k)), known, 1e-7 * std::abs(known)) << k;
  }
}

// ---- smooth motions

const char* const started_oscillator = R"(armature: 1
name: oscillator
gravity: [0, 0, 0]
parameters: {a: 1.2 m, b: 0.3 m/s, k: 4}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}}}
start: {keep: {x: a}, speed: {x: b}}
simulate: {end: 2 s, rtol: 1e-11}
)";

// x = a cos(w t) + (b/w) sin(w t), w = sqrt(k)
TEST(AdjointGradient, OfAnOscillatorIsTheClosedForm) {
  const auto x = [](const std::vector<Real>& p, Real t) {
    const Real w = std::sqrt(p[2]);
    return p[0] * std::cos(w * t) + p[1] / w * std::sin(w * t);
  };
  const auto X = [](const std::vector<Real>& p, Real t) {
    const Real w = std::sqrt(p[2]);
    return p[0] / w * std::sin(w * t) + p[1] / p[2] * (1 - std::cos(w * t));
  };
  const std::vector<std::pair<std::string, std::function<Real(const std::vector<Real>&)>>> cases{
      {"final(x)", [&](const auto& p) { return x(p, 2); }},
      {"at(x, 0.7)", [&](const auto& p) { return x(p, 0.7L); }},
      {"integral(x)", [&](const auto& p) { return X(p, 2); }},
      {"integral(x, 0.3, 1.1)", [&](const auto& p) { return X(p, 1.1L) - X(p, 0.3L); }},
      {"mean(x)", [&](const auto& p) { return X(p, 2) / 2; }},
      {"max(x)", [&](const auto& p) { return std::sqrt(p[0] * p[0] + p[1] * p[1] / p[2]); }},
      {"a*final(x)^2 + k", [&](const auto& p) { return p[0] * x(p, 2) * x(p, 2) + p[2]; }}};
  for (const auto& [formula, known] : cases) {
    SCOPED_TRACE(formula);
    AdjointCase c(read_model_text(started_oscillator), {"a", "b", "k"}, {formula});
    expect_closed_form(c, known);
  }
}

TEST(AdjointGradient, OfClosedLoopsWithMotorsIsThatOfSensitivities) {
  Model crank = shipped("slider_crank");
  crank.simulate.end = 0.3, crank.simulate.rtol = 1e-12;
  AdjointCase slider(crank, {"l1", "flywheel", "inductance", "crank"},
                     {"final(slide)", "min(slide)", "integral(motor.current^2)", "turns(crank)", "initial(slide)"});
  expect_as_forwards(slider, 1e-9);
  Model robot = shipped("rrr_motors", {{"inductance", "2 mH"}});
  robot.simulate.end = 0.2, robot.simulate.rtol = 1e-12;
  std::vector<std::string> names;
  for (const Parameter& parameter : robot.parameters)
    if (parameter.value != 0 && names.size() < 12) names.push_back(parameter.name);
  AdjointCase rrr(robot, names, {"final(platform.C.x)", "max(platform.C.y)"});
  expect_as_forwards(rrr, 1e-8);
}

// The record has the dense output of every method.
TEST(AdjointGradient, FollowsEveryIntegrator) {
  for (const char* integrator : {"dop853", "radau5", "cvode_bdf", "rk4"}) {
    SCOPED_TRACE(integrator);
    Model model = read_model_text(started_oscillator);
    model.simulate.integrator = integrator;
    model.simulate.step = 0.01;
    model.simulate.rtol = 1e-8;
    AdjointCase c(model, {"a", "b", "k"}, {"final(x)", "integral(x)"});
    expect_as_forwards(c, 1e-6);
  }
}

// Elements of a list are variables like others.
TEST(AdjointGradient, ByElementsOfAListIsThatOfSensitivities) {
  AdjointCase c(read_model_text(R"(armature: 1
name: a mass pushed by a sum of waves
gravity: [0, 0, 0]
parameters: {c: [0.3, -0.2, 0.5], w: 2}
bodies: {mass: {mass: 1}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: 3}}}
forces: {drive: {type: effort, on: x, is: "c[1]*sin(w*t) + c[2]*sin(2*w*t) + c[3]*x^2"}}
simulate: {end: 1 s, rtol: 1e-11}
)"),
                {"c[1]", "c[2]", "c[3]", "w"}, {"final(x)", "max(x')"});
  EXPECT_EQ(element_names(c.varied.model, "c"), (std::vector<std::string>{"c[1]", "c[2]", "c[3]"}));
  EXPECT_EQ(element_names(c.varied.model, "w"), std::vector<std::string>{"w"});
  expect_as_forwards(c, 1e-9);
}

// ---- events

TEST(AdjointGradient, KnowsTimesOfEvents) {
  AdjointCase c(
      read_model_text(started_oscillator), {"a", "b", "k"},
      {"first(x < 0)", "last(x > 0)", "integral(if(x < 0, 1, 0))", "max(x, 0.2, 0.6)", "integral(x, 0.3, 1.1)",
       "mean(if(x < 0, x, 2))", "max(if(x < 0, 3 + x', 0))", "min(if(x > 0, x', 0))"});
  expect_as_forwards(c, 1e-9);
}

TEST(AdjointGradient, OfABouncingBallIsTheClosedForm) {
  AdjointCase c(read_model_text(R"model(armature: 1
name: bouncing ball
parameters: {m: 0.8 kg, k: 900 N/m, h: 0.6 m, g: 9.81 m/s^2}
gravity: [0, -g, 0]
bodies: {ball: {mass: m}}
joints: {y: {type: prismatic, axis: y, between: [ground, ball]}}
forces: {spring: {type: effort, on: y, is: "if(y < 0, -k*y, 0)"}}
start: {keep: {y: h}}
simulate: {end: 1.5 s, rtol: 1e-12}
)model"),
                {"m", "k", "h", "g"}, {"final(y)"});
  expect_closed_form(c, [](const std::vector<Real>& p) {
    const Real m = p[0], k = p[1], h = p[2], g = p[3], w = std::sqrt(k / m), V = std::sqrt(2 * g * h);
    const Real A = g / (w * w), B = V / w, contact = 2 * (half_turn - std::atan(B / A)) / w, flight = 2 * V / g;
    Real t = 1.5L - V / g;
    while (true) {
      if (t < 0) return h - g / 2 * (t + V / g) * (t + V / g);
      if (t < contact) return A * (std::cos(w * t) - 1) - B * std::sin(w * t);
      t -= contact;
      if (t < flight) return V * t - g / 2 * t * t;
      t -= flight;
    }
  });
}

const char* const pulled_block = R"model(armature: 1
name: stick and slip
gravity: [0, 0, 0]
parameters: {m: 1.3 kg, k: 50 N/m, F: 4 N, V: 0.25 m/s}
bodies: {block: {mass: m}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: {coulomb: F, breakaway: 1.5}}}
forces: {pull: {type: effort, on: x, is: "k*(V*t - x)"}}
simulate: {end: 2.4 s, rtol: 1e-12}
)model";

TEST(AdjointGradient, OfAStickSlipOscillatorIsTheClosedForm) {
  AdjointCase c(read_model_text(pulled_block), {"m", "k", "F", "V"}, {"final(x)"});
  expect_closed_form(c, [](const std::vector<Real>& p) {
    const Real m = p[0], k = p[1], F = p[2], V = p[3], w = std::sqrt(k / m), A = F / 2 / k, B = V / w;
    const Real slip = 2 * (half_turn - std::atan(A / B)) / w, stick = 2 * A / V;
    Real x = 0, t = 2.4L - 1.5L * F / k / V;
    while (t > 0) {
      if (t < slip) return x + V * t - (A * (std::cos(w * t) - 1) + B * std::sin(w * t));
      t -= slip + stick;
      x += V * slip + 2 * A;
    }
    return x;
  });
}

TEST(AdjointGradient, OfStickAndSlipIsThatOfSensitivities) {
  AdjointCase c(read_model_text(pulled_block), {"m", "k", "F", "V"},
                {"integral(x)", "at(x, 1.2)", "max(x')", "at(x'', 1.3)", "last(x' > 1 cm/s)"});
  expect_as_forwards(c, 1e-8);
  Model press = shipped("press");
  press.simulate.rtol = 1e-12, press.simulate.end = 4;
  AdjointCase machine(press, {"w0", "phi0"}, {"final(phi)", "integral(phi')"});
  expect_as_forwards(machine, 1e-8);
}

TEST(AdjointGradient, GoesThroughImpulses) {
  AdjointCase c(read_model_text(R"model(armature: 1
name: a blow
plane: xy
gravity: [0, -9.81, 0]
parameters: {w: 3 rad/s, T: 0.2 s, l: 0.4 m, m2: 0.7 kg}
bodies:
  crank: {mass: 1, center: [l/2, 0, 0], inertia: {rod: l}}
  rod: {mass: m2, center: [0.25, 0, 0], inertia: {rod: 0.5}}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["crank [l, 0, 0]", rod]}
constraints: {drive: {type: prescribed, zero: 'a - 0.3 - w*max(0, t - T)'}}
start: {near: {a: 0.3}, keep: {b: -1.2}}
simulate: {end: 0.8 s, rtol: 1e-12}
)model"),
                {"w", "T", "l", "m2"}, {"final(b)", "final(b')", "final(work.impact)", "integral(b)"});
  expect_as_forwards(c, 1e-9);
}

TEST(AdjointGradient, GoesThroughSamples) {
  AdjointCase c(read_model_text(R"model(armature: 1
name: sampled
plane: xy
gravity: [0, -9.81, 0]
parameters: {k: 20, d: 3, m: 1.2, F: 0.4, limit: 4, u: 0.7}
bodies: {arm: {mass: m, center: [0.3, 0, 0], inertia: {zz: 0.05}}}
joints: {turn: {type: revolute, between: [ground, arm], friction: F}}
controllers: {hold: {type: formula, is: "max(-limit, min(limit, k*(u - turn) - d*turn'))", sampled: {period: 20 ms, delay: 5 ms}}}
forces: {drive: {type: effort, on: turn, is: hold}}
simulate: {end: 1 s, rtol: 1e-12}
)model"),
                {"k", "d", "m", "F", "limit", "u"}, {"final(turn)", "integral(hold^2)", "at(hold, 0.33)", "max(turn)"});
  expect_as_forwards(c, 1e-9);
}

// What is released by a jump, of the time, of the place or of a sample: sensitivities agree with differences
// (test/sensitivity/event_sensitivity_test.cpp).
TEST(AdjointGradient, FollowsAJumpThatReleasesALimit) {
  for (const std::string voltage : {"if(t < 0.055, 24, 3)", "if(q < place, 24, 3)", "2*c"}) {
    AdjointCase c(read_model_text(R"model(armature: 1
name: limited motor
gravity: [0, -9.81, 0]
plane: xy
parameters: {J: 0.02, K: 0.2, R: 0.8, most: 12, place: 0.3, kp: 60}
bodies: {arm: {mass: 0.5, center: [0.05, 0, 0], inertia: {zz: J}}}
joints: {q: {type: revolute, between: [ground, arm]}}
controllers: {c: {type: pd, measure: q, target: 0.5, kp: kp, kd: 1, sampled: {period: 5 ms}}}
drives:
  motor: {type: dc_motor, on: q, torque_constant: K, resistance: R, inductance: 1 mH, voltage: ")model" +
                                  voltage + R"model(", limits: {current: most}}
start: {keep: {q: 0}}
simulate: {end: 0.12 s, rtol: 1e-12, integrator: dop853}
)model"),
                  {"J", "K", "R", "most", "place", "kp"},
                  {"final(q)", "final(motor.current)", "integral(q*motor.voltage)"});
    SCOPED_TRACE(voltage);
    expect_as_forwards(c, 1e-8);
  }
}

TEST(AdjointGradient, SaysWhereAnEventGrazes) {
  AdjointCase c(read_model_text(R"model(armature: 1
name: grazing
gravity: [0, -10, 0]
parameters: {v: 2 m/s, F: 3 N}
bodies: {ball: {mass: 1}}
joints: {y: {type: prismatic, axis: y, between: [ground, ball]}}
forces: {edge: {type: effort, on: y, is: "if(y > 0.2 - 1e-14, F, 0)"}}
start: {speed: {y: v}}
simulate: {end: 0.5 s, rtol: 1e-8}
)model"),
                {"v", "F"}, {"final(y)"});
  c.backwards();
  EXPECT_THAT(c.failure,
              testing::AllOf(HasSubstr("at t = 0.2"), HasSubstr("(line 7)"), HasSubstr("only grazes its zero")));
  EXPECT_THAT(c.no_derivative,
              HasSubstr("only grazes its zero"));  // sensitivities have none either: these are differences
}

// ---- the record

// A record that holds a part of the motion: the rest is recorded by more runs, and nothing changes by a bit.
TEST(AdjointGradient, NeedsNoMoreMemoryThanItsLimit) {
  AdjointCase c(read_model_text(started_oscillator), {"a", "b", "k"},
                {"integral(if(x < 0, 3*x, x))", "max(x)", "final(x)"});
  const Eigen::MatrixXd whole = c.backwards();
  EXPECT_EQ(c.passes, 1);
  const Eigen::MatrixXd parts = c.backwards(400);
  EXPECT_GT(c.passes, 2);
  EXPECT_EQ(whole, parts);
}

// ---- points of tables

Model pushed(int points, const std::string& end = "1") {
  std::string x, y;
  for (int k = 0; k < points; ++k) {
    x += (k ? ", " : "") + std::to_string(static_cast<double>(k) / (points - 1));
    y += (k ? ", " : "") + std::to_string(std::sin(3.0 * k / (points - 1)));
  }
  return read_model_text(R"(armature: 1
name: a pendulum that a table pushes
plane: xy
gravity: [0, -9.81, 0]
parameters: {m: 1.3, l: 0.7, gain: 0.8}
tables: {push: {x: [)" + x +
                         "], y: [" + y + R"(]}}
bodies: {bob: {mass: m, center: [0, -l, 0], inertia: {zz: 0.2}}}
joints: {theta: {type: revolute, between: [ground, bob], damping: 0.1}}
forces: {drive: {type: effort, on: theta, is: gain*push(t)}}
start: {keep: {theta: 0.3}}
simulate: {end: )" + end +
                         " s, rtol: 1e-12}\n");
}

std::vector<std::string> points_of(int count) {
  std::vector<std::string> names{"m", "gain"};
  for (int k = 1; k <= count; ++k) names.push_back("push[" + std::to_string(k) + "]");
  return names;
}

// x'' = -k x + gain u(t), u by nine points, held from the last one on: final(x) is the integral of gain u(s) sin(w (T - s))/w, and each point
// counts between its neighbors.
TEST(AdjointGradient, ByPointsOfATableIsTheClosedForm) {
  const int count = 9;
  const double T = 1.3, k = 37, gain = 0.8, w = std::sqrt(k);
  AdjointCase c(
      read_model_text(R"(armature: 1
name: a mass on a spring that a table pushes
gravity: [0, 0, 0]
parameters: {k: 37, gain: 0.8}
tables: {push: {x: [0, 0.1, 0.25, 0.3, 0.5, 0.6, 0.77, 0.9, 1], y: [0, 2, 1, -1, 0.5, 1.5, -0.7, -0.2, 0.9]}}
bodies: {mass: {mass: 1}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}}}
forces: {drive: {type: effort, on: x, is: gain*push(t)}}
simulate: {end: 1.3 s, rtol: 1e-12}
)"),
      {"push[1]", "push[2]", "push[3]", "push[4]", "push[5]", "push[6]", "push[7]", "push[8]", "push[9]", "gain"},
      {"final(x)", "at(x', 0.61)"});
  ASSERT_EQ(c.missing, "");
  const std::vector<double> knots{0, 0.1, 0.25, 0.3, 0.5, 0.6, 0.77, 0.9, 1, T},
      y{0, 2, 1, -1, 0.5, 1.5, -0.7, -0.2, 0.9};
  for (int j = 0; j < count; ++j) c.point[static_cast<std::size_t>(j)] = y[static_cast<std::size_t>(j)];
  const Eigen::MatrixXd g = c.backwards();
  EXPECT_EQ(c.failure, "");
  // by Gauss's rule on short pieces
  const auto integral = [](const std::function<double(double)>& f, double a, double b) {
    double sum = 0;
    for (int piece = 0; piece < 20 && b > a; ++piece)
      for (const auto& [node, weight] :
           {std::pair{-std::sqrt(0.6), 5.0 / 18}, {0.0, 8.0 / 18}, {std::sqrt(0.6), 5.0 / 18}})
        sum += weight * (b - a) / 20 * f(a + (b - a) / 20 * (piece + 0.5 + node / 2));
    return sum;
  };
  const auto known = [&](std::size_t point, const std::function<double(double)>& kernel, double until) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
      const auto share = [&](double s) {  // of the point in the value at s
        const double up = (s - knots[i]) / (knots[i + 1] - knots[i]);
        return i == 8 ? (point == 8 ? 1.0 : 0.0) : point == i ? 1 - up : point == i + 1 ? up : 0.0;
      };
      sum += integral([&](double s) { return share(s) * kernel(s); }, knots[i], std::min(until, knots[i + 1]));
    }
    return gain * sum;
  };
  double by_gain = 0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    const double place = known(
        j, [&](double s) { return std::sin(w * (T - s)) / w; }, T);
    EXPECT_NEAR(g(0, column), place, 1e-7 * g.row(0).cwiseAbs().maxCoeff()) << j;
    EXPECT_NEAR(g(1, column),
                known(
                    j, [&](double s) { return std::cos(w * (0.61 - s)); }, 0.61),
                1e-7 * g.row(1).cwiseAbs().maxCoeff())
        << j;
    by_gain += y[j] * place / gain;
  }
  EXPECT_NEAR(g(0, count), by_gain, 1e-7 * g.row(0).cwiseAbs().maxCoeff());
}

// A thousand points: the gradient by each is the integral over its own share.
TEST(AdjointGradient, ByManyPointsSumsUpToThatByTheGain) {
  const int count = 1000;
  AdjointCase c(pushed(count), points_of(count), {"final(theta)"});
  for (std::size_t k = 2; k < c.point.size(); ++k)
    c.point[k] = std::sin(3.0 * static_cast<double>(k - 2) / (count - 1));
  const Eigen::RowVectorXd g = c.backwards().row(0);
  // final(theta) depends on gain*push alone: by the gain it is the sum over the points, weighted by their values
  double sum = 0;
  for (std::size_t k = 2; k < c.point.size(); ++k) sum += g[static_cast<Eigen::Index>(k)] * c.point[k];
  EXPECT_NEAR(sum / 0.8, g[1], 1e-8 * std::abs(g[1]));
  // and varies as smoothly as the adjoint does
  for (Eigen::Index k = 4; k + 2 < g.size(); ++k)
    EXPECT_LT(std::abs(g[k - 1] - 2 * g[k] + g[k + 1]), 1e-4 * g.cwiseAbs().maxCoeff()) << k;
}

// A point that its neighbors say nothing of: the steps of a motion do not pass over it.
TEST(AdjointGradient, ByASinglePointAgreesWithDifferences) {
  const int count = 400;
  AdjointCase c(pushed(count), {"push[200]"}, {"final(theta)"});
  c.point = {std::sin(3.0 * 199 / (count - 1)) + 2};
  const double g = c.backwards()(0, 0);
  const auto at = [&](double shift) { return c.values_at({c.point[0] + shift})[0]; };
  EXPECT_NEAR(g, (at(0.5) - at(-0.5)), 1e-5 * std::abs(g));
  EXPECT_GT(std::abs(g), 1e-6);
}

// A thousand voltages that carry a crane's load and leave it hanging still: as many motions as for few variables.
TEST(AdjointGradient, LeadsASearchOverAThousandVoltages) {
  const Model model = read_model(std::string(source_directory) + "/models/design/crane_volts.yaml", {});
  OptimizationOptions options;
  options.over = {{"volts", -12, 12}};
  options.objective = "final(miss) + integral(motor.current^2)/(1 A^2*s)";
  options.method = "gradient";
  CellSession session;
  const OptimizationResult found = optimize_motion(model, options, session);
  ASSERT_NE(found.best(), nullptr);
  EXPECT_TRUE(found.backwards);
  EXPECT_EQ(found.note, "");
  EXPECT_EQ(found.variables, 1000u);
  EXPECT_LT(found.evaluations, 80);
  EXPECT_NEAR(found.best()->objective, 30.839466, 1e-5);
  ASSERT_EQ(found.tables.size(), 1u);
  EXPECT_EQ(found.tables[0].y, std::vector<double>(found.best()->point));
}

TEST(AdjointGradient, SaysWhichTablesCannotBeVaried) {
  Model model = pushed(9);
  EXPECT_THROW(vary(model, {"push[1]"}), FormulaError);
  EXPECT_THROW(vary(model, {"push[10]"}, true), FormulaError);
  model.tables["push"] = std::make_shared<const Table>(Table::spline({0, 1, 2}, {0, 1, 0}));
  EXPECT_THROW(vary(model, {"push[1]"}, true), FormulaError);
}

}  // namespace
}  // namespace armature::internal
