#include "simulate/diagnose.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/program.hpp"

namespace armature {

namespace {

// A failing step this close to a singular pose fails because of it: the smaller the tolerance, the earlier.
constexpr double close_to_singular = 1e-2;

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
      return fmt::format(
          "{}{} is {} at t = {:.10g} s",
          formula.where.line ? fmt::format("line {}, column {}: ", formula.where.line, formula.where.column) : "",
          formula.name, std::isnan(numbers[i]) ? "not a number" : "infinite", t);
    }
  return "";
}

std::string coordinate_without_value(Dynamics& dynamics) {
  const auto& vdot = dynamics.acceleration().vdot;
  for (int i = 0; i < vdot.size(); ++i)
    if (!std::isfinite(vdot[i]))
      return fmt::format(" (the acceleration of {} has no value)", dynamics.system().equations().velocities[i].joint);
  return "";
}

// Rank and smallest pivot where the run got to: most failures are at singular poses.
std::string singularity(const Integrator& integrator, Dynamics& dynamics, const State& state, bool fixed_rows) {
  Eigen::VectorXd xdot(state.x.size());
  const int m = dynamics.system().layout().m;
  if (m == 0 || !dynamics.derivative(integrator.t(), integrator.x().data(), xdot.data())) return "";
  const Acceleration& acceleration = dynamics.acceleration();
  const int full = static_cast<int>(dynamics.system().options().independent_rows.size());
  if (acceleration.rank >= full && acceleration.smallest >= close_to_singular) return "";
  const std::string rank = acceleration.rank < full
                               ? fmt::format("Phi has rank {} of {}", acceleration.rank, full)
                               : fmt::format("the smallest pivot of Phi is {:.1e}", acceleration.smallest);
  return fmt::format(
      "; the pose is {}singular there ({}){}", acceleration.rank < full ? "" : "nearly ", rank,
      fixed_rows ? ": ida keeps the rows that were independent at the start; use dopri5 or cvode_bdf" : "");
}

}  // namespace

std::string why_step_failed(StepStatus status, const Integrator& integrator, Dynamics& dynamics, const State& state,
                            bool fixed_rows) {
  std::string sentence = integrator.message();
  if (sentence.empty()) sentence = fmt::format("the step at t = {:.10g} s failed", state.t);
  if (status != StepStatus::projection_failed && dynamics.last_failure()) {
    const auto failed = *dynamics.last_failure();
    const std::string formula = formula_without_value(dynamics, failed.t, failed.x);
    if (!formula.empty()) return sentence + ": " + formula;
    const std::string refusal = dynamics.refusal();
    sentence += refusal.empty() ? coordinate_without_value(dynamics) : ": " + refusal;
  }
  return sentence + singularity(integrator, dynamics, state, fixed_rows);
}

}  // namespace armature
