#include "simulate/diagnose.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/program.hpp"

namespace armature {

namespace {

// The first formula of the file that is not a finite number at a state.
std::string formula_without_value(Dynamics& dynamics, double t, const Eigen::VectorXd& x) {
  const System& system = dynamics.system();
  std::vector<Expression> values;
  for (const WatchedFormula& formula : system.equations().watched) values.push_back(formula.value);
  if (values.empty()) return "";
  std::vector<double> numbers(values.size());
  dynamics.evaluator().set(t, x.data());
  dynamics.evaluator().evaluate(values, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i])) {
      const WatchedFormula& formula = system.equations().watched[i];
      return fmt::format("{}{} is {} at t = {:.10g} s", formula.where.line ? fmt::format("line {}: ", formula.where.line) : "",
                         formula.name, std::isnan(numbers[i]) ? "not a number" : "infinite", t);
    }
  return "";
}

std::string coordinate_without_value(Dynamics& dynamics) {
  const auto& vdot = dynamics.acceleration().vdot;
  for (int i = 0; i < vdot.size(); ++i)
    if (!std::isfinite(vdot[i])) return fmt::format(" (the acceleration of {} has no value)", dynamics.system().equations().velocities[i].joint);
  return "";
}

}  // namespace

std::string why_step_failed(StepStatus status, const Integrator& integrator, Dynamics& dynamics, const State& state) {
  std::string sentence = integrator.message();
  if (sentence.empty()) sentence = fmt::format("the step at t = {:.10g} s failed", state.t);
  if (status == StepStatus::not_finite || status == StepStatus::solver_failed || status == StepStatus::step_too_small) {
    const auto& failed = dynamics.last_failure();
    const std::string formula = failed ? formula_without_value(dynamics, failed->t, failed->x) : "";
    if (!formula.empty()) return sentence + ": " + formula;
    const std::string refusal = dynamics.refusal();
    if (failed && !refusal.empty()) return sentence + ": " + refusal;
    if (failed) sentence += coordinate_without_value(dynamics);
  }
  const Layout& n = dynamics.system().layout();
  const Acceleration& acceleration = dynamics.acceleration();
  if (n.m > 0 && acceleration.rank < n.m)
    sentence += fmt::format("; Phi has rank {} of {} there (a singular configuration)", acceleration.rank, n.m);
  return sentence;
}

}  // namespace armature
