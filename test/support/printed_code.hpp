// The functions that `armature equations --format c` and `--format python` print, compiled or interpreted and called.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "dynamics/dynamics.hpp"
#include "inspect/equations.hpp"
#include "prepare/setup.hpp"
#include "support/run_model.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {

// A model whose voltages are numbers: in the equations they are inputs, and what commands them is not a part of these.
inline Model with_constant_voltages(Model model) {
  double volts = 2;
  for (Drive& drive : model.drives)
    if (drive.commands("voltage")) drive.command.is = number_formula(volts += 0.5);
  return model;
}

// The start of a model, with other rates of all that moves, and what the printed function gets there.
class PrintedCode {
 public:
  explicit PrintedCode(const Model& model)
      : model_(with_constant_voltages(model)), printed_(printed_equations(model_)), prepared_(prepared(model_)) {
    State state = prepared_.start;
    const Layout& n = prepared_.system->layout();
    for (int i = 0; i < n.nv; ++i) state.x[n.nq + i] += 0.1 * std::cos(i + 1.0);
    state_ = state;
  }

  // M v' + C v + D v + K q + g - (B u + Q - Phi' lambda) with the accelerations and multipliers of the engine, over the sum of the sizes
  // of its terms: the largest of all rows. Phi v' - gamma, too.
  double residual(PrintingStyle language) const {
    const auto dynamics = make_dynamics(prepared_);
    State state = state_;
    dynamics->set_state(state);
    dynamics->follow_roots(true);
    Eigen::VectorXd xdot(dynamics->size());
    if (!dynamics->derivative(state.t, state.x.data(), xdot.data())) throw std::runtime_error("no acceleration");
    const Layout& n = prepared_.system->layout();
    const Eigen::VectorXd q = state.x.head(n.nq), v = state.x.segment(n.nq, n.nv), a = dynamics->acceleration().vdot,
                          lambda = dynamics->acceleration().lambda;
    const std::vector<double> inputs = inputs_at(state);
    const auto matrices = called(language, q, v, inputs);
    double worst = 0;
    const auto check = [&](const std::vector<std::pair<double, double>>& products) {
      double sum = 0, size = 1e-300;
      for (const auto& [x, y] : products) sum += x * y, size += std::abs(x * y);
      worst = std::max(worst, std::isfinite(sum) ? std::abs(sum) / size : 1e300);
    };
    const auto entry = [&](const char* name, int row, int columns, int column) {
      const auto place = matrices.find(name);
      return place == matrices.end() ? 0.0 : place->second.at(static_cast<std::size_t>(row * columns + column));
    };
    const int inputs_count = static_cast<int>(printed_.inputs.size());
    for (int i = 0; i < n.nv; ++i) {
      std::vector<std::pair<double, double>> products{{entry("g", i, 1, 0), 1}, {-entry("Q", i, 1, 0), 1}};
      for (int j = 0; j < n.nv; ++j) {
        products.emplace_back(entry("M", i, n.nv, j), a[j]);
        for (const char* name : {"C", "D"}) products.emplace_back(entry(name, i, n.nv, j), v[j]);
        if (matrices.contains("K")) products.emplace_back(entry("K", i, n.nv, j), q[j]);
      }
      for (int k = 0; k < inputs_count; ++k)
        products.emplace_back(-entry("B", i, inputs_count, k),
                              input_named(printed_.inputs[static_cast<std::size_t>(k)], inputs));
      for (int r = 0; r < lambda.size(); ++r) products.emplace_back(entry("Phi", r, n.nv, i), lambda[r]);
      check(products);
    }
    for (int r = 0; r < lambda.size(); ++r) {
      std::vector<std::pair<double, double>> products{{-entry("gamma", r, 1, 0), 1}};
      for (int j = 0; j < n.nv; ++j) products.emplace_back(entry("Phi", r, n.nv, j), a[j]);
      check(products);
    }
    return worst;
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto* list : {&printed_.states, &printed_.inputs, &printed_.held})
      for (const std::string& name : *list)
        if (std::ranges::find(all, name) == all.end()) all.push_back(name);
    return all;
  }
  double input_named(const std::string& name, const std::vector<double>& inputs) const {
    const std::vector<std::string> all = names();
    return inputs.at(static_cast<std::size_t>(std::ranges::find(all, name) - all.begin()));
  }

  std::vector<double> inputs_at(const State& state) const {
    std::map<std::string, double> known;
    const Equations& e = prepared_.system->equations();
    const Layout& n = prepared_.system->layout();
    for (const Parameter& parameter : model_.parameters) known[parameter.name] = parameter.value;
    for (const HostInput& input : model_.inputs) known[input.name] = input.value;
    for (const Drive& drive : model_.drives)
      if (drive.commands("voltage")) known[drive.name + ".voltage"] = drive.command.is.root->value;
    for (int i = 0; i < n.nz; ++i) known[e.others[static_cast<std::size_t>(i)].name] = state.x[n.nq + n.nv + i];
    for (std::size_t i = 0; i < e.discrete.size(); ++i) {
      const std::string& name = e.discrete[i].name;
      const bool corrects = std::ranges::find(e.references, name, &AngleReference::name) != e.references.end();
      known[corrects ? "correction of " + name : name] = state.d[static_cast<Eigen::Index>(i)];
    }
    std::vector<double> values;
    for (const std::string& name : names()) values.push_back(known.at(name));
    return values;
  }

  std::map<std::string, std::vector<double>> called(PrintingStyle language, const Eigen::VectorXd& q,
                                                    const Eigen::VectorXd& v, const std::vector<double>& inputs) const {
    return language == PrintingStyle::c ? called_c(q, v, inputs) : called_python(q, v, inputs);
  }

  static std::string list(const auto& numbers) {
    std::string text;
    for (const double x : numbers) text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", x);
    return text;
  }

  std::vector<std::pair<std::string, std::size_t>> sizes() const {
    std::vector<std::pair<std::string, std::size_t>> all;
    for (const auto& [name, entries] : {std::pair{"M", &printed_.M},
                                        {"C", &printed_.C},
                                        {"D", &printed_.D},
                                        {"K", &printed_.K},
                                        {"g", &printed_.g},
                                        {"B", &printed_.B},
                                        {"Q", &printed_.Q},
                                        {"phi", &printed_.phi},
                                        {"Phi", &printed_.Phi},
                                        {"gamma", &printed_.gamma}})
      if (!entries->empty()) all.emplace_back(name, entries->size());
    return all;
  }

  // The program prints every entry in a line of its own.
  std::map<std::string, std::vector<double>> read(const TemporaryFolder& folder, const std::string& command) const {
    if (std::system(("cd '" + folder.path().string() + "' && " + command).c_str()) != 0)
      throw std::runtime_error("the printed code does not run: " + command);
    std::ifstream in(folder.path() / "x");
    std::vector<double> numbers;
    for (std::string word; in >> word;) numbers.push_back(std::stod(word));
    std::map<std::string, std::vector<double>> result;
    std::size_t at = 0;
    for (const auto& [name, size] : sizes())
      for (std::size_t k = 0; k < size; ++k) result[name].push_back(numbers.at(at++));
    return result;
  }

  std::map<std::string, std::vector<double>> called_c(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                      const std::vector<double>& inputs) const {
    const TemporaryFolder folder;
    std::ofstream code(folder.path() / "m.c");
    code << equations_code(printed_, PrintingStyle::c) << "#include <stdio.h>\nint main(void) {\n";
    const auto array = [&](const std::string& name, const auto& values) {
      code << fmt::format("  const double {}[] = {{{}{}}};\n", name, list(values), std::size(values) == 0 ? "0" : "");
    };
    array("q", q), array("v", v), array("u", inputs);
    std::string arguments, prints;
    for (const auto& [name, size] : sizes()) {
      code << fmt::format("  static double {}_[{}];\n", name, size);
      arguments += fmt::format(", {}_", name);
      prints += fmt::format("  for (int i = 0; i < {}; ++i) printf(\"%.17g\\n\", {}_[i]);\n", size, name);
    }
    code << fmt::format("  equations({:.17g}, q, v, u{});\n{}  return 0;\n}}\n", state_.t, arguments, prints)
         << std::flush;
    return read(folder, "cc -std=c99 -Wall -Wno-unused -pedantic -Werror -o m m.c -lm && ./m > x");
  }

  std::map<std::string, std::vector<double>> called_python(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                           const std::vector<double>& inputs) const {
    const TemporaryFolder folder;
    std::ofstream code(folder.path() / "m.py");
    code << equations_code(printed_, PrintingStyle::python)
         << fmt::format("\nr = equations({:.17g}, [{}], [{}], [{}])\n", state_.t, list(q), list(v), list(inputs));
    for (const auto& [name, size] : sizes())
      code << fmt::format(
          "for row in r[\"{}\"]:\n    for x in row if isinstance(row, list) else [row]:\n        "
          "print(repr(float(x)))\n",
          name);
    code << std::flush;
    return read(folder, "python3 m.py > x");
  }

  Model model_;
  PrintedEquations printed_;
  Prepared prepared_;
  State state_;
};

}  // namespace armature::internal
