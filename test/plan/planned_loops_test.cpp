// Plans of machines with loops: pick and place, a swing-up, a pass through a singular pose, obstacles, a path, feedback.
#include <gmock/gmock.h>

#include <cmath>

#include "expression/graph.hpp"
#include "plan/planning.hpp"
#include "read/reader.hpp"
#include "record/recorder.hpp"
#include "run/simulate.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

using testing::Contains;

Model shipped(const std::string& name, const Settings& settings = {}) {
  return read_model(std::string(source_directory) + "/models/plan/" + name + ".yaml", settings);
}

void expect_closed(const PlanResult& result) {
  EXPECT_EQ(result.status, PlanStatus::found) << result.sentence;
  EXPECT_LT(result.target_error, 1e-4);
  EXPECT_LT(result.end_error, 1e-4);
  EXPECT_LT(result.constraint_error, 1e-8);
}

// The run with the inputs of the plan, and a column of it.
struct Simulated {
  MemoryRecorder rows;
  Outcome outcome;
  explicit Simulated(const Model& model) {
    Prepared prepared = compile(model);
    assemble_start(prepared);
    outcome = simulate(prepared, rows);
  }
  double largest(const std::string& name) const {
    double most = 0;
    for (const double value : rows.column(name)) most = std::max(most, std::abs(value));
    return most;
  }
};

PlanOptions pick_and_place() {
  PlanOptions options;
  options.to = {{"hand.P.x", "0.2 m"}, {"hand.P.y", "0.35 m"}};
  return options;
}

TEST(PlannedLoops, AFiveBarPicksAndPlacesInTheShortestTime) {
  const Model model = shipped("five_bar");
  const PlanResult result = plan(model, pick_and_place());
  expect_closed(result);
  EXPECT_NEAR(result.cost, 0.1626, 2e-4);  // of docs/plan.md
  const Simulated run(driven_model(model, *result.collocation, result.motion));
  EXPECT_EQ(run.outcome.status, RunStatus::finished);
  EXPECT_LT(run.outcome.statistics.position_error, 1e-8);
  for (const char* current : {"motor1.current", "motor2.current"}) {
    EXPECT_LE(run.largest(current), 12 * (1 + 1e-9));
    EXPECT_GT(run.largest(current), 11.9);
  }
  // whoever drives along a smooth law within the same limits is slower: the quintic at the time of the plan needs more current
  PlanOptions slower = pick_and_place();
  slower.shortest = slower.longest = 0.25;
  slower.minimize = "loss";
  EXPECT_EQ(plan(model, slower).status, PlanStatus::found);
}

TEST(PlannedLoops, AnObstacleMakesTheWayLonger) {
  const Model model = shipped("five_bar");
  PlanOptions options = pick_and_place();
  options.keep = {"(hand.P.x - 0.02 m)^2 + (hand.P.y - 0.4 m)^2 >= (60 mm)^2"};
  const PlanResult result = plan(model, options);
  expect_closed(result);
  EXPECT_GT(result.cost, 0.165);
  const Simulated run(driven_model(model, *result.collocation, result.motion));
  const std::vector<double> x = run.rows.column("hand.P.x"), y = run.rows.column("hand.P.y");
  double nearest = 1;
  for (std::size_t k = 0; k < x.size(); ++k) nearest = std::min(nearest, std::hypot(x[k] - 0.02, y[k] - 0.4));
  EXPECT_GT(nearest, 0.06 - 2e-4);  // between the points of the mesh
  EXPECT_LT(nearest, 0.061);
}

TEST(PlannedLoops, AHandFollowsAPath) {
  const Model model = shipped("five_bar");
  PlanOptions options;
  options.along = {{"hand.P.x", "-0.15 m + 0.3 m*path"}, {"hand.P.y", "0.4 m"}};
  options.within = "0.5 mm";
  const PlanResult result = plan(model, options);
  expect_closed(result);
  const Simulated run(driven_model(model, *result.collocation, result.motion));
  for (const double y : run.rows.column("hand.P.y")) EXPECT_NEAR(y, 0.4, 0.52e-3);
  EXPECT_NEAR(run.rows.column("hand.P.x").back(), 0.15, 0.51e-3);
}

