// Recursive descent, loosest first:
//
//   or      := and { "or" and }
//   and     := not { "and" not }
//   not     := "not" not | compare
//   compare := sum [ ("<" | "<=" | ">" | ">=") sum ]
//   sum     := product { ("+" | "-") product }
//   product := unary { ("*" | "/") unary }
//   unary   := ("-" | "+") unary | power              -x^2 is -(x^2)
//   power   := postfix [ "^" exponent ]               right: a^b^c is a^(b^c)
//   postfix := primary { "'" | "." ("x" | "y" | "z") }
//   primary := number [ unit ] | name | name "[" or "]" | name "(" list ")" | "[" list "]" | "(" or ")"
//   unit    := symbol { ("*" | "/") symbol } without spaces, each symbol with an optional whole power
//
// A unit binds to its number before anything else, and ends at a space or at a word that is no unit:
// 2 kg*m^2 is a number; 2 m*x is 2 m times x; 2 kg * m is 2 kg times the name m.
//
// 1/2 mm would then be 1/(2 mm), while a reader takes it for half a millimeter. A number with a unit can therefore divide
// without parentheses only what is a number with a unit itself: 5 m/2 s.
#include "expression/syntax.hpp"

#include <fmt/format.h>

#include "expression/lower.hpp"
#include "expression/syntax_lexer.hpp"
#include "expression/units.hpp"

namespace armature::internal {
namespace {

using Kind = Syntax::Kind;
using Tree = std::shared_ptr<const Syntax>;

// Bounds on what one formula may hold, so that no recursion over it runs out of stack.
constexpr int max_nesting = 100;
constexpr int max_operations = 2000;

class Parser {
 public:
  Parser(std::string_view text, Location where) : text_(text), where_(where), tokens_(tokenize(text, where)) {}

  Tree run() {
    if (peek().kind == Token::Kind::end) fail("the formula is empty");
    Tree tree = disjunction();
    if (peek().kind != Token::Kind::end) fail_at_leftover();
    return tree;
  }

 private:
  const Token& peek() const { return tokens_[at_]; }
  Token take() { return tokens_[at_++]; }

  bool accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    ++at_;
    return true;
  }

  Location place(const Token& token) const { return {where_.line, where_.column + token.begin, where_.file}; }
  [[noreturn]] void fail(const std::string& message) const { throw FormulaError(place(peek()), message); }

  std::string word(const Token& token) const {
    return token.kind == Token::Kind::end ? "the end of the formula" : "'" + token.text + "'";
  }

  [[noreturn]] void fail_at_leftover() const {
    const Token& token = peek();
    if (token.is(")") || token.is("]")) fail(fmt::format("'{}' closes nothing", token.text));
    if (token.is(",")) fail("a comma is outside of parentheses");
    if (token.is("<") || token.is(">") || token.is("<=") || token.is(">="))
      fail("comparisons do not chain; write a < b and b < c");
    if (token.kind == Token::Kind::name && find_unit(token.text)) fail_at_unit(token);
    fail(fmt::format("expected an operator before {}", word(token)));
  }

  // A unit that belongs to no number.
  [[noreturn]] void fail_at_unit(const Token& token) const {
    const bool after_unit = at_ > 0 && find_unit(tokens_[at_ - 1].text).has_value();
    if (after_unit)
      fail(fmt::format("expected an operator before {}; a unit is written without spaces: N*m", word(token)));
    fail(fmt::format("only numbers have units: write *(1 {0}) in place of '{0}'", token.text));
  }

  Tree make(Kind kind, const Token& token, std::vector<Tree> children) {
    if (++operations_ > max_operations)
      throw FormulaError(place(token), fmt::format("the formula has more than {} operations; name parts of it under "
                                                   "'define'",
                                                   max_operations));
    auto tree = std::make_shared<Syntax>();
    tree->kind = kind;
    tree->where = place(token);
    tree->children = std::move(children);
    return tree;
  }

  Tree make_named(Kind kind, const Token& token, std::string name, std::vector<Tree> children = {}) {
    auto tree = std::make_shared<Syntax>(*make(kind, token, std::move(children)));
    tree->name = std::move(name);
    return tree;
  }

  // With its text, from this place of the formula to the last token taken.
  Tree with_text(const Tree& tree, int begin) const {
    auto copy = std::make_shared<Syntax>(*tree);
    copy->text = text_.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(tokens_[at_ - 1].end - begin));
    return copy;
  }

  // Counts nesting while it lives.
  struct Level {
    explicit Level(Parser& parser) : parser(parser) {
      if (++parser.nesting_ > max_nesting)
        parser.fail(fmt::format("the formula is nested more than {} levels deep", max_nesting));
    }
    ~Level() { --parser.nesting_; }
    Parser& parser;
  };

