#include "expression/c_code.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "expression/batch.hpp"
#include "expression/few_alive.hpp"
#include "expression/number_text.hpp"
#include "expression/straight_line.hpp"

namespace armature::internal {

extern const std::string_view elementary_text;  // elementary_formulas.h

namespace {

// Writes the statements of one function; a value is written where it stands if it is a number or an input.
class Writer {
 public:
  Writer(const Program& program, StraightLine line, std::string name, std::string qualifier)
      : program_(program), line_(std::move(line)), name_(std::move(name)), qualifier_(std::move(qualifier)) {
    for (std::size_t k = 0; k < line_.values.size(); ++k)
      if (is_turn(line_.values[k].op)) turns_[line_.values[k].a].push_back(static_cast<int>(k));
  }

  std::string function() const {
    std::string text = tables() + fmt::format("{}void {}(const double *in, double *out) {{\n", qualifier_, name_);
    for (const StraightLine::Block& block : line_.blocks)
      for (const auto* values : {&block.calls, &block.arithmetic})
        for (int value : *values) text += statement(value);
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

  // sin and cos of one angle come from one call, which stands where the first of them would.
  std::string statement(int index) const {
    const StraightLine::Value& value = line_.values[index];
    if (is_turn(value.op) && turns_.at(value.a).size() == 2) {
      const std::vector<int>& both = turns_.at(value.a);
      const int other = both[0] == index ? both[1] : both[0];
      if (other < index) return "";
      const int sine = value.op == Op::sin ? index : other, cosine = sine == index ? other : index;
      return fmt::format("  double v{0}, v{1};\n  armature_sin_cos({2}, &v{0}, &v{1});\n", sine, cosine,
                         operand(value.a));
    }
    return fmt::format("  const double v{} = {};\n", index, right_side(index));
  }

  static bool is_turn(Op op) { return op == Op::sin || op == Op::cos; }

  std::string right_side(int index) const {
    const StraightLine::Value& value = line_.values[index];
    const auto pair = [&](char sign) { return fmt::format("{} {} {}", operand(value.a), sign, operand(value.b)); };
    // Each operation as runs compute it, so that the bits are the same.
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
      case Op::pow: return fmt::format("{}({}, {})", called(value.op), operand(value.a), operand(value.b));
      default: return fmt::format("{}({})", called(value.op), operand(value.a));
    }
  }

  // Ours where Armature has its own: the same bits with every C library.
  static std::string called(Op op) {
    const bool own = is_turn(op) || op == Op::exp || op == Op::atan2;
    return (own ? "armature_" : "") + std::string(function_name(op));
  }

  std::string tables() const {
    std::set<int> used;
    for (const StraightLine::Value& value : line_.values)
      if (value.op == Op::table) used.insert(value.b);
    std::string text;
    for (int index : used)
      text += c_table(*program_.tables()[static_cast<std::size_t>(index)], fmt::format("{}_table{}", name_, index));
    return text;
  }

  const Program& program_;
  StraightLine line_;
  std::string name_, qualifier_;
  std::map<int, std::vector<int>> turns_;  // sin and cos of a value
};

constexpr std::string_view select_code =
    R"(/* a where w is 1, b where it is 0, between for weights between; a branch of weight zero may be anything */
static inline double armature_select(double w, double a, double b) {
  return w == 1.0 ? a : w == 0.0 ? b : w * a + (1.0 - w) * b;
}

)";

constexpr std::string_view table_code =
    R"(/* piecewise polynomial: on [knots[i], knots[i+1]] the sum of pieces[i][k] (x - knots[i])^k */
typedef struct {
  int count, hold;
  const double *knots;
  const double (*pieces)[4];
} armature_table_data;

static inline double armature_table(const armature_table_data *table, int derivative, double x) {
  const int last = table->count - 1;
  int low = 0, high = last;
  double factor[4] = {1.0, 1.0, 1.0, 1.0}, sum = 0.0;
  // Into the range of the knots: wrapped where the table repeats, held where it holds its ends.
  if (table->hold == 2) {
    const double first = table->knots[0], end = table->knots[last], period = end - first;
    x -= floor((x - first) / period) * period;
    x = x < first ? first : x > end ? end : x;
  } else if (table->hold && (x < table->knots[0] || x > table->knots[last])) {
    if (derivative > 0) return 0.0;
    x = x < table->knots[0] ? table->knots[0] : table->knots[last];
  }
  // The piece by bisection, and the cubic there, differentiated term by term.
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

// The C library is asked where the polynomials do not reach.
constexpr std::string_view elementary_begin =
    R"(/* sin, cos, exp and atan2 with the same bits everywhere */
typedef double Numbers;
typedef unsigned long long Bits;
typedef union {
  Numbers number;
  Bits bits;
} NumberOrBits;
#define BITS(x) ((NumberOrBits){.number = (x)}.bits)
#define NUMBERS(x) ((NumberOrBits){.bits = (x)}.number)
#ifdef __GNUC__
#define FORMULA static inline __attribute__((unused))
#else
#define FORMULA static inline
#endif
)";
constexpr std::string_view elementary_end = R"(
FORMULA void armature_sin_cos(double x, double *sine, double *cosine) {
  if (fabs(x) <= LARGEST_ANGLE)
    sine_and_cosine(&x, sine, cosine);
  else
    *sine = sin(x), *cosine = cos(x);
}
FORMULA double armature_exp(double x) {
  double result;
  if (!(x >= SMALLEST_POWER && x <= LARGEST_POWER)) return exp(x);
  exponential(&x, &result);
  return result;
}
FORMULA double armature_atan2(double y, double x) {
  double angle, side;
  arc_of_sides(&y, &x, &angle, &side);
  if (!(side >= SMALLEST_SIDE && side <= LARGEST_SIDE) || x != x || y != y) return atan2(y, x);
  return angle;
}

)";

