// Contact between surfaces: gaps by elementary geometry, laws by their closed forms, and the energy of elastic contacts, which is kept
// only where gap, normal and velocities belong together.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// A body at a place of the plane against something on the ground; its gap at the start.
double gap_in_plane(const std::string& moving, const std::string& fixed, const std::string& at) {
  const Simulation run = simulated_text(
      "plane: xy\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: {zz: 1}}}\n"
      "joints: {j: {type: planar, between: [ground, a]}}\n"
      "forces: {touch: {type: contact, between: [" +
      moving + ", " + fixed +
      "], stiffness: 1e-9}}\n"
      "start: {keep: {a: " +
      at + "}}\nsimulate: {end: 1e-3}\n");
  return run.at(0, "touch.gap");
}

double gap_in_space(const std::string& moving, const std::string& fixed, const std::string& at) {
  const Simulation run = simulated_text(
      "gravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
      "joints: {j: {type: free, between: [ground, a]}}\n"
      "forces: {touch: {type: contact, between: [" +
      moving + ", " + fixed +
      "], stiffness: 1e-9}}\n"
      "start: {keep: {a: " +
      at + "}}\nsimulate: {end: 1e-3}\n");
  return run.at(0, "touch.gap");
}

constexpr double exact = 1e-12;  // m: round-off of lengths of a few metres, and what a centered pin is rounded off by

TEST(ContactGeometry, GapsInThePlane) {
  const std::string wheel = "{circle: a, radius: 0.2}", at = "{at: [3, 4, 0]}";
  EXPECT_NEAR(gap_in_plane("a", "{plane: ground, normal: y}", at), 4, exact);
  EXPECT_NEAR(gap_in_plane(wheel, "{plane: \"ground [0, 1, 0]\", normal: [-3, 4, 0]}", at), (-9 + 12) / 5.0 - 0.2,
              exact);
  EXPECT_NEAR(gap_in_plane(wheel, "{circle: ground, radius: 1}", at), 5 - 1.2, exact);
  EXPECT_NEAR(gap_in_plane(wheel, "{circle: ground, radius: 6, free: inside}", at), 6 - 5.2, exact);
  EXPECT_NEAR(gap_in_plane("{sphere: a, radius: 0.2}", "ground", at), 5 - 0.2, exact);
  EXPECT_NEAR(gap_in_plane(wheel, "{capsule: ground, from: [-1, 0, 0], to: [1, 0, 0], radius: 0.1}", at),
              std::hypot(2, 4) - 0.3, exact);
  EXPECT_NEAR(gap_in_plane(wheel, "{slot: ground, to: [10, 0, 0], width: 10}", at), 5 - 4 - 0.2, exact);
  // beside its ends an arc is a point; between them a circle
  EXPECT_NEAR(gap_in_plane(wheel, "{arc: ground, radius: 6, from: 0, to: 90 deg, free: inside}", at), 6 - 5.2, exact);
  EXPECT_NEAR(gap_in_plane(wheel, "{arc: ground, radius: 6, from: 90 deg, to: 200 deg}", at), std::hypot(3, 2) - 0.2,
              exact);
  EXPECT_NEAR(gap_in_plane(wheel, "{arc: ground, radius: 6, from: -90 deg, to: 0 deg}", at), std::hypot(3, 4) - 0.2,
              exact);
}

TEST(ContactGeometry, GapsInSpace) {
  const std::string at = "{at: [3, 4, 12]}", ball = "{sphere: a, radius: 0.5}";
  EXPECT_NEAR(gap_in_space(ball, "{plane: ground, normal: [0, 3, 4]}", at), (12 + 48) / 5.0 - 0.5, exact);
  EXPECT_NEAR(gap_in_space(ball, "{sphere: ground, radius: 1}", at), 13 - 1.5, exact);
  EXPECT_NEAR(gap_in_space(ball, "{sphere: ground, radius: 14, free: inside}", at), 0.5, exact);
  EXPECT_NEAR(gap_in_space(ball, "{cylinder: ground, radius: 2, axis: z}", at), 5 - 2.5, exact);
  EXPECT_NEAR(gap_in_space(ball, "{cylinder: ground, radius: 6, axis: -z, free: inside}", at), 0.5, exact);
  EXPECT_NEAR(gap_in_space("a", "{capsule: ground, to: [0, 0, 10], radius: 1}", at), std::hypot(3, 4, 2) - 1, exact);
  // a disc that is tilted by 30 degrees stands on its rim: r cos(30 deg) below its center
  EXPECT_NEAR(gap_in_space("{circle: a, radius: 2, axis: y}", "{plane: ground, normal: z}",
                           "{at: [0, 0, 5], angle: 30 deg, axis: x}"),
              5 - 2 * std::cos(std::numbers::pi / 6), exact);
}

