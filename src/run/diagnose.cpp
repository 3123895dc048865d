#include "run/diagnose.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/program.hpp"
#include "integrate/integrator.hpp"
#include "integrate/stuck.hpp"
#include "linear/kinetic_rows.hpp"
#include "prepare/inertia.hpp"

namespace armature::internal {

namespace {

constexpr double beyond_measure = 1e5;  // growth of a formula within a moment

std::vector<double> watched_values(Dynamics& dynamics, double t, const Eigen::VectorXd& x) {
  std::vector<Expression> formulas;
  for (const WatchedFormula& formula : dynamics.system().equations().watched) formulas.push_back(formula.value);
  std::vector<double> values(formulas.size());
  dynamics.evaluator().set(t, x.data());
  if (!formulas.empty()) dynamics.evaluator().evaluate(formulas, values);
  return values;
}

// As all messages about the file: "crane.yaml:12: '1/t' is infinite at t = 0 s (column 9)".
std::string about(const std::string& file, const Equations& equations, const WatchedFormula& formula,
                  const std::string& what) {
  const Location& where = formula.where;
  if (where.line == 0) return fmt::format("{} {}", formula.name, what);
  const std::string place = place_in_words(file, where, equations.used_files);
  if (const UsedFile* used = file_of(where, equations.used_files))  // whose columns are those of longer names
    return fmt::format("{}: {} {}{}", place, in_words_of(*used, formula.name), what, use_in_words(file, *used));
  return fmt::format("{}: {} {} (column {})", place, formula.name, what, where.column);
}

// The first formula of the file that is not a finite number at a state.
std::string formula_without_value(const std::string& file, Dynamics& dynamics, double t, const Eigen::VectorXd& x) {
  const std::vector<double> values = watched_values(dynamics, t, x);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) {
      const WatchedFormula& formula = dynamics.system().equations().watched[i];
      if (!formula.without_value.empty())
        return about(file, dynamics.system().equations(), formula, formula.without_value);
      return about(file, dynamics.system().equations(), formula,
                   fmt::format("is {} at t = {:.10g} s", std::isnan(values[i]) ? "not a number" : "infinite", t));
    }
  return "";
}

// The first formula that has grown beyond measure since a moment ago: one with a pole where no step gets past, such as
// 1/(t - 0.5). Positions of that moment follow from the velocities.
std::string formula_with_pole(const std::string& file, Dynamics& dynamics, double t, const Eigen::VectorXd& x) {
  const double moment = 1e-3 * std::max(std::abs(t), 1e-3);
  Eigen::VectorXd xdot(x.size()), before = x;
  dynamics.derivative(t, x.data(), xdot.data());
  const int nq = dynamics.system().layout().nq;
  before.head(nq) -= moment * xdot.head(nq);
  const std::vector<double> now = watched_values(dynamics, t, x), then = watched_values(dynamics, t - moment, before);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const WatchedFormula& formula = dynamics.system().equations().watched[i];
    if (std::isnan(now[i]) && !formula.without_value.empty())
      return about(file, dynamics.system().equations(), formula, formula.without_value);
    if (!(std::abs(now[i]) <= beyond_measure * std::max(std::abs(then[i]), 1.0)))
      return about(file, dynamics.system().equations(), formula,
                   fmt::format("has no value at t = {:.10g} s: it goes from {:.2g} to {:.2g} within {:.1g} s", t,
                               then[i], now[i], moment));
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

// A mass matrix that is not positive definite at a state has no acceleration to give.
std::string without_inertia(Dynamics& dynamics, double t, const Eigen::VectorXd& x) {
  SystemEvaluator& evaluator = dynamics.evaluator();
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.set(t, x.data());
  evaluator.position(terms);
  const Equations& e = dynamics.system().equations();
  const int k = velocity_without_inertia(terms.M, e.elimination_order);
  if (k < 0) return "";
  return fmt::format("the mass matrix is not positive definite at t = {:.10g} s: there is no inertia along {}", t,
                     e.velocities[k].name);
}

// Steps of a fixed length that are too long for a motion let it grow from step to step, until nothing can be evaluated.
std::string growth_of_fixed_steps(const Integrator& integrator, const Dynamics& dynamics, const Eigen::VectorXd& x) {
  constexpr double no_machine = 1e9;  // rad, m, and as much in a second
  if (integrator.error_controlled()) return "";
  const auto& e = dynamics.system().equations();
  const auto moving = static_cast<Eigen::Index>(e.q.size() + e.v.size());
  for (Eigen::Index i = 0; i < moving; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::string& name = k < e.q.size() ? e.positions[k].name : e.velocities[k - e.q.size()].name;
    if (!(std::abs(x[i]) < no_machine))
      return fmt::format(
          ": {} has grown to {:.2g}, because the step is too long for the method; use a shorter one, or {}, which "
          "chooses its own",
          name, x[i], step::usual_method);
  }
  return "";
}

// Rank and smallest pivot where the run got to: most failures are at singular poses.
std::string singularity(const Integrator& integrator, Dynamics& dynamics, const State& state, bool fixed_rows) {
  Eigen::VectorXd xdot(state.x.size());
  const int m = dynamics.system().layout().m;
  if (m == 0 || !dynamics.derivative(integrator.t(), integrator.x().data(), xdot.data())) return "";
  const Acceleration& acceleration = dynamics.acceleration();
  const int full = static_cast<int>(dynamics.system().options().independent_rows.size());
  // a step that fails this close to a singular pose fails because of it: the smaller the tolerance, the earlier
  if (acceleration.rank >= full && acceleration.smallest >= Regularity::near) return "";
  const std::string rank = acceleration.rank < full
                               ? fmt::format("Phi has rank {} of {}", acceleration.rank, full)
                               : fmt::format("the smallest pivot of Phi is {:.1e}", acceleration.smallest);
  return fmt::format(
      "; the pose is {}singular there ({}){}", acceleration.rank < full ? "" : "nearly ", rank,
      fixed_rows ? ": ida keeps the rows that were independent at the start; use dopri5 or cvode_bdf" : "");
}

}  // namespace

std::string why_step_failed(StepStatus status, const Integrator& integrator, Dynamics& dynamics, const State& state,
                            const std::string& file, bool fixed_rows) {
  std::string sentence = integrator.message();
  if (sentence.empty()) sentence = fmt::format("the step at t = {:.10g} s failed", state.t);
  if (status == StepStatus::projection_failed) return sentence + singularity(integrator, dynamics, state, fixed_rows);
  // a failure before the present time is one that the run got past
  if (dynamics.engine().last_failure() && dynamics.engine().last_failure()->t >= integrator.t()) {
    const auto failed = *dynamics.engine().last_failure();
    const std::string formula = formula_without_value(file, dynamics, failed.t, failed.x);
    if (!formula.empty()) return sentence + ": " + formula;
    if (const std::string growth = growth_of_fixed_steps(integrator, dynamics, failed.x); !growth.empty())
      return sentence + growth;
    const std::string inertia = without_inertia(dynamics, failed.t, failed.x);
    if (!inertia.empty()) return sentence + ": " + inertia;
    if (const std::string refusal = dynamics.engine().refusal(); !refusal.empty())
      return fmt::format("at t = {:.10g} s {}", failed.t, refusal);
    sentence += coordinate_without_value(dynamics);
  }
  if (const std::string pole = formula_with_pole(file, dynamics, integrator.t(), integrator.x()); !pole.empty())
    return pole;
  const std::string singular = singularity(integrator, dynamics, state, fixed_rows);
  if (status == StepStatus::step_too_small && !singular.empty())  // which is why: no need to guess
    sentence = stuck_at(integrator.t());
  return sentence + singular;
}

}  // namespace armature::internal
