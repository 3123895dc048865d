// Measured records: units, gaps, and what is wrong with a file.
#include "identify/measured_record.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "model/request_error.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

MeasuredRecord read_text(const std::string& text) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "data.csv").string();
  std::ofstream(file) << text;
  return read_measured(file);
}

std::string complaint(const std::string& text) {
  try {
    read_text(text);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

TEST(MeasuredRecord, IsConvertedToSi) {
  const MeasuredRecord record = read_text("t [ms],q1 [deg],\"F, push [kN]\",n [rpm],x\n0,180,2,60,1\n5,,nan,120,2\n");
  EXPECT_EQ(record.t, (std::vector<double>{0, 5e-3}));
  ASSERT_EQ(record.columns.size(), 4u);
  EXPECT_EQ(record.columns[0].name, "q1");
  EXPECT_DOUBLE_EQ(record.columns[0].values[0], std::numbers::pi);
  EXPECT_TRUE(std::isnan(record.columns[0].values[1]));
  EXPECT_EQ(record.columns[1].name, "F, push");
  EXPECT_DOUBLE_EQ(record.columns[1].values[0], 2000);
  EXPECT_TRUE(std::isnan(record.columns[1].values[1]));
  EXPECT_DOUBLE_EQ(record.columns[2].values[1], 4 * std::numbers::pi);
  EXPECT_FALSE(record.columns[3].dimension);
}

TEST(MeasuredRecord, TakesUnitsAsArmatureWritesThem) {
  const MeasuredRecord record = read_text("t [s],motor.torque [N m],v [m/s]\n0,1,2\n1,3,4\n");
  EXPECT_EQ(record.columns[0].values, (std::vector<double>{1, 3}));
  EXPECT_EQ(*record.columns[0].dimension, unit_of("N*m").dimension);
}

TEST(MeasuredRecord, SaysWhatIsWrong) {
  EXPECT_THAT(complaint("x,y\n1,2\n2,3\n"), HasSubstr("data.csv:1: there is no column of times, t [s]"));
  EXPECT_THAT(complaint("t;y\n1;2\n2;3\n"), HasSubstr("separate columns by ','"));
  EXPECT_THAT(complaint("t,y\n0,1\n0,2\n"), HasSubstr("data.csv:3: times must increase, but 0 s follows 0 s"));
  EXPECT_THAT(complaint("t,y\n0,1\n1,two\n"), HasSubstr("data.csv:3: column 'y': 'two' is not a number"));
  EXPECT_THAT(complaint("t,y\n0,1\n1,1e308\n"),
              HasSubstr("data.csv:3: column 'y': 1e308 is more than anything measured"));
  EXPECT_THAT(complaint("t,y\n0,1\n1\n"), HasSubstr("data.csv:3: 1 fields, but the header names 2"));
  EXPECT_THAT(complaint("t,y [furlong]\n0,1\n1,2\n"), HasSubstr("data.csv:1: column 'y': 'furlong' is not a unit"));
  EXPECT_THAT(complaint("t [m],y\n0,1\n1,2\n"), HasSubstr("'m' is not a unit of time"));
  EXPECT_THAT(complaint("t,y,y\n0,1,1\n1,2,2\n"), HasSubstr("two columns 'y'"));
  EXPECT_THAT(complaint("t,y\n0,1\n"), HasSubstr("fewer than two rows"));
  EXPECT_THAT(complaint("t,y\n-1,1\n1,2\n"), HasSubstr("before it"));
  EXPECT_THAT(complaint("t,y\n,1\n1,2\n"), HasSubstr("data.csv:2: has no time"));
}

}  // namespace
}  // namespace armature::internal
