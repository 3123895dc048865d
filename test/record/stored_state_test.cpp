#include "record/stored_state.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "record/record_error.hpp"

namespace armature::internal {
namespace {

Equations two_coordinates() {
  Equations equations;
  for (const char* name : {"theta", "x"}) {
    Coordinate coordinate;
    coordinate.name = name;
    equations.positions.push_back(coordinate);
    coordinate.name += "'";
    equations.velocities.push_back(coordinate);
  }
  Coordinate current;
  current.name = "current";
  equations.others.push_back(current);
  unit_step(equations.graph->input("what is compared"));  // one comparison
  return equations;
}

State stored_example() {
  State state;
  state.t = 0.25;
  state.x.resize(5);
  state.x << 1, 2, 3, 4, 5;
  state.w.resize(1);
  state.w << 0.5;
  state.comparisons = {ComparisonStatus::sliding};
  return state;
}

std::string refusal(const StoredState& stored) {
  try {
    restore(stored, two_coordinates());
  } catch (const RecordError& error) {
    return error.what();
  }
  return "";
}

TEST(StoredState, ReturnsTheSameState) {
  const State state = stored_example();
  const State back = restore(store(state, two_coordinates()), two_coordinates());
  EXPECT_EQ(back.t, state.t);
  EXPECT_EQ(back.x, state.x);
  EXPECT_EQ(back.w, state.w);
  EXPECT_EQ(back.comparisons, state.comparisons);
}

TEST(StoredState, FindsCoordinatesByName) {
  StoredState stored = store(stored_example(), two_coordinates());
  std::swap(stored.q[0], stored.q[1]);
  EXPECT_EQ(restore(stored, two_coordinates()).x, stored_example().x);
}

TEST(StoredState, NamesWhatDoesNotFit) {
  StoredState stored = store(stored_example(), two_coordinates());
  stored.q[1].first = "y";
  EXPECT_EQ(refusal(stored), "the state has no coordinate 'x'");
  stored = store(stored_example(), two_coordinates());
  stored.v.emplace_back("extra'", 0);
  EXPECT_EQ(refusal(stored), "the model has no velocity 'extra''");
  stored = store(stored_example(), two_coordinates());
  stored.z[0].second = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(stored), "the internal state 'current' of the state is not a number");
  stored = store(stored_example(), two_coordinates());
  stored.w.assign(1000, 1);
  stored.comparisons.assign(1000, ComparisonStatus::above);
  EXPECT_EQ(refusal(stored), "the state has 1000 outcomes of comparisons, but the model has 1");
}

}  // namespace
}  // namespace armature::internal
