#include "report/document.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "model/stl.hpp"
#include "report/base64.hpp"
#include "report/channel_groups.hpp"
#include "run/describe.hpp"
#include "support/run_model.hpp"
#include "temporary_folder.hpp"

#include <fstream>

namespace armature::internal {
namespace {

// The vectors of RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
  const auto encoded = [](std::string_view text) {
    return base64({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_float64(std::vector<double>{1.0}), "AAAAAAAA8D8=");
}

TEST(ChannelGroups, SortEveryChannelOfTheControlledRobot) {
  const Model model = shipped("rrr_pd");
  const auto group = [&](const char* name, const char* unit) { return group_of({name, unit}, model); };
  EXPECT_EQ(group("theta1.lower.torque", "N m"), "quantities");  // of an end stop
  EXPECT_EQ(group("theta1", "rad"), "coordinates");
  EXPECT_EQ(group("wrist2'", "rad/s"), "velocities");
  EXPECT_EQ(group("motor1.current", "A"), "drives");
  EXPECT_EQ(group("motor1.speed", "rad/s"), "drives");
  EXPECT_EQ(group("type_II", ""), "singularities");
  EXPECT_EQ(group("type_I", ""), "singularities");
  EXPECT_EQ(group("smallest_pivot", ""), "singularities");
  EXPECT_EQ(group("platform.P1.x", "m"), "points");
  EXPECT_EQ(group("platform_angle", ""), "quantities");
  EXPECT_EQ(group("lambda.wrist2.x", "N"), "multipliers");
  EXPECT_EQ(group("heat.joule", "J"), "energies");
  EXPECT_EQ(group("energy.error", "J"), "errors");
  EXPECT_EQ(group("constraint.position", ""), "errors");
}

TEST(ChannelGroups, KnowCoordinatesOfBeamsAndLagrangians) {
  EXPECT_EQ(group_of({"beam1.w1", "m"}, shipped("five_bar")), "coordinates");
  EXPECT_EQ(group_of({"beam1.tip.x", "m"}, shipped("five_bar")), "points");
  EXPECT_EQ(group_of({"x'", "m/s"}, shipped("rrr_lagrangian")), "velocities");
}

TEST(Stl, BinaryIsToldFromTextByItsLength) {
  TemporaryFolder folder;
  std::string bytes(84, ' ');
  bytes.replace(0, 5, "solid");
  const std::uint32_t count = 1;
  std::memcpy(bytes.data() + 80, &count, 4);
  const float numbers[12] = {0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  bytes += std::string(2, '\0');
  std::ofstream(folder / "a.stl", std::ios::binary) << bytes;
  EXPECT_THAT(read_stl(folder / "a.stl", 2), testing::ElementsAre(2, 4, 6, 8, 10, 12, 14, 16, 18));
  EXPECT_THROW(read_stl("/dev/zero", 1), std::runtime_error);  // never ends
}

// A run that failed before its first row still has a document.
TEST(RunDocument, HoldsARunWithoutRows) {
  MemoryRecorder memory;
  ReportRecorder rows(memory);
  rows.finish();
  const auto document = run_document(shipped("pendulum"), RunRecord{}, rows);
  EXPECT_EQ(document["frames"]["count"], 0);
  EXPECT_TRUE(document["series"]["channels"].empty());
}

TEST(RunDocument, HoldsFramesAndChannelsOfARun) {
  const Model model = shipped("pendulum");
  const Prepared start = prepared(model);
  MemoryRecorder memory;
  ReportRecorder rows(memory);
  simulate(start, rows);
  rows.finish();
  const auto document = run_document(model, RunRecord{}, rows);
  EXPECT_EQ(document["frames"]["count"], 501);
  EXPECT_EQ(document["series"]["recorded"], 501);
  EXPECT_EQ(document["scene"]["plane"], "xy");
  const auto& swing = document["series"]["channels"][0];
  EXPECT_EQ(swing["name"], "swing");
  EXPECT_EQ(swing["unit"], "rad");
  EXPECT_EQ(swing["data"], base64_float32(memory.column("swing")));
}

// The robot at its singular poses of type II: every one that a determinant finds has arrows, as `draw --free` has them.
TEST(RunDocument, ShowsWhatCanMoveAtSingularPoses) {
  const Model model = shipped("rrr_motors");
  Prepared start = prepared(model);
  start.options.end = 0.5;
  MemoryRecorder memory;
  ReportRecorder rows(memory);
  const Outcome outcome = simulate(start, rows);
  rows.finish();
  const RunRecord record = describe(model, {}, start, outcome);
  const auto document = run_document(model, record, rows, nullptr, &start);
  ASSERT_EQ(document["free"].size(), 3u);
  EXPECT_NEAR(document["free"][0]["t"].get<double>(), 0.3935121, 1e-6);
  EXPECT_EQ(document["free"][0]["kind"], "type II");
  const Scene scene(model);
  const std::size_t places = scene.bodies.size() + scene.joints.size();
  for (const auto& free : document["free"])
    EXPECT_EQ(free["ways"].get<std::string>().size(), (places * 12 + 2) / 3 * 4);
  EXPECT_FALSE(run_document(model, record, rows).contains("free"));
}

// Without determinants under `record` they are found from the frames; also where the motion starts in one.
TEST(RunDocument, FindsSingularPosesThatAreNotRecorded) {
  constexpr double singular = 0.3935121;
  const Model model = shipped("rrr");
  ASSERT_TRUE(model.record.determinants.empty());
  Prepared start = prepared(model);
  start.options.end = 1.25 * singular, start.options.record = singular / 100;
  MemoryRecorder memory;
  ReportRecorder rows(memory), later(memory);
  const Outcome outcome = simulate(start, rows);
  rows.finish();
  const RunRecord record = describe(model, {}, start, outcome);
  const auto document = run_document(model, record, rows, nullptr, &start);
  ASSERT_EQ(document["free"].size(), 3u);
  const double expected[] = {singular, 0.4255336, 0.4706552};
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(document["free"][k]["t"].get<double>(), expected[k], start.options.record) << k;
  // the same motion from its first singular pose on
  later.begin(rows.channels());
  for (int k = 100; k < rows.frames()->rows(); ++k) later.row(rows.frames()->row(k));
  later.finish();
  const auto from_there = run_document(model, record, later, nullptr, &start);
  ASSERT_EQ(from_there["free"].size(), 3u);
  EXPECT_NEAR(from_there["free"][0]["t"].get<double>(), singular, 1e-3 * start.options.record);
}

}  // namespace
}  // namespace armature::internal
