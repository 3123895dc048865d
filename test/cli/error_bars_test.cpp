// Errors that run, inverse and studies print beside their numbers, as their user sees them. They come from a repetition, whose time is
// not limited here.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class ErrorBarsOfCommands : public Program {
 protected:
  ErrorBarsOfCommands() { write("pendulum.yaml", pendulum); }
  std::string shipped(const std::string& name) { return std::string(source_directory) + "/models/" + name + ".yaml"; }

  // The error that is printed bounds the true one, up to a factor; and is no excuse: the number is as good as the tolerance promises.
  void expect_honest(const nlohmann::json& run, const std::string& name, double exact, double most) {
    const double value = run["numbers"][name], error = run["number_errors"][name];
    EXPECT_LE(std::abs(value - exact), 2 * error + 1e-14 * std::abs(exact)) << name << " " << value << " ± " << error;
    EXPECT_LE(error, most) << name;
  }
};

// From rest at the horizontal, 1 m: energy gives the speed at the bottom, sqrt(2 g l).
TEST_F(ErrorBarsOfCommands, BoundTheErrorsOfAPendulum) {
  const Answer answer = with_errors(
      "run pendulum.yaml --end 2 --result \"fastest=max(abs(theta'))\" --result 'lowest=min(theta)' --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto run = nlohmann::json::parse(answer.out);
  expect_honest(run, "fastest", std::sqrt(2 * 9.81), 1e-6);
  expect_honest(run, "lowest", -std::numbers::pi, 1e-5);
  EXPECT_THAT(run["errors"]["repetition"].get<std::string>(), HasSubstr("dop853, rtol 1e-10, steps up to 0.05 s"));
  EXPECT_LT(run["errors"]["last"]["theta"].get<double>(), 1e-6);
  EXPECT_FALSE(run["errors"].contains("sentence"));
}

// An oscillator with the exact motion cos(t), and a coarse tolerance.
TEST_F(ErrorBarsOfCommands, BoundTheErrorsOfAnOscillator) {
  write("spring.yaml", R"(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {mass: {mass: 1}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: 1}}}
start: {keep: {x: 1}}
simulate: {end: 20 s, record: 0.1 s, rtol: 1e-5}
)");
  const Answer answer = with_errors(
      "run spring.yaml --result 'late=final(x)' --result 'square=mean(x^2)' --result 'back=first(x < 0)' --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto run = nlohmann::json::parse(answer.out);
  expect_honest(run, "late", std::cos(20), 1e-2);
  expect_honest(run, "square", 0.5 + std::sin(40) / 80, 1e-2);
  expect_honest(run, "back", std::numbers::pi / 2, 1e-3);
  EXPECT_GT(run["number_errors"]["late"].get<double>(), 1e-7);  // 1e-5, 20 s: not as good as all that
}

TEST_F(ErrorBarsOfCommands, ArePrintedBehindNumbers) {
  const Answer answer = with_errors("run " + shipped("crane") + " --result 'swing=max(abs(swing))' -o r");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(ContainsRegex("swing = [0-9.]+ rad ± [1-9]e-[0-9]+\n"),
                                ContainsRegex("largest motor.current: [0-9.]+ A ± [0-9.e-]+ at t = "),
                                ContainsRegex("at t = [0-9.]+ s: travel = [-0-9.]+ m ± [1-9]e-[0-9]+, swing = "),
                                HasSubstr("± is the difference from a repetition with dop853, rtol 1e-12")));
  const auto run = json("r/run.json");
  EXPECT_GT(run["peaks"]["motor.current"]["error"].get<double>(), 0);
  EXPECT_TRUE(run["numbers"]["swing"].is_number());
  if (exists("r/report.html")) {
    EXPECT_THAT(read("r/report.html"), HasSubstr("\"number_errors\""));
  }
}

// Without errors all is as it was; rows are the same with and without.
TEST_F(ErrorBarsOfCommands, LeaveTheRunAsItIs) {
  const std::string run = "run " + shipped("crane") + " --result 'swing=max(abs(swing))' ";
  const Answer with = with_errors(run + "-o with"), without = with_errors(run + "--no-verify -o without"),
               quiet = with_errors(run + "--quiet -o quiet");
  EXPECT_THAT(with.out, HasSubstr("±"));
  EXPECT_THAT(without.out, AllOf(Not(HasSubstr("±")), Not(HasSubstr("at t = 10 s: travel"))));
  EXPECT_THAT(quiet.out, Not(HasSubstr("±")));
  EXPECT_TRUE(json("quiet/run.json").contains("errors"));
  EXPECT_FALSE(json("without/run.json").contains("errors"));
  EXPECT_EQ(armature(run + "-o off").code, 0);
  EXPECT_FALSE(json("off/run.json").contains("errors"));
  expect_same_files("with", "without", {"trajectory.csv"});
  EXPECT_EQ(json("with/run.json")["numbers"], json("without/run.json")["numbers"]);
}

// A smooth pulse of 1 N m s, 20 ms wide, on a rotor at rest for 5 s, whose steps pass over it: the repetition's do not.
TEST_F(ErrorBarsOfCommands, ShowAPulseThatTheRunPassesOver) {
  write("pulse.yaml", R"(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {rotor: {mass: 1, inertia: {zz: 1}}}
joints: {turn: {type: revolute, between: [ground, rotor]}}
forces: {pulse: {type: effort, on: turn, is: exp(-((t - 5.25)/0.02)^2)/0.02/sqrt(pi)}}
simulate: {end: 10 s, record: 10 ms, integrator: rk4, step: 1}
)");
  const Answer answer = with_errors("run pulse.yaml --result \"speed=final(turn')\" -o r");
  const auto run = json("r/run.json");
  const double speed = run["numbers"]["speed"], error = run["number_errors"]["speed"];
  EXPECT_LE(std::abs(speed - 1), 1.01 * error) << answer.out;
  EXPECT_THAT(answer.err, HasSubstr("differ by more than 1 %"));
}

// Rows every 0.1 s miss the top of the rocker by up to its acceleration times 0.05^2/2; others, at other times, show it.
TEST_F(ErrorBarsOfCommands, OfKinematicsAreThoseOfItsRows) {
  const std::string moved = "kinematics " + std::string(source_directory) +
                            "/models/four_bar.yaml --move 'crank_angle=1 + 2*t' --end 3 --no-report "
                            "--result 'top=max(rocker_angle)' ";
  const auto number = [&](const char* key) { return json("k/run.json")[key]["top"].get<double>(); };
  EXPECT_THAT(with_errors(moved + "--record 0.1 -o k").out, HasSubstr("±"));
  const double coarse = number("numbers"), error = number("number_errors");
  with_errors(moved + "--record 1e-4 -o k");
  EXPECT_GT(error, 1e-5);
  EXPECT_LT(std::abs(coarse - number("numbers")), 2 * error);
  EXPECT_FALSE(with_errors(moved + "--no-verify -o k").out.find("±") != std::string::npos);
}

// Two rods from 60 degrees: chaotic.
TEST_F(ErrorBarsOfCommands, TellSinceWhenAMotionIsChaotic) {
  write("double.yaml", R"(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
  lower: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
joints:
  a: {type: revolute, between: [ground, upper]}
  b: {type: revolute, between: ["upper [1, 0, 0]", lower]}
start: {keep: {a: 60 deg, b: 0}}
simulate: {end: 40, record: 0.02}
)");
  const Answer answer = with_errors("run double.yaml --result 'late=final(a)' -o r");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.err, HasSubstr("warning: errors grow by a factor of e every "));
  const auto run = json("r/run.json");
  EXPECT_GT(run["errors"]["parts_at"].get<double>(), 2);
  EXPECT_LT(run["errors"]["parts_at"].get<double>(), 40);
  EXPECT_GT(run["number_errors"]["late"].get<double>(), 0.01);
}

