// Any text as a formula: parsed, lowered, evaluated. Interpreter and machine code must give the same bits on one lane and on
// eight.
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "expression/lower.hpp"
#include "expression/machine_code.hpp"
#include "expression/program.hpp"
#include "expression/units.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace armature::internal;

// Numbers, vectors, conditions, a table and rates, as a model has them.
struct World {
  Graph graph;
  Expression x = graph.input("x"), y = graph.input("y");
  std::shared_ptr<const Table> table = std::make_shared<Table>(Table::spline({-1, 0, 2}, {1, -1, 3}));
  std::map<std::string, Value> values;
  Scope scope;

  World() {
    values["x"] = x;
    values["y"] = with_unit(Value(y), "m");
    values["t"] = x;
    values["l"] = with_unit(Value(Expression(2.0)), "m");
    values["k"] = Expression(3.0);
    values["p"] = with_unit(Value(std::vector<Expression>{1.0, y, 3.0}), "m");
    values["body.P1"] = with_unit(Value(std::vector<Expression>{x, y, 0.0}), "m");
    scope.look_up = [this](const std::string& name) -> std::optional<Value> {
      const auto found = values.find(name);
      return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    scope.names = [this] {
      std::vector<std::string> names;
      for (const auto& entry : values) names.push_back(entry.first);
      return names;
    };
    scope.function = [this](const std::string& name, Expression argument) -> std::optional<Expression> {
      if (name != "f") return std::nullopt;
      return argument.is_constant() ? Expression(table->evaluate(argument.value(), 0)) : graph.lookup(table, argument);
    };
    scope.rate = [](Expression e) -> Expression { return e.is_constant() ? Expression(0.0) : 7 * e; };
  }

  static Value with_unit(Value value, const char* unit) {
    value.dimension = unit_of(unit).dimension;
    return value;
  }
};

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

constexpr int wide = 8;
const double samples[wide] = {0, 1, -1, 0.3, 1e-300, 1e300, -2.5, std::numeric_limits<double>::infinity()};

// Entry i of eight lanes; outcomes are 0, 1 or in between.
std::vector<double> inputs_of(int count, int outcomes_from) {
  std::vector<double> in;
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < wide; ++lane)
      in.push_back(i < outcomes_from ? samples[(lane + 3 * i) % wide] : ((lane + i) % 3) / 2.0);
  return in;
}

void compare(const Program& program, const std::vector<double>& in) {
  const int outputs = program.output_count();
  std::vector<double> lanes_out(static_cast<std::size_t>(outputs) * wide),
      work(static_cast<std::size_t>(program.work_size()) * wide);
  program.prepare_lanes(wide, work.data());
  program.evaluate_lanes(wide, in.data(), lanes_out.data(), work.data());
  if (const auto code = MachineCode::translate(program, wide)) {
    std::vector<double> out(lanes_out.size()), code_work(code->work_size() + 8);
    (*code)(in.data(), out.data(), code_work.data());
    for (std::size_t i = 0; i < out.size(); ++i)
      require(same_bits(out[i], lanes_out[i]), "machine code of eight lanes differs");
  }
  const auto code = MachineCode::translate(program, 1);
  std::vector<double> one_in(static_cast<std::size_t>(program.input_count())), one(static_cast<std::size_t>(outputs)),
      assembled(one);
  std::vector<double> one_work(static_cast<std::size_t>(program.work_size()) + 1),
      code_work((code ? code->work_size() : 0) + 8);
  program.prepare(one_work.data());
  for (int lane = 0; lane < wide; ++lane) {
    for (std::size_t i = 0; i < one_in.size(); ++i) one_in[i] = in[i * wide + static_cast<std::size_t>(lane)];
    program.evaluate(one_in.data(), one.data(), one_work.data());
    if (code) (*code)(one_in.data(), assembled.data(), code_work.data());
    for (std::size_t i = 0; i < one.size(); ++i) {
      require(same_bits(one[i], lanes_out[i * wide + static_cast<std::size_t>(lane)]),
              "a lane differs from a single evaluation");
      require(!code || same_bits(one[i], assembled[i]), "machine code differs");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 2000) return 0;
  try {
    World world;
    const Value value = lower(parse_formula(text_of(data, size), {1, 1}), world.scope);
    std::vector<Expression> inputs{world.x, world.y}, outputs = value.parts;
    for (std::size_t i = 0; i < world.graph.comparisons().size(); ++i) {
      inputs.push_back(world.graph.outcome(static_cast<int>(i)));
      outputs.push_back(world.graph.comparisons()[i].root);
    }
    const Program program(inputs, outputs);
    compare(program, inputs_of(program.input_count(), 2));
  } catch (const FormulaError& error) {
    require(*error.what() != 0, "a formula is refused without a sentence");
  }
  return 0;
}
