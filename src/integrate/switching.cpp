#include "integrate/switching.hpp"

#include <algorithm>

#include "integrate/embedded.hpp"

namespace armature::internal {

namespace {

IntegratorStatistics sum(const IntegratorStatistics& a, const IntegratorStatistics& b) {
  if (b.steps == 0) return a;
  IntegratorStatistics all = a;
  all.steps += b.steps, all.rejected += b.rejected, all.evaluations += b.evaluations;
  all.jacobians += b.jacobians, all.projections += b.projections;
  all.smallest_step = a.steps == 0 ? b.smallest_step : std::min(a.smallest_step, b.smallest_step);
  all.largest_step = std::max(a.largest_step, b.largest_step);
  return all;
}

// Which method took the step, then the step as that method stores it.
class SwitchingStep final : public StoredStep {
 public:
  SwitchingStep(std::unique_ptr<StoredStep> first, std::unique_ptr<StoredStep> second)
      : steps_{std::move(first), std::move(second)} {}
  const double* load(const double* numbers) override {
    last_ = numbers[0] == 0 ? 0 : 1;
    const double* end = now().load(numbers + 1);
    previous_t_ = now().previous_t(), t_ = now().t(), x_ = now().x();
    return end;
  }
  void interpolate(double t, Eigen::VectorXd& x) const override { now().interpolate(t, x); }
  bool path(const std::vector<int>& entries, StepPath& path) const override { return now().path(entries, path); }
  long evaluations() const override { return steps_[0]->evaluations() + steps_[1]->evaluations(); }

 private:
  StoredStep& now() const { return *steps_[last_]; }
  std::array<std::unique_ptr<StoredStep>, 2> steps_;
  std::size_t last_ = 0;
};

}  // namespace

Switching::Switching(Ode& ode, const IntegratorOptions& options) {
  auto first = std::make_unique<Embedded>(step::dormand_prince_54(), ode, options);
  looks_ = first.get();
  methods_ = {std::move(first), make_integrator("cvode_bdf", ode, options)};
  x_.setZero(ode.size());
}

void Switching::start(double t, const Eigen::VectorXd& x) {
  now().start(t, x);
  take_over();
}

StepStatus Switching::step(double t_stop) {
  if (!switched_ && stiffness()->stiff()) {
    switched_ = t_;
    now().start(t_, x_);
  }
  const StepStatus status = now().step(t_stop);
  take_over();
  return status;
}

void Switching::take_over() {
  previous_t_ = now().previous_t(), t_ = now().t(), x_ = now().x();
  statistics_ = sum(methods_[0]->statistics(), methods_[1]->statistics());
  message_ = now().message();
}

void Switching::store(std::vector<double>& numbers) const {
  numbers.push_back(switched_ ? 1 : 0);
  now().store(numbers);
}

MakeStoredStep Switching::stored_steps() const {
  return [first = methods_[0]->stored_steps(), second = methods_[1]->stored_steps()](Ode& ode) {
    return std::make_unique<SwitchingStep>(first(ode), second(ode));
  };
}

std::unique_ptr<Integrator> make_auto(Ode& ode, const IntegratorOptions& options) {
  return std::make_unique<Switching>(ode, options);
}

}  // namespace armature::internal
