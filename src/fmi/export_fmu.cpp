#include "fmi/export_fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "fmi/build_description.hpp"
#include "fmi/fmu_folder.hpp"
#include "fmi/host_values.hpp"
#include "fmi/icon.hpp"
#include "fmi/installed_file.hpp"
#include "import/zip.hpp"
#include "model/file_kind.hpp"
#include "model/request_error.hpp"
#include "run/paused_run.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;

constexpr const char* binary_name = "armature_fmu.so";

std::string bytes_from(const fs::path& file) {
  std::optional<std::string> bytes = read_file(file);
  if (!bytes) throw RequestError(fmt::format("{}: the file cannot be read", file.string()));
  return *std::move(bytes);
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// The engine under the name of the model, and the libraries that it needs beside it.
void add_binaries(const fs::path& folder, const std::string& platform, const std::string& identifier, ZipFiles& files) {
  for (const fs::path& file : files_below(folder)) {
    if (file.parent_path() != folder) continue;
    const std::string name = file.filename() == binary_name ? identifier + ".so" : file.filename().string();
    files.emplace_back(fmt::format("binaries/{}/{}", platform, name), bytes_from(file));
  }
}

// The engine's and those of the libraries: the same place in FMI 2.0 and 3.0.
void add_licenses(const fs::path& folder, ZipFiles& files) {
  for (const fs::path& file : files_below(folder))
    files.emplace_back("documentation/licenses/" + file.filename().string(), bytes_from(file));
}

// Those that are compiled, relative to the folder of the sources; all of them go to `files`.
std::vector<std::string> add_sources(const fs::path& folder, ZipFiles& files) {
  std::vector<std::string> compiled;
  for (const fs::path& file : files_below(folder)) {
    const std::string name = file.lexically_relative(folder).generic_string();
    files.emplace_back("sources/" + name, bytes_from(file));
    if (file.extension() == ".cpp") compiled.push_back(name);
  }
  return compiled;
}

int count(const FmuVariables& variables, const char* causality) {
  return static_cast<int>(std::ranges::count(variables.list, causality, &FmuVariable::causality));
}

}  // namespace

FmuExport export_fmu(const std::string& text, const std::string& file, const Settings& settings, FmiVersion version,
                     const std::string& identifier, const fs::path& binaries, const std::string& root) {
  const FmuResources resources = fmu_resources(text, file, settings, root);
  const HostMachine machine = machine_with({read_model_text(text, file, {}, root).text, file, settings, root}, {});
  FmuDescription d;
  d.version = version;
  d.name = machine.model.name;
  d.identifier = identifier;
  d.token = resources.token;
  d.variables = fmu_variables(machine.model, machine.prepared, PausedRun(machine.prepared, nullptr).channels());
  d.end = machine.prepared.options.end;
  d.tolerance = machine.prepared.options.rtol;
  d.step = machine.prepared.options.record;
  ZipFiles files{{"modelDescription.xml", ""}};
  d.sources = add_sources(binaries / "sources", files);
  files[0].second = description_text(d);
  files.emplace_back(version == FmiVersion::fmi3 ? "terminalsAndIcons/icon.png" : "model.png", fmu_icon());
  if (version == FmiVersion::fmi3) {
    files.emplace_back("terminalsAndIcons/terminalsAndIcons.xml", terminals_text(d));
    if (!d.sources.empty())
      files.emplace_back("sources/buildDescription.xml", build_description_text(identifier, d.sources));
  }
  add_binaries(binaries, version == FmiVersion::fmi3 ? "x86_64-linux" : "linux64", identifier, files);
  add_licenses(binaries / "licenses", files);
  for (const auto& [name, bytes] : resources.files) files.emplace_back("resources/" + name, bytes);
  return {zip_of(files),      d.variables.inputs,    count(d.variables, "parameter"), count(d.variables, "output"),
          d.variables.states, d.variables.indicators};
}

fs::path fmu_binaries() {
  const fs::path file = installed_file({ARMATURE_FMU_INSTALLED, ARMATURE_FMU_BUILT, "fmu"}, binary_name);
  if (!file.empty()) return file.parent_path();
  throw RequestError(fmt::format(
      "the binary of FMUs ({}) was not found beside this program; build the target armature_fmu or install the "
      "program again",
      binary_name));
}

}  // namespace armature::internal
