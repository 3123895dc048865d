#include "simulate/turns.hpp"

#include <gtest/gtest.h>

#include "simulate/simulate.hpp"
#include "support/run_model.hpp"
#include "support/spatial_four_bar.hpp"

namespace armature {
namespace {

// The last revolute is cut: its angle depends on the first and on both balls.
TEST(Turns, AreDueWhenTheCoordinatesOfAnAngleHaveMoved) {
  const Prepared start = prepared_text(spatial_four_bar(", cut: false", ", cut: false"));
  Turns turns(start);
  Eigen::VectorXd x = start.start.x;
  EXPECT_FALSE(turns.due(x));
  x[0] += 0.4;
  EXPECT_FALSE(turns.due(x));
  x[0] += 0.2;
  EXPECT_TRUE(turns.due(x));
  EXPECT_FALSE(turns.due(x));  // counted from there on
}

// In a plane angles are sums of coordinates, which count whole turns by themselves.
TEST(Turns, AreNeverDueInAPlane) {
  for (const char* name : {"pendulum", "rrr", "four_bar", "press", "five_bar"}) {
    const Prepared start = prepared(shipped(name));
    Turns turns(start);
    EXPECT_FALSE(turns.due(start.start.x + Eigen::VectorXd::Constant(start.start.x.size(), 10))) << name;
  }
}

// The joints of the five-bar sit at ends of beams, which turn them by slopes on both sides.
TEST(Turns, CountSlopesOfBeams) {
  const Prepared start = prepared(shipped("five_bar"));
  const Prepared::Beam& beam = start.beams.front();
  ASSERT_TRUE(beam.turns_by_slopes);
  const int coordinate = beam.slopes.back().front().first;
  double weight = 0;  // the largest of all places
  for (const Prepared::Beam::Slope& slope : beam.slopes)
    for (const auto& [i, w] : slope)
      if (i == coordinate) weight = std::max(weight, std::abs(w));
  EXPECT_GE(TurnBounds(start).turn[coordinate], 2 * weight);
}

// The wrists go beyond half a turn, where a wrapped angle would jump; between rows of 5 ms they move by less than a radian.
TEST(Turns, KeepAnglesContinuous) {
  struct Largest : Recorder {
    void begin(const std::vector<Channel>& channels) override {
      for (std::size_t i = 0; i < channels.size(); ++i)
        if (channels[i].name == "wrist2" || channels[i].name == "wrist3") columns.push_back(i);
    }
    void row(std::span<const double> values) override {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const double angle = values[columns[k]];
        if (last.size() > k) jump = std::max(jump, std::abs(angle - last[k]));
        if (last.size() > k)
          last[k] = angle;
        else
          last.push_back(angle);
        farthest = std::max(farthest, std::abs(angle));
      }
    }
    std::vector<std::size_t> columns;
    std::vector<double> last;
    double jump = 0, farthest = 0;
  } largest;
  simulate(prepared(shipped("rrr")), largest);
  EXPECT_EQ(largest.columns.size(), 2u);
  EXPECT_LT(largest.jump, 1);
  EXPECT_GT(largest.farthest, 4);
}

}  // namespace
}  // namespace armature
