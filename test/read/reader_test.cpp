#include "read/reader.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "expression/units.hpp"
#include "model/scope.hpp"

namespace armature::internal {
namespace {

// Planar 3RRR parallel robot.
const char* const robot = R"(armature: 1
name: planar 3RRR robot
gravity: [0, 0, 0]
parameters:
  side: 1.2 m
  l1: 0.581 m
  l2: 0.620 m
  radius: 0.2/sqrt(3)
  m2: 0.75 kg
bodies:
  crank{i}:
    for: {i: 1..3}
    mass: 2.072 kg
    center: [l1/2, 0, 0]
    inertia: {zz: 0.13}
  rod{i}:
    for: {i: 1..3}
    mass: m2
    center: [l2/2, 0, 0]
    inertia: {zz: m2*l2^2/4}
  platform:
    mass: 0.978
    inertia: {zz: 0.007}
    points:
      P{i}: {for: {i: 1..3, at: [210 deg, -30 deg, 90 deg]}, is: [radius*cos(at), radius*sin(at), 0]}
points:
  O1: [0, 0, 0]
  O2: [side, 0, 0]
  O3: [side/2, side*sqrt(3)/2, 0]
joints:
  theta{i}: {for: {i: 1..3}, type: revolute, axis: z, between: ["O{i}", "crank{i}"]}
  elbow{i}: {for: {i: 1..3}, type: revolute, axis: z, between: ["crank{i} [l1, 0, 0]", "rod{i}"]}
  wrist{i}: {for: {i: 1..3}, type: revolute, axis: z, between: ["rod{i} [l2, 0, 0]", "platform.P{i}"]}
start:
  keep:  {theta1: -0.1259, theta2: 1.3727, theta3: 3.2675}
  near:  {platform: {at: [0.6, 0.6, 0], angle: 0}}
  speed: {}
simulate: {end: 5 s, record: 5 ms, integrator: dopri5, rtol: 1e-10, formulation: auto, stabilization: [projection]}
)";

TEST(Reader, ReadsTheRobot) {
  const Model model = read_model_text(robot, "robot.yaml");
  EXPECT_EQ(model.name, "planar 3RRR robot");
  ASSERT_EQ(model.bodies.size(), 7u);
  EXPECT_EQ(model.bodies[1].name, "crank2");
  EXPECT_EQ(model.bodies[6].name, "platform");
  EXPECT_DOUBLE_EQ(evaluate_constant(model.bodies[3].inertia.zz, model), 0.75 * 0.62 * 0.62 / 4);
  EXPECT_DOUBLE_EQ(evaluate_constant_vector(model.bodies[0].center, model)[0], 0.2905);
  ASSERT_EQ(model.bodies[6].points.size(), 3u);
  const auto p3 = evaluate_constant_vector(model.bodies[6].points[2].at, model);  // at 90 degrees
  EXPECT_NEAR(p3[0], 0, 1e-16);
  EXPECT_DOUBLE_EQ(p3[1], 0.2 / std::sqrt(3.0));
  ASSERT_EQ(model.joints.size(), 9u);
  EXPECT_EQ(model.joints[1].name, "theta2");
  EXPECT_EQ(model.joints[1].a.body, "ground");
  EXPECT_DOUBLE_EQ(evaluate_constant_vector(model.joints[1].a.at, model)[0], 1.2);
  EXPECT_EQ(model.joints[1].b.body, "crank2");
  EXPECT_FALSE(model.joints[1].b.at.given());
  EXPECT_EQ(model.joints[8].name, "wrist3");
  EXPECT_EQ(model.joints[8].b.body, "platform");
  EXPECT_DOUBLE_EQ(evaluate_constant_vector(model.joints[8].a.at, model)[0], 0.62);
  EXPECT_EQ(evaluate_constant_vector(model.joints[8].axis_a, model)[2], 1);
  ASSERT_EQ(model.start.keep.size(), 3u);
  EXPECT_DOUBLE_EQ(evaluate_constant(model.start.keep[0].value, model), -0.1259);
  ASSERT_EQ(model.start.near.size(), 1u);
  EXPECT_EQ(model.start.near[0].name, "platform");
  EXPECT_DOUBLE_EQ(evaluate_constant_vector(model.start.near[0].at, model)[1], 0.6);
  EXPECT_DOUBLE_EQ(model.simulate.end, 5);
  EXPECT_DOUBLE_EQ(*model.simulate.record, 0.005);
  EXPECT_DOUBLE_EQ(*model.simulate.rtol, 1e-10);
  EXPECT_TRUE(model.simulate.projection);
}

// A pendulum with room for one more section.
std::string pendulum(const std::string& more = "", const std::string& joint = "") {
  return "armature: 1\n"                                                                              // line 1
         "gravity: [0, 0, -9.81]\n"                                                                   // line 2
         "parameters: {l: 2 m, N: 3, k: 5}\n"                                                         // line 3
         "bodies: {bob: {mass: 1 kg, center: [l, 0, 0], inertia: none, points: {tip: [l, 0, 0]}}}\n"  // line 4
         "joints: {hinge: {type: revolute, axis: y, between: [ground, bob]" +
         joint + "}}\n" +  // line 5
         more;             // line 6 …
}

Model read(const std::string& more, const Settings& settings = {}) {
  return read_model_text(pendulum(more), "p.yaml", settings);
}

TEST(Reader, AppliesSettings) {
  EXPECT_EQ(read("", {{"l", "3"}}).parameters[0].value, 3);
  EXPECT_EQ(read("", {{"l", "2*k"}}).parameters[0].value, 10);
  EXPECT_EQ(read("simulate: {end: 1}", {{"simulate.end", "7 s"}}).simulate.end, 7);
  const Model model = read("", {{"simulate.integrator", "rk4"}, {"simulate.step", "1 ms"}});
  EXPECT_EQ(model.simulate.integrator, "rk4");
  EXPECT_DOUBLE_EQ(*model.simulate.step, 1e-3);
}

TEST(Reader, SetsInputsThatALoopMakes) {
  const std::string inputs = "inputs:\n  volts{i}: {for: {i: 1..3}, unit: V}\n  force: {unit: N}\n";
  const Model model = read(inputs, {{"volts2", "3 V"}, {"force", "2 kN"}, {"l", "3"}});
  EXPECT_EQ(model.inputs[1].value, 3);
  EXPECT_EQ(model.inputs[2].value, 0);
  EXPECT_EQ(model.inputs[3].value, 2000);
  EXPECT_EQ(model.parameters[0].value, 3);
  try {
    read(inputs, {{"volts4", "3 V"}});
    FAIL() << "it is no input";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("there is no parameter or input 'volts4' (did you mean 'volts"),
              std::string::npos)
        << error.what();
  }
}

