// Motions computed several at once have the bits of those computed one by one, whatever runs beside them.

#include "study/study_cells.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "read/reader.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

constexpr double pi = std::numbers::pi;

Model library_model(const std::string& name) { return read_model(std::string(source_directory) + "/models/" + name); }

// What is looked at, and all numbers of its motions: the formulas, how it ended, when.
struct Looked {
  Varied varied;
  MotionFormulas formulas;
  std::unique_ptr<Classes> classes;
  std::unique_ptr<Study> study;
  int numbers = 0;

  Looked(const Model& model, const std::vector<std::string>& names, const std::vector<std::string>& wanted,
         const std::string& classify = "")
      : varied(vary(model, names)), formulas(varied.model, varied.parameters) {
    for (const std::string& text : wanted) formulas.add_number(text);
    numbers = static_cast<int>(wanted.size());
    if (!classify.empty()) classes = std::make_unique<Classes>(classify, formulas);
    study = std::make_unique<Study>(varied, formulas);
  }

  std::vector<std::uint64_t> bits(const Points& points, int lanes, int threads = 1) const {
    const MotionNumbers write = [this](const StudyRun& run, MotionStatus status, std::span<double> result) {
      for (int k = 0; k < numbers; ++k)
        result[static_cast<std::size_t>(k)] =
            status == MotionStatus::finished ? run.values()[static_cast<std::size_t>(k)] : 0;
      result[static_cast<std::size_t>(numbers)] = status == MotionStatus::no_start ? 0 : run.t();
      result[static_cast<std::size_t>(numbers) + 1] = static_cast<double>(status);
      result[static_cast<std::size_t>(numbers) + 2] = run.motion_class();
    };
    const CellJob job = study_cells(*study, classes.get(), points, numbers + 3, write, lanes);
    EXPECT_EQ(static_cast<bool>(job.lanes), lanes > 1);
    const CellTable table = run_cells(job, {.threads = threads});
    EXPECT_EQ(table.missing(), 0);
    std::vector<std::uint64_t> result;
    for (double value : table.values) result.push_back(std::bit_cast<std::uint64_t>(value));
    return result;
  }
};

Model press(double rtol) {
  Model model = library_model("press.yaml");
  model.simulate.rtol = rtol;
  return model;
}

const char* press_classes = "never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped";
const std::vector<std::string> press_numbers = {"final(phi)", "max(phi')",      "min(x)",
                                                "mean(x)",    "first(phi > 4)", "integral(phi')"};

TEST(StudyCells, PressWithEventsAndSticking) {
  // 40 s each; (pi, 0.5) sticks and slips again
  const Looked looked(press(1e-7), {"phi0", "w0"}, press_numbers);
  const Points points = grid_points({{"phi0", 0, 2 * pi, 5}, {"w0", -3, 3, 7}});
  const auto alone = looked.bits(points, 1);
  for (int lanes : {2, 3, 8}) EXPECT_EQ(looked.bits(points, lanes), alone) << lanes;
  EXPECT_EQ(looked.bits(points, 8, 2), alone);
}

// A block that sticks while the push on it changes: friction balances the push of every moment, not that of the end of a step. The
// acceleration is zero then, and the force of the friction that of the push.
TEST(StudyCells, SeeFrictionThatHoldsAtEveryMoment) {
  const Model model = read_model_text(R"yaml(armature: 1
gravity: [0, 0, 0]
parameters: {p: 1.5}
bodies: {block: {mass: 1}}
joints: {x: {type: prismatic, axis: x, between: [ground, block], friction: 2}}
forces: {drive: {type: effort, on: x, is: "p*sin(t) - 0.2*t"}}
define: {acceleration: "x''", push: p*sin(t) - 0.2*t}
start: {speed: {x: 1}}
simulate: {end: 3 s, record: 50 ms, rtol: 1e-9}
)yaml");
  const Looked looked(
      model, {"p"},
      {"max(abs(acceleration), 1, 3)", "mean(abs(acceleration), 1, 3)", "final(acceleration)", "at(acceleration, 2)"});
  const Points points = grid_points({{"p", 1.4, 1.6, 5}});
  const auto alone = looked.bits(points, 1);
  for (std::size_t cell = 0; cell < 5; ++cell)
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(std::bit_cast<double>(alone[cell * 7 + k]), 0, 1e-9) << cell << " " << k;
  for (int lanes : {2, 5, 8}) EXPECT_EQ(looked.bits(points, lanes), alone) << lanes;
}

