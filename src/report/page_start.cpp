#include "report/page_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "dynamics/assembly_steps.hpp"
#include "expression/derivative.hpp"
#include "mechanics/build.hpp"
#include "mechanics/coordinates.hpp"
#include "mechanics/mechanism.hpp"
#include "model/joint_components.hpp"

namespace armature::internal {

namespace {

using Expressions = std::vector<Expression>;

// d/dt along qdot, at a fixed time: linear in v.
LeafMap along_positions(const Equations& e) {
  LeafMap flow;
  for (std::size_t i = 0; i < e.q.size(); ++i) flow[e.q[i].id()] = e.qdot[i];
  return flow;
}

// The machine's own length, by which assembly measures what near values miss: at the guess, with named coordinates at their values.
double length_for_positions(const Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  State guess = prepared.system->initial_state();
  prepared.system->start_states(prepared.parameters, guess);
  evaluator.hold(guess);
  AssemblySteps steps(evaluator, true);
  steps.begin(guess);
  return steps.length();
}
// And what near speeds miss: at the start.
double length_for_velocities(const Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  evaluator.hold(prepared.start);
  AssemblySteps steps(evaluator, true);
  steps.measure(prepared.start);
  return steps.length();
}

class StartWriter {
 public:
  explicit StartWriter(const Prepared& prepared) : prepared_(prepared), e_(prepared.system->equations()) {
    for (const Expression& v : e_.v) by_velocity_.emplace_back(LeafMap{{v.id(), 1.0}});
  }

  PageStart write(const Model& model, bool conditions) {
    add_positions(model, conditions);
    add_velocities(conditions);
    if (conditions) add_states();
    add_limits(model);
    if (conditions) add_near(), add_turns(), add_angles();
    add_following();
    add_comparisons();
    start_.program = prepared_.system->make_program(outputs_);
    return std::move(start_);
  }

 private:
  void append(const Expressions& list) { outputs_.insert(outputs_.end(), list.begin(), list.end()); }
  // What is not zero of d(expressions linear in v)/dv.
  void append_derivatives(const Expressions& linear_in_v, std::vector<PageEntry>& entries) {
    for (std::size_t row = 0; row < linear_in_v.size(); ++row)
      for (std::size_t column = 0; column < by_velocity_.size(); ++column) {
        const Expression entry = by_velocity_[column](linear_in_v[row]);
        if (entry.is(0)) continue;
        entries.push_back({static_cast<int>(row), static_cast<int>(column)});
        outputs_.push_back(entry);
      }
  }

  void add_positions(const Model& model, bool conditions) {
    Derivative at_fixed_time(along_positions(e_));
    Expressions residuals, rates;
    if (conditions)
      for (const StartCondition& condition : e_.keep) residuals.push_back(condition.residual);
    start_.kept = static_cast<int>(residuals.size()), start_.loops = static_cast<int>(e_.rows.size());
    for (const ConstraintRow& row : e_.rows) residuals.push_back(row.phi);
    for (const Expression& x : residuals) rates.push_back(at_fixed_time(x));
    for (int i = 0; i < start_.loops; ++i)
      if (is_driven(e_.rows[static_cast<std::size_t>(i)], model)) start_.prescribed.push_back(i);
    append(residuals);
    append_derivatives(rates, start_.position_entries);
  }

  // A motor's motion follows from something else than coordinates. The law of a cam and the mesh of gears do not: they are loops.
  bool is_driven(const ConstraintRow& row, const Model& model) const {
    if (!row.effort || row.phi.is_constant()) return false;
    const auto leaves = leaves_with_comparisons({row.phi});
    return std::ranges::any_of(leaves, [&](std::int32_t leaf) { return !is_coordinate_or_parameter(leaf, model); });
  }
  bool is_coordinate_or_parameter(std::int32_t leaf, const Model& model) const {
    if ((*e_.graph)[leaf].op == Op::outcome || std::ranges::count(e_.q, leaf, &Expression::id) > 0) return true;
    const auto place = static_cast<std::size_t>(std::ranges::find(e_.p, leaf, &Expression::id) - e_.p.begin());
    return place < e_.p.size() && std::ranges::count(model.inputs, e_.p_name[place], &HostInput::name) == 0;
  }
  // What expressions depend on, also through the outcomes of comparisons.
  std::set<std::int32_t> leaves_with_comparisons(const Expressions& list) const {
    std::set<std::int32_t> leaves;
    std::vector<Expression> left = list;
    while (!left.empty()) {
      const Expression x = left.back();
      left.pop_back();
      if (x.is_constant()) continue;
      for (const std::int32_t leaf : leaves_of(x))
        if (leaves.insert(leaf).second && (*e_.graph)[leaf].op == Op::outcome)
          left.push_back(e_.graph->comparisons()[static_cast<std::size_t>((*e_.graph)[leaf].a)].root);
    }
    return leaves;
  }

