#include "inspect/export_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <string_view>

#include "dynamics/motion_parts.hpp"
#include "dynamics/projection.hpp"
#include "expression/c_code.hpp"
#include "inspect/code_text.hpp"
#include "inspect/export_c_texts.hpp"
#include "integrate/integrator.hpp"
#include "model/request_error.hpp"
#include "observe/ledger.hpp"
#include "record/version.hpp"
#include "step/sample_clock.hpp"

namespace armature::internal {

extern const std::string_view step_text;  // step/exported.hpp and all that it includes

namespace {

using namespace export_c_texts;

using Clock = std::pair<double, double>;  // period and offset, s

std::vector<Clock> clocks_of(const Equations& equations) {
  std::vector<Clock> clocks;
  for (const Discrete& value : equations.discrete)
    if (const Clock clock(value.period, value.offset); value.period > 0 && !std::ranges::count(clocks, clock))
      clocks.push_back(clock);
  return clocks;
}

// The model's own where it takes fixed steps; semi-implicit Euler has the tableau of Euler.
const step::Method& exported_method(const std::string& integrator) {
  const step::Method& method = method_of(integrator);
  return method.controlled ? *step::find_method(step::real_time_method) : method;
}

// In lines that can be read. Never empty: neither language has arrays without entries.
template <class List, class Text>
std::string listed(const List& list, const Text& text_of, const std::string& nothing) {
  std::string text;
  std::size_t line = 0;  // where it begins
  for (const auto& entry : list) {
    if (!text.empty()) text += ",";
    const bool is_full = text.size() - line > 90;
    if (is_full) line = text.size();
    if (!text.empty()) text += is_full ? "\n      " : " ";
    text += text_of(entry);
  }
  return text.empty() ? nothing : text;
}
template <class Vector>
std::string numbers(const Vector& values) {
  return listed(values, c_number, "0.0");
}

class Exporter {
 public:
  Exporter(const Prepared& prepared, const step::Method& method, std::string model_name, std::string prefix)
      : prepared_(prepared),
        system_(*prepared.system),
        e_(system_.equations()),
        n_(system_.layout()),
        kernels_(system_.kernels()),
        clocks_(clocks_of(e_)),
        method_(method),
        model_name_(std::move(model_name)),
        prefix_(std::move(prefix)) {
    take_sizes();
    take_start();
    take_step();
  }

  ExportedCode write() const {
    std::string code;
    for (const auto& [kernel, name] : functions()) code += c_function(*kernels_.program(kernel), prefix_ + "_" + name);
    code += filled(inputs_text) + outcomes() + filled(rates_text);
    return {title("its code in C and C++") + filled(header_text),
            title("equations of motion in C99") + filled(data_text) + c_code_preamble(code) + code,
            title("its step, by the step kernel of Armature's own runs") + filled(step_begin) + std::string(step_text) +
                filled(plant_text) + filled(step_end)};
  }

  // Gains follow the parameters.
  std::string write_unit() {
    const auto gain = [&](Input input, int place) {
      return fmt::format("  in[{}] = p[{}];\n", kernels_.input(input), n_.np + place);
    };
    set("GAINS", pulled() ? gain(Input::alpha, 0) + gain(Input::beta, 1) : "");
    set("KERNELS", declarations(false));
    std::string code;
    for (const auto& [kernel, name] : functions())
      if (kernel != Kernel::observables) code += device_function(*kernels_.program(kernel), prefix_ + "_" + name);
    return filled(unit_text) + code + "inline " + filled(inputs_text) + "inline " + outcomes() + filled(unit_rates) +
           filled(plant_text);
  }

  std::string foreign() const {
    for (const auto& [kernel, name] : functions())
      if (const std::string function = foreign_function(*kernels_.program(kernel));
          kernel != Kernel::observables && !function.empty())
        return function;
    return "";
  }

 private:
  int rows() const { return kernels_.rows(); }
  bool pulled() const { return prepared_.options.alpha != 0 || prepared_.options.beta != 0; }
  // The adjustment of dependent coordinates iterates without a bound on its time: projection stands in for it.
  bool projects() const { return (prepared_.options.projection || prepared_.options.post_adjust) && rows() > 0; }

  bool follows() const { return std::ranges::any_of(e_.discrete, &Discrete::follows_steps); }

  // The model's name is not filled: whatever stands in it stays as it is.
  std::string title(const std::string& content) const {
    return fmt::format("/* {}: {}, written by Armature {}.", c_comment_text(model_name_), content, version());
  }

  struct Function {
    Kernel kernel;
    std::string name;
  };
  std::vector<Function> functions() const {
    std::vector<Function> list = {{pulled() ? Kernel::acceleration_baumgarte : Kernel::acceleration, "acceleration"}};
    if (projects())
      for (const Kernel kernel : {Kernel::correct_motion, Kernel::correct_position, Kernel::correct_velocity})
        list.push_back({kernel, entry_of(kernel).name});
    if (n_.nw > 0) list.push_back({Kernel::roots, "roots"});
    if (follows() || !clocks_.empty()) list.push_back({Kernel::discrete, "discrete"});
    list.push_back({Kernel::observables, "observables"});
    return list;
  }

