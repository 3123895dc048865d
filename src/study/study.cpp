#include "study/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/outcomes_by_roots.hpp"
#include "expression/interruption.hpp"
#include "model/inputs.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

namespace {

constexpr double folding_round_off = 1e-9;  // relative: folding changes the order of operations

// Nothing is recorded but what the formulas ask for.
Model observed_model(const Varied& varied, const MotionFormulas& formulas) {
  Model model = varied.model;
  model.record = {};
  for (std::size_t k = 0; k < formulas.observed().size(); ++k)
    model.record.quantities.emplace_back(fmt::format("#{}", k), formulas.observed()[k]);
  return model;
}

// Points of tables are no parameters of the equations.
std::vector<std::string> free_parameters(const Varied& varied) {
  std::vector<std::string> names;
  for (const std::string& name : varied.parameters)
    if (std::ranges::count(varied.model.parameters, name, &Parameter::name) > 0) names.push_back(name);
  return names;
}

// No step passes over a point of a table that is varied, and so over what it does: their corners are no events. 0: unlimited.
double longest_step(const Varied& varied, double own) {
  double least = own > 0 ? own : std::numeric_limits<double>::infinity();
  for (const VariedTable& table : varied.tables)
    for (std::size_t k = 0; k + 1 < table.size(); ++k) least = std::min(least, table.knots()[k + 1] - table.knots()[k]);
  return std::isfinite(least) ? least : 0;
}

std::shared_ptr<const Program> observed_program(const System& system, std::size_t count) {
  std::vector<Expression> outputs(count, 0.0);
  for (const Quantity& quantity : system.equations().quantities)
    if (const int k = functional_number(quantity.name); k >= 0) outputs[static_cast<std::size_t>(k)] = quantity.value;
  return system.make_program(outputs);
}

// Everything that the equations say at a state, one number after the other.
std::vector<double> equations_at(SystemEvaluator& evaluator, const State& state) {
  evaluator.set(state);
  Terms terms = evaluator.make_terms();
  evaluator.all(terms);
  Eigen::VectorXd residual;
  SparseMatrix J;
  std::vector<double> numbers;
  const auto add = [&](const auto& values) {
    numbers.insert(numbers.end(), values.data(), values.data() + values.size());
  };
  add(terms.M), add(terms.Phi), add(terms.phi), add(terms.gamma), add(terms.f), add(terms.zdot);
  evaluator.start_position(residual, J);
  add(residual);
  evaluator.start_velocity(residual, J);
  add(residual);
  return numbers;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  const auto near = [](double x, double y) {
    return !(std::abs(x - y) > folding_round_off * (1 + std::abs(x)));  // what has no value has none in both
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), near);
}

// Whether all that the equations say at the start is a number, as near as it comes if the loops do not close.
bool has_equations(Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  assemble_start(prepared, evaluator);
  return std::ranges::all_of(equations_at(evaluator, prepared.start), [](double x) { return std::isfinite(x); });
}

bool same_size(const System& a, const System& b) {
  return a.layout().nx() == b.layout().nx() && a.layout().nd == b.layout().nd;
}

// The state in another compilation of the model. A comparison of numbers folds there, so that it may have fewer of them; one with a number
// may be turned round.
State state_for(const System& system, const State& state) {
  State other = system.initial_state();
  other.t = state.t, other.x = state.x, other.d = state.d;
  SystemEvaluator evaluator(std::make_shared<const System>(system));
  evaluator.set(other);
  set_outcomes_by_roots(evaluator, other);
  return other;
}

std::span<const double> span_of(const Eigen::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

bool same_options(const RunOptions& a, const RunOptions& b) {
  return a.end == b.end && a.rtol == b.rtol && a.step == b.step;
}

}  // namespace

Study::Study(const Varied& varied, const MotionFormulas& formulas)
    : varied_(varied),
      formulas_(formulas),
      prepared_(compile(observed_model(varied, formulas), free_parameters(varied))),
      evaluator_(formulas),
      required_(varied.model, prepared_.system->equations()) {
  for (const std::string& name : prepared_.system->equations().p_name)
    place_.push_back(static_cast<std::size_t>(std::ranges::find(varied.parameters, name) - varied.parameters.begin()));
  prepared_.options.max_step = longest_step(varied, prepared_.options.max_step);
  observed_ = observed_program(*prepared_.system, formulas.observed().size());
  known_positions_ = std::make_unique<KnownPositions>(prepared_.system);
}

Study::Study(const Varied& varied, const MotionFormulas& formulas, Prepared prepared, MotionRows rows)
    : varied_(varied),
      formulas_(formulas),
      prepared_(std::move(prepared)),
      observed_(observed_program(*prepared_.system, formulas.observed().size())),
      evaluator_(formulas),
      rows_(std::move(rows)) {}

Eigen::VectorXd Study::parameters_at(std::span<const double> point) const {
  Eigen::VectorXd parameters(static_cast<Eigen::Index>(place_.size()));
  for (std::size_t k = 0; k < place_.size(); ++k) parameters[static_cast<Eigen::Index>(k)] = point[place_[k]];
  return parameters;
}

std::string Study::violation(std::span<const double> point) const {
  if (std::string sentence = ranges_.violation(point); !sentence.empty()) return sentence;
  return required_.violation(span_of(parameters_at(point)));
}

void Study::move_tables(std::span<const double> point) const {
  for (const VariedTable& table : varied_.tables) table.move_to(point);
}

std::vector<int> Study::varied_tables() const {
  const auto& all = prepared_.system->equations().graph->tables();
  std::vector<int> numbers;
  for (const VariedTable& table : varied_.tables) {
    const auto found = std::ranges::find(all, table.table());
    numbers.push_back(found == all.end() ? -1 : static_cast<int>(found - all.begin()));
  }
  return numbers;
}

