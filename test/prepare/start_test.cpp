// Where a motion starts: named values hold or attract, what is not named stays at zero unless a loop needs it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Values = std::map<std::string, double>;

Values named(const std::vector<Coordinate>& names, const Eigen::VectorXd& x, Eigen::Index first) {
  Values values;
  for (std::size_t i = 0; i < names.size(); ++i) values[names[i].name] = x[first + static_cast<Eigen::Index>(i)];
  return values;
}

Values positions(const Prepared& prepared) {
  return named(prepared.system->equations().positions, prepared.start.x, 0);
}

Values speeds(const Prepared& prepared) {
  return named(prepared.system->equations().velocities, prepared.start.x, prepared.system->layout().nq);
}

std::string failure_of(const std::string& text) {
  Prepared prepared = compile(read_model_text("armature: 1\n" + text));
  assemble_start(prepared);
  return prepared.failure;
}

// A torque that no pose of the bar balances: the search turns it on and on, and ends where that brings it no closer.
TEST(StartAtEquilibrium, IsGivenUpWhereNothingComesCloserToBalance) {
  EXPECT_THAT(failure_of(R"yaml(plane: xy
gravity: [0, -9.81, 0]
bodies: {b: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}}
joints: {q: {type: revolute, between: [ground, b]}}
forces: {f: {type: effort, on: q, is: 20}}
start: equilibrium
simulate: {end: 1, record: 0.1}
)yaml"),
              HasSubstr("no equilibrium was found from the start: after 1000 steps"));
}

std::string notes_of(const Prepared& prepared) {
  std::string all;
  for (const std::string& note : prepared.notes) all += note + "\n";
  return all;
}

// ---- open chains

std::string double_pendulum(const std::string& start) {
  return R"(plane: xy
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
  lower: {mass: 3, center: [0.5, 0, 0], inertia: {rod: 1}}
joints:
  a: {type: revolute, between: [ground, upper]}
  b: {type: revolute, between: ["upper [1, 0, 0]", lower]}
start: )" +
         start;
}

TEST(Start, LeavesTheRestOfAnOpenChainAtZero) {
  const Values q = positions(prepared_text(double_pendulum("{keep: {a: 90 deg}}")));
  EXPECT_EQ(q.at("a"), std::acos(-1.0) / 2);
  EXPECT_EQ(q.at("b"), 0);
}

TEST(Start, LeavesTheRestOfAnOpenChainAtRest) {
  for (const char* speed : {"{a: 1}", "{near: {a: 1}}"}) {
    const Values v = speeds(prepared_text(double_pendulum(fmt::format("{{speed: {}}}", speed))));
    EXPECT_NEAR(v.at("a'"), 1, 1e-15) << speed;
    EXPECT_EQ(v.at("b'"), 0) << speed;
  }
}

TEST(Start, MovesNothingInAnOpenChainAndSaysNothing) {
  EXPECT_EQ(notes_of(prepared_text(double_pendulum("{near: {a: 90 deg}}"))), "");
}

// The elbow kept where it is, the lower arm upright: only b moves.
TEST(Start, MovesOnlyWhatItMustToPutABodyWhereItIsNamed) {
  const Prepared start = prepared_text(double_pendulum("{keep: {lower: {at: [1, 0, 0], angle: 90 deg}}}"));
  EXPECT_NEAR(positions(start).at("a"), 0, 1e-12);
  EXPECT_NEAR(positions(start).at("b"), std::acos(-1.0) / 2, 1e-12);
  EXPECT_THAT(notes_of(start), HasSubstr("to meet the start values, assembly moved b by 1.57 rad"));
}

TEST(Start, TellsABodyFromOneTurnedByHalfATurn) {
  for (const char* kind : {"keep", "near"}) {
    const Values q =
        positions(prepared_text(double_pendulum(fmt::format("{{{}: {{upper: {{angle: 180 deg}}}}}}", kind))));
    EXPECT_NEAR(std::cos(q.at("a")), -1, 1e-12) << kind;
    EXPECT_NEAR(q.at("b"), 0, 1e-12) << kind;
  }
}

// ---- far from zero

TEST(Start, HoldsValuesFarFromZero) {
  for (const char* kind : {"keep", "near"}) {
    EXPECT_EQ(positions(prepared_text(double_pendulum(fmt::format("{{{}: {{a: 90}}}}", kind)))).at("a"), 90) << kind;
    const std::string cart = fmt::format(R"(plane: xz
gravity: [0, 0, -9.81]
bodies: {{trolley: {{mass: 50 kg, inertia: none}}}}
joints: {{x: {{type: prismatic, axis: x, between: [ground, trolley]}}}}
start: {{{}: {{x: 2 km}}}})",
                                         kind);
    EXPECT_EQ(positions(prepared_text(cart)).at("x"), 2000) << kind;
  }
}

