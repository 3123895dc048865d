#include "expression/lower_functions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "expression/units.hpp"

namespace armature::internal {
namespace {

using Arguments = std::vector<Value>;

// A function of a dimensionless number, such as sin. Its value is a bare number, which fits any dimension: 5*sin(t)
// may be a torque.
struct PlainFunction {
  std::string_view name;
  Expression (*apply)(Expression);
};

Expression log10(Expression x) { return log(x) / std::log(10.0); }

constexpr PlainFunction plain_functions[] = {
    {"sin", sin},   {"cos", cos},   {"tan", tan}, {"asin", asin}, {"acos", acos}, {"atan", atan},   {"sinh", sinh},
    {"cosh", cosh}, {"tanh", tanh}, {"exp", exp}, {"log", log},   {"ln", log},    {"log10", log10}, {"floor", floor},
};

// A function of whole values; it checks shapes and dimensions itself.
struct GeneralFunction {
  std::string_view name;
  int least, most;  // number of arguments
  Value (*apply)(const Arguments&, Location);
};

std::string count_of(std::size_t n) { return n == 1 ? "1 argument" : fmt::format("{} arguments", n); }

Value with_dimension(Expression x, std::optional<Dimension> dimension) {
  Value value(x);
  value.dimension = dimension;
  return value;
}

Value square_root(const Arguments& a, Location where) {
  require_scalar(a[0], "sqrt", where);
  std::optional<Dimension> dimension;
  if (a[0].dimension) dimension = power(*a[0].dimension, 0.5);
  return with_dimension(sqrt(a[0].parts[0]), dimension);
}

Value absolute(const Arguments& a, Location where) {
  require_scalar(a[0], "abs", where);
  return with_dimension(abs(a[0].parts[0]), a[0].dimension);
}

Value sign_of(const Arguments& a, Location where) {
  require_scalar(a[0], "sign", where);
  return sign(a[0].parts[0]);
}

Value arc_tangent(const Arguments& a, Location where) {
  for (const Value& x : a) require_scalar(x, "atan2", where);
  common_dimension(a[0], a[1], "compares", where);
  return atan2(a[0].parts[0], a[1].parts[0]);
}

template <Expression (*pick)(Expression, Expression)>
Value extreme(const Arguments& a, Location where) {
  Value result = a[0];
  for (const Value& x : a) {
    require_scalar(x, "min or max", where);
    result.dimension = common_dimension(result, x, "compares", where);
    result.parts[0] = pick(result.parts[0], x.parts[0]);
  }
  return result;
}

Value clamp_between(const Arguments& a, Location where) {
  return extreme<min>({extreme<max>({a[0], a[1]}, where), a[2]}, where);
}

Value modulo(const Arguments& a, Location where) {
  for (const Value& x : a) require_scalar(x, "mod", where);
  const Expression x = a[0].parts[0], y = a[1].parts[0];
  if (y.is(0)) throw FormulaError(where, "divides by zero");
  return with_dimension(remainder(x, y), common_dimension(a[0], a[1], "divides", where));
}

Value power_function(const Arguments& a, Location where) { return power_of(a[0], a[1], where); }

Value dot_product(const Arguments& a, Location where) {
  if (a[0].parts.size() != a[1].parts.size())
    throw FormulaError(where, fmt::format("dot needs two vectors of one length, not of {} and {}", a[0].parts.size(),
                                          a[1].parts.size()));
  Expression sum = 0;
  for (std::size_t i = 0; i < a[0].parts.size(); ++i) sum += a[0].parts[i] * a[1].parts[i];
  return with_dimension(sum, product_dimension(a[0], a[1]));
}

Value squared_norm(const Arguments& a, Location where) { return dot_product({a[0], a[0]}, where); }

Value euclidean_norm(const Arguments& a, Location where) {
  return with_dimension(sqrt(squared_norm(a, where).parts[0]), a[0].dimension);
}

Value cross_product(const Arguments& a, Location where) {
  if (a[0].parts.size() != 3 || a[1].parts.size() != 3)
    throw FormulaError(where, "cross needs two vectors of three components");
  const auto &x = a[0].parts, &y = a[1].parts;
  Value result(
      std::vector<Expression>{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]});
  result.dimension = product_dimension(a[0], a[1]);
  return result;
}

// How far x is on its way from a to b: 0 before, 1 behind.
Expression progress(const Arguments& a, const char* name, Location where) {
  for (const Value& x : a) require_scalar(x, name, where);
  common_dimension(a[0], a[1], "compares", where);
  common_dimension(a[0], a[2], "compares", where);
  const Expression length = a[2].parts[0] - a[1].parts[0];
  if (length.is_constant() && !(length.value() > 0)) throw FormulaError(where, required_length(name, a)->second);
  return min(max((a[0].parts[0] - a[1].parts[0]) / length, 0.0), 1.0);
}

Value unit_step(const Arguments& a, Location where) {
  for (const Value& x : a) require_scalar(x, "unit_step", where);
  common_dimension(a[0], a[1], "compares", where);
  return unit_step(a[0].parts[0] - a[1].parts[0]);
}

Value ramp(const Arguments& a, Location where) { return progress(a, "ramp", where); }

// From 0 to 1 with rate and second derivative zero at both ends.
Value quintic(const Arguments& a, Location where) {
  const Expression s = progress(a, "quintic", where);
  return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

// From 0 to 1 with a rate that rises over a share of the way in time, stays and falls again.
Value trapezoid(const Arguments& a, Location where) {
  const Expression s = progress({a[0], a[1], a[2]}, "trapezoid", where);
  require_scalar(a[3], "trapezoid", where);
  const Expression share = a[3].parts[0];
  if (!share.is_constant() || !(share.value() > 0 && share.value() <= 0.5))
    throw FormulaError(where, "trapezoid(x, a, b, share) needs a constant share of more than 0 and at most 1/2");
  const Expression bend = 0.5 / (share * (1.0 - share)), rest = 1.0 - s;
  const Expression middle = (s - 0.5 * share) / (1.0 - share);
  return select(unit_step(share - s), bend * s * s, select(unit_step(share - rest), 1.0 - bend * rest * rest, middle));
}

constexpr int any_number = 1000;

constexpr GeneralFunction general_functions[] = {
    {"sqrt", 1, 1, square_root},          {"abs", 1, 1, absolute},        {"sign", 1, 1, sign_of},
    {"atan2", 2, 2, arc_tangent},         {"pow", 2, 2, power_function},  {"min", 2, any_number, extreme<min>},
    {"max", 2, any_number, extreme<max>}, {"clamp", 3, 3, clamp_between}, {"mod", 2, 2, modulo},
    {"dot", 2, 2, dot_product},           {"cross", 2, 2, cross_product}, {"norm", 1, 1, euclidean_norm},
    {"norm2", 1, 1, squared_norm},        {"unit_step", 2, 2, unit_step}, {"ramp", 3, 3, ramp},
    {"quintic", 3, 3, quintic},           {"trapezoid", 4, 4, trapezoid},
};

Value call_plain(const PlainFunction& function, const Arguments& arguments, Location where) {
  if (arguments.size() != 1)
    throw FormulaError(where, fmt::format("{} takes 1 argument, not {}", function.name, arguments.size()));
  const Value& x = arguments[0];
  require_scalar(x, std::string(function.name), where);
  if (x.dimension && *x.dimension != dimensionless)
    throw FormulaError(
        where, fmt::format("{} takes a number without a dimension, not {}", function.name, to_string(*x.dimension)));
  return function.apply(x.parts[0]);
}

Value call_general(const GeneralFunction& function, const Arguments& arguments, Location where) {
  const int count = static_cast<int>(arguments.size());
  if (count < function.least || count > function.most) {
    const char* bound = function.most == any_number ? "at least " : "";
    throw FormulaError(where, fmt::format("{} takes {}{}, not {}", function.name, bound,
                                          count_of(static_cast<std::size_t>(function.least)), count));
  }
  return function.apply(arguments, where);
}

}  // namespace

std::optional<Value> call_function(const std::string& name, const std::vector<Value>& arguments, Location where) {
  for (const PlainFunction& function : plain_functions)
    if (function.name == name) return call_plain(function, arguments, where);
  for (const GeneralFunction& function : general_functions)
    if (function.name == name) return call_general(function, arguments, where);
  return std::nullopt;
}

std::optional<std::pair<Expression, std::string>> required_length(const std::string& name,
                                                                  const std::vector<Value>& arguments) {
  if (name != "ramp" && name != "quintic" && name != "trapezoid") return std::nullopt;
  return std::pair{arguments[2].parts[0] - arguments[1].parts[0], fmt::format("{}(x, a, b) needs a < b", name)};
}

const std::vector<std::string>& built_in_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result{"if"};
    for (const PlainFunction& function : plain_functions) result.emplace_back(function.name);
    for (const GeneralFunction& function : general_functions) result.emplace_back(function.name);
    return result;
  }();
  return names;
}

