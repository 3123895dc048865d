// A nonlinear program whose functions are sums of local ones:
//
//   minimize  c(x)   subject to   low <= g(x) <= high,   lower <= x <= upper,         (c, g)(x) = B x + sum over blocks of S y(E x)
//
// A block evaluates a LocalFunction y at inputs that are linear in x (E: one or two variables each), and adds its outputs with factors to
// rows (S). All first and second derivatives follow from those of the local functions, which are few and exact.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "plan/local_function.hpp"

namespace armature::internal {

class NonlinearProgram {
 public:
  static constexpr int cost = -1;  // in place of a row

  struct Term {  // factor * x[variable], or factor to row
    int place;
    double factor;
  };
  struct Block {
    const LocalFunction* function;           // outlives the program
    std::vector<std::vector<Term>> inputs;   // one or two variables each
    std::vector<std::vector<Term>> outputs;  // rows or `cost`; none: it is not used
    bool adds_to_cost() const;
  };
  struct Linear {
    int row, variable;
    double factor;
  };
  struct Triplet {
    int row, column;
  };

  int add_variable(double lower, double upper, double guess);
  int add_row(double low, double high);
  void add_block(Block block);
  void add_linear(int row, int variable, double factor) { linear_.push_back({row, variable, factor}); }

  int variables() const { return static_cast<int>(guess_.size()); }
  int rows() const { return static_cast<int>(low_.size()); }
  std::vector<double>& lower() { return lower_; }
  std::vector<double>& upper() { return upper_; }
  std::vector<double>& guess() { return guess_; }
  const std::vector<double>& lower() const { return lower_; }
  const std::vector<double>& upper() const { return upper_; }
  const std::vector<double>& guess() const { return guess_; }
  const std::vector<double>& low() const { return low_; }
  const std::vector<double>& high() const { return high_; }

  // x: all variables. Virtual: a plugin calls these (plugin/plugin.hpp).
  virtual double cost_at(const double* x) const;
  virtual void gradient(const double* x, double* out) const;
  virtual void rows_at(const double* x, double* out) const;
  virtual std::vector<Triplet> jacobian_structure() const;
  virtual void jacobian(const double* x, double* out) const;
  virtual std::vector<Triplet> hessian_structure() const;  // row >= column; entries of one place add up
  virtual void hessian(const double* x, double cost_factor, const double* multipliers, double* out) const;

 private:
  void gather(const Block& block, const double* x) const;  // its inputs, into in_
  template <class Use>
  void each_jacobian_entry(const Block& block, Use use) const;
  template <class Use>
  void each_hessian_entry(const Block& block, Use use) const;

  std::vector<double> lower_, upper_, guess_, low_, high_;
  std::vector<Block> blocks_;
  std::vector<Linear> linear_;
  mutable std::vector<double> in_, out_;
};

}  // namespace armature::internal
