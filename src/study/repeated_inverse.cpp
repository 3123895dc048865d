#include "study/repeated_inverse.hpp"

#include "inverse/inverse_study.hpp"
#include "study/row_results.hpp"

namespace armature::internal {

namespace {

class DroppedRows final : public Recorder {
 public:
  void begin(const std::vector<Channel>&) override {}
  void row(std::span<const double>) override {}
};

template <class Prepare, class Move>
RepeatedRun moved_again(const Model& model, const NamedFormulas& formulas, const Prepare& prepare, const Move& move) {
  const RowResults results(model, formulas);
  const Model observed = results.model();
  const Prepared prepared = prepare(observed);
  DroppedRows dropped;
  RowGatherer rows = results.gatherer(dropped);
  RepeatedRun run;
  run.outcome = move(observed, prepared, rows);
  if (results.any() && run.outcome.status == RunStatus::finished) run.numbers.values = results.numbers(rows).numbers;
  return run;
}

}  // namespace

RepeatedRun inverse_again(const Model& model, const NamedFormulas& formulas, const StartChoice& start,
                          const Progress& progress) {
  return moved_again(
      model, formulas, [&](const Model& observed) { return prepare_inverse(observed, start); },
      [&](const Model& observed, const Prepared& prepared, Recorder& rows) {
        return inverse(observed, prepared, rows, progress);
      });
}

RepeatedRun kinematics_again(const Model& model, const NamedFormulas& formulas, const StartChoice& start,
                             const Progress& progress) {
  return moved_again(
      model, formulas, [&](const Model& observed) { return prepare_kinematics(observed, start); },
      [&](const Model& observed, const Prepared& prepared, Recorder& rows) {
        return record_kinematics(observed, prepared, rows, progress);
      });
}

}  // namespace armature::internal
