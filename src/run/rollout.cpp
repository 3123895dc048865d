#include "run/rollout.hpp"

#include <algorithm>
#include <limits>

#include "expression/interruption.hpp"
#include "integrate/tableau.hpp"
#include "observe/ledger.hpp"
#include "prepare/setup.hpp"

namespace armature::internal {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr long steps_between_questions = 1024;  // whether the motions are still wanted

// Samples belong to the clock of a single run, and so do impacts.
bool lanes_can_run(const Prepared& prepared) {
  const auto& discrete = prepared.system->equations().discrete;
  return prepared.system->equations().contacts.empty() && LaneDynamics::possible(*prepared.system) &&
         prepared.options.formulation == "auto" &&
         std::ranges::none_of(discrete, [](const Discrete& value) { return value.period != 0; });
}

const double* inputs_of(const RolloutArrays& arrays, long motion, long step, Eigen::Index count) {
  return arrays.inputs + ((arrays.inputs_change ? step * arrays.motions : 0) + motion) * count;
}

// Where the state of a motion is kept after a step; null: it is not.
double* place_of_step(const RolloutArrays& arrays, long motion, long step, int size) {
  if (arrays.every == 0) return step + 1 == arrays.steps ? arrays.kept + motion * size : nullptr;
  if ((step + 1) % arrays.every != 0) return nullptr;
  return arrays.kept + (((step + 1) / arrays.every - 1) * arrays.motions + motion) * size;
}

void fail_from(const RolloutArrays& arrays, long motion, long step, int size) {
  arrays.failed[motion] = step;
  for (; step < arrays.steps; ++step)
    if (double* x = place_of_step(arrays, motion, step, size)) std::fill_n(x, size, no_number);
}

}  // namespace

void prepare_for_rollout(Prepared& prepared, const std::string& integrator, double step) {
  prepared.options.integrator = integrator, prepared.options.step = step, prepared.options.open_ended = true;
  drop_ledger(prepared);
  prepared.options.atol = prepared.options.atol.head(prepared.system->layout().nx()).eval();
}

struct Rollout::Lanes {
  const Prepared& prepared;
  const int size;
  const bool follows_steps;
  LaneDynamics dynamics;
  std::array<std::unique_ptr<Dynamics>, lane_count> own;
  std::array<State, lane_count> state;
  std::vector<LaneRow> memory;
  step::FixedStep<lane_count> steps;
  Eigen::VectorXd parameters;

  explicit Lanes(const Prepared& given)
      : prepared(given),
        size(given.system->layout().nx()),
        follows_steps(std::ranges::any_of(given.system->equations().discrete, &Discrete::follows_steps)),
        dynamics(given.system),
        memory(static_cast<std::size_t>(
            step::FixedStep<lane_count>::memory(*find_tableau(given.options.integrator), size))),
        steps(*find_tableau(given.options.integrator), size, {given.options.step, false, 0}, memory.data()),
        parameters(given.parameters) {
    for (auto& one : own) {
      one = make_dynamics(prepared);
      one->follow_roots(true);
      // what projection measures by is the machine's, not that of the motion that comes first in this lane
      one->engine().begin_projection(prepared.start.t, prepared.start.x.data());
    }
  }

  Dynamics& at(int k) { return *own[static_cast<std::size_t>(k)]; }

  void set_inputs(int k, const double* inputs) {
    parameters = Eigen::Map<const Eigen::VectorXd>(inputs, parameters.size());
    at(k).evaluator().set_parameters(parameters);
    dynamics.hold(k);
  }

  void begin(int k, long motion, const RolloutArrays& arrays) {
    State& start = state[static_cast<std::size_t>(k)];
    start = prepared.start;
    start.t = arrays.t;
    std::copy_n(arrays.states + motion * size, size, start.x.data());
    if (arrays.inputs) {
      parameters =
          Eigen::Map<const Eigen::VectorXd>(inputs_of(arrays, motion, 0, parameters.size()), parameters.size());
      at(k).evaluator().set_parameters(parameters);
    }
    if (follows_steps) {
      at(k).evaluator().set(start);
      at(k).evaluator().next_discrete(start.d);
    }
    at(k).set_state(start);
    dynamics.set_lane(k, at(k));
    steps.begin(k);
    steps.start(k, start.t, start.x.data());
    arrays.failed[motion] = -1;
  }

