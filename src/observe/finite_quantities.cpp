#include "observe/finite_quantities.hpp"

#include <cmath>

#include "model/findings.hpp"

namespace armature::internal {

// Formulas over the motion have names that begin with '#'; those without a value are a finding of their own.
void FiniteQuantities::look(double t, std::string_view name, double value) {
  if (std::isfinite(value) || name.starts_with('#') || !without_value_.insert(name).second) return;
  constexpr std::size_t most_in_words = 5;
  if (list_.size() < most_in_words) list_.push_back({name, std::isinf(value), t});
}

void FiniteQuantities::look(double t, const Observables& values) {
  if (!values.quantities.allFinite())
    for (Eigen::Index i = 0; i < values.quantities.size(); ++i)
      look(t, equations_.quantities[static_cast<std::size_t>(i)].name, values.quantities[i]);
  look(t, "energy.kinetic", values.kinetic);
  look(t, "energy.potential", values.potential);
  look(t, "energy.magnetic", values.magnetic);
}

Findings FiniteQuantities::findings() const {
  Findings findings;
  const std::size_t more = without_value_.size() - list_.size();
  const std::string rest =
      more > 0 ? fmt::format("; {} more of the recorded quantities are infinite or not a number", more) : "";
  for (const auto& [name, is_infinite, t] : list_)
    findings.push_back(
        finding<FindingCode::not_finite>("quantity"_a = name, "value"_a = is_infinite ? "infinite" : "not a number",
                                         "t"_a = t, "more"_a = findings.size() + 1 == list_.size() ? rest : ""));
  return findings;
}

}  // namespace armature::internal
