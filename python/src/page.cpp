// The page of a report, which the library does not offer.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "call.hpp"
#include "library/access.hpp"
#include "library/translate.hpp"
#include "model/findings.hpp"
#include "report/document.hpp"
#include "report/page.hpp"
#include "run/describe.hpp"

namespace armature::python {

namespace {

struct Nowhere : internal::Recorder {
  void begin(const std::vector<internal::Channel>&) override {}
  void row(std::span<const double>) override {}
};

internal::RunStatus status_of(Outcome::Status status) {
  if (status == Outcome::Status::finished) return internal::RunStatus::finished;
  return status == Outcome::Status::failed ? internal::RunStatus::failed : internal::RunStatus::stopped;
}

internal::Outcome to_internal(const Motion& motion, const internal::Prepared& prepared) {
  const Statistics& counted = motion.outcome.statistics;
  internal::Outcome outcome;
  outcome.status = status_of(motion.outcome.status);
  outcome.sentence = motion.outcome.sentence;
  for (const Finding& found : motion.outcome.findings) {
    const auto row = std::ranges::find(internal::finding_rows, found.code, &internal::FindingRow::code);
    if (row != internal::finding_rows.end())
      outcome.findings.push_back(
          {static_cast<internal::FindingCode>(row - internal::finding_rows.begin()), found.sentence});
  }
  for (const Event& event : motion.outcome.events) outcome.events.push_back({event.t, event.what});
  outcome.statistics.integrator.steps = counted.steps;
  outcome.statistics.integrator.rejected = counted.rejected;
  outcome.statistics.integrator.evaluations = counted.evaluations;
  outcome.statistics.integrator.smallest_step = counted.smallest_step;
  outcome.statistics.integrator.largest_step = counted.largest_step;
  outcome.statistics.rows = static_cast<long>(motion.trajectory.rows());
  outcome.statistics.smallest_rank = counted.smallest_rank;
  outcome.statistics.constraints = prepared.system->layout().m;
  outcome.statistics.position_error = counted.constraint_error;
  outcome.statistics.energy_error = counted.energy_error;
  outcome.statistics.seconds = counted.seconds;
  internal::SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  outcome.last = armature::to_internal(motion.last, evaluator);
  return outcome;
}

// The page with the motion inside; it needs nothing else.
std::string page_of(const Machine& machine, const Motion& motion, const Settings& settings) {
  return translated([&] {
    if (internal::embedded_page().empty())
      throw Error(Error::Kind::computation, "this build has no viewer: Node was missing when it was made");
    const internal::Model& model = internal::Access::of(machine.model());
    const internal::Prepared& prepared = internal::Access::of(machine);
    Nowhere nowhere;
    internal::ReportRecorder rows(nowhere);
    std::vector<internal::Channel> channels;
    for (const Channel& channel : motion.trajectory.channels()) channels.push_back({channel.name, channel.unit});
    rows.begin(channels);
    for (std::size_t k = 0; k < motion.trajectory.rows(); ++k) rows.row(motion.trajectory.row(k));
    rows.finish();
    const internal::RunRecord record = internal::describe(model, settings, prepared, to_internal(motion, prepared));
    return internal::page_text(internal::run_document(model, record, rows, nullptr, &prepared), internal::Page::report);
  });
}

}  // namespace

void add_page(py::module_& module) {
  module.def(
      "page",
      [](const Machine& machine, const Motion& motion, const Settings& settings) {
        return computed([&] { return page_of(machine, motion, settings); });
      },
      py::arg("machine"), py::arg("motion"), py::arg("settings"));
}

}  // namespace armature::python
