#include "study/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "expression/c_code.hpp"
#include "record/table.hpp"

namespace armature::internal {

namespace {

using SyntaxKind = Syntax::Kind;
using namespace step::bounds;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    if (part = trimmed(part); !part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace

struct Classes::Node {
  SyntaxKind kind = SyntaxKind::number;
  Interval known;                    // of a leaf that is the same for all motions
  int functional = -1, varied = -1;  // of a leaf that is not
  bool absolute = false;             // of a call
  std::vector<Node> children = {};
};

namespace {

// What follows from bounds of the functionals, by interval arithmetic over the formula as written. Functions that are not
// treated here leave everything open until the end.
template <class Node>
class Deduction {
 public:
  Deduction(const std::vector<Interval>& functionals, std::span<const double> varied)
      : functionals_(functionals), varied_(varied) {}

  Truth condition(const Node& node) const {
    switch (node.kind) {
      case SyntaxKind::logical_not: return negation(condition(node.children[0]));
      case SyntaxKind::logical_and: return both(condition(node.children[0]), condition(node.children[1]));
      case SyntaxKind::logical_or: return either(condition(node.children[0]), condition(node.children[1]));
      case SyntaxKind::greater: return greater(number(node.children[0]), number(node.children[1]), true);
      case SyntaxKind::greater_equal: return greater(number(node.children[0]), number(node.children[1]), false);
      case SyntaxKind::less: return greater(number(node.children[1]), number(node.children[0]), true);
      case SyntaxKind::less_equal: return greater(number(node.children[1]), number(node.children[0]), false);
      default: return Truth::open;
    }
  }

 private:
  Interval number(const Node& node) const {
    if (node.functional >= 0) return functionals_[static_cast<std::size_t>(node.functional)];
    if (node.varied >= 0) return Interval::point(varied_[static_cast<std::size_t>(node.varied)]);
    if (node.children.empty()) return node.known;
    const Interval a = number(node.children[0]);
    if (node.kind == SyntaxKind::negate) return negated(a);
    if (node.kind == SyntaxKind::call) return node.absolute ? size(a) : Interval{};
    if (node.children.size() < 2) return {};
    const Interval b = number(node.children[1]);
    switch (node.kind) {
      case SyntaxKind::add: return sum(a, b);
      case SyntaxKind::subtract: return difference(a, b);
      case SyntaxKind::multiply: return product(a, b);
      case SyntaxKind::divide: return quotient(a, b);
      default: return {};
    }
  }

  const std::vector<Interval>& functionals_;
  std::span<const double> varied_;
};

// The same as code of C++, of f (bounds of the functionals) and v (what is varied).
template <class Node>
class DeductionText {
 public:
  std::string condition(const Node& node) const {
    const auto call = [&](const char* name) {
      return fmt::format("{}({}, {})", name, condition(node.children[0]), condition(node.children[1]));
    };
    const auto greater_of = [&](std::size_t first, std::size_t second, bool strictly) {
      return fmt::format("greater({}, {}, {})", number(node.children[first]), number(node.children[second]), strictly);
    };
    switch (node.kind) {
      case SyntaxKind::logical_not: return fmt::format("negation({})", condition(node.children[0]));
      case SyntaxKind::logical_and: return call("both");
      case SyntaxKind::logical_or: return call("either");
      case SyntaxKind::greater: return greater_of(0, 1, true);
      case SyntaxKind::greater_equal: return greater_of(0, 1, false);
      case SyntaxKind::less: return greater_of(1, 0, true);
      case SyntaxKind::less_equal: return greater_of(1, 0, false);
      default: return "Truth::open";
    }
  }

 private:
  std::string number(const Node& node) const {
    if (node.functional >= 0) return fmt::format("f[{}]", node.functional);
    if (node.varied >= 0) return fmt::format("Interval::point(v[{}])", node.varied);
    if (node.children.empty())
      return fmt::format("Interval{{{}, {}}}", c_number(node.known.least), c_number(node.known.most));
    const std::string a = number(node.children[0]);
    if (node.kind == SyntaxKind::negate) return fmt::format("negated({})", a);
    if (node.kind == SyntaxKind::call) return node.absolute ? fmt::format("size({})", a) : "Interval{}";
    if (node.children.size() < 2) return "Interval{}";
    const std::string b = number(node.children[1]);
    switch (node.kind) {
      case SyntaxKind::add: return fmt::format("sum({}, {})", a, b);
      case SyntaxKind::subtract: return fmt::format("difference({}, {})", a, b);
      case SyntaxKind::multiply: return fmt::format("product({}, {})", a, b);
      case SyntaxKind::divide: return fmt::format("quotient({}, {})", a, b);
      default: return "Interval{}";
    }
  }
};

// For motions of which no condition holds.
std::string free_name(const std::vector<std::string>& taken) {
  std::string name = "other";
  while (std::ranges::find(taken, name) != taken.end()) name = "any " + name;
  return name;
}

}  // namespace

Classes::Classes(const std::string& text, MotionFormulas& formulas) : formulas_(formulas) {
  const std::vector<std::string> entries = split(text, ';');
  for (const std::string& entry : entries) {
    const auto colon = entry.find(':');
    const std::string name = trimmed(entry.substr(0, colon));
    if (name.empty()) throw FormulaError({}, fmt::format("'{}': expected NAME: CONDITION", entry));
    if (is_formula_of_spreadsheets(name))
      throw FormulaError({}, fmt::format("a class cannot be named '{}': spreadsheets would compute it", name));
    if (name == "failed") throw FormulaError({}, "the name 'failed' is reserved for motions that fail");
    if (std::ranges::find(names_, name) != names_.end())
      throw FormulaError({}, fmt::format("there are two classes '{}'", name));
    names_.push_back(name);
    if (colon == std::string::npos) {
      if (&entry != &entries.back())
        throw FormulaError({}, fmt::format("'{}' has no condition; only the last class may omit it", entry));
      break;
    }
    conditions_.push_back(formulas.add_condition(entry.substr(colon + 1)));
    nodes_.push_back(std::make_shared<const Node>(look_up(*formulas.formulas().back().root)));
  }
  if (conditions_.empty()) throw FormulaError({}, "expected classes: NAME: CONDITION; …; NAME");
  if (names_.size() == conditions_.size()) names_.push_back(free_name(names_));
}

Classes::Node Classes::look_up(const Syntax& tree) const {
  if (tree.kind == SyntaxKind::number) return {tree.kind, Interval::point(tree.value)};
  if (tree.kind == SyntaxKind::name) return look_up_name(tree.name);
  Node node{tree.kind, {}};
  node.absolute = tree.kind == SyntaxKind::call && tree.name == "abs";
  for (const auto& child : tree.children) node.children.push_back(look_up(*child));
  return node;
}

Classes::Node Classes::look_up_name(const std::string& name) const {
  Node node{SyntaxKind::name, {}};
  const auto& varied = formulas_.varied();
  if (name == "pi") {
    node.known = Interval::point(std::numbers::pi);
  } else if (const int k = functional_number(name); k >= 0) {
    node.functional = k;
  } else if (const auto place = std::ranges::find(varied, name); place != varied.end()) {
    node.varied = static_cast<int>(place - varied.begin());
  } else if (const Value value = formulas_.look_up(name); value.parts[0].is_constant()) {
    node.known = Interval::point(value.parts[0].value());
  }
  return node;
}

int Classes::of(const std::vector<double>& values) const {
  for (std::size_t k = 0; k < conditions_.size(); ++k) {
    const double value = values[static_cast<std::size_t>(conditions_[k])];
    if (std::isnan(value)) return -1;
    if (value >= 0.5) return static_cast<int>(k);
  }
  return static_cast<int>(conditions_.size());
}

std::size_t Classes::undefined_condition(const std::vector<double>& values) const {
  const auto is_undefined = [&](int condition) { return std::isnan(values[static_cast<std::size_t>(condition)]); };
  return static_cast<std::size_t>(*std::ranges::find_if(conditions_, is_undefined));
}

std::optional<int> Classes::decided(const std::vector<Interval>& functionals, std::span<const double> varied) const {
  const Deduction<Node> deduction(functionals, varied);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Truth truth = deduction.condition(*nodes_[k]);
    if (truth == Truth::yes) return static_cast<int>(k);
    if (truth == Truth::open) return std::nullopt;
  }
  return static_cast<int>(conditions_.size());
}

std::string Classes::code() const {
  std::string text =
      "  static int decided(const Interval* f, const double* v) {\n    (void)f, (void)v;\n    Truth truth;\n";
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    text += fmt::format("    truth = {};\n    if (truth != Truth::no) return truth == Truth::yes ? {} : -1;\n",
                        DeductionText<Node>().condition(*nodes_[k]), k);
  return text + fmt::format("    return {};\n  }}\n", conditions_.size());
}

}  // namespace armature::internal
