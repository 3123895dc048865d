// Rigid contacts: impacts, rest, friction, each against a closed form written down here or published numbers.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "dynamics/contact_rows.hpp"
#include "linear/decompositions.hpp"
#include "model/diagnostics.hpp"
#include "model/findings.hpp"
#include "run/paused_run.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

Model contact(const std::string& name, const Settings& settings = {}) { return shipped("contact/" + name, settings); }

// The state just after the first event.
struct AtEvent {
  explicit AtEvent(const Model& model) : run(prepared(model), nullptr) { run.advance_to_event(model.simulate.end); }
  double value(const std::string& channel) {
    const auto& channels = run.channels();
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels[i].name == channel) return run.values()[i];
    throw std::out_of_range("no channel " + channel);
  }
  PausedRun run;
};

std::vector<std::string> words(const Simulation& run) {
  std::vector<std::string> list;
  for (const RunEvent& event : run.outcome.events) list.push_back(event.what);
  return list;
}

double number_after(const std::string& text, const std::string& word) {
  return std::stod(text.substr(text.find(word) + word.size()));
}

// sqrt(2 h/g) (1 + e)/(1 - e); e^(2n) of the energy is left after n bounces. All of it is work.impact in the end.
TEST(RigidContact, ABallComesToRestAtTheLimitOfItsBounces) {
  for (const double e : {0.0, 0.5, 0.8}) {
    const Simulation run = simulated(contact("ball_at_rest", {{"e", std::to_string(e)}, {"simulate.end", "6"}}));
    const double limit = std::sqrt(2 / 9.81) * (1 + e) / (1 - e);
    EXPECT_NEAR(run.last("y"), 0.05, 1e-12) << e;
    EXPECT_NEAR(run.last("y'"), 0, 1e-12) << e;
    EXPECT_NEAR(run.last("slab.force"), 2 * 9.81, 1e-10) << e;
    EXPECT_NEAR(run.last("work.impact"), -2 * 9.81 * 1, 1e-8) << e;
    EXPECT_LT(run.outcome.statistics.energy_error, 1e-8) << e;
    if (e == 0) continue;
    const std::vector<std::string> all = words(run);
    const auto rest =
        std::ranges::find_if(all, [](const std::string& what) { return what.find("comes to rest") != what.npos; });
    ASSERT_NE(rest, all.end()) << e;
    EXPECT_NEAR(number_after(*rest, "t = "), limit, 1e-9) << e;
  }
}

TEST(RigidContact, AnElasticBallBouncesForever) {
  const Simulation run = simulated(contact("ball_at_rest", {{"e", "1"}, {"simulate.end", "20"}}));
  const double fall = std::sqrt(2 / 9.81), phase = std::fmod(20 + fall, 2 * fall) - fall;
  EXPECT_NEAR(run.last("y") - 0.05, 1 - 0.5 * 9.81 * phase * phase, 1e-7);
  EXPECT_NEAR(run.last("work.impact"), 0, 1e-9);
}

// p = (1 + e) v/(1/m + (l/2)^2 cos^2/J); the centre's speed changes by p/m, the rod turns with p (l/2) cos/J.
TEST(RigidContact, ARodStrikesAPlane) {
  AtEvent at(contact("rod_on_plane"));
  const double p = 12.0 / 13 * 1.0;
  EXPECT_NEAR(1.5 * 2 / (1 + 0.25 * 0.75 * 12), p, 1e-15);
  EXPECT_NEAR(at.run.state().t, 0.5, 1e-9);
  EXPECT_NEAR(at.value("rod.y'"), -2 + p, 1e-9);
  EXPECT_NEAR(at.value("rod.angle'"), -p * 0.5 * std::cos(pi / 6) * 12, 1e-9);
}

