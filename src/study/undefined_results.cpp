#include "study/undefined_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/findings.hpp"

namespace armature::internal {

namespace {

// The first functional of a formula that is not a number; -1: all are.
int undefined_functional(const Syntax& tree, const std::vector<double>& values) {
  if (tree.kind == Syntax::Kind::name)
    if (const int k = functional_number(tree.name); k >= 0 && std::isnan(values[static_cast<std::size_t>(k)])) return k;
  for (const auto& child : tree.children)
    if (const int k = undefined_functional(*child, values); k >= 0) return k;
  return -1;
}

}  // namespace

Finding undefined_finding(const MotionFormulas& formulas, std::size_t formula, const Functionals& functionals,
                          const std::string& name) {
  const Formula& written = formulas.formulas()[formula];
  const std::string text = written.text.substr(std::min(written.text.find_first_not_of(' '), written.text.size()));
  const int k = undefined_functional(*written.root, functionals.values);
  const std::string what = name.empty() ? fmt::format("'{}'", text) : fmt::format("result {}: '{}'", name, text);
  if (k < 0) return finding<FindingCode::undefined>("formula"_a = what, "why"_a = "it is not a number for this motion");
  const auto functional = static_cast<std::size_t>(k);
  const bool unresolved = !functionals.unresolved.empty() && functionals.unresolved[functional];
  const std::string kind = name_of(formulas.functionals()[functional].kind);
  const double t = functionals.undefined_at[functional];
  if (!unresolved)
    return finding<FindingCode::undefined>(
        "formula"_a = what, "why"_a = fmt::format("the signal inside {}(…) is not a number at t = {:.6g} s", kind, t));
  return finding<FindingCode::undefined>(
      "formula"_a = what,
      "why"_a =
          fmt::format("the signal inside {}(…) is not resolved from t = {:.6g} s on: it changes too often within a "
                      "step, or has no bounds there; a smaller max_step may resolve it",
                      kind, t));
}

void add_undefined(const MotionFormulas& formulas, const std::vector<double>& values, const Functionals& functionals,
                   Findings& findings) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::isnan(values[k])) findings.push_back(undefined_finding(formulas, k, functionals));
}

NamedNumbers named_numbers(const MotionFormulas& formulas, const std::vector<std::string>& names,
                           const std::vector<double>& values, const Functionals& functionals) {
  NamedNumbers results;
  for (std::size_t k = 0; k < names.size(); ++k) {
    results.numbers.emplace_back(names[k], values[k]);
    if (const std::string unit = formulas.unit(static_cast<int>(k)); !unit.empty())
      results.units.emplace_back(names[k], unit);
    if (std::isnan(values[k])) results.findings.push_back(undefined_finding(formulas, k, functionals, names[k]));
  }
  return results;
}

}  // namespace armature::internal
