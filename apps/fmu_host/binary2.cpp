#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "binary.hpp"
#include "fmi/fmi2.h"

namespace armature::fmu_host {

namespace {

#define FOREIGN(name) function<decltype(name)>(#name)

void log_message(fmi2ComponentEnvironment, fmi2String, fmi2Status status, fmi2String, fmi2String message, ...) {
  char text[fmu_protocol::text_size] = "";
  va_list arguments;
  va_start(arguments, message);
  if (message) vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  log(status, text);
}

class Binary2 final : public Binary {
 public:
  using Binary::Binary;

  void instantiate(const Request& request) override {
    begin(Deed::instantiate);
    const std::string resources = "file://" + request.resources;
    instance_ = FOREIGN(fmi2Instantiate)(request.name.c_str(), fmi2CoSimulation, request.token.c_str(),
                                         resources.c_str(), &callbacks_, fmi2False, fmi2False);
    if (!instance_) throw Refused{fmi2Error};
  }

  void set(const Value& value) override {
    begin(Deed::set);
    const int number = static_cast<int>(std::lround(value.number));
    switch (value.type) {
      case fmu_protocol::ValueType::real:
        return require(FOREIGN(fmi2SetReal)(instance_, &value.reference, 1, &value.number));
      case fmu_protocol::ValueType::integer:
        return require(FOREIGN(fmi2SetInteger)(instance_, &value.reference, 1, &number));
      case fmu_protocol::ValueType::boolean:
        return require(FOREIGN(fmi2SetBoolean)(instance_, &value.reference, 1, &number));
    }
  }

  double get(const Value& value) override {
    begin(Deed::get);
    double real = 0;
    int number = 0;
    switch (value.type) {
      case fmu_protocol::ValueType::real:
        require(FOREIGN(fmi2GetReal)(instance_, &value.reference, 1, &real));
        return real;
      case fmu_protocol::ValueType::integer:
        require(FOREIGN(fmi2GetInteger)(instance_, &value.reference, 1, &number));
        break;
      case fmu_protocol::ValueType::boolean:
        require(FOREIGN(fmi2GetBoolean)(instance_, &value.reference, 1, &number));
        break;
    }
    return number;
  }

  void initialize(double t, double end) override {
    begin(Deed::setup);
    require(FOREIGN(fmi2SetupExperiment)(instance_, fmi2False, 0, t, fmi2True, end));
    begin(Deed::begin_initialization);
    require(FOREIGN(fmi2EnterInitializationMode)(instance_));
    begin(Deed::initialize);
    require(FOREIGN(fmi2ExitInitializationMode)(instance_));
  }

  void step(double t, double length) override {
    begin(Deed::step);
    require(FOREIGN(fmi2DoStep)(instance_, t, length, fmi2True));
  }

  void free() override {
    begin(Deed::free);
    FOREIGN(fmi2FreeInstance)(instance_);
  }

 private:
  fmi2CallbackFunctions callbacks_{&log_message, &std::calloc, &std::free, nullptr, this};
  fmi2Component instance_ = nullptr;
};

#undef FOREIGN

}  // namespace

std::unique_ptr<Binary> make_binary2(const Request& request, Memory& memory) {
  return std::make_unique<Binary2>(request, memory);
}

}  // namespace armature::fmu_host
