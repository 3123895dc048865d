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

constexpr double slack = 1e-8;     // by which an inequality may be missed
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

// What NLopt calls: objective and inequalities at the same point ask for one motion.
class DesignSearch {
 public:
  DesignSearch(const std::vector<Axis>& box, int inequalities, const Objective& objective,
               const MinimizeOptions& options, int cases)
      : box_(box),
        inequalities_(static_cast<std::size_t>(inequalities)),
        cases_(static_cast<std::size_t>(cases)),
        objective_(objective),
        options_(options),
        bounds_worst_(cases > 1 && takes_inequalities(options.method)) {}

  Minimum run(const std::vector<double>& start) {
    std::vector<double> x;
    for (std::size_t d = 0; d < box_.size(); ++d)
      x.push_back(std::clamp((start[d] - box_[d].from) / (box_[d].to - box_[d].from), 0.0, 1.0));
    if (bounds_worst_ && !begin_with_worst(x)) return finish();
    const std::size_t rows = inequalities_ + (bounds_worst_ ? cases_ : 0);
    const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> owner(
        nlopt_create(algorithm(options_.method, x.size(), rows > 0), static_cast<unsigned>(x.size())), nlopt_destroy);
    optimizer_ = owner.get();
    std::vector<double> lower(x.size(), 0.0), upper(x.size(), 1.0);
    if (bounds_worst_) lower.back() = -HUGE_VAL, upper.back() = HUGE_VAL;
    nlopt_set_min_objective(optimizer_, &DesignSearch::value, this);
    nlopt_set_lower_bounds(optimizer_, lower.data());
    nlopt_set_upper_bounds(optimizer_, upper.data());
    nlopt_set_xtol_abs1(optimizer_, options_.tolerance);
    nlopt_set_maxeval(optimizer_, bounds_worst_ ? 10 * options_.evaluations : options_.evaluations);
    const std::vector<double> tolerances(rows, slack);
    if (rows > 0)
      nlopt_add_inequality_mconstraint(optimizer_, static_cast<unsigned>(rows), &DesignSearch::excess, this,
                                       tolerances.data());
    double least = 0;
    nlopt_optimize(optimizer_, x.data(), &least);
    return finish();
  }

 private:
  Minimum finish() {
    if (error_) std::rethrow_exception(error_);
    choose();
    return minimum_;
  }

  // s, in units of its first value. False: the search is stopped.
  bool begin_with_worst(std::vector<double>& x) {
    const double first = at(x.data()).objective;
    if (minimum_.stopped || error_) return false;
    worst_unit_ = std::isfinite(first) && first != 0 ? std::abs(first) : 1;
    x.push_back(std::isfinite(first) ? first / worst_unit_ : 0);
    return true;
  }

  static double value(unsigned n, const double* x, double* gradient, void* self) {
    auto& search = *static_cast<DesignSearch*>(self);
    if (search.bounds_worst_) {
      if (gradient) std::fill_n(gradient, n, 0.0), gradient[n - 1] = 1;
      return x[n - 1];
    }
    const Evaluation& evaluation = search.at(x);
    const auto worst =
        evaluation.cases.empty() ? 0 : std::ranges::max_element(evaluation.cases) - evaluation.cases.begin();
    if (gradient) search.write_gradient(evaluation, worst, 1, {gradient, n});
    return std::isfinite(evaluation.objective) ? evaluation.objective : search.worse_than_all();
  }

  // The cases, each in units of s and at most s; then the inequalities.
  static void excess(unsigned m, double* result, unsigned n, const double* x, double* gradient, void* self) {
    auto& search = *static_cast<DesignSearch*>(self);
    const Evaluation& evaluation = search.at(x);
    const unsigned cases = search.bounds_worst_ ? static_cast<unsigned>(search.cases_) : 0;
    if (gradient) std::fill_n(gradient, std::size_t{m} * n, 0.0);
    for (unsigned k = 0; k < m; ++k) {
      const double unit = k < cases ? search.worst_unit_ : 1;
      const double amount =
          k < cases ? evaluation.cases.empty() ? NAN : evaluation.cases[k] : evaluation.inequalities[k - cases];
      const double known = std::isfinite(amount) ? amount : k < cases ? search.worse_than_all() : 0;
      result[k] = known / unit - (k < cases ? x[n - 1] : 0);
      if (!gradient) continue;
      double* row = gradient + std::size_t{k} * n;
      const Eigen::Index place = k < cases ? k : k - cases + static_cast<Eigen::Index>(search.cases_);
      search.write_gradient(evaluation, place, unit, {row, search.box_.size()});
      if (k < cases) row[n - 1] = -1;
    }
  }

  // In the unit box. Where there is none the function seems flat, and the method goes back.
  void write_gradient(const Evaluation& evaluation, Eigen::Index row, double unit, std::span<double> out) const {
    for (std::size_t d = 0; d < out.size(); ++d) {
      const double slope = evaluation.gradients.size() > 0 ? evaluation.gradients(row, static_cast<Eigen::Index>(d)) *
                                                                 (box_[d].to - box_[d].from) / unit
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
    if (optimizer_) nlopt_force_stop(optimizer_);
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
  std::size_t inequalities_, cases_;
  const Objective& objective_;
  const MinimizeOptions& options_;
  bool bounds_worst_;
  double worst_unit_ = 1;
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
                 const Objective& objective, const MinimizeOptions& options, int cases) {
  return DesignSearch(box, inequalities, objective, options, cases).run(start);
}

}  // namespace armature::internal
