// Derivatives of motions with rigid contacts: against closed forms, and against differences of tightly solved motions.
#include <gmock/gmock.h>

#include "closed_form.hpp"
#include "sensitivity/contact_saltation.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

const char* const ball = R"model(armature: 1
name: bouncing ball
plane: xy
parameters: {h: 1 m, e: 0.7, g: 9.81 m/s^2, m: 2 kg, mu: 0.1, u: 3 m/s}
gravity: [0, -g, 0]
bodies: {ball: {mass: m, inertia: {zz: 1}}}
joints: {at: {type: planar, axis: z, between: [ground, ball]}}
forces: {slab: {type: contact, gap: at.y, restitution: e, friction: mu, sliding: "at.x'"}}
start: {keep: {at.x: 0, at.y: h, at.angle: 0}, speed: {at.x: u, at.y: 0, at.angle: 0}}
simulate: {end: 3 s, rtol: 1e-12}
)model";

std::string with(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

// Flights of V e^k, one after the other; the first begins at the height h.
Real height(Real h, Real e, Real g, Real t) {
  Real V = std::sqrt(2 * g * h);
  if (t < V / g) return h - g / 2 * t * t;
  t -= V / g, V *= e;
  while (t >= 2 * V / g) t -= 2 * V / g, V *= e;
  return V * t - g / 2 * t * t;
}

// After none, one, two, five and eight bounces.
TEST(ContactSensitivity, OfABouncingBallIsTheClosedForm) {
  const std::vector<std::string> names{"h", "e", "g"};
  const std::vector<double> times{0.3, 0.7, 1.4, 2.1, 2.35};
  SignalCase c(read_model_text(ball), names, {"at.y"}, times);
  expect_closed_form(c, names, times, [](const std::vector<Real>& p, Real t) { return height(p[0], p[1], p[2], t); });
}

// Friction is mu N in flight, impact and rest alike: x' = u - mu (g t + y'). It comes to rest after the bounces have ended.
TEST(ContactSensitivity, OfFrictionImpulsesAndOfRestIsTheClosedForm) {
  const std::vector<std::string> names{"h", "e", "g", "mu", "u"};
  const std::vector<double> times{0.3, 0.8, 1.5, 2.1};
  SignalCase c(read_model_text(ball), names, {"at.x"}, times);
  expect_closed_form(c, names, times, [](const std::vector<Real>& p, Real t) {
    const Real h = p[0], e = p[1], g = p[2], mu = p[3], u = p[4];
    return u * t - mu * (g / 2 * t * t + height(h, e, g, t) - h);
  });
}

// The bounces end at (1 + e)/(1 - e) sqrt(2 h/g); from there on the ball slides, and sticks where it stands still. What is left of the bounces when the
// tolerances resolve no more of them decides on the last digits.
TEST(ContactSensitivity, GoesThroughTheEndOfBounces) {
  const std::vector<std::string> names{"h", "e", "g", "mu", "u"};
  const std::vector<double> times{1.6, 2, 4};
  SignalCase c(read_model_text(with(with(ball, "e: 0.7", "e: 0.4"), "end: 3 s", "end: 5 s")), names, {"at.x", "at.y"},
               times);
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  const auto x = [](const std::vector<Real>& p, Real t) {
    const Real h = p[0], g = p[2], mu = p[3], u = p[4];
    const Real stop = u / (mu * g);
    t = std::min(t, stop);
    return u * t - mu * (g / 2 * t * t - h);
  };
  std::vector<Real> p;
  for (const std::string& name : names) p.push_back(c.own[c.place(name)]);
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t k = 0; k < names.size(); ++k) {
      const double known = differentiated([&](const std::vector<Real>& q) { return x(q, times[i]); }, p, k);
      EXPECT_NEAR(exact(static_cast<Eigen::Index>(2 * i), c.place(names[k])), known,
                  1e-5 * std::max(1.0, std::abs(known)))
          << names[k] << " at " << times[i];
      EXPECT_NEAR(exact(static_cast<Eigen::Index>(2 * i + 1), c.place(names[k])), 0, 1e-9)
          << names[k] << " at " << times[i];
    }
}

