// Joints that close loops: which they are, and their values.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "support/run_model.hpp"
#include "support/spatial_four_bar.hpp"

namespace armature::internal {
namespace {

std::vector<std::string> cut_joints(const std::string& text) {
  return prepared_text(text).system->equations().cut_joints;
}

TEST(CutJoints, CutFalseIsObeyed) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(cut_joints(spatial_four_bar(", cut: false", "")), Names{"s3"});
  EXPECT_EQ(cut_joints(spatial_four_bar("", ", cut: false")), Names{"s2"});
  // revolutes have fewer freedoms, and would stay in the tree if the balls did not ask for it
  EXPECT_EQ(cut_joints(spatial_four_bar(", cut: false", ", cut: false")), Names{"r4"});
}

TEST(CutJoints, AllOfALoopCannotStay) {
  std::string text = spatial_four_bar(", cut: false", ", cut: false", ", cut: false");
  text.replace(text.find("[ground, a]}"), 12, "[ground, a], cut: false}");
  try {
    prepared_text(text);
    FAIL() << "a loop of joints that all stay uncut";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot stay uncut"), std::string::npos) << error.what();
  }
}

Eigen::Quaterniond ball(const Simulation& run, int row, const std::string& joint) {
  return {run.at(row, joint + ".w"), run.at(row, joint + ".x"), run.at(row, joint + ".y"), run.at(row, joint + ".z")};
}

// The cranks turn by 4 rad in a step.
TEST(CutJoints, CountWholeTurnsWhateverTheStep) {
  const Simulation run = simulated_text(R"(plane: xy
gravity: [0, 0, 0]
bodies:
  crank: {mass: 1, inertia: {zz: 0.1}}
  rocker: {mass: 1, inertia: {zz: 0.1}}
  rod: {mass: 1, center: [0.5, 0, 0], inertia: {zz: 0.1}}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["ground [1, 0, 0]", rocker]}
  c: {type: revolute, between: ["crank [0.3, 0, 0]", rod]}
  d: {type: revolute, between: ["rod [1, 0, 0]", "rocker [0.3, 0, 0]"], cut: true}
start: {keep: {a: 0.5}, near: {b: 0.5}, speed: {a: 20}}
simulate: {end: 10, record: 0.2, integrator: rk4, step: 0.2}
)");
  const std::vector<double> a = run.column("a"), b = run.column("b"), c = run.column("c"), d = run.column("d");
  for (std::size_t row = 0; row < a.size(); ++row) EXPECT_NEAR(d[row], b[row] - a[row] - c[row], 1e-9) << row;
  EXPECT_NEAR(a.back(), 200.5, 1e-6);
}

// Two shafts at an angle, joined by a universal joint that stays in the tree: the second bearing is cut, and its angle is no sum
// of coordinates. tan(second) = cos(beta) tan(first).
std::string cardan_shaft(int degrees, const std::string& simulate) {
  return "gravity: [0, 0, 0]\nparameters: {beta: " + std::to_string(degrees) + R"( deg}
bodies:
  input: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  output: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  first: {type: revolute, axis: x, between: [ground, input]}
  cardan: {type: universal, axes: [z, [-sin(beta), cos(beta), 0]], between: [input, output], cut: false}
  second: {type: revolute, axis: [cos(beta), sin(beta), 0], between: [ground, output], cut: true}
constraints: {drive: {type: prescribed, zero: first - 25*t}}
start: {keep: {first: 0}, near: {second: 0}}
simulate: )" +
         simulate;
}

void expect_counted_turns(int degrees, const Simulation& run) {
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const std::vector<double> first = run.column("first"), second = run.column("second");
  const double c = std::cos(degrees * M_PI / 180);
  for (std::size_t row = 0; row < first.size(); ++row) {
    const double wrapped = std::atan2(c * std::sin(first[row]), std::cos(first[row]));
    EXPECT_NEAR(second[row], first[row] + std::remainder(wrapped - first[row], 2 * M_PI), 1e-5) << row;
  }
}