// Published by Flores, Leine and Glocker; numbers of the first contact computed there from the formulas of free flight. Speeds and the loss
// are printed to eight and ten decimals: they come out but for the rounding of the last.
TEST(RigidContact, ASliderStrikesItsGuideWithBothCorners) {
  struct Published {
    const char* mu;
    double turn, rod, lost;
  };
  for (const auto& [mu, turn, rod, lost] : {Published{"0", 108.79372856, -52.87518787, 0.0279726763},
                                            Published{"0.01", 108.72458000, -52.84229042, 0.0374102437}}) {
    AtEvent at(contact("slider_impacts", {{"mu", mu}, {"simulate.rtol", "1e-12"}}));
    EXPECT_NEAR(at.run.state().t, 0.00269250275202, 1e-13) << mu;
    EXPECT_NEAR(at.value("turn"), 0.355304455028, 1e-11) << mu;
    EXPECT_NEAR(at.value("turn") + at.value("elbow"), -0.17150954094, 1e-11) << mu;
    EXPECT_NEAR(at.value("turn'"), turn, 5e-9) << mu;
    EXPECT_NEAR(at.value("turn'") + at.value("elbow'"), rod, 5e-9) << mu;
    EXPECT_NEAR(at.value("work.impact"), -lost, 5e-11) << mu;
  }
}

TEST(RigidContact, AllImpactsOfTheSliderLoseEnergy) {
  const Simulation run = simulated(contact("slider_impacts"));
  const auto work = run.column("work.impact");
  for (std::size_t i = 1; i < work.size(); ++i) EXPECT_LE(work[i], work[i - 1] + 1e-12);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-7);
  for (const char* gap : {"top_front.gap", "top_back.gap", "bottom_front.gap", "bottom_back.gap"})
    for (const double value : run.column(gap)) EXPECT_GE(value, -1e-9) << gap;
}

// Of n balls, all at once with restitution 1: the first goes back with (n - 2)/n, the others move on with 2/n.
TEST(RigidContact, NewtonsCradleObeysTheLawThatIsStated) {
  AtEvent one(contact("cradle"));
  const double v = one.value("swing5'");
  EXPECT_NEAR(v, std::sqrt(2 * 9.81 / 0.2 * (1 - std::cos(40 * pi / 180))), 1e-7);
  for (const char* ball : {"swing1'", "swing2'", "swing3'", "swing4'"})
    EXPECT_NEAR(one.value(ball), 0, 1e-9 * v) << ball;
  AtEvent all(contact("cradle", {{"simulate.impacts", "simultaneous"}}));
  EXPECT_NEAR(all.value("swing1'"), -0.6 * v, 1e-8);
  for (const char* ball : {"swing2'", "swing3'", "swing4'", "swing5'"})
    EXPECT_NEAR(all.value(ball), 0.4 * v, 1e-8) << ball;
  EXPECT_NEAR(all.value("work.impact"), 0, 1e-10);
}

// One degree of freedom: d' becomes -e d', and with it all velocities -e times what they were. The loop stays closed.
TEST(RigidContact, AStopInsideALoopTurnsAllVelocitiesRound) {
  Model model = contact("four_bar_stop");
  AtEvent at(model);
  const double t = at.run.state().t;
  model.simulate.end = t - 1e-9;
  const Simulation before = simulated(model);
  for (const char* joint : {"a", "b", "d"}) {
    const std::string rate = std::string(joint) + "'";
    EXPECT_NEAR(at.value(rate), -0.6 * before.last(rate), 1e-6) << joint;  // in 1e-9 s a speed changes by some 1e-8
  }
  EXPECT_NEAR(at.value("d"), 95 * pi / 180, 1e-9);
  EXPECT_NEAR(at.value("work.impact") / before.last("energy.kinetic"), 0.36 - 1, 1e-6);
}

// M dv = G' p + Phi' mu and Phi dv = 0: what an impulse p of the contacts changes lies in the loops' null space, and the impulse of the loops does
// no virtual work there.
TEST(RigidContact, ImpactsBalanceMomentumAlongTheLoops) {
  for (const char* name : {"four_bar_stop", "slider_impacts"}) {
    const Prepared machine = prepared(contact(name));
    SystemEvaluator evaluator(machine.system);
    evaluator.set_parameters(machine.parameters);
    evaluator.set(machine.start);
    ContactRows rows(evaluator);
    ASSERT_TRUE(rows.evaluate(machine.start)) << name;
    Terms terms = evaluator.make_terms();
    evaluator.position(terms);
    const Eigen::Index nv = terms.M.rows();
    const Eigen::MatrixXd free =
        terms.Phi.rows() > 0 ? null_space(terms.Phi) : Eigen::MatrixXd(Eigen::MatrixXd::Identity(nv, nv));
    for (Eigen::Index k = 0; k < rows.G.rows(); ++k) {
      const Eigen::VectorXd p = Eigen::VectorXd::Unit(rows.G.rows(), k), dv = rows.velocities_after(p),
                            pushed = rows.G.transpose() * p;
      if (pushed.norm() == 0) continue;  // no friction
      EXPECT_LT((terms.Phi * dv).norm(), 1e-10 * dv.norm()) << name << k;
      EXPECT_LT((free.transpose() * (terms.M * dv - pushed)).norm(), 1e-10 * pushed.norm()) << name << k;
      EXPECT_NEAR(rows.A(k, k), dv.dot(terms.M * dv), 1e-10 * rows.A(k, k)) << name << k;
    }
  }
}

