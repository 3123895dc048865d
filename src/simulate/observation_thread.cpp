#include "simulate/observation_thread.hpp"

#include <algorithm>
#include <iterator>

#include "record/usable_cores.hpp"
#include "simulate/setup.hpp"

namespace armature {

namespace {

constexpr BlockThread::Sizes blocks{.some = 1 << 12, .many = 1 << 16, .interval = 0.1};

}  // namespace

// Comparisons that are taken as they come start from those of the last evaluation; a partition is chosen at one.
bool ObservationThread::possible(const Prepared& prepared, const Dynamics& run, const Integrator& integrator) {
  return usable_cores() > 1 && !run.follows_roots() && prepared.options.formulation != "partition" &&
         integrator.stored_steps();
}

ObservationThread::ObservationThread(const Prepared& prepared, Dynamics& run, const Integrator& integrator,
                                     const State& state, Recorder& recorder, Observation::Lists lists)
    : prepared_(prepared),
      run_(run),
      integrator_(integrator),
      now_(state),
      make_step_(integrator.stored_steps()),
      recorder_(recorder),
      lists_(lists),
      project_stages_(run.projects_stages()),
      projection_(prepared.options.projection ? run.begin_projection(state.t, state.x.data()) : ProjectionBeginning{}),
      state_(state),
      thread_(blocks, [this](const std::vector<double>& numbers) { work_through(numbers); }) {
  thread_.block().push_back(0);  // the start: the thread gets ready while the run goes on
  thread_.hand_over();
}

void ObservationThread::add(double until, double pivot, bool anew) {
  std::vector<double>& numbers = thread_.block();
  const auto add = [&](const Eigen::VectorXd& values) {
    numbers.insert(numbers.end(), values.data(), values.data() + values.size());
  };
  const double head[] = {until, pivot, anew ? 1.0 : 0.0};
  numbers.insert(numbers.end(), std::begin(head), std::end(head));
  add(now_.d);
  add(run_.weights());
  for (const ModeStatus mode : now_.mode) numbers.push_back(static_cast<double>(mode));
  integrator_.store(numbers);
  thread_.added();
}

void ObservationThread::work_through(const std::vector<double>& numbers) {
  const double *at = numbers.data(), *end = at + numbers.size();
  if (!observation_) begin(), ++at;
  while (at < end) at = take(at);
}

void ObservationThread::begin() {
  dynamics_ = make_dynamics(prepared_);
  dynamics_->project_stages(project_stages_);
  if (projection_.row_size > 0) dynamics_->begin_projection_as(projection_);
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
  for (ModeStatus& mode : state_.mode) mode = static_cast<ModeStatus>(*numbers++);
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
  if (const int rank = dynamics_->statistics().smallest_rank; rank >= 0)
    outcome.statistics.smallest_rank = std::min(outcome.statistics.smallest_rank, rank);
  observation_->report(outcome);
}

}  // namespace armature