// A block between two walls that a spring pulls over a rigid floor: it slides, sticks, and slips where the spring pulls enough.
TEST(ContactSensitivity, OfStickAndSlipOnAFloorAreDifferencesOfMotions) {
  const char* const text = R"model(armature: 1
name: pulled block on a floor
plane: xy
parameters: {m: 1.3 kg, k: 50 N/m, mu: 0.3, V: 0.25 m/s}
gravity: [0, -9.81, 0]
bodies: {block: {mass: m, inertia: {zz: 1}}}
joints: {at: {type: planar, axis: z, between: [ground, block]}}
forces:
  slab: {type: contact, gap: at.y, restitution: 0, friction: mu, sliding: "at.x'"}
  pull: {type: effort, on: at.x, is: "k*(V*t - at.x)"}
start: {keep: {at.x: 0, at.y: 0, at.angle: 0}, speed: {at.x: 0.4 m/s, at.y: 0, at.angle: 0}}
simulate: {end: 2.5 s, rtol: 1e-12}
)model";
  const std::vector<std::string> names{"m", "k", "mu", "V"};
  SignalCase c(read_model_text(text), names, {"at.x", "at.x'"}, {0.2, 0.5, 1, 1.7, 2.4});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-3)), 1e-7);
}

// A block that rests on a floor until a push along it jumps, and later a pull away from it: nothing is zero where it slips and where it
// lifts off. By the time, and by samples, whose first is later.
TEST(ContactSensitivity, FollowsForcesThatJump) {
  const std::string text = R"model(armature: 1
name: pushed block
plane: xy
parameters: {m: 1.3 kg, mu: 0.3, push: 6 N, pull: 20 N}
gravity: [0, -9.81, 0]
bodies: {block: {mass: m, inertia: {zz: 1}}}
joints: {at: {type: planar, axis: z, between: [ground, block]}}
controllers: {along: {type: formula, is: "if(t < 0.15, 0, push)", sampled: {period: 0.1 s}}}
forces:
  slab: {type: contact, gap: at.y, restitution: 0, friction: mu, sliding: "at.x'"}
  pull_away: {type: effort, on: at.y, is: "if(t < 0.6, 0, pull)"}
  push_along: {type: effort, on: at.x, is: "PUSH"}
start: {keep: {at.x: 0, at.y: 0, at.angle: 0}, speed: {at.x: 0, at.y: 0, at.angle: 0}}
simulate: {end: 1 s, rtol: 1e-12}
)model";
  const std::vector<std::string> names{"m", "mu", "push", "pull"};
  const std::vector<double> times{0.1, 0.5, 0.9};
  for (const std::string push : {"if(t < 0.2, 0, push)", "along"}) {
    std::string here = text;
    here.replace(here.find("PUSH"), 4, push);
    SignalCase c(read_model_text(here), names, {"at.x", "at.y"}, times);
    ASSERT_EQ(c.missing, "");
    const Eigen::MatrixXd exact = c.derivatives_at(c.own);
    EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-7) << push;
  }
}

// The root of slip is mu m g - |push|, whichever way the push goes.
TEST(ContactSensitivity, OfTheRootOfSlipIsTheClosedFormOnBothSides) {
  const char* const text = R"model(armature: 1
name: pushed block at rest
plane: xy
parameters: {m: 1.3 kg, mu: 0.3, push: 2 N}
gravity: [0, -9.81, 0]
bodies: {block: {mass: m, inertia: {zz: 1}}}
joints: {at: {type: planar, axis: z, between: [ground, block]}}
forces:
  slab: {type: contact, gap: at.y, restitution: 0, friction: mu, sliding: "at.x'"}
  push_along: {type: effort, on: at.x, is: push}
start: {keep: {at.x: 0, at.y: 0, at.angle: 0}, speed: {at.x: 0, at.y: 0, at.angle: 0}}
)model";
  for (const double push : {2.0, -2.0}) {
    const std::vector<std::string> names{"m", "mu", "push"};
    SignalCase c(read_model_text(with(text, "push: 2 N", fmt::format("push: {} N", push))), names, {"at.x"}, {1});
    const Prepared& p = c.study->prepared();
    const RigidContact& law = p.system->equations().contacts[0];
    State state = p.start;
    state.d[law.closed] = state.d[law.sticks] = 1;
    ContactSaltation contact(p.system);
    contact.set_parameters(c.own);
    Eigen::VectorXd roots(contact.roots());
    contact.roots_at(state, roots);
    EXPECT_NEAR(roots[ContactSaltation::cone], 0.3 * 1.3 * 9.81 - 2, 1e-12);
    const Layout& n = p.system->layout();
    Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(Directional::rows(n), n.np), changes;
    directions.bottomRows(n.np).setIdentity();
    contact.root_changes(state, directions, changes);
    EXPECT_NEAR(changes(ContactSaltation::cone, c.place("m")), 0.3 * 9.81, 1e-12);
    EXPECT_NEAR(changes(ContactSaltation::cone, c.place("mu")), 1.3 * 9.81, 1e-12);
    EXPECT_NEAR(changes(ContactSaltation::cone, c.place("push")), push > 0 ? -1 : 1, 1e-12);
  }
}