  // The kernels, and where the outputs of each stand: rrr_acceleration_vdot …
  std::string declarations(bool functions_too) const {
    std::string text;
    for (const auto& [kernel, name] : functions()) {
      const std::string first = prefix_ + "_" + name;
      const auto place = [&, kernel = kernel](Output output) {
        return fmt::format("{}_{} = {}", first, name_of(output), kernels_.output(kernel, output));
      };
      if (functions_too) text += fmt::format("\nvoid {}(const double *in, double *out);", first);
      text += fmt::format("\nenum {{ {1}, {0}_size = {2} }};", first, listed(entry_of(kernel).outputs, place, ""),
                          kernels_.output_count(kernel));
    }
    return text;
  }

  // The kernels as the step calls them.
  std::string views() const {
    std::string text;
    for (const auto& [kernel, name] : functions()) {
      if (kernel == Kernel::roots || kernel == Kernel::observables) continue;
      const auto& given = entry_of(kernel).outputs;
      std::vector<Output> outputs(given.begin(), given.end());
      std::ranges::sort(outputs);  // as KernelOutputs declares them
      const auto output = [&, &name = name](Output o) {
        return fmt::format(".{0} = out + {1}_{2}_{0}", name_of(o), prefix_, name);
      };
      text += fmt::format(
          "  static KernelOutputs<1> {0}(const double* in, Row<1>* out) {{\n    {1}_{0}(in, out->lane);\n    return "
          "{{{2}}};\n  "
          "}}\n",
          name, prefix_, listed(outputs, output, ""));
    }
    return text;
  }

  std::string names(const std::string& what, const std::vector<std::string>& list) const {
    const auto quoted = [](const std::string& name) { return fmt::format("\"{}\"", c_string_text(name)); };
    return fmt::format("const char *const {}_{}[] = {{{}0}};\n", prefix_, what,
                       list.empty() ? "" : listed(list, quoted, "") + ", ");
  }

  std::string outcomes() const {
    return filled(n_.nw > 0 ? outcomes_text : "void @_outcomes(double *in) { (void)in; }\n\n");
  }

  void take_sizes() {
    const int sizes[] = {n_.nq, n_.nv, n_.nz, n_.nx(), n_.nd, n_.nw, n_.np};
    const char* names[] = {"NQ", "NV", "NZ", "NX", "ND", "NW", "NP"};
    for (std::size_t i = 0; i < std::size(sizes); ++i) set(names[i], sizes[i]);
    set("NY", e_.quantities.size());
    set("SOME_X", std::max(1, n_.nx())), set("SOME_D", std::max(1, n_.nd));
    set("SOME_CLOCKS", std::max<std::size_t>(1, clocks_.size()));
    set("D", n_.d()), set("W", n_.w()), set("P", n_.p());
    set("ROWS", rows());
    set("INPUTS", kernels_.input_count(pulled() ? Kernel::acceleration_baumgarte : Kernel::acceleration));
    set("NESTING", system_.comparison_nesting());
    set("KERNELS", declarations(true));
    set("VIEWS", views());
    std::string kinds;
    for (const Graph::Comparison& comparison : e_.graph->comparisons())
      kinds += "gaf"[static_cast<int>(comparison.kind)];
    set("KINDS", kinds);
    set("SINGULAR", c_number(Regularity::squared(Regularity::singular)));
  }

  void take_start() {
    std::vector<std::string> states, quantities;
    for (const auto* list : {&e_.positions, &e_.velocities, &e_.others})
      for (const Coordinate& c : *list) states.push_back(c.name);
    for (const Quantity& quantity : e_.quantities) quantities.push_back(quantity.name);
    set("NAMES", names("state_names", states) + names("quantity_names", quantities) +
                     names("parameter_names", e_.p_name) +
                     fmt::format("const double {}_parameters[] = {{{}}};\n", prefix_, numbers(e_.p_value)));
    const State& start = prepared_.start;
    set("T0", c_number(start.t)), set("X0", numbers(start.x)), set("D0", numbers(start.d));
    set("SAMPLES0", listed(
                        clocks_,
                        [&](const Clock& clock) {
                          return std::to_string(step::SampleClock::from(clock.first, clock.second, start.t).count);
                        },
                        "0"));
    const auto gain = [&](Input input, double value) {
      return fmt::format("  in[{}] = {};\n", kernels_.input(input), c_number(value));
    };
    set("GAINS",
        pulled() ? gain(Input::alpha, prepared_.options.alpha) + gain(Input::beta, prepared_.options.beta) : "");
  }

