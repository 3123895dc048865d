#include "dynamics/formulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <stdexcept>

namespace armature::internal {

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names{"auto",       "multipliers",    "partition",
                                              "null_space", "udwadia_kalaba", "proximal"};
  return names;
}

namespace {

void prepare_partition(const FormulationOptions& options, int nv, int m, Partition& partition) {
  const std::set<int> distinct(options.independent.begin(), options.independent.end());
  const bool inside = distinct.empty() || (*distinct.begin() >= 0 && *distinct.rbegin() < nv);
  const bool counted = distinct.empty() || static_cast<int>(distinct.size()) == nv - m;
  if (!inside || !counted || distinct.size() != options.independent.size()) {
    throw std::invalid_argument(fmt::format(
        "partition: {} velocities and {} constraint rows need {} different independent velocities, {} were given", nv,
        m, nv - m, options.independent.size()));
  }
  partition.independent = options.independent;
  partition.repartition = options.repartition;
}

}  // namespace

Formulation::Formulation(const FormulationOptions& options, int nv, int m) : name_(options.name), m_(m) {
  if (name_ == "auto") {
    solver_.emplace<RankRevealing>();
  } else if (name_ == "multipliers") {
    solver_.emplace<Multipliers>();
  } else if (name_ == "partition") {
    prepare_partition(options, nv, m, solver_.emplace<Partition>());
  } else if (name_ == "null_space") {
    solver_.emplace<NullSpace>();
  } else if (name_ == "udwadia_kalaba") {
    solver_.emplace<UdwadiaKalaba>();
  } else if (name_ == "proximal") {
    solver_.emplace<Proximal>();
  } else {
    throw std::invalid_argument(
        fmt::format("unknown formulation '{}': one of {}", name_, fmt::join(formulation_names(), ", ")));
  }
  if (m == 0) solver_.emplace<RankRevealing>();  // without constraints all are M vdot = f
  std::visit([&](auto& solver) { solver.resize(nv, m); }, solver_);
}

void Formulation::set_groups(const std::vector<int>& groups) {
  std::visit([&](auto& solver) { solver.rows.set_groups(groups); }, solver_);
}

void Formulation::solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) {
  std::visit([&](auto& solver) { solver.solve(terms, b, acceleration); }, solver_);
}

void Formulation::solve(const SparseTerms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) {
  std::get<RankRevealing>(solver_).solve(terms, b, acceleration);
}

std::string Formulation::refusal(const Acceleration& acceleration) const {
  if (acceleration.ok) return {};
  const bool full_rank_only = name_ == "multipliers" || name_ == "partition";
  if (full_rank_only && acceleration.rank > 0 && acceleration.rank < m_) {
    return fmt::format(
        "formulation {} needs independent constraint rows, but Phi has rank {} of {} here; use formulation auto, "
        "null_space, udwadia_kalaba or proximal",
        name_, acceleration.rank, m_);
  }
  if (name_ == "partition" && acceleration.rank == m_) {
    return "the dependent block of formulation partition is singular here; choose other independent coordinates, or "
           "repartition: true, or formulation auto";
  }
  return "the mass matrix is not positive definite here, or a formula has no finite value";
}

}  // namespace armature::internal
