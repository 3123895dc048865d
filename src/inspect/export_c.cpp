#include "inspect/export_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "expression/c_code.hpp"
#include "inspect/code_text.hpp"
#include "record/version.hpp"
#include "simulate/ledger.hpp"

namespace armature {

namespace {

// Text with @ for the prefix and $NAME$ for numbers.
std::string fill(std::string text, const std::string& prefix,
                 const std::vector<std::pair<std::string, std::string>>& numbers = {}) {
  for (const auto& [name, value] : numbers)
    for (std::size_t at; (at = text.find("$" + name + "$")) != std::string::npos;)
      text.replace(at, name.size() + 2, value);
  std::string filled;
  for (char c : text) filled += c == '@' ? prefix : std::string(1, c);
  return filled;
}

class CFile {
 public:
  CFile(const Prepared& prepared, std::string model_name, std::string prefix)
      : prepared_(prepared),
        system_(*prepared.system),
        e_(system_.equations()),
        n_(system_.layout()),
        kernels_(system_.kernels()),
        model_name_(std::move(model_name)),
        prefix_(std::move(prefix)) {}

  std::string write() const {
    return title() + head() + c_code_preamble() + functions() + inputs() + modes() + derivative() + projection() +
           samples() + step();
  }

 private:
  int rows() const { return kernels_.rows(); }
  bool baumgarte() const { return prepared_.options.alpha != 0 || prepared_.options.beta != 0; }
  bool projects() const { return prepared_.options.projection && rows() > 0; }

  std::string names(const std::string& what, const std::vector<std::string>& list) const {
    std::string text = fmt::format("const char *const {}_{}[] = {{", prefix_, what);
    for (const std::string& name : list) text += fmt::format("\"{}\", ", c_string_text(name));
    return text + "0};\n";
  }
  std::string numbers(const std::string& declaration, const double* values, std::size_t count) const {
    std::string text = declaration + " = {";
    for (std::size_t i = 0; i < count; ++i) text += c_number(values[i]) + ", ";
    return text + (count == 0 ? "0.0};\n" : "};\n");
  }

  // Not to be filled: whatever stands in the name stays as it is.
  std::string title() const {
    return fmt::format("/* {}: equations of motion, written by Armature {}.\n\n", c_comment_text(model_name_),
                       version());
  }

  std::string head() const {
    std::string text = fmt::format(
        "   @_start(&s)             the assembled start\n"
        "   @_step(&s, p, h)        one step of length h: Runge-Kutta of order four{}\n"
        "   @_derivative(&s, p, d)  d = ds.x/dt\n"
        "   @_quantities(&s, p, y)  what the model records, in the order of @_quantity_names\n\n"
        "   p: values of @_parameter_names (@_parameters has the model's). Steps and derivatives return 0, or 1 where "
        "the\n"
        "   constraints are singular and the state is left as it was. Comparisons are taken as they come.\n"
        "   C99; no allocation, no file, no lock; doubles. */\n#include <math.h>\n#include <string.h>\n\n",
        projects() ? ", then projection onto the constraints" : "");
    text += fmt::format(
        "enum {{ @_nq = {}, @_nv = {}, @_nz = {}, @_nx = {}, @_nd = {}, @_nw = {}, @_np = {}, @_ny = {} }};\n", n_.nq,
        n_.nv, n_.nz, n_.nx(), n_.nd, n_.nw, n_.np, e_.quantities.size());
    text +=
        "typedef struct {\n  double t;        /* s */\n  double x[$NX$];  /* q, v, z: see @_state_names */\n"
        "  double d[$ND$];  /* held values */\n  long samples[$ND$]; /* taken so far */\n} @_state;\n\n";
    std::vector<std::string> states, quantities;
    for (const auto* list : {&e_.positions, &e_.velocities, &e_.others})
      for (const Coordinate& c : *list) states.push_back(c.name);
    for (const Quantity& quantity : e_.quantities) quantities.push_back(quantity.name);
    text += names("state_names", states) + names("quantity_names", quantities) + names("parameter_names", e_.p_name);
    text += numbers("const double @_parameters[]", e_.p_value.data(), e_.p_value.size());
    const State& start = prepared_.start;
    text += numbers("static const double @_x0[]", start.x.data(), start.x.size());
    text += numbers("static const double @_d0[]", start.d.data(), start.d.size());
    text += fmt::format(
        "\nvoid @_start(@_state *s) {{\n  memset(s, 0, sizeof *s);\n  s->t = {};\n"
        "  memcpy(s->x, @_x0, sizeof s->x);\n  memcpy(s->d, @_d0, sizeof s->d);\n}}\n\n",
        c_number(start.t));
    return filled(text);
  }