// Of an eccentric circle: R + e cos over the direction of a flat face, and the distance of centers for a roller that touches; away from the
// cam, by the square of the angle that the center makes with the normal.
TEST(ContactGeometry, CamsOfAnEccentricCircle) {
  const std::string cam = "{cam: ground, profile: \"0.01*cos(angle) + sqrt(0.04^2 - 0.01^2*sin(angle)^2)\"}";
  for (const double turn : {0.0, 0.7, 1.9, 3.0, 4.4})
    for (const double away : {0.0, 1e-6, 0.01}) {
      const std::string angle = std::to_string(turn), d = std::to_string(away),
                        roller =
                            "[0.01 + (0.06 + " + d + ")*cos(" + angle + "), (0.06 + " + d + ")*sin(" + angle + "), 0]";
      EXPECT_NEAR(gap_in_plane("{circle: a, radius: 0.02}", cam, "{at: " + roller + "}"), away,
                  away > 1e-3 ? 1e-4 : exact);
      EXPECT_NEAR(gap_in_plane(
                      "a", cam,
                      "{at: [0.01 + (0.04 + " + d + ")*cos(" + angle + "), (0.04 + " + d + ")*sin(" + angle + "), 0]}"),
                  away, away > 1e-3 ? 1e-4 : exact);
      // a face whose normal points at the cam from the direction `turn`
      EXPECT_NEAR(gap_in_plane("{plane: a, normal: -x}", cam,
                               "{at: [0.1*cos(" + angle + "), 0.1*sin(" + angle + "), 0], angle: " + angle + "}"),
                  0.1 - 0.04 - 0.01 * std::cos(turn), exact);
    }
}

// A ball of mass 1 that flies at 2 m/s against a wall.
std::string thrown(const std::string& law) {
  return "plane: xy\ngravity: [0, 0, 0]\nbodies: {ball: {mass: 1, inertia: {zz: 1}}}\n"
         "joints: {j: {type: planar, between: [ground, ball]}}\n"
         "forces: {wall: {type: contact, between: [{sphere: ball, radius: 10 mm}, {plane: ground, normal: x}], " +
         law + "}}\nstart: {keep: {j.x: 30 mm}, speed: {j.x: -2}}\nsimulate: {end: 0.03, record: 1e-4, rtol: 1e-11}\n";
}

// F = k x^n (1 + d x'): with y = d v the speed after the impact is e v where  y (1 + e) = log((1 + y)/(1 - e y)),  whatever k and n.
double speed_ratio(double y) {
  double low = 0, high = 1;
  for (int k = 0; k < 200; ++k) {
    const double e = 0.5 * (low + high);
    (y * (1 + e) < std::log((1 + y) / (1 - e * y)) ? high : low) = e;
  }
  return low;
}

TEST(ContactLaw, ImpactsOfHuntCrossleyAndLankaraniNikravesh) {
  for (const double e : {0.3, 0.6, 0.9})
    for (const char* exponent : {"1.5", "1", "2"})
      for (const bool hunt : {true, false}) {
        const std::string law = std::string("law: ") + (hunt ? "hunt_crossley" : "lankarani_nikravesh");
        const Simulation run = simulated_text(
            thrown(law + ", stiffness: 1e7, exponent: " + exponent + ", restitution: " + std::to_string(e)));
        const double after = 2 * speed_ratio(hunt ? 1.5 * (1 - e) : 0.75 * (1 - e * e));
        EXPECT_NEAR(run.last("j.x'"), after, 1e-8) << law << " " << e << " " << exponent;
        EXPECT_NEAR(run.last("heat.viscous"), 0.5 * (4 - after * after), 1e-8);
        EXPECT_LT(run.outcome.statistics.energy_error, 1e-8);
        ASSERT_EQ(run.outcome.events.size(), 2u);
        EXPECT_NEAR(run.outcome.events[0].t, 0.01, 1e-12);
      }
}