// Two friction joints that stick and slip, alone and both at once, in some lanes while others move. What holds them is seen:
// weights of sliding modes are those of single runs.
TEST(StudyCells, OneOrTwoComparisonsSlideBesideOthers) {
  const Model model = read_model_text(R"yaml(
armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {push: 1 N, pull: 1 N}
bodies:
  cart: {mass: 1 kg, inertia: none}
  box: {mass: 0.5 kg, inertia: none}
joints:
  x: {type: prismatic, axis: x, between: [ground, cart]}
  y: {type: prismatic, axis: x, between: [cart, box]}
define:
  ground_drag: if(x' > 0, -0.8, 0.8)
  plank: if(y' > 0, -0.3, 0.3) - if(x - 0.02*ground_drag > 0.05, 0.01, 0)
forces:
  shake: {type: effort, on: x, is: push*sin(2*t)}
  draw: {type: effort, on: y, is: pull*sin(3*t)}
  under: {type: effort, on: x, is: ground_drag}
  between: {type: effort, on: y, is: plank}
start: {speed: {x: 0.3, y: 0.1}}
simulate: {end: 8 s, rtol: 1e-7}
)yaml");
  const Looked looked(model, {"push", "pull"},
                      {"final(x)", "final(y)", "integral(ground_drag)", "max(plank)", "mean(x')"});
  const Points points = grid_points({{"push", 0.2, 2, 5}, {"pull", 0.1, 1, 5}});
  const auto alone = looked.bits(points, 1);
  for (int lanes : {3, 8}) EXPECT_EQ(looked.bits(points, lanes), alone) << lanes;
}

// Positions that were assembled for another cell are those of a study that has none yet.
TEST(StudyCells, KnownPositionsAreThoseOfTheCell) {
  for (const bool robot : {false, true}) {
    const Model model = robot ? library_model("rrr.yaml") : press(1e-7);
    const std::vector<std::string> names =
        robot ? std::vector<std::string>{"m2", "theta1.v", "l2"} : std::vector<std::string>{"phi0", "w0", "l1"};
    const Looked known(model, names, {"initial(t)"});
    SystemEvaluator evaluator(known.study->prepared().system);
    const Points points = robot ? grid_points({{"m2", 0.5, 1, 2}, {"theta1.v", -1, 1, 3}, {"l2", 0.6, 0.64, 2}})
                                : grid_points({{"phi0", 0, 4, 3}, {"w0", -1, 1, 3}, {"l1", 1.5, 2, 2}});
    for (long i = 0; i < points.count(); ++i) {
      Prepared first = known.study->prepared(), again = first;
      first.parameters = again.parameters = known.study->parameters_at({points[i], 3});
      assemble_start(first);
      assemble_start(again, evaluator, known.study->known_positions());
      EXPECT_EQ(again.start.x, first.start.x);
      EXPECT_EQ(again.start.d, first.start.d);
      EXPECT_EQ(again.notes, first.notes);
      EXPECT_EQ(again.options.atol, first.options.atol);
    }
  }
}

// A cell is a machine of its own size: its tolerances follow its own lengths, whatever runs beside it.
TEST(StudyCells, CellsOfOtherLengthsAreTheirSingleRuns) {
  const Model model = press(1e-7);
  const Looked looked(model, {"l1", "phi0"}, press_numbers);
  const Points points = grid_points({{"l1", 1.5, 2, 5}, {"phi0", 0, 4, 3}});
  Prepared shortest = looked.study->prepared(), longest = shortest;
  shortest.parameters = looked.study->parameters_at({points[0], 2});
  longest.parameters = looked.study->parameters_at({points[points.count() - 1], 2});
  assemble_start(shortest), assemble_start(longest);
  ASSERT_NE(shortest.options.atol, longest.options.atol);
  const auto alone = looked.bits(points, 1);
  for (int lanes : {3, 8}) EXPECT_EQ(looked.bits(points, lanes), alone) << lanes;
}

TEST(StudyCells, EarlyStopRefillsLanes) {
  const Looked looked(press(1e-7), {"phi0", "w0"}, {}, press_classes);
  const Points points = grid_points({{"phi0", 0, 2 * pi, 6}, {"w0", -3, 3, 6}});
  const auto alone = looked.bits(points, 1);
  for (int lanes : {4, 8}) EXPECT_EQ(looked.bits(points, lanes), alone) << lanes;
}

TEST(StudyCells, NeighborsDoNotMatter) {
  const Looked looked(press(1e-8), {"phi0", "w0"}, press_numbers);
  const Points one{2, {pi, 0.5}};
  const auto alone = looked.bits(one, 1);
  for (double other : {-3.0, 0.0, 1.3}) {
    Points among{2, {}};
    for (int k = 0; k < 7; ++k) among.values.insert(among.values.end(), {0.9 * k, other});
    among.values.insert(among.values.end(), {pi, 0.5});
    const auto all = looked.bits(among, 8);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), all.end() - static_cast<std::ptrdiff_t>(alone.size()))) << other;
  }
}

