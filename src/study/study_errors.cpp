#include "study/study_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <memory>

#include "expression/interruption.hpp"
#include "inspect/repeats.hpp"
#include "record/usable_cores.hpp"
#include "study/inverse_study_motion.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t repeated_motions = 8;
constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();

// What one repeated motion says.
struct RepeatedMotion {
  MotionStatus status = MotionStatus::stopped;
  std::string sentence;
  std::vector<double> values;
  int motion_class = -1;
};

// A study that is compiled anew, as the repetition asks for it.
struct RepeatedStudy {
  Model again;
  Varied varied;
  MotionFormulas formulas;
  std::unique_ptr<Classes> classes = {};
  std::unique_ptr<Study> study = {};

  RepeatedStudy(const Model& model, const Repetition& change, const std::vector<std::string>& names, bool tables)
      : again(repeated(model, change)), varied(vary(again, names, tables)), formulas(varied.model, varied.parameters) {}
  void compile() {
    study = std::make_unique<Study>(varied, formulas);
    study->set_integral_share(repeated_integrals);
  }
  void compile_inverse(const Settings& settings, const std::vector<std::string>& names,
                       const std::vector<std::vector<double>>& values) {
    study = inverse_study(again, settings, names, values, varied, formulas);
  }
};

RepeatedMotion motion_at(StudyRun& run, const std::vector<double>& point) {
  const MotionStatus status = run.run(point);
  return {status, run.sentence(), run.values(), run.motion_class()};
}

// Every so many of the points in a thread of its own; the caller waits for as long as there is time.
std::vector<RepeatedMotion> motions_at(const RepeatedStudy& repeated, const std::vector<std::vector<double>>& points,
                                       const std::function<bool()>& going) {
  const std::size_t threads =
      repeated.study->tables().empty() ? std::min<std::size_t>(points.size(), std::size_t(usable_cores())) : 1;
  StopFlag stop = false;
  std::vector<RepeatedMotion> motions(points.size());
  const auto work = [&](std::size_t first) {
    const Interruption interruption([&] { return stop.load(); });
    StudyRun run(*repeated.study, repeated.classes.get(), stop);
    for (std::size_t k = first; k < points.size() && !stop; k += threads) motions[k] = motion_at(run, points[k]);
  };
  std::vector<std::future<void>> running;
  for (std::size_t k = 0; k < threads; ++k) running.push_back(std::async(std::launch::async, work, k));
  for (std::future<void>& each : running)
    while (each.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
      if (!going()) stop = true;
  for (std::future<void>& each : running) each.get();
  return motions;
}

// Compiles and repeats; found: what to make of the motions, when all of them are known.
template <class Compile, class Found>
void repeat_motions(RepeatedStudy& repeated, const std::vector<std::vector<double>>& points, const ErrorTime& time,
                    StudyErrors& errors, const Compile& compile, const Found& found) {
  using Clock = std::chrono::steady_clock;
  errors.motions = static_cast<long>(points.size());
  const auto began = Clock::now();
  const auto going = [&] {
    return (!time.going || time.going()) && std::chrono::duration<double>(Clock::now() - began).count() < time.seconds;
  };
  try {
    const Interruption interruption([&] { return !going(); });
    {
      const Abandonable abandonable;
      compile();
    }
    const std::vector<RepeatedMotion> motions = motions_at(repeated, points, going);
    const auto lost = std::ranges::find_if(
        motions, [](const RepeatedMotion& motion) { return motion.status != MotionStatus::finished; });
    if (lost == motions.end()) return found(motions);
    if (lost->status != MotionStatus::stopped)
      errors.missing = fmt::format("a motion repeated with {} did not finish: {}", errors.how, lost->sentence);
  } catch (const Interrupted&) {
  }
  if (errors.missing.empty())
    errors.missing = fmt::format("the time was up before {} motions were repeated with {}", points.size(), errors.how);
}

Repetition repetition_of(const Model& model, bool inverse) {
  return inverse ? finer_rows(model) : error_repetition(model);
}

std::vector<std::vector<double>> points_of_cells(const Points& points, const std::vector<long>& cells) {
  std::vector<std::vector<double>> list;
  for (const long cell : cells) list.emplace_back(points[cell], points[cell] + points.dimensions);
  return list;
}

// What is set there, by name.
std::pair<std::vector<std::string>, std::vector<double>> best_motion(const OptimizationResult& found) {
  const Evaluation& best = *found.best();
  if (!best.motion.empty()) return {found.names, best.motion};
  std::vector<std::string> names;
  for (std::size_t d = 0; d < found.variables; ++d) names.push_back(found.over[d].name);
  std::vector<double> point(best.point.begin(), best.point.begin() + static_cast<std::ptrdiff_t>(names.size()));
  for (const auto& [name, value] : found.chosen_values) names.push_back(name), point.push_back(value);
  return {names, point};
}

double error_of(double value, double exact) { return std::max(std::abs(value - exact), round_off * std::abs(value)); }

}  // namespace

