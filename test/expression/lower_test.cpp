#include "expression/lower.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "expression/program.hpp"
#include "expression/units.hpp"

namespace armature::internal {
namespace {

// Names l (2 m), k (3), p ([1, 2, 3] m), flag (a comparison), table triple(x) = 3 x, and the moving names u, w.
struct World {
  Graph graph;
  Expression u = graph.input("u"), w = graph.input("w");
  std::map<std::string, Value> values;
  Scope scope;

  World() {
    values["l"] = with_unit(Value(Expression(2.0)), "m");
    values["k"] = Expression(3.0);
    values["p"] = with_unit(Value(std::vector<Expression>{1.0, 2.0, 3.0}), "m");
    values["u"] = u;
    values["w"] = with_unit(Value(w), "m");
    values["body.P1"] = with_unit(Value(std::vector<Expression>{u, w, 0.0}), "m");
    scope.look_up = [this](const std::string& name) -> std::optional<Value> {
      const auto place = values.find(name);
      if (place == values.end()) return std::nullopt;
      return place->second;
    };
    scope.names = [this] {
      std::vector<std::string> names;
      for (const auto& [name, value] : values) names.push_back(name);
      return names;
    };
    scope.function = [](const std::string& name, Expression x) -> std::optional<Expression> {
      if (name != "triple") return std::nullopt;
      return 3 * x;
    };
    scope.rate = [this](Expression x) -> Expression { return x.is_constant() ? Expression(0.0) : 7 * x; };
  }

