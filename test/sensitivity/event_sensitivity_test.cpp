// Derivatives of motions with events: against closed forms, and against differences of tightly solved motions.
#include <gmock/gmock.h>

#include "closed_form.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// A ball that falls onto a spring: free flight, half a swing and more on the spring, free flight again, twice.
TEST(EventSensitivity, OfABouncingBallIsTheClosedForm) {
  const char* const text = R"model(armature: 1
name: bouncing ball
parameters: {m: 0.8 kg, k: 900 N/m, h: 0.6 m, g: 9.81 m/s^2}
gravity: [0, -g, 0]
bodies: {ball: {mass: m}}
joints: {y: {type: prismatic, axis: y, between: [ground, ball]}}
forces: {spring: {type: effort, on: y, is: "if(y < 0, -k*y, 0)"}}
start: {keep: {y: h}}
simulate: {end: 1.6 s, rtol: 1e-12}
)model";
  const std::vector<std::string> names{"m", "k", "h", "g"};
  const std::vector<double> times{0.2, 0.38, 0.6, 1.0, 1.5};
  SignalCase c(read_model_text(text), names, {"y"}, times);
  expect_closed_form(c, names, times, [](const std::vector<Real>& p, Real t) {
    const Real m = p[0], k = p[1], h = p[2], g = p[3], w = std::sqrt(k / m), V = std::sqrt(2 * g * h);
    const Real A = g / (w * w), B = V / w, contact = 2 * (pi - std::atan(B / A)) / w, flight = 2 * V / g;
    t -= V / g;
    while (true) {
      if (t < 0) return h - g / 2 * (t + V / g) * (t + V / g);
      if (t < contact) return A * (std::cos(w * t) - 1) - B * std::sin(w * t);
      t -= contact;
      if (t < flight) return V * t - g / 2 * t * t;
      t -= flight;
    }
  });
}

// Forces that jump where the mass passes a.
TEST(EventSensitivity, KnowsTheJumpOfAForce) {
  const char* const text = R"model(armature: 1
name: a mass comes into another field
gravity: [0, 0, 0]
parameters: {m: 1.7 kg, F: 2 N, G: -3 N, a: 0.5 m, v0: 0.8 m/s}
bodies: {mass: {mass: m}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass]}}
forces: {field: {type: effort, on: x, is: "if(x < a, F, G)"}}
start: {speed: {x: v0}}
simulate: {end: 1 s, rtol: 1e-11}
)model";
  const std::vector<std::string> names{"m", "F", "G", "a", "v0"};
  const std::vector<double> times{0.3, 0.7, 1.0};
  SignalCase c(read_model_text(text), names, {"x"}, times);
  expect_closed_form(c, names, times, [](const std::vector<Real>& p, Real t) {
    const Real m = p[0], F = p[1], G = p[2], a = p[3], v0 = p[4];
    const Real v = std::sqrt(v0 * v0 + 2 * F * a / m), arrival = (v - v0) * m / F;
    if (t < arrival) return v0 * t + F / m * t * t / 2;
    t -= arrival;
    return a + v * t + G / m * t * t / 2;
  });
}

// A block on a table, pulled by a spring whose end moves evenly: it sticks until the pull exceeds breakaway, slips, sticks again …
const char* const pulled_block = R"model(armature: 1
name: stick and slip
gravity: [0, 0, 0]
parameters: {m: 1.3 kg, k: 50 N/m, F: 4 N, V: 0.25 m/s}
bodies: {block: {mass: m}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: {coulomb: F, breakaway: RATIO}}}
forces: {pull: {type: effort, on: x, is: "k*(V*t - x)"}}
simulate: {end: 2.5 s, rtol: 1e-12}
)model";

Model stick_slip(const std::string& ratio) {
  std::string text = pulled_block;
  text.replace(text.find("RATIO"), 5, ratio);
  return read_model_text(text);
}

TEST(EventSensitivity, OfAStickSlipOscillatorIsTheClosedForm) {
  const std::vector<std::string> names{"m", "k", "F", "V"};
  const std::vector<double> times{0.55, 0.8, 1.2, 1.4, 1.9, 2.4};
  SignalCase c(stick_slip("1.5"), names, {"x"}, times);
  expect_closed_form(c, names, times, [](const std::vector<Real>& p, Real t) {
    const Real m = p[0], k = p[1], F = p[2], V = p[3], w = std::sqrt(k / m), A = F / 2 / k, B = V / w;
    const Real slip = 2 * (pi - std::atan(A / B)) / w, stick = 2 * A / V;
    Real x = 0;
    t -= 1.5L * F / k / V;
    while (t > 0) {
      if (t < slip) return x + V * t - (A * (std::cos(w * t) - 1) + B * std::sin(w * t));
      t -= slip + stick;
      x += V * slip + 2 * A;
    }
    return x;
  });
}

// Signals that show the friction itself: its weight moves while the block sticks.
TEST(EventSensitivity, KnowsTheForceOfWhatSticks) {
  SignalCase c(stick_slip("1.5"), {"m", "k", "F", "V"}, {"x''"}, {0.3, 0.9, 1.3});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(exact.row(0).cwiseAbs().maxCoeff(), 1e-9);  // it rests
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-6);
}

