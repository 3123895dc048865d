#include "plan/planned_machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "expression/derivative.hpp"
#include "model/formula_tree.hpp"
#include "model/formula_units.hpp"
#include "plan/model_limits.hpp"
#include "plan/question_check.hpp"
#include "study/motion_formula.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

// --- the question as formulas of the moment

// Formulas leave the dimension of angles open; a question does not ask for an angle of 0.5 m.
void refuse_other_units(const Model& model, const std::string& option, const std::string& left,
                        const std::string& right) {
  const FormulaUnits units(model);
  const auto known = [&](const std::string& text) {
    return in_option(option, [&] { return units.inferred(parse_formula(text, {})); });
  };
  const InferredUnit a = known(left), b = known(right);
  const auto differ = [](const InferredUnit& angle, const InferredUnit& other) {
    return angle.turns && other.dimension && *other.dimension != *angle.dimension;
  };
  if (!a.dimension || !b.dimension || (!differ(a, b) && !differ(b, a))) return;
  throw RequestError(option, fmt::format("{} is in {}, and {} in {}", left, a.text(), right, b.text()));
}

// One of the formulas that are compiled with the model, and what it is for.
struct Asked {
  enum class Use { target, path, limit, cost, largest } use;
  std::string name, text;
  double low = -unbounded, high = unbounded, margin = 0;
};

// "a <= b", "a >= b", "a <= x <= b" at the top level of parentheses: the texts between, and the signs.
void add_comparison(const Model& model, const std::string& text, std::vector<Asked>& asked) {
  const std::string option = "keep " + text;
  std::vector<std::string> parts{""};
  std::string signs;
  int depth = 0;
  // Cut at the signs outside of parentheses.
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (depth > 0 || (text[k] != '<' && text[k] != '>')) {
      parts.back() += text[k];
      continue;
    }
    signs += text[k];
    parts.emplace_back();
    if (k + 1 < text.size() && text[k + 1] == '=') ++k;
  }
  if (signs.empty()) throw RequestError(option, "expected a comparison, such as x <= 0.4 m or 0.1 m <= y <= 0.2 m");
  if (signs.size() > 2 || (signs.size() == 2 && signs[0] != signs[1]))
    throw RequestError(option,
                       "expected one comparison, or a value between two others; give each comparison separately");
  // a < b is a - b < 0; of two signs each is a limit by itself.
  for (std::size_t k = 0; k < signs.size(); ++k) {
    asked.push_back({Asked::Use::limit, "--keep " + text,
                     signs[k] == '<' ? fmt::format("({}) - ({})", parts[k], parts[k + 1])
                                     : fmt::format("({}) - ({})", parts[k + 1], parts[k]),
                     -unbounded, 0});
    refuse_other_units(model, option, parts[k], parts[k + 1]);
  }
}

// The path parameter is a state with a rate of its own, which the plan chooses; the formulas may leave the path by the tolerance.
void add_path(Model& model, const PlanOptions& options, std::vector<Asked>& asked) {
  if (options.along.empty()) return;
  if (options.within.empty())
    throw RequestError("along", "--within says how far off the path the motion may be, such as --within '0.5 mm'");
  AuxiliaryState s;
  s.name = path_parameter, s.unit = "1";
  s.dimension = Dimension{};
  s.rate = name_formula(path_rate, {});
  model.states.push_back(s);
  HostInput rate;
  rate.name = path_rate, rate.unit = "1/s";
  model.inputs.push_back(rate);
  // Each formula follows its course in s: it is kept near it on both sides.
  for (const auto& [formula, of_s] : options.along) {
    const std::string name = fmt::format("--along {}={}", formula, of_s);
    refuse_other_units(model, name.substr(2), formula, of_s);
    refuse_other_units(model, "within", formula, options.within);
    asked.push_back({Asked::Use::path, name, fmt::format("({}) - ({})", formula, of_s)});
    asked.push_back(
        {Asked::Use::limit, name, fmt::format("({}) - ({}) - ({})", formula, of_s, options.within), -unbounded, 0});
    asked.push_back(
        {Asked::Use::limit, name, fmt::format("({}) - ({}) - ({})", of_s, formula, options.within), -unbounded, 0});
  }
  asked.push_back({Asked::Use::target, "path=1", "path - 1"});
}