// sqrt(2 h/g)
TEST(ContactLaw, TouchAndLiftOffAreEventsInWords) {
  const Simulation run = simulated(shipped("contact/bouncing_ball"));
  ASSERT_GE(run.outcome.events.size(), 2u);
  EXPECT_EQ(run.outcome.events[0].what, "contact touch touches");
  EXPECT_EQ(run.outcome.events[1].what, "contact touch lifts off");
  EXPECT_NEAR(run.outcome.events[0].t, std::sqrt(2 * 0.2 / 9.81), 1e-8);
}

// Hertz: 2 x/v times the integral of 1/sqrt(1 - s^(5/2)) from 0 to 1, at the greatest penetration x = (5 m v^2/(4 k))^(2/5).
TEST(ContactLaw, DurationOfAHertzianImpact) {
  const Simulation run = simulated_text(thrown("hertz: {youngs_modulus: 200 MPa, poisson_ratio: 0.25}"));
  const double k = 4.0 / 3 * (200e6 / (2 * (1 - 0.0625))) * std::sqrt(0.01), x = std::pow(1.25 * 4 / k, 0.4);
  const double integral = std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
  ASSERT_EQ(run.outcome.events.size(), 2u);
  EXPECT_NEAR(run.outcome.events[1].t - run.outcome.events[0].t, 2 * x / 2 * integral, 1e-9);
  // rtol is relative to a tenth of the machine's length, of which the penetration is a small part
  EXPECT_NEAR(run.last("j.x'"), 2, 1e-7);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-7);
}

// A disc that lands without spin slides until its rim is at rest: its speed falls by mu g, and its spin grows by m mu g r/J; then it
// rolls. Friction acts halfway between the penetrating surfaces: r is smaller than the radius by half of m g/k.
TEST(ContactLaw, ASlidingDiscBeginsToRoll) {
  const Simulation run = simulated_text(R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {k: 1e6, v: 3}
bodies: {disc: {mass: 2, inertia: {zz: 2*0.1^2/2}}}
joints: {j: {type: planar, between: [ground, disc]}}
forces: {road: {type: contact, between: [{circle: disc, radius: 0.1}, {plane: ground, normal: y}], stiffness: k, friction: 0.3}}
start: {keep: {j.y: 0.1 - 2*9.81/k}, speed: {j.x: v}}
simulate: {end: 1, record: 10 ms, rtol: 1e-10}
)");
  const double r = 0.1 - 0.5 * 2 * 9.81 / 1e6, J = 0.01, b = 0.3 * 9.81, stops = 3 / (b * (1 + 2 * r * r / J)),
               v = 3 - b * stops;
  EXPECT_NEAR(run.last("j.x'"), v, 1e-8);
  EXPECT_NEAR(run.last("j.angle'"), -v / r, 1e-7);
  EXPECT_NEAR(run.last("j.x"), 3 * stops - 0.5 * b * stops * stops + v * (1 - stops), 1e-8);
  EXPECT_NEAR(run.last("heat.friction"), 0.5 * 2 * 9 - 0.5 * 2 * v * v - 0.5 * J * v * v / (r * r), 1e-7);
}

// In space with creep: the same sphere keeps 5/7 of its speed.
TEST(ContactLaw, ASlidingBallBeginsToRollInSpace) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, -9.81]
parameters: {k: 1e5}
bodies: {ball: {mass: 1, inertia: {sphere: 0.1}}}
joints: {j: {type: free, between: [ground, ball]}}
forces: {road: {type: contact, between: [{sphere: ball, radius: 0.1}, {plane: ground, normal: z}], stiffness: k, friction: 0.3, creep: 1e-5 m/s}}
start: {keep: {j.z: 0.1 - 9.81/k}, speed: {j.x: 3, j.y: 4}}
simulate: {end: 1, record: 10 ms, rtol: 1e-8}
)");
  const double r = 0.1 - 0.5 * 9.81 / 1e5,
               share = 0.004 / (0.004 + r * r);          // J/(J + m r^2): what its slip leaves of its momentum
  EXPECT_NEAR(run.last("j.x'"), 3 * (1 - share), 1e-6);  // what the creep leaves
  EXPECT_NEAR(run.last("j.y'"), 4 * (1 - share), 1e-6);
}

