/* The functions and types of FMI 3.0, for whoever implements them (binary/) and for whoever calls them. */
#ifndef ARMATURE_FMI3_H
#define ARMATURE_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FMI3_EXPORT __attribute__((visibility("default")))

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 t, fmi3Boolean set_requested,
                                               fmi3Boolean get_allowed, fmi3Boolean step_finished,
                                               fmi3Boolean can_return_early, fmi3Boolean* early_return_requested,
                                               fmi3Float64* early_return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* all kinds */
FMI3_EXPORT const char* fmi3GetVersion(void);
FMI3_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean on, size_t count, const fmi3String categories[]);
FMI3_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean visible, fmi3Boolean logging, fmi3InstanceEnvironment,
                                                      fmi3LogMessageCallback);
FMI3_EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                     fmi3Boolean visible, fmi3Boolean logging,
                                                     fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
                                                     const fmi3ValueReference intermediate_variables[],
                                                     size_t intermediate_variable_count, fmi3InstanceEnvironment,
                                                     fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
FMI3_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                           fmi3Boolean visible, fmi3Boolean logging,
                                                           fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                                           fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                                           fmi3UnlockPreemptionCallback);
FMI3_EXPORT void fmi3FreeInstance(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean with_tolerance, fmi3Float64 tolerance,
                                                   fmi3Float64 start, fmi3Boolean with_stop, fmi3Float64 stop);
FMI3_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3Terminate(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3Reset(fmi3Instance);

#define FMI3_ACCESS(Type)                                                                                           \
  FMI3_EXPORT fmi3Status fmi3Get##Type(fmi3Instance, const fmi3ValueReference[], size_t, fmi3##Type values[],       \
                                       size_t value_count);                                                         \
  FMI3_EXPORT fmi3Status fmi3Set##Type(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3##Type values[], \
                                       size_t value_count);
FMI3_ACCESS(Float32)
FMI3_ACCESS(Float64)
FMI3_ACCESS(Int8)
FMI3_ACCESS(UInt8)
FMI3_ACCESS(Int16)
FMI3_ACCESS(UInt16)
FMI3_ACCESS(Int32)
FMI3_ACCESS(UInt32)
FMI3_ACCESS(Int64)
FMI3_ACCESS(UInt64)
FMI3_ACCESS(Boolean)
FMI3_ACCESS(String)
#undef FMI3_ACCESS
FMI3_EXPORT fmi3Status fmi3GetBinary(fmi3Instance, const fmi3ValueReference[], size_t, size_t sizes[],
                                     fmi3Binary values[], size_t value_count);
FMI3_EXPORT fmi3Status fmi3SetBinary(fmi3Instance, const fmi3ValueReference[], size_t, const size_t sizes[],
                                     const fmi3Binary values[], size_t value_count);
FMI3_EXPORT fmi3Status fmi3GetClock(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Clock values[]);
FMI3_EXPORT fmi3Status fmi3SetClock(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Clock values[]);

FMI3_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3ValueReference, size_t* count);
FMI3_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3ValueReference, size_t elements[],
                                                   fmi3ValueReference independents[], size_t independent_elements[],
                                                   fmi3DependencyKind kinds[], size_t count);

FMI3_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState*);
FMI3_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
FMI3_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState*);
FMI3_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, size_t* size);
FMI3_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte bytes[], size_t size);
FMI3_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte bytes[], size_t size, fmi3FMUState*);

FMI3_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance, const fmi3ValueReference unknowns[],
                                                    size_t unknown_count, const fmi3ValueReference knowns[],
                                                    size_t known_count, const fmi3Float64 seed[], size_t seed_count,
                                                    fmi3Float64 sensitivity[], size_t sensitivity_count);
FMI3_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance, const fmi3ValueReference unknowns[], size_t unknown_count,
                                                const fmi3ValueReference knowns[], size_t known_count,
                                                const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],
                                                size_t sensitivity_count);

FMI3_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance);

FMI3_EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64 intervals[],
                                              fmi3IntervalQualifier qualifiers[]);
FMI3_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64 counters[],
                                               fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]);
FMI3_EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64 shifts[]);
FMI3_EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64 counters[],
                                            fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], size_t,
                                              const fmi3Float64 intervals[]);
FMI3_EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance, const fmi3ValueReference[], size_t,
                                               const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance, const fmi3ValueReference[], size_t,
                                           const fmi3Float64 shifts[]);
FMI3_EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance, const fmi3ValueReference[], size_t,
                                            const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance, fmi3Boolean* again, fmi3Boolean* terminate,
                                                fmi3Boolean* nominals_changed, fmi3Boolean* values_changed,
                                                fmi3Boolean* next_event_time_defined, fmi3Float64* next_event_time);

/* model exchange */
FMI3_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance, fmi3Boolean final, fmi3Boolean* enter_event_mode,
                                                   fmi3Boolean* terminate);
FMI3_EXPORT fmi3Status fmi3SetTime(fmi3Instance, fmi3Float64);
FMI3_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance, const fmi3Float64 x[], size_t count);
FMI3_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance, fmi3Float64 rates[], size_t count);
FMI3_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance, fmi3Float64 indicators[], size_t count);
FMI3_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance, fmi3Float64 x[], size_t count);
FMI3_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance, fmi3Float64 nominals[], size_t count);
FMI3_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance, size_t* count);
FMI3_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance, size_t* count);

/* co-simulation */
FMI3_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance);
FMI3_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance, const fmi3ValueReference[], size_t,
                                                const fmi3Int32 orders[], fmi3Float64 values[], size_t value_count);
FMI3_EXPORT fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64 t, fmi3Float64 length, fmi3Boolean final,
                                  fmi3Boolean* event_handling_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                                  fmi3Float64* last_time);

/* scheduled execution */
FMI3_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance, fmi3ValueReference clock, fmi3Float64 t);

#ifdef __cplusplus
}
#endif

#endif
