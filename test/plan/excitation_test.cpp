// The next experiment of an identification.
#include "plan/excitation.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "identify/driven_model.hpp"
#include "model/request_error.hpp"
#include "read/reader.hpp"
#include "record/recorder.hpp"
#include "run/simulate.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

struct Crane {
  Model model = read_model(std::string(source_directory) + "/models/measured/crane.yaml");
  std::vector<MeasuredRecord> records{read_measured(std::string(source_directory) + "/models/measured/crane.csv")};
  IdentifyOptions options;
  Crane() { options.fit = {{"cart_mass"}, {"load_mass"}, {"friction"}, {"rope"}}; }
};

TEST(Excitation, TellsMoreThanTheRecordAgain) {
  Crane crane;
  const IdentifyResult found = identify(crane.model, crane.records, crane.options);
  const Excitation next = excite(crane.model, crane.records, crane.options, found);
  ASSERT_EQ(next.inputs, std::vector<std::string>{"volts"});
  ASSERT_EQ(next.then.size(), 4u);
  double most = 0;
  for (const MeasuredColumn& column : crane.records.front().columns)
    for (const double value : column.values)
      if (column.name == "volts" && !std::isnan(value)) most = std::max(most, std::abs(value));
  EXPECT_LE(next.values.cwiseAbs().maxCoeff(), most * (1 + 1e-9));
  EXPECT_GT(next.values.cwiseAbs().maxCoeff(), 0.99 * most);
  // the same record once more would divide all deviations by sqrt(2): the volume of the ellipsoid by 4
  double volume = 1;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(next.now[k], found.estimates[k].deviation, 1e-3 * next.now[k]);
    EXPECT_LT(next.then[k], next.now[k]);
    volume *= next.then[k] / next.now[k];
  }
  EXPECT_LT(volume, 0.25);
}

TEST(Excitation, KeepsTheLimitsOfTheMachine) {
  Crane crane;
  std::string text = crane.model.text;
  text.replace(text.find("damping: friction}"), 18,
               "damping: friction, limits: {lower: -0.4 m, upper: 0.4 m, stiffness: 1e5 N/m}}");
  text.replace(text.find("voltage: volts"), 14, "voltage: volts\n    limits: {voltage: 6 V}");
  const Model limited = read_model_text(text, "crane.yaml");
  const IdentifyResult found = identify(crane.model, crane.records, crane.options);
  const Excitation next = excite(limited, crane.records, crane.options, found);
  EXPECT_LE(next.values.cwiseAbs().maxCoeff(), 6 * (1 + 1e-9));
  // the run with these inputs stays between the end stops; straight lines in place of the series change it a little
  MeasuredRecord record{"", next.t, {{"volts", "", {}, {next.values.col(0).begin(), next.values.col(0).end()}}}};
  Model driven = driven_by_inputs(
      read_model_text(text, "crane.yaml",
                      {{"cart_mass", "2.304"}, {"load_mass", "0.9326"}, {"friction", "3.404"}, {"rope", "0.72"}}),
      record);
  driven.simulate.end = next.t.back();
  Prepared prepared = compile(driven);
  assemble_start(prepared);
  MemoryRecorder rows;
  EXPECT_EQ(simulate(prepared, rows).status, RunStatus::finished);
  for (const double travel : rows.column("travel")) EXPECT_LE(std::abs(travel), 0.401);
}

TEST(Excitation, NeedsAnInput) {
  Crane crane;
  std::string text = crane.model.text;
  text.replace(text.find("inputs:\n  volts: {unit: V, default: 0 V}\n"), 42, "define: {volts: 3 V*sin(t/(1 s))}\n");
  const Model fixed = read_model_text(text, "crane.yaml");
  const IdentifyResult found = identify(crane.model, crane.records, crane.options);
  EXPECT_THROW(excite(fixed, crane.records, crane.options, found), RequestError);
}

}  // namespace
}  // namespace armature::internal
