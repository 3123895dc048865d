// Whether a step passes over what a term of the equations does inside it (events/narrow_terms.hpp): a punch, a barrier, a resonance that is
// narrower than the step, or many periods of something fast. All stages of the step may see nothing of it, and then no error estimate does.
//
//   1. Ranges over the whole step say how far the arguments of the term's functions move. As a rule they move little, and that is all.
//   2. Else the moment is sought at which the term strays most from the line between both ends of the step: the step is halved again and
//      again, and ranges tell where the largest deviation may be, until a value within a factor of two of it is found.
//   3. There f is evaluated once. Where it contradicts the slope of dense output by more than the tolerance and the errors of states explain
//      (observe/slope_check.hpp), the step has missed it, and is taken again up to that moment. It then sees the term at its end, and error
//      control does the rest.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  double find_in(const Step& step);                   // that was begun
  bool follows(const NarrowTerms::Term& term) const;  // in the ranges found last
  step::Enclosure enclosure_of(const NarrowTerms::Term& term) const;
  double value(const NarrowTerms::Term& term, double t);
  std::optional<double> stray(const NarrowTerms::Term& term, double t0, double t1);

  Dynamics& dynamics_;
  std::shared_ptr<const WatchedTerms> terms_;
  PathRanges ranges_;
  SlopeCheck slopes_;
  std::vector<char> followed_;
};

}  // namespace armature::internal
