// Single motions besides simulate(): inverse dynamics and kinematics, and numbers of a whole motion.
#include "inverse/inverse_study.hpp"
#include "inverse/kinematics.hpp"
#include "library/chosen_start.hpp"
#include "library/recording.hpp"
#include "library/translate.hpp"
#include "study/motion_results.hpp"
#include "study/row_results.hpp"

namespace armature {

namespace {

internal::StartChoice start_of_rows(const Model& model, const MotionQuestion& question) {
  if (question.from) throw Error(Error::Kind::input, "the motion is prescribed: it cannot start from a state");
  return start_choice(model, question.branch, nullptr);
}

Motion recorded(const internal::Prepared& prepared, const Recording& rows, const internal::Outcome& outcome) {
  return {rows.trajectory(), to_public(outcome), to_public(outcome.last, prepared.system->layout())};
}

}  // namespace

Numbers motion_numbers(const Model& model, const MotionQuestion& question, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) -> Numbers {
    const internal::MotionResults results(without_fmus(model), question.results);
    return results.compute(start_choice(model, question.branch, question.from), guarded).numbers;
  });
}

Motion inverse(const Model& model, const MotionQuestion& question, Numbers& numbers, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    const internal::RowResults results(internal::Access::of(model), question.results);
    const internal::Model observed = results.model();
    const internal::Prepared prepared = internal::prepare_inverse(observed, start_of_rows(model, question));
    Recording rows;
    internal::RowGatherer gatherer = results.gatherer(rows);
    const internal::Outcome outcome = internal::inverse(observed, prepared, gatherer, guarded);
    numbers = results.any() ? results.numbers(gatherer).numbers : Numbers();
    return recorded(prepared, rows, outcome);
  });
}

Motion inverse(const Model& model, const Progress& progress) {
  Numbers none;
  return inverse(model, MotionQuestion{}, none, progress);
}

Motion kinematics(const Model& model, const Settings& moves, const MotionQuestion& question, Numbers& numbers,
                  const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    internal::Model moved = internal::Access::of(model);
    for (const auto& [name, formula] : moves) moved = internal::driven(std::move(moved), name, formula);
    const internal::RowResults results(moved, question.results);
    const internal::Model observed = results.model();
    const internal::Prepared prepared = internal::prepare_kinematics(observed, start_of_rows(model, question));
    results.require_columns(internal::quantities_left_out(observed, prepared), internal::no_forces);
    Recording rows;
    internal::RowGatherer gatherer = results.gatherer(rows);
    const internal::Outcome outcome = internal::record_kinematics(observed, prepared, gatherer, guarded);
    numbers = results.any() ? results.numbers(gatherer).numbers : Numbers();
    return recorded(prepared, rows, outcome);
  });
}

Motion kinematics(const Model& model, const Settings& moves, const Progress& progress) {
  Numbers none;
  return kinematics(model, moves, MotionQuestion{}, none, progress);
}

}  // namespace armature
