#include "study/optimize.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <memory>

namespace armature::internal {

namespace {

constexpr double slack = 1e-8;  // by which an inequality may be missed

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

// What NLopt calls: objective and inequalities at the same point ask for one motion.
class DesignSearch {
 public:
  DesignSearch(const std::vector<Axis>& box, int inequalities, const Objective& objective,
               const MinimizeOptions& options)
      : box_(box), inequalities_(static_cast<std::size_t>(inequalities)), objective_(objective), options_(options) {}

  Minimum run(const std::vector<double>& start) {
    const Method& method = methods().at(options_.method);
    const auto n = static_cast<unsigned>(box_.size());
    const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> owner(
        nlopt_create(inequalities_ > 0 ? method.constrained : method.plain, n), nlopt_destroy);
    optimizer_ = owner.get();
    nlopt_set_min_objective(optimizer_, &DesignSearch::value, this);
    nlopt_set_lower_bounds1(optimizer_, 0);
    nlopt_set_upper_bounds1(optimizer_, 1);
    nlopt_set_xtol_abs1(optimizer_, options_.tolerance);
    nlopt_set_maxeval(optimizer_, options_.evaluations);
    const std::vector<double> tolerances(inequalities_, slack);
    if (inequalities_ > 0)
      nlopt_add_inequality_mconstraint(optimizer_, static_cast<unsigned>(inequalities_), &DesignSearch::excess, this,
                                       tolerances.data());
    std::vector<double> x;
    for (std::size_t d = 0; d < box_.size(); ++d)
      x.push_back(std::clamp((start[d] - box_[d].from) / (box_[d].to - box_[d].from), 0.0, 1.0));
    double least = 0;
    nlopt_optimize(optimizer_, x.data(), &least);
    if (error_) std::rethrow_exception(error_);
    choose();
    return minimum_;
  }

 private:
  static double value(unsigned n, const double* x, double* gradient, void* self) {
    auto& search = *static_cast<DesignSearch*>(self);
    const Evaluation& evaluation = search.at(x);
    if (gradient) search.write_gradient(evaluation, 0, {gradient, n});
    return std::isfinite(evaluation.objective) ? evaluation.objective : search.worse_than_all();
  }

  static void excess(unsigned m, double* result, unsigned n, const double* x, double* gradient, void* self) {
    const auto& search = *static_cast<DesignSearch*>(self);
    const Evaluation& evaluation = static_cast<DesignSearch*>(self)->at(x);
    for (unsigned k = 0; k < m; ++k) {
      const double amount = evaluation.inequalities[k];
      result[k] = std::isfinite(amount) ? amount : 0;
      if (gradient) search.write_gradient(evaluation, k + 1, {gradient + std::size_t{k} * n, n});
    }
  }

  // In the unit box. Where there is none the function seems flat, and the method goes back.
  void write_gradient(const Evaluation& evaluation, Eigen::Index row, std::span<double> out) const {
    for (std::size_t d = 0; d < out.size(); ++d) {
      const double slope = evaluation.gradients.size() > 0
                               ? evaluation.gradients(row, static_cast<Eigen::Index>(d)) * (box_[d].to - box_[d].from)
                               : 0;
      out[d] = std::isfinite(slope) ? slope : 0;
    }
  }

  const Evaluation& at(const double* x) {
    Evaluation evaluation;
    for (std::size_t d = 0; d < box_.size(); ++d)
      evaluation.point.push_back(x[d] >= 1 ? box_[d].to : box_[d].from + (box_[d].to - box_[d].from) * x[d]);
    if (!minimum_.evaluations.empty() && minimum_.evaluations.back().point == evaluation.point)
      return minimum_.evaluations.back();
    evaluation.inequalities.assign(inequalities_, 0);
    evaluation.objective = std::numeric_limits<double>::quiet_NaN();
    if (evaluate(evaluation)) return minimum_.evaluations.emplace_back(std::move(evaluation));
    nlopt_force_stop(optimizer_);
    return nothing_ = std::move(evaluation);
  }

  // False: the search ends. NLopt counts calls of the objective; with inequalities it may look at more points.
  bool evaluate(Evaluation& evaluation) {
    if (static_cast<int>(minimum_.evaluations.size()) >= options_.evaluations) return false;
    try {
      minimum_.stopped = minimum_.stopped || !objective_(evaluation);
    } catch (...) {
      error_ = std::current_exception();  // must not pass through NLopt, which is C
    }
    return !minimum_.stopped && !error_;
  }

  double worse_than_all() const {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Evaluation& evaluation : minimum_.evaluations)
      if (std::isfinite(evaluation.objective)) {
        least = std::min(least, evaluation.objective);
        most = std::max(most, evaluation.objective);
      }
    return most < least ? 1e10 : most + (most - least) + 1;
  }

  void choose() {
    const auto& list = minimum_.evaluations;
    for (std::size_t k = 0; k < list.size(); ++k)
      if (list[k].feasible() &&
          (minimum_.best < 0 || list[k].objective < list[static_cast<std::size_t>(minimum_.best)].objective))
        minimum_.best = static_cast<int>(k);
  }

  const std::vector<Axis>& box_;
  std::size_t inequalities_;
  const Objective& objective_;
  const MinimizeOptions& options_;
  nlopt_opt optimizer_ = nullptr;
  Minimum minimum_;
  Evaluation nothing_;
  std::exception_ptr error_;
};

}  // namespace

bool Evaluation::feasible() const {
  return std::isfinite(objective) && std::ranges::all_of(inequalities, [](double g) { return g <= slack; });
}

const std::vector<std::string>& minimize_methods() {
  static const std::vector<std::string> names{"bobyqa", "cobyla", "nelder_mead", "subplex", "direct", "gradient"};
  return names;
}

bool takes_inequalities(const std::string& method) { return methods().at(method).constrained != NLOPT_NUM_ALGORITHMS; }

bool takes_gradients(const std::string& method) { return method == "gradient"; }

Minimum minimize(const std::vector<Axis>& box, const std::vector<double>& start, int inequalities,
                 const Objective& objective, const MinimizeOptions& options) {
  return DesignSearch(box, inequalities, objective, options).run(start);
}

}  // namespace armature::internal
