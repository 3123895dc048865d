#include "study/inverse_study_motion.hpp"

#include "inverse/inverse.hpp"
#include "inverse/inverse_study.hpp"
#include "study/row_results.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

class NoRecorder final : public Recorder {
 public:
  void begin(const std::vector<Channel>&) override {}
  void row(std::span<const double>) override {}
};

// The motion at one point after the other.
class InverseMotionAtPoints {
 public:
  InverseMotionAtPoints(const Model& model, const Settings& settings, std::vector<std::string> names,
                        const MotionFormulas& formulas)
      : model_(model), again_(model, settings), names_(std::move(names)), formulas_(formulas) {}

  MotionByRows at(std::span<const double> point, const std::atomic<bool>& stop) const {
    try {
      return moved(model_at(point), stop);
    } catch (const std::runtime_error& error) {  // a model that cannot be built, a start that does not exist
      return {MotionStatus::no_start, error.what(), {}};
    }
  }

 private:
  Model model_at(std::span<const double> point) const {
    Varied varied = vary(again_.at(names_, {point.begin(), point.end()}), names_);
    for (std::size_t k = 0; k < names_.size(); ++k)
      for (Parameter& parameter : varied.model.parameters)
        if (parameter.name == varied.parameters[k]) parameter.formula = number_formula(parameter.value = point[k]);
    return with_observed(std::move(varied.model), formulas_);
  }

  MotionByRows moved(const Model& there, const std::atomic<bool>& stop) const {
    const Prepared prepared = prepare_inverse(there);
    NoRecorder nothing;
    RowGatherer rows(nothing, formulas_.observed().size());
    const Outcome outcome = inverse(there, prepared, rows, [&](double, long) { return !stop; });
    if (outcome.status == RunStatus::stopped) return {MotionStatus::stopped, outcome.sentence, {}};
    if (outcome.status == RunStatus::failed) return {MotionStatus::failed, outcome.sentence, {}};
    return {MotionStatus::finished, "", rows.values_of(formulas_.functionals())};
  }

  const Model& model_;
  ReadAgain again_;
  std::vector<std::string> names_;
  const MotionFormulas& formulas_;
};

}  // namespace

std::unique_ptr<Study> inverse_study(const Model& model, const Settings& settings, const std::vector<std::string>& names,
                                     const Varied& varied, const MotionFormulas& formulas) {
  Model own = with_observed(vary(model, {}).model, formulas);
  auto motions = std::make_shared<const InverseMotionAtPoints>(model, settings, names, formulas);
  return std::make_unique<Study>(
      varied, formulas, prepare_inverse(own),
      [motions](std::span<const double> point, const std::atomic<bool>& stop) { return motions->at(point, stop); });
}

}  // namespace armature::internal
