// A host that passes NULL gets an error and a sentence, in every function and every state; never a signal.
#include <gmock/gmock.h>

#include <array>

#include "fmi/host.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// A pointer to zeros, which hold a value, a reference or a pointer that is NULL. A state has no such place: what is no state of this FMU
// cannot be told from one.
template <class T>
T something() {
  static std::array<double, 512> zeros;
  if constexpr (!std::is_pointer_v<T>)
    return static_cast<T>(1);
  else if constexpr (std::is_void_v<std::remove_pointer_t<T>>)
    return nullptr;
  else
    return zeros.fill(0), reinterpret_cast<T>(const_cast<void*>(static_cast<const void*>(zeros.data())));
}

// NULL for a pointer, one for a number: "one value, which is nowhere".
template <class T>
T nothing_if(bool is_nothing) {
  if constexpr (std::is_pointer_v<T>)
    return is_nothing ? nullptr : something<T>();
  else
    return something<T>();
}

template <class Status, class Instance, class... More, std::size_t... Place>
void call_with_nothing(Status (*function)(Instance, More...), Instance instance, std::index_sequence<Place...>) {
  for (unsigned nulls = 1; nulls < 1u << sizeof...(More); ++nulls)
    function(instance, nothing_if<More>((nulls >> Place & 1) != 0)...);
}

// With NULL in each of the arguments, and in every choice of several.
template <class Status, class Instance, class... More>
void call_with_nothing(Status (*function)(Instance, More...), Instance instance) {
  call_with_nothing(function, instance, std::index_sequence_for<More...>());
}

// clang-format off
#define EACH_OF_FMI3(CALL)                                                                                           \
  CALL(SetDebugLogging)                                                                                              \
  CALL(GetFloat64)                                                                                                   \
  CALL(SetFloat64) CALL(GetFloat32) CALL(SetFloat32) CALL(GetInt8) CALL(SetInt32) CALL(GetBoolean) CALL(SetString)   \
      CALL(GetBinary) CALL(SetBinary) CALL(GetClock) CALL(SetClock) CALL(GetNumberOfVariableDependencies)            \
          CALL(GetVariableDependencies) CALL(GetFMUState) CALL(SetFMUState) CALL(FreeFMUState)                       \
              CALL(SerializedFMUStateSize) CALL(SerializeFMUState) CALL(DeserializeFMUState)                         \
                  CALL(GetDirectionalDerivative) CALL(GetAdjointDerivative) CALL(GetIntervalDecimal)                 \
                      CALL(GetShiftFraction) CALL(SetIntervalDecimal) CALL(ActivateModelPartition)                   \
                          CALL(EvaluateDiscreteStates) CALL(UpdateDiscreteStates) CALL(CompletedIntegratorStep)      \
                              CALL(SetContinuousStates) CALL(GetContinuousStateDerivatives) CALL(GetEventIndicators) \
                                  CALL(GetContinuousStates) CALL(GetNominalsOfContinuousStates)                      \
                                      CALL(GetNumberOfEventIndicators) CALL(GetNumberOfContinuousStates)             \
                                          CALL(GetOutputDerivatives) CALL(DoStep)

#define EACH_OF_FMI2(CALL)                                                                                          \
  CALL(SetDebugLogging)                                                                                             \
  CALL(GetReal)                                                                                                     \
  CALL(SetReal) CALL(GetInteger) CALL(SetInteger) CALL(GetBoolean) CALL(SetBoolean) CALL(GetString) CALL(SetString) \
      CALL(GetFMUstate) CALL(SetFMUstate) CALL(FreeFMUstate) CALL(SerializedFMUstateSize) CALL(SerializeFMUstate)   \
          CALL(DeSerializeFMUstate) CALL(GetDirectionalDerivative) CALL(NewDiscreteStates)                          \
              CALL(CompletedIntegratorStep) CALL(SetContinuousStates) CALL(GetDerivatives) CALL(GetEventIndicators) \
                  CALL(GetContinuousStates) CALL(GetNominalsOfContinuousStates) CALL(SetRealInputDerivatives)       \
                      CALL(GetRealOutputDerivatives) CALL(GetStatus) CALL(GetRealStatus) CALL(GetIntegerStatus)     \
                          CALL(GetBooleanStatus) CALL(GetStringStatus)
// clang-format on

void call_each_of_fmi3(const UnpackedFmu& fmu, fmi3Instance instance) {
#define CALL(name) call_with_nothing(FMU(fmi3##name), instance);
  EACH_OF_FMI3(CALL)
#undef CALL
}

void call_each_of_fmi2(const UnpackedFmu& fmu, fmi2Component component) {
#define CALL(name) call_with_nothing(FMU(fmi2##name), component);
  EACH_OF_FMI2(CALL)
#undef CALL
}

TEST(FmuNull, IsAnErrorInEveryStateOfFmi3) {
  const UnpackedFmu fmu("models/crane.yaml", FmiVersion::fmi3);
  call_each_of_fmi3(fmu, nullptr);
  for (const auto kind : {Instance3::Kind::co_simulation, Instance3::Kind::model_exchange}) {
    Instance3 fresh(fmu, kind);
    call_each_of_fmi3(fmu, fresh.instance);
    EXPECT_THAT(fresh.logged, HasSubstr("is NULL"));
    Instance3 entering(fmu, kind);
    EXPECT_EQ(FMU(fmi3EnterInitializationMode)(entering.instance, false, 0, 0, false, 0), fmi3OK);
    call_each_of_fmi3(fmu, entering.instance);
    Instance3 running(fmu, kind);
    running.initialize();
    call_each_of_fmi3(fmu, running.instance);
    Instance3 ended(fmu, kind);
    ended.initialize();
    EXPECT_EQ(FMU(fmi3Terminate)(ended.instance), fmi3OK);
    call_each_of_fmi3(fmu, ended.instance);
  }
}

TEST(FmuNull, IsAnErrorInEveryStateOfFmi2) {
  const UnpackedFmu fmu("models/crane.yaml", FmiVersion::fmi2);
  call_each_of_fmi2(fmu, nullptr);
  EXPECT_EQ(FMU(fmi2Instantiate)(nullptr, fmi2CoSimulation, nullptr, nullptr, nullptr, false, true), nullptr);
  for (const fmi2Type type : {fmi2CoSimulation, fmi2ModelExchange})
    for (int states = 0; states < 4; ++states) {
      const fmi2Component one =
          FMU(fmi2Instantiate)("one", type, fmu.token().c_str(), fmu.resources().c_str(), nullptr, false, false);
      ASSERT_TRUE(one);
      if (states > 0) {
        EXPECT_EQ(FMU(fmi2SetupExperiment)(one, false, 0, 0, false, 0), fmi2OK);
      }
      if (states > 0) {
        EXPECT_EQ(FMU(fmi2EnterInitializationMode)(one), fmi2OK);
      }
      if (states > 1) {
        EXPECT_EQ(FMU(fmi2ExitInitializationMode)(one), fmi2OK);
      }
      if (states > 2) {
        EXPECT_EQ(FMU(fmi2Terminate)(one), fmi2OK);
      }
      call_each_of_fmi2(fmu, one);
      FMU(fmi2FreeInstance)(one);
    }
}

}  // namespace
}  // namespace armature::internal
