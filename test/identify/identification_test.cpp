// Identification of models from records that were made by simulation: the truth is known.
#include "identify/identification.hpp"

#include <gmock/gmock.h>

#include "identify/identification_files.hpp"
#include "made_record.hpp"
#include "model/request_error.hpp"

namespace armature::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;

const char* const sprung_mass = R"(armature: 1
name: mass on a spring
gravity: [0, 0, 0]
parameters: {m: 2 kg, k: 80 N/m, c: 0.6 N*s/m, x0: 0.1 m}
bodies: {mass: {mass: m}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}, damping: c}}
start: {keep: {x: x0}}
simulate: {end: 3 s, record: 10 ms, rtol: 1e-9}
)";

Model sprung(const Settings& settings = {}) { return read_model_text(sprung_mass, "spring.yaml", settings); }

TEST(Identification, FindsStiffnessAndDampingWithoutNoise) {
  const MeasuredRecord record = made_record(sprung(), {"x"}, 0, 1);
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  const IdentifyResult found = identify(sprung({{"k", "120"}, {"c", "0.3"}}), {record}, options);
  EXPECT_EQ(found.status, IdentifyStatus::converged) << found.sentence;
  EXPECT_NEAR(estimate_of(found, "k").value, 80, 1e-4);
  EXPECT_NEAR(estimate_of(found, "c").value, 0.6, 1e-5);
  EXPECT_EQ(estimate_of(found, "k").first, 120);
}

TEST(Identification, SaysThatOnlyQuotientsOfAFreeOscillationAreDetermined) {
  const MeasuredRecord record = made_record(sprung(), {"x"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}, {"m"}};
  const IdentifyResult found = identify(sprung({{"k", "100"}}), {record}, options);
  ASSERT_EQ(found.information.undetermined.size(), 1u);
  const std::string& words = found.information.undetermined[0].sentence;
  // x'' + c/m x' + k/m x = 0: all three may grow alike
  EXPECT_THAT(words, HasSubstr("/"));
  EXPECT_THAT(words, HasSubstr("are determined"));
  EXPECT_FALSE(std::isfinite(estimate_of(found, "m").half_width));
  EXPECT_NEAR(estimate_of(found, "k").value / estimate_of(found, "m").value, 40, 0.2);
}

TEST(Identification, FitsTheStartOfEachRecordAndAnOffset) {
  MeasuredRecord first = made_record(sprung(), {"x"}, 0.01, 1),
                 second = made_record(sprung({{"x0", "-0.05 m"}}), {"x"}, 0.01, 2);
  for (MeasuredRecord* record : {&first, &second})
    for (double& x : record->columns[0].values) x += 0.02;  // the sensor shows 20 mm more
  for (std::size_t k = 30; k < 60; ++k) second.columns[0].values[k] = std::numeric_limits<double>::quiet_NaN();
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  options.fit_start = {"x", "x.v"};
  options.offsets = {"x"};
  const IdentifyResult found = identify(sprung({{"k", "100"}}), {first, second}, options);
  EXPECT_EQ(found.status, IdentifyStatus::converged) << found.sentence;
  ASSERT_EQ(found.estimates.size(), 2 + 2 * 2 + 1u);
  const double truth[] = {80, 0.6, 0.1, 0, -0.05, 0, 0.02};
  for (std::size_t k = 0; k < 7; ++k) {
    const Estimate& estimate = found.estimates[k];
    // three standard deviations: seven estimates are within with 98 %, and the draws are always the same
    EXPECT_NEAR(estimate.value, truth[k], 3 * estimate.deviation) << estimate.name;
    EXPECT_LT(estimate.deviation, 0.01 * std::abs(truth[k]) + 0.01);
  }
  EXPECT_EQ(found.columns[1].residuals.count, 301 - 30);
}