// The run takes ten steps over many periods of its force; its repetition would take ages.
TEST_F(ErrorBarsOfCommands, AreNotWaitedForTooLong) {
  write("long.yaml",
        "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nbodies: {rod: {mass: 1, inertia: {zz: 1}}}\n"
        "joints: {a: {type: revolute, between: [ground, rod]}}\nforces: {f: {type: effort, on: a, is: cos(1e6*t)}}\n"
        "simulate: {end: 1e5, record: 1e4, integrator: rk4, step: 1e4}\n");
  const Answer answer =
      shell("ARMATURE_VERIFY= " + std::string(program_path) + " run long.yaml --result 'm=max(a)' -o r");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("no error estimate: a repetition with dopri5"),
                                HasSubstr("s of 100000 s when its time was up"), Not(HasSubstr("±"))));
  EXPECT_THAT(json("r/run.json")["errors"]["missing"].get<std::string>(), HasSubstr("when its time was up"));
}

// Peaks and integrals of inverse dynamics are those of its rows. The force is -18 sin(3 t) N, its mean square 324 (1/2 - sin(12)/24).
TEST_F(ErrorBarsOfCommands, OfInverseDynamicsComeFromFinerRows) {
  write("lift.yaml", R"(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {load: {mass: 2 kg}}
joints: {lift: {type: prismatic, axis: y, between: [ground, load]}}
inverse:
  motion: {lift: sin(3*t)}
  actuators: [lift]
simulate: {end: 2 s, record: 20 ms}
)");
  const Answer answer =
      with_errors("inverse lift.yaml --result \"peak=max(2*lift'')\" --result \"square=mean((2*lift'')^2)\" --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto run = nlohmann::json::parse(answer.out);
  expect_honest(run, "peak", 18, 0.1);
  expect_honest(run, "square", 18 * 18 * (0.5 - std::sin(12) / 24), 0.1);
  EXPECT_GT(run["peaks"]["effort.lift"]["error"].get<double>(), 1e-6);
  EXPECT_THAT(run["errors"]["repetition"].get<std::string>(), HasSubstr("rows every 0.00434 s"));
}

TEST_F(ErrorBarsOfCommands, OfASweepAreThoseOfEightMotions) {
  const std::string sweep =
      "sweep pendulum.yaml --over length=0.5:1.5:20 --result \"fastest=max(abs(theta'))\" --end 2 --rtol 1e-6 ";
  const Answer answer = with_errors(sweep + "-o s");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(ContainsRegex("\nerror +[1-9]e-[0-9]+\n"),
                                HasSubstr("error: the largest of 8 motions repeated with dop853, rtol 1e-08")));
  const auto errors = json("s/result.json")["errors"];
  EXPECT_EQ(errors["cells"], nlohmann::json({0, 2, 5, 8, 10, 13, 16, 19}));
  const auto table = rows("s/cells.csv");
  double worst = 0;
  for (const int cell : errors["cells"]) {
    const auto& row = table[static_cast<std::size_t>(cell)];
    worst = std::max(worst, std::abs(row[1] - std::sqrt(2 * 9.81 / row[0])));
  }
  EXPECT_LE(worst, 2 * errors["worst"]["fastest"].get<double>());
  EXPECT_LE(errors["worst"]["fastest"].get<double>(), 20 * worst);
  EXPECT_EQ(armature(sweep + "-o off").code, 0);
  EXPECT_FALSE(json("off/result.json").contains("errors"));
  expect_same_files("s", "off", {"cells.csv"});
  EXPECT_EQ(with_errors(sweep + "--no-verify -o no").code, 0);
  EXPECT_FALSE(json("no/result.json").contains("errors"));
}

