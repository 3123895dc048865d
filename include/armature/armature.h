/* Armature from C and from languages that call C. Handles are opaque. Use a run from one thread at a time; threads may share machines.
 *
 * Functions that can fail return NULL, a negative number or NaN; armature_error() then returns the messages, one per line, until
 * the next call of this thread. A NULL handle or text is an error; freeing NULL does nothing. Names and texts are UTF-8; numbers are
 * in SI units. */
#ifndef ARMATURE_H
#define ARMATURE_H

#include <stddef.h>

#if defined(__GNUC__)
#define ARMATURE_C_API __attribute__((visibility("default")))
#else
#define ARMATURE_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armature_machine armature_machine;
typedef struct armature_run armature_run;

ARMATURE_C_API const char* armature_version(void);
ARMATURE_C_API const char* armature_error(void); /* of the last call in this thread; "" on success */

/* Reads and compiles a model file. settings: NAME, VALUE, NAME, VALUE, ..., NULL: values that replace those of the file; or NULL.
 * inputs: names of parameters that become inputs, then NULL; or NULL. */
ARMATURE_C_API armature_machine* armature_compile(const char* file, const char* const* settings,
                                                  const char* const* inputs);
/* The same for a model that names files outside its own folder: all of them lie below the folder root. */
ARMATURE_C_API armature_machine* armature_compile_within(const char* root, const char* file,
                                                         const char* const* settings, const char* const* inputs);
ARMATURE_C_API void armature_machine_free(armature_machine* machine);
ARMATURE_C_API int armature_input_count(const armature_machine* machine);
ARMATURE_C_API const char* armature_input_name(const armature_machine* machine, int input);
ARMATURE_C_API const char* armature_input_unit(const armature_machine* machine, int input);
ARMATURE_C_API double armature_input_default(const armature_machine* machine, int input);
ARMATURE_C_API int armature_input(const armature_machine* machine,
                                  const char* name); /* its number; -1: there is none */

/* A motion from the start of the model. The machine may be freed before the run. */
ARMATURE_C_API armature_run* armature_run_new(const armature_machine* machine);
ARMATURE_C_API void armature_run_free(armature_run* run);
ARMATURE_C_API double armature_time(const armature_run* run);                      /* s, or NaN */
ARMATURE_C_API int armature_set_input(armature_run* run, int input, double value); /* 0, or -1 */
ARMATURE_C_API int armature_advance(armature_run* run, double t);                  /* to exactly t: 0, or -1 */

ARMATURE_C_API int armature_channel_count(const armature_run* run);
ARMATURE_C_API const char* armature_channel_name(const armature_run* run, int channel);
ARMATURE_C_API const char* armature_channel_unit(const armature_run* run, int channel);
ARMATURE_C_API int armature_channel(const armature_run* run, const char* name);      /* its number; -1: there is none */
ARMATURE_C_API double armature_value(armature_run* run, int channel);                /* at the present time */
ARMATURE_C_API int armature_values(armature_run* run, double* values, size_t count); /* the first channels: 0, or -1 */

/* Events so far: changes of comparisons, and events of the file. Texts stay valid until the run is advanced or freed. */
ARMATURE_C_API int armature_event_count(armature_run* run);
ARMATURE_C_API double armature_event_time(armature_run* run, int event); /* s */
ARMATURE_C_API const char* armature_event_text(armature_run* run, int event);

/* Status of the run. armature_finish() ends the run and returns its status; the run cannot be advanced after that. */
enum { ARMATURE_RUNNING = 0, ARMATURE_FINISHED = 1, ARMATURE_STOPPED = 2, ARMATURE_FAILED = 3 };
ARMATURE_C_API int armature_status(armature_run* run); /* one of these; -1: run is NULL */
ARMATURE_C_API int armature_finish(armature_run* run);
ARMATURE_C_API const char* armature_outcome(armature_run* run); /* a sentence; stays valid like the texts of events */
ARMATURE_C_API int armature_warning_count(armature_run* run);
ARMATURE_C_API const char* armature_warning(armature_run* run, int warning);

/* The state as an array of numbers, to return to it later. Its size does not change during a run. */
ARMATURE_C_API size_t armature_state_size(const armature_run* run);                            /* 0: run is NULL */
ARMATURE_C_API int armature_get_state(const armature_run* run, double* numbers, size_t count); /* 0, or -1 */
ARMATURE_C_API int armature_set_state(armature_run* run, const double* numbers, size_t count); /* 0, or -1 */

#ifdef __cplusplus
}
#endif
#endif
