#include "record/recorder.hpp"

#include <gmock/gmock.h>

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MemoryRecorder, GivesRowsAndColumns) {
  MemoryRecorder recorder;
  recorder.begin({{"t", "s"}, {"x", "m"}});
  recorder.row(std::vector<double>{0, 1});
  recorder.row(std::vector<double>{0.5, 2});
  EXPECT_EQ(recorder.rows(), 2);
  EXPECT_THAT(recorder.column("x"), ElementsAre(1, 2));
  EXPECT_THAT(recorder.column("y"), IsEmpty());
  EXPECT_THAT(std::vector<double>(recorder.row_at(1).begin(), recorder.row_at(1).end()), ElementsAre(0.5, 2));
}

TEST(MemoryRecorder, BeginsAnew) {
  MemoryRecorder recorder;
  recorder.begin({{"t", "s"}});
  recorder.row(std::vector<double>{0});
  recorder.begin({{"t", "s"}, {"x", "m"}});
  EXPECT_EQ(recorder.rows(), 0);
}

}  // namespace
}  // namespace armature::internal
