// What a run measures at its rows to judge itself (judgement.hpp), measured in the motions of a rollout: the balance of energy, and the gaps of
// constraints that nothing projects onto; at the start, after some steps (step/checked_steps.hpp), and at the end.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "dynamics/lane_dynamics.hpp"
#include "observe/constraint_gaps.hpp"
#include "observe/energy_balance.hpp"
#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"
#include "run/energy_noise.hpp"
#include "step/checked_steps.hpp"

namespace armature::internal {

class RolloutChecks {
 public:
  // prepared: with the ledger of energy; it outlives this.
  explicit RolloutChecks(const Prepared& prepared);

  // All lanes that begin or move on together; `system` holds their discrete values and parameters.
  void begin(LaneMask lanes, SystemLanes& system, const LaneRow& t, const LaneRow* x) {
    look(lanes, system, t, x, true);
  }
  void look(LaneMask lanes, SystemLanes& system, const LaneRow& t, const LaneRow* x) {
    look(lanes, system, t, x, false);
  }
  // One motion: lane 0.
  void begin(const State& state, const Eigen::VectorXd& parameters) { look(0, state, parameters, true); }
  void look(const State& state, const Eigen::VectorXd& parameters) { look(0, state, parameters, false); }

  // Inputs that change what is stored bring energy.
  bool stores_inputs() const { return stores_inputs_; }
  void change_inputs(int k, const State& state, const Eigen::VectorXd& before, const Eigen::VectorXd& after);

  Findings findings(int k, const State& last);  // of a motion that has ended

 private:
  using Energies = std::array<double, 3>;  // kinetic, potential, magnetic
  void look(LaneMask lanes, SystemLanes& system, const LaneRow& t, const LaneRow* x, bool begins);
  void look(int k, const State& state, const Eigen::VectorXd& parameters, bool begins);
  void take(int k, const Energies& energies, const Eigen::VectorXd& x, bool begins);
  Energies energies(const State& state, const Eigen::VectorXd& parameters);

  const Prepared& prepared_;
  bool together_;  // energies of all lanes at once: no comparisons, no gaps
  bool looks_at_gaps_, stores_inputs_;
  EnergyBalance none_;  // of any motion
  std::vector<EnergyBalance> balance_;
  std::array<std::optional<ConstraintGaps>, lane_count> gaps_;
  SystemEvaluator evaluator_;
  SparseTerms terms_;
  Evaluator lanes_, alone_;  // of the energies
  State state_;
  Eigen::VectorXd parameters_;
  Observables stored_;
  EnergyNoise noise_;
};

}  // namespace armature::internal