// Of one degree of freedom, from rest: before the impact the kinetic energy is the potential energy lost, after it e^2 of that.
TEST(RigidContact, AStopInsideALoopLeavesTheShareOfTheEnergyThatItsRestitutionSays) {
  Model model = contact("four_bar_stop");
  model.simulate.rtol = 1e-13, model.simulate.integrator = "dop853";
  AtEvent at(model);
  const Simulation start = simulated(contact("four_bar_stop", {{"simulate.end", "0.01"}}));
  const double lost = start.at(0, "energy.potential") - at.value("energy.potential");
  EXPECT_NEAR(at.value("energy.kinetic") / lost, 0.36, 1e-10);
  EXPECT_NEAR(at.value("work.impact") / lost, -0.64, 1e-10);
}

// Surfaces in place of a formula: a disc on a line, with friction that makes it roll after its bounces, and a pin in its hole.
TEST(RigidContact, SurfacesAreRigidWithARestitutionAndNoStiffness) {
  const std::string disc = R"(
gravity: [0, -9.81, 0]
plane: xy
bodies: {disc: {mass: 2 kg, inertia: {zz: 0.01 kg*m^2}, points: {low: [0, 0, 0]}}}
joints: {at: {type: planar, between: [ground, disc]}}
start: {keep: {at.y: 0.3 m}, speed: {at.x: 1 m/s}}
simulate: {end: 1 s, rtol: 1e-10, record: 10 ms}
)";
  const auto with = [&](const std::string& law) {
    return simulated(read_model_text("armature: 1" + disc + "forces: {slab: {type: contact, " + law + "}}\n"));
  };
  const Simulation surfaces =
      with("between: [{circle: disc, radius: 0.1 m}, {plane: ground, normal: y}], restitution: 0.5, friction: 0.4");
  const Simulation formula =
      with("gap: at.y - 0.1 m, sliding: \"at.x' + 0.1 m*at.angle'\", restitution: 0.5, friction: 0.4");
  for (const char* channel : {"at.x", "at.y", "at.angle", "at.x'", "work.impact", "slab.force"})
    EXPECT_NEAR(surfaces.last(channel), formula.last(channel), 1e-9) << channel;
  EXPECT_NEAR(surfaces.last("at.x'") + 0.1 * surfaces.last("at.angle'"), 0, 1e-9);  // it rolls: m r v + J w is kept
  EXPECT_NEAR(2 * 0.1 * surfaces.last("at.x'") - 0.01 * surfaces.last("at.angle'"), 2 * 0.1 * 1, 1e-9);
  EXPECT_NEAR(surfaces.last("slab.force"), 2 * 9.81, 1e-9);
}

