#include "expression/lower.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "expression/interruption.hpp"
#include "expression/lower_functions.hpp"
#include "expression/units.hpp"

namespace armature::internal {
namespace {

using Kind = Syntax::Kind;

std::string did_you_mean(const std::string& name, const std::vector<std::string>& names) {
  const std::optional<std::string> near = nearest_name(name, names);
  return near ? fmt::format(" (did you mean '{}'?)", *near) : "";
}

class Lowering {
 public:
  Lowering(const Formula& formula, const Scope& scope) : formula_(formula), scope_(scope) {}

  Value run() { return value_of(*formula_.root); }

 private:
  Value value_of(const Syntax& syntax) {
    Value value = compute(syntax);
    if (!dead_) require_finite(value, syntax);
    return value;
  }

  // A number that is not finite would spread silently; it is reported where it comes up.
  void require_finite(const Value& value, const Syntax& syntax) const {
    for (const Expression& part : value.parts)
      if (part.is_constant() && !std::isfinite(part.value()))
        throw FormulaError(syntax.where,
                           fmt::format("{} gives {}", describe(syntax),
                                       std::isnan(part.value()) ? "no real number" : "an infinite number"));
  }

  static std::string describe(const Syntax& syntax) {
    if (syntax.kind == Kind::call) return syntax.name;
    if (syntax.kind == Kind::power) return "a power";
    if (syntax.kind == Kind::name) return fmt::format("'{}'", syntax.name);
    return "arithmetic";
  }

  Value compute(const Syntax& syntax) {
    // Each kind of syntax has a function of its own, which computes the parts first.
    switch (syntax.kind) {
      case Kind::number: return number(syntax);
      case Kind::name: return name(syntax);
      case Kind::list: return list(syntax);
      case Kind::negate: return negate(syntax);
      case Kind::add:
      case Kind::subtract: return sum(syntax);
      case Kind::multiply: return product(syntax);
      case Kind::divide: return quotient(syntax);
      case Kind::power: return power_of(child(syntax, 0), child(syntax, 1), syntax.where);
      case Kind::call: return call(syntax);
      case Kind::prime: return rate(syntax);
      case Kind::component: return component(child(syntax, 0), syntax.name, syntax.where);
      case Kind::element: return element(syntax);
      case Kind::less:
      case Kind::less_equal:
      case Kind::greater:
      case Kind::greater_equal: return comparison(syntax);
      case Kind::logical_and:
      case Kind::logical_or:
      case Kind::logical_not: return logical(syntax);
    }
    throw FormulaError(syntax.where, "unknown syntax");
  }

  Value child(const Syntax& syntax, std::size_t i) { return value_of(*syntax.children[i]); }

  static Value number(const Syntax& syntax) {
    Value value(Expression(syntax.value));
    value.dimension = syntax.dimension;
    return value;
  }

  Value name(const Syntax& syntax) {
    if (syntax.name == "pi") return Expression(std::numbers::pi);
    if (std::optional<Value> value = scope_.look_up(syntax.name)) return *value;
    if (const std::size_t dot = syntax.name.rfind('.'); dot != std::string::npos) {
      const std::string last = syntax.name.substr(dot + 1);
      if (last == "x" || last == "y" || last == "z")
        if (std::optional<Value> value = scope_.look_up(syntax.name.substr(0, dot)))
          return component(*value, last, syntax.where);
    }
    unknown_name(syntax);
  }

  [[noreturn]] void unknown_name(const Syntax& syntax) const {
    for (const std::string& function : built_in_functions())
      if (function == syntax.name)
        throw FormulaError(syntax.where, fmt::format("{0} is a function; write {0}(…)", function));
    const std::vector<std::string> names = scope_.names ? scope_.names() : std::vector<std::string>{};
    if (std::find(names.begin(), names.end(), syntax.name) != names.end())
      throw FormulaError(syntax.where, fmt::format("'{}' has no value here", syntax.name));
    const bool unit = find_unit(syntax.name).has_value();
    throw FormulaError(syntax.where, fmt::format("unknown name '{}'{}", syntax.name,
                                                 unit ? "; a unit follows a number, without spaces inside: 2 N*m"
                                                      : did_you_mean(syntax.name, names)));
  }

  Value list(const Syntax& syntax) {
    Value result;
    for (std::size_t i = 0; i < syntax.children.size(); ++i) {
      const Value entry = child(syntax, i);
      require_scalar(entry, "an entry of a list", syntax.children[i]->where);
      if (!result.dimension) result.dimension = entry.dimension;
      if (entry.dimension && *entry.dimension != *result.dimension) result.mixes_dimensions = true;
      result.parts.push_back(entry.parts[0]);
    }
    if (result.mixes_dimensions) result.dimension.reset();
    return result;
  }