// A crank that a drive takes from rest to speed at once, at a time that is a parameter; a rod hangs from its end, and takes the impulse.
TEST(EventSensitivity, GoesThroughImpulses) {
  const char* const text = R"model(armature: 1
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
)model";
  SignalCase c(read_model_text(text), {"w", "T", "l", "m2"}, {"b", "b'", "work.impact"}, {0.1, 0.3, 0.8});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-3)), 1e-7);
}

// A sampled controller with a saturation, against a joint with friction.
TEST(EventSensitivity, GoesThroughSamples) {
  const char* const text = R"model(armature: 1
name: sampled
plane: xy
gravity: [0, -9.81, 0]
parameters: {k: 20, d: 3, m: 1.2, F: 0.4, limit: 4, u: 0.7}
bodies: {arm: {mass: m, center: [0.3, 0, 0], inertia: {zz: 0.05}}}
joints: {turn: {type: revolute, between: [ground, arm], friction: F}}
controllers: {hold: {type: formula, is: "max(-limit, min(limit, k*(u - turn) - d*turn'))", sampled: {period: 20 ms, delay: 5 ms}}}
forces: {drive: {type: effort, on: turn, is: hold}}
simulate: {end: 1 s, rtol: 1e-12}
)model";
  SignalCase c(read_model_text(text), {"k", "d", "m", "F", "limit", "u"}, {"turn", "turn'", "hold"},
               {0.11, 0.3, 0.55, 1});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-7);
}

// A motor whose current is held at its limit, until its voltage jumps: what releases the limit is no zero of its own, but the jump.
std::string limited_motor(const std::string& voltage) {
  return R"model(armature: 1
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
)model";
}

TEST(EventSensitivity, FollowsAJumpThatReleasesALimit) {
  // by the time, by the place (which moves with the parameters), by a sample
  for (const std::string voltage : {"if(t < 0.055, 24, 3)", "if(q < place, 24, 3)", "2*c"}) {
    SignalCase c(read_model_text(limited_motor(voltage)), {"J", "K", "R", "most", "place", "kp"},
                 {"q", "q'", "motor.current"}, {0.05, 0.08, 0.12});
    ASSERT_EQ(c.missing, "");
    const Eigen::MatrixXd exact = c.derivatives_at(c.own), known = c.differences_at(c.own, 2e-5);
    for (Eigen::Index k = 0; k < exact.cols(); ++k)
      EXPECT_LT((exact.col(k) - known.col(k)).cwiseAbs().maxCoeff(), 1e-7 * known.cwiseAbs().maxCoeff())
          << voltage << ": " << c.order[static_cast<std::size_t>(k)];
  }
}

// An event that a motion only just has: the ball touches the edge at the top of its flight.
TEST(EventSensitivity, SaysWhereAnEventGrazes) {
  const char* const text = R"model(armature: 1
name: grazing
gravity: [0, -10, 0]
parameters: {v: 2 m/s, F: 3 N}
bodies: {ball: {mass: 1}}
joints: {y: {type: prismatic, axis: y, between: [ground, ball]}}
forces: {edge: {type: effort, on: y, is: "if(y > 0.2 - 1e-14, F, 0)"}}
start: {speed: {y: v}}
simulate: {end: 1 s, rtol: 1e-8}
)model";
  SignalCase c(read_model_text(text), {"v", "F"}, {"y"}, {0.1, 0.5});
  SignalRun run(*c.study);
  EXPECT_EQ(run.run({c.own, Eigen::MatrixXd::Identity(2, 2), Eigen::VectorXd::Ones(2)}, c.stop), RunStatus::failed);
  EXPECT_TRUE(run.no_derivative());
  EXPECT_THAT(run.sentence(),
              testing::AllOf(HasSubstr("at t = 0.19999"), HasSubstr("(line 7)"), HasSubstr("only grazes its zero")));
}

// Two masses that come to their edges at the same instant, each with a parameter of its own.
TEST(EventSensitivity, SaysWhereTwoEventsMeet) {
  const char* const text = R"model(armature: 1
name: two at once
gravity: [0, 0, 0]
parameters: {v: 1 m/s, w: 2 m/s}
bodies: {one: {mass: 1}, two: {mass: 1}}
joints:
  x: {type: prismatic, axis: x, between: [ground, one]}
  y: {type: prismatic, axis: y, between: [ground, two]}
forces:
  first: {type: effort, on: x, is: "if(x > 0.5, if(y > 1, -3, -2), 0)"}
  second: {type: effort, on: y, is: "if(y > 1, -1, 0)"}
start: {speed: {x: v, y: w}}
simulate: {end: 1 s, rtol: 1e-8}
)model";
  SignalCase c(read_model_text(text), {"v", "w"}, {"x"}, {0.1, 0.8});
  SignalRun run(*c.study);
  EXPECT_EQ(run.run({c.own, Eigen::MatrixXd::Identity(2, 2), Eigen::VectorXd::Ones(2)}, c.stop), RunStatus::failed);
  EXPECT_THAT(run.sentence(), testing::AllOf(HasSubstr("at t = 0.5 s"), HasSubstr("change at one instant")));
}

// A shipped machine with friction that sticks and slips in a closed loop.
TEST(EventSensitivity, OfThePressAgreesWithDifferences) {
  Model press = shipped("press");
  press.simulate.rtol = 1e-12;
  press.simulate.end = 8;
  SignalCase c(press, {"w0"}, {"phi", "phi'"}, {2, 5, 8});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-7);
}

}  // namespace
}  // namespace armature::internal
