#include "run/chosen_start.hpp"

#include <fmt/format.h>

#include "model/request_error.hpp"
#include "record/record_error.hpp"
#include "record/run_record.hpp"

namespace armature::internal {

namespace {

State last_state_of(const std::string& run, const Prepared& prepared) {
  const RunRecord record = read_run(run);
  if (!record.last) throw RequestError("from " + run, "the run has no last state");
  try {
    return restore(*record.last, prepared.system->equations());
  } catch (const RecordError& error) {
    throw RequestError("from " + run, fmt::format("the run does not fit this model: {}", error.what()));
  }
}

State branch_state(int branch, const Prepared& prepared) {
  const auto branches = assembly_branches(prepared);
  if (branch > int(branches.size()))
    throw RequestError(fmt::format("branch {}", branch),
                       fmt::format("only {} found ('armature assemble FILE --all' lists them)",
                                   branches.size() == 1 ? "1 was" : fmt::format("{} were", branches.size())));
  return branches[std::size_t(branch - 1)];
}

}  // namespace

bool assemble_chosen_start(Prepared& prepared, const StartChoice& choice) {
  if (!choice.from.empty())
    assemble_start(prepared, last_state_of(choice.from, prepared));
  else if (choice.branch > 0)
    assemble_start(prepared, branch_state(choice.branch, prepared));
  else
    assemble_start(prepared);
  return prepared.failure.empty();
}

void require_chosen_start(Prepared& prepared, const StartChoice& choice) {
  if (!assemble_chosen_start(prepared, choice)) throw ComputationError(prepared.failure);
}

}  // namespace armature::internal
