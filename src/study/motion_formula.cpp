#include "study/motion_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "expression/derivative.hpp"
#include "expression/lower.hpp"
#include "expression/units.hpp"
#include "model/diagnostics.hpp"
#include "model/formula_units.hpp"
#include "model/joint_components.hpp"
#include "model/scope.hpp"
#include "study/dimensions.hpp"

namespace armature::internal {

namespace {

using Kind = Functional::Kind;
using Tree = std::shared_ptr<const Syntax>;

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> table{
      {"initial", Kind::initial}, {"final", Kind::final}, {"at", Kind::at},       {"max", Kind::max},
      {"min", Kind::min},         {"mean", Kind::mean},   {"turns", Kind::turns}, {"integral", Kind::integral},
      {"first", Kind::first},     {"last", Kind::last}};
  return table;
}

bool takes_condition(Kind kind) { return kind == Kind::first || kind == Kind::last; }
bool takes_window(Kind kind) { return kind != Kind::initial && kind != Kind::final && kind != Kind::at; }

// Of a number of the motion, where it is known.
std::optional<Dimension> dimension_of(Kind kind, const Formula& argument, const Model& model) {
  if (takes_condition(kind)) return time_dimension;
  if (kind == Kind::turns) return dimensionless;
  const std::optional<Dimension> dimension = dimension_of(argument, model);
  return kind == Kind::integral && dimension ? *dimension * time_dimension : dimension;
}

InferredUnit unit_of(Kind kind, const Formula& argument, const Model& model) {
  if (takes_condition(kind)) return {time_dimension};
  if (kind == Kind::turns) return {dimensionless};
  InferredUnit unit = FormulaUnits(model).inferred(argument);
  if (kind == Kind::integral && unit.dimension) unit.dimension = *unit.dimension * time_dimension;
  return unit;
}

Formula formula_of(const Tree& tree, const std::string& text) { return {text, {}, tree}; }

// Inputs: functionals, varied, outcomes; outputs begin with the roots of the comparisons. The root of a comparison may depend on the
// comparisons made before it: repeated until all outcomes stand. Where a root is not a number, neither is the outcome, nor a formula
// that looks at it; but a time that never came is infinite, and two of these are equal.
void run_until_outcomes_settle(Evaluator& program, const std::vector<Graph::Comparison>& comparisons,
                               const std::vector<double>& functionals, std::span<const double> varied,
                               std::vector<double>& in, std::vector<double>& out) {
  std::copy(varied.begin(), varied.end(), std::copy(functionals.begin(), functionals.end(), in.begin()));
  double* outcomes = in.data() + functionals.size() + varied.size();
  const bool may_be_infinite = std::ranges::any_of(functionals, [](double x) { return std::isinf(x); }) &&
                               std::ranges::none_of(functionals, [](double x) { return std::isnan(x); });
  for (std::size_t pass = 0; pass <= comparisons.size(); ++pass) {
    program(in.data(), out.data());
    for (std::size_t k = 0; k < comparisons.size(); ++k)
      outcomes[k] = !std::isnan(out[k]) ? comparisons[k].outcome(out[k])
                    : may_be_infinite   ? comparisons[k].outcome(0)
                                        : out[k];
  }
}

}  // namespace

std::string name_of(Kind kind) {
  for (const auto& [name, known] : kinds())
    if (known == kind) return name;
  return "";
}

int functional_number(const std::string& name) { return name.starts_with('#') ? std::atoi(name.c_str() + 1) : -1; }

MotionFormulas::MotionFormulas(const Model& model, std::vector<std::string> varied)
    : model_(model), varied_(std::move(varied)) {
  for (const std::string& name : varied_) varied_leaves_.push_back(graph_->input(name));
}

int MotionFormulas::add_number(const std::string& text) { return add(text, false); }
int MotionFormulas::add_condition(const std::string& text) { return add(text, true); }

