#include "library/chosen_start.hpp"

#include "library/access.hpp"
#include "library/study_session.hpp"
#include "library/translate.hpp"

namespace armature {

internal::StartChoice start_choice(const Model& model, int branch, const State* from) {
  require_at_least(0, branch, "branch");
  if (branch > 0 && from) throw Error(Error::Kind::input, "give a branch or a state, not both");
  internal::StartChoice choice;
  choice.branch = branch;
  if (!from) return choice;
  // the state knows the order of its numbers, the machine their names
  const internal::Prepared prepared = internal::compile(internal::Access::of(model));
  internal::SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  choice.state = internal::store(to_internal(*from, evaluator), prepared.system->equations());
  choice.further_comparisons = true;
  return choice;
}

}  // namespace armature
