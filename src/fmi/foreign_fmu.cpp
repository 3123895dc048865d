#include "fmi/foreign_fmu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include <cmath>
#include <cstdarg>
#include <filesystem>

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "import/zip.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace fs = std::filesystem;

// An unpacked archive; it goes with its owner.
class UnpackedFolder {
 public:
  explicit UnpackedFolder(std::string_view archive) {
    std::string name = (fs::temp_directory_path() / "armature_fmu_XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw ComputationError(fmt::format("{}: no folder can be made there", fs::temp_directory_path().string()));
    path = name;
    unpack_zip(archive, path);
  }
  ~UnpackedFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  UnpackedFolder(const UnpackedFolder&) = delete;
  fs::path path;
};

// What the versions do alike. Statuses are numbered alike: 0 is well, 1 a warning.
struct ForeignFmu::Binary {
  Binary(std::string given, std::string_view archive, FmuInterface described)
      : name(std::move(given)), interface(std::move(described)), folder(archive) {
    const fs::path file = folder.path / "binaries" / (interface.version == 2 ? "linux64" : "x86_64-linux") /
                          (interface.identifier + ".so");
    if (!fs::is_regular_file(file))
      throw RequestError(
          fmt::format("the FMU has no binary for 64-bit Linux ({})", file.lexically_relative(folder.path).string()));
    library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw ComputationError(fmt::format("the binary of the FMU cannot be loaded: {}", dlerror()));
  }
  virtual ~Binary() = default;  // the library stays loaded: code of others may have left threads and handlers behind
  Binary(const Binary&) = delete;

  template <class Function>
  Function* function(const char* function_name) const {
    void* found = dlsym(library, function_name);
    if (!found) throw ComputationError(fmt::format("the binary of the FMU has no function {}", function_name));
    return reinterpret_cast<Function*>(found);
  }
  void require(int status, const char* what) {
    if (status <= 1) return;
    throw ComputationError(fmt::format("the FMU '{}' fails to {}{}", name, what, logged.empty() ? "" : ": " + logged));
  }

  virtual void set(const FmuPort& port, double value) = 0;
  virtual double get(const FmuPort& port) = 0;
  virtual void initialize(double t, double end) = 0;
  virtual void step(double t, double length) = 0;

  std::string name;
  FmuInterface interface;
  UnpackedFolder folder;
  void* library = nullptr;
  std::string logged;  // the last error or warning
};

namespace {

#define FOREIGN(name) function<decltype(name)>(#name)

struct Binary2 final : ForeignFmu::Binary {
  Binary2(std::string given, std::string_view archive, FmuInterface described)
      : Binary(std::move(given), archive, std::move(described)) {
    callbacks = {&log, &calloc, &free, nullptr, this};
    const std::string resources = "file://" + (folder.path / "resources").string();
    instance = FOREIGN(fmi2Instantiate)(name.c_str(), fmi2CoSimulation, interface.token.c_str(), resources.c_str(),
                                        &callbacks, fmi2False, fmi2False);
    if (!instance) require(fmi2Error, "make an instance");
  }
  ~Binary2() override {
    if (instance) FOREIGN(fmi2FreeInstance)(instance);
  }
  void set(const FmuPort& port, double value) override {
    if (port.type == FmuPort::Type::real)
      return require(FOREIGN(fmi2SetReal)(instance, &port.reference, 1, &value), "take a value");
    const int number = static_cast<int>(std::lround(value));
    const bool is_integer = port.type == FmuPort::Type::integer;
    require(is_integer ? FOREIGN(fmi2SetInteger)(instance, &port.reference, 1, &number)
                       : FOREIGN(fmi2SetBoolean)(instance, &port.reference, 1, &number),
            "take a value");
  }
  double get(const FmuPort& port) override {
    double value = 0;
    int number = 0;
    if (port.type == FmuPort::Type::real)
      return require(FOREIGN(fmi2GetReal)(instance, &port.reference, 1, &value), "give a value"), value;
    const bool is_integer = port.type == FmuPort::Type::integer;
    require(is_integer ? FOREIGN(fmi2GetInteger)(instance, &port.reference, 1, &number)
                       : FOREIGN(fmi2GetBoolean)(instance, &port.reference, 1, &number),
            "give a value");
    return number;
  }
  void initialize(double t, double end) override {
    require(FOREIGN(fmi2SetupExperiment)(instance, fmi2False, 0, t, fmi2True, end), "take its times");
    require(FOREIGN(fmi2EnterInitializationMode)(instance), "begin its initialization");
    require(FOREIGN(fmi2ExitInitializationMode)(instance), "initialize");
  }
  void step(double t, double length) override {
    require(FOREIGN(fmi2DoStep)(instance, t, length, fmi2True),
            fmt::format("step from t = {:g} s to {:g} s", t, t + length).c_str());
  }

