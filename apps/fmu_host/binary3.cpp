#include <cmath>

#include "binary.hpp"
#include "fmi/fmi3.h"

namespace armature::fmu_host {

namespace {

#define FOREIGN(name) function<decltype(name)>(#name)

void log_message(fmi3InstanceEnvironment, fmi3Status status, fmi3String, fmi3String message) { log(status, message); }

class Binary3 final : public Binary {
 public:
  using Binary::Binary;

  void instantiate(const Request& request) override {
    begin(Deed::instantiate);
    const std::string resources = request.resources + "/";
    instance_ =
        FOREIGN(fmi3InstantiateCoSimulation)(request.name.c_str(), request.token.c_str(), resources.c_str(), false,
                                             false, false, false, nullptr, 0, this, &log_message, nullptr);
    if (!instance_) throw Refused{fmi3Error};
  }

  void set(const Value& value) override {
    begin(Deed::set);
    const auto number = static_cast<fmi3Int32>(std::lround(value.number));
    const bool truth = value.number != 0;
    switch (value.type) {
      case fmu_protocol::ValueType::real:
        return require(FOREIGN(fmi3SetFloat64)(instance_, &value.reference, 1, &value.number, 1));
      case fmu_protocol::ValueType::integer:
        return require(FOREIGN(fmi3SetInt32)(instance_, &value.reference, 1, &number, 1));
      case fmu_protocol::ValueType::boolean:
        return require(FOREIGN(fmi3SetBoolean)(instance_, &value.reference, 1, &truth, 1));
    }
  }

  double get(const Value& value) override {
    begin(Deed::get);
    double real = 0;
    fmi3Int32 number = 0;
    bool truth = false;
    switch (value.type) {
      case fmu_protocol::ValueType::real:
        require(FOREIGN(fmi3GetFloat64)(instance_, &value.reference, 1, &real, 1));
        return real;
      case fmu_protocol::ValueType::integer:
        require(FOREIGN(fmi3GetInt32)(instance_, &value.reference, 1, &number, 1));
        return number;
      case fmu_protocol::ValueType::boolean: break;
    }
    require(FOREIGN(fmi3GetBoolean)(instance_, &value.reference, 1, &truth, 1));
    return truth;
  }

  void initialize(double t, double end) override {
    begin(Deed::begin_initialization);
    require(FOREIGN(fmi3EnterInitializationMode)(instance_, false, 0, t, true, end));
    begin(Deed::initialize);
    require(FOREIGN(fmi3ExitInitializationMode)(instance_));
  }

  void step(double t, double length) override {
    begin(Deed::step);
    bool event = false, terminate = false, early = false;
    double last = t;
    require(FOREIGN(fmi3DoStep)(instance_, t, length, true, &event, &terminate, &early, &last));
    if (terminate) throw Terminated{last};
  }

  void free() override {
    begin(Deed::free);
    FOREIGN(fmi3FreeInstance)(instance_);
  }

 private:
  fmi3Instance instance_ = nullptr;
};

#undef FOREIGN

}  // namespace

std::unique_ptr<Binary> make_binary3(const Request& request, Memory& memory) {
  return std::make_unique<Binary3>(request, memory);
}

}  // namespace armature::fmu_host
