// The interior point method of Ipopt.
#include <IpIpoptApplication.hpp>
#include <IpIpoptCalculatedQuantities.hpp>
#include <IpTNLP.hpp>
#include <algorithm>
#include <cmath>

#include "plan/interior_point.hpp"
#include "plugin/plugin.hpp"

namespace armature::internal {

namespace {

using Ipopt::Index;
using Ipopt::Number;

class IpoptProblem final : public Ipopt::TNLP {
 public:
  IpoptProblem(const NonlinearProgram& program, const std::vector<double>& guess, const InteriorPointOptions& options)
      : program_(program),
        guess_(guess),
        options_(options),
        jacobian_(program.jacobian_structure()),
        hessian_(program.hessian_structure()) {
    result_.x = guess;
  }
  const InteriorPointResult& result() const { return result_; }

  bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian, IndexStyleEnum& style) override {
    n = program_.variables(), m = program_.rows();
    jacobian = static_cast<Index>(jacobian_.size()), hessian = static_cast<Index>(hessian_.size());
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index, Number* lower, Number* upper, Index, Number* low, Number* high) override {
    std::ranges::copy(program_.lower(), lower), std::ranges::copy(program_.upper(), upper);
    std::ranges::copy(program_.low(), low), std::ranges::copy(program_.high(), high);
    return true;
  }
  bool get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    std::ranges::copy(guess_, x);
    return true;
  }
  bool eval_f(Index, const Number* x, bool, Number& value) override {
    value = program_.cost_at(x);
    return !stopped_ && std::isfinite(value);
  }
  bool eval_grad_f(Index, const Number* x, bool, Number* gradient) override {
    program_.gradient(x, gradient);
    return !stopped_;
  }
  bool eval_g(Index, const Number* x, bool, Index m, Number* g) override {
    program_.rows_at(x, g);
    return !stopped_ && std::all_of(g, g + m, [](double value) { return std::isfinite(value); });
  }
  bool eval_jac_g(Index, const Number* x, bool, Index, Index, Index* rows, Index* columns, Number* values) override {
    if (!values) return copy(jacobian_, rows, columns);
    program_.jacobian(x, values);
    return !stopped_;
  }
  bool eval_h(Index, const Number* x, bool, Number factor, Index, const Number* multipliers, bool, Index, Index* rows,
              Index* columns, Number* values) override {
    if (!values) return copy(hessian_, rows, columns);
    program_.hessian(x, factor, multipliers, values);
    return !stopped_;
  }
  bool intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number cost, Number infeasibility, Number, Number,
                             Number, Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    result_.iterations = iteration;
    if (options_.progress && !options_.progress(iteration, cost, infeasibility)) stopped_ = true;
    return !stopped_;
  }
  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number*, const Number*, Index m,
                         const Number* g, const Number* multipliers, Number cost, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    result_.x.assign(x, x + n);
    result_.rows.assign(g, g + m);
    result_.multipliers.assign(multipliers, multipliers + m);
    result_.cost = cost;
    for (Index k = 0; k < m; ++k)
      result_.infeasibility = std::max({result_.infeasibility, program_.low()[static_cast<std::size_t>(k)] - g[k],
                                        g[k] - program_.high()[static_cast<std::size_t>(k)]});
  }

 private:
  static bool copy(const std::vector<NonlinearProgram::Triplet>& structure, Index* rows, Index* columns) {
    for (const auto& [row, column] : structure) *rows++ = row, *columns++ = column;
    return true;
  }

  const NonlinearProgram& program_;
  const std::vector<double>& guess_;
  const InteriorPointOptions& options_;
  std::vector<NonlinearProgram::Triplet> jacobian_, hessian_;
  InteriorPointResult result_;
  bool stopped_ = false;
};

SolveStatus status_of_ipopt(Ipopt::ApplicationReturnStatus status) {
  switch (status) {
    case Ipopt::Solve_Succeeded: return SolveStatus::solved;
    case Ipopt::Solved_To_Acceptable_Level: return SolveStatus::acceptable;
    case Ipopt::Infeasible_Problem_Detected: return SolveStatus::infeasible;
    case Ipopt::Maximum_Iterations_Exceeded:
    case Ipopt::Maximum_CpuTime_Exceeded: return SolveStatus::exhausted;
    case Ipopt::User_Requested_Stop: return SolveStatus::stopped;
    default: return SolveStatus::failed;
  }
}

}  // namespace

class IpoptSolver final : public InteriorPointSolver {
 public:
  InteriorPointResult solve(const NonlinearProgram& program, const std::vector<double>& guess,
                            const InteriorPointOptions& options) const override;
};

InteriorPointResult IpoptSolver::solve(const NonlinearProgram& program, const std::vector<double>& guess,
                                       const InteriorPointOptions& options) const {
  Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication(false);
  const auto set = [&](const char* name, auto value) {
    if constexpr (std::is_same_v<decltype(value), int>)
      application->Options()->SetIntegerValue(name, value);
    else if constexpr (std::is_same_v<decltype(value), double>)
      application->Options()->SetNumericValue(name, value);
    else
      application->Options()->SetStringValue(name, value);
  };
  set("print_level", 0), set("sb", "yes");
  set("tol", options.tolerance), set("constr_viol_tol", 1e-10), set("acceptable_constr_viol_tol", 1e-9);
  set("max_iter", options.iterations);
  set("mu_strategy", "adaptive");
  set("linear_solver", "mumps");
  set("mumps_mem_percent", 200);
  set("bound_relax_factor", 0.0);
  if (options.warm)
    set("mu_init", 1e-4), set("mu_strategy", "monotone"), set("bound_push", 1e-6), set("bound_frac", 1e-6);
  if (application->Initialize() != Ipopt::Solve_Succeeded) return {};
  Ipopt::SmartPtr<IpoptProblem> problem = new IpoptProblem(program, guess, options);
  const Ipopt::ApplicationReturnStatus status = application->OptimizeTNLP(Ipopt::GetRawPtr(problem));
  InteriorPointResult result = problem->result();
  result.status = status_of_ipopt(status);
  return result;
}

}  // namespace armature::internal

ARMATURE_PLUGIN(ipopt, InteriorPointSolver, IpoptSolver);