TEST(Start, AsksWhetherABareNumberOfManyTurnsMeantDegrees) {
  EXPECT_THAT(prepared_text(double_pendulum("{keep: {a: 90}}")).notes,
              Contains("start.keep.a: 90 rad is 14.3 turns; did you mean 90 deg?"));
  for (const char* meant : {"{keep: {a: 90 rad}}", "{keep: {a: 90 deg}}", "{keep: {a: 3}}"})
    EXPECT_EQ(notes_of(prepared_text(double_pendulum(meant))), "") << meant;
}

TEST(Start, RelaxesAnElasticGearFarFromZero) {
  const std::string text = R"(plane: xy
gravity: [0, 0, 0]
bodies: {wheel: {mass: 1, inertia: {zz: 1}}}
joints: {shaft: {type: revolute, between: [ground, wheel]}}
drives:
  motor: {type: dc_motor, on: shaft, gear_ratio: 50, torque_constant: 0.05, resistance: 1 Ohm, rotor_inertia: 1e-5,
          voltage: 0, elastic: {stiffness: 100}}
start: {keep: {shaft: 40 rad}}
)";
  const Values q = positions(prepared_text(text));
  EXPECT_EQ(q.at("shaft"), 40);
  EXPECT_NEAR(q.at("motor.rotor"), 2000, 1e-9);
}

std::string four_bar(const std::string& start, const std::string& cut = "c") {
  const auto mark = [&](const char* joint) { return cut == joint ? ", cut: true" : ""; };
  return fmt::format(R"(plane: xy
gravity: [0, -9.81, 0]
bodies:
  link1: {{mass: 1, center: [0.15, 0, 0], inertia: {{rod: 0.3}}}}
  link2: {{mass: 3, center: [0.5, 0, 0], inertia: {{rod: 1}}}}
  link3: {{mass: 2, center: [0.4, 0, 0], inertia: {{rod: 0.8}}}}
joints:
  a: {{type: revolute, between: [ground, link1]}}
  b: {{type: revolute, between: ["link1 [0.3, 0, 0]", link2]{}}}
  c: {{type: revolute, between: ["link2 [1, 0, 0]", "link3 [0.8, 0, 0]"]{}}}
  d: {{type: revolute, between: ["ground [1, 0, 0]", link3]{}}}
start: {}
)",
                     mark("b"), mark("c"), mark("d"), start);
}