  void add_velocities(bool conditions) {
    LeafMap flow = along_positions(e_);
    flow[e_.t.id()] = 1.0;
    Derivative with_time(flow);
    Expressions kept;
    if (conditions)
      for (const StartCondition& condition : e_.speed_keep) kept.push_back(condition.residual);
    start_.kept_speeds = static_cast<int>(kept.size());
    append(kept);
    for (const ConstraintRow& row : e_.rows) outputs_.push_back(with_time(row.phi));
    append_derivatives(kept, start_.speed_entries);
  }

  void add_states() {
    for (const auto& [index, value] : e_.z_initial) {
      outputs_.push_back(value);
      start_.states.push_back(static_cast<int>(e_.q.size() + e_.v.size()) + index);
    }
  }

  // End stops of joints.
  void add_limits(const Model& model) {
    if (model.lagrangian.given) return;
    std::vector<std::string> free;
    for (const std::string& name : e_.p_name)
      if (std::ranges::count(model.parameters, name, &Parameter::name) > 0) free.push_back(name);
    const auto equations = begin_equations(model, free);
    Mechanism mechanism(model, *equations);
    Derivative at_fixed_time(along_positions(e_));
    Expressions values, rates, bounds;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const auto bound = [&](const Formula& formula, double otherwise) {
      const Expression x = formula.given() ? mechanism.builder().scalar(formula) : Expression(otherwise);
      return follows_from(x, equations->p) ? x : Expression(otherwise);
    };
    for (const Joint& joint : model.joints)
      for (const JointElement& element : joint.elements) {
        const std::string name = component_name(joint.name, element.component);
        const Expression lower = bound(element.lower, -infinite), upper = bound(element.upper, infinite);
        const std::optional<Expression> value = value_of(name);
        if (!value || (lower.is(-infinite) && upper.is(infinite))) continue;
        start_.limits.push_back({name, unit_of_limit(joint, element)});
        bounds.push_back(lower), bounds.push_back(upper);
        values.push_back(*value);
        rates.push_back(at_fixed_time(*value));
      }
    append(values);
    append_derivatives(rates, start_.limit_entries);
    if (!bounds.empty()) take_bounds(bounds, *equations);
  }
  static bool follows_from(const Expression& x, const Expressions& parameters) {
    return x.is_constant() || std::ranges::all_of(leaves_of(x), [&](std::int32_t leaf) {
             return std::ranges::count(parameters, leaf, &Expression::id) > 0;
           });
  }
  // bounds: of the parameters of equations, which are some of those of the page.
  void take_bounds(const Expressions& bounds, const Equations& equations) {
    Expressions inputs;
    for (const std::string& name : e_.p_name) {
      const auto place = static_cast<std::size_t>(std::ranges::find(equations.p_name, name) - equations.p_name.begin());
      inputs.push_back(place < equations.p.size() ? equations.p[place] : equations.graph->input(name));
    }
    auto program = std::make_shared<const Program>(inputs, bounds);
    std::vector<double> numbers(bounds.size());
    Evaluator evaluate(program);
    evaluate(prepared_.parameters.data(), numbers.data());
    for (std::size_t k = 0; k < start_.limits.size(); ++k)
      start_.limits[k].lower = numbers[2 * k], start_.limits[k].upper = numbers[2 * k + 1];
    if (!std::ranges::all_of(bounds, &Expression::is_constant)) start_.bounds = std::move(program);
  }
  static std::string unit_of_limit(const Joint& joint, const JointElement& element) {
    for (const JointComponent& component : components_of(joint.type))
      if (component.name == element.component) return component.is_length ? "m" : "rad";
    return "";
  }
  // Near values and speeds, measured as in assembly.
  void add_near() {
    Derivative at_fixed_time(along_positions(e_));
    const Expressions values = near_values();
    Expressions rates;
    for (const Expression& value : values) rates.push_back(at_fixed_time(value));
    start_.near = static_cast<int>(values.size());
    append(values);
    append_derivatives(rates, start_.near_entries);
    const Expressions speeds = near_speeds();
    start_.near_speeds = static_cast<int>(speeds.size());
    append(speeds);
    append_derivatives(speeds, start_.near_speed_entries);
  }
  Expressions near_values() const {
    return e_.near.empty() ? Expressions{} : measured(e_.near, length_for_positions(prepared_));
  }
  Expressions near_speeds() const {
    return e_.speed_near.empty() ? Expressions{} : measured(e_.speed_near, length_for_velocities(prepared_));
  }
  static Expressions measured(const std::vector<StartCondition>& conditions, double length) {
    Expressions residuals;
    for (const StartCondition& condition : conditions) {
      const bool is_length = condition.unit == "m" || condition.unit == "m/s";
      residuals.push_back(is_length ? condition.residual / length : condition.residual);
    }
    return residuals;
  }
  // An angle that the file does not name is wanted at zero, as in assembly.
  void add_turns() {
    for (std::size_t i = 0; i < e_.discrete.size(); ++i) {
      const Discrete& count = e_.discrete[i];
      if (!count.turns_of) continue;
      start_.turns.push_back(static_cast<int>(i));
      outputs_.push_back(*count.turns_of);
      for (const auto* conditions : {&e_.keep, &e_.near})
        for (const StartCondition& condition : *conditions)
          if (condition.name == count.name) outputs_.back() = condition.residual;
    }
  }
  void add_angles() {
    const auto row_of = [](const std::vector<StartCondition>& list, const std::string& name) {
      const auto found = std::ranges::find(list, name, &StartCondition::name);
      return found == list.end() ? -1 : static_cast<int>(found - list.begin());
    };
    for (std::size_t i = 0; i < e_.positions.size(); ++i) {
      const Coordinate& position = e_.positions[i];
      if (position.kind != Coordinate::Kind::angle || row_of(e_.keep, position.name) >= 0) continue;
      start_.angles.push_back(static_cast<int>(i));
      start_.near_of.push_back(row_of(e_.near, position.name));
    }
  }
  void add_following() {
    for (std::size_t i = 0; i < e_.discrete.size(); ++i)
      if (e_.discrete[i].follows_steps())
        start_.following.push_back(static_cast<int>(i)), start_.initial.push_back(e_.discrete[i].initial);
  }
  // Their outcomes follow from the pose, also those on which discrete values depend: a contact that is pressed at the start has no speed of impact.
  void add_comparisons() {
    Expressions dependent = outputs_;
    for (const int i : start_.following) dependent.push_back(e_.discrete[static_cast<std::size_t>(i)].next);
    const std::set<std::int32_t> leaves = leaves_with_comparisons(dependent);
    for (const std::int32_t leaf : leaves) {
      if ((*e_.graph)[leaf].op != Op::outcome) continue;
      const int index = (*e_.graph)[leaf].a;
      const Graph::Comparison& comparison = e_.graph->comparisons()[static_cast<std::size_t>(index)];
      start_.comparisons.push_back(index);
      start_.kinds.push_back(comparison.kind);
      outputs_.push_back(comparison.root);
    }
  }

