// A binary has every function of the standards, whether its model uses it or not: hosts look all of them up when they load it.
#include <gtest/gtest.h>

#include <sstream>

#include "fmi/host.hpp"

namespace armature::internal {
namespace {

constexpr const char* functions_of_fmi2 =
    "CancelStep CompletedIntegratorStep DeSerializeFMUstate DoStep EnterContinuousTimeMode EnterEventMode "
    "EnterInitializationMode ExitInitializationMode FreeFMUstate FreeInstance GetBoolean GetBooleanStatus "
    "GetContinuousStates GetDerivatives GetDirectionalDerivative GetEventIndicators GetFMUstate GetInteger "
    "GetIntegerStatus GetNominalsOfContinuousStates GetReal GetRealOutputDerivatives GetRealStatus GetStatus "
    "GetString GetStringStatus GetTypesPlatform GetVersion Instantiate NewDiscreteStates Reset SerializeFMUstate "
    "SerializedFMUstateSize SetBoolean SetContinuousStates SetDebugLogging SetFMUstate SetInteger SetReal "
    "SetRealInputDerivatives SetString SetTime SetupExperiment Terminate";

constexpr const char* functions_of_fmi3 =
    "ActivateModelPartition CompletedIntegratorStep DeserializeFMUState DoStep EnterConfigurationMode "
    "EnterContinuousTimeMode EnterEventMode EnterInitializationMode EnterStepMode EvaluateDiscreteStates "
    "ExitConfigurationMode ExitInitializationMode FreeFMUState FreeInstance GetAdjointDerivative GetBinary "
    "GetBoolean GetClock GetContinuousStateDerivatives GetContinuousStates GetDirectionalDerivative "
    "GetEventIndicators GetFMUState GetFloat32 GetFloat64 GetInt16 GetInt32 GetInt64 GetInt8 GetIntervalDecimal "
    "GetIntervalFraction GetNominalsOfContinuousStates GetNumberOfContinuousStates GetNumberOfEventIndicators "
    "GetNumberOfVariableDependencies GetOutputDerivatives GetShiftDecimal GetShiftFraction GetString GetUInt16 "
    "GetUInt32 GetUInt64 GetUInt8 GetVariableDependencies GetVersion InstantiateCoSimulation "
    "InstantiateModelExchange InstantiateScheduledExecution Reset SerializeFMUState SerializedFMUStateSize SetBinary "
    "SetBoolean SetClock SetContinuousStates SetDebugLogging SetFMUState SetFloat32 SetFloat64 SetInt16 SetInt32 "
    "SetInt64 SetInt8 SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction SetString SetTime "
    "SetUInt16 SetUInt32 SetUInt64 SetUInt8 Terminate UpdateDiscreteStates";

TEST(FmuBinary, HasAllFunctionsOfBothStandards) {
  void* library = dlopen((std::filesystem::path(fmu_directory) / "armature_fmu.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << dlerror();
  for (const auto& [prefix, names] : {std::pair{"fmi2", functions_of_fmi2}, {"fmi3", functions_of_fmi3}}) {
    std::istringstream words(names);
    for (std::string name; words >> name;) EXPECT_TRUE(dlsym(library, (prefix + name).c_str())) << prefix << name;
  }
  dlclose(library);
}

}  // namespace
}  // namespace armature::internal