  static Value component(const Value& vector, const std::string& name, Location where) {
    const std::size_t i = static_cast<std::size_t>(name[0] - 'x');
    if (vector.is_scalar()) throw FormulaError(where, fmt::format("a number has no component .{}", name));
    if (i >= vector.parts.size())
      throw FormulaError(where, fmt::format("a vector of {} has no component .{}", vector.parts.size(), name));
    Value result(vector.parts[i]);
    result.dimension = vector.dimension;
    return result;
  }

  // An element of a list has a name of its own, that of a vector has none.
  Value element(const Syntax& syntax) {
    const long index = index_of(syntax);
    if (std::optional<Value> value = scope_.look_up(element_name(syntax.name, index))) return *value;
    const std::optional<Value> list = scope_.look_up(syntax.name);
    if (!list) unknown_name(syntax);
    const auto count = static_cast<long>(list->parts.size());
    if (count == 1 && !scope_.look_up(element_name(syntax.name, 1)))
      throw FormulaError(syntax.where, fmt::format("'{}' is a number, not a list", syntax.name));
    if (index < 1 || index > count)
      throw FormulaError(syntax.where,
                         fmt::format("there is no {}: '{}' has {}, counted from 1", element_name(syntax.name, index),
                                     syntax.name, count == 1 ? "1 element" : fmt::format("{} elements", count)));
    Value result(list->parts[static_cast<std::size_t>(index - 1)]);
    result.dimension = list->dimension;
    return result;
  }

  long index_of(const Syntax& syntax) {
    const Value value = child(syntax, 0);
    require_scalar(value, "an index", syntax.where);
    const Expression index = value.parts[0];
    if (!index.is_constant())
      throw FormulaError(syntax.where, fmt::format("the index of '{}' changes; it must be a constant", syntax.name));
    if (index.value() != std::round(index.value()) || std::abs(index.value()) > 1e9)
      throw FormulaError(syntax.where,
                         fmt::format("the index of '{}' is {}, not a whole number", syntax.name, index.value()));
    return std::lround(index.value());
  }

  Value negate(const Syntax& syntax) {
    Value value = child(syntax, 0);
    require_number(value, syntax.where);
    for (Expression& part : value.parts) part = -part;
    return value;
  }

  Value sum(const Syntax& syntax) {
    const bool adds = syntax.kind == Kind::add;
    Value a = child(syntax, 0);
    const Value b = child(syntax, 1);
    require_number(a, syntax.where);
    require_number(b, syntax.where);
    if (a.parts.size() != b.parts.size())
      throw FormulaError(syntax.where, adds ? fmt::format("adds {} to {}", shape(a), shape(b))
                                            : fmt::format("subtracts {} from {}", shape(b), shape(a)));
    a.dimension = common_dimension(a, b, adds ? "adds" : "subtracts", syntax.where);
    for (std::size_t i = 0; i < a.parts.size(); ++i)
      a.parts[i] = adds ? a.parts[i] + b.parts[i] : a.parts[i] - b.parts[i];
    return a;
  }

  static std::string shape(const Value& value) {
    return value.is_scalar() ? "a number" : fmt::format("a vector of {}", value.parts.size());
  }

  Value product(const Syntax& syntax) {
    const Value a = child(syntax, 0), b = child(syntax, 1);
    require_number(a, syntax.where);
    require_number(b, syntax.where);
    if (!a.is_scalar() && !b.is_scalar())
      throw FormulaError(syntax.where, "multiplies two vectors; write dot(a, b) or cross(a, b)");
    const Expression factor = a.is_scalar() ? a.parts[0] : b.parts[0];
    Value result = a.is_scalar() ? b : a;
    for (Expression& part : result.parts) part = factor * part;
    result.dimension = product_dimension(a, b);
    return result;
  }

  Value quotient(const Syntax& syntax) {
    Value a = child(syntax, 0);
    const Value b = child(syntax, 1);
    require_number(a, syntax.where);
    require_scalar(b, "a divisor", syntax.where);
    if (b.parts[0].is(0) && !dead_) throw FormulaError(syntax.where, "divides by zero");
    for (Expression& part : a.parts) part = part / b.parts[0];
    if (a.dimension && b.dimension)
      a.dimension = *a.dimension / *b.dimension;
    else
      a.dimension.reset();
    return a;
  }