  Tree disjunction() {
    Level level(*this);
    Tree left = conjunction();
    while (peek().is("or")) {
      const Token token = take();
      left = make(Kind::logical_or, token, {left, conjunction()});
    }
    return left;
  }

  Tree conjunction() {
    Tree left = negation();
    while (peek().is("and")) {
      const Token token = take();
      left = make(Kind::logical_and, token, {left, negation()});
    }
    return left;
  }

  Tree negation() {
    if (!peek().is("not")) return comparison();
    Level level(*this);
    const Token token = take();
    return make(Kind::logical_not, token, {negation()});
  }

  Tree comparison() {
    const int begin = peek().begin;
    Tree left = sum();
    for (const auto& [symbol, kind] :
         {std::pair{"<", Kind::less}, {"<=", Kind::less_equal}, {">", Kind::greater}, {">=", Kind::greater_equal}}) {
      if (!peek().is(symbol)) continue;
      const Token token = take();
      return with_text(make(kind, token, {left, sum()}), begin);
    }
    return left;
  }

  Tree sum() {
    Tree left = product();
    while (peek().is("+") || peek().is("-")) {
      const Token token = take();
      left = make(token.is("+") ? Kind::add : Kind::subtract, token, {left, product()});
    }
    return left;
  }

  Tree product() {
    bool after_quantity = at_quantity();
    Tree left = unary();
    while (peek().is("*") || peek().is("/")) {
      const Token token = take();
      const bool before_quantity = at_quantity();
      if (token.is("/") && before_quantity && !after_quantity) fail_at_ambiguous_divisor(token);
      after_quantity = before_quantity;
      left = make(token.is("*") ? Kind::multiply : Kind::divide, token, {left, unary()});
    }
    return left;
  }

  // A number with a unit follows, perhaps with a sign.
  bool at_quantity() const {
    std::size_t i = at_;
    while (tokens_[i].is("-") || tokens_[i].is("+")) ++i;
    return tokens_[i].kind == Token::Kind::number &&
           (tokens_[i + 1].kind == Token::Kind::name || tokens_[i + 1].is("%"));
  }

  // Takes the divisor, to show how both meanings are written.
  [[noreturn]] void fail_at_ambiguous_divisor(const Token& slash) {
    const auto text_between = [&](int begin, int end) {
      return text_.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    };
    const int begin = peek().begin;
    while (peek().kind != Token::Kind::number) take();
    const int number_end = peek().end, unit_begin = tokens_[at_ + 1].begin;
    number();
    const int end = tokens_[at_ - 1].end;
    const std::string_view divisor = text_between(begin, end), unit = text_between(unit_begin, end);
    throw FormulaError(
        place(slash), fmt::format("'/{0}' is ambiguous: write '/({0})' to divide by {0}, or '/{1}*(1 {2})' to give the "
                                  "quotient the unit {2}",
                                  divisor, text_between(begin, number_end), unit));
  }

  Tree unary() {
    if (!peek().is("-") && !peek().is("+")) return power();
    Level level(*this);
    const Token token = take();
    Tree operand = unary();
    return token.is("-") ? make(Kind::negate, token, {operand}) : operand;
  }

  Tree power() {
    Tree base = postfix();
    if (!peek().is("^")) return base;
    Level level(*this);
    const Token token = take();
    return make(Kind::power, token, {base, unary()});
  }

  Tree postfix() {
    Tree tree = primary();
    while (peek().is("'") || peek().is(".")) {
      const Token token = take();
      if (token.is("'")) {
        tree = make(Kind::prime, token, {tree});
        continue;
      }
      const Token name = take_component();
      tree = make_named(Kind::component, name, name.text, {tree});
    }
    return tree;
  }

  Token take_component() {
    const Token& token = peek();
    const bool known = token.kind == Token::Kind::name && (token.text == "x" || token.text == "y" || token.text == "z");
    if (!known) fail(fmt::format("expected the component x, y or z after '.', not {}", word(token)));
    return take();
  }

  Tree primary() {
    const Token& token = peek();
    if (token.kind == Token::Kind::number) return number();
    if (token.kind == Token::Kind::name) return name_or_call();
    if (token.is("[")) return list();
    if (token.is("(")) return parenthesized();
    if (token.kind == Token::Kind::end) fail("the formula ends where a value is expected");
    fail(fmt::format("expected a value, not {}", word(token)));
  }

