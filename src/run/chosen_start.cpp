#include "run/chosen_start.hpp"

#include <fmt/format.h>

#include "dynamics/outcomes_by_roots.hpp"
#include "model/request_error.hpp"
#include "record/record_error.hpp"
#include "record/run_record.hpp"

namespace armature::internal {

namespace {

// The outcomes of comparisons that the stored run did not make.
void make_further_comparisons(std::size_t known, const Prepared& prepared, State& state) {
  if (known == state.comparisons.size()) return;
  SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  State all = state;
  evaluator.set(all);
  set_outcomes_by_roots(evaluator, all);
  for (std::size_t k = known; k < state.comparisons.size(); ++k)
    state.comparisons[k] = all.comparisons[k],
    state.w[static_cast<Eigen::Index>(k)] = all.w[static_cast<Eigen::Index>(k)];
}

// Throws RecordError where the state is of another model.
State restored(const StoredState& stored, const Prepared& prepared, bool further_comparisons) {
  State state = restore(stored, prepared.system->equations(), further_comparisons);
  make_further_comparisons(stored.comparisons.size(), prepared, state);
  return state;
}

State last_state_of(const std::string& run, const Prepared& prepared, bool further_comparisons) {
  std::optional<StoredState> stored = read_rest(run);
  if (stored)
    further_comparisons = true;
  else
    stored = read_run(run).last;
  if (!stored) throw RequestError("from " + run, "the run has no last state");
  try {
    return restored(*stored, prepared, further_comparisons);
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
  if (choice.state)
    assemble_start(prepared, restored(*choice.state, prepared, choice.further_comparisons));
  else if (!choice.from.empty())
    assemble_start(prepared, last_state_of(choice.from, prepared, choice.further_comparisons));
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
