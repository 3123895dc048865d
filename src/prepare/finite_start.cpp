#include "prepare/finite_start.hpp"

#include <fmt/format.h>

#include <cmath>

namespace armature::internal {
namespace {

const char* in_words(double value) { return std::isnan(value) ? "not a number" : "infinite"; }

// The column of the first entry of a row that is not finite, -1: none.
int first_not_finite(const SparseMatrix& A, int row) {
  for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry)
    if (!std::isfinite(entry.value())) return static_cast<int>(entry.col());
  return -1;
}

// What a row comes from, as the file names it.
struct Origin {
  std::string key;
  Location where;
};

Origin origin_of(const Model& model, const std::string& owner) {
  Origin origin{owner, {}};  // of the command line
  const auto look = [&](const auto& list, const char* section) {
    for (const auto& each : list)
      if (each.name == owner && each.where.line > 0) origin = {section + owner, each.where};
  };
  look(model.joints, "joints.");
  look(model.distances, "constraints.");
  look(model.prescribed, "constraints.");
  look(model.lagrangian.constraints, "lagrangian.constraints.");
  return origin;
}

[[noreturn]] void refuse_row(const Model& model, const ConstraintRow& row, const std::string& what) {
  const Origin origin = origin_of(model, row.owner);
  throw ModelError(model, {{origin.where, origin.key, what}});
}

void refuse_rows(const Model& model, const Equations& e, const SparseTerms& terms) {
  for (int i = 0; i < terms.Phi.rows(); ++i) {
    if (!std::isfinite(terms.phi[i]))
      refuse_row(
          model, e.rows[i],
          fmt::format("is {} at the start; start from another pose, or change its formula", in_words(terms.phi[i])));
    if (const int k = first_not_finite(terms.Phi, i); k >= 0)
      refuse_row(model, e.rows[i],
                 fmt::format("its derivative with respect to {} is {} at the start: a root, a norm or a quotient is "
                             "singular there. Start from another pose, or write the constraint without it",
                             e.velocities[k].joint, in_words(terms.Phi.coeff(i, k))));
  }
}

void refuse_masses(const Model& model, const Equations& e, const SparseTerms& terms) {
  for (int i = 0; i < terms.M.rows(); ++i) {
    const int k = first_not_finite(terms.M, i);
    if (k < 0) continue;
    const std::string what =
        fmt::format("the inertia along {} is {} at the start", e.velocities[i].joint, in_words(terms.M.coeff(i, k)));
    if (model.lagrangian.given) throw ModelError(model, {{model.lagrangian.kinetic.where, "lagrangian.kinetic", what}});
    throw ModelError(model, {{{},
                              "joints." + e.velocities[i].joint,
                              what + ": a mass, a length or a formula of what it moves is too large"}});
  }
}

}  // namespace

void refuse_not_finite(const Model& model, SystemEvaluator& evaluator, const State& start) {
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.set(start.t, start.x.data());
  evaluator.position(terms);
  refuse_rows(model, evaluator.system().equations(), terms);
  refuse_masses(model, evaluator.system().equations(), terms);
}

}  // namespace armature::internal
