// One thread's runs for tuning: the same motion again and again with other gains. Nothing but the error is computed on
// the way; memory is kept from run to run.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "system/state_program.hpp"

namespace armature::internal {

// What all threads share. Errors are phi and phidot of the rows that are looked at; or those of a point, against the motion
// that a fine integration with projection gives.
struct TuningMachine {
  Prepared prepared;                           // without the energy ledger
  std::vector<Expression> position, velocity;  // their errors, or the point's values where there is a reference
  Expression singular = 1.0;                   // det Phi where Phi is square
  std::vector<Eigen::VectorXd> reference;      // position, velocity at each step; empty: the errors are absolute
};

// of: empty, a constraint, or a formula. Throws ModelError, ComputationError.
std::shared_ptr<const TuningMachine> tuning_machine(const Model& model, const std::string& of);

struct TuningErrors {
  double lost = 0;                    // s; NaN: not lost
  double position = 0, velocity = 0;  // E1, E2
};

// What is kept of a run on its way.
class TuningTrack {
 public:
  TuningTrack(const TuningMachine& machine, double speed_limit);
  void begin();  // a run
  // The next state, with the outputs of tuning_outputs() there, and whether Phi has its full rank; false: lost.
  bool look(const State& state, const double* outputs, bool full_rank);
  TuningErrors errors() const;  // at the end
  static TuningErrors lost_at(double t);

 private:
  const TuningMachine& machine_;
  double speed_limit_;
  Eigen::VectorXd error_;
  double sign_ = 0;  // of `singular` at the start
  std::size_t count_ = 0;
  double t_ = 0, position_ = 0, velocity_ = 0;  // of the last state, and |error|^2 there
  double E1_ = 0, E2_ = 0;                      // integrals of these
};

std::vector<Expression> tuning_outputs(const TuningMachine& machine);

class TuningRun {
 public:
  TuningRun(std::shared_ptr<const TuningMachine> machine, double speed_limit, bool projection);
  TuningErrors run(double alpha, double beta);

 private:
  bool look();  // at the state; false: lost
  bool step();

  std::shared_ptr<const TuningMachine> machine_;
  TuningTrack track_;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<Integrator> integrator_;
  StateProgram program_;
  State state_;
};

}  // namespace armature::internal
