// What exported code is filled into: @ stands for the prefix, $NAME$ for something of the model.
#pragma once

#include <string_view>

namespace armature::internal::export_c_texts {

inline constexpr std::string_view header_text = R"(

   @_start(&s)             the assembled start
   @_step(&s, p, h)        one step of length h: $METHOD$
   @_derivative(&s, p, d)  d = ds.x/dt
   @_quantities(&s, p, y)  what the model records, in the order of @_quantity_names

   p: values of @_parameter_names (@_parameters has the model's). Steps and derivatives return 0, or
     1  the constraints are singular here, or a number is not finite
     2  the state does not return to its constraints
   and a step then leaves the state as it was. Events are not located. A sample within a step cuts it in two.
   No allocation, no file, no lock, no exception; doubles. */
#ifndef @_included
#define @_included
#ifdef __cplusplus
extern "C" {
#endif

enum { @_nq = $NQ$, @_nv = $NV$, @_nz = $NZ$, @_nx = $NX$, @_nd = $ND$, @_nw = $NW$, @_np = $NP$, @_ny = $NY$ };

typedef struct {
  double t; /* s */
  double x[$SOME_X$]; /* q, v, z: see @_state_names */
  double d[$SOME_D$]; /* held values */
  long long samples[$SOME_CLOCKS$]; /* taken so far, of each period */
  double from, length; /* steps lie on a grid: t = from + steps length */
  long long steps;
} @_state;

/* a null pointer ends each */
extern const char *const @_state_names[], *const @_quantity_names[], *const @_parameter_names[];
extern const double @_parameters[];

void @_start(@_state *s);
int @_step(@_state *s, const double *p, double h);
int @_derivative(const @_state *s, const double *p, double *rate);
void @_quantities(const @_state *s, const double *p, double *values);

/* What these are made of. in: t | q v z | d | outcomes of comparisons | p | Baumgarte's gains */
enum { @_inputs_size = $INPUTS$ };
void @_inputs(double t, const double *x, const double *d, const double *p, double *in);
void @_outcomes(double *in); /* takes the outcomes of comparisons */
int @_rates(const double *in, double *rate); /* with the outcomes that are set */
$KERNELS$
#ifdef __cplusplus
}
#endif
#endif
)";

inline constexpr std::string_view data_text = R"( */
#include "@.h"

#include <math.h>

$NAMES$
void @_start(@_state *s) {
  static const double x[] = {$X0$}, d[] = {$D0$};
  static const long long samples[] = {$SAMPLES0$};
  for (int i = 0; i < $SOME_X$; ++i) s->x[i] = x[i];
  for (int i = 0; i < $SOME_D$; ++i) s->d[i] = d[i];
  for (int i = 0; i < $SOME_CLOCKS$; ++i) s->samples[i] = samples[i];
  s->t = s->from = $T0$, s->length = 0.0, s->steps = 0;
}

)";

inline constexpr std::string_view inputs_text =
    R"(void @_inputs(double t, const double *x, const double *d, const double *p, double *in) {
  in[0] = t;
  for (int i = 0; i < @_nx; ++i) in[1 + i] = x[i];
  for (int i = 0; i < @_nd; ++i) in[$D$ + i] = d[i];
  for (int i = 0; i < @_nw; ++i) in[$W$ + i] = 1.0;
  for (int i = 0; i < @_np; ++i) in[$P$ + i] = p[i];
$GAINS$}

)";

inline constexpr std::string_view outcomes_text =
    R"(/* as often as comparisons and floors are nested; g: root >= 0, a: root > 0, f: floor */
void @_outcomes(double *in) {
  static const char kinds[] = "$KINDS$";
  double roots[@_nw];
  for (int pass = 0; pass < $NESTING$; ++pass) {
    @_roots(in, roots);
    for (int i = 0; i < @_nw; ++i)
      in[$W$ + i] = kinds[i] == 'f' ? floor(roots[i]) : (kinds[i] == 'g' ? roots[i] >= 0.0 : roots[i] > 0.0) ? 1.0 : 0.0;
  }
}

)";