TEST(Reader, EvaluatesParametersInAnyOrder) {
  const Model model = read_model_text(
      "armature: 1\ngravity: [0, 0, 0]\nparameters: {a: b + 1, b: c*2, c: 3}\nbodies: {x1: {mass: a}}\n"
      "joints: {j: {type: free, between: [ground, x1]}}\n");
  EXPECT_EQ(model.parameters[0].value, 7);
}

TEST(Reader, ReadsJointElements) {
  const Model model =
      read_model_text(pendulum("", R"(, inertia: 0.1, damping: 2 N*m*s, friction: {coulomb: 3, breakaway: 1.5},
  spring: {stiffness: 4, rest: 30 deg}, limits: {lower: -1, upper: 1, stiffness: 1e4, damping: 10})"));
  const JointElement& element = model.joints[0].elements.at(0);
  EXPECT_EQ(element.component, "");
  EXPECT_DOUBLE_EQ(evaluate_constant(element.inertia, model), 0.1);
  EXPECT_DOUBLE_EQ(evaluate_constant(element.damping, model), 2);
  EXPECT_DOUBLE_EQ(evaluate_constant(element.friction, model), 3);
  EXPECT_DOUBLE_EQ(evaluate_constant(element.breakaway, model), 1.5);
  EXPECT_DOUBLE_EQ(evaluate_constant(element.stiffness, model), 4);
  EXPECT_DOUBLE_EQ(evaluate_constant(element.rest, model), M_PI / 6);
  EXPECT_DOUBLE_EQ(evaluate_constant(element.lower, model), -1);
  EXPECT_DOUBLE_EQ(evaluate_constant(element.stop_stiffness, model), 1e4);
}

TEST(Reader, ReadsElementsByComponent) {
  const Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
bodies: {a: {mass: 1}}
joints:
  j: {type: cylindrical, axis: x, between: [ground, a], damping: {angle: 1 N*m*s, slide: 2 N*s/m}, friction: {slide: 3 N}}
)");
  ASSERT_EQ(model.joints[0].elements.size(), 2u);
  EXPECT_EQ(model.joints[0].elements[1].component, "slide");
  EXPECT_DOUBLE_EQ(evaluate_constant(model.joints[0].elements[1].friction, model), 3);
}