// A block on a table that shakes: it rests, lifts off where the table falls faster, and strikes it again.
TEST(ContactSensitivity, OfLiftOffAreDifferencesOfMotions) {
  const char* const text = R"model(armature: 1
name: block on a shaking table
plane: xy
parameters: {A: 10 mm, w: 40 rad/s, g: 9.81 m/s^2, e: 0.3}
gravity: [0, -g, 0]
bodies: {block: {mass: 1 kg}}
joints: {y: {type: prismatic, axis: y, between: [ground, block]}}
forces: {table: {type: contact, gap: "y - A*sin(w*t)", restitution: e}}
start: {keep: {y: 0}, speed: {y: A*w}}
simulate: {end: 0.14 s, rtol: 1e-12}
)model";
  SignalCase c(read_model_text(text), {"A", "w", "g", "e"}, {"y", "y'"}, {0.01, 0.04, 0.08, 0.13});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-7);
}

// Impulses go through the loop.
TEST(ContactSensitivity, OfAFourBarThatStrikesAStopAreDifferencesOfMotions) {
  Model model = shipped("contact/four_bar_stop");
  model.simulate.rtol = 1e-12;
  SignalCase c(model, {"crank", "rocker", "e"}, {"d", "a'"}, {0.3, 0.9, 1.5});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-7);
}

// Two corners strike the guide at one instant, and at one instant nearby, too: the first contact of the slider with clearance, and the time after it.
TEST(ContactSensitivity, OfASliderWithClearanceAreDifferencesOfMotions) {
  Model model = shipped("contact/slider_impacts");
  model.simulate.rtol = 1e-13;
  model.simulate.max_step = 20e-6;  // an impact that moves within a step shows the error of dense output in differences
  SignalCase c(model, {"mu", "e", "c", "l1"}, {"turn", "turn'", "elbow'"}, {0.002, 0.0028});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 5e-5)), 1e-7);
}

const char* const superball = R"model(armature: 1
name: a ball that spins
plane: xy
parameters: {r: 20 mm, e: 0.8, et: 0.5, mu: 0.6, spin: 40 rad/s, u: 0.3 m/s}
gravity: [0, -9.81, 0]
bodies: {ball: {mass: 0.05 kg, inertia: {zz: 8e-6}}}
joints: {at: {type: planar, axis: z, between: [ground, ball]}}
forces: {slab: {type: contact, gap: at.y - r, restitution: e, tangential_restitution: et, friction: mu, sliding: "at.x' + r*at.angle'"}}
start: {keep: {at.x: 0, at.y: 0.3 m, at.angle: 0}, speed: {at.x: u, at.y: 0, at.angle: spin}}
simulate: {end: 1 s, rtol: 1e-12}
)model";

// Impulses that slip at first, and grip later.
TEST(ContactSensitivity, OfABallThatSpinsAreDifferencesOfMotions) {
  SignalCase c(read_model_text(superball), {"r", "e", "et", "mu", "spin", "u"},
               {"at.x", "at.y", "at.angle", "at.angle'"}, {0.1, 0.4, 0.7, 1});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-7);
}

// A rod strikes with friction so that Newton's law would add energy: the common factor of all restitutions depends on the motion, too.
TEST(ContactSensitivity, OfReducedRestitutionsAreDifferencesOfMotions) {
  const char* const text = R"model(armature: 1
name: a rod thrown onto a rough plane
plane: xy
gravity: [0, 0, 0]
parameters: {e: 0.9, mu: 0.3, l: 1 m, u: 0.75 m/s, v: 1 m/s, w: 0.01 rad/s}
bodies: {bar: {mass: 1 kg, inertia: {rod: l}, center: [0, 0, 0], points: {tip: [l/2, 0, 0]}}}
joints: {rod: {type: planar, axis: z, between: [ground, bar]}}
forces: {slab: {type: contact, gap: bar.tip.y, restitution: e, friction: mu, sliding: "bar.tip.x'"}}
start: {keep: {rod.x: 0, rod.y: 0.8 m, rod.angle: -55 deg}, speed: {rod.x: -u, rod.y: -v, rod.angle: w}}
simulate: {end: 0.6 s, rtol: 1e-12}
)model";
  const Model model = read_model_text(text);
  ASSERT_THAT(simulated(model).outcome.warnings(),
              testing::Contains(HasSubstr("all restitutions of that impact were reduced")));
  SignalCase c(model, {"l", "u", "v", "w"}, {"rod.x", "rod.y", "rod.angle"}, {0.1, 0.6});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-7);
}

