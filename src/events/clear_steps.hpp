// Steps in which no function of a program becomes zero, without ranges over each of them. A function g strays from the chord between both
// ends of a step of length h by no more than its largest second rate allows,
//
//   g(t) >= min(g(t0), g(t1)) - h^2/8 max |g''| .
//
// That largest second rate is found by arithmetic of ranges (expression/second_rates.hpp) over a box: of values, rates and second rates of all
// states that the program reads, with room for some steps ahead. It serves all steps whose polynomials stay in the box. Like ranges of the step
// itself this is a proof, for dense output as it is; where it does not succeed, the ranges are asked.
#pragma once

#include <vector>

#include "events/path_ranges.hpp"
#include "expression/second_rates.hpp"
#include "step/zero_crossings.hpp"

namespace armature::internal {

class ClearSteps {
 public:
  ClearSteps(const PathRanges& ranges, const Program& program);  // kept by reference

  // Whether no guard becomes negative in the step whose ranges were begun. end: all outputs at its end; the next step begins with them, unless
  // they are forgotten. held: as in PathRanges::begin().
  bool contain(const double* held, const double* end, const step::Guard* guards, int count);
  void forget() { knows_begin_ = false; }  // outputs have jumped
  long boxes() const { return boxes_; }    // made so far

 private:
  using Moving = SecondRates::Moving;
  bool goes_on(const double* end);  // from the last step; takes the end of this one
  bool is_proved(const double* held, const double* end, const step::Guard* guards, int count);
  void enclose_step();  // ranges of the states over it
  bool is_in_box(const double* held) const;
  void make_box(const double* held);
  bool guards_hold(const double* end, const step::Guard* guards, int count) const;

  const PathRanges& ranges_;
  SecondRates second_rates_;
  std::vector<Moving> step_, box_;    // of the entries that the program reads, then of the time
  std::vector<double> held_;          // with which the box was made
  std::vector<double> begin_, next_;  // outputs at the beginning of this step, and of the next one
  std::vector<double> largest_;       // |second rate| of each output in the box
  double begin_t_ = 0;
  bool knows_begin_ = false, has_box_ = false;
  int ahead_ = 8;             // steps that a box has room for
  int wait_ = 0, pause_ = 0;  // steps until the next try, and the last such wait
  long boxes_ = 0;
};

}  // namespace armature::internal
