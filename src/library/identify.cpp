#include "armature/identify.hpp"

#include "identify/driven_model.hpp"
#include "identify/identification_files.hpp"
#include "library/access.hpp"
#include "library/study_session.hpp"
#include "library/translate.hpp"
#include "plan/excitation.hpp"

namespace armature {

namespace {

internal::IdentifyOptions identify_options(const Model& model, const IdentifyQuestion& question,
                                           const StudyOptions& options) {
  require_at_least(0, options.threads, "threads");
  require_at_least(1, question.evaluations, "evaluations");
  internal::IdentifyOptions wanted;
  for (const FittedParameter& fit : question.fit) {
    if (!(fit.low < fit.high)) throw Error(Error::Kind::input, fmt::format("fit {}: the range is empty", fit.name));
    wanted.fit.push_back({fit.name, fit.low, fit.high});
  }
  wanted.fit_start = question.fit_start, wanted.offsets = question.offset, wanted.use = question.use,
  wanted.noise = question.noise;
  wanted.robust = question.robust, wanted.evaluations = question.evaluations, wanted.threads = options.threads;
  wanted.settings = internal::Access::settings(model);
  return wanted;
}

Estimated public_estimate(const internal::Estimate& estimate) {
  using Kind = internal::Estimate::Kind;
  return {estimate.name,
          estimate.kind == Kind::parameter ? "parameter"
          : estimate.kind == Kind::start   ? "start"
                                           : "offset",
          estimate.unit,
          estimate.experiment + 1,
          estimate.first,
          estimate.value,
          estimate.deviation,
          estimate.value - estimate.half_width,
          estimate.value + estimate.half_width,
          estimate.bound != 0};
}

FittedColumn public_column(const internal::IdentifyResult& result, const internal::IdentifyResult::Column& column) {
  const internal::ResidualAnalysis& r = column.residuals;
  return {column.name,
          column.unit,
          column.experiment + 1,
          column.noise,
          r.rms,
          r.neighbor_correlation,
          r.is_white(),
          r.peak_frequency,
          result.experiments[static_cast<std::size_t>(column.experiment)].t,
          column.measured,
          column.simulated};
}

}  // namespace

Identified identify(const Model& model, const std::vector<std::string>& records, const IdentifyQuestion& question,
                    const StudyOptions& options) {
  return translated(options.progress, [&](const std::function<bool(long, long)>& progress) {
    const internal::Model& known = without_fmus(model);
    internal::IdentifyOptions wanted = identify_options(model, question, options);
    long evaluations = 0;
    if (progress)
      wanted.progress = [&](const std::string& what) {
        if (!what.empty()) ++evaluations;
        return progress(evaluations, question.evaluations);
      };
    std::vector<internal::MeasuredRecord> measured;
    for (const std::string& file : records) measured.push_back(internal::read_measured(file));
    const internal::IdentifyResult found = internal::identify(known, measured, wanted);
    if (found.status == internal::IdentifyStatus::stopped)
      throw Error(Error::Kind::stopped, "the identification was stopped");
    Identified result;
    result.converged = found.status == internal::IdentifyStatus::converged;
    result.sentence = without_options(found.sentence);
    for (const internal::Estimate& estimate : found.estimates) result.estimates.push_back(public_estimate(estimate));
    result.correlation = by_rows(found.information.correlation);
    for (const auto& direction : found.information.undetermined) result.undetermined.push_back(direction.sentence);
    for (const auto& column : found.columns) result.columns.push_back(public_column(found, column));
    result.notes = found.notes, result.warnings = found.warnings;
    std::string why;
    result.text = internal::identified_text(found, known, wanted.settings, why);
    result.evaluations = found.evaluations;
    if (question.excite && result.converged) {
      const internal::Excitation next = internal::excite(known, measured, wanted, found);
      if (next.stopped) throw Error(Error::Kind::stopped, "the identification was stopped");
      result.excitation = {next.inputs, next.t, by_rows(next.values), next.then};
      result.notes.insert(result.notes.end(), next.notes.begin(), next.notes.end());
    }
    return result;
  });
}

Model driven_by(const Model& model, const std::string& record) {
  return translated([&] {
    internal::Model driven = internal::driven_by_inputs(internal::Access::of(model), internal::read_measured(record));
    return internal::Access::model(std::make_shared<const internal::Model>(std::move(driven)),
                                   internal::Access::settings(model));
  });
}

}  // namespace armature