TEST(Identification, TakesOutliersForWhatTheyAre) {
  MeasuredRecord record = made_record(sprung(), {"x"}, 0.01, 4);
  for (std::size_t k = 5; k < 301; k += 12) record.columns[0].values[k] += 0.1;
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  const Estimate plain = estimate_of(identify(sprung(), {record}, options), "c");
  options.robust = true;
  const Estimate robust = estimate_of(identify(sprung(), {record}, options), "c");
  EXPECT_LT(robust.deviation, plain.deviation / 5);
  EXPECT_NEAR(robust.value, 0.6, 3 * robust.deviation);
}

// A given noise says how wide the intervals are, whatever the residuals; one that is not that of the column is reported.
TEST(Identification, HasIntervalsAsWideAsTheGivenNoise) {
  const MeasuredRecord record = made_record(sprung(), {"x"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  const IdentifyResult estimated = identify(sprung(), {record}, options);
  const double rms = estimated.columns[0].residuals.rms;
  options.noise = {{"x", rms}};
  const IdentifyResult given = identify(sprung(), {record}, options);
  options.noise = {{"x", 3 * rms}};
  const IdentifyResult larger = identify(sprung(), {record}, options);
  EXPECT_NEAR(estimate_of(given, "k").deviation, estimate_of(estimated, "k").deviation,
              0.01 * estimate_of(estimated, "k").deviation);
  EXPECT_NEAR(estimate_of(larger, "k").deviation, 3 * estimate_of(given, "k").deviation,
              1e-3 * estimate_of(given, "k").deviation);
  EXPECT_NEAR(estimate_of(larger, "k").half_width, 1.959964 * estimate_of(larger, "k").deviation,
              1e-5 * estimate_of(larger, "k").deviation);
  EXPECT_TRUE(given.warnings.empty());
  EXPECT_THAT(larger.warnings,
              Contains(HasSubstr("the residuals of x are 0.333 times the noise that was given for it")));
}

// The noise of one of two columns: its own weight changes, and the other one's is estimated.
TEST(Identification, CountsAColumnByItsGivenNoise) {
  const MeasuredRecord record = made_record(sprung(), {"x", "x'"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  const Estimate equal = estimate_of(identify(sprung(), {record}, options), "k");
  options.noise = {{"x", 1e-6}};
  const IdentifyResult trusted = identify(sprung(), {record}, options);
  options.noise = {{"x", 1e3}};
  const Estimate ignored = estimate_of(identify(sprung(), {record}, options), "k");
  EXPECT_LT(estimate_of(trusted, "k").deviation, 0.02 * equal.deviation);
  EXPECT_THAT(trusted.warnings, Contains(HasSubstr("the model misses something, and the intervals are too narrow")));
  EXPECT_GT(ignored.deviation, 1.2 * equal.deviation);
  EXPECT_LT(ignored.deviation, 3 * equal.deviation);
}

TEST(Identification, KeepsWithinARange) {
  const MeasuredRecord record = made_record(sprung(), {"x"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"k", 90, 150}, {"c"}};
  const IdentifyResult found = identify(sprung({{"k", "100"}}), {record}, options);
  EXPECT_EQ(estimate_of(found, "k").value, 90);
  EXPECT_EQ(estimate_of(found, "k").bound, -1);
  EXPECT_THAT(found.warnings,
              Contains(HasSubstr("k is at the lower end of its range: the data ask for a smaller value")));
  EXPECT_THAT(found.warnings, Contains(HasSubstr("the residuals of x are not noise")));
}

// The phase is wrong by more than a turn at the end: a fit of the whole record ends in another minimum.
TEST(Identification, BeginsWithTheBeginningWhereTheEndMisleads) {
  const MeasuredRecord record = made_record(sprung(), {"x"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  const IdentifyResult found = identify(sprung({{"k", "280"}}), {record}, options);
  EXPECT_NEAR(estimate_of(found, "k").value, 80, 3 * estimate_of(found, "k").deviation);
}

// The mass sticks and slips: derivatives are exact all the same.
TEST(Identification, FitsDryFriction) {
  std::string text = sprung_mass;
  text.replace(text.find("damping: c"), 10, "friction: c");
  text.replace(text.find("0.6 N*s/m"), 9, "0.6 N");
  const Model truth = read_model_text(text);
  const MeasuredRecord record = made_record(truth, {"x"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  const IdentifyResult found = identify(read_model_text(text, "m", {{"k", "84"}, {"c", "0.5"}}), {record}, options);
  EXPECT_NEAR(estimate_of(found, "c").value, 0.6, 3 * estimate_of(found, "c").deviation);
  EXPECT_NEAR(estimate_of(found, "k").value, 80, 3 * estimate_of(found, "k").deviation);
  EXPECT_TRUE(found.notes.empty()) << found.notes.front();  // none by differences
}

// The bounces of a ball on a rigid floor, with exact derivatives through its impacts.
TEST(Identification, FitsARestitution) {
  const char* const text = R"model(armature: 1
name: bouncing ball
parameters: {h: 1 m, e: 0.7}
gravity: [0, -9.81, 0]
bodies: {ball: {mass: 2 kg}}
joints: {y: {type: prismatic, axis: y, between: [ground, ball]}}
forces: {slab: {type: contact, gap: y, restitution: e}}
start: {keep: {y: h}}
simulate: {end: 1.5 s, record: 5 ms, rtol: 1e-10}
)model";
  const MeasuredRecord record = made_record(read_model_text(text), {"y"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"e"}, {"h"}};
  const IdentifyResult found =
      identify(read_model_text(text, "ball.yaml", {{"e", "0.65"}, {"h", "1.03"}}), {record}, options);
  EXPECT_EQ(found.status, IdentifyStatus::converged) << found.sentence;
  EXPECT_TRUE(covers(estimate_of(found, "e"), 0.7)) << estimate_of(found, "e").value;
  EXPECT_TRUE(covers(estimate_of(found, "h"), 1)) << estimate_of(found, "h").value;
  EXPECT_LT(estimate_of(found, "e").half_width, 1e-3);
  EXPECT_TRUE(found.notes.empty()) << found.notes.front();
}

TEST(Identification, WritesTheModelWithItsNewValues) {
  const MeasuredRecord record = made_record(sprung(), {"x"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  options.fit_start = {"x"};
  const Model model = sprung({{"k", "100"}});
  const IdentifyResult found = identify(model, {record}, options);
  std::string why;
  const std::string text = identified_text(found, model, {{"k", "100"}}, why);
  EXPECT_EQ(why, "");
  const Model again = read_model_text(text);
  EXPECT_EQ(parameter_value(again, "k"), estimate_of(found, "k").value);
  EXPECT_EQ(parameter_value(again, "c"), estimate_of(found, "c").value);
  EXPECT_THAT(text, HasSubstr("name: mass on a spring"));
  EXPECT_THAT(text, HasSubstr(fmt::format("c: {} N*s/m", estimate_of(found, "c").value)));  // in the unit of the file
}

// What was found until then is there.
TEST(Identification, IsStoppedByItsProgress) {
  const MeasuredRecord record = made_record(sprung(), {"x"}, 0.01, 1);
  IdentifyOptions options;
  options.fit = {{"k"}, {"c"}};
  int calls = 0;
  options.progress = [&](const std::string& what) { return what.empty() || ++calls < 4; };
  const IdentifyResult found = identify(sprung({{"k", "120"}}), {record}, options);
  EXPECT_EQ(found.status, IdentifyStatus::stopped);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(found.evaluations, 4);
  ASSERT_EQ(found.estimates.size(), 2u);
  EXPECT_LT(std::abs(found.estimates[0].value - 80), 40);  // nearer than it began
}

std::string refusal(const Model& model, const MeasuredRecord& record, const IdentifyOptions& options) {
  try {
    identify(model, {record}, options);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

TEST(Identification, RefusesWhatCannotBe) {
  const MeasuredRecord record = made_record(sprung(), {"x"}, 0, 1);
  IdentifyOptions options;
  EXPECT_THAT(refusal(sprung(), record, options), HasSubstr("fit: names no parameter"));
  options.fit = {{"kk"}};
  EXPECT_THAT(refusal(sprung(), record, options),
              HasSubstr("fit kk: is not a parameter of the model; expected m, k, c or x0"));
  options.fit = {{"k"}};
  options.offsets = {"y"};
  EXPECT_THAT(refusal(sprung(), record, options), HasSubstr("offset y: is not a measured column"));
  options.offsets = {};
  options.noise = {{"x", 0}};
  EXPECT_THAT(refusal(sprung(), record, options), HasSubstr("noise x: must be positive"));
  options.noise = {};
  MeasuredRecord other = record;
  other.columns[0].name = "xx";
  EXPECT_THAT(refusal(sprung(), other, options), HasSubstr("column 'xx' is no signal of the model"));
  other = record;
  other.columns[0].dimension = unit_of("N").dimension, other.columns[0].unit = "N";
  EXPECT_THAT(refusal(sprung(), other, options), HasSubstr("'N' is not a unit of this signal"));
}

// A record of which the model knows the input: the shipped example.
TEST(Identification, IsDrivenByAMeasuredInput) {
  const std::string folder = std::string(source_directory) + "/models/measured/";
  IdentifyOptions options;
  options.fit = {{"cart_mass"}, {"load_mass"}, {"friction"}, {"rope"}};
  const IdentifyResult found =
      identify(read_model(folder + "crane.yaml"), {read_measured(folder + "crane.csv")}, options);
  EXPECT_EQ(found.status, IdentifyStatus::converged) << found.sentence;
  EXPECT_EQ(found.experiments[0].inputs, std::vector<std::string>{"volts"});
  // with which the record was made, as the file says
  for (const auto& [name, truth] :
       {std::pair{"cart_mass", 2.31}, {"load_mass", 0.93}, {"friction", 3.4}, {"rope", 0.72}})
    EXPECT_NEAR(estimate_of(found, name).value, truth, 3 * estimate_of(found, name).deviation) << name;
  EXPECT_NEAR(found.columns[0].residuals.rms, 0.5e-3, 0.06e-3);  // the noise that was added; 3/sqrt(2 400) of it
  EXPECT_TRUE(found.warnings.empty());
}

// The twelve parameters of the 3RRR, from values that are half as large, or half as large again.
TEST(Identification, FindsTwelveParametersOfThe3rrrFromHalfOff) {
  const Model truth = read_model(std::string(source_directory) + "/models/measured/rrr.yaml");
  const MeasuredRecord record = made_record(truth, rrr_sensors(), 0.01, 1);
  Settings off;
  for (std::size_t k = 0; k < twelve_parameters().size(); ++k)
    off.emplace_back(twelve_parameters()[k],
                     fmt::format("{}", (k % 2 == 0 ? 1.5 : 0.5) * parameter_value(truth, twelve_parameters()[k])));
  IdentifyOptions options = twelve_fits();
  options.settings = off;
  const IdentifyResult found =
      identify(read_model(std::string(source_directory) + "/models/measured/rrr.yaml", off), {record}, options);
  EXPECT_EQ(found.status, IdentifyStatus::converged) << found.sentence;
  EXPECT_EQ(found.measurements, 6 * 2001);
  EXPECT_TRUE(found.information.undetermined.empty());
  for (const std::string& name : twelve_parameters()) {
    const Estimate& estimate = estimate_of(found, name);
    // three deviations hold all twelve in 97 of 100 records; this one is always the same
    EXPECT_NEAR(estimate.value, parameter_value(truth, name), 3 * estimate.deviation) << name;
    EXPECT_LT(estimate.half_width, 0.2 * estimate.value) << name;
  }
}

}  // namespace
}  // namespace armature::internal
