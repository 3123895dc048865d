#include "tuning/tuning_lanes.hpp"

#include <algorithm>

#include "dynamics/formulation.hpp"
#include "expression/interruption.hpp"
#include "integrate/integrator.hpp"

namespace armature::internal {

namespace {

std::unique_ptr<LaneIntegrator> fixed_step_lanes(const RunOptions& run, LaneDynamics& dynamics) {
  IntegratorOptions options;
  options.step = run.step;
  return make_fixed_step_lanes(run.integrator, dynamics, options, false);
}

}  // namespace

bool TuningLanes::possible(const TuningMachine& machine) {
  const RunOptions& run = machine.prepared.options;
  return LaneDynamics::possible(*machine.prepared.system) && run.formulation == "auto" &&
         method_of(run.integrator).lanes();
}

TuningLanes::TuningLanes(std::shared_ptr<const TuningMachine> machine, double speed_limit)
    : machine_(std::move(machine)),
      measure_(measure_of(*machine_, speed_limit)),
      dynamics_(machine_->prepared.system),
      integrator_(fixed_step_lanes(machine_->prepared.options, dynamics_)),
      program_(machine_->prepared.system->make_program(tuning_outputs(*machine_)), lane_count),
      x_(static_cast<std::size_t>(machine_->prepared.system->layout().nx())),
      outputs_(static_cast<std::size_t>(program_.program().output_count())) {
  for (int k = 0; k < lane_count; ++k) {
    lanes_.push_back({std::make_unique<Dynamics>(machine_->prepared.system,
                                                 FormulationOptions{machine_->prepared.options.formulation},
                                                 Stabilization{0, 0, false, {}}),
                      machine_->prepared.start,
                      {},
                      0});
    at(k).dynamics->follow_roots(true);
  }
}

void TuningLanes::run(const std::vector<double>& alpha, const std::vector<double>& beta, int lanes, CellFeed& feed) {
  alpha_ = &alpha, beta_ = &beta, feed_ = &feed;
  for (int k = 0; k < lanes; ++k) fill(k);
  while (running_ && !interrupted_after(lane_count * machine_->prepared.system->operation_count())) advance();
}

void TuningLanes::fill(int k) {
  for (long index; (index = feed_->next()) >= 0;) {
    const auto columns = static_cast<long>(alpha_->size());
    at(k).index = index;
    begin(k, (*alpha_)[static_cast<std::size_t>(index % columns)], (*beta_)[static_cast<std::size_t>(index / columns)]);
    if (!look(1u << k)) return;
    finish(k, lost_at(at(k).state.t));
  }
}

void TuningLanes::begin(int k, double alpha, double beta) {
  Lane& lane = at(k);
  lane.state = machine_->prepared.start;
  lane.dynamics->set_baumgarte(alpha, beta);
  lane.dynamics->set_state(lane.state);
  dynamics_.set_lane(k, *lane.dynamics);
  integrator_->begin(k);
  integrator_->lane(k).start(lane.state.t, lane.state.x);
  lane.track.begin();
  running_ |= 1u << k;
}

void TuningLanes::advance() {
  const double end = machine_->prepared.options.end;
  LaneRow t_stop;
  for (int k = 0; k < lane_count; ++k) t_stop[k] = end;
  const LaneIntegrator::Tried tried = integrator_->attempt(running_, t_stop);
  for_each_lane(tried.stepped, [&](int k) {
    at(k).state.t = integrator_->lane(k).t();
    at(k).state.x = integrator_->lane(k).x();
  });
  follow_step(tried.stepped);
  const LaneMask lost = tried.failed | look(tried.stepped);
  for_each_lane(running_, [&](int k) {
    const bool ended = !(at(k).state.t < end);
    if (!has(lost, k) && !ended) return;
    finish(k, has(lost, k) ? lost_at(at(k).state.t) : errors_of(*machine_, at(k).track));
    fill(k);
  });
}

void TuningLanes::set_states(LaneMask lanes) {
  for_each_lane(lanes, [&](int k) {
    const State& state = at(k).state;
    t_[k] = state.t;
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i][k] = state.x[static_cast<Eigen::Index>(i)];
  });
  dynamics_.system().set(t_, x_.data());
}

void TuningLanes::follow_step(LaneMask lanes) {
  const auto& discrete = machine_->prepared.system->equations().discrete;
  if (std::ranges::none_of(discrete, &Discrete::follows_steps)) return;
  for_each_lane(lanes, [&](int k) { dynamics_.hold(k); });
  set_states(lanes);
  const LaneRow* values = dynamics_.system().discrete();
  for_each_lane(lanes, [&](int k) {
    for (std::size_t i = 0; i < discrete.size(); ++i)
      if (discrete[i].follows_steps()) at(k).state.d[static_cast<Eigen::Index>(i)] = values[i][k];
    at(k).dynamics->set_state(at(k).state);
  });
}

LaneMask TuningLanes::look(LaneMask lanes) {
  LaneMask lost = 0;
  for_each_lane(lanes, [&](int k) {
    at(k).state.w = at(k).dynamics->weights();
    dynamics_.hold(k);
  });
  set_states(lanes);
  const LaneRow* out = dynamics_.system().run(program_);
  for_each_lane(lanes, [&](int k) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i] = out[i][k];
    const State& state = at(k).state;
    if (!at(k).track.look(measure_, state.t, state.x.data(), outputs_.data(), full_rank(k))) lost |= 1u << k;
  });
  return lost;
}

bool TuningLanes::full_rank(int k) {
  const System& system = *machine_->prepared.system;
  return system.layout().m == 0 || dynamics_.regular(k) ||
         at(k).dynamics->acceleration().rank >= static_cast<int>(system.options().independent_rows.size());
}

void TuningLanes::finish(int k, const TuningErrors& errors) {
  const std::span<double> row = feed_->row(at(k).index);
  row[0] = errors.lost, row[1] = errors.position, row[2] = errors.velocity;
  feed_->finish(at(k).index);
  running_ &= ~(1u << k);
}

}  // namespace armature::internal
