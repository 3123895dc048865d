#include "model/formula_tree.hpp"

#include <fmt/format.h>

namespace armature::internal {
namespace {

using Kind = Syntax::Kind;
using Tree = std::shared_ptr<const Syntax>;

Formula combined(Kind kind, const char* symbol, const Formula& a, const Formula& b) {
  auto tree = std::make_shared<Syntax>();
  tree->kind = kind;
  tree->where = a.where.line > 0 ? a.where : b.where;
  tree->children = {a.root, b.root};
  return {fmt::format("({}) {} ({})", a.text, symbol, b.text), tree->where, tree};
}

Tree replaced(const Tree& tree, const LoopValues& values) {
  if (tree->kind == Kind::name)
    if (const auto place = values.find(tree->name); place != values.end()) return place->second.root;
  auto copy = std::make_shared<Syntax>(*tree);
  for (Tree& child : copy->children) child = replaced(child, values);
  return copy;
}

}  // namespace

Formula operator+(const Formula& a, const Formula& b) { return combined(Kind::add, "+", a, b); }
Formula operator-(const Formula& a, const Formula& b) { return combined(Kind::subtract, "-", a, b); }
Formula operator*(const Formula& a, const Formula& b) { return combined(Kind::multiply, "*", a, b); }
Formula operator*(double a, const Formula& b) { return number_formula(a) * b; }
Formula square(const Formula& a) { return combined(Kind::power, "^", a, number_formula(2)); }

Formula component(const Formula& vector, const char* name) {
  auto tree = std::make_shared<Syntax>();
  tree->kind = Kind::component;
  tree->name = name;
  tree->where = vector.where;
  tree->children = {vector.root};
  return {fmt::format("({}).{}", vector.text, name), vector.where, tree};
}

Formula name_formula(const std::string& name, Location where) {
  auto tree = std::make_shared<Syntax>();
  tree->kind = Kind::name;
  tree->name = name;
  tree->where = where;
  return {name, where, tree};
}

Formula list_formula(const std::vector<Formula>& entries, Location where) {
  auto tree = std::make_shared<Syntax>();
  tree->kind = Kind::list;
  tree->where = where;
  std::string text;
  for (const Formula& entry : entries) {
    tree->children.push_back(entry.root);
    text += (text.empty() ? "[" : ", ") + entry.text;
  }
  return {text + "]", where, tree};
}

Formula with_loop_values(const Formula& formula, const LoopValues& values) {
  return {formula.text, formula.where, replaced(formula.root, values)};
}

}  // namespace armature::internal
