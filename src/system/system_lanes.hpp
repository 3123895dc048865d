// Eight states' access to a System, for one thread: the programs of the hot loop on eight lanes. SystemEvaluator gives the
// same numbers, state by state.
#pragma once

#include <memory>
#include <vector>

#include "expression/lanes.hpp"
#include "system/system.hpp"

namespace armature {

class SystemLanes {
 public:
  explicit SystemLanes(std::shared_ptr<const System> system);  // with traced programs
  const System& system() const { return *system_; }

  void set(const LaneRow& t, const LaneRow* x);
  // What is held in one lane until set again: discrete values, modes and parameters, each as the others take them.
  void hold(int lane, const double* d, const double* w, const double* p);
  void set_gains(int lane, double alpha, double beta);
  const LaneRow* inputs() const { return in_.data(); }                       // in the order of Layout
  LaneRow* discrete_values() { return in_.data() + system_->layout().d(); }  // as held
  LaneRow* weights() { return in_.data() + system_->layout().w(); }          // of the modes, as held

  // Outputs as System::Programs lists them; they stay until the next program is run.
  const LaneRow* acceleration() { return run(acceleration_); }
  const LaneRow* acceleration_baumgarte() { return run(acceleration_baumgarte_); }
  const LaneRow* correct_position() { return run(correct_position_); }
  const LaneRow* correct_velocity() { return run(correct_velocity_); }
  const LaneRow* correct_velocity_and_errors(const LaneRow* position_error, const LaneRow* velocity_error);  // nv each
  const LaneRow* correct_motion() { return run(correct_motion_); }
  const LaneRow* step_end(const LaneRow* position_error, const LaneRow* velocity_error, const LaneRow& weight);
  const LaneRow* roots() { return run(roots_); }
  const LaneRow* root_rates(const LaneRow* vdot);
  const LaneRow* discrete() { return run(discrete_); }  // values that all discrete ones would take
  const LaneRow* energy() { return run(energy_); }
  const LaneRow* run(Evaluator& evaluator);  // any program of the inputs of Layout, on eight lanes

 private:
  LaneRow* set_errors(const LaneRow* position_error, const LaneRow* velocity_error);

  std::shared_ptr<const System> system_;
  std::vector<LaneRow> in_, out_;
  Evaluator acceleration_, acceleration_baumgarte_, correct_position_, correct_velocity_, correct_velocity_and_errors_,
      correct_motion_, step_end_, roots_, root_rates_, discrete_, energy_;
};

}  // namespace armature