TEST(RigidContact, AJointWithClearanceIsRigidWithARestitutionAndNoStiffness) {
  const Simulation run = simulated(read_model_text(R"(armature: 1
gravity: [0, -9.81, 0]
plane: xy
bodies: {rod: {mass: 1 kg, center: [0, -0.5, 0], inertia: {rod: 1 m}}}
joints: {pin: {type: revolute, between: [ground, rod], clearance: {size: 1 mm, radius: 10 mm, restitution: 0.3}}}
simulate: {end: 1 s, rtol: 1e-9, record: 10 ms}
)"));
  EXPECT_EQ(run.outcome.status, RunStatus::finished);
  EXPECT_NEAR(run.last("pin_contact.eccentricity"), 1e-3, 1e-9);  // it hangs in its hole
  EXPECT_NEAR(run.last("pin_contact.force"), 9.81, 1e-6);
}

// A table that shakes, and a belt that starts a box: what t moves does work, and the ledger has it.
TEST(RigidContact, SurfacesThatMoveWithTimeDoWork) {
  const std::string box = R"(armature: 1
gravity: [0, -9.81, 0]
plane: xy
bodies: {slider: {mass: 1 kg}, box: {mass: 2 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, slider]}, y: {type: prismatic, axis: y, between: [slider, box]}}
simulate: {end: 1 s, rtol: 1e-10, record: 10 ms}
)";
  const Simulation shaken =
      simulated(read_model_text(box + "forces: {table: {type: contact, gap: \"y - 0.01 m*sin(40*t)\", restitution: "
                                      "0}}\nstart: {keep: {y: 0}, speed: {y: 0.4}}\n"));
  EXPECT_LT(shaken.outcome.statistics.energy_error, 1e-7);
  EXPECT_GT(shaken.outcome.events.size(), 2u);
  const Simulation belt = simulated(read_model_text(
      box + "forces: {belt: {type: contact, gap: y, restitution: 0, friction: 0.2, sliding: \"x' - 1 m/s\"}}\n"));
  EXPECT_NEAR(belt.last("x'"), 1, 1e-9);
  EXPECT_NEAR(belt.last("work.applied"), 3, 1e-7);  // half of it heat: (1 kg + 2 kg) v^2
  EXPECT_NEAR(belt.last("heat.friction"), 1.5, 1e-7);
  EXPECT_LT(belt.outcome.statistics.energy_error, 1e-7);
}