  Tree number() {
    const Token token = take();
    auto tree = std::make_shared<Syntax>(*make(Kind::number, token, {}));
    tree->value = token.value;
    if (const std::optional<Unit> unit = unit_after_number()) {
      tree->value *= unit->factor;
      tree->dimension = unit->dimension;
    }
    return tree;
  }

  // The unit that stands at the current token, if one does.
  std::optional<Unit> unit_after_number() {
    if (accept("%")) return find_unit("%");
    if (peek().kind == Token::Kind::number) fail(fmt::format("expected an operator before {}", word(peek())));
    if (peek().kind != Token::Kind::name) return std::nullopt;
    const std::optional<Unit> first = find_unit(peek().text);
    if (!first) fail_no_unit();
    Unit unit{1, {}};
    multiply(unit, *first, 1);
    while (unit_continues()) {
      const int sign = take().is("/") ? -1 : 1;
      multiply(unit, *find_unit(peek().text), sign);
    }
    return unit;
  }

  [[noreturn]] void fail_no_unit() const {
    const std::string name = peek().text;
    const std::optional<std::string> near = nearest_name(name, unit_symbols());
    const std::string hint = near ? fmt::format(" (did you mean '{}'?)", *near) : "";
    fail(fmt::format("'{}' after a number is not a unit{}; to multiply write *", name, hint));
  }

  // "*" or "/" and a unit symbol follow without any space.
  bool unit_continues() const {
    if (!peek().is("*") && !peek().is("/")) return false;
    const Token &before = tokens_[at_ - 1], &after = tokens_[at_ + 1];
    return before.end == peek().begin && peek().end == after.begin && after.kind == Token::Kind::name &&
           find_unit(after.text).has_value();
  }

  // Takes the symbol at the current token with its power.
  void multiply(Unit& unit, const Unit& factor, int sign) {
    take();
    const int exponent = sign * unit_exponent();
    for (int i = 0; i < std::abs(exponent); ++i)
      exponent > 0 ? unit.factor *= factor.factor : unit.factor /= factor.factor;
    unit.dimension = unit.dimension * power_of(factor.dimension, exponent);
  }

  static Dimension power_of(const Dimension& dimension, int exponent) {
    return armature::internal::power(dimension, exponent);
  }

  // "^2", "^-1" directly after a unit's symbol; 1 if there is none.
  int unit_exponent() {
    if (!peek().is("^") || peek().begin != tokens_[at_ - 1].end) return 1;
    take();
    const int sign = accept("-") ? -1 : 1;
    const double value = peek().kind == Token::Kind::number ? peek().value : 0;
    if (value != 1 && value != 2 && value != 3 && value != 4) fail("the exponent of a unit is a whole number up to 4");
    take();
    return sign * static_cast<int>(value);
  }

  Tree name_or_call() {
    const Token token = take();
    if (peek().is("[")) return element(token);
    if (!peek().is("(")) return make_named(Kind::name, token, token.text);
    const Token open = take();
    return with_text(make_named(Kind::call, token, token.text, items(")", open)), token.begin);
  }

  // lengths[i], the index as its child
  Tree element(const Token& name) {
    const Token open = take();
    Tree index = disjunction();
    expect("]", open);
    return make_named(Kind::element, name, name.text, {index});
  }

  Tree list() {
    const Token open = take();
    std::vector<Tree> parts = items("]", open);
    if (parts.empty()) throw FormulaError(place(open), "a list needs at least one entry");
    return make(Kind::list, open, std::move(parts));
  }

  // Items up to and with the closing symbol.
  std::vector<Tree> items(std::string_view close, const Token& open) {
    std::vector<Tree> result;
    if (accept(close)) return result;
    do result.push_back(disjunction());
    while (accept(","));
    expect(close, open);
    return result;
  }

  Tree parenthesized() {
    const Token open = take();
    Tree tree = disjunction();
    expect(")", open);
    return tree;
  }

  void expect(std::string_view close, const Token& open) {
    if (accept(close)) return;
    if (peek().kind == Token::Kind::end)
      throw FormulaError(place(open), fmt::format("'{}' is not closed by '{}'", open.text, close));
    fail(fmt::format("expected '{}' or an operator, not {}", close, word(peek())));
  }

  std::string_view text_;
  Location where_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  int operations_ = 0;
};

}  // namespace

std::string element_name(const std::string& list, long index) { return fmt::format("{}[{}]", list, index); }

Formula parse_formula(std::string_view text, Location where) {
  return {std::string(text), where, Parser(text, where).run()};
}

Formula number_formula(double value) {
  auto tree = std::make_shared<Syntax>();
  tree->value = value;
  return {fmt::format("{}", value), {}, tree};
}

}  // namespace armature::internal
