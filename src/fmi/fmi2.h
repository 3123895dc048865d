/* The functions and types of FMI 2.0 (Functional Mock-up Interface for model exchange and co-simulation), for whoever implements them
   (binary/) and for whoever calls them. */
#ifndef ARMATURE_FMI2_H
#define ARMATURE_FMI2_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FMI2_EXPORT __attribute__((visibility("default")))

typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char* fmi2String;
typedef char fmi2Byte;

enum { fmi2False = 0, fmi2True = 1 };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef struct {
  void (*logger)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status, fmi2String category, fmi2String message,
                 ...);
  void* (*allocateMemory)(size_t count, size_t size);
  void (*freeMemory)(void*);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

/* both kinds */
FMI2_EXPORT const char* fmi2GetTypesPlatform(void);
FMI2_EXPORT const char* fmi2GetVersion(void);
FMI2_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean on, size_t count, const fmi2String categories[]);
FMI2_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type, fmi2String guid, fmi2String resources,
                                          const fmi2CallbackFunctions*, fmi2Boolean visible, fmi2Boolean logging);
FMI2_EXPORT void fmi2FreeInstance(fmi2Component);
FMI2_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean with_tolerance, fmi2Real tolerance,
                                           fmi2Real start, fmi2Boolean with_stop, fmi2Real stop);
FMI2_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component);
FMI2_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component);
FMI2_EXPORT fmi2Status fmi2Terminate(fmi2Component);
FMI2_EXPORT fmi2Status fmi2Reset(fmi2Component);

#define FMI2_ACCESS(Type)                                                                                       \
  FMI2_EXPORT fmi2Status fmi2Get##Type(fmi2Component, const fmi2ValueReference[], size_t, fmi2##Type values[]); \
  FMI2_EXPORT fmi2Status fmi2Set##Type(fmi2Component, const fmi2ValueReference[], size_t, const fmi2##Type values[]);
FMI2_ACCESS(Real)
FMI2_ACCESS(Integer)
FMI2_ACCESS(Boolean)
FMI2_ACCESS(String)
#undef FMI2_ACCESS

FMI2_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component, fmi2FMUstate*);
FMI2_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component, fmi2FMUstate);
FMI2_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate*);
FMI2_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, size_t* size);
FMI2_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate, fmi2Byte bytes[], size_t size);
FMI2_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte bytes[], size_t size, fmi2FMUstate*);
FMI2_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component, const fmi2ValueReference unknowns[],
                                                    size_t unknown_count, const fmi2ValueReference knowns[],
                                                    size_t known_count, const fmi2Real seed[], fmi2Real sensitivity[]);

/* model exchange */
FMI2_EXPORT fmi2Status fmi2EnterEventMode(fmi2Component);
FMI2_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component, fmi2EventInfo*);
FMI2_EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component);
FMI2_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean final, fmi2Boolean* enter_event_mode,
                                                   fmi2Boolean* terminate);
FMI2_EXPORT fmi2Status fmi2SetTime(fmi2Component, fmi2Real);
FMI2_EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component, const fmi2Real x[], size_t count);
FMI2_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component, fmi2Real rates[], size_t count);
FMI2_EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component, fmi2Real indicators[], size_t count);
FMI2_EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component, fmi2Real x[], size_t count);
FMI2_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component, fmi2Real nominals[], size_t count);

/* co-simulation */
FMI2_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component, const fmi2ValueReference[], size_t,
                                                   const fmi2Integer orders[], const fmi2Real values[]);
FMI2_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component, const fmi2ValueReference[], size_t,
                                                    const fmi2Integer orders[], fmi2Real values[]);
FMI2_EXPORT fmi2Status fmi2DoStep(fmi2Component, fmi2Real t, fmi2Real length, fmi2Boolean final);
FMI2_EXPORT fmi2Status fmi2CancelStep(fmi2Component);
FMI2_EXPORT fmi2Status fmi2GetStatus(fmi2Component, fmi2StatusKind, fmi2Status*);
FMI2_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component, fmi2StatusKind, fmi2Real*);
FMI2_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer*);
FMI2_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2StatusKind, fmi2Boolean*);
FMI2_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String*);

#ifdef __cplusplus
}
#endif

#endif