// Sticking rows of a ball in a corner depend on each other: N1 = 0.5714, F1 = 0.2286 on the floor stop it, F1 <= mu N1.
TEST(RigidContact, ABallIsHeldByTheFrictionOfACorner) {
  const Simulation run = simulated(read_model_text(R"(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {ball: {mass: 1 kg, inertia: {zz: 0.004}}}
joints: {p: {type: planar, axis: z, between: [ground, ball]}}
forces:
  low: {type: contact, between: [{circle: ball, radius: 0.1}, {plane: ground, normal: y}], restitution: 0, friction: 0.5}
  wall: {type: contact, between: [{circle: ball, radius: 0.1}, {plane: "ground [1, 0, 0]", normal: -x}], restitution: 0, friction: 0.5}
start: {keep: {p.x: 0, p.y: 0.1, p.angle: 0}, speed: {p.x: 2, p.angle: -20}}
simulate: {end: 3 s, record: 10 ms}
)"));
  EXPECT_EQ(run.outcome.status, RunStatus::finished);
  for (const char* rate : {"p.x'", "p.y'", "p.angle'"}) EXPECT_NEAR(run.last(rate), 0, 1e-9) << rate;
  EXPECT_NEAR(run.last("low.force"), 9.81, 1e-6);
}

TEST(RigidContact, FrictionMayBeZero) {
  for (const char* model : {"slider_impacts", "block_on_incline"})
    EXPECT_EQ(simulated(contact(model, {{"mu", "0"}})).outcome.status, RunStatus::finished) << model;
}

// A rod by one gap, whose kink is where the rod lies flat.
TEST(RigidContact, SurfacesThatOverlapEndTheRun) {
  const Simulation run = simulated(prepared(read_model_text(R"(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 1 kg, inertia: {rod: 1 m}}}
joints: {p: {type: planar, axis: z, between: [ground, rod]}}
forces: {ends: {type: contact, gap: 'p.y - 0.5 m*abs(sin(p.angle))', restitution: 0.5}}
start: {keep: {p.y: 1 m, p.angle: 1 rad}}
simulate: {end: 3 s, record: 10 ms}
)")));
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_THAT(run.outcome.sentence, HasSubstr("contact ends: rigid surfaces overlap by"));
}

// A coin that comes to lie flat: by its rim the run ends and says what to do, which is done in the second file. It rests flat on its feet, whose forces
// are not determined.
TEST(RigidContact, ACoinThatComesToLieFlatNeedsFeet) {
  const std::string coin = R"(armature: 1
gravity: [0, 0, -9.81]
bodies:
  coin:
    mass: 10 g
    inertia: {xx: 2.5e-7, yy: 2.5e-7, zz: 5e-7}
    points:
      foot{i}: {for: {i: 1..6}, is: [0.01*cos(pi*i/3), 0.01*sin(pi*i/3), 0]}
joints: {free: {type: free, between: [ground, coin]}}
start: {keep: {coin: {at: [0, 0, 0.02], angle: 20 deg, axis: x}}}
simulate: {end: 1 s}
forces:
)";
  const Simulation rim =
      simulated(prepared(read_model_text(coin + "  rim: {type: contact, between: [{circle: coin, radius: 10 mm, axis: "
                                                "z}, {plane: ground, normal: z}], restitution: 0.3}\n")));
  EXPECT_EQ(rim.outcome.status, RunStatus::failed);
  EXPECT_THAT(
      rim.outcome.sentence,
      HasSubstr("to lie flat touches all around: give it feet, contacts of some points of its rim, or a stiffness"));
  const Simulation feet = simulated(
      prepared(read_model_text(coin + "  foot{i}: {for: {i: 1..6}, type: contact, between: [\"coin.foot{i}\", {plane: "
                                      "ground, normal: z}], restitution: 0.3, friction: 0.3}\n")));
  EXPECT_EQ(feet.outcome.status, RunStatus::finished) << feet.outcome.sentence;
  EXPECT_NEAR(feet.last("free.z"), 0, 1e-11);
  for (const char* rate : {"free.wx", "free.wy", "free.wz", "free.z'"}) EXPECT_NEAR(feet.last(rate), 0, 1e-9) << rate;
  EXPECT_THAT(feet.outcome.findings,
              testing::Contains(testing::Field(&Finding::sentence, HasSubstr("are not determined by rigid bodies"))));
}

// m h w^2 cos(turn) + k (h (1 - cos(turn)) + y0) + m g = 0
TEST(RigidContact, AFollowerLeavesItsCamWhereItWouldBePulled) {
  const Simulation run = simulated(contact("cam_lift_off"));
  const auto opens = std::ranges::find_if(run.outcome.events,
                                          [](const RunEvent& event) { return event.what == "contact flank opens"; });
  ASSERT_NE(opens, run.outcome.events.end());
  EXPECT_NEAR(60 * opens->t, 2.743457801445591, 1e-8);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-6);
  const Simulation slow = simulated(contact("cam_lift_off", {{"w", "58.1"}}));  // below 58.1464 rad/s it stays
  for (const std::string& what : words(slow)) EXPECT_THAT(what, testing::Not(HasSubstr("opens")));
}

// It stops after v/(g (sin + mu cos)); then it sticks where mu > tan, else it slides back.
TEST(RigidContact, ABlockOnAnInclineSticksOrSlidesBack) {
  const double s = std::sin(20 * pi / 180), c = std::cos(20 * pi / 180);
  const double stop = 2 / (9.81 * (s + 0.5 * c));
  const Simulation sticks = simulated(contact("block_on_incline"));
  EXPECT_NEAR(sticks.last("block.x"), 2 * stop / 2, 1e-8);
  EXPECT_NEAR(sticks.last("block.x'"), 0, 1e-10);
  EXPECT_NEAR(sticks.last("slab_back.friction") + sticks.last("slab_front.friction"), 2 * 9.81 * s, 1e-8);
  EXPECT_NEAR(sticks.last("slab_back.force") + sticks.last("slab_front.force"), 2 * 9.81 * c, 1e-8);
  EXPECT_LT(sticks.outcome.statistics.energy_error, 1e-7);
  const double turn = 2 / (9.81 * (s + 0.3 * c));
  const Simulation back = simulated(contact("block_on_incline", {{"mu", "0.3"}}));
  EXPECT_NEAR(back.last("block.x'"), -9.81 * (s - 0.3 * c) * (1 - turn), 1e-8);
  // while it slides back, friction at the height of the floor tips it forwards: N_front - N_back = -mu N h/w of a block that moves back
  EXPECT_NEAR(back.last("slab_front.force") - back.last("slab_back.force"), -0.3 * 2 * 9.81 * c * 0.5, 1e-8);
}

TEST(RigidContact, ForcesThatAreNotDeterminedAreNamed) {
  Model model = contact("beam_on_supports");
  const Simulation run = simulated(model);
  EXPECT_NEAR(run.at(0, "support_left.force") + run.at(0, "support_middle.force") + run.at(0, "support_right.force"),
              98.1, 1e-7);
  EXPECT_NEAR(run.at(0, "support_left.force"), run.at(0, "support_right.force"), 1e-7);
  ASSERT_FALSE(run.outcome.findings.empty());
  EXPECT_EQ(run.outcome.findings[0].code, FindingCode::contact);
  EXPECT_THAT(run.outcome.findings[0].sentence, HasSubstr("support_left, support_middle, support_right"));
  // the pull 100 t at the right end lifts it where 100 t l = m g l/2; then it turns about the left end, of which J = m l^2/3
  const double lifts = 98.1 / 200, J = 10 * 4.0 / 3, end = 0.5;
  model.simulate.end = end;
  const Simulation turns = simulated(model);
  EXPECT_NEAR(turns.last("beam.angle'"), (100 * (end * end - lifts * lifts) - 98.1 * (end - lifts)) / J, 1e-9);
  EXPECT_NEAR(turns.last("support_right.force"), 0, 0);
}

// A rod that strikes a rough plane at 60 deg: Newton's law with restitution 1 would add energy (Kane). It stays what it was.
TEST(RigidContact, NoImpactAddsEnergy) {
  const Simulation run = simulated_text(R"(
plane: xy
gravity: [0, 0, 0]
bodies: {bar: {mass: 1 kg, inertia: {rod: 1}, points: {tip: [-0.5, 0, 0]}}}
joints: {rod: {type: planar, axis: z, between: [ground, bar]}}
forces: {slab: {type: contact, gap: bar.tip.y, restitution: 1, friction: 0.3, sliding: "bar.tip.x'"}}
start: {keep: {rod.x: 0, rod.y: 0.1 + sin(60 deg)/2, rod.angle: 60 deg}, speed: {rod.x: 1, rod.y: -2, rod.angle: 0}}
simulate: {end: 0.1 s}
)");
  EXPECT_NEAR(run.last("work.impact"), 0, 1e-10);  // 1e-12 of what the impact turns over
  ASSERT_FALSE(run.outcome.findings.empty());
  EXPECT_THAT(run.outcome.findings[0].sentence, HasSubstr("would have added energy in the impact of slab"));
}

TEST(RigidContact, StartsWithClosedContactsAndRefusesPenetration) {
  const Simulation rests = simulated(contact("ball_at_rest", {{"h", "0"}}));
  EXPECT_NEAR(rests.at(0, "slab.force"), 19.62, 1e-10);
  EXPECT_NEAR(rests.last("y"), 0.05, 1e-14);
  const Simulation below = simulated(prepared(contact("ball_at_rest", {{"h", "-0.01"}})));
  EXPECT_EQ(below.outcome.status, RunStatus::failed);
  EXPECT_THAT(below.outcome.sentence, HasSubstr("contact slab is closed by 0.01 m beyond contact at the start"));
}

// 3 m/s into the floor at t = 0.
TEST(RigidContact, AnImpactAtTheStartIsAnEvent) {
  const Simulation run = simulated_text(R"(
plane: xy
gravity: [0, -9.81, 0]
bodies: {ball: {mass: 2 kg}}
joints: {y: {type: prismatic, axis: y, between: [ground, ball]}}
forces: {slab: {type: contact, gap: y, restitution: 0.5}}
start: {keep: {y: 0}, speed: {y: -3}}
simulate: {end: 0.1 s}
)");
  ASSERT_FALSE(run.outcome.events.empty());
  EXPECT_EQ(run.outcome.events[0].t, 0);
  EXPECT_EQ(run.outcome.events[0].what, "contact slab: impact at 3 m/s, then 1.5 m/s");
  EXPECT_NEAR(run.last("work.impact"), -0.5 * 2 * (9 - 2.25), 1e-12);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
  // one that rests there is none
  EXPECT_TRUE(simulated(contact("ball_at_rest", {{"h", "0"}})).outcome.events.empty());
}

// What an integrator errs by in the rate of a closed gap is no impact, and a contact that ceases to push does not close again at once.
TEST(RigidContact, EveryIntegratorLeavesACamOnce) {
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams", "rk4"}) {
    const Simulation run =
        simulated(contact("cam_lift_off", {{"simulate.integrator", integrator}, {"simulate.step", "1e-3"}}));
    EXPECT_EQ(run.outcome.status, RunStatus::finished) << integrator << ": " << run.outcome.sentence;
    ASSERT_FALSE(run.outcome.events.empty()) << integrator;
    EXPECT_EQ(run.outcome.events[0].what, "contact flank opens") << integrator;
    EXPECT_NEAR(60 * run.outcome.events[0].t, 2.743457801445591, 1e-5) << integrator;
    EXPECT_LT(run.outcome.events.size(), 40u) << integrator;
  }
}