// Steps of half a radian, a quarter and half of a turn, and 4 rad: the principal values alone would turn backwards.
TEST(CutJoints, CountWholeTurnsInSpaceWithFixedSteps) {
  for (const char* step : {"0.02", "0.06283185307179587", "0.12566370614359174", "0.16"}) {
    SCOPED_TRACE(step);
    const std::string simulate = std::string("{end: 12, record: 0.37, integrator: rk4, step: ") + step + "}\n";
    expect_counted_turns(2, simulated_text(cardan_shaft(2, simulate)));
  }
}

TEST(CutJoints, CountWholeTurnsInSpaceAtAnyTolerance) {
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf"})
    for (const char* rtol : {"1e-3", "1e-6"}) {
      SCOPED_TRACE(std::string(integrator) + " " + rtol);
      const std::string simulate =
          std::string("{end: 12, record: 0.37, integrator: ") + integrator + ", rtol: " + rtol + "}\n";
      for (const int degrees : {2, 30}) expect_counted_turns(degrees, simulated_text(cardan_shaft(degrees, simulate)));
    }
}

// No channel of the record, no tolerance of it and nothing that a run could be asked to start with.
TEST(CutJoints, ReferencesOfAnglesAreNotSeen) {
  const Simulation run = simulated_text(cardan_shaft(30, "{end: 1, record: 0.5}\n"));
  for (const Channel& channel : run.record.channels()) EXPECT_EQ(channel.name.find("reference"), std::string::npos);
}

// The angle can be used like that of any other joint: its rate in formulas, reactions beside it.
TEST(CutJoints, RatesAndReactionsInSpaceAreThere) {
  const Simulation run = simulated_text(
      "define: {twice: 2*second}\nrecord: {reactions: [first, second], quantities: {rate: \"second'\", both: "
      "\"twice'\"}}\n" +
      cardan_shaft(30, "{end: 1, record: 0.1}\n"));
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  for (int row = 0; row < run.record.rows(); ++row) {
    const double first = run.at(row, "first"), c = std::cos(M_PI / 6);
    EXPECT_NEAR(run.at(row, "rate"), 25 * c / (1 - 0.25 * std::pow(std::sin(first), 2)), 1e-6) << row;
    EXPECT_EQ(run.at(row, "both"), 2 * run.at(row, "rate")) << row;
  }
}

// A comparison of the angle that a step has missed is found out, as one of a coordinate is.
TEST(CutJoints, MissedChangesInSpaceAreFoundOut) {
  for (const char* angle : {"first", "second"}) {
    std::string text = cardan_shaft(30, "{end: 20, record: 0.0005, integrator: dop853}\n");
    text.replace(text.find("30 deg"), 6, "0.001 deg");
    text.replace(text.find("first - 25*t"), 12, "first - t - 0.008");
    text.replace(text.find("{first: 0}"), 10, "{first: 0.008}");
    text.replace(text.find("joints:\n"), 8,
                 "  spinner: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n"
                 "joints:\n  spin: {type: revolute, axis: z, between: [ground, spinner]}\n");
    text += "forces: {kick: {type: effort, on: spin, is: \"if((" + std::string(angle) +
            " - 10.005)^2 < 1e-6, 1000, 0)\"}}\n";
    MemoryRecorder record;
    const Outcome outcome = simulate(prepared_text(text), record);
    const bool found = outcome.status == RunStatus::failed && outcome.sentence.find("missed") != std::string::npos;
    const bool kicked = std::abs(record.column("spin'").back()) > 1;
    EXPECT_TRUE(found || kicked) << angle << ": " << outcome.sentence;
  }
}

// The wrists go beyond half a turn, where a wrapped angle would jump; between rows of 5 ms they move by less than a radian.
TEST(CutJoints, AnglesAreContinuous) {
  const Simulation run = simulated(shipped("rrr"));
  double farthest = 0;
  for (const char* wrist : {"wrist2", "wrist3"}) {
    const std::vector<double> angle = run.column(wrist);
    for (std::size_t row = 1; row < angle.size(); ++row) {
      EXPECT_LT(std::abs(angle[row] - angle[row - 1]), 1) << wrist << " " << row;
      farthest = std::max(farthest, std::abs(angle[row]));
    }
  }
  EXPECT_GT(farthest, 4);
}