  std::string functions() const {
    std::string text = function(baumgarte() ? Kernel::acceleration_baumgarte : Kernel::acceleration, "acceleration");
    if (projects())
      text += function(Kernel::correct_position, "correct_position") +
              function(Kernel::correct_velocity, "correct_velocity");
    if (n_.nw > 0) text += function(Kernel::roots, "roots");
    if (n_.nd > 0) text += function(Kernel::discrete, "next");
    return text + function(Kernel::observables, "observables");
  }

  // A kernel, and where its outputs stand: @_acceleration_vdot …
  std::string function(Kernel kernel, const std::string& name) const {
    std::string places = "enum {";
    for (const Output output : entry_of(kernel).outputs)
      places += fmt::format(" @_{}_{} = {},", name, name_of(output), kernels_.output(kernel, output));
    places += fmt::format(" @_{}_size = {} }};\n", name, kernels_.output_count(kernel));
    return c_function(*kernels_.program(kernel), prefix_ + "_" + name) + fill(places, prefix_);
  }

  // in: t | q v z | d | w | p (| alpha beta)
  std::string inputs() const {
    return filled(R"(static void @_inputs(double t, const double *x, const double *d, const double *p, double *in) {
  in[0] = t;
  memcpy(in + 1, x, @_nx * sizeof(double));
  for (int i = 0; i < @_nd; ++i) in[$D$ + i] = d[i];
  for (int i = 0; i < @_np; ++i) in[$P$ + i] = p[i];
}

)");
  }

  // Outcomes of comparisons and floors, from their roots; as often as they are nested.
  std::string modes() const {
    if (n_.nw == 0) return filled("static void @_modes(double *in) { (void)in; }\n\n");
    return filled(fmt::format("static const char @_mode_kinds[] = \"{}\"; /* g: root >= 0, a: root > 0, f: floor */\n",
                              mode_kinds()) +
                  R"(static void @_modes(double *in) {
  double roots[@_nw];
  for (int i = 0; i < @_nw; ++i) in[$W$ + i] = 1.0;
  for (int pass = 0; pass < $NESTING$; ++pass) {
    @_roots(in, roots);
    for (int i = 0; i < @_nw; ++i) {
      const char kind = @_mode_kinds[i];
      in[$W$ + i] = kind == 'f' ? floor(roots[i]) : (kind == 'g' ? roots[i] >= 0.0 : roots[i] > 0.0) ? 1.0 : 0.0;
    }
  }
}

)");
  }

  std::string mode_kinds() const {
    std::string kinds;
    for (const Graph::Mode& mode : e_.graph->modes()) kinds += "gaf"[static_cast<int>(mode.kind)];
    return kinds;
  }

