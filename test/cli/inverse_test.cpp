#include <gmock/gmock.h>

#include <cmath>

#include <fmt/format.h>

#include "cli/program.hpp"
#include "support/slider_crank.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

class InverseVerb : public Program {};

// m l^2 theta'' + m g l cos(theta) with m = 1, l = 1, theta = t^2/2.
TEST_F(InverseVerb, RecordsTheTorqueOfAPendulum) {
  write("pendulum.yaml", std::string(pendulum) + "inverse: {motion: {theta: t^2/2}, actuators: [theta]}\n");
  const Answer answer = armature("inverse pendulum.yaml -o torques");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto table = rows("torques/trajectory.csv");
  ASSERT_EQ(table.size(), 11u);
  for (const auto& row : table) EXPECT_NEAR(row.back(), 1 + 9.81 * std::cos(row[0] * row[0] / 2), 1e-9);
  EXPECT_THAT(read("torques/run.json"), HasSubstr("\"integrator\": \"kinematics\""));
}

// What holds a point mass on its circle and lifts it: m (a + g), and the torque.
TEST_F(InverseVerb, RecordsTheReactionsOfAPendulum) {
  write("pendulum.yaml", std::string(pendulum) +
                             "inverse: {motion: {theta: t^2/2}, actuators: [theta]}\nrecord: {reactions: [theta]}\n");
  const Answer answer = armature("inverse pendulum.yaml -o torques");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(read("torques/trajectory.csv"),
              HasSubstr("theta.fx [N],theta.fy [N],theta.fz [N],theta.mx [N m],theta.my [N m],theta.mz [N m]"));
  for (const auto& row : rows("torques/trajectory.csv")) {
    const double t = row[0], c = std::cos(t * t / 2), s = std::sin(t * t / 2), torque = 1 + 9.81 * c;
    const std::vector<double> wrench(row.end() - 6, row.end());
    EXPECT_NEAR(wrench[0], -c * t * t - s, 1e-9);
    EXPECT_NEAR(wrench[1], -s * t * t + c + 9.81, 1e-9);
    EXPECT_NEAR(wrench[5], torque, 1e-9);
  }
}

// A constraint that prescribes the crank's angle makes the same motion in a run, and the same forces in the other joints; also where
// friction depends on one of them.
class InverseReactions : public InverseVerb, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Friction, InverseReactions,
                         testing::Values("", "forces: {rubbing: {type: friction, on: slide, coefficient: 0.2}}\n"),
                         [](const auto& info) { return info.index == 0 ? "without" : "with_load"; });

TEST_P(InverseReactions, AreThoseOfARun) {
  const std::string machine = slider_crank_text(-9.81) + R"yaml(start: {near: {crank: 0.5, slide: 0.6}}
record: {reactions: [knee, slide, pin]}
simulate: {end: 0.5 s, record: 0.1 s, rtol: 1e-11}
)yaml" + GetParam();
  write("moved.yaml", machine + "inverse: {motion: {crank: 0.5 + t + 3*t^2}, actuators: [crank]}\n");
  write("held.yaml", machine + "constraints: {drive: {type: prescribed, zero: crank - (0.5 + t + 3*t^2)}}\n");
  ASSERT_EQ(armature("inverse moved.yaml -o moved").code, 0);
  ASSERT_EQ(armature("run held.yaml -o held").code, 0);
  const auto columns = [&](const std::string& folder) {
    const std::string table = read(folder + "/trajectory.csv"), header = table.substr(0, table.find('\n'));
    const auto first = static_cast<std::size_t>(
        std::count(header.begin(), header.begin() + std::ptrdiff_t(header.find("knee.fx")), ','));
    std::vector<std::vector<double>> found;
    for (const auto& row : rows(folder + "/trajectory.csv"))
      found.emplace_back(row.begin() + std::ptrdiff_t(first), row.begin() + std::ptrdiff_t(first) + 18);
    return found;
  };
  const auto moved = columns("moved"), held = columns("held");
  ASSERT_EQ(moved.size(), 6u);
  ASSERT_EQ(held.size(), 6u);
  for (std::size_t row = 0; row < moved.size(); ++row)
    for (std::size_t k = 0; k < 18; ++k) EXPECT_NEAR(moved[row][k], held[row][k], 1e-6) << row << " " << k;
}

