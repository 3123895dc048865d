// A small importer: unpacks an FMU, loads its binary and calls it as the standards say.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "fmi/export_fmu.hpp"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "import/zip.hpp"
#include "model/file_kind.hpp"
#include "support/paths.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {

// A model written to a folder, exported, and unpacked again.
class UnpackedFmu {
 public:
  // own: a binary in place of that of the archive.
  UnpackedFmu(const std::string& model, FmiVersion version, const Settings& settings = {},
              const std::filesystem::path& own = {}) {
    std::filesystem::path file = folder_ / "machine.yaml";
    if (model.find('\n') == std::string::npos)
      file = std::filesystem::path(source_directory) / model;
    else
      std::ofstream(file) << model;
    const FmuExport exported =
        export_fmu(read_file(file).value_or(""), file.string(), settings, version, "machine", fmu_directory);
    unpack_zip(exported.archive, folder_ / "fmu");
    const pugi::xml_parse_result parsed = xml.load_file((folder_ / "fmu/modelDescription.xml").c_str());
    EXPECT_TRUE(parsed) << parsed.description();
    const bool is_fmi3 = version == FmiVersion::fmi3;
    const std::filesystem::path packed =
        folder_ / "fmu/binaries" / (is_fmi3 ? "x86_64-linux" : "linux64") / "machine.so";
    const std::filesystem::path binary = own.empty() ? packed : own;
    library_ = dlopen(binary.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(library_) << dlerror();
    for (const pugi::xml_node& variable : xml.document_element().child("ModelVariables"))
      references_[variable.attribute("name").value()] = variable.attribute("valueReference").as_uint();
  }
  ~UnpackedFmu() {
    if (library_) dlclose(library_);
  }

  std::string token() const {
    const pugi::xml_node root = xml.document_element();
    return root.attribute("instantiationToken") ? root.attribute("instantiationToken").value()
                                                : root.attribute("guid").value();
  }
  std::string resources() const { return (folder_ / "fmu/resources").string(); }
  std::filesystem::path folder() const { return folder_ / "fmu"; }
  unsigned reference(const std::string& name) const {
    EXPECT_TRUE(references_.contains(name)) << name;
    return references_.contains(name) ? references_.at(name) : 0;
  }
  const std::map<std::string, unsigned>& references() const { return references_; }

  template <class Function>
  Function* function(const char* name) const {
    void* found = dlsym(library_, name);
    EXPECT_TRUE(found) << name;
    return reinterpret_cast<Function*>(found);
  }

  pugi::xml_document xml;

 private:
  TemporaryFolder folder_;
  void* library_ = nullptr;
  std::map<std::string, unsigned> references_;
};

#define FMU(name) fmu.function<decltype(name)>(#name)

// One instance of FMI 3.0, with what it has logged.
class Instance3 {
 public:
  enum class Kind { co_simulation, with_events, model_exchange };
  Instance3(const UnpackedFmu& given, Kind kind, const std::string& token = "") : fmu(given) {
    const std::string used = token.empty() ? fmu.token() : token;
    if (kind == Kind::model_exchange)
      instance =
          FMU(fmi3InstantiateModelExchange)("one", used.c_str(), fmu.resources().c_str(), false, true, this, &log);
    else
      instance = FMU(fmi3InstantiateCoSimulation)("one", used.c_str(), fmu.resources().c_str(), false, true,
                                                  kind == Kind::with_events, kind == Kind::with_events, nullptr, 0,
                                                  this, &log, nullptr);
  }
  ~Instance3() { FMU(fmi3FreeInstance)(instance); }
  Instance3(const Instance3&) = delete;

  void initialize(double tolerance = 0, double start = 0) {
    EXPECT_EQ(FMU(fmi3EnterInitializationMode)(instance, tolerance > 0, tolerance, start, false, 0), fmi3OK) << logged;
    EXPECT_EQ(FMU(fmi3ExitInitializationMode)(instance), fmi3OK) << logged;
  }
  double get(const std::string& name) const {
    const fmi3ValueReference reference = fmu.reference(name);
    double value = NAN;
    EXPECT_EQ(FMU(fmi3GetFloat64)(instance, &reference, 1, &value, 1), fmi3OK) << logged;
    return value;
  }
  fmi3Status set(const std::string& name, double value) {
    const fmi3ValueReference reference = fmu.reference(name);
    return FMU(fmi3SetFloat64)(instance, &reference, 1, &value, 1);
  }
  struct Step {
    fmi3Status status;
    bool event, early;
    double last;
  };
  Step step(double t, double length) {
    bool event = false, terminate = false, early = false;
    double last = NAN;
    const fmi3Status status = FMU(fmi3DoStep)(instance, t, length, true, &event, &terminate, &early, &last);
    return {status, event, early, last};
  }

  const UnpackedFmu& fmu;
  fmi3Instance instance = nullptr;
  std::string logged;

 private:
  static void log(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message) {
    static_cast<Instance3*>(environment)->logged += std::string(message) + "\n";
  }
};

}  // namespace armature::internal
