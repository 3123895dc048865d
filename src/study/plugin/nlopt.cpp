// The methods of NLopt.
#include <nlopt.h>

#include <map>
#include <memory>

#include "plugin/plugin.hpp"
#include "study/minimizer.hpp"

namespace armature::internal {
namespace {

constexpr std::size_t many = 100;  // variables: the matrices of sequential quadratic programming cost more than motions

struct Method {
  nlopt_algorithm plain, constrained;
};

const std::map<std::string, Method>& methods() {
  static const std::map<std::string, Method> table{
      {"bobyqa", {NLOPT_LN_BOBYQA, NLOPT_NUM_ALGORITHMS}},          {"cobyla", {NLOPT_LN_COBYLA, NLOPT_LN_COBYLA}},
      {"nelder_mead", {NLOPT_LN_NELDERMEAD, NLOPT_NUM_ALGORITHMS}}, {"subplex", {NLOPT_LN_SBPLX, NLOPT_NUM_ALGORITHMS}},
      {"direct", {NLOPT_GN_DIRECT_L, NLOPT_GN_ORIG_DIRECT}},        {"gradient", {NLOPT_LD_SLSQP, NLOPT_LD_SLSQP}}};
  return table;
}

// With many variables a method that stores no matrix takes the place of sequential quadratic programming: L-BFGS, or with inequalities
// conservative convex separable approximations.
nlopt_algorithm algorithm(const std::string& name, std::size_t variables, bool constrained) {
  const Method& method = methods().at(name);
  if (name == "gradient" && variables > many) return constrained ? NLOPT_LD_CCSAQ : NLOPT_LD_LBFGS;
  return constrained ? method.constrained : method.plain;
}

struct Search {
  BoxProblem& problem;
  nlopt_opt optimizer;

  static double value(unsigned n, const double* x, double* gradient, void* self) {
    auto& [problem, optimizer] = *static_cast<Search*>(self);
    const double result = problem.value(n, x, gradient);
    if (problem.ended()) nlopt_force_stop(optimizer);
    return result;
  }
  static void excess(unsigned m, double* result, unsigned n, const double* x, double* gradient, void* self) {
    auto& [problem, optimizer] = *static_cast<Search*>(self);
    problem.excess(m, result, n, x, gradient);
    if (problem.ended()) nlopt_force_stop(optimizer);
  }
};

}  // namespace

class Nlopt final : public Minimizer {
 public:
  void minimize(BoxProblem& problem, const BoxSearch& box, std::vector<double>& x) const override {
    const std::size_t rows = box.tolerances.size();
    const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimizer(
        nlopt_create(algorithm(box.method, x.size(), rows > 0), static_cast<unsigned>(x.size())), nlopt_destroy);
    Search search{problem, optimizer.get()};
    nlopt_set_min_objective(optimizer.get(), &Search::value, &search);
    nlopt_set_lower_bounds(optimizer.get(), box.lower.data());
    nlopt_set_upper_bounds(optimizer.get(), box.upper.data());
    nlopt_set_xtol_abs1(optimizer.get(), box.tolerance);
    nlopt_set_maxeval(optimizer.get(), box.evaluations);
    if (rows > 0)
      nlopt_add_inequality_mconstraint(optimizer.get(), static_cast<unsigned>(rows), &Search::excess, &search,
                                       box.tolerances.data());
    double least = 0;
    nlopt_optimize(optimizer.get(), x.data(), &least);
  }
};

}  // namespace armature::internal

ARMATURE_PLUGIN(nlopt, Minimizer, Nlopt);