// After either of them.
constexpr std::string_view sine_or_cosine = R"(FORMULA double armature_sin(double x) {
  double sine, cosine;
  armature_sin_cos(x, &sine, &cosine);
  return sine;
}
FORMULA double armature_cos(double x) {
  double sine, cosine;
  armature_sin_cos(x, &sine, &cosine);
  return cosine;
}

)";

// On a card, where no C library has the processor's bits: what the polynomials do not reach is exact, or it is reported. The
// program around this defines BITS, NUMBERS, FORMULA, NOT_A_NUMBER and out_of_reach().
constexpr std::string_view device_begin =
    R"(/* sin, cos, exp and atan2 with the same bits everywhere */
typedef double Numbers;
typedef unsigned long long Bits;
)";
constexpr std::string_view device_end = R"(
FORMULA void armature_sin_cos(double x, double *sine, double *cosine) {
  if (fabs(x) <= LARGEST_ANGLE) {
    sine_and_cosine(&x, sine, cosine);
  } else {
    if (x - x == 0.0) out_of_reach();
    *sine = *cosine = NOT_A_NUMBER;
  }
}
/* zero below all subnormal numbers, infinite above all numbers */
FORMULA double armature_exp(double x) {
  double result;
  if (x >= SMALLEST_POWER && x <= LARGEST_POWER) {
    exponential(&x, &result);
    return result;
  }
  if (x < -746.0) return 0.0;
  if (x > 710.0) return INFINITY;
  if (x == x) out_of_reach();
  return NOT_A_NUMBER;
}
FORMULA double armature_atan2(double y, double x) {
  double angle, side;
  arc_of_sides(&y, &x, &angle, &side);
  if (x != x || y != y) return NOT_A_NUMBER;
  if (side >= SMALLEST_SIDE && side <= LARGEST_SIDE) return angle;
  if (side == 0.0) return BITS(x) >> 63 ? (BITS(y) >> 63 ? -0x1.921fb54442d18p+1 : 0x1.921fb54442d18p+1) : y;
  out_of_reach();
  return NOT_A_NUMBER;
}

)";

constexpr std::string_view functions_of_the_card =
    R"(FORMULA void armature_sin_cos(double x, double *sine, double *cosine) {
  sincosf(x, sine, cosine);
}
FORMULA double armature_sin(double x) { return sinf(x); }
FORMULA double armature_cos(double x) { return cosf(x); }
FORMULA double armature_exp(double x) { return expf(x); }
FORMULA double armature_atan2(double y, double x) { return atan2f(y, x); }

)";

}  // namespace

std::string c_function(const Program& program, const std::string& name) {
  return Writer(program, StraightLine(program), name, "").function();
}

std::string device_function(const Program& program, const std::string& name) {
  StraightLine line(program);
  keep_few_alive(line);
  return Writer(program, std::move(line), name, "MODEL_KERNEL ").function();
}

std::string device_code_preamble() {
  std::string text;
  for (const std::string_view part : {select_code, table_code, device_begin}) text += part;
  text += elementary_text.substr(elementary_text.find("\n\n") + 1);
  text += device_end;
  return text += sine_or_cosine;
}

std::string single_code_preamble() {
  std::string text;
  for (const std::string_view part : {select_code, table_code, functions_of_the_card}) text += part;
  return text;
}

std::string c_table(const Table& table, const std::string& name) {
  std::string text = fmt::format("static const double {}_knots[] = {{", name);
  for (double knot : table.knots) text += c_number(knot) + ", ";
  text += fmt::format("}};\nstatic const double {}_pieces[][4] = {{\n", name);
  for (const auto& piece : table.coefficients)
    text += fmt::format("  {{{}, {}, {}, {}}},\n", c_number(piece[0]), c_number(piece[1]), c_number(piece[2]),
                        c_number(piece[3]));
  return text + fmt::format("}};\nstatic const armature_table_data {0} = {{{1}, {2}, {0}_knots, {0}_pieces}};\n", name,
                            table.knots.size(),
                            table.repeat ? 2
                            : table.hold ? 1
                                         : 0);
}

std::string foreign_function(const Program& program) {
  for (const Program::Run& run : program.runs()) switch (run.op) {
      case Op::tan:
      case Op::asin:
      case Op::acos:
      case Op::atan:
      case Op::sinh:
      case Op::cosh:
      case Op::tanh:
      case Op::log:
      case Op::pow: return function_name(run.op);
      default: break;
    }
  return "";
}

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "(-INFINITY)";
  std::string text = fmt::format("{:.15g}", value);
  if (read_number(text) != value) text = hexadecimal(value);
  if (text.find_first_of(".xe") == std::string::npos) text += ".0";
  return value < 0 || text[0] == '-' ? "(" + text + ")" : text;
}

std::string c_code_preamble(const std::string& code) {
  const auto calls = [&](const std::string& name) { return code.find("armature_" + name + "(") != std::string::npos; };
  std::string text;
  if (calls("select")) text += select_code;
  if (calls("table")) text += table_code;
  if (!calls("sin") && !calls("cos") && !calls("sin_cos") && !calls("exp") && !calls("atan2")) return text;
  text += elementary_begin;
  text += elementary_text.substr(elementary_text.find("\n\n") + 1);  // without the words to whoever includes it
  text += elementary_end;
  return text += sine_or_cosine;
}

}  // namespace armature::internal
