#include "motion_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "errors.hpp"
#include "interrupt.hpp"
#include "model_arguments.hpp"
#include "run/simulate.hpp"
#include "study_arguments.hpp"

namespace armature::internal::cli {

MotionResults::MotionResults(const Model& model, const std::vector<std::string>& results)
    : varied_(vary(model, {})), formulas_(varied_.model, {}) {
  for (const std::string& text : results) {
    const auto [name, formula] = split_assignment(text, "--result");
    if (std::ranges::count(names_, name) > 0)
      throw UsageError(fmt::format("--result {}: there are two results '{}'", text, name));
    in_option("--result " + text, [&] { return formulas_.add_number(formula); });
    names_.push_back(name);
  }
}

RunRecord::Numbers MotionResults::compute(const StartArguments& start) const {
  const Study study(varied_, formulas_);
  Prepared prepared = study.prepared();
  RunRecord::Numbers results;
  for (const std::string& name : names_) results.emplace_back(name, std::numeric_limits<double>::quiet_NaN());
  if (!start.assemble(prepared)) return results;
  MotionWatcher watcher(formulas_.functionals(), study.observed(), prepared.options.end);
  watcher.set_parameters(prepared.parameters);
  Interrupt interrupt;
  const Outcome outcome = follow(prepared, watcher, [&](double, long) { return !interrupt.requested(); });
  if (outcome.status != RunStatus::finished) return results;
  std::vector<double> functionals;
  for (std::size_t k = 0; k < formulas_.functionals().size(); ++k)
    functionals.push_back(watcher.value(static_cast<int>(k)));
  MotionEvaluator evaluator = study.evaluator();
  const std::vector<double>& values = evaluator(functionals, {});
  for (std::size_t k = 0; k < names_.size(); ++k) results[k].second = values[k];
  return results;
}

}  // namespace armature::internal::cli
