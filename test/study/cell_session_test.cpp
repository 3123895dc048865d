// Studies as a program calls them: in memory, stopped, and with a folder.
#include <gmock/gmock.h>

#include <cmath>

#include "model/request_error.hpp"
#include "record/record_error.hpp"
#include "study/map.hpp"
#include "study/optimization.hpp"
#include "study/study_files.hpp"
#include "study/sweep.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// x = a cos(w t), w = sqrt(k)
const char* const oscillator = R"(armature: 1
name: oscillator
gravity: [0, 0, 0]
parameters: {a: 1 m, k: 4 N/m, T: 1 s}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}}}
start: {keep: {x: a}}
simulate: {end: T, rtol: 1e-10}
)";

class Sessions : public testing::Test {
 protected:
  const Model model = read_model_text(oscillator);
  CellSession session{{.threads = 2}};
};

// x(1) = cos(sqrt(k)) changes sign at k = (pi/2)^2 = 2.467
TEST_F(Sessions, AMapFindsWhereTheClassChanges) {
  const MapResult map =
      map_motions(model, {.over = {{"k", 1, 5, 5}}, .classify = "right: final(x) > 0; left", .refine = 8}, session);
  ASSERT_TRUE(map.complete);
  EXPECT_THAT(map.classes, ElementsAre("right", "left"));
  EXPECT_THAT(map.counts, ElementsAre(2, 3));
  EXPECT_EQ(map.sentence, "2 right, 3 left");
  EXPECT_EQ(map.failures.count, 0);
  double nearest = 1;
  for (const auto& [a, b, axis, gap] : map.borders)
    nearest = std::min(nearest, std::abs(0.5 * (map.points[a][0] + map.points[b][0]) - M_PI * M_PI / 4));
  EXPECT_LT(nearest, 0.5 / 256);  // half of a box that was halved eight times
  EXPECT_EQ(session.computed(), map.points.count());
}

TEST_F(Sessions, ASweepGivesValuesAndShares) {
  const SweepResult sweep = sweep_motions(
      model, {.over = {{"a", 1, 3, 3}, {"k", 1, 4, 2}}, .results = {{"end", "final(x)"}, {"start", "initial(x)"}}},
      session);
  ASSERT_TRUE(sweep.complete);
  for (long p = 0; p < sweep.points.count(); ++p) {
    const double expected = sweep.points[p][0] * std::cos(std::sqrt(sweep.points[p][1]));
    EXPECT_NEAR(sweep.values[0][static_cast<std::size_t>(p)], expected, 1e-8);
  }
  EXPECT_DOUBLE_EQ(sweep.statistics[1].distribution.mean, 2);
  EXPECT_NEAR(sweep.statistics[1].main_effects[0], 1, 1e-12);  // the start depends on a alone
  EXPECT_EQ(sweep.sentence, "6 motions");
}

// a cos 1 with k = 1 is 1 at a = 1/cos 1
TEST_F(Sessions, AnOptimizationFindsTheMinimum) {
  const OptimizationResult found = optimize_motion(
      model, {.over = {{"a", 1, 3}}, .objective = "(final(x) + 1)^2", .subject = {"a <= 2.8"}, .method = "cobyla"},
      session);
  ASSERT_TRUE(found.complete);
  ASSERT_NE(found.best(), nullptr);
  EXPECT_NEAR(found.best()->point[0], -1 / std::cos(2), 1e-3);  // w = 2
  EXPECT_EQ(found.method, "cobyla");
  EXPECT_THAT(found.sentence, testing::StartsWith("smallest found: (final(x) + 1)^2 = "));
}

TEST_F(Sessions, ACallerCanStopThem) {
  CellSession stopped({.threads = 1, .progress = [](const std::string&, long, long) { return false; }});
  Model slow = model;
  slow.simulate.end = 1e4;
  const SweepResult sweep = sweep_motions(slow, {.over = {{"k", 1, 5, 500}}, .results = {{"e", "final(x)"}}}, stopped);
  EXPECT_FALSE(sweep.complete);
  EXPECT_EQ(sweep.points.count(), 500);
  EXPECT_LT(stopped.computed(), 500);
}

TEST_F(Sessions, WithAFolderTheyGoOnWhereTheyStopped) {
  const TemporaryFolder folder;
  const SweepOptions options{.over = {{"k", 1, 5, 40}}, .results = {{"e", "final(x)"}}, .lanes = 1};
  const auto in_folder = [&](StudyProgress progress, bool resume) {
    return SessionOptions{.threads = 1, .progress = std::move(progress), .folder = folder / "sweep", .resume = resume};
  };
  {
    CellSession first(in_folder([](const std::string&, long done, long) { return done < 1; }, false));
    if (sweep_motions(model, options, first).complete) GTEST_SKIP() << "it was too fast to be stopped";
    EXPECT_TRUE(std::filesystem::exists(first.partial()));
  }
  CellSession refused(in_folder({}, false));
  EXPECT_THAT([&] { sweep_motions(model, options, refused); },
              ThrowsMessage<RequestError>(HasSubstr("--resume continues with them")));
  CellSession second(in_folder({}, true));
  const SweepResult sweep = sweep_motions(model, options, second);
  ASSERT_TRUE(sweep.complete);
  EXPECT_GT(second.restored(), 0);
  const auto description =
      second.publish(to_json(sweep, ""), [&](const auto& place, const auto& json) { write_files(sweep, json, place); });
  EXPECT_EQ(description["results"], (folder / "sweep").string());
  EXPECT_TRUE(std::filesystem::exists(folder / "sweep" / "cells.csv"));
  CellSession memory;
  EXPECT_EQ(sweep_motions(model, options, memory).values, sweep.values);
}

// The end time is no part of the equations: to vary it would change nothing, and is refused. An end that the caller has set is kept.
TEST_F(Sessions, RefuseAVariableThatShapesTheModel) {
  const SweepOptions options{.over = {{"T", 0.5, 2, 3}}, .results = {{"e", "final(x)"}}};
  EXPECT_THAT([&] { sweep_motions(model, options, session); },
              ThrowsMessage<RequestError>(HasSubstr("cannot be varied inside the compiled model: T")));
  Model shorter = model;
  shorter.simulate.end = 0.25;
  CellSession again;
  EXPECT_TRUE(sweep_motions(shorter, {.over = {{"k", 1, 5, 3}}, .results = {{"e", "final(x)"}}}, again).complete);
}

TEST_F(Sessions, RefuseRequestsThatMakeNoSense) {
  const auto refused = [&](const MapOptions& options, const std::string& sentence) {
    CellSession none;
    EXPECT_THAT([&] { map_motions(model, options, none); }, ThrowsMessage<RequestError>(HasSubstr(sentence)));
  };
  refused({.over = {}, .classify = "a"}, "over: map needs at least one variable");
  refused({.over = {{"k", 1, 1, 3}}, .classify = "a: final(x) > 0"}, "over k: the range is empty");
  refused({.over = {{"kk", 1, 2, 3}}, .classify = "a: final(x) > 0"}, "'kk' is not a parameter");
  refused({.over = {{"k", 1, 2, 3}}, .classify = "a: final(y) > 0"}, "classify: ");
  refused({.over = {{"k", 1, 2, 1000000}, {"a", 1, 2, 1000000}}, .classify = "a: final(x) > 0"}, "of memory");
}

}  // namespace
}  // namespace armature::internal