  std::string derivative() const {
    return filled(R"(/* 1 where a pivot is lost: the rows of the constraints depend on each other there */
static int @_singular(const double *mass_pivots, const double *pivots, const double *scales) {
  for (int i = 0; i < @_nv; ++i)
    if (!(mass_pivots[i] > 0.0)) return 1;
  for (int i = 0; i < $M$; ++i)
    if (!(pivots[i] > 1e-8 * scales[i])) return 1;
  return 0;
}

static int @_rate(double t, const double *x, const double *d, const double *p, double *rate) {
  double in[$IN$], out[@_acceleration_size];
  @_inputs(t, x, d, p, in);
  @_modes(in);
  in[$ALPHA_AT$] = $ALPHA$, in[$BETA_AT$] = $BETA$;
  @_acceleration(in, out);
  if (@_singular(out + @_acceleration_mass_pivots, out + @_acceleration_pivots, out + @_acceleration_scales)) return 1;
  memcpy(rate, out + @_acceleration_qdot, @_nq * sizeof(double));
  memcpy(rate + @_nq, out + @_acceleration_vdot, @_nv * sizeof(double));
  for (int i = 0; i < @_nz; ++i) rate[@_nq + @_nv + i] = out[@_acceleration_zdot + i];
  return 0;
}

int @_derivative(const @_state *s, const double *p, double *rate) { return @_rate(s->t, s->x, s->d, p, rate); }

void @_quantities(const @_state *s, const double *p, double *values) {
  double in[$IN$], out[@_observables_size];
  @_inputs(s->t, s->x, s->d, p, in);
  @_modes(in);
  @_observables(in, out);
  for (int i = 0; i < @_ny; ++i) values[i] = out[@_observables_quantities + i];
}

)");
  }

  // q + N dv: plain coordinates move by their velocity's step, quaternions by half its product with them.
  std::string advance() const {
    std::string text = "static void @_advance(double *q, const double *dv) {\n";
    int velocity = 0;
    for (int position = 0; position < n_.nq;) {
      const bool ball = std::any_of(e_.quaternions.begin(), e_.quaternions.end(),
                                    [&](const auto& quaternion) { return quaternion[0] == position; });
      text += ball ? fmt::format("  @_turn(q + {}, dv + {});\n", position, velocity)
                   : fmt::format("  q[{}] += dv[{}];\n", position, velocity);
      position += ball ? 4 : 1, velocity += ball ? 3 : 1;
    }
    return text + "}\n\n";
  }

  std::string normalize() const {
    std::string text = "static void @_normalize(double *q) {\n";
    for (const auto& [position, velocity] : e_.quaternions) text += fmt::format("  @_unit(q + {});\n", position);
    return text + (e_.quaternions.empty() ? "  (void)q;\n" : "") + "}\n\n";
  }

  std::string projection() const {
    std::string text;
    if (!e_.quaternions.empty())
      text += R"(static void @_unit(double *e) {
  const double size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
  for (int i = 0; i < 4; ++i) e[i] /= size;
}
)";
    text += normalize();
    if (!projects())
      return filled(text +
                    "static int @_project(double t, double *x, const double *d, const double *p) {\n"
                    "  (void)t, (void)d, (void)p;\n  @_normalize(x);\n  return 0;\n}\n\n");
    if (!e_.quaternions.empty())
      text += R"(static void @_turn(double *e, const double *w) {
  const double a = e[0], b = e[1], c = e[2], d = e[3];
  e[0] -= 0.5 * (b * w[0] + c * w[1] + d * w[2]);
  e[1] += 0.5 * (a * w[0] + c * w[2] - d * w[1]);
  e[2] += 0.5 * (a * w[1] + d * w[0] - b * w[2]);
  e[3] += 0.5 * (a * w[2] + b * w[1] - c * w[0]);
  @_unit(e);
}
)";
    text += advance();
    text +=
        R"(/* Newton's steps onto the constraints along the shortest way in the kinetic metric, then the velocities */
