#include "study/motion_results.hpp"

#include <algorithm>
#include <limits>

#include "model/findings.hpp"
#include "study/variables.hpp"

namespace armature::internal {

MotionResults::MotionResults(const Model& model, const std::vector<std::pair<std::string, std::string>>& results)
    : varied_(vary(model, {})), formulas_(varied_.model, {}) {
  for (const auto& [name, formula] : results) {
    const std::string option = fmt::format("result {}={}", name, formula);
    if (std::ranges::count(names_, name) > 0)
      throw RequestError(option, fmt::format("there are two results '{}'", name));
    in_option(option, [&, &formula = formula] { return formulas_.add_number(formula); });
    names_.push_back(name);
  }
}

// A run that goes on from another one begins later than at zero.
void MotionResults::refuse_times_before(double start, double end) const {
  for (const Functional& f : formulas_.functionals())
    if ((f.kind == Functional::Kind::at && f.time < start) || (f.has_window() && f.from < start))
      throw RequestError(
          "result",
          fmt::format("a time before the start is asked for: this motion lasts from {:g} to {:g} s", start, end));
}

const Study& MotionResults::study() const {
  if (!study_) study_.emplace(varied_, formulas_);
  return *study_;
}

std::unique_ptr<MotionWatcher> MotionResults::watcher_of(const Prepared& run) const {
  if (names_.empty() || study().prepared().system->layout() != run.system->layout()) return nullptr;
  refuse_times_before(run.start.t, run.options.end);
  auto watcher = std::make_unique<MotionWatcher>(formulas_.functionals(), study().observed(), run.options.end);
  watcher->set_motion(run);
  return watcher;
}

NamedNumbers MotionResults::seen_by(const MotionWatcher& watcher) const {
  const Functionals functionals = watcher.functionals_at_end();
  MotionEvaluator evaluator = study().evaluator();
  return named_numbers(formulas_, names_, evaluator(functionals.values, {}), functionals);
}

NamedNumbers MotionResults::compute(const StartChoice& start, const Progress& progress, double integral_share) const {
  Prepared prepared = study().prepared();
  NamedNumbers none;
  for (const std::string& name : names_) none.numbers.emplace_back(name, std::numeric_limits<double>::quiet_NaN());
  StartChoice chosen = start;
  chosen.further_comparisons = true;
  if (!assemble_chosen_start(prepared, chosen)) return none;
  refuse_times_before(prepared.start.t, prepared.options.end);
  MotionWatcher watcher(formulas_.functionals(), study().observed(), prepared.options.end);
  watcher.set_motion(prepared);
  watcher.set_integral_share(integral_share);
  const Outcome outcome = follow(prepared, watcher, progress);
  if (outcome.status == RunStatus::finished) return seen_by(watcher);
  none.findings.push_back(finding<FindingCode::results>("why"_a = outcome.sentence));
  return none;
}

}  // namespace armature::internal
