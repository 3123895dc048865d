// The loop around the step on eight lanes: every phase is given the lanes that go on from the one before, in the order of the loop.
#include "step/advance.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "step/chatter.hpp"
#include "step/table_stops.hpp"

namespace armature::step {
namespace {

// Says which lanes each phase got; `lost` are those that a phase does not let go on.
class Recorder {
 public:
  Tried<8> attempt(unsigned lanes) { return {phase("attempt", lanes), 0x80u & lanes}; }
  unsigned show_all(unsigned lanes) { return phase("show all", lanes); }
  unsigned find_changes(unsigned lanes) { return phase("find", lanes); }
  unsigned watch(unsigned lanes) { return phase("watch", lanes); }
  unsigned move(unsigned lanes) { return phase("move", lanes); }
  unsigned follow(unsigned lanes) { return phase("follow", lanes); }
  unsigned settle(unsigned lanes) { return phase("settle", lanes); }

  std::vector<std::pair<std::string, unsigned>> seen, lost;

 private:
  unsigned phase(const std::string& name, unsigned lanes) {
    seen.emplace_back(name, lanes);
    for (const auto& [of, those] : lost)
      if (of == name) lanes &= ~those;
    return lanes;
  }
};

TEST(Advance, GivesEveryPhaseTheLanesThatGoOn) {
  Recorder host;
  host.lost = {{"attempt", 0x81}, {"show all", 0x02}, {"watch", 0x10}};
  const Tried<8> tried = advance<8>(host, 0xffu);
  const std::vector<std::pair<std::string, unsigned>> expected = {
      {"attempt", 0xff}, {"show all", 0x7e}, {"find", 0x7c},  {"watch", 0x7c},
      {"move", 0x6c},    {"follow", 0x6c},   {"settle", 0x6c}};
  EXPECT_EQ(host.seen, expected);
  EXPECT_EQ(tried.stepped, 0x6cu);
  EXPECT_EQ(tried.failed, 0x80u);
}

TEST(Advance, EndsWhereNoLaneGoesOn) {
  Recorder host;
  host.lost = {{"show all", 0xff}};
  EXPECT_EQ(advance<8>(host, 0xffu).stepped, 0u);
  EXPECT_EQ(host.seen.back().first, "show all");
}

// A table of t that rises and falls back within [0.4, 0.6]: a step across it ends nearer, one beside it does not.
TEST(TableStops, EndAStepBeforeAHump) {
  double begin[Lookup::numbers];
  StopMemory memory;
  TableStops tables(Lookup::numbers, begin, memory);
  double numbers[1 + Lookup::numbers];
  const auto look = [&](double t) {
    const double x = t < 0.4 ? 0 : t > 0.6 ? 0.2 : t - 0.4, up = x < 0.1 ? x : 0.2 - x;
    const double now[] = {infinity, up / 0.1, x / 0.1, t, 1};
    for (int i = 0; i <= Lookup::numbers; ++i) numbers[i] = now[i];
    return static_cast<const double*>(numbers);
  };
  EXPECT_EQ(tables.stop(0, look), infinity);
  EXPECT_TRUE(tables.hide(0, 1, look));
  EXPECT_EQ(tables.stop(0, look), 0.5);  // halved: it ends at the top, where the table shows all of its rise
  EXPECT_FALSE(tables.hide(0, 0.5, look));
  EXPECT_EQ(tables.stop(0.5, look), infinity);
}

// 200 changes in a row without progress are endless; halfway there the motion may be left to somebody else.
TEST(Chatter, CountsChangesWithoutProgress) {
  Chatter chatter(0, 1);
  int nearly = 0, changes = 0;
  for (; !chatter.endless() && changes < 1000; ++changes) {
    if (!chatter.nearly_endless()) nearly = changes;
    chatter.look(0.5, true);
  }
  EXPECT_EQ(changes, 202);  // the first of them came from t = 0
  EXPECT_EQ(nearly, 101);
  Chatter progress(0, 1);
  for (int k = 1; k <= 1000; ++k) progress.look(1e-3 * k, true);
  EXPECT_FALSE(progress.endless());
}

}  // namespace
}  // namespace armature::step