// A state from another program has round-off where zero belongs; a slide does not turn. What contradicts it is refused in the file's words.
TEST(Start, TakesRoundOffForTheZeroThatItMeans) {
  const auto start = [](const std::string& speed) {
    return prepared(read_model_text(R"yaml(armature: 1
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {x: {type: prismatic, axis: x, between: [ground, b]}}
start: {speed: {b: {)yaml" + speed + "}}}\nsimulate: {end: 1}\n"))
        .start.x[1];
  };
  EXPECT_EQ(start("velocity: [1, 0, 0], spin: [0, 0, 1e-300]"), 1);
  EXPECT_EQ(start("velocity: [1e6, 0, 0], spin: [0, 3e-11, 0]"),
            1e6);                                                       // a spin of round-off beside that speed
  EXPECT_EQ(start("velocity: [0, 2e-17, 0], spin: [1e-17, 0, 0]"), 0);  // at rest
  EXPECT_THAT(
      [&] { start("velocity: [1, 0, 0], spin: [0, 0, 1e-3]"); },
      ThrowsMessage<ModelError>(HasSubstr("start.b: the joints do not allow this spin of body 'b': its z "
                                          "component stays 0.001 rad/s away, whatever the speeds of the joints")));
  EXPECT_THAT([&] { start("velocity: [1, 1e-6, 0]"); },
              ThrowsMessage<ModelError>(HasSubstr("this velocity of body 'b': its y component stays 1e-06 m/s away")));
}

TEST(Start, CountsTheTurnsOfACrankInALoop) {
  const double turns = 24 * std::acos(-1.0);
  const Values q = positions(prepared_text(four_bar("{keep: {a: 12*360 deg + 90 deg}, near: {d: 100 deg}}")));
  const Values first = positions(prepared_text(four_bar("{keep: {a: 90 deg}, near: {d: 100 deg}}")));
  EXPECT_NEAR(q.at("a"), first.at("a") + turns, 1e-12);
  EXPECT_NEAR(q.at("d"), first.at("d"), 1e-12);
}

// A kept value means the same whether its joint is cut or not, also beyond half a turn.
TEST(Start, CountsTheTurnsOfACutJoint) {
  const Prepared start = prepared_text(four_bar("{keep: {a: 90 deg}, near: {d: 100 deg + 3*360 deg}}", "d"));
  const auto& discrete = start.system->equations().discrete;
  ASSERT_EQ(discrete.size(), 1u);
  EXPECT_EQ(discrete[0].name, "d");
  const Values first = positions(prepared_text(four_bar("{keep: {a: 90 deg}, near: {d: 100 deg}}")));
  EXPECT_NEAR(start.start.d[0], 6 * std::acos(-1.0), 1e-9);
  SystemEvaluator evaluator(start.system);
  evaluator.set(start.start.t, start.start.x.data());
  evaluator.set_discrete(start.start.d);
  std::vector<double> angle;
  evaluator.evaluate({*discrete[0].turns_of}, angle);
  EXPECT_NEAR(angle[0], first.at("d") + 6 * std::acos(-1.0), 1e-9);
}

// ---- loops

// Closed where s = 0.5 and every angle is zero.
TEST(Start, MovesNothingInALoopThatIsClosed) {
  const Prepared start = prepared_text(R"(plane: xy
gravity: [0, -9.81, 0]
bodies:
  link{i}: {for: {i: 1..4}, mass: 1, inertia: {zz: 0.1}}
joints:
  a: {type: revolute, between: [ground, link1]}
  s: {type: prismatic, axis: x, between: [link1, link2]}
  b: {type: revolute, between: [link2, link3]}
  c: {type: revolute, between: ["link3 [0.3, 0.6, 0]", link4]}
  d: {type: revolute, between: ["ground [1.2, 0.1, 0]", "link4 [0.4, -0.5, 0]"], cut: true}
start: {keep: {s: 0.5}}
)");
  for (const auto& [name, value] : positions(start)) EXPECT_NEAR(value, name == "s" ? 0.5 : 0, 1e-15) << name;
  EXPECT_EQ(notes_of(start), "joint d closes a loop (it is cut)\n");
}

// A parallelogram of which only the crank is named: d follows it, b turns back; the crossed way is further.
TEST(Start, TellsTrueMovesFromWhatTheFileSays) {
  const Prepared start = prepared_text(four_bar("{keep: {a: 10 deg}}"));
  const Values q = positions(start);
  std::string expected = "to close the loops, assembly moved ";
  const bool b_first = std::abs(q.at("b")) > std::abs(q.at("d"));
  for (const char* name : b_first ? std::array{"b", "d"} : std::array{"d", "b"})
    expected += fmt::format("{}{} by {:.3g} rad", expected.ends_with(" ") ? "" : ", ", name, q.at(name));
  EXPECT_THAT(start.notes, Contains(expected));
}

// The two ways to close the loop: tip of the crank to the ground pivot, elbow to either side.
TEST(Start, TakesTheNearerOfTwoWaysToCloseALoop) {
  for (double wanted = -3; wanted < 3.1; wanted += 0.25) {
    const Values q =
        positions(prepared_text(four_bar(fmt::format("{{keep: {{a: 60 deg}}, near: {{d: {}}}}}", wanted))));
    const double x = 0.3 * std::cos(q.at("a")) - 1, y = 0.3 * std::sin(q.at("a"));
    const double r = std::hypot(x, y), middle = std::atan2(y, x);
    const double opening = std::acos((r * r + 0.64 - 1) / (2 * r * 0.8));
    const auto off = [&](double d) { return std::abs(std::remainder(d - wanted, 2 * std::acos(-1.0))); };
    const double least = std::min(off(middle + opening), off(middle - opening));
    EXPECT_NEAR(std::abs(q.at("d") - wanted), least, 1e-9) << wanted;
  }
}

std::string robot(double k, double turned) {
  const auto place = [&](double x, double y) {
    return fmt::format("[{:.17g}, {:.17g}, 0]", k * (x * std::cos(turned) - y * std::sin(turned)),
                       k * (x * std::sin(turned) + y * std::cos(turned)));
  };
  std::string joints;
  const double side = 1.2, pi = std::acos(-1.0), corner[] = {7 * pi / 6, -pi / 6, pi / 2};
  const std::string base[] = {place(0, 0), place(side, 0), place(side / 2, side * std::sqrt(3) / 2)};
  for (int i = 0; i < 3; ++i)
    joints += fmt::format(R"(  theta{0}: {{type: revolute, between: ["ground {1}", crank{0}]}}
  elbow{0}: {{type: revolute, between: ["crank{0} [{2}, 0, 0]", rod{0}]}}
  wrist{0}: {{type: revolute, between: ["rod{0} [{3}, 0, 0]", "platform [{4:.17g}, {5:.17g}, 0]"]}}
)",
                          i + 1, base[i], 0.581 * k, 0.62 * k, k * 0.2 / std::sqrt(3) * std::cos(corner[i]),
                          k * 0.2 / std::sqrt(3) * std::sin(corner[i]));
  return fmt::format(R"(plane: xy
gravity: [0, 0, 0]
bodies:
  crank{{i}}: {{for: {{i: 1..3}}, mass: 2, inertia: {{zz: 0.13}}}}
  rod{{i}}: {{for: {{i: 1..3}}, mass: 0.75, inertia: {{zz: 0.07}}}}
  platform: {{mass: 1, inertia: {{zz: 0.007}}}}
joints:
{0}start:
  keep: {{theta1: {1:.17g}, theta2: {2:.17g}, theta3: {3:.17g}}}
  near: {{platform: {{at: {4}, angle: {5:.17g}}}}}
)",
                     joints, -0.1259 + turned, 1.3727 + turned, 3.2675 + turned, place(0.6, 0.6), turned);
}