  // A coordinate, or the value of a joint that was cut.
  std::optional<Expression> value_of(const std::string& name) const {
    for (std::size_t i = 0; i < e_.positions.size(); ++i)
      if (e_.positions[i].name == name) return e_.q[i];
    for (const Quantity& quantity : e_.quantities)
      if (quantity.name == name) return quantity.value;
    return {};
  }

  const Prepared& prepared_;
  const Equations& e_;
  std::vector<Derivative> by_velocity_;
  Expressions outputs_;
  PageStart start_;
};

nlohmann::ordered_json flat(const std::vector<PageEntry>& entries) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [row, column] : entries) list.push_back(row), list.push_back(column);
  return list;
}

}  // namespace

PageStart page_start(const Prepared& prepared, const Model& model, bool conditions) {
  return StartWriter(prepared).write(model, conditions);
}

nlohmann::ordered_json to_json(const PageStart& start, int function) {
  using Json = nlohmann::ordered_json;
  Json limits = Json::array();
  Json kinds = Json::array();
  for (const step::ComparisonKind kind : start.kinds) kinds.push_back(static_cast<int>(kind));
  const auto bound = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
  for (const PageLimit& limit : start.limits)
    limits.push_back(
        {{"name", limit.name}, {"unit", limit.unit}, {"lower", bound(limit.lower)}, {"upper", bound(limit.upper)}});
  return {{"function", function},
          {"kept", start.kept},
          {"keptSpeeds", start.kept_speeds},
          {"loops", start.loops},
          {"prescribed", start.prescribed},
          {"states", start.states},
          {"limits", limits},
          {"positionEntries", flat(start.position_entries)},
          {"speedEntries", flat(start.speed_entries)},
          {"limitEntries", flat(start.limit_entries)},
          {"near", start.near},
          {"nearEntries", flat(start.near_entries)},
          {"nearSpeeds", start.near_speeds},
          {"nearSpeedEntries", flat(start.near_speed_entries)},
          {"turns", start.turns},
          {"angles", start.angles},
          {"nearOf", start.near_of},
          {"following", start.following},
          {"initial", start.initial},
          {"comparisons", start.comparisons},
          {"kinds", kinds}};
}

}  // namespace armature::internal
