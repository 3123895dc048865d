#include "run/motion_lanes.hpp"

#include <algorithm>

#include "integrate/tableau.hpp"
#include "prepare/setup.hpp"
#include "step/advance.hpp"
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
  const step::Tried<lane_count> tried = step::advance<lane_count>(*this, running_);
  for_each_lane(tried.failed, [&](int k) { end(k, at(k).run->fail(integrator_->failure(k)), done); });
  for_each_lane(tried.stepped, [&](int k) {
    if (const std::optional<Outcome> outcome = at(k).run->conclude(progress)) end(k, *outcome, done);
  });
}

void MotionLanes::end(int k, const Outcome& outcome, const Done& done) {
  running_ &= ~(1u << k);
  done(k, outcome);
}

// ---- the phases of a step

// Each lane towards its own stop.
step::Tried<lane_count> MotionLanes::attempt(LaneMask lanes) {
  LaneRow t_stop{};
  for_each_lane(lanes, [&](int k) {
    t_stop[k] = motion(k).stop();
    if (has(anew_, k) || !dynamics_.plain(k)) dynamics_.hold(k);
  });
  anew_ = 0;
  return integrator_->attempt(lanes, t_stop);
}

LaneMask MotionLanes::show_all(LaneMask lanes) {
  return step::those<lane_count>(lanes, [&](int k) { return motion(k).show_all(true); });
}

LaneMask MotionLanes::find_changes(LaneMask lanes) {
  const LaneMask looking =
      step::those<lane_count>(lanes, [&](int k) { return motion(k).changes().locates_comparisons(); });
  if (looking) roots_.evaluate(looking);
  for_each_lane(lanes, [&](int k) {
    RunChanges& changes = motion(k).changes();
    motion(k).last().change =
        changes.find(has(looking, k) ? roots_.find_change(k, changes.comparisons()) : std::nullopt);
  });
  return lanes;
}

double MotionLanes::end_seen(int k) { return motion(k).last().change.before(integrator_->lane(k).t()); }

// Without event location every sample has outcomes of its own, and so has one at which a comparison slides that is seen: those lanes are watched alone.
LaneMask MotionLanes::watch(LaneMask lanes) {
  LaneMask together = 0;
  for_each_lane(lanes, [&](int k) {
    if (!at(k).dynamics->comparisons().follows_roots() && !slide(compared_, motion(k).state()))
      together |= 1u << k;
    else
      motion(k).watch(true);
  });
  if (!together) return lanes;
  // sample times of every lane
  std::array<LaneRow, SamplingWatcher::samples> t;
  t.fill(integrator_->t());
  int first = SamplingWatcher::samples - 1;
  for_each_lane(together, [&](int k) {
    std::array<double, SamplingWatcher::samples> times;
    at(k).watcher->sample_times(end_seen(k), times.data());
    for (std::size_t j = 0; j < times.size(); ++j) t[j][k] = times[j];
    first = std::min(first, at(k).watcher->first_sample());
    if (!dynamics_.plain(k)) dynamics_.hold(k);
  });
  // observed values of all lanes, sample by sample
  for (auto j = static_cast<std::size_t>(first); j < t.size(); ++j) {
    integrator_->interpolate(together, t[j], x_.data());
    dynamics_.system().set(t[j], x_.data());
    std::copy_n(dynamics_.system().run(observed_), outputs_, seen_.data() + static_cast<int>(j) * outputs_);
  }
  // to each watcher its own
  for_each_lane(together, [&](int k) {
    for (std::size_t i = 0; i < seen_.size(); ++i) one_[i] = seen_[i][k];
    motion(k).last().enough = !at(k).watcher->step_sampled(integrator_->lane(k), end_seen(k), one_.data());
  });
  return lanes;
}

LaneMask MotionLanes::move(LaneMask lanes) {
  for_each_lane(lanes, [&](int k) { motion(k).move(true); });
  return lanes;
}

LaneMask MotionLanes::follow(LaneMask lanes) {
  const LaneMask following = step::those<lane_count>(lanes, [&](int k) { return motion(k).follows_steps(); });
  if (!following) return lanes;
  LaneRow t{};
  for_each_lane(following, [&](int k) {
    const State& state = motion(k).state();
    t[k] = state.t;
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i][k] = state.x[static_cast<Eigen::Index>(i)];
  });
  dynamics_.system().set(t, x_.data());
  const LaneRow* values = dynamics_.system().discrete();
  for_each_lane(following, [&](int k) { motion(k).take_followed([&](int i) { return values[i][k]; }); });
  const auto& discrete = dynamics_.system().system().equations().discrete;
  for (std::size_t i = 0; i < discrete.size(); ++i)
    if (discrete[i].follows_steps()) step::copy(following, 1, values + i, dynamics_.system().discrete_values() + i);
  return lanes;
}

LaneMask MotionLanes::settle(LaneMask lanes) {
  for_each_lane(lanes, [&](int k) {
    motion(k).settle(true);
    if (motion(k).last().anew) anew_ |= 1u << k;
  });
  return lanes;
}

}  // namespace armature::internal
