// Ranges of a program's outputs over parts of a step, from the polynomials that its states follow there. With these in powers
// of u around the middle of the part, |u| <= r,
//
//   x in c_0 +- sum_k |c_k| r^k,     dx/du in c_1 +- sum_k k |c_k| r^(k-1),
//
// and with all else that the program reads (discrete values, outcomes, parameters) as it is held.
#pragma once

#include <vector>

#include "expression/enclosure.hpp"
#include "integrate/step.hpp"
#include "system/system.hpp"

namespace armature::internal {

class PathRanges {
 public:
  PathRanges(const Layout& layout, const Program& program);  // program: kept by reference

  // held: inputs in the order of Layout; those of t and x are not looked at. False: the step follows no polynomials.
  bool begin(const Step& step, const double* held);
  void find(double from, double to);
  long evaluations() const { return evaluations_; }                                    // calls of find() so far
  const Enclosure& operator[](int output) const { return evaluator_.output(output); }  // rates: by the step's length

  double unit() const { return path_.length(); }                // of time, in which rates are measured
  const StepPath& path() const { return path_; }                // of those entries, after begin()
  const std::vector<int>& entries() const { return entries_; }  // of x, that the program reads
  const std::vector<int>& held() const { return held_; }        // other inputs that it reads, but for the time
  bool reads_time() const { return reads_time_; }

 private:
  void enclose(std::size_t entry, double u, double r);

  EnclosureEvaluator evaluator_;
  StepPath path_;
  std::vector<int> entries_;
  std::vector<int> held_;
  bool reads_time_ = false;
  long evaluations_ = 0;
};

}  // namespace armature::internal
