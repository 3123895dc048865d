#include "expression/c_code.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "expression/batch.hpp"
#include "expression/straight_line.hpp"

namespace armature {

namespace {

// Writes the statements of one function; a value is written where it stands if it is a number or an input.
class Writer {
 public:
  Writer(const Program& program, std::string name) : program_(program), line_(program), name_(std::move(name)) {}

  std::string function() const {
    std::string text = tables() + fmt::format("static void {}(const double *in, double *out) {{\n", name_);
    for (const StraightLine::Block& block : line_.blocks)
      for (const auto* values : {&block.calls, &block.arithmetic})
        for (int value : *values) text += fmt::format("  const double v{} = {};\n", value, right_side(value));
    for (std::size_t k = 0; k < line_.outputs.size(); ++k)
      text += fmt::format("  out[{}] = {};\n", k, operand(line_.outputs[k]));
    return text + unused() + "}\n\n";
  }

 private:
  std::string unused() const { return line_.values.empty() || program_.input_count() == 0 ? "  (void)in;\n" : ""; }

  std::string operand(int index) const {
    const StraightLine::Value& value = line_.values[index];
    if (value.op == Op::constant) return c_number(value.number);
    if (value.op == Op::input) return fmt::format("in[{}]", value.a);
    return fmt::format("v{}", index);
  }

  std::string right_side(int index) const {
    const StraightLine::Value& value = line_.values[index];
    const auto pair = [&](char sign) { return fmt::format("{} {} {}", operand(value.a), sign, operand(value.b)); };
    switch (value.op) {
      case Op::add: return pair('+');
      case Op::sub: return pair('-');
      case Op::mul: return pair('*');
      case Op::div: return pair('/');
      case Op::kept_above: return fmt::format("{0} > {1} ? {0} : {1}", operand(value.a), operand(value.b));
      case Op::kept_below: return fmt::format("{0} < {1} ? {0} : {1}", operand(value.a), operand(value.b));
      case Op::neg: return "-" + operand(value.a);
      case Op::select:
        return fmt::format("armature_select({}, {}, {})", operand(value.a), operand(value.b), operand(value.c));
      case Op::table:
        return fmt::format("armature_table(&{}_table{}, {}, {})", name_, value.b, value.c, operand(value.a));
      case Op::atan2:
      case Op::pow: return fmt::format("{}({}, {})", function_name(value.op), operand(value.a), operand(value.b));
      default: return fmt::format("{}({})", function_name(value.op), operand(value.a));
    }
  }

  std::string tables() const {
    std::set<int> used;
    for (const StraightLine::Value& value : line_.values)
      if (value.op == Op::table) used.insert(value.b);
    std::string text;
    for (int index : used) text += table(index);
    return text;
  }

  std::string table(int index) const {
    const Table& table = *program_.tables()[index];
    const std::string name = fmt::format("{}_table{}", name_, index);
    std::string text = fmt::format("static const double {}_knots[] = {{", name);
    for (double knot : table.knots) text += c_number(knot) + ", ";
    text += fmt::format("}};\nstatic const double {}_pieces[][4] = {{\n", name);
    for (const auto& piece : table.coefficients)
      text += fmt::format("  {{{}, {}, {}, {}}},\n", c_number(piece[0]), c_number(piece[1]), c_number(piece[2]),
                          c_number(piece[3]));
    return text + fmt::format("}};\nstatic const armature_table_data {0} = {{{1}, {2}, {0}_knots, {0}_pieces}};\n",
                              name, table.knots.size(), table.hold ? 1 : 0);
  }

  const Program& program_;
  StraightLine line_;
  std::string name_;
};

}  // namespace

std::string c_function(const Program& program, const std::string& name) { return Writer(program, name).function(); }

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  std::string text = fmt::format("{:.15g}", value);
  if (std::strtod(text.c_str(), nullptr) != value) text = fmt::format("{:a}", value);
  if (text.find_first_of(".xe") == std::string::npos) text += ".0";
  return value < 0 || text[0] == '-' ? "(" + text + ")" : text;
}

std::string c_code_preamble() {
  return R"(/* a where w is 1, b where it is 0, between for weights between; a branch of weight zero may be anything */
static inline double armature_select(double w, double a, double b) {
  return w == 1.0 ? a : w == 0.0 ? b : w * a + (1.0 - w) * b;
}

/* piecewise polynomial: on [knots[i], knots[i+1]] the sum of pieces[i][k] (x - knots[i])^k */
typedef struct {
  int count, hold;
  const double *knots;
  const double (*pieces)[4];
} armature_table_data;

static inline double armature_table(const armature_table_data *table, int derivative, double x) {
  const int last = table->count - 1;
  int low = 0, high = last;
  double factor[4] = {1.0, 1.0, 1.0, 1.0}, sum = 0.0;
  if (table->hold && (x < table->knots[0] || x > table->knots[last])) {
    if (derivative > 0) return 0.0;
    x = x < table->knots[0] ? table->knots[0] : table->knots[last];
  }
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x >= table->knots[middle]) low = middle; else high = middle;
  }
  x -= table->knots[low];
  for (int k = 0; k < 4; ++k)
    for (int d = 0; d < derivative; ++d) factor[k] *= k - d;
  if (derivative > 3) return 0.0;
  for (int k = 3; k >= derivative; --k) sum = sum * x + factor[k] * table->pieces[low][k];
  return sum;
}

)";
}

}  // namespace armature
