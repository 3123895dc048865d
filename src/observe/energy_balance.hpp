// The ledger of energy over a motion: what is stored, came in and was lost must add up to what was stored at the start.
//
//   error = stored + heat - work - (the same at the start)
//
// It is measured by the energy in motion: kinetic, magnetic, what came from height and springs since the start, and what came
// from outside. The zero level of a potential does not count.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "system/system.hpp"

namespace armature::internal {

class EnergyBalance {
 public:
  // knows_constraint_work: false under ida, which cannot tell the work of constraints that move with time.
  EnergyBalance(const System& system, bool knows_constraint_work);
  bool possible() const { return possible_; }  // nothing depends on time but applied forces, and all work is known

  void begin(const Observables& stored, const Eigen::VectorXd& x);
  void receive(double work) { at_start_ += work; }                   // of the host, which no channel counts, J
  double look(const Observables& stored, const Eigen::VectorXd& x);  // the error there, J

  double largest_error() const { return largest_error_; }                  // J
  double size() const { return size_; }                                    // the most energy that was in motion, J
  double largest_stabilization() const { return largest_stabilization_; }  // what stabilization added or took, J

 private:
  double sum(const Observables& stored, const Eigen::VectorXd& x) const;
  double in_motion(const Observables& stored, const Eigen::VectorXd& x) const;

  bool possible_;
  std::vector<int> received_, lost_;  // indices in x of the ledger's states
  int stabilization_ = -1;            // that of work.stabilization
  double at_start_ = 0, potential_at_start_ = 0, largest_error_ = 0, largest_stabilization_ = 0, size_ = 0;
};

}  // namespace armature::internal
