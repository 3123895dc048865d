#include "model/validate.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "expression/derivative.hpp"
#include "model/scope.hpp"

namespace armature::internal {
namespace {

// The first moving thing that an expression depends on.
std::string moving_leaf(const Expression& x) {
  const std::int32_t leaf = leaves_of(x).front();
  const Node& node = (*x.graph())[leaf];
  return node.op == Op::input ? fmt::format("'{}'", x.graph()->inputs()[static_cast<std::size_t>(node.a)])
                              : "a comparison";
}

std::vector<Expression> lower_as(const FormulaCheck& check, const Scope& scope) {
  switch (check.spec.holds) {
    case Holds::number: return {lower_scalar(check.formula, scope, check.dimension)};
    case Holds::vector: {
      const std::array<Expression, 3> x = lower_vector(check.formula, scope, check.dimension);
      return {x.begin(), x.end()};
    }
    default: return lower(check.formula, scope).parts;
  }
}

void check_formula(const FormulaCheck& check, const Scope& scope, Reading& reading) {
  try {
    for (const Expression& x : lower_as(check, scope)) {
      if (!x.is_constant() && !check.spec.moves)
        throw FormulaError(check.formula.where,
                           fmt::format("must be a constant, but it depends on {}", moving_leaf(x)));
      if (!x.is_constant()) continue;
      const std::string violation = range_violation(x.value(), check.spec.range);
      if (!violation.empty()) throw FormulaError(check.formula.where, violation);
    }
  } catch (const FormulaError& error) {
    reading.report_formula(error.where.line > 0 ? error.where : check.formula.where, check.path, error.what());
  }
}

// Sets of bodies that joints connect.
class Islands {
 public:
  explicit Islands(const Model& model) {
    island_["ground"] = 0;
    for (const Body& body : model.bodies) island_.emplace(body.name, static_cast<int>(island_.size()));
    for (const Joint& joint : model.joints)
      if (island_.contains(joint.a.body) && island_.contains(joint.b.body))
        merge(island_[joint.a.body], island_[joint.b.body]);
  }
  bool on_ground(const std::string& body) { return root(island_.at(body)) == root(island_.at("ground")); }

 private:
  // Islands that were merged point to one another; the last is the root.
  int root(int island) {
    while (merged_.contains(island)) {
      const int next = merged_[island];
      if (merged_.contains(next)) merged_[island] = merged_[next];
      island = next;
    }
    return island;
  }
  void merge(int a, int b) {
    a = root(a), b = root(b);
    if (a != b) merged_[b] = a;
  }
  std::map<std::string, int> island_;
  std::unordered_map<int, int> merged_;
};

// The values of a formula of constants, or nothing if something was said about it already.
std::optional<std::array<double, 3>> vector_or_nothing(const Formula& formula, const Model& model) {
  try {
    if (formula.given()) return evaluate_constant_vector(formula, model);
  } catch (const FormulaError&) {
  }
  return std::nullopt;
}

std::optional<double> number_or_nothing(const Formula& formula, const Model& model) {
  try {
    if (formula.given()) return evaluate_constant(formula, model);
  } catch (const FormulaError&) {
  }
  return std::nullopt;
}

void check_axis(const Formula& axis, const Joint& joint, Reading& reading) {
  const auto value = vector_or_nothing(axis, reading.model);
  if (value && (*value)[0] == 0 && (*value)[1] == 0 && (*value)[2] == 0)
    reading.diagnostics.add(axis.where, "joints." + joint.name + ".axis",
                            "the axis has no direction: all its components are zero");
}

void check_element(const JointElement& element, const Joint& joint, Reading& reading) {
  const std::string path = "joints." + joint.name;
  const auto lower = number_or_nothing(element.lower, reading.model),
             upper = number_or_nothing(element.upper, reading.model);
  if (lower && upper && !(*lower < *upper))
    reading.diagnostics.add(element.lower.where, path + ".limits",
                            fmt::format("lower ({}) must be below upper ({})", *lower, *upper));
  const auto breakaway = number_or_nothing(element.breakaway, reading.model);
  if (breakaway && *breakaway < 1)
    reading.diagnostics.add(element.breakaway.where, path + ".friction.breakaway",
                            fmt::format("must be 1 or more, but it is {}", *breakaway));
}

}  // namespace

void check_formulas(Reading& reading) {
  Graph graph;
  Scope scope = checking_scope(reading.model, graph);
  // what nobody reads is not worth a search for the nearest name
  scope.names = [names = std::move(scope.names), &reading] {
    return reading.diagnostics.full() ? std::vector<std::string>{} : names();
  };
  for (const FormulaCheck& check : reading.checks) check_formula(check, scope, reading);
}

void check_connections(Reading& reading) {
  Islands islands(reading.model);
  for (const Body& body : reading.model.bodies)
    if (!islands.on_ground(body.name))
      reading.diagnostics.add(
          body.where, "bodies." + body.name,
          "no joint connects it to the ground; a body that moves freely needs a joint of type free");
}

void check_joint_values(Reading& reading) {
  for (const Joint& joint : reading.model.joints) {
    check_axis(joint.axis_a, joint, reading);
    check_axis(joint.axis_b, joint, reading);
    for (const JointElement& element : joint.elements) check_element(element, joint, reading);
  }
}

}  // namespace armature::internal