TEST(Reader, ReadsForcesAndConstraints) {
  const Model model = read(R"yaml(
forces:
  s: {type: spring, between: [ground, bob.tip], stiffness: 10 N/m, damping: 1, length: 1 m}
  torsion: {type: torsion_spring, on: hinge, stiffness: 2 N*m, rest: 1 rad}
  push: {type: force, on: "bob [1, 0, 0]", is: [0, 0, "if(hinge > 0, -k, 0)"], frame: body}
  twist: {type: torque, on: bob, is: [0, sin(t), 0]}
  motor: {type: effort, on: hinge, is: 5 - 2*hinge'}
constraints:
  rope: {type: distance, between: [ground, bob.tip], length: l}
  drive: {type: prescribed, zero: hinge - 0.1*sin(2*t)}
)yaml");
  std::vector<std::string> types;
  for (const ForceElement& element : model.forces) types.push_back(element.kind->type());
  EXPECT_EQ(types, (std::vector<std::string>{"spring", "torsion_spring", "force", "torque", "effort"}));
  EXPECT_EQ(model.forces.at(0).places.at(1).body, "bob");
  EXPECT_EQ(model.forces.at(1).on.at(0), "hinge");
  EXPECT_TRUE(model.forces.at(2).in_body);
  EXPECT_TRUE(model.forces.at(3).values["is"].given());
  EXPECT_EQ(model.forces.at(4).on.at(0), "hinge");
  EXPECT_EQ(model.distances.at(0).name, "rope");
  EXPECT_EQ(model.prescribed.at(0).kind, "prescribed");
}

TEST(Reader, TurnsGearsAndRacksIntoExpressions) {
  const Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
plane: xy
bodies: {a: {mass: 1}, b: {mass: 1}, c: {mass: 1}}
joints:
  ja: {type: revolute, between: [ground, a]}
  jb: {type: revolute, between: [ground, b]}
  jc: {type: prismatic, axis: x, between: [ground, c]}
constraints:
  g: {type: gear, between: [ja, jb], ratio: -2, offset: 0.5}
  r: {type: rack, between: [ja, jc], radius: 0.1 m, offset: 0.3}
)");
  EXPECT_EQ(evaluate_constant_vector(model.joints[0].axis_a, model)[2], 1);  // the plane's normal
  const auto residual = [&](int i, double ja, double jb, double jc) {
    const Scope scope = model_scope(model,
                                    [&](const std::string& name) -> std::optional<Value> {
                                      if (name == "ja") return Value(Expression(ja));
                                      if (name == "jb") return Value(Expression(jb));
                                      if (name == "jc") return Value(Expression(jc));
                                      return std::nullopt;
                                    },
                                    {});
    return lower_scalar(model.prescribed[static_cast<std::size_t>(i)].zero, scope).value();
  };
  EXPECT_DOUBLE_EQ(residual(0, 7, 3, 0), 7 - (-2 * 3 + 0.5));
  EXPECT_DOUBLE_EQ(residual(1, 7, 0, 4), 4 - (0.1 * 7 + 0.3));
}

TEST(Reader, ReadsShapesOfInertia) {
  const auto moments = [](const std::string& inertia) {
    const Model model =
        read_model_text("armature: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 12 kg, inertia: " + inertia +
                        "}}\njoints: {j: {type: free, between: [ground, b]}}\n");
    const Inertia& i = model.bodies[0].inertia;
    return std::array{evaluate_constant(i.xx, model), evaluate_constant(i.yy, model), evaluate_constant(i.zz, model)};
  };
  using Moments = std::array<double, 3>;
  EXPECT_EQ(moments("{rod: 2 m}"), (Moments{0, 4, 4}));
  EXPECT_EQ(moments("{box: [1, 2, 3]}"), (Moments{13, 10, 5}));
  EXPECT_EQ(moments("{sphere: 0.5}"), (Moments{0.4 * 12 * 0.25, 0.4 * 12 * 0.25, 0.4 * 12 * 0.25}));
  EXPECT_EQ(moments("{cylinder: {radius: 1, length: 2, axis: y}}"), (Moments{7, 6, 7}));
  EXPECT_EQ(moments("none"), (Moments{0, 0, 0}));
}

// The unit of an input is its own, or that of its default; 1 is that of a plain number.
TEST(Reader, ReadsUnitsOfInputs) {
  const auto input = [](const std::string& text) { return read("inputs: {u: " + text + "}").inputs.at(0); };
  EXPECT_EQ(input("{unit: V, default: 2 V}").unit, "V");
  EXPECT_EQ(input("{default: 2 N}").unit, "N");
  EXPECT_EQ(input("{default: 2 kN}").unit, "N");
  EXPECT_EQ(input("{default: 2 kN}").value, 2000);
  EXPECT_EQ(input("{default: 2 N}").dimension, unit_of("N").dimension);
  EXPECT_EQ(input("{unit: 1, default: 3}").unit, "");
  EXPECT_EQ(input("{unit: 1, default: 3}").dimension, dimensionless);
  EXPECT_EQ(input("{default: 3}").dimension, std::nullopt);
}

