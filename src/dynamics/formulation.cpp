// The factories of the formulations, one for each row of model/formulations.def.
#include "dynamics/formulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "model/diagnostics.hpp"
#include "model/formulations.hpp"

namespace armature::internal {

using MakeFormulation = std::unique_ptr<FormulationSolver>(const FormulationOptions&, int nv, int m);

// Defined by the files of the formulations.
#define FORMULATION(name, ...) MakeFormulation make_##name##_formulation;
#include "model/formulations.def"
#undef FORMULATION

namespace {

MakeFormulation* const makers[] = {
#define FORMULATION(name, ...) make_##name##_formulation,
#include "model/formulations.def"
#undef FORMULATION
};

bool needs_full_rank(const std::string& name) {
  return std::ranges::find(formulation_table, name, &FormulationWords::name)->needs_full_rank;
}

// "auto, null_space, udwadia_kalaba or proximal"
std::string those_of_any_rank() {
  std::vector<std::string> names;
  for (const FormulationWords& words : formulation_table)
    if (!words.needs_full_rank) names.emplace_back(words.name);
  return one_of(names);
}

}  // namespace

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const FormulationWords& words : formulation_table) all.emplace_back(words.name);
    return all;
  }();
  return names;
}

Formulation::Formulation(const FormulationOptions& options, int nv, int m)
    : name_(options.name), m_(m), is_auto_(options.name == "auto" || m == 0) {
  const auto row = std::ranges::find(formulation_table, name_, &FormulationWords::name);
  if (row == std::end(formulation_table))
    throw std::invalid_argument(
        fmt::format("unknown formulation '{}': one of {}", name_, fmt::join(formulation_names(), ", ")));
  solver_ = makers[row - std::begin(formulation_table)](options, nv, m);
  if (m == 0) solver_ = make_auto_formulation(options, nv, m);  // without constraints all are M vdot = f
  solver_->resize(nv, m);
}

void Formulation::set_groups(const std::vector<int>& groups) { solver_->rows.set_groups(groups); }

void Formulation::solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) {
  solver_->solve(terms, b, acceleration);
}

void Formulation::solve(const SparseTerms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) {
  solver_->solve_sparse(terms, b, acceleration);
}

std::string Formulation::refusal(const Acceleration& acceleration) const {
  if (acceleration.ok) return {};
  if (needs_full_rank(name_) && acceleration.rank > 0 && acceleration.rank < m_)
    return fmt::format(
        "formulation {} needs independent constraint rows, but Phi has rank {} of {} here; use formulation {}", name_,
        acceleration.rank, m_, those_of_any_rank());
  if (std::string reason = solver_->refusal(acceleration); !reason.empty()) return reason;
  return "the mass matrix is not positive definite here, or a formula has no finite value";
}

}  // namespace armature::internal
