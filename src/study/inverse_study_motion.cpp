#include "study/inverse_study_motion.hpp"

#include <algorithm>
#include <mutex>

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
                        const Varied& varied, const MotionFormulas& formulas)
      : again_(model, settings), names_(std::move(names)), varied_(varied), formulas_(formulas) {}

  // Compiles the model once for all points of a thread, where it then means the same at some of them.
  void compile_once(const std::vector<ComparedPoint>& points) {
    try {
      Ready with_parameters = compiled_with_parameters();
      for (const ComparedPoint& point : points)
        if (!mean_the_same(at_point(with_parameters.machine, point.values), compile_inverse(model_at(point.values))))
          return;
      idle_.push_back(std::move(with_parameters));
      once_ = true;
    } catch (const std::runtime_error&) {  // each point then has a sentence of its own
    }
  }

  MotionByRows at(std::span<const double> point, const std::atomic<bool>& stop) const {
    try {
      const Model there = model_at(point);
      if (const auto motion = moved_with_parameters(there, point, stop)) return *motion;
      std::unique_ptr<InverseDynamics> own;
      return moved(there, compile_inverse(there), own, stop);
    } catch (const std::runtime_error& error) {  // a model that cannot be built, a start that does not exist
      return {MotionStatus::no_start, error.what(), {}};
    }
  }

 private:
  // The model with the variables as parameters of its programs.
  struct Ready {
    Prepared machine;
    std::unique_ptr<InverseDynamics> dynamics;  // made by its first motion
  };

  // Nothing: it does not finish; the model compiled with these numbers says why, or does.
  std::optional<MotionByRows> moved_with_parameters(const Model& there, std::span<const double> point,
                                                    const std::atomic<bool>& stop) const {
    if (!once_) return std::nullopt;
    try {
      Ready own = take();
      const MotionByRows motion = moved(there, at_point(own.machine, point), own.dynamics, stop);
      give_back(std::move(own));
      return motion.status == MotionStatus::failed ? std::nullopt : std::optional(motion);
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }

  Ready compiled_with_parameters() const {
    return {compile_inverse(with_observed(varied_.model, formulas_), varied_.parameters), nullptr};
  }

  // One that no other thread uses meanwhile: inverse dynamics adds the rates of efforts to its equations.
  Ready take() const {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Ready last = std::move(idle_.back());
        idle_.pop_back();
        return last;
      }
    }
    return compiled_with_parameters();
  }
  void give_back(Ready ready) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(ready));
  }

  Model model_at(std::span<const double> point) const {
    Varied varied = vary(again_.at(names_, {point.begin(), point.end()}), names_);
    for (std::size_t k = 0; k < names_.size(); ++k)
      for (Parameter& parameter : varied.model.parameters)
        if (parameter.name == varied.parameters[k]) parameter.formula = number_formula(parameter.value = point[k]);
    return with_observed(std::move(varied.model), formulas_);
  }

  Prepared at_point(Prepared here, std::span<const double> point) const {
    const std::vector<std::string>& names = here.system->equations().p_name;
    for (std::size_t k = 0; k < varied_.parameters.size(); ++k)
      here.parameters[std::ranges::find(names, varied_.parameters[k]) - names.begin()] = point[k];
    return here;
  }

  MotionByRows moved(const Model& there, Prepared prepared, std::unique_ptr<InverseDynamics>& dynamics,
                     const std::atomic<bool>& stop) const {
    require_chosen_start(prepared, {});
    NoRecorder nothing;
    RowGatherer rows(nothing, formulas_.observed().size());
    const Outcome outcome = inverse(there, prepared, dynamics, rows, [&](double, long) { return !stop; });
    if (outcome.status == RunStatus::stopped) return {MotionStatus::stopped, outcome.sentence, {}};
    if (outcome.status == RunStatus::failed) return {MotionStatus::failed, outcome.sentence, {}};
    return {MotionStatus::finished, "", rows.values_of(formulas_.functionals()), outcome.findings};
  }

  ReadAgain again_;
  std::vector<std::string> names_;
  const Varied& varied_;
  const MotionFormulas& formulas_;
  bool once_ = false;                // whether the variables are parameters of the programs
  mutable std::vector<Ready> idle_;  // used by no thread
  mutable std::mutex mutex_;         // of idle_
};

}  // namespace

std::unique_ptr<Study> inverse_study(const Model& model, const Settings& settings,
                                     const std::vector<std::string>& names,
                                     const std::vector<std::vector<double>>& values, const Varied& varied,
                                     const MotionFormulas& formulas) {
  Model own = with_observed(vary(model, {}).model, formulas);
  auto motions = std::make_shared<InverseMotionAtPoints>(model, settings, names, varied, formulas);
  motions->compile_once(points_to_compare(model, names, values));
  return std::make_unique<Study>(
      varied, formulas, prepare_inverse(own),
      [motions](std::span<const double> point, const std::atomic<bool>& stop) { return motions->at(point, stop); });
}

}  // namespace armature::internal