TEST_F(ErrorBarsOfCommands, OfAMapAreClassesThatDiffer) {
  const Answer answer = with_errors(
      "map pendulum.yaml --over length=0.5:1.5:5 --classify 'fast: max(abs(theta)) > 3; slow' --end 2 -o m");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("5 motions repeated with dop853, rtol 1e-10"));
  EXPECT_EQ(json("m/result.json")["errors"]["cells"].size(), 5u);
}

TEST_F(ErrorBarsOfCommands, OfAnOptimumIsThatOfItsMotion) {
  const Answer answer = with_errors(
      "optimize pendulum.yaml --over length=0.5:1.5 --minimize "
      "\"(max(abs(theta')) - 4.5)^2\" --end 2 -o o");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("smallest found: (max(abs(theta')) - 4.5)^2 = "), HasSubstr(" (± ")));
  EXPECT_TRUE(json("o/result.json")["errors"]["worst"].is_object());
}

TEST_F(ErrorBarsOfCommands, VerifyComparesResultsToo) {
  const Answer answer = armature("run " + shipped("crane") + " --verify --result 'swing=max(abs(swing))' --end 2 -o v");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out,
              AllOf(ContainsRegex("\nswing +1?[0-9].[0-9] "), ContainsRegex("\nlargest motor.current +"),
                    HasSubstr("all channels and results agree to "), HasSubstr("dop853, steps up to 0.0025 s")));
  EXPECT_EQ(json("v/run.json")["verify"]["result_digits"]["swing"].size(), 2u);
}

}  // namespace
}  // namespace armature::internal
