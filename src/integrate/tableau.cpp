#include "integrate/tableau.hpp"

#include <stdexcept>

#include "step/methods.hpp"

namespace armature::internal {

const Tableau* find_tableau(const std::string& name) {
  const step::Method* method = step::find_method(name);
  return method && method->tableau ? &method->tableau() : nullptr;
}

const Tableau& tableau(const std::string& name) {
  if (const Tableau* method = find_tableau(name)) return *method;
  throw std::out_of_range(name);
}

Eigen::MatrixXd stage_weights(const Tableau& method) {
  Eigen::MatrixXd A(method.stages, method.stages);
  for (int i = 0; i < method.stages; ++i)
    for (int j = 0; j < method.stages; ++j) A(i, j) = method.A[i][j];
  return A;
}

Eigen::VectorXd end_weights(const Tableau& method) {
  return Eigen::Map<const Eigen::VectorXd>(method.b, method.stages);
}

}  // namespace armature::internal
