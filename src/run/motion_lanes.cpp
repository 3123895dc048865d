#include "run/motion_lanes.hpp"

#include <algorithm>

#include "integrate/tableau.hpp"
#include "prepare/setup.hpp"
#include "system/outcomes_read.hpp"

namespace armature::internal {

bool MotionLanes::possible(const Prepared& prepared) {
  return LaneDynamics::possible(*prepared.system) && prepared.options.formulation == "auto" &&
         find_tableau(prepared.options.integrator);
}

MotionLanes::MotionLanes(const Prepared& prepared, std::shared_ptr<const Program> observed)
    : dynamics_(prepared.system),
      terms_(std::make_shared<const WatchedTerms>(*prepared.system)),
      integrator_(
          make_lane_integrator(prepared.options.integrator, dynamics_, integrator_options(prepared.options), true)),
      roots_(dynamics_, *integrator_),
      observed_(std::move(observed), lane_count),
      outputs_(observed_.program().output_count()),
      compared_(outcomes_read(observed_.program(), prepared.system->layout())) {
  const Layout& n = prepared.system->layout();
  if (n.nw == 0 && prepared.system->equations().contacts.empty()) integrator_->make_dense_late();
  x_.resize(static_cast<std::size_t>(n.nx()));
  seen_.resize(static_cast<std::size_t>(SamplingWatcher::samples * outputs_));
  one_.resize(seen_.size());
}

MotionLanes::~MotionLanes() = default;

void MotionLanes::begin(int k, const Prepared& prepared, SamplingWatcher& watcher) {
  Lane& lane = at(k);
  lane.run.reset();
  lane.dynamics = make_dynamics(prepared);
  lane.watcher = &watcher;
  dynamics_.set_lane(k, *lane.dynamics);
  integrator_->set_atol(k, prepared.options.atol);
  integrator_->begin(k);
  lane.run.emplace(prepared, watcher, *lane.dynamics, integrator_->lane(k), nullptr, Warn(), terms_);
  lane.run->begin();
  running_ |= 1u << k;
  anew_ |= 1u << k;
}

void MotionLanes::advance(const Progress& progress, const Done& done) {
  for_each_lane(running_, [&](int k) {
    if (const std::optional<Outcome> outcome = at(k).run->end_if_broken()) end(k, *outcome, done);
  });
  if (!running_) return;
  // one attempt of all lanes, each towards its own stop
  LaneRow t_stop{};
  for_each_lane(running_, [&](int k) {
    t_stop[k] = at(k).run->stop();
    if (has(anew_, k) || !dynamics_.plain(k)) dynamics_.hold(k);
  });
  anew_ = 0;
  LaneIntegrator::Tried tried = integrator_->attempt(running_, t_stop);
  for_each_lane(tried.stepped, [&](int k) {
    if (at(k).run->begins_again()) tried.stepped &= ~(1u << k);
  });
  // where each step ends: at its end, or at the first comparison that changes
  find_changes(tried.stepped);
  watch(tried.stepped);
  for_each_lane(tried.stepped, [&](int k) { at(k).run->move_to(at(k).change); });
  follow_step(tried.stepped);
  // motions that failed are over; the others take up their new outcomes
  for_each_lane(tried.failed, [&](int k) { end(k, at(k).run->fail(integrator_->failure(k)), done); });
  for_each_lane(tried.stepped, [&](int k) {
    if (at(k).run->settle(at(k).change)) anew_ |= 1u << k;
    if (const std::optional<Outcome> outcome = at(k).run->conclude(progress)) end(k, *outcome, done);
  });
}

void MotionLanes::end(int k, const Outcome& outcome, const Done& done) {
  running_ &= ~(1u << k);
  done(k, outcome);
}

void MotionLanes::find_changes(LaneMask lanes) {
  LaneMask looking = 0;
  for_each_lane(lanes, [&](int k) {
    at(k).change.reset();
    if (at(k).run->looks_for_changes()) looking |= 1u << k;
  });
  if (looking) {
    roots_.evaluate(looking);
    for_each_lane(looking, [&](int k) { at(k).change = roots_.find_change(k, at(k).run->comparisons()); });
  }
  for_each_lane(lanes, [&](int k) { at(k).change = at(k).run->contact_before(at(k).change); });
}

// Without event location every sample has outcomes of its own, and so has one at which a comparison slides that is seen: those lanes are watched alone.
void MotionLanes::watch(LaneMask lanes) {
  LaneMask alone = 0;
  for_each_lane(lanes, [&](int k) {
    if (!at(k).dynamics->comparisons().follows_roots() && !slide(compared_, at(k).run->state())) return;
    alone |= 1u << k;
    const Integrator& integrator = integrator_->lane(k);
    at(k).run->watched(!at(k).watcher->step(integrator, at(k).change.value_or(integrator.t())));
  });
  lanes &= ~alone;
  if (!lanes) return;
  // sample times of every lane
  std::array<LaneRow, SamplingWatcher::samples> t;
  t.fill(integrator_->t());
  int first = SamplingWatcher::samples - 1;
  for_each_lane(lanes, [&](int k) {
    std::array<double, SamplingWatcher::samples> times;
    at(k).watcher->sample_times(at(k).change.value_or(integrator_->lane(k).t()), times.data());
    for (std::size_t j = 0; j < times.size(); ++j) t[j][k] = times[j];
    first = std::min(first, at(k).watcher->first_sample());
    if (!dynamics_.plain(k)) dynamics_.hold(k);
  });
  // observed values of all lanes, sample by sample
  for (auto j = static_cast<std::size_t>(first); j < t.size(); ++j) {
    integrator_->interpolate(lanes, t[j], x_.data());
    dynamics_.system().set(t[j], x_.data());
    std::copy_n(dynamics_.system().run(observed_), outputs_, seen_.data() + static_cast<int>(j) * outputs_);
  }
  // to each watcher its own
  for_each_lane(lanes, [&](int k) {
    for (std::size_t i = 0; i < seen_.size(); ++i) one_[i] = seen_[i][k];
    Integrator& integrator = integrator_->lane(k);
    at(k).run->watched(!at(k).watcher->step_sampled(integrator, at(k).change.value_or(integrator.t()), one_.data()));
  });
}

void MotionLanes::follow_step(LaneMask lanes) {
  for_each_lane(lanes, [&](int k) {
    if (!at(k).run->follows_steps()) lanes &= ~(1u << k);
  });
  if (!lanes) return;
  LaneRow t{};
  for_each_lane(lanes, [&](int k) {
    const State& state = at(k).run->state();
    t[k] = state.t;
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i][k] = state.x[static_cast<Eigen::Index>(i)];
  });
  dynamics_.system().set(t, x_.data());
  const LaneRow* values = dynamics_.system().discrete();
  for_each_lane(lanes, [&](int k) { at(k).run->take_followed([&](int i) { return values[i][k]; }); });
  const auto& discrete = dynamics_.system().system().equations().discrete;
  for (std::size_t i = 0; i < discrete.size(); ++i)
    if (discrete[i].follows_steps()) step::copy(lanes, 1, values + i, dynamics_.system().discrete_values() + i);
}

}  // namespace armature::internal
