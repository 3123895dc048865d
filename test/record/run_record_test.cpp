#include "record/run_record.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "record/record_error.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

RunRecord example() {
  RunRecord record;
  record.version = "0.1.0";
  record.model_name = "pendulum";
  record.model_file = "pendulum.yaml";
  record.model_text = "name: pendulum  # \"quoted\", größer\n";
  record.settings = {{"mass", "2 kg"}};
  record.status = "stopped";
  record.sentence = "stopped at t = 0.1 s";
  record.notes = {"joint 'wrist' was cut"};
  record.warnings = {"near a singular configuration"};
  record.events = {{0.05, "theta sticks"}};
  record.integrator = "dopri5";
  record.formulation = "auto";
  record.stabilization = {"projection"};
  record.options = {{"end", 10}, {"rtol", 1e-10}};
  record.atol_q = {{"theta", 1e-12}};
  record.atol_v = {{"theta'", 1e-11}};
  record.statistics = {{"steps", 12}};
  record.start = {
      .t = 0, .q = {{"theta", 1.0 / 3}}, .v = {{"theta'", -1e-17}}, .z = {}, .d = {}, .w = {}, .comparisons = {}};
  record.last = {.t = 0.1,
                 .q = {{"theta", std::acos(-1)}},
                 .v = {{"theta'", 5e-324}},
                 .z = {{"current", 2}},
                 .d = {{"turns", 3}},
                 .w = {0, 1, 0.25},
                 .comparisons = {ComparisonStatus::below, ComparisonStatus::above, ComparisonStatus::sliding}};
  return record;
}

TEST(RunRecord, ReadsBackEveryDigit) {
  TemporaryFolder folder;
  const RunRecord written = example();
  write_run(folder / "run.json", written);
  const RunRecord read = read_run(folder.path());
  EXPECT_EQ(to_json(read), to_json(written));
  ASSERT_TRUE(read.last);
  EXPECT_EQ(read.last->q, written.last->q);
  EXPECT_EQ(read.last->v, written.last->v);
  EXPECT_EQ(read.last->comparisons, written.last->comparisons);
  EXPECT_EQ(read.model_text, written.model_text);
  EXPECT_THAT(read.options, ElementsAre(Pair("end", 10), Pair("rtol", 1e-10)));
}

// Version 0.1 called the key `mode`.
TEST(RunRecord, ReadsComparisonsByTheirFormerKey) {
  TemporaryFolder folder;
  auto json = to_json(example());
  for (const char* state : {"start", "last"}) {
    json[state]["mode"] = json[state]["comparisons"];
    json[state].erase("comparisons");
  }
  std::ofstream(folder / "run.json") << json.dump();
  EXPECT_EQ(read_run(folder.path()).last->comparisons, example().last->comparisons);
}

TEST(RunRecord, WritesValidJsonWhateverTheNumbers) {
  TemporaryFolder folder;
  RunRecord record = example();
  record.model_text = "\xff";
  record.statistics = {{"energy_error", std::numeric_limits<double>::quiet_NaN()}};
  write_run(folder / "run.json", record);
  const RunRecord read = read_run(folder / "run.json");
  EXPECT_TRUE(std::isnan(read.statistics.at(0).second));
}

TEST(RunRecord, SaysWhatIsWrongWithAFile) {
  TemporaryFolder folder;
  const auto message = [&](const char* text) -> std::string {
    if (text) std::ofstream(folder / "run.json") << text;
    try {
      read_run(folder.path());
    } catch (const RecordError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(nullptr), HasSubstr("it has no run.json"));
  EXPECT_THAT(message("{"), HasSubstr("run.json: is not a run: "));
  EXPECT_THAT(message("{\"armature\": 3}"), HasSubstr("run.json: is not a run: "));
}

}  // namespace
}  // namespace armature::internal