  // Angles of cut joints are unwrapped after every step.
  void follow_step(LaneMask lanes) {
    dynamics.system().set(steps.t(), steps.x());
    const LaneRow* values = dynamics.system().discrete();
    const auto& discrete = prepared.system->equations().discrete;
    for_each_lane(lanes, [&](int k) {
      State& now = state[static_cast<std::size_t>(k)];
      for (std::size_t i = 0; i < discrete.size(); ++i)
        if (discrete[i].follows_steps()) now.d[static_cast<Eigen::Index>(i)] = values[i][k];
      at(k).set_state(now);
    });
    for_each_lane(lanes, [&](int k) { dynamics.hold(k); });
  }

  void run(std::span<const long> motions, const RolloutArrays& arrays) {
    const auto motion = [&](int k) { return motions[static_cast<std::size_t>(k)]; };
    LaneMask running = 0;
    for (int k = 0; k < static_cast<int>(motions.size()); ++k) begin(k, motion(k), arrays), running |= 1u << k;
    LaneRow never;
    for (int k = 0; k < lane_count; ++k) never[k] = std::numeric_limits<double>::infinity();
    for (long step = 0; step < arrays.steps && running; ++step) {
      if (step % steps_between_questions == 0 && interrupted()) throw Interrupted();
      if (arrays.inputs_change && step > 0)
        for_each_lane(running, [&](int k) { set_inputs(k, inputs_of(arrays, motion(k), step, parameters.size())); });
      const step::Tried<lane_count> tried = steps.attempt(dynamics, running, never);
      for_each_lane(tried.failed, [&](int k) { fail_from(arrays, motion(k), step, size); });
      running &= ~tried.failed;
      if (follows_steps && running) follow_step(running);
      if (arrays.every > 0 ? (step + 1) % arrays.every == 0 : step + 1 == arrays.steps)
        keep(running, motions, step, arrays);
    }
  }

  void keep(LaneMask lanes, std::span<const long> motions, long step, const RolloutArrays& arrays) {
    for_each_lane(lanes, [&](int k) {
      double* x = place_of_step(arrays, motions[static_cast<std::size_t>(k)], step, size);
      for (int e = 0; e < size; ++e) x[e] = steps.x()[e][k];
    });
  }
};

Rollout::Rollout(const Prepared& prepared) : prepared_(prepared) {
  if (lanes_can_run(prepared))
    lanes_ = std::make_unique<Lanes>(prepared);
  else
    alone_ = std::make_unique<PausedRun>(prepared, nullptr);
}

Rollout::~Rollout() = default;

void Rollout::run(long first, const RolloutArrays& arrays, long count) {
  std::array<long, lane_count> motions;
  const auto some = static_cast<std::size_t>(std::min(count, arrays.motions - first));
  for (std::size_t k = 0; k < some; ++k) motions[k] = first + static_cast<long>(k);
  run(std::span<const long>(motions).first(some), arrays);
}

void Rollout::run(std::span<const long> motions, const RolloutArrays& arrays) {
  if (lanes_) return lanes_->run(motions, arrays);
  for (const long motion : motions) run_alone(motion, arrays);
}

void Rollout::run_alone(long motion, const RolloutArrays& arrays) {
  const int size = prepared_.system->layout().nx();
  const Eigen::Index count = prepared_.parameters.size();
  State start = prepared_.start;
  start.t = arrays.t;
  std::copy_n(arrays.states + motion * size, size, start.x.data());
  alone_->set_state(start);
  arrays.failed[motion] = -1;
  for (long step = 0; step < arrays.steps; ++step) {
    const double* inputs = arrays.inputs ? inputs_of(arrays, motion, step, count) : prepared_.parameters.data();
    for (int i = 0; i < count; ++i) alone_->set_parameter(i, inputs[i]);
    if (!alone_->advance(arrays.t + static_cast<double>(step + 1) * prepared_.options.step))
      return fail_from(arrays, motion, step, size);
    if (double* x = place_of_step(arrays, motion, step, size)) std::copy_n(alone_->state().x.data(), size, x);
  }
}

}  // namespace armature::internal
