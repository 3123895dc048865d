// Signals of a model and their derivatives, as the tests of this folder ask for them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/formula_tree.hpp"
#include "sensitivity/signal_motion.hpp"
#include "support/run_model.hpp"

namespace armature::internal {

struct SignalCase {
  // names: free parameters; signals: formulas of the moment.
  SignalCase(Model model, const std::vector<std::string>& names, const std::vector<std::string>& signals,
             std::vector<double> times) {
    model.record = {};
    for (std::size_t k = 0; k < signals.size(); ++k)
      model.record.quantities.emplace_back(fmt::format("#{}", k), parse_formula(signals[k], {}));
    Prepared compiled = compile(model, names);
    missing = SignalStudy::missing(compiled);
    std::vector<Expression> observed(signals.size(), 0.0);
    for (const Quantity& quantity : compiled.system->equations().quantities)
      if (quantity.name.starts_with('#'))
        observed[static_cast<std::size_t>(std::stoi(quantity.name.substr(1)))] = quantity.value;
    own = compiled.parameters;
    study = std::make_unique<SignalStudy>(std::move(compiled), observed, std::move(times));
    order = study->prepared().system->equations().p_name;
  }

  // Where a free parameter stands among all.
  Eigen::Index place(const std::string& name) const { return std::ranges::find(order, name) - order.begin(); }

  Eigen::MatrixXd values_at(const Eigen::VectorXd& parameters) {
    SignalRun run(*study);
    EXPECT_EQ(run.run({parameters}, stop), RunStatus::finished) << run.sentence();
    steps = run.steps();
    return run.values();
  }

  // One row for each time and signal, one column for each parameter.
  Eigen::MatrixXd derivatives_at(const Eigen::VectorXd& parameters) {
    SignalRun run(*study);
    const auto n = parameters.size();
    EXPECT_EQ(run.run({parameters, Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Ones(n)}, stop),
              RunStatus::finished)
        << run.sentence();
    values = run.values();
    steps = run.steps();
    return run.derivatives();
  }

  // Differences of fourth order of motions, steps relative to the parameters.
  Eigen::MatrixXd differences_at(const Eigen::VectorXd& parameters, double part) {
    Eigen::MatrixXd result;
    for (Eigen::Index k = 0; k < parameters.size(); ++k) {
      const double h = part * std::max(std::abs(parameters[k]), 1e-3);
      Eigen::MatrixXd sum;
      for (const auto& [at, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
        Eigen::VectorXd beside = parameters;
        beside[k] += at * h;
        const Eigen::MatrixXd there = values_at(beside).transpose();
        if (sum.size() == 0) sum.setZero(there.rows(), there.cols());
        sum += weight / (12 * h) * there;
      }
      if (k == 0) result.resize(sum.size(), parameters.size());
      result.col(k) = Eigen::Map<const Eigen::VectorXd>(sum.data(), sum.size());
    }
    return result;
  }

  std::string missing;
  Eigen::VectorXd own;  // the model's values of the free parameters
  std::vector<std::string> order;
  std::unique_ptr<SignalStudy> study;
  Eigen::MatrixXd values;
  long steps = 0;
  std::atomic<bool> stop = false;
};

// The largest difference of each column, against the largest entry of the column.
inline double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  double largest = 0;
  for (Eigen::Index k = 0; k < a.cols(); ++k)
    largest = std::max(largest, (a.col(k) - b.col(k)).cwiseAbs().maxCoeff() / b.col(k).cwiseAbs().maxCoeff());
  return largest;
}

}  // namespace armature::internal