// Around the loop: turns r1, s2, s3 carry the ground's axes onto those of c, as r4 does.
TEST(CutJoints, BallKeepsItsQuaternion) {
  const Simulation run =
      simulated(read_model_text("armature: 1\n" + spatial_four_bar(", cut: false", ""), "file.yaml"));
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const Eigen::Vector3d axis = Eigen::Vector3d(0, 1, 1).normalized();
  for (int row = 0; row < run.record.rows(); ++row) {
    const Eigen::Quaterniond first(Eigen::AngleAxisd(run.at(row, "r1"), Eigen::Vector3d::UnitZ()));
    const Eigen::Quaterniond last(Eigen::AngleAxisd(run.at(row, "r4"), axis));
    const Eigen::Quaterniond cut = ball(run, row, "s3"), around = first * ball(run, row, "s2") * cut;
    EXPECT_NEAR(cut.norm(), 1, 1e-12);
    EXPECT_NEAR(std::abs(around.dot(last)), 1, 1e-12) << row;
    if (row > 0) {
      EXPECT_GT(cut.dot(ball(run, row - 1, "s3")), 0.9) << row;  // its sign does not jump
    }
  }
}

// qdot = 1/2 q (0, w); central differences over 0.01 s err by h^2 q'''/6, with turns of some rad/s below 1e-2.
TEST(CutJoints, BallHasItsAngularVelocity) {
  const Simulation run =
      simulated(read_model_text("armature: 1\n" + spatial_four_bar(", cut: false", ""), "file.yaml"));
  for (int row = 1; row + 1 < run.record.rows(); row += 7) {
    const Eigen::Vector4d rate = (ball(run, row + 1, "s3").coeffs() - ball(run, row - 1, "s3").coeffs()) / 0.02;
    const Eigen::Quaterniond w(0, run.at(row, "s3.wx"), run.at(row, "s3.wy"), run.at(row, "s3.wz"));
    EXPECT_LT((0.5 * (ball(run, row, "s3") * w).coeffs() - rate).norm(), 1e-2) << row;
  }
}

// A cut ball can be named in the start and in formulas as one of the tree can.
TEST(CutJoints, BallCanBeNamed) {
  std::string text = spatial_four_bar(", cut: false", ", cut: true");
  text += "record: {quantities: {half: s3.w/2}}\n";
  text.replace(text.find("speed:"), 6, "near: {s3.x: 0.3}, speed:");
  const Simulation run = simulated(read_model_text("armature: 1\n" + text, "file.yaml"));
  EXPECT_NEAR(run.at(0, "s3.x"), 0.3, 1e-3);  // the coupler's spin is free to follow it
  EXPECT_EQ(run.last("half"), run.last("s3.w") / 2);
}

// The weight of the base and the force on it go to the ground through its joint.
TEST(Reactions, OfABodyFixedToTheGround) {
  const Simulation run = simulated(read_model_text(R"(armature: 1
gravity: [0, 0, -10]
bodies: {base: {mass: 2, inertia: none}, block: {mass: 1, inertia: none}}
joints:
  foot: {type: fixed, between: [ground, base]}
  slide: {type: prismatic, axis: x, between: [base, block]}
forces:
  push: {type: force, on: base, is: [1, 2, 3]}
record: {reactions: [foot]}
simulate: {end: 0.1, record: 0.1}
)"));
  EXPECT_NEAR(run.last("foot.fx"), -1, 1e-12);
  EXPECT_NEAR(run.last("foot.fy"), -2, 1e-12);
  EXPECT_NEAR(run.last("foot.fz"), 30 - 3, 1e-12);
}

}  // namespace
}  // namespace armature::internal
