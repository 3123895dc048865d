#include "run/step_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "integrate/integrator.hpp"
#include "integrate/stability.hpp"
#include "integrate/tableau.hpp"
#include "linear/decompositions.hpp"
#include "model/findings.hpp"

namespace armature::internal {

namespace {

// Mean steps above this share of r/|lambda| are taken for limited. Error control lets |R| pass 1 by a little. With tolerances of
// 1e-4 to 1e-6 beams that vibrate have shares from 0.5 to 1.2. With smaller ones the error of following the vibration limits
// the steps, O(h^p) of an estimate of order p: in the five-bar robot with eight elements a link the shares of dopri5 are 0.31,
// 0.19, 0.12 with 1e-8, 1e-9, 1e-10.
constexpr double limited_share = 0.45, by_stability = 1e-6;
constexpr int few_shapes = 3;  // of a beam: as many are kept
constexpr int enough_steps = 100;

// Length of the ray towards lambda on which the method is stable; 0 for methods that are not explicit one-step methods.
double stable_length(const std::string& integrator, std::complex<double> lambda) {
  if (method_of(integrator).symplectic) return 2;
  const Tableau* method = find_tableau(integrator);
  return method ? armature::internal::stable_length(*method, lambda) : 0;
}

// The share of the stable step from which on steps are taken for limited; by errors only where fewer shapes are left to take.
double share_of_limit(const RunOptions& options, const Prepared::Beam& beam) {
  const Tableau* method = find_tableau(options.integrator);
  if (!method || method->estimates == 0 || options.rtol >= by_stability || beam.shapes <= few_shapes)
    return limited_share;
  return limited_share * std::pow(options.rtol / by_stability, 1.0 / method->error_order);
}

// A length that the machine itself has: what turns with the most inertia, over what moves with the most mass. Without any of
// the two, the farthest that anything has moved.
double length_of(const Equations& equations, const Eigen::MatrixXd& M, const Eigen::VectorXd& x) {
  double inertia = 0, mass = 0, farthest = 0;
  for (std::size_t k = 0; k < equations.velocities.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    double& most = equations.velocities[k].kind == Coordinate::Kind::length ? mass : inertia;
    most = std::max(most, M(i, i));
  }
  if (inertia > 0 && mass > 0) return std::sqrt(inertia / mass);
  for (std::size_t i = 0; i < equations.positions.size(); ++i)
    if (equations.positions[i].kind == Coordinate::Kind::length)
      farthest = std::max(farthest, std::abs(x[static_cast<Eigen::Index>(i)]));
  return farthest > 0 ? farthest : 1;
}

// What is large for each state: a radian, or that length, and as much in a step.
Eigen::VectorXd sizes(const Equations& equations, double length, double step) {
  Eigen::VectorXd result =
      Eigen::VectorXd::Ones(static_cast<Eigen::Index>(equations.q.size() + equations.v.size() + equations.z.size()));
  Eigen::Index i = 0;
  for (const Coordinate& q : equations.positions) result[i++] = q.kind == Coordinate::Kind::length ? length : 1;
  for (const Coordinate& v : equations.velocities)
    result[i++] = (v.kind == Coordinate::Kind::length ? length : 1) / step;
  return result;
}

// d(xdot)/dx by central differences, of the states over their sizes: in any unit the same numbers, of eigenvectors too.
bool differences(Dynamics& dynamics, const State& at, const Eigen::VectorXd& size, Eigen::MatrixXd& J) {
  const Eigen::Index n = at.x.size();
  Eigen::VectorXd x = at.x, ahead(n), behind(n);
  J.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double d = 1e-6 * (size[i] + std::abs(x[i])), here = x[i];
    x[i] = here + d;
    const bool forward = dynamics.derivative(at.t, x.data(), ahead.data());
    x[i] = here - d;
    if (!forward || !dynamics.derivative(at.t, x.data(), behind.data())) return false;
    x[i] = here;
    J.col(i) = (size[i] / (2 * d)) * (ahead - behind).cwiseQuotient(size);
  }
  return J.allFinite();
}

struct Vibration {
  std::complex<double> lambda;  // 1/s
  std::string owner;            // of the velocity with most of the energy
};

Vibration fastest_vibration(Dynamics& dynamics, const State& at, double step) {
  const Equations& equations = dynamics.system().equations();
  Terms terms = dynamics.evaluator().make_terms();
  dynamics.evaluator().set(at.t, at.x.data());
  dynamics.evaluator().position(terms);
  const Eigen::VectorXd size = sizes(equations, length_of(equations, terms.M, at.x), step);
  Eigen::MatrixXd J;
  if (!differences(dynamics, at, size, J)) return {};
  const Eigenpairs modal = eigenpairs(J);
  Eigen::Index fastest;
  modal.values.cwiseAbs().maxCoeff(&fastest);
  Vibration vibration{modal.values[fastest], ""};
  const Layout& n = dynamics.system().layout();
  // v_i (M v)_i = -v_i (K v)_i / lambda^2: nothing of it where there is no stiffness, as in a hinge
  const Eigen::VectorXcd v = modal.vectors.col(fastest).cwiseProduct(size).segment(n.nq, n.nv);
  const Eigen::VectorXd energy = v.cwiseProduct(terms.M * v).cwiseAbs();
  Eigen::Index most;
  energy.maxCoeff(&most);
  vibration.owner = equations.velocities[most].joint;
  return vibration;
}

// Whether a vibration is gone after about a period, so that an implicit method may step over it. One that rings on has to be
// followed by any method.
bool dies(std::complex<double> lambda) { return -lambda.real() > 0.5 * std::abs(lambda); }

}  // namespace

std::optional<Finding> step_limit_advice(const Prepared& prepared, Dynamics& dynamics, const Outcome& outcome) {
  const long steps = outcome.statistics.integrator.steps;
  if (prepared.beams.empty() || steps < enough_steps || stable_length(prepared.options.integrator, 1.0) == 0)
    return std::nullopt;
  const double mean_step = (outcome.last.t - prepared.start.t) / static_cast<double>(steps);
  const Vibration vibration = fastest_vibration(dynamics, outcome.last, mean_step);
  const auto beam = std::find_if(prepared.beams.begin(), prepared.beams.end(),
                                 [&](const Prepared::Beam& b) { return b.name == vibration.owner; });
  if (beam == prepared.beams.end()) return std::nullopt;
  const double length = stable_length(prepared.options.integrator, vibration.lambda);
  if (mean_step * std::abs(vibration.lambda) < share_of_limit(prepared.options, *beam) * length) return std::nullopt;
  const char* reduced = !beam->shares.empty() ? "fewer elements" : beam->modal ? "fewer modes" : "modes: 3";
  return finding<FindingCode::beam_steps>(
      "frequency"_a = std::abs(vibration.lambda), "beam"_a = vibration.owner,
      "advice"_a = dies(vibration.lambda)
                       ? fmt::format("{} or {}", step::stiff_method, reduced)
                       : fmt::format("{} ({} would follow that vibration too)", reduced, step::stiff_method));
}

}  // namespace armature::internal
