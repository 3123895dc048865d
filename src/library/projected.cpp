#include "library/projected.hpp"

#include <fmt/format.h>

#include "armature/model.hpp"
#include "dynamics/assembly.hpp"
#include "observe/constraint_gaps.hpp"

namespace armature {

namespace {

// Of the size of its constraint: a gap up to which the nearest closed pose is the one that is meant.
constexpr double nearly_closed = 0.1;

// "C (translation along x) by 0.6 m"
std::string words_of(const internal::ConstraintGap& gap, const internal::Equations& equations) {
  const internal::ConstraintRow& row = equations.rows[static_cast<std::size_t>(gap.row)];
  return fmt::format("{}{} by {:.3g}{}{}", row.owner, row.direction.empty() ? "" : fmt::format(" ({})", row.direction),
                     gap.gap, row.unit.empty() ? "" : " ", row.unit);
}

}  // namespace

internal::State projected(internal::State state, internal::SystemEvaluator& evaluator) {
  if (evaluator.system().layout().m == 0) return state;
  const internal::Equations& equations = evaluator.system().equations();
  internal::SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.set(state);
  evaluator.position(terms);
  if (!terms.phi.allFinite() || !state.x.allFinite())
    throw Error(Error::Kind::computation,
                "the constraints have no finite value at this state; assemble() finds one that satisfies them");
  internal::ConstraintGaps gaps(equations);
  const bool near = gaps.look(state.t, state.x.data(), terms) <= nearly_closed;
  if (!near || !internal::correct(evaluator, state))
    throw Error(
        Error::Kind::computation,
        fmt::format("the state does not satisfy the constraints: it opens {}; assemble() finds a state that does",
                    words_of(gaps.worst(), equations)));
  return state;
}

}  // namespace armature
