// Where a step of a run ends at the latest because of what it would pass over: edges and humps of tables (step/table_stops.hpp), and forces
// that act for less than a step (run/hidden_forces.hpp).
#pragma once

#include <memory>
#include <optional>

#include "integrate/integrator.hpp"
#include "run/hidden_forces.hpp"
#include "step/table_stops.hpp"

namespace armature::internal {

class StepStops {
 public:
  // All is kept by reference. terms: of the system, where they are known.
  StepStops(const Prepared& prepared, Dynamics& dynamics, Integrator& integrator,
            std::shared_ptr<const WatchedTerms> terms);

  double stop(const State& state);  // of the step from there; infinite: anywhere
  // Whether the integrator's last step, from the state, passes over something: it is to be taken again, to the next stop().
  bool hide(const State& state);
  void report(Outcome& outcome) const;  // what steps of one length have passed over

 private:
  bool hides_force(const State& state);
  const double* look(double t, const double* x);

  Dynamics& dynamics_;
  Integrator& integrator_;
  const bool at_tables_;
  Eigen::VectorXd lookups_, x_;  // of tables, where the step begins; a state inside it
  step::StopMemory memory_;
  step::TableStops tables_;
  step::ForceStop force_;
  std::optional<HiddenForces> forces_;
};

}  // namespace armature::internal
