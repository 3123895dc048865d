// Machines that are coupled with FMUs: controllers of our own making, exported and read as those of others.
#include <gmock/gmock.h>

#include "couple/coupled_run.hpp"
#include "couple/sha256.hpp"
#include "fmi/host.hpp"
#include "model/diagnostics.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* law = R"(
armature: 1
gravity: [0, 0, 0]
plane: xy
parameters: {gain: 1}
inputs: {angle: {unit: rad}, speed: {unit: rad/s}}
define: {command: gain*(8*(1 - angle) - 0.6*speed)}
bodies: {nothing: {mass: 1 kg, inertia: {zz: 1 kg*m^2}}}
joints: {still: {type: revolute, axis: z, between: [ground, nothing]}}
)";

std::string machine(const std::string& command, const std::string& more) {
  return "armature: 1\ngravity: [0, 0, 0]\nplane: xy\n"
         "bodies: {disk: {mass: 1 kg, inertia: {zz: 0.02 kg*m^2}}}\n"
         "joints: {turn: {type: revolute, axis: z, between: [ground, disk], damping: 0.01 N*m*s}}\n"
         "forces: {drive: {type: effort, on: turn, is: " +
         command +
         "}}\n"
         "simulate: {end: 1 s, rtol: 1e-11, record: 10 ms}\n" +
         more;
}

class CoupledRun : public testing::TestWithParam<FmiVersion> {
 protected:
  CoupledRun() {
    std::ofstream(folder_ / "law.yaml") << law;
    const FmuExport exported = export_fmu(law, (folder_ / "law.yaml").string(), {}, GetParam(), "law", fmu_directory);
    std::ofstream(folder_ / "law.fmu", std::ios::binary) << exported.archive;
  }
  Model read(const std::string& text) { return read_model_text(text, (folder_ / "machine.yaml").string()); }
  std::string problem(const std::string& text) {
    try {
      read(text);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }
  MemoryRecorder rows_of(const Model& model, bool coupled) {
    Prepared prepared = compile(model);
    assemble_start(prepared);
    MemoryRecorder rows;
    const Outcome outcome =
        coupled ? simulate_coupled(model, fmu_archives(model), prepared, rows) : simulate(prepared, rows);
    EXPECT_EQ(outcome.status, RunStatus::finished) << outcome.sentence;
    return rows;
  }
  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(, CoupledRun, testing::Values(FmiVersion::fmi2, FmiVersion::fmi3),
                         [](const auto& info) { return info.param == FmiVersion::fmi2 ? "fmi2" : "fmi3"; });

TEST_P(CoupledRun, IsTheRunWithASampledController) {
  const std::string fmus =
      "fmus: {hold: {file: law.fmu, step: 10 ms, connect: {angle: turn, speed: \"turn'\"}, set: {gain: 1.5}}}\n";
  const std::string own =
      "controllers: {hold: {type: formula, is: \"1.5*(8*(1 - turn) - 0.6*turn')\", sampled: {period: 10 ms}}}\n";
  const MemoryRecorder coupled = rows_of(read(machine("hold.command", fmus)), true),
                       whole = rows_of(read(machine("hold", own)), false);
  ASSERT_EQ(coupled.rows(), whole.rows());
  for (std::size_t k = 0; k < static_cast<std::size_t>(whole.rows()); ++k)
    EXPECT_NEAR(coupled.column("turn")[k], whole.column("turn")[k], 1e-9) << k;
  EXPECT_GT(coupled.column("turn").back(), 0.5);
  EXPECT_EQ(coupled.column("hold.angle").size(), coupled.column("hold.command").size());  // both are recorded
}

// The same FMU, as if its angle were in degrees and its command in mN m: numbers are converted.
TEST_P(CoupledRun, ConvertsUnits) {
  const bool is_fmi3 = GetParam() == FmiVersion::fmi3;
  const fs::path unpacked = folder_ / "unpacked";
  unpack_zip(*read_file(folder_ / "law.fmu"), unpacked);
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_file((unpacked / "modelDescription.xml").c_str()));
  pugi::xml_node root = xml.document_element();
  pugi::xml_node unit = root.child("UnitDefinitions").append_child("Unit");
  unit.append_attribute("name") = "mNm";
  unit = unit.append_child("BaseUnit");
  for (const auto& [name, value] : {std::pair{"kg", "1"}, {"m", "2"}, {"s", "-2"}, {"factor", "0.001"}})
    unit.append_attribute(name) = value;
  const auto variable = [&](const char* name) {
    const pugi::xml_node found = root.child("ModelVariables").find_child_by_attribute("name", name);
    return is_fmi3 ? found : found.child("Real");
  };
  variable("angle").attribute("unit") = "deg";           // not defined: a unit of ours
  variable("command").append_attribute("unit") = "mNm";  // defined above
  ASSERT_TRUE(xml.save_file((unpacked / "modelDescription.xml").c_str()));
  ZipFiles files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(unpacked))
    if (entry.is_regular_file())
      files.emplace_back(fs::relative(entry.path(), unpacked).string(), *read_file(entry.path()));
  std::ofstream(folder_ / "law.fmu", std::ios::binary) << zip_of(files);
  const std::string fmus = "fmus: {hold: {file: law.fmu, step: 10 ms, connect: {angle: turn, speed: \"turn'\"}}}\n";
  const std::string own =
      "controllers: {hold: {type: formula, is: \"0.001*(8*(1 - turn*180/pi) - 0.6*turn')\", sampled: {period: 10 "
      "ms}}}\n";
  const MemoryRecorder coupled = rows_of(read(machine("hold.command", fmus)), true),
                       whole = rows_of(read(machine("hold", own)), false);
  for (std::size_t k = 0; k < static_cast<std::size_t>(whole.rows()); ++k)
    EXPECT_NEAR(coupled.column("turn")[k], whole.column("turn")[k], 1e-9) << k;
  EXPECT_NEAR(coupled.column("hold.angle").back(), coupled.column("turn").back(), 1e-2);  // in rad
}

TEST_P(CoupledRun, NamesWhatTheFmuDoesNotHave) {
  const auto with = [](const std::string& entries) {
    return machine("hold.command", "fmus: {hold: {file: law.fmu, step: 10 ms, " + entries + "}}\n");
  };
  EXPECT_THAT(problem(with("connect: {angel: turn}")),
              HasSubstr("fmus.hold.connect: the FMU has no input 'angel' (did you mean 'angle'?)"));
  EXPECT_THAT(problem(with("set: {kp: 1}")), HasSubstr("fmus.hold.set: the FMU has no parameter 'kp'"));
  EXPECT_THAT(problem(with("connect: {angle: nothing}")), HasSubstr("fmus.hold.connect.angle: unknown name 'nothing'"));
  EXPECT_THAT(problem(machine("hold.volts", "fmus: {hold: {file: law.fmu, step: 10 ms}}\n")), HasSubstr("hold.volts"));
}

TEST(Sha256, HasThePublishedValues) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace armature::internal