static int @_project(double t, double *x, const double *d, const double *p) {
  double in[$IN$], position[@_correct_position_size], velocity[@_correct_velocity_size], largest = 1.0;
  const double *dq = position + @_correct_position_dq, *dv = velocity + @_correct_velocity_dv;
  @_normalize(x);
  for (int k = 0; k < 5 && largest > 1e-8; ++k) {
    @_inputs(t, x, d, p, in);
    @_modes(in);
    @_correct_position(in, position);
    if (@_singular(position + @_correct_position_mass_pivots, position + @_correct_position_pivots,
                   position + @_correct_position_scales))
      return 1;
    @_advance(x, dq);
    largest = 0.0;
    for (int i = 0; i < @_nv; ++i) largest = fmax(largest, fabs(dq[i]));
  }
  @_inputs(t, x, d, p, in);
  @_modes(in);
  @_correct_velocity(in, velocity);
  if (@_singular(velocity + @_correct_velocity_mass_pivots, velocity + @_correct_velocity_pivots,
                 velocity + @_correct_velocity_scales))
    return 1;
  for (int i = 0; i < @_nv; ++i) x[@_nq + i] += dv[i];
  return 0;
}

)";
    return filled(text);
  }

  // Held values: some follow every step, sampled ones change at offset + k period, or at the first step after it.
  std::string samples() const {
    if (n_.nd == 0)
      return filled(
          "static void @_sample(@_state *s, const double *p, int after_step) { (void)s, (void)p, (void)after_step; "
          "}\n\n");
    std::string text = R"(static void @_sample(@_state *s, const double *p, int after_step) {
  double in[$IN$], next[@_nd];
  @_inputs(s->t, s->x, s->d, p, in);
  @_modes(in);
  @_next(in, next);
)";
    for (int k = 0; k < n_.nd; ++k) {
      const Discrete& value = e_.discrete[k];
      if (value.turns_of) continue;
      if (value.follows_steps())
        text += fmt::format("  if (after_step) s->d[{0}] = next[{0}];\n", k);
      else
        text += fmt::format(
            "  if (s->t >= {1} + s->samples[{0}] * {2} - 1e-9 * {2}) s->d[{0}] = next[{0}], ++s->samples[{0}];\n", k,
            c_number(value.offset), c_number(value.period));
    }
    if (std::ranges::none_of(e_.discrete, &Discrete::follows_steps)) text += "  (void)after_step;\n";
    return filled(text + "}\n\n");
  }

  std::string step() const {
    return filled(R"(int @_step(@_state *s, const double *p, double h) {
  static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  double x[$NX$], sum[$NX$] = {0.0}, rate[$NX$] = {0.0};
  @_sample(s, p, 0);
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < @_nx; ++i) x[i] = s->x[i] + part[k] * h * rate[i];
    if (@_rate(s->t + part[k] * h, x, s->d, p, rate)) return 1;
    for (int i = 0; i < @_nx; ++i) sum[i] += weight[k] * rate[i];
  }
  for (int i = 0; i < @_nx; ++i) x[i] = s->x[i] + h / 6.0 * sum[i];
  if (@_project(s->t + h, x, s->d, p)) return 1;
  memcpy(s->x, x, sizeof s->x);
  s->t += h;
  @_sample(s, p, 1);
  return 0;
}
)");
  }

  std::string filled(const std::string& text) const {
    const auto number = [](int value) { return std::to_string(value); };
    return fill(text, prefix_,
                {{"NX", number(std::max(1, n_.nx()))},
                 {"ND", number(std::max(1, n_.nd))},
                 {"D", number(n_.d())},
                 {"W", number(n_.w())},
                 {"NESTING", number(system_.mode_nesting())},
                 {"P", number(n_.p())},
                 {"M", number(rows())},
                 {"IN", number(kernels_.input_count(Kernel::acceleration_baumgarte))},
                 {"ALPHA_AT", number(kernels_.input(Input::alpha))},
                 {"BETA_AT", number(kernels_.input(Input::beta))},
                 {"ALPHA", c_number(prepared_.options.alpha)},
                 {"BETA", c_number(prepared_.options.beta)}});
  }

  const Prepared& prepared_;
  const System& system_;
  const Equations& e_;
  const Layout& n_;
  const Kernels& kernels_;
  std::string model_name_, prefix_;
};

}  // namespace

std::string c_identifier(const std::string& name) {
  std::string result;
  for (char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "model_" + result;
  return result;
}

std::string export_c(const Prepared& prepared, const std::string& model_name, const std::string& prefix) {
  if (!prepared.system->program(Kernel::acceleration))
    throw std::invalid_argument("only a system with a traced solve can be exported");
  Prepared motion = prepared;
  drop_ledger(motion);  // nobody balances energy on the target
  return CFile(motion, model_name, prefix).write();
}

}  // namespace armature
