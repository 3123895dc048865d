// The rows of trajectory.csv: coordinates, velocities, quantities, efforts and multipliers, reactions, constraint error,
// energies, rank.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "linear/smallest_singular_value.hpp"
#include "observe/energy_balance.hpp"
#include "observe/outcome.hpp"
#include "observe/row_columns.hpp"
#include "record/recorder.hpp"
#include "system/state.hpp"

namespace armature::internal {

// The state x of a recorded row, where discrete values are d.
Eigen::VectorXd state_of_row(std::span<const double> row, const Equations& equations, const Eigen::VectorXd& d);

class RecordedRows {
 public:
  // What is known of the motion. without_constraint_work: the integrator does not know it, so that energy cannot be
  // balanced (ida). positions: no accelerations, and so no multipliers, reactions, balance or rank (kinematics).
  enum class Known { all, without_constraint_work, positions };
  RecordedRows(Dynamics& dynamics, Recorder& recorder, Known known = Known::all);
  void begin(const State& start);  // names the channels, takes the reference of the energy

  void receive(double work) { energy_.receive(work); }  // of the host, J

  // One row at (t, x); false: the accelerations cannot be evaluated there (the row is written, with NaN).
  bool write(double t, const Eigen::VectorXd& x);

  // Into the run's statistics: rows, largest errors.
  void report(RunStatistics& statistics) const;
  const SparseTerms& terms() const { return terms_; }  // at the last row
  const Observables& values() const { return observables_; }

 private:
  void evaluate(double t, const Eigen::VectorXd& x);
  void add(RowPart part, double t, const Eigen::VectorXd& x, bool solved);  // its numbers to row_
  void note_constraint_errors();

  Dynamics& dynamics_;
  Recorder& recorder_;
  const System& system_;
  EnergyBalance energy_;
  RowContent content_;
  std::vector<RowColumns> columns_;
  SparseTerms terms_;
  SmallestSingularValue smallest_singular_value_;
  Observables observables_;
  Eigen::VectorXd wrenches_;
  std::vector<double> row_;
  RunStatistics statistics_;
};

}  // namespace armature::internal