int MotionFormulas::add(const std::string& text, bool condition) {
  const Formula written = parse_formula(text, {0, 1});
  const Formula formula = formula_of(replace(with_rates(written.root), text), text);
  Scope scope;
  scope.look_up = [&](const std::string& name) { return std::optional(look_up(name)); };
  const Value value = lower(formula, scope);
  if (condition && !value.is_condition)
    throw FormulaError({}, fmt::format("'{}' is a number, not a condition such as max(x) > 1", text));
  if (!condition && (value.is_condition || !value.is_scalar()))
    throw FormulaError({}, fmt::format("'{}' is not a number", text));
  formulas_.push_back(formula);
  values_.push_back(value.parts[0]);
  InferredUnit unit = inferred_unit(*formula.root, [this](const std::string& name) { return unit_of_name(name); });
  if (!unit.dimension) unit.dimension = value.dimension;
  units_.push_back(condition ? "" : unit.text());
  return static_cast<int>(formulas_.size()) - 1;
}

std::string MotionFormulas::unit(int formula) const { return units_[static_cast<std::size_t>(formula)]; }

// A varied start value has the unit of its coordinate.
InferredUnit MotionFormulas::unit_of_name(const std::string& name) const {
  if (const int k = functional_number(name); k >= 0) return functionals_[static_cast<std::size_t>(k)].unit;
  const bool is_parameter = std::ranges::count(model_.parameters, name, &Parameter::name) > 0;
  return is_parameter ? InferredUnit{dimension_of_varied(name, model_)}
                      : FormulaUnits(model_).inferred(parse_formula(name, {}));
}

// "theta.v" is the rate of theta here as it is where start values are varied; elsewhere theta' is.
Tree MotionFormulas::with_rates(const Tree& tree) const {
  auto copy = std::make_shared<Syntax>(*tree);
  for (Tree& child : copy->children) child = with_rates(child);
  if (tree->kind != Syntax::Kind::name || !tree->name.ends_with(".v")) return copy;
  Graph graph;
  const Scope scope = checking_scope(model_, graph);
  const std::string coordinate = tree->name.substr(0, tree->name.size() - 2);
  if (scope.look_up(tree->name) || std::ranges::count(coordinate_names(model_), coordinate) == 0) return copy;
  auto name = std::make_shared<Syntax>(*tree);
  name->name = coordinate;
  copy->kind = Syntax::Kind::prime;
  copy->name.clear();
  copy->children = {name};
  return copy;
}

// max and min of several numbers are the ordinary functions; of a number that changes on the way and two times, functionals.
std::optional<Kind> MotionFormulas::kind_of(const Syntax& tree) const {
  if (tree.kind != Syntax::Kind::call) return std::nullopt;
  const auto found = kinds().find(tree.name);
  if (found == kinds().end()) return std::nullopt;
  const bool extreme = found->second == Kind::max || found->second == Kind::min;
  const std::size_t count = tree.children.size();
  if (extreme && count > 1 && !(count == 3 && changes_on_the_way(*tree.children[0]))) return std::nullopt;
  return found->second;
}

bool MotionFormulas::changes_on_the_way(const Syntax& tree) const {
  if (tree.kind == Syntax::Kind::call && kind_of(tree)) return false;
  if (tree.kind == Syntax::Kind::name && tree.name != "pi" && !std::ranges::count(varied_, tree.name) &&
      !std::ranges::count(model_.parameters, tree.name, &Parameter::name))
    return true;
  return std::ranges::any_of(tree.children, [&](const Tree& child) { return changes_on_the_way(*child); });
}

// Calls of functionals become names "#k".
Tree MotionFormulas::replace(const Tree& tree, const std::string& text) {
  if (const auto kind = kind_of(*tree)) return replace_call(*tree, *kind, text);
  refuse_unknown_function(*tree);
  auto copy = std::make_shared<Syntax>(*tree);
  for (Tree& child : copy->children) child = replace(child, text);
  return copy;
}

// Before its arguments are looked at, of which more could be said.
void MotionFormulas::refuse_unknown_function(const Syntax& tree) const {
  if (tree.kind != Syntax::Kind::call || tree.name == "if" || model_.tables.contains(tree.name)) return;
  std::vector<std::string> names = built_in_functions();
  if (std::ranges::find(names, tree.name) != names.end()) return;
  Graph graph;
  if (checking_scope(model_, graph).look_up(tree.name)) return;  // something else is wrong with it
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  throw FormulaError(tree.where, fmt::format("unknown function '{}'{}", tree.name, did_you_mean(tree.name, names)));
}