void ask_cost(const Model& model, const PlanOptions& options, std::vector<Asked>& asked) {
  const std::string& what = options.minimize;
  if (what == "time" || what == "energy" || what == "loss") return;
  if (what != "current") return asked.push_back({Asked::Use::cost, "minimize", what});
  for (const Drive& drive : model.drives)
    if (std::ranges::count(drive.kind->signals(), "current", &DriveKind::Signal::name) > 0 && !drive.on.empty())
      asked.push_back({Asked::Use::largest, drive.name, drive.name + ".current"});
  if (std::ranges::count(asked, Asked::Use::largest, &Asked::use) == 0)
    throw RequestError(
        "minimize current",
        "the model has no motor whose current could be minimized; minimize a formula instead, such as 'u^2'");
}

// Over time. Empty: it is not known.
std::string unit_of_integral(const std::optional<Dimension>& of) {
  return of ? InferredUnit{*of * time_dimension}.text() : "";
}

std::string unit_of(const std::optional<Dimension>& dimension) {
  return dimension && *dimension != Dimension{} ? InferredUnit{*dimension}.text() : "";
}

std::string option_of(const Asked& each) {
  switch (each.use) {
    case Asked::Use::target: return "to " + each.name;
    case Asked::Use::cost: return "minimize " + each.text;
    default: return each.name.starts_with("--") ? each.name.substr(2) : each.name;
  }
}

// --- what the equations must be

void require_inputs(const Model& model) {
  if (!model.inputs.empty()) return;
  const std::string example = model.drives.empty()
                                  ? "forces: {push: {type: effort, on: …, is: u}}"
                                  : fmt::format("drives: {{{}: {{…, voltage: u}}}}", model.drives.front().name);
  throw ModelError(model,
                   {{{},
                     "inputs",
                     fmt::format("is missing: a plan finds the inputs of the model as functions of time. Declare one, "
                                 "inputs: {{u: {{unit: V}}}}, and let {} act on the machine by it: {}",
                                 model.drives.empty() ? "an effort" : "a motor", example)}});
}

// What a plan may depend on. Everything else jumps.
void refuse_jumps(const PlannedMachine& machine, const std::vector<Expression>& all) {
  // Smooth leaves: time, motion, forces, parameters, states.
  const Equations& e = machine.equations();
  std::set<std::int32_t> known{e.t.id()};
  for (const auto* list : {&e.q, &e.v, &e.a, &e.lambda, &e.p})
    for (const Expression& leaf : *list) known.insert(leaf.id());
  for (const int k : machine.states) known.insert(e.z[static_cast<std::size_t>(k)].id());
  for (const Expression& x : all)
    for (const std::int32_t leaf : leaves_of(x)) {
      if (known.contains(leaf)) continue;
      const Node& node = (*e.graph)[leaf];
      // Everything else is named: a comparison, a sampled value, a signal.
      if (node.op == Op::outcome)
        throw ComputationError(fmt::format(
            "the motion switches, and a plan needs smooth equations: {}; leave this element out, or replace "
            "it by a smooth formula such as tanh(x/width)",
            e.graph->comparisons()[static_cast<std::size_t>(node.a)].label));
      for (const Discrete& value : e.discrete)
        if (value.leaf.id() == leaf)
          throw ComputationError(fmt::format(
              "{} changes in steps, and a plan needs smooth equations: leave the sampled controller out", value.name));
      throw ComputationError(
          fmt::format("a plan does not know '{}'", e.graph->inputs()[static_cast<std::size_t>(node.a)]));
    }
}

// States that something depends on: directly, or by the rate of such a state.
std::vector<int> used_states(const Equations& e, const std::vector<Expression>& all) {
  std::set<std::int32_t> read;
  const auto look_at = [&](Expression x) {
    for (const std::int32_t leaf : leaves_of(x)) read.insert(leaf);
  };
  for (const Expression& x : all) look_at(x);
  std::set<int> used;
  // A state that is read makes those that its rate reads used as well.
  for (bool more = true; more;) {
    more = false;
    for (std::size_t k = 0; k < e.z.size(); ++k)
      if (read.contains(e.z[k].id()) && e.others[k].kind != Coordinate::Kind::reference &&
          used.insert(static_cast<int>(k)).second)
        look_at(e.zdot[k]), more = true;
  }
  return {used.begin(), used.end()};
}

