#include "armature/plan.hpp"

#include "library/access.hpp"
#include "library/study_session.hpp"
#include "library/translate.hpp"
#include "plan/planning.hpp"

namespace armature {

namespace {

internal::PlanOptions plan_options(const Model& model, const PlanQuestion& question) {
  require_at_least(1, question.starts, "starts");
  require_at_least(2, question.intervals, "intervals");
  require_at_least(2, question.most_intervals, "most_intervals");
  require_at_least(1, question.iterations, "iterations");
  if (!(question.accuracy > 0)) throw Error(Error::Kind::input, "accuracy must be positive");
  internal::PlanOptions options;
  options.to = question.to, options.along = question.along, options.keep = question.keep,
  options.within = question.within;
  options.moving = question.moving, options.minimize = question.minimize, options.gains = question.gains;
  for (const InputRange& range : question.inputs) {
    if (!(range.low < range.high))
      throw Error(Error::Kind::input, fmt::format("input {}: the range is empty", range.name));
    options.inputs.push_back({range.name, range.low, range.high});
  }
  if (question.shortest < 0 || (question.longest > 0 && question.longest < question.shortest))
    throw Error(Error::Kind::input, "time: expected positive times, the shortest first");
  if (question.shortest > 0) options.shortest = question.shortest;
  if (question.longest > 0) options.longest = question.longest;
  options.accuracy = question.accuracy, options.starts = question.starts, options.intervals = question.intervals;
  options.most_intervals = question.most_intervals, options.iterations = question.iterations;
  options.settings = internal::Access::settings(model);
  return options;
}

void take_motion(const internal::PlanResult& found, Plan& plan) {
  const internal::PlannedMotion& motion = found.motion;
  plan.duration = motion.duration, plan.cost = found.cost, plan.cost_unit = found.machine->cost_unit;
  plan.inputs = found.machine->inputs, plan.states = internal::state_names(*found.collocation);
  for (Eigen::Index k = 0; k <= motion.intervals(); ++k) {
    plan.t.push_back(motion.time(k));
    plan.input_values.insert(plan.input_values.end(), motion.inputs.col(k).begin(), motion.inputs.col(k).end());
    plan.state_values.insert(plan.state_values.end(), motion.node(k).begin(), motion.node(k).end());
  }
  for (const Eigen::MatrixXd& K : found.gains.K) {
    const std::vector<double> rows = by_rows(K);
    plan.gains.insert(plan.gains.end(), rows.begin(), rows.end());
  }
  plan.active = found.active;
  plan.end_error = found.end_error, plan.target_error = found.target_error,
  plan.constraint_error = found.constraint_error;
}

}  // namespace

Plan plan(const Model& model, const PlanQuestion& question, const StudyOptions& options) {
  return translated(options.progress, [&](const std::function<bool(long, long)>& progress) {
    const internal::Model& known = without_fmus(model);
    internal::PlanOptions wanted = plan_options(model, question);
    long iterations = 0;
    if (progress)
      wanted.progress = [&](const std::string& what) {
        if (!what.empty()) ++iterations;
        return progress(iterations, question.iterations);
      };
    const internal::PlanResult found = internal::plan(known, wanted);
    if (found.status == internal::PlanStatus::stopped) throw Error(Error::Kind::stopped, "the plan was stopped");
    Plan plan;
    plan.found = found.status == internal::PlanStatus::found;
    plan.sentence = without_options(found.sentence);
    plan.notes = found.notes, plan.warnings = found.warnings;
    if (found.has_motion) take_motion(found, plan);
    return plan;
  });
}

}  // namespace armature