void MotionFormulas::refuse_nested(const Syntax& tree, const std::string& outer) const {
  if (const auto inner = kind_of(tree))
    throw FormulaError(tree.where, fmt::format("{}(…) cannot be used inside {}(…)", name_of(*inner), outer));
  for (const Tree& child : tree.children) refuse_nested(*child, outer);
}

void MotionFormulas::refuse_count(const Syntax& call, Kind kind) const {
  const std::size_t count = call.children.size();
  if (kind == Kind::at ? count == 2 : count == 1 || (count == 3 && takes_window(kind))) return;
  const std::string one = takes_condition(kind) ? "one condition" : "one formula";
  throw FormulaError(
      call.where,
      fmt::format("{} takes {}", call.name,
                  kind == Kind::at     ? "a formula and a time: at(x, 2 s)"
                  : takes_window(kind) ? fmt::format("{0}, or {0} and two times: {1}(x, 2 s, 3 s)", one, call.name)
                                       : one));
}

Tree MotionFormulas::replace_call(const Syntax& call, Kind kind, const std::string& text) {
  refuse_count(call, kind);
  refuse_nested(*call.children[0], call.name);
  const Formula argument = formula_of(call.children[0], text);
  Graph graph;
  const Value value = lower(argument, checking_scope(model_, graph));
  if (value.is_condition != takes_condition(kind))
    throw FormulaError(call.where,
                       fmt::format("{} takes {}", call.name,
                                   takes_condition(kind) ? "a condition, such as x > 0" : "a number, not a condition"));
  if (!value.is_scalar()) throw FormulaError(call.where, fmt::format("{} takes one number, not a vector", call.name));
  Functional functional{{kind, static_cast<int>(observed_.size())}, dimension_of(kind, argument, model_)};
  functional.unit = unit_of(kind, argument, model_);
  if (!functional.unit.dimension) functional.unit.dimension = functional.dimension;
  if (kind == Kind::at) functional.time = constant_time(*call.children[1], call.name);
  if (takes_window(kind) && call.children.size() == 3) {
    functional.from = constant_time(*call.children[1], call.name);
    functional.to = constant_time(*call.children[2], call.name);
    if (!(functional.from < functional.to))
      throw FormulaError(call.where, fmt::format("{}(…, {:g}, {:g}): the second time must come after the first",
                                                 call.name, functional.from, functional.to));
  }
  observed_.push_back(argument);
  functionals_.push_back(functional);
  functional_leaves_.push_back(graph_->input(fmt::format("#{}", functionals_.size() - 1)));
  auto name = std::make_shared<Syntax>();
  name->kind = Syntax::Kind::name;
  name->name = fmt::format("#{}", functionals_.size() - 1);
  name->where = call.where;
  return name;
}

// Nothing in it may differ from motion to motion.
void MotionFormulas::refuse_varied(const Syntax& tree, const std::string& of) const {
  const auto is_parameter = [&](const Parameter& parameter) { return parameter.name == tree.name; };
  if (tree.kind == Syntax::Kind::name && std::ranges::any_of(model_.parameters, is_parameter) &&
      !look_up(tree.name).parts[0].is_constant())
    throw FormulaError(tree.where,
                       fmt::format("the time of {}(…) must be one for all motions, but {} varies", of, tree.name));
  for (const Tree& child : tree.children) refuse_varied(*child, of);
}

double MotionFormulas::constant_time(const Syntax& tree, const std::string& of) const {
  refuse_varied(tree, of);
  const Formula formula = formula_of(std::make_shared<Syntax>(tree), fmt::format("the time of {}(…)", of));
  const double time = evaluate_constant(formula, model_);
  if (const auto dimension = dimension_of(formula, model_);
      dimension && *dimension != dimensionless && *dimension != time_dimension)
    throw FormulaError(tree.where, fmt::format("{}(…): expected a time, in s, not {}", of, to_string(*dimension)));
  if (!(time >= 0 && time <= model_.simulate.end))
    throw FormulaError(tree.where,
                       fmt::format("{}(…, {:g}): the motion lasts from 0 to {:g} s", of, time, model_.simulate.end));
  return time;
}

