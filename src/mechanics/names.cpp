// What a formula may name: t, parameters, definitions, coordinates; and x', the total time derivative.
#include <fmt/format.h>

#include "expression/evaluation_order.hpp"
#include "mechanics/builder.hpp"

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

// States move with the rates that their elements offer under the name of the state with a prime. No angle depends on where its
// reference is.
Expression EquationsBuilder::rate_of(Expression x) {
  LeafMap flow;
  for (std::int32_t leaf : leaves_of(x)) {
    if (const int k = velocity_of(leaf); k >= 0 && k < static_cast<int>(eq_.v.size()))
      throw FormulaError({}, "the derivative of a velocity is an acceleration, which formulas cannot use");
    const auto z = std::ranges::find(eq_.z, leaf, [](const Expression& state) { return state.id(); });
    if (z == eq_.z.end() || eq_.others[std::size_t(z - eq_.z.begin())].kind == Coordinate::Kind::reference) continue;
    const std::string& state = graph_.inputs()[graph_[leaf].a];
    const auto rate = look_up(state + "'");
    if (!rate) throw FormulaError({}, "the derivative of " + state + " is not available in formulas");
    flow[leaf] = rate->parts[0];
  }
  if (flow.empty()) return along_flow(x);
  flow.insert(flow_.begin(), flow_.end());
  return Derivative(flow)(x);
}

// What moves is watched, so that a formula without a value can be named.
void EquationsBuilder::watch(const Formula& formula, Expression value) {
  if (!value.is_constant() && !second_build()) eq_.watched.push_back({"'" + formula.text + "'", formula.where, value});
}

Expression EquationsBuilder::scalar(const Formula& formula, Expression otherwise) {
  if (!formula.given()) return otherwise;
  const Expression value = lower_scalar(formula, scope_);
  watch(formula, value);
  return value;
}

Vec3 EquationsBuilder::vector(const Formula& formula) {
  const Vec3 value = lower_vector(formula, scope_);
  for (const Expression& part : value) watch(formula, part);
  return value;
}

Value EquationsBuilder::value(const Formula& formula) {
  const Value value = lower(formula, scope_);
  for (const Expression& part : value.parts) watch(formula, part);
  return value;
}

const NamedCoordinate* EquationsBuilder::find_coordinate(const std::string& name) const {
  auto found = coordinates_.find(name);
  return found == coordinates_.end() ? nullptr : &found->second;
}

// Of a definition; and of a parameter where some stay free, since it may follow one of them.
const Formula* EquationsBuilder::formula_of(const std::string& name) const {
  if (const auto parameter = parameters_.find(name); parameter != parameters_.end())
    return eq_.p.empty() || std::ranges::count(eq_.p_name, name) > 0 ? nullptr : &parameter->second->formula;
  const auto definition = definitions_.find(name);
  return definition == definitions_.end() ? nullptr : definition->second;
}

// Lowers a definition after those that it needs. A definition that has to be lowered while it is being lowered was
// reached through a signal.
const Value& EquationsBuilder::define(const std::string& name) {
  const auto pending = [this](const std::string& each) { return defined_.contains(each) ? nullptr : formula_of(each); };
  const auto evaluate = [this](const std::string& each) {
    const Formula& formula = *formula_of(each);
    if (defining_.contains(each)) throw FormulaError(formula.where, "'" + each + "' depends on itself");
    const Defining defining(*this, each);
    defined_[each] = parameters_.contains(each) ? lower(formula, scope_) : value(formula);
  };
  const auto cycle = [this](const std::vector<std::string>& chain) {
    throw FormulaError(formula_of(chain.back())->where, "depends on itself: " + chain_in_words(chain));
  };
  evaluate_in_order(name, {pending, evaluate, cycle});
  return defined_.at(name);
}

EquationsBuilder::Defining::Defining(EquationsBuilder& builder, const std::string& name)
    : names_(builder.defining_), place_(names_.insert(name).first) {
  constexpr std::size_t deepest = 100;  // as the parentheses of a formula: the stack has room for so many formulas
  if (names_.size() <= deepest) return;
  names_.erase(place_);
  throw FormulaError({}, fmt::format("'{}' depends on a chain of more than {} signals", name, deepest));
}

std::optional<Value> EquationsBuilder::look_up(const std::string& name) {
  if (name == "t") return Value(eq_.t);
  if (auto free = std::find(eq_.p_name.begin(), eq_.p_name.end(), name); free != eq_.p_name.end())
    return Value(eq_.p[free - eq_.p_name.begin()]);
  if (auto known = defined_.find(name); known != defined_.end()) return known->second;
  if (formula_of(name)) return define(name);
  if (const auto parameter = parameters_.find(name); parameter != parameters_.end()) {
    Value value(parameter->second->value);
    value.dimension = parameter->second->dimension;
    return value;
  }
  if (const NamedCoordinate* coordinate = find_coordinate(name)) {
    Value value(coordinate->value);
    if (coordinate->unit == "m") value.dimension = Dimension{{0, 1, 0, 0, 0}};
    return value;
  }
  if (const int i = positions_.find(eq_.positions, name); i >= 0) return Value(eq_.q[i]);
  if (const int k = velocities_.find(eq_.velocities, name); k >= 0) return Value(eq_.v[k]);

  if (auto known = offered_.find(name); known != offered_.end()) {
    if (defining_.contains(name))
      throw FormulaError(
          place_of_signal(model_, name),
          "'" + name + "' depends on itself without delay: an inductance or a sampled controller would break the loop");
    const Defining defining(*this, name);
    const Value value = known->second();
    return defined_[name] = value;
  }
  return std::nullopt;
}

void EquationsBuilder::act_when_named() {
  for (const auto& act : when_named_) guarded("controllers", act);
  when_named_.clear();
}

void EquationsBuilder::offer(const std::string& name, std::function<Value()> make) { offered_[name] = std::move(make); }

const NamedCoordinate& EquationsBuilder::coordinate(const std::string& name, Location where) const {
  if (const NamedCoordinate* found = find_coordinate(name)) return *found;
  std::vector<std::string> names;
  for (const auto& [known, _] : coordinates_) names.push_back(known);
  auto guess = nearest_name(name, names);
  throw FormulaError(where, "'" + name + "' is not a coordinate" + (guess ? " (did you mean '" + *guess + "'?)" : ""));
}

}  // namespace armature::internal
