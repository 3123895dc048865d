// Forces that act for less than a step of a run: step/narrow_forces.hpp, with f and the slopes of dense output as a run knows them
// (observe/slope_check.hpp).
#pragma once

#include <memory>

#include "events/narrow_terms.hpp"
#include "events/path_ranges.hpp"
#include "observe/outcome.hpp"
#include "observe/slope_check.hpp"

namespace armature::internal {

// Of one system, for all its runs.
struct WatchedTerms {
  explicit WatchedTerms(const System& system);
  NarrowTerms terms;
  std::shared_ptr<const Program> program;  // of the outputs; null: there are none
};

class HiddenForces {
 public:
  // All is kept by reference, but for the terms.
  HiddenForces(const Prepared& prepared, Dynamics& dynamics, std::shared_ptr<const WatchedTerms> terms);

  // The moment inside the step from x0 at which it contradicts the equations; infinite: there is none.
  double find(const Step& step, const Eigen::VectorXd& x0);
  // With steps of one length, which are not taken again: told at the end.
  void look(const Step& step, const Eigen::VectorXd& x0);
  void report(Outcome& outcome) const { slopes_.report(outcome); }

 private:
  class HermiteStep;
  bool begin(const Step& step);
  double find_in(const Step& step);  // that was begun

  Dynamics& dynamics_;
  std::shared_ptr<const WatchedTerms> terms_;
  PathRanges ranges_;
  SlopeCheck slopes_;
  step::NarrowForces<PathRanges> search_;
};

}  // namespace armature::internal
