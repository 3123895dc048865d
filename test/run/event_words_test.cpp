// What events say: what has changed, and how it is now.
#include <gmock/gmock.h>

#include <filesystem>

#include "support/run_model.hpp"
#include "system/build_model.hpp"

namespace armature::internal {
namespace {

using testing::Contains;

std::vector<std::string> events(const std::string& text) {
  std::vector<std::string> all;
  for (const RunEvent& event : simulated_text(text).outcome.events) all.push_back(event.what);
  return all;
}

// Each comparison of a condition, turned round or not, says how the condition is now.
TEST(EventWords, TellWhetherAConditionHolds) {
  const auto of = [](const std::string& condition) {
    return events(
        "gravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\njoints: {x: {type: prismatic, axis: x, between: [ground, b]}}\n"
        "forces: {f: {type: effort, on: x, is: 'if(" +
        condition + ", 1, 2)'}}\nsimulate: {end: 1}\n");
  };
  for (const std::string condition : {"t < 0.5", "t <= 0.5", "0.5 > t", "0.5 >= t"})
    EXPECT_EQ(of(condition), std::vector<std::string>{"condition '" + condition + "' (line 5) is now false"});
  for (const std::string condition : {"t > 0.5", "t >= 0.5", "0.5 < t", "-t < -0.5"})
    EXPECT_EQ(of(condition), std::vector<std::string>{"condition '" + condition + "' (line 5) is now true"});
  EXPECT_EQ(of("max(t, 0.5) > 2"),
            std::vector<std::string>{"'max(t, 0.5)' (line 5): the first argument is now the larger one"});
  EXPECT_EQ(of("abs(0.5 - t) > 2"), std::vector<std::string>{"'abs(0.5 - t)' (line 5): the argument is now negative"});
  EXPECT_EQ(of("mod(t, 0.6) > 2"), std::vector<std::string>{"'mod(t, 0.6)' (line 5): begins a new period"});
}

// A motor on a rectifier supply: braking raises the link's voltage until the chopper holds it. What drives do is not said of a formula beside it.
TEST(EventWords, NameWhatADriveDoes) {
  const std::vector<std::string> all = events(R"yaml(gravity: [0, 0, 0]
plane: xy
bodies: {rotor: {mass: 1, inertia: {zz: 5e-3}}}
joints: {q: {type: revolute, between: [ground, rotor], damping: 1e-4}}
drives:
  link: {type: supply, voltage: 48, resistance: 0.2, capacitance: 2 mF, rectifier: true, chopper: {voltage: 56, resistance: 4}}
  motor: {type: dc_motor, on: q, torque_constant: 0.1, resistance: 0.5, inductance: 1 mH, voltage: "if(t < 0.3, 40, 8)", supply: link}
simulate: {end: 0.6 s, record: 1 ms}
)yaml");
  EXPECT_THAT(all, testing::ElementsAre("drive motor: its voltage reaches the supply's limit",
                                        "drive motor: its voltage leaves the supply's limit",
                                        "condition 't < 0.3' (line 8) is now false", "drive link: its rectifier blocks",
                                        "drive link: its braking chopper holds the voltage"));
}

// A block on a spring: friction changes its sign where it turns, and holds it in the end; then a push that grows lets it go.
TEST(EventWords, TellTheDirectionOfFriction) {
  const std::vector<std::string> all = events(R"yaml(gravity: [0, 0, 0]
bodies: {b: {mass: 1}}
joints: {bore: {type: prismatic, axis: x, between: [ground, b], friction: 1, spring: {stiffness: 10}}}
forces: {f: {type: effort, on: bore, is: 'if(t < 3, 0, 5*(t - 3))'}}
start: {keep: {bore: 0.5}}
simulate: {end: 4}
)yaml");
  EXPECT_THAT(all, Contains("joint bore: friction changes sign, now sliding in the + direction"));
  EXPECT_THAT(all, Contains("joint bore: sticks"));
  EXPECT_THAT(all, Contains("joint bore: slips, now sliding in the + direction"));
}

// By construction: whatever makes a comparison says what it is. All shipped models.
TEST(EventWords, AreGivenByEveryElement) {
  int comparisons = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(source_directory) + "/models")) {
    if (entry.path().extension() != ".yaml" || entry.path().string().find("/large") != std::string::npos) continue;
    std::shared_ptr<const Equations> equations;
    try {
      equations = build_model(read_model(entry.path()), {});
    } catch (const std::exception&) {
      continue;  // a part of another model
    }
    for (const Graph::Comparison& comparison : equations->graph->comparisons()) {
      ++comparisons;
      const bool is_floor = comparison.kind == Graph::ComparisonKind::floor,
                 is_condition = comparison.label.starts_with("condition '");
      EXPECT_TRUE(is_floor || is_condition || (!comparison.words.rises.empty() && !comparison.words.falls.empty()))
          << entry.path() << ": " << comparison.label;
      EXPECT_FALSE(comparison.label.empty()) << entry.path();
    }
  }
  EXPECT_GT(comparisons, 100);
}

// Formulas that wrap at one instant, of values that are equal up to there but for round-off.
TEST(EventWords, SawtoothsThatWrapAtOnceDoNotKeepChanging) {
  for (const std::string formula :
       {"if(mod(mod(t,0.05),0.1)<mod(t,0.15),1,2)", "if(mod(t+0.1,0.7)>mod(t,0.2),1,-1)",
        "min(mod(t,0.2),mod(t+0.1,0.7))", "if(mod(0.5*t,0.1)>=mod(0.5*t,0.3),mod(0.5*t,0.1),mod(0.5*t,0.3))",
        "mod(t, 0.1) - mod(t, 0.2)"}) {
    const Simulation run = simulated(prepared_text(
        "gravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\njoints: {x: {type: prismatic, axis: x, between: [ground, b]}}\n"
        "forces: {f: {type: effort, on: x, is: '" +
        formula + "'}}\nsimulate: {end: 3, record: 0.1}\n"));
    EXPECT_EQ(run.outcome.status, RunStatus::finished) << formula << ": " << run.outcome.sentence;
  }
}

}  // namespace
}  // namespace armature::internal
