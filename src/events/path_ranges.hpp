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
  const Enclosure& operator[](int output) const { return evaluator_.output(output); }  // rates: by the step's length

  double unit() const { return path_.length(); }                // of time, in which rates are measured
  const std::vector<int>& entries() const { return entries_; }  // of x, that the program reads

 private:
  void enclose(std::size_t entry, double u, double r);

  EnclosureEvaluator evaluator_;
  StepPath path_;
  std::vector<int> entries_;
  std::vector<int> held_;  // other inputs that the program reads
  bool reads_time_ = false;
};

}  // namespace armature::internal
