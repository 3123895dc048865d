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

}  // namespace

RepeatedRun inverse_again(const Model& model, const std::vector<std::pair<std::string, std::string>>& formulas,
                          const StartChoice& start, const Progress& progress) {
  const RowResults results(model, formulas);
  const Model observed = results.model();
  const Prepared prepared = prepare_inverse(observed, start);
  DroppedRows dropped;
  RowGatherer rows = results.gatherer(dropped);
  RepeatedRun run;
  run.outcome = inverse(observed, prepared, rows, progress);
  if (results.any() && run.outcome.status == RunStatus::finished) run.numbers.values = results.numbers(rows).numbers;
  return run;
}

}  // namespace armature::internal
