#include "integrate/tableau.hpp"

#include <array>
#include <stdexcept>

#include "step/dop853.hpp"
#include "step/tableaus.hpp"

namespace armature::internal {

const Tableau* find_tableau(const std::string& name) {
  static const std::array methods = {&step::euler(), &step::midpoint(), &step::classical(), &step::dormand_prince_54(),
                                     &step::dormand_prince_853()};
  for (const Tableau* method : methods)
    if (name == method->name) return method;
  return nullptr;
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