TEST(PlannedLoops, APendulumSwingsUpOnItsRails) {
  const Model model = shipped("swing_up");
  PlanOptions options;
  options.to = {{"travel", "0"}, {"swing", "180 deg"}};
  options.minimize = "loss";
  options.shortest = options.longest = 1.6;
  const PlanResult result = plan(model, options);
  expect_closed(result);
  EXPECT_NEAR(result.cost, 1.632, 2e-3);  // of docs/plan.md
  const Simulated run(driven_model(model, *result.collocation, result.motion));
  EXPECT_LE(run.largest("travel"), 0.5);
  EXPECT_LE(run.largest("motor.current"), 6);
  EXPECT_NEAR(run.rows.column("swing").back(), std::acos(-1.0), 1e-4);
}

// The cranks begin and end at nearly the same angles; between, the lines of all rods meet, and the determinant of type II changes its sign.
TEST(PlannedLoops, A3RRRPassesASingularPoseOfTypeIIWithBoundedCurrents) {
  const Model model = shipped("rrr");
  PlanOptions options;
  options.to = {{"platform.C.x", "0.6 m"}, {"platform.C.y", "side/2/sqrt(3)"}, {"turn", "75 deg"}};
  options.minimize = "loss";
  options.shortest = options.longest = 0.8;
  const PlanResult result = plan(model, options);
  expect_closed(result);
  const Simulated run(driven_model(model, *result.collocation, result.motion));
  const std::vector<double> determinant = run.rows.column("type_II");
  ASSERT_FALSE(determinant.empty());
  EXPECT_LT(determinant.front() * determinant.back(), 0);
  EXPECT_LT(run.outcome.statistics.position_error, 1e-8);
  for (const char* current : {"motor1.current", "motor2.current", "motor3.current"}) EXPECT_LT(run.largest(current), 1);
  const std::vector<double> theta = run.rows.column("theta1");
  EXPECT_NEAR(theta.front(), theta.back(), 0.01);
}

// A swing-up that begins beside its start misses the top without feedback and finds it with the gains.
TEST(PlannedLoops, FeedbackAlongThePlanBringsAPendulumBack) {
  const Model model = shipped("swing_up");
  PlanOptions options;
  options.to = {{"travel", "0"}, {"swing", "180 deg"}};
  options.minimize = "loss";
  options.shortest = options.longest = 1.6;
  options.gains = true;
  const PlanResult result = plan(model, options);
  expect_closed(result);
  ASSERT_EQ(result.gains.K.size(), static_cast<std::size_t>(result.motion.intervals()));
  ASSERT_EQ(result.gains.states, (std::vector<std::string>{"travel", "swing", "travel'", "swing'"}));
  const auto end_beside = [&](bool feedback) {
    Model driven =
        driven_model(shipped("swing_up", {{"start.keep.swing", "1 deg"}}), *result.collocation, result.motion);
    if (feedback) {
      std::string law = "input_record.volts(t)";
      std::vector<double> t = result.gains.t, at;
      for (Eigen::Index k = 0; k <= result.motion.intervals(); ++k) at.push_back(result.motion.time(k));
      for (Eigen::Index i = 0; i < 4; ++i) {
        std::vector<double> gain, planned;
        for (const Eigen::MatrixXd& K : result.gains.K) gain.push_back(K(0, i));
        for (Eigen::Index k = 0; k <= result.motion.intervals(); ++k) planned.push_back(result.motion.node(k)[i]);
        const std::string k = "k" + std::to_string(i), x = "x" + std::to_string(i);
        driven.tables[k] = std::make_shared<const Table>(Table::linear(t, gain));
        driven.tables[x] = std::make_shared<const Table>(Table::linear(at, planned));
        law += " - " + k + "(t)*(" + result.gains.states[static_cast<std::size_t>(i)] + " - " + x + "(t))";
      }
      driven.definitions.front().second = parse_formula(law, {});
    }
    return std::abs(Simulated(driven).rows.column("swing").back() - std::acos(-1.0));
  };
  const double without = end_beside(false), with = end_beside(true);
  EXPECT_GT(without, 0.09);  // 5 degrees, of docs/plan.md
  EXPECT_LT(with, 0.0017);   // 0.1 degrees
  RecordProperty("without", std::to_string(without));
  RecordProperty("with", std::to_string(with));
}

}  // namespace
}  // namespace armature::internal