Prepared Study::at(std::span<const double> point) const {
  move_tables(point);
  Prepared here = prepared_;
  here.parameters = parameters_at(point);
  return here;
}

Prepared Study::compiled_anew(const Model& folded, std::span<const double> point) const {
  Varied there{with_inputs_as_parameters(folded), {}};
  for (std::size_t k = 0; k < varied_.parameters.size(); ++k)
    for (Parameter& parameter : there.model.parameters)
      if (parameter.name == varied_.parameters[k]) parameter.formula = number_formula(parameter.value = point[k]);
  for (const VariedTable& table : varied_.tables) there.model.tables[table.name()] = table.table_at(point);
  return compile(observed_model(there, formulas_));
}

bool Study::degenerates_at(const Model& folded, std::span<const double> point) const {
  if (required_.has_otherwise(span_of(parameters_at(point)))) return true;
  Prepared here = at(point);
  if (has_equations(here)) return false;
  Prepared other = compiled_anew(folded, point);
  return has_equations(other);
}

bool mean_the_same(Prepared free, const Prepared& folded) {
  if (!same_size(*free.system, *folded.system) || !same_options(free.options, folded.options)) return false;
  SystemEvaluator of_free(free.system), of_folded(folded.system);
  assemble_start(free, of_free);  // as near as it comes, if the loops do not close there
  const std::vector<double> numbers = equations_at(of_free, free.start);
  const bool as_many = folded.system->layout().nw == free.system->layout().nw;
  return (as_many && same(numbers, equations_at(of_folded, free.start))) ||
         same(numbers, equations_at(of_folded, state_for(*folded.system, free.start)));
}

std::string Study::differs_from(const Model& folded, std::span<const double> point) const {
  if (mean_the_same(at(point), compiled_anew(folded, point))) return {};
  return fmt::format(
      "cannot be varied inside the compiled model: {}; it changes more than numbers in the equations (a number of "
      "parts, an end time, an axis). Run the model once per value instead",
      fmt::join(varied_.parameters, ", "));
}

StudyRun::StudyRun(const Study& study, const Classes* classes, const StopFlag& stop)
    : study_(study),
      classes_(classes),
      stop_(stop),
      prepared_(study.prepared()),
      assembler_(study.prepared().system),
      watcher_(*this, study),
      evaluator_(study.evaluator()),
      bounds_(study.formulas().functionals().size()) {}

MotionStatus StudyRun::run(std::span<const double> point) {
  if (study_.rows()) return run_by_rows(point);
  if (!prepare(point)) return MotionStatus::no_start;
  return conclude(follow(prepared_, watcher_, [this](double, long) { return !stop_ && !interrupted(); }));
}

MotionStatus StudyRun::run_by_rows(std::span<const double> point) {
  point_.assign(point.begin(), point.end());
  MotionByRows motion = study_.rows()(point, stop_);
  sentence_ = std::move(motion.sentence);
  findings_ = std::move(motion.findings);
  if (motion.status != MotionStatus::finished) return motion.status;
  functionals_ = std::move(motion.functionals);
  return evaluate();
}

bool StudyRun::prepare(std::span<const double> point) {
  point_.assign(point.begin(), point.end());
  class_ = -1;
  findings_.clear();
  prepared_.parameters = study_.parameters_at(point);
  study_.move_tables(point);
  prepared_.failure.clear();
  prepared_.notes.clear(), prepared_.remarks.clear();
  if (sentence_ = study_.violation(point); !sentence_.empty()) return false;
  assemble_start(prepared_, assembler_, study_.known_positions());
  sentence_ = prepared_.failure;
  watcher_.set_motion(prepared_);
  return sentence_.empty();
}

MotionStatus StudyRun::conclude(const Outcome& outcome) {
  sentence_ = outcome.sentence;
  findings_ = outcome.findings;
  t_ = watcher_.t();
  if (outcome.status == RunStatus::stopped) return MotionStatus::stopped;
  if (outcome.status == RunStatus::failed) return MotionStatus::failed;
  functionals_ = watcher_.functionals_at_end();
  return evaluate();
}

MotionStatus StudyRun::take(std::span<const double> point, int motion_class, double t,
                            std::span<const double> functionals) {
  point_.assign(point.begin(), point.end());
  sentence_.clear(), findings_ = study_.prepared().findings;
  class_ = motion_class, t_ = t;
  functionals_.values.assign(functionals.begin(), functionals.end());
  functionals_.undefined_at.assign(functionals.size(), t), functionals_.unresolved.clear();
  return evaluate();
}

bool StudyRun::decide() {
  if (!classes_) return false;
  for (std::size_t k = 0; k < bounds_.size(); ++k) bounds_[k] = watcher_.bounds(static_cast<int>(k));
  class_ = classes_->decided(bounds_, point_).value_or(-1);
  return class_ >= 0;
}

// Numbers without a value are warned of. A motion whose class depends on one has failed: it belongs to none.
MotionStatus StudyRun::evaluate() {
  values_ = evaluator_(functionals_.values, point_);
  if (!classes_) add_undefined(study_.formulas(), values_, functionals_, findings_);
  if (!classes_ || class_ >= 0) return MotionStatus::finished;
  class_ = classes_->of(values_);
  if (class_ >= 0) return MotionStatus::finished;
  sentence_ =
      fmt::format("the motion belongs to no class: {}",
                  undefined_finding(study_.formulas(), classes_->undefined_condition(values_), functionals_).sentence);
  return MotionStatus::failed;
}

}  // namespace armature::internal
