#include "model/reading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expression/lower.hpp"
#include "model/file_kind.hpp"
#include "model/formula_tree.hpp"
#include "model/limits.hpp"
#include "model/scope.hpp"

namespace armature::internal {
namespace {

bool is_word(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

bool is_reserved(const std::string& name) {
  return is_built_in(name) || name == "ground" || name == "and" || name == "or" || name == "not";
}

Formula read_list(const YamlNode& node, const std::string& path, Reading& reading) {
  std::vector<Formula> entries;
  for (const YamlNode& item : node.items) {
    if (!item.is_text()) {
      reading.diagnostics.add(item.where, path,
                              fmt::format("expected a number in the list, not {}", kind_in_words(item)));
      return {};
    }
    entries.push_back(read_formula(item, path, reading));
    if (!entries.back().given()) return {};
  }
  if (entries.empty()) {
    reading.diagnostics.add(node.where, path, "the list is empty");
    return {};
  }
  return list_formula(entries, node.where);
}

// Of a parameter, a list or a definition.
void add_formulas_of(const std::string& name, const Model& model, std::vector<const Syntax*>& formulas) {
  for (const Parameter& parameter : model.parameters)
    if (parameter.name == name && parameter.formula.given()) formulas.push_back(parameter.formula.root.get());
  for (const auto* named : {&model.lists, &model.definitions})
    for (const auto& [known, formula] : *named)
      if (known == name && formula.given()) formulas.push_back(formula.root.get());
}

}  // namespace

bool Reading::may_copy(const YamlNode& node, std::size_t copies, Location where, const std::string& path) {
  const std::size_t each = size_of(node);
  const std::size_t left = limits::made_values - std::min(values, limits::made_values);
  if (copies <= left / each) {
    values += copies * each;
    return true;
  }
  values = limits::made_values;  // nothing more is made
  diagnostics.add_cause(where, path,
                        fmt::format("uses and loops make more than {} values of this file", limits::made_values));
  return false;
}

bool Reading::check_word(const std::string& name, Location where, const std::string& path) {
  if (is_word(name)) return true;
  diagnostics.add(where, path,
                  fmt::format("'{}' is not a name: names are letters, digits and _, a letter first", name));
  return false;
}

void Reading::take_name(const std::string& name, const std::string& kind, Location where, const std::string& path) {
  if (!check_word(name, where, path)) return;
  if (is_reserved(name)) {
    diagnostics.add(where, path, fmt::format("the name '{}' has a meaning in formulas already", name));
    return;
  }
  const auto [place, is_new] =
      names.emplace(name, fmt::format("the {} in {}", kind, line_in_words(where, model.used_files)));
  if (is_new) return;
  const bool is_elsewhere = where.file != 0 && place->second.find(" in line ") != std::string::npos;
  diagnostics.add(where, path,
                  fmt::format("{}{} already has this name", place->second,
                              is_elsewhere ? " of " + std::filesystem::path(model.file).filename().string() : ""));
}

void Reading::check_later(const Formula& formula, const std::string& path, const KeySpec& spec, bool of_length) {
  if (formula.given()) checks.push_back({formula, path, spec, dimension_of(spec, of_length)});
}

void Reading::fix_names_in(const Formula& formula) {
  std::vector<const Syntax*> open{formula.root.get()};
  while (!open.empty()) {
    const Syntax& syntax = *open.back();
    open.pop_back();
    for (const auto& child : syntax.children) open.push_back(child.get());
    const bool is_name = syntax.kind == Syntax::Kind::name || syntax.kind == Syntax::Kind::element;
    if (is_name && model.read_names.insert(syntax.name).second) add_formulas_of(syntax.name, model, open);
  }
}

void Reading::report_formula(Location where, const std::string& path, const std::string& message) {
  if (!path.starts_with("lagrangian.")) return diagnostics.add(where, path, message);
  const Location place = place_in_file(model.text, where);
  diagnostics.add(place, path, fmt::format("{} (column {})", message, place.column));
}

std::optional<std::filesystem::path> Reading::file_beside(const std::string& name, Location where,
                                                          const std::string& path) {
  const std::filesystem::path file = std::filesystem::path(model.file).parent_path() / name;
  const std::filesystem::path root =
      model.root.empty() ? std::filesystem::path(model.file).parent_path() : std::filesystem::path(model.root);
  const bool is_inside = may_read ? may_read(file) : leads_into(file, root);
  if (is_inside) return file;
  diagnostics.add(
      where, path,
      fmt::format("'{}' is outside the {} (see --root)", name, may_read ? "served folder" : "folder of the model"));
  return std::nullopt;
}

Formula read_formula(const YamlNode& node, const std::string& path, Reading& reading) {
  if (node.is_list()) return read_list(node, path, reading);
  if (!node.is_text()) {
    reading.diagnostics.add(node.where, path, fmt::format("expected a formula, not {}", kind_in_words(node)));
    return {};
  }
  try {
    const Formula formula = parse_formula(node.text, reading.lines.first_character(reading.model.text, node.where));
    return node.loop ? with_loop_values(formula, *node.loop) : formula;
  } catch (const FormulaError& error) {
    const bool is_long = path.starts_with("lagrangian.");
    reading.report_formula(is_long ? error.where : node.where, path,
                           is_long ? error.what() : fmt::format("{} in '{}'", error.what(), node.text));
    return {};
  }
}

Formula read_axis(const YamlNode& node, const std::string& path, Reading& reading) {
  if (!node.is_text()) return read_formula(node, path, reading);
  const bool negative = node.text.starts_with('-');
  const std::string letter = node.text.substr(negative ? 1 : 0);
  if (letter != "x" && letter != "y" && letter != "z") return read_formula(node, path, reading);
  std::vector<Formula> entries(3, number_formula(0));
  entries[static_cast<std::size_t>(letter[0] - 'x')] = number_formula(negative ? -1 : 1);
  return list_formula(entries, node.where);
}

std::optional<std::string> read_text(const YamlNode& node, const std::string& path, Reading& reading) {
  // Terminals obey control characters, and files of other programs cannot hold them.
  const auto is_control = [](unsigned char c) { return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f; };
  if (node.is_text() && std::any_of(node.text.begin(), node.text.end(), is_control)) {
    reading.diagnostics.add(node.where, path, "has a control character; remove it");
    return std::nullopt;
  }
  if (node.is_text() && !node.text.empty()) return node.text;
  reading.diagnostics.add(node.where, path, fmt::format("expected a word, not {}", kind_in_words(node)));
  return std::nullopt;
}

std::optional<double> read_constant(const YamlNode& node, const std::string& path, const KeySpec& spec,
                                    Reading& reading) {
  const Formula formula = read_formula(node, path, reading);
  if (!formula.given()) return std::nullopt;
  reading.fix_names_in(formula);
  try {
    const double value = lower_scalar(formula, parameter_scope(reading.model), dimension_of(spec)).value();
    const std::string violation = range_violation(value, spec.range);
    if (violation.empty()) return value;
    reading.diagnostics.add(node.where, path, violation);
  } catch (const FormulaError& error) {
    reading.diagnostics.add(node.where, path, error.what());
  }
  return std::nullopt;
}

std::string range_violation(double value, ValueRange range) {
  if (range == ValueRange::positive && !(value > 0)) return fmt::format("must be positive, but it is {}", value);
  if (range == ValueRange::not_negative && !(value >= 0))
    return fmt::format("must not be negative, but it is {}", value);
  return "";
}

}  // namespace armature::internal
