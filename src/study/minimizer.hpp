// The least value of a function in a box, with inequalities: what NLopt does (study/plugin/nlopt.cpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace armature::internal {

// n variables. The gradients are null where the method needs none.
class BoxProblem {
 public:
  virtual ~BoxProblem() = default;
  virtual double value(std::size_t n, const double* x, double* gradient) = 0;
  // m numbers that must not be positive; the gradients one after the other. Neither function throws.
  virtual void excess(std::size_t m, double* result, std::size_t n, const double* x, double* gradient) = 0;
  virtual bool ended() const = 0;  // no more points are wanted
};

struct BoxSearch {
  std::string method;  // of minimize_methods()
  std::vector<double> lower, upper;
  double tolerance;                // of x
  int evaluations;                 // at most
  std::vector<double> tolerances;  // of the inequalities
};

class Minimizer {
 public:
  virtual ~Minimizer() = default;
  virtual void minimize(BoxProblem& problem, const BoxSearch& search, std::vector<double>& x) const = 0;
};

}  // namespace armature::internal
