// A stored step that is a polynomial (step_polynomial.hpp).
#pragma once

#include "integrate/step.hpp"
#include "integrate/step_polynomial.hpp"

namespace armature::internal {

class PolynomialStep final : public StoredStep {
 public:
  // onto: whose manifold what is interpolated is returned to; null: none.
  PolynomialStep(int size, int most_order, Ode* onto) : polynomial_(size, most_order), onto_(onto) { x_.setZero(size); }

  static void store(const Step& step, const StepPolynomial& polynomial, std::vector<double>& numbers) {
    numbers.push_back(step.previous_t());
    numbers.push_back(step.t());
    numbers.insert(numbers.end(), step.x().data(), step.x().data() + step.x().size());
    polynomial.store(numbers);
  }
  const double* load(const double* numbers) override {
    previous_t_ = numbers[0], t_ = numbers[1];
    std::copy_n(numbers + 2, x_.size(), x_.data());
    return polynomial_.load(numbers + 2 + x_.size());
  }
  void interpolate(double t, Eigen::VectorXd& x) const override {
    if (t == t_)
      x = x_;
    else
      interpolate(polynomial_, onto_, t, x);
  }
  static void interpolate(const StepPolynomial& polynomial, Ode* onto, double t, Eigen::VectorXd& x) {
    polynomial.evaluate(t, x);
    if (onto) onto->project(t, x.data(), nullptr);
  }
  bool path(const std::vector<int>& entries, StepPath& path) const override {
    polynomial_.path(previous_t_, entries, path);
    return true;
  }

 private:
  StepPolynomial polynomial_;
  Ode* onto_;
};

}  // namespace armature::internal