// Elastic contact keeps energy, wherever it touches.
class ElasticContact : public testing::TestWithParam<std::pair<const char*, const char*>> {};
TEST_P(ElasticContact, KeepsEnergyInThePlane) {
  const Simulation run = simulated_text(std::string(R"(
plane: xy
gravity: [1, -9.81, 0]
bodies:
  a: {mass: 1, center: [0.02, 0, 0], inertia: {zz: 0.01}}
  b: {mass: 2, inertia: {zz: 0.05}}
joints:
  j: {type: planar, between: [ground, a]}
  h: {type: revolute, between: [ground, b], spring: {stiffness: 20}}
start: {keep: {j.x: 0.05, j.y: 0.05}, speed: {j.x: 0.3, j.angle: 5, h: 1}}
simulate: {end: 0.5, record: 10 ms, rtol: 1e-10}
forces: {touch: {type: contact, law: hunt_crossley, restitution: 1, stiffness: 1e6, between: [)") +
                                        GetParam().first + ", " + GetParam().second + "]}}\n");
  EXPECT_FALSE(run.outcome.events.empty());
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-7);
}
INSTANTIATE_TEST_SUITE_P(
    Pairs, ElasticContact,
    testing::Values(
        std::pair("{circle: a, radius: 20 mm}", "{circle: b, radius: 0.1, free: inside}"),
        std::pair("{slot: b, from: [-0.1, 0, 0], to: [0.1, 0.05, 0], width: 0.2}", "{circle: a, radius: 20 mm}"),
        std::pair("a", "{plane: \"b [0, -0.05, 0]\", normal: y}"),
        std::pair("{circle: a, radius: 20 mm}",
                  "{capsule: b, from: [-0.2, -0.1, 0], to: [0.2, -0.1, 0], radius: 10 mm}"),
        std::pair("{circle: a, radius: 20 mm}",
                  "{arc: \"b [0, 0.1, 0]\", radius: 0.2, from: 180 deg, to: 360 deg, free: inside}"),
        std::pair("{circle: \"a [0, 0.05, 0]\", radius: 20 mm}",
                  "{cam: \"b [0.06, -0.1, 0]\", profile: 0.05 + 0.004*cos(3*angle)}"),
        std::pair("{cam: b, profile: 0.05 + 0.004*cos(2*angle)}", "{plane: \"a [0, 0.2, 0]\", normal: -y}")));

TEST(ContactLaw, ElasticContactKeepsEnergyInSpace) {
  for (const char* pair : {"{circle: a, radius: 0.1, axis: y}, {plane: ground, normal: z}",
                           "{cylinder: a, radius: 0.1, length: 50 mm, axis: y}, {plane: ground, normal: z}",
                           "{sphere: \"a [20 mm, 0, 0]\", radius: 0.05}, {cylinder: \"ground [0, 0, 0.1]\", radius: "
                           "0.12, axis: y, free: inside}",
                           "{sphere: a, radius: 0.05}, {sphere: \"ground [0, 0, 0.1]\", radius: 0.12, free: inside}"}) {
    const Simulation run = simulated_text(
        std::string("gravity: [0, 0, -9.81]\nbodies: {a: {mass: 1, inertia: {xx: 0.01, yy: 0.02, zz: 0.01}}}\n"
                    "joints: {j: {type: free, between: [ground, a]}}\n"
                    "start: {keep: {a: {at: [0, 0, 0.13], angle: 0.3, axis: x}}, speed: {a: {velocity: [0.5, 0, 0], "
                    "spin: [1, 4, 0]}}}\n"
                    "simulate: {end: 0.4, record: 10 ms, rtol: 1e-10}\n"
                    "forces: {touch: {type: contact, stiffness: 1e5, between: [") +
        pair + "]}}\n");
    EXPECT_FALSE(run.outcome.events.empty()) << pair;
    EXPECT_LT(run.outcome.statistics.energy_error, 1e-7) << pair;
  }
}

// An eccentric cam pushes a flat-faced follower by h (1 - cos(w t)). Its top needs a pull above w^2 = (k (2 h + y0)/m + g)/h.
TEST(ContactLaw, ACamLosesItsFollowerAboveTheSpeedOfStatics) {
  const double h = 0.01, m = 5, k = 4000, y0 = 0.01, limit = std::sqrt((k * (2 * h + y0) / m + 9.81) / h);
  for (const double share : {0.98, 1.02}) {
    const Simulation run = simulated_text(R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {w: )" + std::to_string(share * limit) +
                                          R"yaml(, h: 10 mm, R: 40 mm, k: 4 kN/m}
bodies: {disc: {mass: 2, inertia: {zz: 1}}, follower: {mass: 5}}
joints:
  turn: {type: revolute, between: [ground, disc]}
  lift: {type: prismatic, axis: y, between: ["ground [0, R - h, 0]", follower], spring: {stiffness: k, rest: -10 mm}}
constraints: {motor: {type: prescribed, zero: turn - w*t}}
forces: {flank: {type: contact, between: [{cam: disc, profile: "-h*sin(angle) + sqrt(R^2 - h^2*cos(angle)^2)"}, {plane: follower, normal: -y}], stiffness: 5e7, damping: 4e4}}
start: {keep: {lift: -(4000*0.01 + 5*9.81 + 5*0.01*w^2)/5e7}, speed: {turn: w}}
simulate: {end: 2*pi/w*0.7, record: 2e-4, rtol: 1e-9}
)yaml");
    std::vector<double> force = run.column("flank.force");
    force.erase(force.begin(), force.begin() + 50);
    EXPECT_EQ(*std::ranges::min_element(force) > 0, share < 1) << share;
  }
}

TEST(ContactModels, GiveWhatTheirFilesSay) {
  const Simulation ball = simulated(shipped("contact/bouncing_ball"));
  EXPECT_NEAR(ball.outcome.events.at(0).t, std::sqrt(0.4 / 9.81), 1e-9);
  // the flight after the first impact lasts 2 e' v/g
  EXPECT_NEAR(ball.outcome.events.at(2).t - ball.outcome.events.at(1).t, 2 * speed_ratio(0.3) * std::sqrt(0.4 / 9.81),
              5e-5);  // s: as long as the impact

  const auto rises = [](const Simulation& run) { return std::ranges::max(run.column("flank.gap")); };
  EXPECT_LT(rises(simulated(shipped("contact/cam_roller"))), 1e-6);
  EXPECT_GT(rises(simulated(shipped("contact/cam_roller", {{"speed", "2500 rpm"}}))), 1e-4);

  const Simulation lever = simulated(shipped("contact/slotted_lever"));
  EXPECT_NEAR(std::ranges::max(lever.column("swing")), std::numbers::pi / 6,
              0.004);  // the play over the shortest arm, 0.2 mm/0.1 m, and inertia
  EXPECT_NEAR(std::ranges::min(lever.column("swing")), -std::numbers::pi / 6, 0.004);

  const Simulation bearing = simulated(shipped("contact/bearing_clearance"));
  EXPECT_NEAR(bearing.last("pin_contact.eccentricity"), 0.2e-3, 0.02e-3);

  const Simulation sleigh = simulated(shipped("contact/chaplygin_sleigh"));
  EXPECT_NEAR(std::hypot(sleigh.last("pose.x'"), sleigh.last("pose.y'")), 0.9521905, 1e-6);

  const Simulation coin = simulated(shipped("contact/rolling_coin"));
  EXPECT_LT(coin.outcome.statistics.energy_error, 1e-6);
}

// A weight that hangs in a bearing with play rests on the bottom of the hole, pressed in by m g/k.
TEST(Clearance, EccentricityOfAPinAtRest) {
  const Simulation run = simulated_text(R"(
plane: xy
gravity: [0, -9.81, 0]
bodies: {weight: {mass: 3, center: [0, -0.1, 0], inertia: {zz: 0.01}}}
joints: {pin: {type: revolute, between: [ground, weight], damping: 1, clearance: {size: 0.5 mm, radius: 10 mm, stiffness: 1e6, damping: 2e3}}}
simulate: {end: 3, record: 0.1, rtol: 1e-8}
)");
  EXPECT_NEAR(run.at(0, "pin_contact.eccentricity"), 0, 2e-11);  // rounded off at 1e-9 of the radius
  EXPECT_NEAR(run.last("pin_contact.eccentricity"), 0.5e-3 + 3 * 9.81 / 1e6, 1e-10);
  EXPECT_NEAR(run.last("pin_contact.force"), 3 * 9.81, 1e-4);
}

// Free flight to the first contact does not depend on the law; Flores, Leine and Glocker, Multibody Syst. Dyn. 23 (2010), integrated at 1e-13.
TEST(Clearance, FirstContactOfASliderInItsGuide) {
  const Simulation run = simulated(shipped("contact/slider_clearance"));
  ASSERT_GE(run.outcome.events.size(), 1u);
  EXPECT_NEAR(run.outcome.events[0].t, 0.00269250275202, 1e-9);
}

}  // namespace
}  // namespace armature::internal
