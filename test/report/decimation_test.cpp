#include "report/decimation.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature::internal {
namespace {

using testing::ElementsAre;

TEST(SparseRows, KeepEverythingWhileItFits) {
  SparseRows rows(2, 10);
  for (int i = 0; i < 10; ++i) rows.add(std::vector<double>{double(i), 2.0 * i});
  rows.finish();
  ASSERT_EQ(rows.rows(), 10);
  for (int i = 0; i < 10; ++i) EXPECT_THAT(rows.row(i), ElementsAre(i, 2.0 * i));
}

// First and last stay, those between are equally spaced, and there are never more than asked for (and the last).
TEST(SparseRows, ThinOutEvenlyAndKeepBothEnds) {
  for (int count : {11, 12, 21, 22, 99, 1000, 1001}) {
    SparseRows rows(1, 10);
    for (int i = 0; i < count; ++i) rows.add(std::vector<double>{double(i)});
    rows.finish();
    ASSERT_LE(rows.rows(), 11) << count;
    EXPECT_EQ(rows.row(0)[0], 0) << count;
    EXPECT_EQ(rows.row(rows.rows() - 1)[0], count - 1) << count;
    const double stride = rows.row(1)[0];
    for (int i = 1; i + 1 < rows.rows(); ++i) EXPECT_EQ(rows.row(i)[0], i * stride) << count;
  }
}

TEST(Envelope, IsTheRecordingItselfWhileItFits) {
  Envelope envelope(2, 100);
  for (int i = 0; i < 99; ++i) envelope.add(std::vector<double>{0.1 * i, std::sin(i)});
  envelope.finish();
  ASSERT_EQ(envelope.points(), 99);
  for (int i = 0; i < 99; ++i) {
    EXPECT_EQ(envelope.times()[i], 0.1 * i);
    EXPECT_EQ(envelope.channel(1)[i], std::sin(i));
  }
}

// A million rows with one spike up and one down, each a single row.
TEST(Envelope, LosesNoPeakOfAMillionRows) {
  constexpr int count = 1'000'000, most = 4096;
  Envelope envelope(2, most);
  for (int i = 0; i < count; ++i) {
    const double x = i == 123'457 ? 50 : i == 654'321 ? -70 : std::sin(1e-4 * i);
    envelope.add(std::vector<double>{1e-3 * i, x});
  }
  envelope.finish();
  EXPECT_EQ(envelope.recorded(), count);
  EXPECT_LE(envelope.points(), most + 2);
  EXPECT_GE(envelope.points(), most / 2);
  const std::vector<double> times = envelope.times(), values = envelope.channel(1);
  ASSERT_EQ(times.size(), values.size());
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  const auto high = std::max_element(values.begin(), values.end()),
             low = std::min_element(values.begin(), values.end());
  EXPECT_EQ(*high, 50);
  EXPECT_EQ(*low, -70);
  const double width = 1e-3 * count / (most / 4);  // s, of the widest bucket
  EXPECT_NEAR(times[high - values.begin()], 123.457, width);
  EXPECT_NEAR(times[low - values.begin()], 654.321, width);
  EXPECT_EQ(times.back(), 1e-3 * (count - 1));
}

// Falling and rising stay what they are: the larger value first where it came first.
TEST(Envelope, KeepsTheOrderOfExtremes) {
  Envelope falling(2, 4), rising(2, 4);
  for (int i = 0; i < 64; ++i) {
    falling.add(std::vector<double>{double(i), double(-i)});
    rising.add(std::vector<double>{double(i), double(i)});
  }
  const std::vector<double> down = falling.channel(1), up = rising.channel(1);
  EXPECT_TRUE(std::is_sorted(down.rbegin(), down.rend()));
  EXPECT_TRUE(std::is_sorted(up.begin(), up.end()));
}

TEST(Envelope, SkipsWhatIsNotKnown) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  Envelope envelope(3, 4);
  for (int i = 0; i < 8; ++i) envelope.add(std::vector<double>{double(i), i % 2 ? unknown : 3.0, unknown});
  for (double x : envelope.channel(1)) EXPECT_EQ(x, 3);
  for (double x : envelope.channel(2)) EXPECT_TRUE(std::isnan(x));
}

}  // namespace
}  // namespace armature::internal