  static void log(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String, fmi2String message,
                  ...) {
    if (status == fmi2OK) return;
    char text[1000];
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    static_cast<Binary2*>(environment)->logged = text;
  }
  fmi2CallbackFunctions callbacks;
  fmi2Component instance = nullptr;
};

struct Binary3 final : ForeignFmu::Binary {
  Binary3(std::string given, std::string_view archive, FmuInterface described)
      : Binary(std::move(given), archive, std::move(described)) {
    const std::string resources = (folder.path / "resources").string() + "/";
    instance = FOREIGN(fmi3InstantiateCoSimulation)(name.c_str(), interface.token.c_str(), resources.c_str(), false,
                                                    false, false, false, nullptr, 0, this, &log, nullptr);
    if (!instance) require(fmi3Error, "make an instance");
  }
  ~Binary3() override {
    if (instance) FOREIGN(fmi3FreeInstance)(instance);
  }
  void set(const FmuPort& port, double value) override {
    const auto number = static_cast<fmi3Int32>(std::lround(value));
    const bool truth = value != 0;
    switch (port.type) {
      case FmuPort::Type::real:
        return require(FOREIGN(fmi3SetFloat64)(instance, &port.reference, 1, &value, 1), "take a value");
      case FmuPort::Type::integer:
        return require(FOREIGN(fmi3SetInt32)(instance, &port.reference, 1, &number, 1), "take a value");
      case FmuPort::Type::boolean:
        return require(FOREIGN(fmi3SetBoolean)(instance, &port.reference, 1, &truth, 1), "take a value");
    }
  }
  double get(const FmuPort& port) override {
    double value = 0;
    fmi3Int32 number = 0;
    bool truth = false;
    switch (port.type) {
      case FmuPort::Type::real:
        require(FOREIGN(fmi3GetFloat64)(instance, &port.reference, 1, &value, 1), "give a value");
        return value;
      case FmuPort::Type::integer:
        require(FOREIGN(fmi3GetInt32)(instance, &port.reference, 1, &number, 1), "give a value");
        return number;
      case FmuPort::Type::boolean: break;
    }
    require(FOREIGN(fmi3GetBoolean)(instance, &port.reference, 1, &truth, 1), "give a value");
    return truth;
  }
  void initialize(double t, double end) override {
    require(FOREIGN(fmi3EnterInitializationMode)(instance, false, 0, t, true, end), "begin its initialization");
    require(FOREIGN(fmi3ExitInitializationMode)(instance), "initialize");
  }
  void step(double t, double length) override {
    bool event = false, terminate = false, early = false;
    double last = t;
    const std::string what = fmt::format("step from t = {:g} s to {:g} s", t, t + length);
    require(FOREIGN(fmi3DoStep)(instance, t, length, true, &event, &terminate, &early, &last), what.c_str());
    if (terminate) throw ComputationError(fmt::format("the FMU '{}' ends the simulation at t = {:g} s", name, last));
  }
  static void log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String, fmi3String message) {
    if (status != fmi3OK) static_cast<Binary3*>(environment)->logged = message;
  }
  fmi3Instance instance = nullptr;
};

#undef FOREIGN

}  // namespace

ForeignFmu::ForeignFmu(const std::string& name, std::string_view archive) {
  FmuInterface described = fmu_interface(archive);
  if (described.version == 2)
    binary_ = std::make_unique<Binary2>(name, archive, std::move(described));
  else
    binary_ = std::make_unique<Binary3>(name, archive, std::move(described));
}

ForeignFmu::~ForeignFmu() = default;

const FmuInterface& ForeignFmu::interface() const { return binary_->interface; }
// Numbers of this program are in SI, those of the FMU in its own units.
void ForeignFmu::set(const FmuPort& port, double value) { binary_->set(port, (value - port.offset) / port.factor); }
double ForeignFmu::get(const FmuPort& port) { return port.factor * binary_->get(port) + port.offset; }
void ForeignFmu::initialize(double t, double end) { binary_->initialize(t, end); }
void ForeignFmu::step(double t, double length) { binary_->step(t, length); }

}  // namespace armature::internal
