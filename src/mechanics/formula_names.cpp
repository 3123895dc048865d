#include "mechanics/formula_names.hpp"

#include <fmt/format.h>

#include "expression/evaluation_order.hpp"
#include "expression/interpolate.hpp"
#include "mechanics/solution_leaves.hpp"
#include "model/signal_names.hpp"
#include "model/used_file.hpp"

namespace armature::internal {

namespace {

// Of the controller or the drive that gives it.
Location place_of_signal(const Model& model, const std::string& name) {
  const std::string owner = name.substr(0, name.find('.'));
  if (const auto found = find_named(model.controllers, owner); found != model.controllers.end()) return found->where;
  if (const auto found = find_named(model.drives, owner); found != model.drives.end()) return found->where;
  return {};
}

}  // namespace

FormulaNames::FormulaNames(const Model& model, Equations& equations, Coordinates& coordinates, Velocities& velocities,
                           TimeDerivative& time_derivative)
    : model_(model),
      equations_(equations),
      coordinates_(coordinates),
      velocities_(velocities),
      time_derivative_(time_derivative) {
  for (std::size_t k = 0; k < equations.p.size(); ++k) free_.emplace(equations.p_name[k], equations.p[k]);
  for (const Parameter& parameter : model.parameters) parameters_.emplace(parameter.name, &parameter);
  for (const auto* formulas : {&model.definitions, &model.lists})
    for (const auto& [name, formula] : *formulas) definitions_.emplace(name, &formula);
  scope_.look_up = [this](const std::string& name) { return look_up(name); };
  scope_.rate = [this](Expression x) { return rate_of(x); };
  scope_.function = [this](const std::string& name, Expression x) -> std::optional<Expression> {
    const auto table = model_.tables.find(name);
    if (table == model_.tables.end()) return std::nullopt;
    return interpolate(table->second, x);
  };
  scope_.names = [this] { return known_names(); };
  scope_.line_in_words = [this](Location where) { return line_in_words(where, model_.used_files); };
}

std::vector<std::string> FormulaNames::known_names() const {
  std::vector<std::string> names{"t"};
  for (const Parameter& parameter : model_.parameters) names.push_back(parameter.name);
  for (const auto& [name, formula] : model_.definitions) names.push_back(name);
  for (const std::string& name : coordinates_.names()) names.push_back(name);
  for (const NamedPoint& point : model_.points) names.push_back(point.name);
  for (const Body& body : model_.bodies) names.push_back(body.name);
  for (const Body& body : model_.bodies)
    for (const NamedPoint& point : body.points) names.push_back(body.name + "." + point.name);
  for (const std::string& name : beam_signal_names(model_)) names.push_back(name);
  return names;
}

// States move with the rates that their elements offer under the name of the state with a prime. No angle depends on where its
// reference is.
Expression FormulaNames::rate_of(Expression x) {
  const Graph& graph = *equations_.graph;
  if (has_acceleration(equations_, x) || has_constraint_force(equations_, x))
    throw FormulaError({},
                       "the derivative of an acceleration, a multiplier or a reaction is not available in formulas");
  LeafMap state_rates;
  for (std::int32_t leaf : leaves_of(x)) {
    if (const int k = velocities_.number_of(leaf); k >= 0 && !velocities_.is_virtual(k))
      state_rates[leaf] = acceleration_in_formula(equations_, static_cast<std::size_t>(k));
    const auto z = std::ranges::find(equations_.z, leaf, [](const Expression& state) { return state.id(); });
    if (z == equations_.z.end()) continue;
    if (equations_.others[std::size_t(z - equations_.z.begin())].kind == Coordinate::Kind::reference) continue;
    const std::string& state = graph.inputs()[graph[leaf].a];
    const auto rate = look_up(state + "'");
    if (!rate) throw FormulaError({}, "the derivative of " + state + " is not available in formulas");
    state_rates[leaf] = rate->parts[0];
  }
  return state_rates.empty() ? time_derivative_(x) : time_derivative_(x, std::move(state_rates));
}

// The equations of motion have the formulas of a second build already.
void FormulaNames::watch(const Formula& formula, Expression value) {
  if (!value.is_constant() && !velocities_.has_virtual())
    equations_.watched.push_back({"'" + formula.text + "'", formula.where, value});
}

Expression FormulaNames::scalar(const Formula& formula, Expression otherwise) {
  if (!formula.given()) return otherwise;
  const Expression value = lower_scalar(formula, scope_);
  watch(formula, value);
  return value;
}

Expression FormulaNames::scalar_with(const Formula& formula, const std::string& name, Expression is) const {
  Scope scope = scope_;
  scope.look_up = [&](const std::string& each) {
    return each == name ? std::optional<Value>(is) : scope_.look_up(each);
  };
  return lower_scalar(formula, scope);
}

Vec3 FormulaNames::vector(const Formula& formula) {
  const Vec3 value = lower_vector(formula, scope_);
  for (const Expression& part : value) watch(formula, part);
  return value;
}

Value FormulaNames::value(const Formula& formula) {
  const Value value = lower(formula, scope_);
  for (const Expression& part : value.parts) watch(formula, part);
  return value;
}

// Of a definition; and of a parameter where some stay free, since it may follow one of them.
const Formula* FormulaNames::formula_of(const std::string& name) const {
  if (const auto parameter = parameters_.find(name); parameter != parameters_.end())
    return free_.empty() || free_.contains(name) ? nullptr : &parameter->second->formula;
  const auto definition = definitions_.find(name);
  return definition == definitions_.end() ? nullptr : definition->second;
}

// Lowers a definition after those that it needs. A definition that has to be lowered while it is being lowered was
// reached through a signal.
const Value& FormulaNames::define(const std::string& name) {
  const auto pending = [this](const std::string& each) { return defined_.contains(each) ? nullptr : formula_of(each); };
  const auto evaluate = [this](const std::string& each) {
    const Formula& formula = *formula_of(each);
    if (defining_.contains(each)) throw FormulaError(formula.where, "'" + each + "' depends on itself");
    const Defining defining(defining_, each);
    defined_[each] = parameters_.contains(each) ? lower(formula, scope_) : value(formula);
  };
  const auto cycle = [this](const std::vector<std::string>& chain) {
    throw FormulaError(formula_of(chain.back())->where, "depends on itself: " + chain_in_words(chain));
  };
  evaluate_in_order(name, {pending, evaluate, cycle});
  return defined_.at(name);
}

FormulaNames::Defining::Defining(std::set<std::string>& names, const std::string& name)
    : names_(names), place_(names_.insert(name).first) {
  constexpr std::size_t deepest = 100;  // as the parentheses of a formula: the stack has room for so many formulas
  if (names_.size() <= deepest) return;
  names_.erase(place_);
  throw FormulaError({}, fmt::format("'{}' depends on a chain of more than {} signals", name, deepest));
}

const Value& FormulaNames::signal(const std::string& name, const std::function<Value()>& make) {
  if (defining_.contains(name))
    throw FormulaError(
        place_of_signal(model_, name),
        "'" + name + "' depends on itself without delay: an inductance or a sampled controller would break the loop");
  const Defining defining(defining_, name);
  const Value value = make();
  return defined_[name] = value;
}

std::optional<Value> FormulaNames::look_up(const std::string& name) {
  if (auto known = look_up_here(name)) return known;
  if (further_)
    if (auto known = further_(name)) return known;
  return constraint_force(name);
}

std::optional<Value> FormulaNames::look_up_here(const std::string& name) {
  // t, free parameters and what was lowered before
  if (name == "t") return Value(equations_.t);
  if (const auto free = free_.find(name); free != free_.end()) return Value(free->second);
  if (const auto known = defined_.find(name); known != defined_.end()) return known->second;

  // definitions, and parameters that are folded
  if (formula_of(name)) return define(name);
  if (const auto parameter = parameters_.find(name); parameter != parameters_.end()) {
    Value value(parameter->second->value);
    value.dimension = parameter->second->dimension;
    return value;
  }

  // coordinates, and entries of q and v that are none
  if (const NamedCoordinate* coordinate = coordinates_.find(name)) {
    Value value(coordinate->value);
    if (coordinate->unit == "m") value.dimension = Dimension{{0, 1, 0, 0, 0}};
    return value;
  }
  if (const int i = coordinates_.position(name); i >= 0) return Value(equations_.q[i]);
  if (const int k = coordinates_.velocity(name); k >= 0) return Value(equations_.v[k]);

  // signals of controllers and drives
  if (const auto known = offered_.find(name); known != offered_.end()) return signal(name, known->second);
  return std::nullopt;
}

// And states that elements have: integrals of controllers, the ledger. "lambda.ROW"; the effort of a prescribed row by the name of the
// row; "JOINT.fx" … "JOINT.mz", "JOINT.force", "JOINT.moment".
std::optional<Value> FormulaNames::constraint_force(const std::string& name) {
  const auto state = std::ranges::find(equations_.others, name, &Coordinate::name);
  if (state != equations_.others.end()) return Value(equations_.z[std::size_t(state - equations_.others.begin())]);
  const bool multiplier = name.starts_with("lambda.");
  const auto row = std::ranges::find(equations_.rows, multiplier ? name.substr(7) : name, &ConstraintRow::name);
  if (row != equations_.rows.end() && (multiplier || row->effort)) {
    const Expression lambda = multiplier_in_formula(equations_, std::size_t(row - equations_.rows.begin()));
    return Value(multiplier ? lambda : -lambda);
  }
  const auto reaction = reaction_name(name);
  if (!reaction || find_named(model_.joints, reaction->joint) == model_.joints.end()) return std::nullopt;
  const std::array<Expression, 6>& wrench = reaction_in_formula(equations_, reaction->joint);
  const auto first = wrench.begin() + reaction->first;
  Value value(std::vector<Expression>(first, first + reaction->count));
  value.dimension = reaction->dimension;
  return value;
}

}  // namespace armature::internal