std::vector<long> evenly_chosen(const std::vector<long>& cells, std::size_t most) {
  if (cells.size() <= most) return cells;
  std::vector<long> chosen;
  for (std::size_t k = 0; k < most; ++k) chosen.push_back(cells[k * (cells.size() - 1) / (most - 1)]);
  return chosen;
}

StudyErrors errors_of(const Model& model, const Settings& settings, const SweepOptions& options,
                      const SweepResult& sweep, const ErrorTime& time) {
  StudyErrors errors;
  std::vector<long> finished;
  for (std::size_t k = 0; k < sweep.status.size(); ++k)
    if (sweep.status[k] == MotionStatus::finished) finished.push_back(static_cast<long>(k));
  errors.cells = evenly_chosen(finished, repeated_motions);
  const Repetition change = repetition_of(model, options.inverse);
  errors.how = change.how;
  if (finished.empty()) return errors;
  RepeatedStudy repeated(model, change, sweep.variables, false);
  for (const auto& [name, formula] : options.results) repeated.formulas.add_number(formula);
  const auto compile = [&] {
    if (options.inverse)
      repeated.compile_inverse(settings, sweep.variables, values_in(sweep.points));
    else
      repeated.compile();
  };
  repeat_motions(repeated, points_of_cells(sweep.points, errors.cells), time, errors, compile,
                 [&](const std::vector<RepeatedMotion>& motions) {
                   for (std::size_t k = 0; k < sweep.values.size(); ++k) {
                     double worst = 0;
                     for (std::size_t i = 0; i < motions.size(); ++i) {
                       const double value = sweep.values[k][static_cast<std::size_t>(errors.cells[i])];
                       if (std::isfinite(value)) worst = std::max(error_of(value, motions[i].values[k]), worst);
                     }
                     errors.worst.push_back(worst);
                   }
                 });
  return errors;
}

StudyErrors errors_of(const Model& model, const MapOptions& options, const MapResult& map, const ErrorTime& time) {
  StudyErrors errors;
  std::vector<long> finished;
  for (std::size_t k = 0; k < map.motion_class.size(); ++k)
    if (map.motion_class[k] >= 0) finished.push_back(static_cast<long>(k));
  errors.cells = evenly_chosen(finished, repeated_motions);
  const Repetition change = repetition_of(model, false);
  errors.how = change.how;
  if (finished.empty()) return errors;
  RepeatedStudy repeated(model, change, names_of(options.over), false);
  repeated.classes = std::make_unique<Classes>(options.classify, repeated.formulas);
  repeat_motions(
      repeated, points_of_cells(map.points, errors.cells), time, errors, [&] { repeated.compile(); },
      [&](const std::vector<RepeatedMotion>& motions) {
        for (std::size_t i = 0; i < motions.size(); ++i)
          if (motions[i].motion_class != map.motion_class[static_cast<std::size_t>(errors.cells[i])])
            errors.of_other_class.push_back(errors.cells[i]);
      });
  return errors;
}

StudyErrors errors_of(const Model& model, const Settings& settings, const OptimizationOptions& options,
                      const OptimizationResult& found, const ErrorTime& time) {
  StudyErrors errors;
  const Evaluation* best = found.best();
  const Repetition change = repetition_of(model, options.inverse);
  errors.how = change.how;
  if (!best) return errors;
  const auto [names, point] = best_motion(found);
  RepeatedStudy repeated(model, change, names, true);
  repeated.formulas.add_number(options.objective);
  std::vector<std::vector<double>> values;
  for (const double value : point) values.push_back({value});
  const auto compile = [&, &names = names] {
    if (options.inverse)
      repeated.compile_inverse(settings, names, values);
    else
      repeated.compile();
  };
  repeat_motions(repeated, {point}, time, errors, compile, [&](const std::vector<RepeatedMotion>& motions) {
    errors.worst = {error_of(found.shown(best->objective), motions[0].values[0])};
  });
  return errors;
}

}  // namespace armature::internal
