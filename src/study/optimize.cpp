#include "study/optimize.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "plugin/plugin.hpp"
#include "study/minimizer.hpp"

namespace armature::internal {

namespace {

constexpr double slack = 1e-8;  // by which an inequality may be missed

// What NLopt calls: objective and inequalities at the same point ask for one motion.
class DesignSearch final : public BoxProblem {
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
    const Minimizer& minimizer = plugin<Minimizer>("nlopt");
    std::vector<double> x;
    for (std::size_t d = 0; d < box_.size(); ++d)
      x.push_back(std::clamp((start[d] - box_[d].from) / (box_[d].to - box_[d].from), 0.0, 1.0));
    if (bounds_worst_ && !begin_with_worst(x)) return finish();
    const std::size_t rows = inequalities_ + (bounds_worst_ ? cases_ : 0);
    BoxSearch search{options_.method,
                     std::vector<double>(x.size(), 0.0),
                     std::vector<double>(x.size(), 1.0),
                     options_.tolerance,
                     bounds_worst_ ? 10 * options_.evaluations : options_.evaluations,
                     std::vector<double>(rows, slack)};
    if (bounds_worst_) search.lower.back() = -HUGE_VAL, search.upper.back() = HUGE_VAL;
    minimizer.minimize(*this, search, x);
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

  double value(std::size_t n, const double* x, double* gradient) override {
    if (bounds_worst_) {
      if (gradient) std::fill_n(gradient, n, 0.0), gradient[n - 1] = 1;
      return x[n - 1];
    }
    const Evaluation& evaluation = at(x);
    const auto worst =
        evaluation.cases.empty() ? 0 : std::ranges::max_element(evaluation.cases) - evaluation.cases.begin();
    if (gradient) write_gradient(evaluation, worst, 1, {gradient, n});
    return std::isfinite(evaluation.objective) ? evaluation.objective : worse_than_all();
  }

  // The cases, each in units of s and at most s; then the inequalities.
  void excess(std::size_t m, double* result, std::size_t n, const double* x, double* gradient) override {
    const Evaluation& evaluation = at(x);
    const std::size_t cases = bounds_worst_ ? cases_ : 0;
    if (gradient) std::fill_n(gradient, m * n, 0.0);
    for (std::size_t k = 0; k < m; ++k) {
      const double unit = k < cases ? worst_unit_ : 1;
      const double amount =
          k < cases ? evaluation.cases.empty() ? NAN : evaluation.cases[k] : evaluation.inequalities[k - cases];
      const double known = std::isfinite(amount) ? amount : k < cases ? worse_than_all() : 0;
      result[k] = known / unit - (k < cases ? x[n - 1] : 0);
      if (!gradient) continue;
      double* row = gradient + k * n;
      const std::size_t place = k < cases ? k : k - cases + cases_;
      write_gradient(evaluation, static_cast<Eigen::Index>(place), unit, {row, box_.size()});
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
    ended_ = true;
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

  bool ended() const override { return ended_; }

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
  bool ended_ = false;  // asked for more points than there may be, or stopped
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

bool takes_inequalities(const std::string& method) {
  return method == "cobyla" || method == "direct" || method == "gradient";
}

bool takes_gradients(const std::string& method) { return method == "gradient"; }

Minimum minimize(const std::vector<Axis>& box, const std::vector<double>& start, int inequalities,
                 const Objective& objective, const MinimizeOptions& options, int cases) {
  return DesignSearch(box, inequalities, objective, options, cases).run(start);
}

}  // namespace armature::internal