// The published start of this robot has its platform turned by 0.0207 rad; other branches by 1.6 rad.
TEST(Start, DoesNotDependOnUnitsOrOrientation) {
  const Values first = positions(prepared_text(robot(1, 0)));
  for (const double k : {1e-6, 1e-3, 0.1, 1.0, 10.0, 1e3, 1e6})
    for (const double turned : {0.0, 0.7, 2.0, 3.0, 4.0}) {
      const Values q = positions(prepared_text(robot(k, turned)));
      EXPECT_NEAR(q.at("theta1") + q.at("elbow1") + q.at("wrist1") - turned, 0.020707095085640663, 1e-9)
          << k << " " << turned;
      for (const auto& [name, value] : q)
        if (!name.starts_with("theta")) {
          EXPECT_NEAR(value, first.at(name), 1e-9) << name << " " << k << " " << turned;
        }
    }
}

TEST(Start, ClosesASpatialPlatformInAnyUnitOfLength) {
  const auto legs = [](double k) {
    Model model = shipped(
        "stewart",
        {{"base", fmt::format("{}", k)}, {"top", fmt::format("{}", 0.6 * k)}, {"height", fmt::format("{}", 1.2 * k)}});
    model.start.near.at(0).at = parse_formula(fmt::format("[{}, 0, {}]", 0.05 * k, 1.2 * k), {});
    const Values q = positions(prepared(model));
    std::vector<double> lengths;
    for (int i = 1; i <= 6; ++i) lengths.push_back(q.at(fmt::format("leg{}", i)) / k);
    return lengths;
  };
  const std::vector<double> expected = legs(1);
  for (const double k : {1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9})
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(legs(k)[i], expected[i], 1e-9) << k;
}

// Six bars along edges of a cube, their hinges across: a loop that can move though six constraints on six hinges say no.
std::string bricard(const std::string& start) {
  return R"(gravity: [0, 0, 0]
bodies:
  bar{i}: {for: {i: 1..5}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  h1: {type: revolute, axis: z, between: ["ground [1, 0, 0]", bar1]}
  h2: {type: revolute, axis: x, between: ["bar1 [0, 1, 0]", bar2]}
  h3: {type: revolute, axis: y, between: ["bar2 [0, 0, 1]", bar3]}
  h4: {type: revolute, axis: z, between: ["bar3 [-1, 0, 0]", bar4]}
  h5: {type: revolute, axis: x, between: ["bar4 [0, -1, 0]", bar5]}
  h6: {type: revolute, axis: y, between: ["bar5 [0, 0, -1]", ground], cut: true}
start: )" +
         start;
}

TEST(Start, StaysAtAPoseThatClosesExactly) {
  const Values pose = positions(prepared_text(bricard("{keep: {h1: 0.5}}")));
  std::string near;
  for (const auto& [name, value] : pose) near += fmt::format("{}{}: {:.17g}", near.empty() ? "" : ", ", name, value);
  const Values again = positions(prepared_text(bricard("{near: {" + near + "}}")));
  EXPECT_NEAR(pose.at("h1"), 0.5, 1e-12);
  for (const auto& [name, value] : pose) EXPECT_NEAR(again.at(name), value, 1e-12) << name;
}

