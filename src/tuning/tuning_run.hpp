// One thread's runs for tuning: the same motion again and again with other gains. Nothing but the error is computed on
// the way; memory is kept from run to run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "system/state_program.hpp"
#include "tuning/tuning_track.hpp"

namespace armature::internal {

// What all threads share. Errors are phi and phidot of the rows that are looked at; or those of a point, against the motion
// that a fine integration with projection gives.
struct TuningMachine {
  Prepared prepared;                           // without the energy ledger
  std::vector<Expression> position, velocity;  // their errors, or the point's values where there is a reference
  Expression singular = 1.0;                   // det Phi where Phi is square
  std::vector<double> reference;               // position, velocity at each step; empty: the errors are absolute
  long references() const { return static_cast<long>(reference.size() / (position.size() + velocity.size())); }
};

// of: empty, a constraint, or a formula. Throws ModelError, ComputationError.
std::shared_ptr<const TuningMachine> tuning_machine(const Model& model, const std::string& of);

struct TuningErrors {
  double lost = 0;                    // s; NaN: not lost
  double position = 0, velocity = 0;  // E1, E2
};

step::TuningMeasure measure_of(const TuningMachine& machine, double speed_limit);      // it refers to the machine
TuningErrors errors_of(const TuningMachine& machine, const step::TuningTrack& track);  // at the end
TuningErrors lost_at(double t);

// Errors of position and velocity, and what changes its sign in a singular pose.
std::vector<Expression> tuning_outputs(const TuningMachine& machine);

class TuningRun {
 public:
  TuningRun(std::shared_ptr<const TuningMachine> machine, double speed_limit, bool projection);
  TuningErrors run(double alpha, double beta);

 private:
  bool look();  // at the state; false: lost
  bool step();

  std::shared_ptr<const TuningMachine> machine_;
  step::TuningMeasure measure_;
  step::TuningTrack track_;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<Integrator> integrator_;
  StateProgram program_;
  State state_;
};

}  // namespace armature::internal