// Slender boxes fall upon their ends: of two contacts that depend strongly on each other the iteration went round in circles.
TEST(RigidContact, SlenderBoxesComeToRest) {
  for (const char* start :
       {"tilt: 0.364304, v0: 2.10316, turn: 1.08701, mu: 0.1", "tilt: 2.76047, v0: 0.427396, turn: -3.88469, mu: 0.3",
        "tilt: -2.65102, v0: -1.43396, turn: 2.82266, mu: 0.3"}) {
    const Simulation run = simulated_text("parameters: {w: 0.1 m, h: 0.9 m, e: 0.8, " + std::string(start) + R"(}
plane: xy
gravity: [0, -9.81, 0]
bodies:
  box:
    mass: 1 kg
    inertia: {zz: (w^2 + h^2)/12}
    points:
      p{i}: {for: {i: 1..4, x: [-1, 1, 1, -1], y: [-1, -1, 1, 1]}, is: [x*w/2, y*h/2, 0]}
joints: {free: {type: planar, between: [ground, box]}}
forces:
  corner{i}: {for: {i: 1..4}, type: contact, gap: "box.p{i}.y", restitution: e, friction: mu, sliding: "box.p{i}.x'"}
start: {keep: {box: {at: [0, 0.9, 0], angle: tilt}}, speed: {box: {velocity: [v0, 0, 0], spin: [0, 0, turn]}}}
simulate: {end: 4 s, record: 10 ms}
)");
    EXPECT_EQ(run.outcome.status, RunStatus::finished) << start << ": " << run.outcome.sentence;
    EXPECT_LT(run.outcome.statistics.energy_error, 1e-4) << start;
  }
}