TEST(Start, TellsHowFarNearWasMissed) {
  EXPECT_THAT(notes_of(prepared_text(robot(1, 0))),
              HasSubstr("the loops do not allow all values in near; the nearest start misses platform by 0.0207 rad "
                        "and 0.00654 m"));
}

// Where a start is beside `near`, but near, a run has nothing to say; `check` has. Half a radian is another pose.
TEST(Start, RemarksOnNearOnlyIfItIsFar) {
  for (const std::string& name : shipped_models())
    EXPECT_THAT(prepared(shipped(name)).remarks, testing::IsEmpty()) << name;
  EXPECT_THAT(prepared_text(robot(1, 0)).remarks, testing::IsEmpty());
  const Prepared far = prepared_text(
      "plane: xy\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: {zz: 1}, points: {tip: [1, 0, 0]}}}\n"
      "joints: {q: {type: revolute, between: [ground, b]}}\nstart: {near: {b.tip: [5, 0, 0]}}\n");
  EXPECT_THAT(far.remarks, testing::ElementsAre(HasSubstr("the nearest start misses b.tip by 4 m")));
  const Prepared turns = prepared(shipped("four_bar", {{"start.keep.crank_angle", "360"}}));
  EXPECT_THAT(turns.remarks, testing::Contains(HasSubstr("did you mean 360 deg?")));
}

// ---- comparisons

double index_with(const std::string& law, const std::string& crank = "-2 rad") {
  return positions(prepared_text(fmt::format(R"yaml(plane: xy
gravity: [0, 0, 0]
bodies: {{p: {{mass: 1, inertia: {{zz: 1}}}}, q: {{mass: 1, inertia: {{zz: 1}}}}}}
joints: {{crank: {{type: revolute, between: [ground, p]}}, index: {{type: revolute, between: [ground, q]}}}}
constraints: {{f: {{type: prescribed, zero: "index - ({})"}}}}
start: {{keep: {{crank: {}}}}}
)yaml",
                                             law, crank)))
      .at("index");
}

TEST(Start, AgreesWithEveryComparisonOfAConstraint) {
  EXPECT_NEAR(index_with("if(crank*crank > 3, crank^2, if(crank > 1, 1, 2))"), 4, 1e-14);
  EXPECT_NEAR(index_with("abs(abs(crank) - 1)"), 1, 1e-14);
  EXPECT_NEAR(index_with("if(crank < -1 and crank > -3, 5, 1)"), 5, 1e-14);
  EXPECT_NEAR(index_with("if(abs(crank) < 0.5, crank, 1)"), 1, 1e-14);
  EXPECT_NEAR(index_with("if(mod(crank, 2*pi) > 3, 1, 2)"), 1, 1e-14);
  EXPECT_NEAR(index_with("if(index > 1, 2, 3)"), 2, 1e-14);  // the outcome depends on what is sought
}

TEST(Start, BeginsWhereAProfileOfSeveralPartsBegins) {
  const Prepared start = prepared_text(R"yaml(plane: xz
gravity: [0, 0, -9.81]
bodies: {trolley: {mass: 50 kg, inertia: none}}
joints: {x: {type: prismatic, axis: x, between: [ground, trolley]}}
constraints:
  drive: {type: prescribed, zero: "x - (1 m*trapezoid(t, 0 s, 3 s, 0.3) + 1 m*trapezoid(t, 1.4 s, 4.4 s, 0.3))/2"}
)yaml");
  EXPECT_NEAR(positions(start).at("x"), 0, 1e-15);
  EXPECT_NEAR(speeds(start).at("x'"), 0, 1e-15);
}

TEST(Start, NamesAComparisonThatNoStartAgreesWith) {
  const std::string failure = failure_of(R"yaml(plane: xy
gravity: [0, 0, 0]
bodies: {p: {mass: 1, inertia: {zz: 1}}}
joints: {index: {type: revolute, between: [ground, p]}}
constraints: {f: {type: prescribed, zero: "index - if(index > 1, 0.5, 2)"}}
)yaml");
  EXPECT_THAT(failure, HasSubstr("no start is consistent with the comparison"));
  EXPECT_THAT(failure, HasSubstr("index > 1"));
}

}  // namespace
}  // namespace armature::internal