inline constexpr std::string_view rates_text = R"(int @_rates(const double *in, double *rate) {
  double out[@_acceleration_size], *last = rate;
  @_acceleration(in, out);
  for (int i = 0; i < @_nv; ++i)
    if (!(out[@_acceleration_mass_pivots + i] > 0.0)) return 1;
  for (int i = 0; i < $ROWS$; ++i) /* squares of sines between constraints */
    if (!(out[@_acceleration_pivots + i] >= $SINGULAR$ * out[@_acceleration_scales + i])) return 1;
  for (int i = 0; i < @_nq; ++i) *last++ = out[@_acceleration_qdot + i];
  for (int i = 0; i < @_nv; ++i) *last++ = out[@_acceleration_vdot + i];
  for (int i = 0; i < @_nz; ++i) *last++ = out[@_acceleration_zdot + i];
  for (int i = 0; i < @_nx; ++i)
    if (!(rate[i] - rate[i] == 0.0)) return 1;
  return 0;
}

int @_derivative(const @_state *s, const double *p, double *rate) {
  double in[@_inputs_size];
  @_inputs(s->t, s->x, s->d, p, in);
  @_outcomes(in);
  return @_rates(in, rate);
}

void @_quantities(const @_state *s, const double *p, double *values) {
  double in[@_inputs_size], out[@_observables_size];
  @_inputs(s->t, s->x, s->d, p, in);
  @_outcomes(in);
  @_observables(in, out);
  for (int i = 0; i < @_ny; ++i) values[i] = out[@_observables_quantities + i];
}
)";

inline constexpr std::string_view step_begin = R"( C++20.

   What follows @.h is Armature's own step; the model begins at the end, with struct Plant. */
#include "@.h"

#define armature @_armature /* a namespace of its own, so that models of several versions can be linked */
#define ARMATURE_SCALAR
#ifdef __clang__
#if __has_warning("-Wbitwise-instead-of-logical")
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical" /* a set of one state is a bool */
#endif
#endif

)";

inline constexpr std::string_view plant_text = R"(namespace {

using namespace armature::step;

struct Plant : NoKernels {
  using State = @_state;
  static constexpr int nq = @_nq, nv = @_nv, nz = @_nz, nx = @_nx, nd = @_nd, rows = $ROWS$;
  static constexpr int inputs = @_inputs_size, outputs = $OUTPUTS$;
  static constexpr bool projects = $PROJECTS$, follows = $FOLLOWS$;

  static constexpr int plain_count = $PLAIN_COUNT$, quaternion_count = $QUATERNION_COUNT$;
  static constexpr Configuration::Pair plain[] = {$PLAIN$}, quaternions[] = {$QUATERNIONS$};
  static constexpr double per_row[] = {$PER_ROW$};
  static constexpr double per_position[] = {$PER_POSITION$};
  static constexpr double per_velocity[] = {$PER_VELOCITY$};
  static constexpr double rate = $RATE$;

  static constexpr int clock_count = $CLOCK_COUNT$, clock_of[] = {$CLOCK_OF$};
  static constexpr Clock clocks[] = {$CLOCKS$};

  static constexpr int positions = $POSITIONS$;
  static const Tableau& method() { return $TABLEAU$(); }
  static constexpr Tableau table() { return $TABLE$; }

  static void set(double t, const double* x, const double* d, const double* p, double* in) { @_inputs(t, x, d, p, in); }
  static void outcomes(double* in) { @_outcomes(in); }
  static int rates(const double* in, double* rate) { return @_rates(in, rate); }
$VIEWS$};

}  // namespace
)";

inline constexpr std::string_view step_end = R"(
extern "C" int @_step(@_state* s, const double* p, double h) { return ExportedStep<Plant>::take(*s, p, h); }
)";

// The model in a translation unit that holds everything: what is rare has no rates, and leaves.
inline constexpr std::string_view unit_text = R"(
enum { @_nq = $NQ$, @_nv = $NV$, @_nz = $NZ$, @_nx = $NX$, @_nd = $ND$, @_nw = $NW$, @_np = $NP$, @_inputs_size = $INPUTS$ };

typedef struct {
  double t; /* s */
  double x[$SOME_X$], d[$SOME_D$];
  long long samples[$SOME_CLOCKS$];
  double from, length;
  long long steps;
} @_state;
$KERNELS$

)";
inline constexpr std::string_view unit_rates = "inline int @_rates(const double *, double *) { return 1; }\n\n";

}  // namespace armature::internal::export_c_texts