TEST(Reader, ReadsStabilization) {
  const auto options = [](const std::string& text) { return read("simulate: {stabilization: " + text + "}").simulate; };
  EXPECT_TRUE(read("").simulate.projection);
  EXPECT_FALSE(options("none").projection);
  EXPECT_TRUE(options("projection").projection);
  const SimulateOptions gains = options("[projection, baumgarte: {alpha: 3, beta: 4}]");
  EXPECT_TRUE(gains.projection);
  EXPECT_EQ(*gains.alpha, 3);
  EXPECT_EQ(*gains.beta, 4);
  const SimulateOptions frequency = options("[{baumgarte: {delta: 1, omega: 10}}]");
  EXPECT_FALSE(frequency.projection);
  EXPECT_EQ(*frequency.alpha, 20);
  EXPECT_EQ(*frequency.beta, 100);
  EXPECT_EQ(options("[post_adjust: {weight: 0.2, iterations: 7}]").post_adjust->iterations, 7);
  EXPECT_EQ(options("[post_adjust]").post_adjust->penalty, 100);
}

TEST(Reader, ReadsSpeedsExactAndNear) {
  const Model model =
      read("start: {keep: {hinge: 30 deg}, speed: {hinge: 2 rad/s, near: {bob: {velocity: [1, 0, 0]}}}}");
  EXPECT_EQ(model.start.speed_keep.at(0).name, "hinge");
  EXPECT_TRUE(model.start.speed_near.at(0).velocity.given());
}

TEST(Reader, TurnsBodiesAboutTheNormalOfThePlane) {
  const Model model = read("plane: xz\nstart: {near: {bob: {angle: 1}}}");
  EXPECT_EQ(evaluate_constant_vector(model.start.near.at(0).axis, model), (std::array<double, 3>{0, 1, 0}));
}

TEST(Reader, ReadsTablesInPlaceAndFromFiles) {
  const Model model =
      read("tables: {f: {x: [0, 1, l], y: [0, 10, 0]}}\nforces: {e: {type: effort, on: hinge, is: f(hinge)}}");
  EXPECT_DOUBLE_EQ(model.tables.at("f")->evaluate(1.5, 0), 5);
  EXPECT_DOUBLE_EQ(model.tables.at("f")->evaluate(9, 0), 0);

  const auto folder = std::filesystem::temp_directory_path() / "armature_reader_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "data.csv") << "t,a,b\n0,1,5\n1,2,6\n2,3,8\n";
  std::ofstream(folder / "m.yaml") << pendulum(
      "tables: {f: {file: data.csv, columns: [t, b], interpolation: spline, outside: extend}}");
  const Model from_file = read_model((folder / "m.yaml").string());
  EXPECT_DOUBLE_EQ(from_file.tables.at("f")->evaluate(2, 0), 8);
  EXPECT_FALSE(from_file.tables.at("f")->hold);
  std::filesystem::remove_all(folder);
}

TEST(Reader, LetsDefinitionsUseOneAnother) {
  const Model model = read(
      "define: {a: b*2, b: k + 1, c: \"bob.tip' - [a, 0, 0]*(1 m/s)\"}\nrecord: {quantities: {speed: norm(c)}, "
      "reactions: [hinge]}");
  EXPECT_EQ(evaluate_constant(parse_formula("a", {}), model), 12);
  EXPECT_EQ(model.record.quantities.at(0).first, "speed");
  EXPECT_EQ(model.record.reactions.at(0), "hinge");
}

// Whatever stands in the file, it is read or refused with a ModelError.
TEST(Reader, SurvivesDamagedFiles) {
  std::mt19937 random(2);
  const std::string original = robot;
  int refused = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    std::string text = original;
    for (unsigned i = 1 + random() % 4; i-- > 0;) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text.erase(at, 1 + random() % 20); break;
        case 1: text.insert(at, 1, "[]{}:,#&*!|>'\"%@`-?\n\t 0aZ("[random() % 26]); break;
        default: text[at] = static_cast<char>(random()); break;
      }
      if (text.empty()) text = "x";
    }
    try {
      read_model_text(text);
    } catch (const ModelError& error) {
      EXPECT_FALSE(error.diagnostics().empty());
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace armature::internal
