// To and from the formats of others: robots, FMUs, C.
#include <filesystem>

#include "call.hpp"
#include "couple/coupled_run.hpp"
#include "couple/trusted.hpp"
#include "fmi/export_fmu.hpp"
#include "import/import.hpp"
#include "import/robot_formats.hpp"
#include "inspect/export_c.hpp"
#include "inspect/export_robot.hpp"
#include "library/access.hpp"
#include "library/chosen_start.hpp"
#include "library/recording.hpp"
#include "library/translate.hpp"
#include "model/file_kind.hpp"
#include "observe/ledger.hpp"
#include "read/fmu_uses.hpp"
#include "study/code_inputs.hpp"

namespace armature::python {

namespace {

namespace fs = std::filesystem;

// Text, format, what became of each loop, what was not taken.
py::tuple imported(const std::string& file, const std::string& root, bool free_base, const std::string& meshes) {
  const internal::ImportedModel found = computed([&] {
    return translated([&] {
      if (const std::string why = internal::why_no_file(file, "robot file"); !why.empty())
        throw Error(Error::Kind::input, file + ": " + why);
      const std::string text = internal::read_file(file).value_or("");
      if (!internal::is_xml(text))
        throw Error(Error::Kind::input, file + ": this is not XML: URDF, SDFormat and MJCF files begin with '<'");
      internal::ImportOptions options;
      options.free_base = free_base;
      options.root = root;
      options.meshes = meshes;
      return internal::import_robot(text, file, options);
    });
  });
  return py::make_tuple(found.text, found.format, found.loops, found.not_taken);
}

internal::Prepared prepared_on(const Model& model, const std::vector<std::string>& inputs, int branch) {
  internal::Prepared prepared = internal::compile(internal::Access::of(model), inputs);
  internal::require_chosen_start(prepared, start_choice(model, branch, nullptr));
  return prepared;
}

// The header, the programs and the step, each as a text.
py::tuple c_code(const Model& model, const Settings& settings, const std::vector<std::string>& inputs, int branch,
                 const std::string& prefix) {
  const internal::ExportedCode code = computed([&] {
    return translated([&] {
      internal::require_code_inputs(inputs, internal::Access::of(model), settings);
      internal::Prepared prepared = prepared_on(model, inputs, branch);
      internal::drop_ledger(prepared);
      return internal::export_c(prepared, model.name(), prefix);
    });
  });
  return py::make_tuple(code.header, code.programs, code.step);
}

py::tuple robot_text(const Model& model, const std::string& format, int branch) {
  const internal::ExportedRobot robot = computed([&] {
    return translated(
        [&] { return internal::export_robot(internal::Access::of(model), prepared_on(model, {}, branch), format); });
  });
  return py::make_tuple(robot.text, robot.not_exported);
}

py::bytes fmu_archive(const Model& model, const Settings& settings, const std::string& version,
                      const std::string& identifier) {
  return computed([&] {
    return translated([&] {
      const auto fmi = version == "2.0" ? internal::FmiVersion::fmi2 : internal::FmiVersion::fmi3;
      return internal::export_fmu(model.text(), model.file(), settings, fmi, identifier, internal::fmu_binaries(),
                                  internal::Access::of(model).root)
          .archive;
    });
  });
}

Motion coupled(const Machine& machine, bool trust, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    const internal::Model& model = internal::Access::of(machine.model());
    const std::vector<internal::FmuArchive> fmus = internal::fmu_archives(model);
    internal::require_trust(model.file, fmus, trust, "give trust=True");
    const internal::Prepared& prepared = internal::Access::of(machine);
    if (!prepared.failure.empty()) machine.start();  // throws
    Recording rows;
    const internal::Outcome outcome = internal::simulate_coupled(model, fmus, prepared, rows, guarded);
    return Motion{rows.trajectory(), to_public(outcome), to_public(outcome.last, prepared.system->layout())};
  });
}

}  // namespace

void add_exchange(py::module_& module) {
  module.def("import_robot", &imported, py::arg("file"), py::arg("root"), py::arg("free"), py::arg("meshes"));
  module.def("c_identifier", &internal::c_identifier, py::arg("name"));
  module.def("c_code", &c_code, py::arg("model"), py::arg("settings"), py::arg("inputs"), py::arg("branch"),
             py::arg("prefix"));
  module.def("robot_formats", [] {
    py::dict formats;
    for (const internal::RobotFormat& format : internal::robot_formats()) formats[format.ending] = format.name;
    return formats;
  });
  module.def("robot_text", &robot_text, py::arg("model"), py::arg("format"), py::arg("branch"));
  module.def("fmu_archive", &fmu_archive, py::arg("model"), py::arg("settings"), py::arg("version"),
             py::arg("identifier"));
  module.def(
      "has_fmus", [](const Model& model) { return !internal::fmu_uses(internal::Access::of(model)).empty(); },
      py::arg("model"));
  module.def(
      "simulate_coupled",
      [](const Machine& machine, bool trust, py::object progress) {
        return watched_motion(std::move(progress),
                              [&](const Progress& watched) { return coupled(machine, trust, watched); });
      },
      py::arg("machine"), py::arg("trust"), py::arg("progress"));
}

}  // namespace armature::python