bool is_built_in(const std::string& name) {
  const std::vector<std::string>& functions = built_in_functions();
  return name == "pi" || name == "t" || std::find(functions.begin(), functions.end(), name) != functions.end();
}

std::optional<Dimension> common_dimension(const Value& a, const Value& b, const char* verb, Location where) {
  if (a.dimension && b.dimension && *a.dimension != *b.dimension) {
    const std::string_view word = verb;
    const char* joint = word == "compares"          ? "with"
                        : word == "divides"         ? "by"
                        : word == "chooses between" ? "and"
                        : word == "subtracts"       ? "from"
                                                    : "to";
    const bool reversed = word == "subtracts";
    throw FormulaError(where, fmt::format("{} {} {} {}", verb, to_string(reversed ? *b.dimension : *a.dimension), joint,
                                          to_string(reversed ? *a.dimension : *b.dimension)));
  }
  return a.dimension ? a.dimension : b.dimension;
}

std::optional<Dimension> product_dimension(const Value& a, const Value& b) {
  if (!a.dimension || !b.dimension) return std::nullopt;
  return *a.dimension * *b.dimension;
}

Value power_of(const Value& base, const Value& exponent, Location where) {
  require_scalar(base, "the base of a power", where);
  require_scalar(exponent, "an exponent", where);
  const Expression x = base.parts[0], y = exponent.parts[0];
  if (exponent.dimension && *exponent.dimension != dimensionless)
    throw FormulaError(
        where, fmt::format("an exponent has no dimension, but this one is in {}", to_string(*exponent.dimension)));
  std::optional<Dimension> dimension;
  if (base.dimension && *base.dimension == dimensionless)
    dimension = dimensionless;
  else if (base.dimension && y.is_constant())
    dimension = power(*base.dimension, y.value());
  else if (base.dimension)
    throw FormulaError(where, fmt::format("raises {} to a power that is not constant", to_string(*base.dimension)));
  return with_dimension(pow(x, y), dimension);
}

void require_number(const Value& value, Location where) {
  if (value.is_condition) throw FormulaError(where, "a comparison is not a number; write if(condition, 1, 0)");
}

void require_scalar(const Value& value, const std::string& what, Location where) {
  require_number(value, where);
  if (!value.is_scalar())
    throw FormulaError(where, fmt::format("{} is a number, not a vector of {}", what, value.parts.size()));
}

}  // namespace armature::internal