void take_ranges(const PlanOptions& options, PlannedMachine& machine) {
  for (const auto& [name, low, high] : options.inputs) {
    require_known(name, machine.inputs, "input");
    const auto k = static_cast<std::size_t>(std::ranges::find(machine.inputs, name) - machine.inputs.begin());
    machine.input_low[k] = low, machine.input_high[k] = high;
    machine.input_limit[k] = "the range of " + name;
  }
}

// A limit of an input itself (the voltage of a motor) bounds its values.
bool take_as_range(const PathLimit& limit, PlannedMachine& machine) {
  const Equations& e = machine.equations();
  for (std::size_t k = 0; k < e.p.size(); ++k)
    if (limit.value == e.p[k]) {
      if (limit.low > machine.input_low[k]) machine.input_low[k] = limit.low, machine.input_limit[k] = limit.name;
      if (limit.high < machine.input_high[k]) machine.input_high[k] = limit.high, machine.input_limit[k] = limit.name;
      return true;
    }
  return false;
}

void choose_duration(const PlanOptions& options, PlannedMachine& machine) {
  machine.minimizes_time = options.minimize == "time";
  if (options.shortest || options.longest) {
    constexpr double shortest_share = 1e-3;  // of the longest duration, or 1 ms
    machine.shortest = options.shortest.value_or(shortest_share * options.longest.value_or(1));
    machine.longest = options.longest.value_or(1000 * machine.shortest);
  } else if (machine.minimizes_time) {
    constexpr double shortest_duration = 1e-4, longest_duration = 1e4;  // s
    machine.shortest = shortest_duration, machine.longest = longest_duration;
  } else {
    machine.shortest = machine.longest = machine.model.simulate.end;
  }
}

// Everything that is asked, as formulas; the model loses its limits and gets the path.
std::vector<Asked> everything_asked(Model& model, const PlanOptions& options) {
  std::vector<Asked> asked;
  for (const auto& [formula, value] : options.to) {
    const std::string name = fmt::format("{}={}", formula, value);
    asked.push_back({Asked::Use::target, name, fmt::format("({}) - ({})", formula, value)});
    refuse_other_units(model, "to " + name, formula, value);
  }
  for (const ModelLimit& limit : take_limits(model))
    asked.push_back({Asked::Use::limit, limit.name, limit.signal, limit.low, limit.high, limit.margin});
  for (const std::string& text : options.keep) add_comparison(model, text, asked);
  add_path(model, options, asked);
  ask_cost(model, options, asked);
  return asked;
}

// The model with the formulas as recorded quantities, and its start.
Prepared compile_with(const Model& model, const MotionFormulas& formulas) {
  Model observed = model;
  for (std::size_t k = 0; k < formulas.observed().size(); ++k)
    observed.record.quantities.emplace_back(fmt::format("#{}", k), formulas.observed()[k]);
  Prepared prepared = compile(observed);
  assemble_start(prepared);
  if (!prepared.failure.empty()) throw ComputationError(prepared.failure);
  return prepared;
}

void name_inputs(const PlanOptions& options, PlannedMachine& machine) {
  machine.inputs = machine.equations().p_name;
  for (const std::string& name : machine.inputs) {
    machine.input_units.push_back(std::ranges::find(machine.model.inputs, name, &HostInput::name)->unit);
    machine.input_low.push_back(name == path_rate && !options.along.empty() ? 0 : -unbounded);
    machine.input_high.push_back(unbounded);
    machine.input_limit.emplace_back();
  }
  take_ranges(options, machine);
}

// A state has an end; an input, or what follows from it at once, has none.
void refuse_inputs(const Equations& e, const Asked& target, Expression value) {
  for (std::size_t k = 0; k < e.p.size(); ++k)
    if (!value.is_constant() && depends_on(value, e.p[k]))
      throw RequestError(
          "to",
          fmt::format("'{}' follows from the input {}, which may jump at the end; name coordinates, points, speeds or "
                      "states, and keep it within limits by --keep or --input",
                      target.name, e.p_name[k]));
}

