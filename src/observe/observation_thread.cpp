#include "observe/observation_thread.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "expression/interruption.hpp"
#include "prepare/setup.hpp"
#include "record/usable_cores.hpp"

namespace armature::internal {

namespace {

constexpr BlockThread::Sizes blocks{.some = 1 << 12, .many = 1 << 16, .interval = 0.1};

std::unique_ptr<Dynamics> compiled(const Prepared& prepared) {
  const Abandonable work;
  return make_dynamics(prepared);
}

}  // namespace

// Comparisons without event location start from those of the last evaluation; a partition is chosen at one.
bool ObservationThread::possible(const Prepared& prepared) {
  const RunOptions& options = prepared.options;
  const bool follows_roots = takes_fixed_steps(options.integrator) && prepared.system->layout().nw > 0;
  return usable_cores() > 1 && !follows_roots && options.formulation != "partition";
}

ObservationThread::ObservationThread(const Prepared& prepared, Recorder& recorder, Observation::Lists lists)
    : prepared_(prepared),
      recorder_(recorder),
      lists_(lists),
      stop_(Interruption::current()),
      thread_(blocks, [this](const std::vector<double>& numbers) { work_through(numbers); }) {
  thread_.block().push_back(0);
  thread_.hand_over();
}

void ObservationThread::begin(Dynamics& run, const Integrator& integrator, const State& state) {
  run_ = &run, integrator_ = &integrator, now_ = &state;
  state_ = state;
  make_step_ = integrator.stored_steps();
  assert(make_step_);
  project_stages_ = run.engine().projects_stages();
  if (prepared_.options.projection) projection_ = run.engine().begin_projection(state.t, state.x.data());
  thread_.block().push_back(0);
  thread_.hand_over();
}

void ObservationThread::add(double until, double pivot, bool anew) {
  std::vector<double>& numbers = thread_.block();
  const std::size_t before = numbers.size();
  try {
    append(numbers, until, pivot, anew);
  } catch (...) {  // no part of a step may be worked through
    numbers.resize(before);
    throw;
  }
  thread_.added();
}

void ObservationThread::append(std::vector<double>& numbers, double until, double pivot, bool anew) const {
  const auto add = [&](const Eigen::VectorXd& values) {
    numbers.insert(numbers.end(), values.data(), values.data() + values.size());
  };
  const double head[] = {until, pivot, anew ? 1.0 : 0.0};
  numbers.insert(numbers.end(), std::begin(head), std::end(head));
  add(now_->d);
  add(run_->weights());
  for (const ComparisonStatus status : now_->comparisons) numbers.push_back(static_cast<double>(status));
  integrator_->store(numbers);
}

void ObservationThread::work_through(const std::vector<double>& numbers) {
  const Interruption interruption(stop_);
  const double *at = numbers.data(), *end = at + numbers.size();
  if (!dynamics_) dynamics_ = compiled(prepared_), ++at;
  if (!observation_ && at < end) begin_observation(), ++at;
  while (at < end && !(observation_ && observation_->gives_up())) at = take(at);
}

void ObservationThread::begin_observation() {
  dynamics_->engine().project_stages(project_stages_);
  if (projection_.size.known()) dynamics_->begin_projection_as(projection_);
  step_ = make_step_(*dynamics_);
  dynamics_->set_state(state_);
  observation_.emplace(prepared_, *dynamics_, recorder_, lists_);
  observation_->begin(state_);
}

const double* ObservationThread::take(const double* numbers) {
  const double until = numbers[0], pivot = numbers[1];
  const bool anew = numbers[2] != 0;
  numbers += 3;
  const auto take = [&](Eigen::VectorXd& values) {
    std::copy_n(numbers, values.size(), values.data());
    numbers += values.size();
  };
  take(state_.d);
  take(state_.w);
  for (ComparisonStatus& status : state_.comparisons) status = static_cast<ComparisonStatus>(*numbers++);
  dynamics_->set_state(state_);
  numbers = step_->load(numbers);
  observation_->see(*step_, until, pivot, anew);
  return numbers;
}

void ObservationThread::finish(Outcome& outcome) {
  thread_.finish();
  if (!observation_) return;
  outcome.statistics.integrator.evaluations += step_->evaluations();
  outcome.statistics.near_singular += dynamics_->statistics().near_singular;
  outcome.statistics.take_rank(dynamics_->statistics().smallest_rank);
  observation_->report(outcome);
}

}  // namespace armature::internal