// At rest on a slope of which the lower corner carries nearly all: the smallest forces that hold it leave the cone of the upper one.
TEST(RigidContact, ABoxSticksOnBothCornersThoughTheSmallestForcesLeaveACone) {
  const Simulation run = simulated_text(R"(
plane: xy
gravity: [9.81*sin(0.2), -9.81*cos(0.2), 0]
bodies: {box: {mass: 1 kg, inertia: {zz: 0.05}, points: {a: [-0.12, -0.5, 0], b: [0.12, -0.5, 0]}}}
joints: {free: {type: planar, between: [ground, box]}}
forces:
  left: {type: contact, gap: box.a.y, restitution: 0, friction: 0.3, sliding: "box.a.x'"}
  right: {type: contact, gap: box.b.y, restitution: 0, friction: 0.3, sliding: "box.b.x'"}
start: {keep: {box: [0, 0.5, 0]}}
simulate: {end: 1 s, record: 10 ms}
)");
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  EXPECT_NEAR(run.last("free.x"), 0, 1e-9);
  EXPECT_NEAR(run.last("left.friction") + run.last("right.friction"), -9.81 * std::sin(0.2), 1e-8);
  EXPECT_GT(std::abs(run.last("left.friction")), 0.3 * run.last("left.force"));  // else this shows nothing
  EXPECT_LT(run.outcome.statistics.integrator.steps, 200);
}

TEST(RigidContact, EveryIntegratorBouncesAlike) {
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf", "rk4"}) {
    Model model = contact("ball_at_rest",
                          {{"simulate.integrator", integrator}, {"simulate.end", "1"}, {"simulate.step", "1e-3"}});
    model.simulate.rtol = 1e-9;
    const Simulation run = simulated(model);
    const double fall = std::sqrt(2 / 9.81), v = 9.81 * fall * 0.25, t = 1 - 2 * fall;  // after the second bounce
    EXPECT_NEAR(run.last("y") - 0.05, v * t - 0.5 * 9.81 * t * t, 1e-6) << integrator;
  }
}

}  // namespace
}  // namespace armature::internal
