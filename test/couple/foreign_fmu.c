/* An FMU of FMI 2.0 or 3.0 (FMI_VERSION) for co-simulation that misbehaves as the name of its instance says, or else the environment variable
   FMU_DEED. It has the input u, 1, the output y, 0, and the parameter k, 2: y = k*u. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if FMI_VERSION == 2
#include "fmi/fmi2.h"
#define FMI(name) fmi2##name
#else
#include "fmi/fmi3.h"
#define FMI(name) fmi3##name
#endif

typedef FMI(Status) Status;
static char deed[100];
static double u, y, k = 1;
static int steps;
#if FMI_VERSION == 2
static const fmi2CallbackFunctions* callbacks;
#else
static fmi3LogMessageCallback logger;
static void* environment;
#endif

static int is(const char* name) { return strcmp(deed, name) == 0; }

/* in the environment of the host, or without one */
static void say(int with_environment, Status status, const char* text) {
#if FMI_VERSION == 2
  callbacks->logger(with_environment ? callbacks->componentEnvironment : NULL, "name", status, "category", text);
#else
  logger(with_environment ? environment : NULL, status, "category", text);
#endif
}

static volatile int* volatile nowhere = NULL;
/* a file that tells that this code ran */
static void mark(const char* variable) {
  const char* name = getenv(variable);
  FILE* file = name ? fopen(name, "w") : NULL;
  if (file) fclose(file);
}

static void crash(void) { *nowhere = 1; }

__attribute__((constructor)) static void loaded(void) {
  const char* given = getenv("FMU_DEED");
  mark("FMU_LOADED");
  if (!given) return;
  strncpy(deed, given, sizeof deed - 1);
  if (is("abort_when_loaded")) abort();
  if (is("exit_when_loaded")) exit(0);
  if (is("pause_when_loaded")) pause();
}

static void* make(const char* name) {
  if (!deed[0]) strncpy(deed, name, sizeof deed - 1);
  if (is("no_instance")) return NULL;
  if (is("log_nothing")) return say(1, FMI(Error), NULL), NULL;
  if (is("log_without_environment")) say(0, FMI(Warning), "who am I?");
  if (is("log_much")) {
    static char much[200001];
    memset(much, 'x', sizeof much - 1);
    say(1, FMI(Error), much);
    return NULL;
  }
  return &steps;
}

static Status step(void) {
  y = k * u;
  ++steps;
  if (is("chdir") && chdir("/") != 0) return FMI(Error);
  if (is("print")) printf("step %d\n", steps), fprintf(stderr, "\033[31mred\n");
  if (is("flood"))
    for (int n = 0; n < 20000; ++n) puts("many words");
  if (is("close"))
    for (int n = 0; n < 3; ++n) close(n);
  if (is("ignore_signals")) signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN);
  if (steps != 5) return FMI(OK);
  if (is("crash")) crash();
  if (is("abort")) fputs("assertion failed: pressure > 0\n", stderr), abort();
  if (is("exit")) exit(0);
  if (is("exit_at_once")) _exit(7);
  if (is("terminate")) raise(SIGTERM);
  if (is("loop")) mark("FMU_LOOPS");
  if (is("loop"))
    for (volatile int n = 0;; ++n) {
    }
  if (is("fork_and_crash")) {
    if (fork() == 0) sleep(1000);
    crash();
  }
  if (is("discard")) return FMI(Discard);
  if (is("fatal")) return FMI(Fatal);
  if (is("minus_three")) return (Status)-3;
  if (is("seventy_seven")) return (Status)77;
  if (is("colors")) {
    say(1, FMI(Error), "\033[31mred\033[0m\a \xff\xfe text\nwith \033]0;title\alines");
    return FMI(Error);
  }
  return FMI(OK);
}

static void release(void) {
  if (is("abort_at_the_end")) abort();
}

/* ------------------------------------------------------------------ the functions of the standards */

#if FMI_VERSION == 2
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* given, fmi2Boolean visible, fmi2Boolean logging) {
  callbacks = given;
  return make(name);
}
void fmi2FreeInstance(fmi2Component c) { release(); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean a, fmi2Real b, fmi2Real t, fmi2Boolean d, fmi2Real e) {
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return is("no_initialization") ? fmi2Fatal : fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference* r, size_t n, const fmi2Real* v) {
  *(r[0] == 1 ? &u : &k) = v[0];
  return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference* r, size_t n, fmi2Real* v) {
  v[0] = y;
  return is("no_value") ? fmi2Error : fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean p) { return step(); }
#else
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference* intermediate, size_t count,
                                         fmi3InstanceEnvironment given, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
  logger = log, environment = given;
  return make(name);
}
void fmi3FreeInstance(fmi3Instance c) { release(); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean a, fmi3Float64 b, fmi3Float64 t, fmi3Boolean d,
                                       fmi3Float64 e) {
  return is("no_initialization") ? fmi3Fatal : fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference* r, size_t n, const fmi3Float64* v, size_t m) {
  *(r[0] == 1 ? &u : &k) = v[0];
  return fmi3OK;
}
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference* r, size_t n, fmi3Float64* v, size_t m) {
  v[0] = y;
  return is("no_value") ? fmi3Error : fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean p, fmi3Boolean* event, fmi3Boolean* end,
                      fmi3Boolean* early, fmi3Float64* last) {
  if (is("ask_for_the_end") && steps == 4) *end = true, *last = t;
  return step();
}
#endif
