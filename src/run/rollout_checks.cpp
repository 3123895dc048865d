#include "run/rollout_checks.hpp"

#include "expression/derivative.hpp"
#include "run/judgement.hpp"

namespace armature::internal {

namespace {

bool depends_on_inputs(const Equations& e) {
  for (const Expression stored : {e.kinetic, e.potential, e.magnetic})
    for (const Expression p : e.p)
      if (depends_on(stored, p)) return true;
  return false;
}

}  // namespace

RolloutChecks::RolloutChecks(const Prepared& prepared)
    : prepared_(prepared),
      looks_at_gaps_(prepared.system->layout().m > 0 && !prepared.options.projection),
      stores_inputs_(depends_on_inputs(prepared.system->equations())),
      none_(*prepared.system, true),
      balance_(lane_count, none_),
      evaluator_(prepared.system),
      terms_(evaluator_.make_sparse_terms()),
      state_(prepared.start),
      parameters_(prepared.parameters),
      noise_(prepared) {
  const Equations& e = prepared.system->equations();
  const auto program = prepared.system->make_program({e.kinetic, e.potential, e.magnetic});
  lanes_ = Evaluator(program, lane_count), alone_ = Evaluator(program);
  together_ = prepared.system->layout().nw == 0 && !looks_at_gaps_;
}

void RolloutChecks::look(LaneMask lanes, SystemLanes& system, const LaneRow& t, const LaneRow* x, bool begins) {
  if (!none_.possible() && !looks_at_gaps_) return;
  const LaneRow* energies = nullptr;
  if (together_) {
    system.set(t, x);
    energies = system.run(lanes_);
  }
  step::for_each<lane_count>(lanes, [&](int k) {
    state_.t = t[k];
    for (Eigen::Index i = 0; i < state_.x.size(); ++i) state_.x[i] = x[i][k];
    if (energies) return take(k, {energies[0][k], energies[1][k], energies[2][k]}, state_.x, begins);
    for (Eigen::Index i = 0; i < state_.d.size(); ++i) state_.d[i] = system.discrete_values()[i][k];
    for (Eigen::Index i = 0; i < parameters_.size(); ++i) parameters_[i] = system.parameters()[i][k];
    look(k, state_, parameters_, begins);
  });
}

void RolloutChecks::look(int k, const State& state, const Eigen::VectorXd& parameters, bool begins) {
  if (!none_.possible() && !looks_at_gaps_) return;
  take(k, energies(state, parameters), state.x, begins);
  if (!looks_at_gaps_) return;
  std::optional<ConstraintGaps>& gaps = gaps_[static_cast<std::size_t>(k)];
  if (begins) gaps.emplace(prepared_.system->equations());
  evaluator_.motion(terms_);
  gaps->look(state.t, state.x.data(), terms_);
}

// Outcomes of comparisons are those at the state, as in every stage.
RolloutChecks::Energies RolloutChecks::energies(const State& state, const Eigen::VectorXd& parameters) {
  Energies energies;
  evaluator_.set_parameters(parameters);
  evaluator_.set(state);
  if (state_.w.size() > 0) evaluator_.take_outcomes(state_.w);
  alone_(evaluator_.inputs(), energies.data());
  return energies;
}

void RolloutChecks::take(int k, const Energies& energies, const Eigen::VectorXd& x, bool begins) {
  EnergyBalance& balance = balance_[static_cast<std::size_t>(k)];
  stored_.kinetic = energies[0], stored_.potential = energies[1], stored_.magnetic = energies[2];
  if (begins) balance = none_, balance.begin(stored_, x);
  if (none_.possible()) balance.look(stored_, x);
}

void RolloutChecks::change_inputs(int k, const State& state, const Eigen::VectorXd& before,
                                  const Eigen::VectorXd& after) {
  const auto sum = [&](const Eigen::VectorXd& parameters) {
    const Energies stored = energies(state, parameters);
    return stored[0] + stored[1] + stored[2];
  };
  if (before != after) balance_[static_cast<std::size_t>(k)].receive(sum(after) - sum(before));
}

Findings RolloutChecks::findings(int k, const State& last) {
  Outcome outcome;
  const EnergyBalance& balance = balance_[static_cast<std::size_t>(k)];
  if (none_.possible()) {
    outcome.statistics.energy_error = balance.largest_error(), outcome.statistics.energy_size = balance.size();
    outcome.statistics.stabilization_work = balance.largest_stabilization();
  }
  if (const auto& gaps = gaps_[static_cast<std::size_t>(k)]) outcome.statistics.gap = gaps->worst();
  outcome.last = last;
  judge(prepared_, false, outcome, noise_);
  return std::move(outcome.findings);
}

}  // namespace armature::internal