// Stretched, a slider-crank's slider does not move with its crank to first order.
TEST_F(InverseVerb, WantedMotionThatCannotBeToldFromRestIsSaid) {
  write("stretched.yaml", slider_crank_text(0) + R"yaml(start: {keep: {crank: 0}, near: {knee: 0, slide: 0.7}}
inverse: {motion: {slide: "0.7 - 0.1*quintic(t, 0, 1)"}, actuators: [crank]}
simulate: {end: 1 s}
)yaml");
  const Answer answer = armature("inverse stretched.yaml");
  EXPECT_EQ(answer.code, 1) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("the actuators have no direct effect on the prescribed acceleration"));
}

// Of the torque 1 + g cos(t^2/2) over one second: its start, its largest value, and its mean by the power series of the cosine.
TEST_F(InverseVerb, GivesResultsOfTheMotion) {
  write("pendulum.yaml", std::string(pendulum) +
                             "inverse: {motion: {theta: t^2/2}, actuators: [theta]}\n"
                             "define: {torque: theta.mz, a: \"theta''\"}\n");
  const Answer answer = armature(
      "inverse pendulum.yaml --record 0.001 --result 'most=max(torque)' "
      "--result 'mean=mean(torque)' --result 'a=at(a, 0.5)'");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("most = 10.81\n"));
  EXPECT_THAT(answer.out, HasSubstr("a = 1\n"));
  double mean = 0, term = 1;
  for (int k = 0; k < 10; ++k) mean += term / (4 * k + 1), term *= -0.25 / ((2 * k + 1) * (2 * k + 2));
  const std::string found = answer.out.substr(answer.out.find("mean = ") + 7);
  EXPECT_NEAR(std::stod(found), 1 + 9.81 * mean, 1e-8);
}

// m l^2 theta'' + m g l cos(theta) at the start, with theta'' = 1.
// Results know efforts by the names of their columns: (m l^2 + m g l)(0) = 10.81 N m is the largest.
TEST_F(InverseVerb, GivesResultsOfEfforts) {
  write("pendulum.yaml", std::string(pendulum) + "inverse: {motion: {theta: t^2/2}, actuators: [theta]}\n");
  const Answer one = armature("inverse pendulum.yaml --result 'most=max(abs(effort.theta))' -o t");
  EXPECT_THAT(one.out, HasSubstr("most = 10.81\n"));
  EXPECT_EQ(read("t/trajectory.csv").substr(0, 48), "t [s],theta [rad],theta' [rad/s],effort.theta [N");
  const Answer swept =
      armature("sweep pendulum.yaml --inverse --over length=1:2:2 --result 'most=max(abs(effort.theta))' -o s");
  ASSERT_EQ(swept.code, 0) << swept.err;
  EXPECT_NEAR(rows("s/cells.csv").at(1).at(1), 2 * 9.81 + 4, 1e-6) << read("s/cells.csv");
  EXPECT_EQ(armature("run pendulum.yaml --result 'most=max(effort.theta)' -o r").code, 2);
}

TEST_F(InverseVerb, IsSweptAndOptimized) {
  std::string text = pendulum;
  text.replace(text.find("{length"), 1, "{a: 1, ");
  write("pendulum.yaml", text +
                             "inverse: {motion: {theta: a*t^2/2}, actuators: [theta]}\n"
                             "define: {torque: theta.mz}\n");
  const Answer sweep = armature("sweep pendulum.yaml --inverse --over a=1:3:3 --result 'first=initial(torque)' -o s");
  ASSERT_EQ(sweep.code, 0) << sweep.err;
  const auto table = rows("s/cells.csv");
  ASSERT_EQ(table.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(table[k][1], double(k + 1) + 9.81, 1e-9);
  const Answer best =
      armature("optimize pendulum.yaml --inverse --over a=0.5:4 --minimize '(initial(torque) - 12)^2' -o o");
  ASSERT_EQ(best.code, 0) << best.err;
  EXPECT_THAT(best.out, testing::ContainsRegex("armature inverse pendulum.yaml --set a=2\\.(19|1899999)"));
}

constexpr const char* hoist = R"yaml(armature: 1
plane: xy
gravity: [0, -9.81, 0]
parameters: {ratio: 10, L: 0 H, n: 1, mass: 20 kg}
inputs: {pull: {unit: N, default: 100 N}}
bodies:
  load: {mass: mass}
  ballast{i}: {for: {i: 2..n}, mass: 1 kg}
joints:
  lift: {type: prismatic, axis: y, between: [ground, load]}
  hook{i}: {for: {i: 2..n}, type: fixed, between: [load, "ballast{i}"]}
forces: {wind: {type: effort, on: lift, is: -pull}}
drives:
  motor: {type: dc_motor, on: lift, gear_ratio: ratio, radius: 50 mm, rotor_inertia: 4e-4, torque_constant: 0.1, resistance: 0.4,
          inductance: L, voltage: 48 V}
inverse: {motion: {lift: "1 m*quintic(t, 0 s, 1.5 s)"}}
simulate: {end: 1.5 s, record: 50 ms}
)yaml";

