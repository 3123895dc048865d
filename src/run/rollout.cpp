#include "run/rollout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "expression/interruption.hpp"
#include "integrate/tableau.hpp"
#include "model/findings.hpp"
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

std::string why_step_failed(step::StepStatus status, double t) {
  const char* why = status == step::StepStatus::projection_failed
                        ? "the state does not come back to its constraints"
                        : "a number of the state or of its accelerations is not finite";
  return fmt::format("the step at t = {:.6g} s failed: {}", t, why);
}

void give(const RolloutArrays& arrays, long motion, Findings findings) {
  if (arrays.findings) arrays.findings[motion] = std::move(findings);
}

// Of a motion whose steps all went well: what they make is not to be trusted where anything is found.
void give_checked(const RolloutArrays& arrays, long motion, std::vector<Finding> findings) {
  if (!findings.empty()) arrays.failed[motion] = arrays.steps;
  give(arrays, motion, std::move(findings));
}

void take_state(const double* from, const std::vector<int>& states, Eigen::VectorXd& x) {
  for (const int i : states) x[i] = *from++;
}

}  // namespace

void prepare_for_rollout(Prepared& prepared, const std::string& integrator, double step) {
  prepared.options.integrator = integrator, prepared.options.step = step, prepared.options.open_ended = true;
}

std::vector<int> rollout_states(const Equations& equations) {
  std::vector<int> states;
  const int moving = static_cast<int>(equations.q.size() + equations.v.size());
  for (int i = 0; i < moving + static_cast<int>(equations.others.size()); ++i)
    if (i < moving || !equations.others[static_cast<std::size_t>(i - moving)].in_ledger()) states.push_back(i);
  return states;
}

struct Rollout::Lanes {
  const Prepared& prepared;
  const std::vector<int>& states;
  RolloutChecks& checks;
  const int size;  // of x
  const bool follows_steps;
  LaneDynamics dynamics;
  std::array<std::unique_ptr<Dynamics>, lane_count> own;
  std::array<State, lane_count> state;
  std::vector<LaneRow> memory;
  step::FixedStep<lane_count> steps;
  Eigen::VectorXd parameters;

  Lanes(const Prepared& given, const std::vector<int>& kept, RolloutChecks& judged_by)
      : prepared(given),
        states(kept),
        checks(judged_by),
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

  int width() const { return static_cast<int>(states.size()); }

  const State& take_now(int k) {
    State& now = state[static_cast<std::size_t>(k)];
    now.t = steps.t()[k];
    for (int e = 0; e < size; ++e) now.x[e] = steps.x()[e][k];
    return now;
  }

  void set_inputs(int k, const double* inputs, bool checked) {
    parameters = Eigen::Map<const Eigen::VectorXd>(inputs, parameters.size());
    if (checked && checks.stores_inputs()) {
      const double* before = at(k).evaluator().inputs() + prepared.system->layout().p();
      checks.change_inputs(k, take_now(k), Eigen::Map<const Eigen::VectorXd>(before, parameters.size()), parameters);
    }
    at(k).evaluator().set_parameters(parameters);
    dynamics.hold(k);
  }

  void begin(int k, long motion, const RolloutArrays& arrays) {
    State& start = state[static_cast<std::size_t>(k)];
    start = prepared.start;
    start.t = arrays.t;
    take_state(arrays.states + motion * width(), states, start.x);
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
    const bool checked = arrays.findings != nullptr;
    if (checked) checks.begin(running, dynamics.system(), steps.t(), steps.x());
    for (long step = 0; step < arrays.steps && running; ++step) {
      if (step % steps_between_questions == 0 && interrupted()) throw Interrupted();
      if (arrays.inputs_change && step > 0)
        for_each_lane(running,
                      [&](int k) { set_inputs(k, inputs_of(arrays, motion(k), step, parameters.size()), checked); });
      const step::Tried<lane_count> tried = steps.attempt(dynamics, running, never);
      for_each_lane(tried.failed, [&](int k) {
        fail_from(arrays, motion(k), step, width());
        if (checked)
          give(arrays, motion(k),
               {finding<FindingCode::failed>("why"_a = why_step_failed(steps.status(k), steps.t()[k]))});
      });
      running &= ~tried.failed;
      if (follows_steps && running) follow_step(running);
      if (checked && running && (step::is_checked(step + 1) || step + 1 == arrays.steps))
        checks.look(running, dynamics.system(), steps.t(), steps.x());
      if (arrays.every > 0 ? (step + 1) % arrays.every == 0 : step + 1 == arrays.steps)
        keep(running, motions, step, arrays);
    }
    if (checked)
      for_each_lane(running, [&](int k) { give_checked(arrays, motion(k), checks.findings(k, take_now(k))); });
  }

  void keep(LaneMask lanes, std::span<const long> motions, long step, const RolloutArrays& arrays) {
    for_each_lane(lanes, [&](int k) {
      double* x = place_of_step(arrays, motions[static_cast<std::size_t>(k)], step, width());
      for (const int e : states) *x++ = steps.x()[e][k];
    });
  }
};

Rollout::Rollout(const Prepared& prepared)
    : prepared_(prepared),
      states_(rollout_states(prepared.system->equations())),
      checks_(std::make_unique<RolloutChecks>(prepared)) {
  if (lanes_can_run(prepared))
    lanes_ = std::make_unique<Lanes>(prepared, states_, *checks_);
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

void Rollout::set_inputs(const RolloutArrays& arrays, long motion, long step) {
  const Eigen::Index count = prepared_.parameters.size();
  const Eigen::VectorXd before = alone_->parameters();
  const double* inputs = arrays.inputs ? inputs_of(arrays, motion, step, count) : prepared_.parameters.data();
  for (int i = 0; i < count; ++i) alone_->set_parameter(i, inputs[i]);
  if (step > 0 && arrays.findings && checks_->stores_inputs())
    checks_->change_inputs(0, alone_->state(), before, alone_->parameters());
}

void Rollout::run_alone(long motion, const RolloutArrays& arrays) {
  const int size = static_cast<int>(states_.size());
  State start = prepared_.start;
  start.t = arrays.t;
  take_state(arrays.states + motion * size, states_, start.x);
  alone_->set_state(start);
  arrays.failed[motion] = -1;
  const bool checked = arrays.findings != nullptr;
  for (long step = 0; step < arrays.steps; ++step) {
    set_inputs(arrays, motion, step);
    if (checked && step == 0) checks_->begin(alone_->state(), alone_->parameters());
    if (!alone_->advance(arrays.t + static_cast<double>(step + 1) * prepared_.options.step)) {
      give(arrays, motion, {finding<FindingCode::failed>("why"_a = alone_->outcome()->sentence)});
      return fail_from(arrays, motion, step, size);
    }
    if (checked && (step::is_checked(step + 1) || step + 1 == arrays.steps))
      checks_->look(alone_->state(), alone_->parameters());
    if (double* x = place_of_step(arrays, motion, step, size))
      for (const int i : states_) *x++ = alone_->state().x[i];
  }
  if (!checked) return;
  give_checked(arrays, motion, checks_->findings(0, alone_->state()));
  append(alone_->laws_met(), arrays.findings[motion]);
}

}  // namespace armature::internal