void take_values(const std::vector<Asked>& asked, const MotionFormulas& formulas, PlannedMachine& machine) {
  for (const Quantity& quantity : machine.equations().quantities) {
    const int k = functional_number(quantity.name);
    if (k < 0) continue;
    const Asked& each = asked[static_cast<std::size_t>(k)];
    const PathLimit limit{each.name,   quantity.value,
                          each.low,    each.high,
                          each.margin, unit_of(formulas.functionals()[static_cast<std::size_t>(k)].dimension)};
    switch (each.use) {
      case Asked::Use::target:
        refuse_inputs(machine.equations(), each, quantity.value);
        machine.targets.push_back(quantity.value);
        machine.target_names.push_back(each.name);
        break;
      case Asked::Use::limit:
        if (!take_as_range(limit, machine)) machine.limits.push_back(limit);
        break;
      case Asked::Use::path: machine.path.push_back(quantity.value); break;
      case Asked::Use::largest: machine.largest.push_back(quantity.value); break;
      case Asked::Use::cost:
        machine.cost = quantity.value;
        machine.cost_unit = unit_of_integral(formulas.functionals()[static_cast<std::size_t>(k)].dimension);
        break;
    }
  }
}

// Costs that have a name.
void choose_cost(const std::string& minimize, PlannedMachine& machine) {
  const Equations& e = machine.equations();
  if (minimize == "energy") machine.cost = e.electrical + e.applied_power, machine.cost_unit = "J";
  if (minimize == "loss") machine.cost = e.joule, machine.cost_unit = "J";
  if (minimize == "time") machine.cost_unit = "s";
  if (minimize == "current") machine.cost_unit = "A";
  if (minimize == "loss" && machine.cost.is(0))
    throw RequestError("minimize loss",
                       "the model has no motor with a resistance; minimize a formula instead, such as 'u^2'");
  if (minimize == "energy" && machine.cost.is(0))
    throw RequestError(
        "minimize energy",
        "no motor and no applied force brings energy into the machine; minimize a formula instead, such as 'u^2'");
}

// All that the plan evaluates, without rates of states.
std::vector<Expression> everything_used(const PlannedMachine& machine) {
  const Equations& e = machine.equations();
  std::vector<Expression> all = e.f;
  for (const int row : machine.rows) all.push_back(e.rows[static_cast<std::size_t>(row)].phi);
  for (int i = 0; i < e.M.rows(); ++i)
    for (const auto& [column, entry] : e.M.row(i)) all.push_back(entry);
  for (const PathLimit& limit : machine.limits) all.push_back(limit.value);
  for (const auto* list : {&machine.targets, &machine.path, &machine.largest})
    all.insert(all.end(), list->begin(), list->end());
  all.push_back(machine.cost);
  return all;
}

// Smooth, of the states that matter.
void choose_states(PlannedMachine& machine) {
  std::vector<Expression> all = everything_used(machine);
  machine.states = used_states(machine.equations(), all);
  for (const int k : machine.states) all.push_back(machine.equations().zdot[static_cast<std::size_t>(k)]);
  refuse_jumps(machine, all);
}

}  // namespace

std::unique_ptr<PlannedMachine> plan_machine(const Model& model, const PlanOptions& options) {
  require_inputs(model);
  if (options.to.empty() && options.along.empty())
    throw RequestError("to", "is missing: say where the motion ends, such as --to 'travel=0.5 m'");
  auto machine = std::make_unique<PlannedMachine>();
  machine->model = model;
  const std::vector<Asked> asked = everything_asked(machine->model, options);
  MotionFormulas formulas(machine->model, {});
  for (const Asked& each : asked)
    in_option(option_of(each), [&] { formulas.add_number(fmt::format("final({})", each.text)); });
  machine->prepared = compile_with(machine->model, formulas);
  machine->rows = machine->prepared.system->options().independent_rows;
  name_inputs(options, *machine);
  take_values(asked, formulas, *machine);
  choose_cost(options.minimize, *machine);
  choose_states(*machine);
  choose_duration(options, *machine);
  check_start(*machine);
  return machine;
}

}  // namespace armature::internal