// Three balls in a row, one impact after the other at one instant: the middle one touches the last, and stays so nearby.
TEST(ContactSensitivity, OfSequentialImpactsAreDifferencesOfMotions) {
  const char* const text = R"model(armature: 1
name: balls in a row
gravity: [0, 0, 0]
parameters: {e: 0.9, v: 2 m/s, m: 0.3 kg}
bodies: {first: {mass: 0.2 kg}, second: {mass: m}, third: {mass: 0.4 kg}}
joints:
  a: {type: prismatic, axis: x, between: [ground, first]}
  b: {type: prismatic, axis: x, between: [ground, second]}
  c: {type: prismatic, axis: x, between: [ground, third]}
forces: {left: {type: contact, gap: b - a, restitution: e}, right: {type: contact, gap: c - b, restitution: e}}
start: {keep: {a: -0.5 m, b: 0, c: 0}, speed: {a: v, b: 0, c: 0}}
simulate: {end: 0.6 s, rtol: 1e-12, impacts: sequential}
)model";
  SignalCase c(read_model_text(text), {"e", "v", "m"}, {"a", "b", "c"}, {0.1, 0.6});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-4)), 1e-7);
}

// What has no derivative says when and why.
std::string sentence_of(const std::string& text, const std::vector<std::string>& names, double until) {
  SignalCase c(read_model_text(text), names, {"1"}, {until});
  SignalRun run(*c.study);
  const auto n = c.own.size();
  EXPECT_EQ(run.run({c.own, Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Ones(n)}, c.stop), RunStatus::failed);
  EXPECT_TRUE(run.no_derivative());
  return run.sentence();
}

const char* const two_balls = R"model(armature: 1
name: two balls, one after the other
plane: xy
parameters: {h: 1 m, shift: 0 m}
gravity: [0, -9.81, 0]
bodies: {upper: {mass: 1 kg}, lower: {mass: 3 kg}}
joints:
  y: {type: prismatic, axis: y, between: [ground, lower]}
  z: {type: prismatic, axis: y, between: [lower, upper]}
forces:
  slab: {type: contact, gap: y, restitution: 0.8}
  balls: {type: contact, gap: z, restitution: 0.8}
start: {keep: {y: h, z: shift}}
simulate: {end: 1 s, rtol: 1e-10}
)model";

TEST(ContactSensitivity, SaysThatTwoImpactsAreAtOneInstant) {
  const char* const text = R"model(armature: 1
name: two balls on two floors
plane: xy
parameters: {h: 1 m, k: 1 m}
gravity: [0, -9.81, 0]
bodies: {left: {mass: 1 kg}, right: {mass: 3 kg}}
joints: {y: {type: prismatic, axis: y, between: [ground, left]}, z: {type: prismatic, axis: y, between: [ground, right]}}
forces: {first: {type: contact, gap: y, restitution: 0.8}, second: {type: contact, gap: z, restitution: 0.8}}
start: {keep: {y: h, z: k}}
simulate: {end: 0.6 s, rtol: 1e-10}
)model";
  EXPECT_THAT(sentence_of(text, {"h", "k"}, 0.6),
              HasSubstr("contact first and contact second change at one instant, and nearby one after the other"));
}

TEST(ContactSensitivity, SaysThatAContactAtTheStartIsNotClosedNearby) {
  EXPECT_THAT(sentence_of(two_balls, {"shift"}, 0.2),
              HasSubstr("contact balls is closed in this motion, but not in those nearby"));
}

TEST(ContactSensitivity, SaysThatAGapOnlyGrazes) {
  const char* const text = R"model(armature: 1
name: a swing that just reaches the wall
gravity: [0, 0, 0]
parameters: {k: 4 N/m, a: 1 m}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}}}
forces: {wall: {type: contact, gap: "1 m - 2e-7 m - x", restitution: 0.5}}
start: {keep: {x: -a}}
simulate: {end: 2 s, rtol: 1e-6, max_step: 10 ms}
)model";
  const std::string sentence = sentence_of(text, {"a"}, 2);
  EXPECT_THAT(sentence, HasSubstr("contact wall only grazes its zero"));
}

}  // namespace
}  // namespace armature::internal