  void take_step() {
    const MotionParts parts(system_);
    const auto sizes = parts.sizes();
    set("METHOD", std::string(method_.what) + (projects() ? ", then projection onto the constraints" : ""));
    const std::string tableau(method_.symplectic ? "euler" : method_.tableau_name);
    set("TABLEAU", tableau);
    set("TABLE", tableau == "dormand_prince_853" ? "dop853_tables::make()" : "tables::" + tableau);
    set("POSITIONS", method_.symplectic ? n_.nq : 0);
    int outputs = 1;
    for (const Function& function : functions()) outputs = std::max(outputs, kernels_.output_count(function.kernel));
    set("OUTPUTS", outputs);
    set("PROJECTS", projects() ? "true" : "false");
    set("FOLLOWS", follows() ? "true" : "false");
    const step::Configuration& c = sizes.configuration;
    const auto pair = [](const step::Configuration::Pair& at) { return fmt::format("{{{}, {}}}", at.q, at.v); };
    set("PLAIN_COUNT", c.plain_count), set("QUATERNION_COUNT", c.quaternion_count);
    set("PLAIN", listed(std::span(c.plain, c.plain_count), pair, "{0, 0}"));
    set("QUATERNIONS", listed(std::span(c.quaternions, c.quaternion_count), pair, "{0, 0}"));
    const auto clock = [](const Clock& k) { return fmt::format("{{{}, {}}}", c_number(k.first), c_number(k.second)); };
    set("CLOCK_COUNT", clocks_.size()), set("CLOCKS", listed(clocks_, clock, "{0.0, 0.0}"));
    const auto clock_of = [&](const Discrete& value) -> std::string {
      const Clock clock(value.period, value.offset);
      if (value.period > 0) return std::to_string(std::ranges::find(clocks_, clock) - clocks_.begin());
      return value.follows_steps() ? "follows_steps" : "never_changes";
    };
    set("CLOCK_OF", listed(e_.discrete, clock_of, "never_changes"));
    take_machine_size();
  }

  // What projection measures by, taken where a run begins.
  void take_machine_size() {
    SystemEvaluator evaluator(prepared_.system);
    evaluator.set_parameters(prepared_.parameters);
    evaluator.set(prepared_.start);
    Projection projection(evaluator);
    if (projects()) projection.begin(prepared_.start.t, prepared_.start.x.data());
    const step::MachineSizes sizes = projection.sizes();
    const auto list = [&](const double* values, int count) {
      return numbers(std::span(values, static_cast<std::size_t>(values ? count : 0)));
    };
    set("PER_ROW", list(sizes.rows, rows()));
    set("PER_POSITION", list(sizes.positions, n_.nq)), set("PER_VELOCITY", list(sizes.velocities, n_.nv));
    set("RATE", c_number(prepared_.options.rate));
  }

  void set(const std::string& name, const std::string& value) { values_[name] = value; }
  template <class Number>
  requires std::is_integral_v<Number>
  void set(const std::string& name, Number value) { set(name, std::to_string(value)); }

  // In one pass: what is put in stays as it is.
  std::string filled(std::string_view text) const {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '@') {
        result += prefix_;
      } else if (text[at] == '$') {
        const std::size_t end = text.find('$', at + 1);
        result += values_.at(std::string(text.substr(at + 1, end - at - 1)));
        at = end;
      } else {
        result += text[at];
      }
    }
    return result;
  }

  const Prepared& prepared_;
  const System& system_;
  const Equations& e_;
  const Layout& n_;
  const Kernels& kernels_;
  std::vector<Clock> clocks_;
  const step::Method& method_;
  std::string model_name_, prefix_;
  std::map<std::string, std::string> values_;
};

}  // namespace

std::string c_identifier(const std::string& name) {
  std::string result;
  for (char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (result.empty() || result[0] == '_' || std::isdigit(static_cast<unsigned char>(result[0])))
    result = "model_" + result;
  return result;
}

namespace {

// Impacts are for the full engine.
void refuse_contacts(const Prepared& prepared) {
  if (const auto& contacts = prepared.system->equations().contacts; !contacts.empty())
    throw RequestError(contacts.front().label +
                       " is rigid, which exported code cannot compute; give the contact a stiffness");
}

Prepared exported_motion(const Prepared& prepared) {
  if (!prepared.system->program(Kernel::acceleration))
    throw std::invalid_argument("only a system with a traced solve can be exported");
  Prepared motion = prepared;
  drop_ledger(motion);  // nobody balances energy on the target
  return motion;
}

}  // namespace

ExportedCode export_c(const Prepared& prepared, const std::string& model_name, const std::string& prefix) {
  refuse_contacts(prepared);
  const Prepared motion = exported_motion(prepared);
  return Exporter(motion, exported_method(motion.options.integrator), model_name, prefix).write();
}

UnitCode export_unit(const Prepared& prepared) {
  const Prepared motion = exported_motion(prepared);
  Exporter exporter(motion, method_of(motion.options.integrator), "", "model");
  return {exporter.write_unit(), exporter.foreign()};
}

}  // namespace armature::internal