  static Value with_unit(Value value, const char* unit) {
    value.dimension = unit_of(unit).dimension;
    return value;
  }
};

double constant(const std::string& text) {
  World world;
  const Expression x = lower_scalar(parse_formula(text, {}), world.scope);
  EXPECT_TRUE(x.is_constant()) << text;
  return x.value();
}

// The value at given u, w; outcomes are set by their roots, which here depend on u and w only.
double at(const std::string& text, double u, double w) {
  World world;
  const Expression x = lower_scalar(parse_formula(text, {}), world.scope);
  std::vector<Expression> inputs{world.u, world.w}, roots;
  for (std::size_t i = 0; i < world.graph.comparisons().size(); ++i) {
    roots.push_back(world.graph.comparisons()[i].root);
    inputs.push_back(world.graph.outcome(static_cast<int>(i)));
  }
  std::vector<double> in{u, w}, root(roots.size() + 1), out(1);
  in.resize(inputs.size());
  if (!roots.empty()) Evaluator(std::make_shared<Program>(inputs, roots))(in.data(), root.data());
  for (std::size_t i = 0; i < roots.size(); ++i) in[2 + i] = root[i] >= 0;
  Evaluator(std::make_shared<Program>(inputs, std::vector<Expression>{x}))(in.data(), out.data());
  return out[0];
}

std::string error_in(const std::string& text, const char* unit = nullptr) {
  World world;
  std::optional<Dimension> expected;
  if (unit) expected = unit_of(unit).dimension;
  try {
    lower_scalar(parse_formula(text, {}), world.scope, expected);
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "no error";
}

std::string dimension_of(const std::string& text) {
  World world;
  const Value value = lower(parse_formula(text, {}), world.scope);
  return value.dimension ? to_string(*value.dimension) : "unknown";
}

TEST(Lower, ComputesConstants) {
  EXPECT_DOUBLE_EQ(constant("0.2/sqrt(3)"), 0.2 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(constant("2^3^2 - 2*pi"), 512 - 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(constant("-2^2"), -4);
  EXPECT_DOUBLE_EQ(constant("atan2(1, -1) + log(exp(2)) + ln(1) + log10(1000)"), 0.75 * std::numbers::pi + 5);
  EXPECT_DOUBLE_EQ(constant("min(4, 2, 3) + max(1, 5) + clamp(9, 0, 1) + mod(-1, 3) + floor(2.5)"), 2 + 5 + 1 + 2 + 2);
  EXPECT_DOUBLE_EQ(constant("pow(2, 10) + abs(-3) + sign(-2)"), 1024 + 3 - 1);
  EXPECT_DOUBLE_EQ(constant("triple(k)"), 9);
  EXPECT_DOUBLE_EQ(constant("l/(50 cm)"), 4);
}

TEST(Lower, ComputesWithVectors) {
  EXPECT_DOUBLE_EQ(constant("dot(p, [1, 1, 1])"), 6);
  EXPECT_DOUBLE_EQ(constant("norm(p) - sqrt(norm2(p))"), 0);
  EXPECT_DOUBLE_EQ(constant("cross([1, 0, 0], [0, 1, 0]).z"), 1);
  EXPECT_DOUBLE_EQ(constant("p.y + (2*p - p/2).z"), 2 + 4.5);
  EXPECT_DOUBLE_EQ(at("body.P1.y", 5, 6), 6);
  EXPECT_DOUBLE_EQ(at("body.P1'.x", 5, 6), 35);
}

TEST(Lower, ChoosesByConditions) {
  EXPECT_EQ(at("if(u > 0, 1, 2)", 1, 0), 1);
  EXPECT_EQ(at("if(u > 0, 1, 2)", -1, 0), 2);
  for (double u : {-1.0, 1.0})
    for (double w : {-1.0, 1.0}) {
      EXPECT_EQ(at("if(u > 0 and w > 0, 1, 0)", u, w), u > 0 && w > 0);
      EXPECT_EQ(at("if(u > 0 or w > 0, 1, 0)", u, w), u > 0 || w > 0);
      EXPECT_EQ(at("if(not u > 0, 1, 0)", u, w), !(u > 0));
      EXPECT_EQ(at("if(u*(1 m) < w, 1, 0)", u, w), u < w);
      EXPECT_EQ(at("abs(u) + sign(w) + max(u, -u)", u, w), 2 + w);
    }
}

TEST(Lower, ComparesStrictlyWhereWrittenSo) {
  EXPECT_EQ(constant("if(2 > 2, 1, 0)"), 0);
  EXPECT_EQ(constant("if(2 < 2, 1, 0)"), 0);
  EXPECT_EQ(constant("if(2 >= 2, 1, 0)"), 1);
  EXPECT_EQ(constant("if(2 <= 2, 1, 0)"), 1);
}

TEST(Lower, LeavesABranchThatIsNeverTakenAlone) {
  EXPECT_EQ(constant("if(k > 0, 1/k, 1/0)"), 1.0 / 3);
  EXPECT_EQ(error_in("if(k > 0, 1/0, 2)"), "divides by zero");
  EXPECT_EQ(error_in("if(k > 0, 1, kk)"), "unknown name 'kk'");
}

TEST(Lower, FollowsDimensions) {
  EXPECT_EQ(dimension_of("l*l/(2 s)"), "m^2/s");
  EXPECT_EQ(dimension_of("sqrt(l*l)"), "m");
  EXPECT_EQ(dimension_of("l^3"), "m^3");
  EXPECT_EQ(dimension_of("w'"), "m/s");
  EXPECT_EQ(dimension_of("l + 1"), "m");
  EXPECT_EQ(dimension_of("2*l"), "unknown");
  EXPECT_EQ(dimension_of("cos(30 deg)"), "unknown");
  EXPECT_EQ(dimension_of("30 deg"), "1");
  EXPECT_EQ(dimension_of("[1 m, 2 kg]"), "unknown");
}

TEST(Lower, ReportsWrongDimensions) {
  EXPECT_EQ(error_in("l + 2 kg"), "adds m to kg");
  EXPECT_EQ(error_in("if(l > 2 s, 1, 0)"), "compares m with s");
  EXPECT_EQ(error_in("sin(l)"), "sin takes a number without a dimension, not m");
  EXPECT_EQ(error_in("2^l"), "an exponent has no dimension, but this one is in m");
  EXPECT_EQ(error_in("5 mm", "kg"), "expected kg, but '5 mm' is m");
  EXPECT_EQ(error_in("5", "kg"), "no error");
}

TEST(Lower, ReportsNumbersThatAreNotFinite) {
  EXPECT_EQ(error_in("1/0"), "divides by zero");
  EXPECT_EQ(error_in("u/(k - 3)"), "divides by zero");
  EXPECT_EQ(error_in("sqrt(-1)"), "sqrt gives no real number");
  EXPECT_EQ(error_in("log(0)"), "log gives an infinite number");
  EXPECT_EQ(error_in("0^-1"), "a power gives an infinite number");
  EXPECT_EQ(error_in("1e300*1e300"), "arithmetic gives an infinite number");
}

TEST(Lower, ReportsUnknownNamesAndWrongShapes) {
  EXPECT_EQ(error_in("body.P2.x"), "unknown name 'body.P2.x' (did you mean 'body.P1'?)");
  EXPECT_EQ(error_in("zzz"), "unknown name 'zzz'");
  EXPECT_EQ(error_in("sim(1)"), "unknown function 'sim' (did you mean 'sin'?)");
  EXPECT_EQ(error_in("sin"), "sin is a function; write sin(…)");
  EXPECT_EQ(error_in("k(2)"), "'k' is not a function; to multiply write *");
  EXPECT_EQ(error_in("sin(1, 2)"), "sin takes 1 argument, not 2");
  EXPECT_EQ(error_in("min(1)"), "min takes at least 2 arguments, not 1");
  EXPECT_EQ(error_in("triple(1, 2)"), "triple takes 1 number");
  EXPECT_EQ(error_in("p"), "expected a number, not a vector of 3");
  EXPECT_EQ(error_in("p*p"), "multiplies two vectors; write dot(a, b) or cross(a, b)");
  EXPECT_EQ(error_in("p + 1"), "adds a vector of 3 to a number");
  EXPECT_EQ(error_in("k.x"), "a number has no component .x");
  EXPECT_EQ(error_in("[1, 2].z"), "a vector of 2 has no component .z");
  EXPECT_EQ(error_in("if(u, 1, 0)"), "expected a condition, such as x > 0");
  EXPECT_EQ(error_in("1 + (u > 0)"), "a comparison is not a number; write if(condition, 1, 0)");
}

TEST(Lower, WantsThreeComponentsOfAVector) {
  World world;
  EXPECT_EQ(lower_vector(parse_formula("p", {}), world.scope)[2].value(), 3);
  EXPECT_THROW(lower_vector(parse_formula("[1, 2]", {}), world.scope), FormulaError);
  EXPECT_THROW(lower_vector(parse_formula("[1 m, 2 kg, 0]", {}), world.scope, length_dimension), FormulaError);
}

TEST(Lower, LabelsComparisonsWithTheirFormula) {
  World world;
  lower(parse_formula("if(u > 0, 1, 2)", {12, 3}), world.scope);
  ASSERT_EQ(world.graph.comparisons().size(), 1u);
  EXPECT_EQ(world.graph.comparisons()[0].label, "condition 'u > 0' (line 12)");
}

TEST(NearestName, FindsTyposAndNothingElse) {
  const std::vector<std::string> names{"crank1", "coupler", "rod"};
  EXPECT_EQ(nearest_name("cuopler", names), "coupler");
  EXPECT_EQ(nearest_name("Crank1", names), "crank1");
  EXPECT_EQ(nearest_name("rof", names), "rod");
  EXPECT_FALSE(nearest_name("table", names).has_value());
  EXPECT_FALSE(nearest_name("x", {"y"}).has_value());
}

}  // namespace
}  // namespace armature::internal