  Value call(const Syntax& syntax) {
    if (syntax.name == "if") return choice(syntax);
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < syntax.children.size(); ++i) {
      arguments.push_back(child(syntax, i));
      require_number(arguments.back(), syntax.children[i]->where);
    }
    label_comparisons(arguments, syntax);
    Graph* graph = graph_of(arguments);
    const std::size_t known = graph ? graph->comparisons().size() : 0;
    if (std::optional<Value> value = call_function(syntax.name, arguments, syntax.where)) {
      if (graph) give_words_from(known, syntax, *graph);
      require_length(syntax, arguments);
      return *value;
    }
    return scope_function(syntax, arguments);
  }

  void require_length(const Syntax& syntax, const std::vector<Value>& arguments) const {
    const auto length = required_length(syntax.name, arguments);
    if (length && scope_.require_positive && !length->first.is_constant())
      scope_.require_positive(length->first, syntax.where, length->second);
  }

  Value scope_function(const Syntax& syntax, const std::vector<Value>& arguments) const {
    if (scope_.function && arguments.size() == 1 && arguments[0].is_scalar())
      if (std::optional<Expression> value = scope_.function(syntax.name, arguments[0].parts[0])) return *value;
    if (scope_.look_up(syntax.name))
      throw FormulaError(syntax.where, fmt::format("'{}' is not a function; to multiply write *", syntax.name));
    if (scope_.function && scope_.function(syntax.name, Expression(0.0)))
      throw FormulaError(syntax.where, fmt::format("{} takes 1 number", syntax.name));
    throw FormulaError(syntax.where, fmt::format("unknown function '{}'{}", syntax.name,
                                                 did_you_mean(syntax.name, built_in_functions())));
  }

  // if(condition, a, b). A branch that a constant condition never takes may hold what is not finite.
  Value choice(const Syntax& syntax) {
    if (syntax.children.size() != 3)
      throw FormulaError(syntax.where, fmt::format("if takes 3 arguments, not {}", syntax.children.size()));
    const Expression condition = condition_of(syntax, 0);
    Value a = branch(syntax, 1, condition.is(0));
    const Value b = branch(syntax, 2, condition.is(1));
    if (a.parts.size() != b.parts.size())
      throw FormulaError(syntax.where, fmt::format("chooses between {} and {}", shape(a), shape(b)));
    a.dimension = common_dimension(a, b, "chooses between", syntax.where);
    for (std::size_t i = 0; i < a.parts.size(); ++i)
      a.parts[i] = condition.is(1)   ? a.parts[i]
                   : condition.is(0) ? b.parts[i]
                                     : select(condition, a.parts[i], b.parts[i]);
    return a;
  }

  Value branch(const Syntax& syntax, std::size_t i, bool dead) {
    const bool before = dead_;
    dead_ = dead_ || dead;
    Value value = child(syntax, i);
    dead_ = before;
    require_number(value, syntax.children[i]->where);
    return value;
  }

  Expression condition_of(const Syntax& syntax, std::size_t i) {
    const Value value = child(syntax, i);
    if (!value.is_condition) throw FormulaError(syntax.children[i]->where, "expected a condition, such as x > 0");
    return value.parts[0];
  }

  static Value condition(Expression x) {
    Value value(x);
    value.is_condition = true;
    return value;
  }

  // a >= b is unit_step(a - b), a > b is above(a - b).
  Value comparison(const Syntax& syntax) {
    const std::vector<Value> sides{child(syntax, 0), child(syntax, 1)};
    for (const Value& side : sides) require_scalar(side, "a side of a comparison", syntax.where);
    common_dimension(sides[0], sides[1], "compares", syntax.where);
    label_comparisons(sides, syntax);
    const Expression outcome = outcome_of(syntax.kind, sides[0].parts[0], sides[1].parts[0]);
    if (!outcome.is_constant()) outcome.graph()->set_condition(outcome, "condition " + label(syntax));
    return condition(outcome);
  }

  static Expression outcome_of(Kind kind, Expression a, Expression b) {
    switch (kind) {
      case Kind::less: return above(b - a);
      case Kind::less_equal: return unit_step(b - a);
      case Kind::greater: return above(a - b);
      default: return unit_step(a - b);
    }
  }

  Value logical(const Syntax& syntax) {
    const Expression a = condition_of(syntax, 0);
    if (syntax.kind == Kind::logical_not) return condition(1 - a);
    const Expression b = condition_of(syntax, 1);
    return condition(syntax.kind == Kind::logical_and ? a * b : a + b - a * b);
  }

  Value rate(const Syntax& syntax) {
    Value value = child(syntax, 0);
    require_number(value, syntax.where);
    if (!scope_.rate) throw FormulaError(syntax.where, "' (the time derivative) has no meaning here: nothing moves");
    try {
      for (Expression& part : value.parts) part = scope_.rate(part);
    } catch (const FormulaError& error) {
      throw FormulaError(error.where.line > 0 ? error.where : syntax.where, error.what());
    }
    if (value.dimension) value.dimension = *value.dimension / time_dimension;
    return value;
  }

