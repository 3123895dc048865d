#include "record/trajectory.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "record/csv_recorder.hpp"
#include "record/record_error.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;

TEST(Trajectory, ReadsBackWhatWasRecorded) {
  TemporaryFolder folder;
  CsvRecorder recorder(folder / "a.csv");
  recorder.begin({{"t", "s"}, {"odd, \"name\"", ""}, {"w'", "rad/s"}});
  recorder.row(std::vector<double>{0, 1.0 / 3, std::nan("")});
  recorder.row(std::vector<double>{1e-300, -2, 7});
  recorder.close();
  const auto channels = read_channels(folder / "a.csv");
  ASSERT_EQ(channels.size(), 3u);
  EXPECT_EQ(channels[0].unit, "s");
  EXPECT_EQ(channels[1].name, "odd, \"name\"");
  EXPECT_EQ(channels[2].name, "w'");
  EXPECT_EQ(channels[2].unit, "rad/s");
  const auto columns = read_columns(folder / "a.csv", {1, 2, 0});
  EXPECT_THAT(columns[0], ElementsAre(1.0 / 3, -2));
  EXPECT_TRUE(std::isnan(columns[1][0]));
  EXPECT_THAT(columns[2], ElementsAre(0, 1e-300));
}

TEST(Trajectory, LeavesOutALastRowThatWasCutShort) {
  TemporaryFolder folder;
  std::ofstream(folder / "a.csv") << "t [s],x\n0,1\n1,2\n2";
  EXPECT_THAT(read_columns(folder / "a.csv", {1}), ElementsAre(ElementsAre(1, 2)));
}

TEST(Trajectory, RefusesWhatIsNotARecording) {
  TemporaryFolder folder;
  EXPECT_THROW(read_channels(folder / "none.csv"), RecordError);
  std::ofstream(folder / "a.csv") << "t [s],x\n0,1\n1,2,3\n2,4\n";
  try {
    read_columns(folder / "a.csv", {0});
    ADD_FAILURE() << "no error";
  } catch (const RecordError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a.csv: line 3: expected 2 numbers"));
  }
}

}  // namespace
}  // namespace armature::internal
