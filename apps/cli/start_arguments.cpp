#include "start_arguments.hpp"

#include <fmt/format.h>

#include "errors.hpp"
#include "model_arguments.hpp"
#include "record/record_error.hpp"
#include "record/run_record.hpp"

namespace armature::internal::cli {
namespace {

State last_state_of(const std::string& run, const Prepared& prepared) {
  const RunRecord record = read_run(run);
  if (!record.last) throw UsageError(fmt::format("--from {}: the run has no last state", run));
  try {
    return restore(*record.last, prepared.system->equations());
  } catch (const RecordError& error) {
    throw UsageError(fmt::format("--from {}: does not fit this model: {}", run, error.what()));
  }
}

State branch_state(int branch, const Prepared& prepared) {
  const auto branches = assembly_branches(prepared);
  if (branch > int(branches.size()))
    throw UsageError(fmt::format("--branch {}: only {} were found (armature assemble FILE --all lists them)", branch,
                                 branches.size()));
  return branches[std::size_t(branch - 1)];
}

}  // namespace

void StartArguments::add_to(CLI::App& verb, bool with_from) {
  auto* branch_option =
      verb.add_option("--branch", branch,
                      "start on this assembly branch, by its number in 'armature assemble FILE --all'")
          ->type_name("N")
          ->check(positive);
  if (with_from)
    verb.add_option("--from", from, "start at the last state of the run in this folder")
        ->type_name("RUN")
        ->excludes(branch_option);
}

bool StartArguments::assemble(Prepared& prepared) const {
  if (!from.empty())
    assemble_start(prepared, last_state_of(from, prepared));
  else if (branch > 0)
    assemble_start(prepared, branch_state(branch, prepared));
  else
    assemble_start(prepared);
  return prepared.failure.empty();
}

}  // namespace armature::internal::cli