Value MotionFormulas::look_up(const std::string& name) const {
  if (const int k = functional_number(name); k >= 0) {
    Value value(functional_leaves_[static_cast<std::size_t>(k)]);
    value.dimension = functionals_[static_cast<std::size_t>(k)].dimension;
    return value;
  }
  for (std::size_t k = 0; k < varied_.size(); ++k)
    if (varied_[k] == name) {
      Value value(varied_leaves_[k]);
      value.dimension = dimension_of_varied(name, model_);
      return value;
    }
  std::vector<std::string> names;
  for (const Parameter& parameter : model_.parameters) {
    names.push_back(parameter.name);
    if (parameter.name != name) continue;
    Scope scope;
    scope.look_up = [&](const std::string& other) { return std::optional(look_up(other)); };
    return lower(parameter.formula, scope);
  }
  Graph graph;
  if (checking_scope(model_, graph).look_up(name))
    throw FormulaError(
        {}, fmt::format("'{0}' changes during the motion; say which value is meant: final({0}), max({0}), …", name));
  throw FormulaError({}, fmt::format("unknown name '{}'{}", name, did_you_mean(name, names)));
}

MotionEvaluator::MotionEvaluator(const MotionFormulas& formulas) : comparisons_(formulas.graph_->comparisons()) {
  std::vector<Expression> inputs = formulas.functional_leaves_, outputs;
  inputs.insert(inputs.end(), formulas.varied_leaves_.begin(), formulas.varied_leaves_.end());
  for (std::size_t k = 0; k < comparisons_.size(); ++k) {
    inputs.push_back(formulas.graph_->outcome(static_cast<int>(k)));
    outputs.push_back(formulas.graph_->comparisons()[k].root);
  }
  outputs.insert(outputs.end(), formulas.values_.begin(), formulas.values_.end());
  program_ = Evaluator(std::make_shared<const Program>(inputs, outputs));
  in_.resize(inputs.size());
  out_.resize(outputs.size());
  values_.resize(formulas.values_.size());
}

const std::vector<double>& MotionEvaluator::operator()(const std::vector<double>& functionals,
                                                       std::span<const double> varied) {
  run_until_outcomes_settle(program_, comparisons_, functionals, varied, in_, out_);
  std::copy_n(out_.begin() + static_cast<std::ptrdiff_t>(comparisons_.size()), values_.size(), values_.begin());
  return values_;
}

FormulaGradient::FormulaGradient(const MotionFormulas& formulas) : comparisons_(formulas.graph_->comparisons()) {
  std::vector<Expression> inputs = formulas.functional_leaves_, outputs;
  inputs.insert(inputs.end(), formulas.varied_leaves_.begin(), formulas.varied_leaves_.end());
  const std::size_t leaves = inputs.size();
  for (std::size_t k = 0; k < comparisons_.size(); ++k) {
    inputs.push_back(formulas.graph_->outcome(static_cast<int>(k)));
    outputs.push_back(formulas.graph_->comparisons()[k].root);
  }
  for (std::size_t k = 0; k < leaves; ++k) {
    Derivative along({{inputs[k].id(), 1.0}});
    for (const Expression& value : formulas.values_) outputs.push_back(along(value));
  }
  program_ = Evaluator(std::make_shared<const Program>(inputs, outputs));
  in_.resize(inputs.size());
  out_.resize(outputs.size());
  gradient_.resize(static_cast<Eigen::Index>(formulas.values_.size()), static_cast<Eigen::Index>(leaves));
}

const Eigen::MatrixXd& FormulaGradient::operator()(const std::vector<double>& functionals,
                                                   std::span<const double> varied) {
  run_until_outcomes_settle(program_, comparisons_, functionals, varied, in_, out_);
  std::copy(out_.begin() + static_cast<std::ptrdiff_t>(comparisons_.size()), out_.end(), gradient_.data());
  return gradient_;
}

}  // namespace armature::internal