TEST(StudyCells, RobotWithDop853ThroughNearlySingularPoses) {
  for (const char* integrator : {"dop853", "dopri5", "rk4"}) {
    Model model = library_model("rrr.yaml");
    model.simulate.integrator = integrator, model.simulate.end = 1, model.simulate.rtol = 1e-8;
    const Looked looked(model, {"m2", "theta1.v"}, {"final(theta1)", "max(theta2')", "mean(platform.C.x)"});
    const Points points = grid_points({{"m2", 0.3, 1.2, 3}, {"theta1.v", -1, 1, 4}});
    EXPECT_EQ(looked.bits(points, 8), looked.bits(points, 1)) << integrator;
  }
}

// Steps that end far inside the walls are given up at once, in some lanes while others go on.
TEST(StudyCells, HopelessStepsBesideGoodOnes) {
  const Model model = read_model_text(R"yaml(
armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {v0: 1, k: 200}
bodies:
  ball: {mass: 1 kg, inertia: none}
joints:
  x: {type: prismatic, axis: x, between: [ground, ball]}
forces:
  walls: {type: effort, on: x, is: "exp(-k*(x+2)) - exp(k*(x-2))"}
start: {keep: {x: 0 m}, speed: {x: v0}}
simulate: {end: 20 s, rtol: 1e-4, integrator: dop853}
)yaml");
  const Looked looked(model, {"v0", "k"}, {"final(x)", "final(x')"});
  const Points points = grid_points({{"v0", 0.5, 2, 9}, {"k", 100, 300, 3}});
  EXPECT_EQ(looked.bits(points, 8), looked.bits(points, 1));
}

TEST(StudyCells, FailingCellsAmongGoodOnes) {
  // a four-bar's crank that is too long does not close; a spring that pulls ever more makes the motion end
  const Model model = read_model_text(R"(
armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {r: 1 m, k: 0}
bodies:
  crank: {mass: 1 kg, inertia: {zz: 0.1}}
  rod: {mass: 1 kg, center: [1, 0, 0], inertia: {zz: 0.3}}
  slider: {mass: 1 kg}
joints:
  theta: {type: revolute, between: [ground, crank]}
  knee: {type: revolute, between: ["crank [r, 0, 0]", rod]}
  pin: {type: revolute, between: ["rod [2, 0, 0]", slider]}
  x: {type: prismatic, axis: x, between: ["ground [0, 1.5, 0]", slider]}
forces:
  push: {type: effort, on: theta, is: "1 + k/(theta - 2)^2"}
start: {keep: {theta: 0.5}, near: {x: 2}}
simulate: {end: 3 s, rtol: 1e-8}
)");
  const Looked looked(model, {"r", "k"}, {"final(theta)", "max(x)"});
  Points points{2, {}};
  for (int i = 0; i < 24; ++i)
    points.values.insert(points.values.end(), {i % 3 == 1 ? 9.0 : 0.6 + 0.02 * i, i % 4 == 2 ? 3.0 : 0.0});
  const auto alone = looked.bits(points, 1);
  EXPECT_EQ(looked.bits(points, 8), alone);
  std::array<int, 4> ended{};
  for (int i = 0; i < 24; ++i)
    ++ended[static_cast<std::size_t>(std::bit_cast<double>(alone[static_cast<std::size_t>(5 * i + 3)]))];
  EXPECT_GT(ended[0], 0);
  EXPECT_GT(ended[1], 0);
  EXPECT_GT(ended[2], 0);
}

}  // namespace
}  // namespace armature::internal