  // Comparisons that arise from these values carry the part of the formula as their label; those of common functions have words.
  void label_comparisons(const std::vector<Value>& values, const Syntax& part) const {
    Graph* graph = graph_of(values);
    if (!graph) return;
    graph->set_comparison_label(label(part));
    give_words(values, part, *graph);
  }

  static Graph* graph_of(const std::vector<Value>& values) {
    for (const Value& value : values)
      for (const Expression& x : value.parts)
        if (!x.is_constant()) return x.graph();
    return nullptr;
  }

  // Of functions in parts, ramp(x, a, b): their comparisons are those made since.
  void give_words_from(std::size_t first, const Syntax& part, Graph& graph) const {
    const char* const another = "another part of the function applies now";
    for (std::size_t k = first; k < graph.comparisons().size(); ++k)
      if (graph.comparisons()[k].kind != Graph::ComparisonKind::floor && graph.comparisons()[k].words.rises.empty())
        graph.set_words(graph.outcome(static_cast<int>(k)), label(part), {another, another, {}, {}, {}, label(part)});
  }

  void give_words(const std::vector<Value>& values, const Syntax& part, Graph& graph) const {
    const auto scalar = [&](std::size_t i) { return i < values.size() && values[i].is_scalar(); };
    const std::string what = label(part);
    if ((part.name == "min" || part.name == "max") && values.size() == 2 && scalar(0) && scalar(1))
      graph.set_words(
          unit_step(values[0].parts[0] - values[1].parts[0]), what,
          {"the first argument is now the larger one", "the second argument is now the larger one", {}, {}, {}, what});
    if ((part.name == "abs" || part.name == "sign") && scalar(0))
      graph.set_words(unit_step(values[0].parts[0]), what,
                      {"the argument is now positive", "the argument is now negative", {}, {}, {}, what});
    if (part.name == "mod" && scalar(0) && scalar(1))
      graph.set_words(floor(values[0].parts[0] / values[1].parts[0]), what,
                      {"begins a new period", "goes back to the period before", {}, {}, {}, what});
  }

  std::string label(const Syntax& part) const {
    const std::string& text = part.text.empty() ? formula_.text : part.text;
    if (formula_.where.line == 0) return fmt::format("'{}'", text);
    const std::string line =
        scope_.line_in_words ? scope_.line_in_words(formula_.where) : fmt::format("line {}", formula_.where.line);
    return fmt::format("'{}' ({})", text, line);
  }

  const Formula& formula_;
  const Scope& scope_;
  bool dead_ = false;  // inside a branch that is never taken
};

std::string in_words(const Dimension& dimension) {
  return dimension == dimensionless ? "a number without a dimension" : to_string(dimension);
}

void require_dimension(const Value& value, std::optional<Dimension> expected, const Formula& formula) {
  if (expected && value.mixes_dimensions)
    throw FormulaError(formula.where, fmt::format("expected {}, but the entries of '{}' differ in dimension",
                                                  in_words(*expected), formula.text));
  if (expected && value.dimension && *value.dimension != *expected)
    throw FormulaError(formula.where, fmt::format("expected {}, but '{}' is {}", in_words(*expected), formula.text,
                                                  in_words(*value.dimension)));
}

}  // namespace

Value lower(const Formula& formula, const Scope& scope) {
  stop_if_interrupted();
  return Lowering(formula, scope).run();
}

Expression lower_scalar(const Formula& formula, const Scope& scope, std::optional<Dimension> expected) {
  const Value value = lower(formula, scope);
  require_number(value, formula.where);
  if (formula.root->kind == Kind::name && !value.is_scalar() && scope.look_up(element_name(formula.root->name, 1)))
    throw FormulaError(formula.where, fmt::format("expected a number, but '{0}' is a list; its first element is {0}[1]",
                                                  formula.root->name));
  if (formula.root->kind == Kind::list || !value.is_scalar())
    throw FormulaError(formula.where, fmt::format("expected a number, not a vector of {}", value.parts.size()));
  require_dimension(value, expected, formula);
  return value.parts[0];
}

std::array<Expression, 3> lower_vector(const Formula& formula, const Scope& scope, std::optional<Dimension> expected) {
  const Value value = lower(formula, scope);
  require_number(value, formula.where);
  if (value.parts.size() != 3)
    throw FormulaError(formula.where, value.is_scalar() ? "expected a vector [x, y, z], not a number"
                                                        : fmt::format("expected three components [x, y, z], not {}",
                                                                      value.parts.size()));
  require_dimension(value, expected, formula);
  return {value.parts[0], value.parts[1], value.parts[2]};
}

}  // namespace armature::internal