// What a host sets is no actuator: without motion the motor bears weight and pull.
TEST_F(InverseVerb, HoldsInputsStill) {
  write("hoist.yaml", hoist);
  const Answer answer =
      armature("inverse hoist.yaml -o r --result 'first=initial(motor.torque)' --result 'low=min(motor.torque)'");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("first = 296.2\n"));
  EXPECT_THAT(armature("inverse hoist.yaml --set pull=0 -o r0 --result 'first=initial(motor.torque)'").out,
              HasSubstr("first = 196.2\n"));
}

// Variables that are only numbers in the equations, a start of the winding, and a number of parts: a cell has the numbers of an inverse of
// its own.
TEST_F(InverseVerb, IsSweptOverAnything) {
  write("hoist.yaml", hoist);
  const std::string result = " --result 'most=max(motor.voltage)'";
  const std::vector<std::vector<std::string>> studies = {
      {"ratio=4:60:4", "pull=0:200:2"}, {"L=0:0.01:3"}, {"n=1:3:3"}, {"mass=10:30:3", "ratio=10:20:2"}};
  for (const std::vector<std::string>& axes : studies) {
    std::string over;
    for (const std::string& axis : axes) over += " --over " + axis;
    const std::string folder = "s_" + axes[0].substr(0, axes[0].find('='));
    const Answer sweep = armature("sweep hoist.yaml --inverse" + over + result + " -o " + folder);
    ASSERT_EQ(sweep.code, 0) << sweep.err << over;
    for (const auto& cell : rows(folder + "/cells.csv")) {
      std::string settings;
      for (std::size_t k = 0; k < axes.size(); ++k)
        settings += fmt::format(" --set {}={}", axes[k].substr(0, axes[k].find('=')), cell[k]);
      const Answer alone = armature("inverse hoist.yaml -o alone" + result + settings);
      ASSERT_EQ(alone.code, 0) << alone.err << settings;
      const double most = std::stod(alone.out.substr(alone.out.find("most = ") + 7));
      EXPECT_NEAR(cell[axes.size()], most, 1e-8 * most) << settings;
    }
  }
}

// Threads share nothing that inverse dynamics changes.
TEST_F(InverseVerb, IsSweptAlikeByAnyNumberOfThreads) {
  const std::string model = (std::filesystem::path(source_directory) / "models/slider_crank.yaml").string();
  const std::string sweep =
      "sweep " + model + " --inverse --over flywheel=1:2:16 --end 0.5 --result 'most=max(abs(motor.torque))' -q";
  ASSERT_EQ(armature(sweep + " --threads 1 -o one").code, 0);
  for (const char* folder : {"a", "b", "c", "d"}) {
    const Answer answer = armature(sweep + " --threads 4 -o " + folder);
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(read(std::string(folder) + "/cells.csv"), read("one/cells.csv"));
  }
}

TEST_F(InverseVerb, NamesWhatControllersLeaveOut) {
  write("pendulum.yaml", std::string(pendulum) +
                             "inverse: {motion: {theta: t^2/2}, actuators: [theta]}\n"
                             "controllers: {u: {type: formula, is: theta}}\ndefine: {own: 2*u, angle: 2*theta}\n");
  const Answer answer = armature("inverse pendulum.yaml -o r");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("it leaves out what depends on one: own"));
  EXPECT_THAT(read("r/trajectory.csv"), HasSubstr("angle"));
}

TEST_F(InverseVerb, SaysWhatIsMissing) {
  write("pendulum.yaml", pendulum);
  const Answer answer = armature("inverse pendulum.yaml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("pendulum.yaml: inverse.motion: is missing"));
}

}  // namespace
}  // namespace armature::internal
