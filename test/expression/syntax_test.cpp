#include "expression/syntax.hpp"

#include <random>

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

using Kind = Syntax::Kind;

// The tree in prefix form, so that a test shows the structure: "(+ a (* b c))".
std::string prefix(const Syntax& s) {
  static const char* const words[] = {"",  "", "list", "-", "+",  "-", "*",  "/",   "^",  "",
                                      "'", "", "[]",   "<", "<=", ">", ">=", "and", "or", "not"};
  if (s.kind == Kind::number) {
    std::string text = std::to_string(s.value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
  if (s.kind == Kind::name) return s.name;
  std::string text = "(";
  text += s.kind == Kind::call ? s.name : s.kind == Kind::component ? "." + s.name : words[static_cast<int>(s.kind)];
  for (const auto& child : s.children) text += " " + prefix(*child);
  return text + ")";
}

std::string parsed(const std::string& text) { return prefix(*parse_formula(text, {}).root); }

std::string error_of(const std::string& text) {
  try {
    parse_formula(text, {});
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Syntax, OrdersOperators) {
  EXPECT_EQ(parsed("a + b*c - d/e"), "(- (+ a (* b c)) (/ d e))");
  EXPECT_EQ(parsed("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(parsed("-x^2"), "(- (^ x 2))");
  EXPECT_EQ(parsed("a^b^c"), "(^ a (^ b c))");
  EXPECT_EQ(parsed("2^-x"), "(^ 2 (- x))");
  EXPECT_EQ(parsed("-x*y"), "(* (- x) y)");
  EXPECT_EQ(parsed("(a + b)*c"), "(* (+ a b) c)");
  EXPECT_EQ(parsed("+x"), "x");
}

TEST(Syntax, ReadsConditions) {
  EXPECT_EQ(parsed("x > 0 and v < 1 or not y >= 2"), "(or (and (> x 0) (< v 1)) (not (>= y 2)))");
  EXPECT_EQ(parsed("x > 0 && !(v <= 1) || y < 2"), parsed("x > 0 and not (v <= 1) or y < 2"));
  EXPECT_EQ(parsed("if(x > 0 and v < 1, -F, 0)"), "(if (and (> x 0) (< v 1)) (- F) 0)");
}

TEST(Syntax, ReadsVectorsComponentsAndPrimes) {
  EXPECT_EQ(parsed("norm2(A' - [1, 0, 0])"), "(norm2 (- (' A) (list 1 0 0)))");
  EXPECT_EQ(parsed("platform.P1.x"), "platform.P1.x");
  EXPECT_EQ(parsed("(a + b).x"), "(.x (+ a b))");
  EXPECT_EQ(parsed("A'.y"), "(.y (' A))");
  EXPECT_EQ(parsed("[x, y]'"), "(' (list x y))");
  EXPECT_EQ(parsed("x''^2"), "(^ (' (' x)) 2)");
  EXPECT_EQ(parsed("f(x).z"), "(.z (f x))");
}

TEST(Syntax, ConvertsUnitsToSi) {
  EXPECT_DOUBLE_EQ(parse_formula("30 deg", {}).root->value, 0.52359877559829887);  // pi/6
  EXPECT_DOUBLE_EQ(parse_formula("5 mm", {}).root->value, 0.005);
  EXPECT_DOUBLE_EQ(parse_formula("1e-3s", {}).root->value, 0.001);
  EXPECT_DOUBLE_EQ(parse_formula("50 %", {}).root->value, 0.5);
  const Formula inertia = parse_formula("2 kg*m^2", {});
  EXPECT_DOUBLE_EQ(inertia.root->value, 2);
  EXPECT_EQ(to_string(*inertia.root->dimension), "kg m^2");
  const Formula gravity = parse_formula("9.81 m/s^2", {});
  EXPECT_DOUBLE_EQ(gravity.root->value, 9.81);
  EXPECT_EQ(to_string(*gravity.root->dimension), "m/s^2");
  const Formula stiffness = parse_formula("3 N/mm", {});
  EXPECT_DOUBLE_EQ(stiffness.root->value, 3000);
  EXPECT_EQ(to_string(*parse_formula("4 s^-2", {}).root->dimension), "1/s^2");
  EXPECT_FALSE(parse_formula("4", {}).root->dimension.has_value());
}

// A unit ends at a space or at a word that is no unit.
TEST(Syntax, EndsUnitsAtSpacesAndAtOtherWords) {
  EXPECT_EQ(parsed("2 m*x"), "(* 2 x)");
  EXPECT_EQ(to_string(*parse_formula("2 m*x", {}).root->children[0]->dimension), "m");
  EXPECT_EQ(parsed("2 kg * m"), "(* 2 m)");
  EXPECT_EQ(parsed("2 kg*m"), "2");
  EXPECT_EQ(parsed("1 rad/s*t"), "(* 1 t)");
  EXPECT_EQ(parsed("2*m"), "(* 2 m)");
  EXPECT_EQ(parsed("3 s ^2"), "(^ 3 2)");
}

// 1/2 mm reads as half a millimetre, while the unit belongs to the 2: the formula must say which is meant.
TEST(Syntax, RefusesADivisorWithAUnitThatCouldBelongToTheQuotient) {
  const auto refusal = [](const std::string& divisor, const std::string& number, const std::string& unit) {
    return "'/" + divisor + "' is ambiguous: write '/(" + divisor + ")' to divide by " + divisor + ", or '/" + number +
           "*(1 " + unit + ")' to give the quotient the unit " + unit;
  };
  EXPECT_EQ(error_of("1/2 mm"), refusal("2 mm", "2", "mm"));
  EXPECT_EQ(error_of("3 / 4mm"), refusal("4mm", "4", "mm"));
  EXPECT_EQ(error_of("1/-2 mm"), refusal("-2 mm", "-2", "mm"));
  EXPECT_EQ(error_of("2*1/2 mm^2"), refusal("2 mm^2", "2", "mm^2"));
  EXPECT_EQ(error_of("x/2 kg*m^2/s"), refusal("2 kg*m^2/s", "2", "kg*m^2/s"));
  for (const char* text : {"1/20 ms", "1/2 %", "pi/2 rad", "sin(t/2 s)", "1/2 m ^2", "1/2 mm*x", "[1, 3/4 mm]",
                           "(5 m)/2 s", "f(x)/2 s", "x^2/2 m", "1 kg*2/3 mm", "6 N/2/3 mm", "1 + 1/2 mm"})
    EXPECT_NE(error_of(text).find("is ambiguous"), std::string::npos) << text << ": " << error_of(text);
}

TEST(Syntax, DividesByANumberWithAUnitWhereTheMeaningIsClear) {
  EXPECT_EQ(parsed("1/(2 m)"), "(/ 1 2)");
  EXPECT_EQ(parsed("1/2*(1 mm)"), "(* (/ 1 2) 0.001)");
  EXPECT_EQ(parsed("5 m/2 s"), "(/ 5 2)");
  EXPECT_EQ(parsed("10 N/2 mm"), "(/ 10 0.002)");
  EXPECT_EQ(parsed("3*5 m/-2 s"), "(/ (* 3 5) (- 2))");
  EXPECT_EQ(parsed("x/2*3 m"), "(* (/ x 2) 3)");
  EXPECT_EQ(parsed("1/2"), "(/ 1 2)");
}

TEST(Syntax, KeepsThePlaceOfEveryPart) {
  const Formula formula = parse_formula("a + sin(b)", {7, 10});
  EXPECT_EQ(formula.root->where.line, 7);
  EXPECT_EQ(formula.root->where.column, 12);
  EXPECT_EQ(formula.root->children[1]->where.column, 14);
  try {
    parse_formula("a + )", {7, 10});
    FAIL();
  } catch (const FormulaError& error) {
    EXPECT_EQ(error.where.line, 7);
    EXPECT_EQ(error.where.column, 14);
  }
}

TEST(Syntax, ExplainsMistakes) {
  EXPECT_EQ(error_of(""), "the formula is empty");
  EXPECT_EQ(error_of("a +"), "the formula ends where a value is expected");
  EXPECT_EQ(error_of("a + * b"), "expected a value, not '*'");
  EXPECT_EQ(error_of("sin(x"), "'(' is not closed by ')'");
  EXPECT_EQ(error_of("[1, 2"), "'[' is not closed by ']'");
  EXPECT_EQ(error_of("x)"), "')' closes nothing");
  EXPECT_EQ(error_of("a, b"), "a comma is outside of parentheses");
  EXPECT_EQ(error_of("a b"), "expected an operator before 'b'");
  EXPECT_EQ(error_of("a < b < c"), "comparisons do not chain; write a < b and b < c");
  EXPECT_EQ(error_of("a == b"), "equality of real numbers is not supported; compare with <, <=, > or >=");
  EXPECT_EQ(error_of("a = b"), "'=' has no meaning in a formula; compare with <, <=, > or >=");
  EXPECT_EQ(error_of("a**2"), "powers are written with ^: x^2");
  EXPECT_EQ(error_of("2 x"), "'x' after a number is not a unit; to multiply write *");
  EXPECT_EQ(error_of("2 kgm"), "'kgm' after a number is not a unit (did you mean 'kg'?); to multiply write *");
  EXPECT_EQ(error_of("2 3"), "expected an operator before '3'");
  EXPECT_EQ(error_of("2 m^0.5"), "the exponent of a unit is a whole number up to 4");
  EXPECT_EQ(error_of("0x10"), "numbers are decimal; 0x, 0b and 0o are not supported");
  EXPECT_EQ(error_of("1_000"), "digits cannot be grouped with '_'; write 1000 or 1e3");
  EXPECT_EQ(error_of("1e999"), "'1e999' is outside the range of numbers");
  EXPECT_EQ(error_of("3·x"), "a formula cannot contain '·'");
  EXPECT_EQ(error_of("(a).w"), "expected the component x, y or z after '.', not 'w'");
  EXPECT_EQ(error_of("[]"), "a list needs at least one entry");
}

TEST(Syntax, BoundsTheSizeOfAFormula) {
  EXPECT_EQ(error_of(std::string(500, '(') + "x"), "the formula is nested more than 100 levels deep");
  EXPECT_EQ(error_of(std::string(500, '-') + "x"), "the formula is nested more than 100 levels deep");
  std::string chain = "x";
  for (int i = 0; i < 5000; ++i) chain += "+x";
  EXPECT_EQ(error_of(chain), "the formula has more than 2000 operations; name parts of it under 'define'");
}

// Whatever the text, the parser returns or throws FormulaError.
TEST(Syntax, SurvivesRandomText) {
  static const char* const words[] = {
      "x", "2", "1e-3", "deg", "m",  "sin", "(",   ")",  "[", "]", ",", "+",    "-",  "*",  "/",
      "^", "'", ".",    "<",   ">=", "and", "not", "if", " ", "%", "=", "\xc3", "\n", "\t", "e9"};
  std::mt19937 random(1);
  int parsed_count = 0;
  for (int trial = 0; trial < 50000; ++trial) {
    std::string text;
    for (unsigned i = random() % 12; i-- > 0;) text += words[random() % std::size(words)];
    for (unsigned i = random() % 3; i-- > 0 && !text.empty();)
      text[random() % text.size()] = static_cast<char>(random());
    try {
      EXPECT_TRUE(parse_formula(text, {}).given());
      ++parsed_count;
    } catch (const FormulaError&) {
    }
  }
  EXPECT_GT(parsed_count, 1000);
}

}  // namespace
}  // namespace armature::internal
