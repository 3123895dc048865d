// The classical explicit methods and Dormand-Prince 5(4).
#include "integrate/tableau.hpp"

#include <map>
#include <stdexcept>

namespace armature {
namespace {

Tableau plain(const std::string& name, int order, int s) {
  Tableau method;
  method.name = name;
  method.order = order;
  method.A = Eigen::MatrixXd::Zero(s, s);
  method.b = method.c = Eigen::VectorXd::Zero(s);
  return method;
}

Tableau euler() {
  Tableau method = plain("euler", 1, 1);
  method.b << 1;
  return method;
}

Tableau midpoint() {
  Tableau method = plain("rk2", 2, 2);
  method.c << 0, 1.0 / 2;
  method.A(1, 0) = 1.0 / 2;
  method.b << 0, 1;
  return method;
}

// Kutta, Z. Math. Phys. 46 (1901).
Tableau classical() {
  Tableau method = plain("rk4", 4, 4);
  method.c << 0, 1.0 / 2, 1.0 / 2, 1;
  method.A(1, 0) = method.A(2, 1) = 1.0 / 2;
  method.A(3, 2) = 1;
  method.b << 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6;
  return method;
}

// Dormand & Prince, J. Comp. Appl. Math. 6 (1980); dense output of order 4 by Shampine, Math. Comp. 46 (1986).
Tableau dormand_prince_54() {
  Tableau method = plain("dopri5", 5, 6);
  method.c << 0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1;
  method.A.row(1).head(1) << 1.0 / 5;
  method.A.row(2).head(2) << 3.0 / 40, 9.0 / 40;
  method.A.row(3).head(3) << 44.0 / 45, -56.0 / 15, 32.0 / 9;
  method.A.row(4).head(4) << 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729;
  method.A.row(5).head(5) << 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656;
  method.b << 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84;

  method.error_order = 5;
  method.stable = 3.3;
  method.E.resize(1, 7);
  method.E << 71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40;

  method.dense_order = 4;
  method.D.resize(1, 7);
  method.D << -12715105075.0 / 11282082432.0, 0, 87487479700.0 / 32700410799.0, -10690763975.0 / 1880347072.0,
      701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0;
  return method;
}

std::map<std::string, Tableau> all_tableaus() {
  std::map<std::string, Tableau> methods;
  for (const Tableau& method : {euler(), midpoint(), classical(), dormand_prince_54(), dormand_prince_853()})
    methods.emplace(method.name, method);
  return methods;
}

}  // namespace

const Tableau* find_tableau(const std::string& name) {
  static const std::map<std::string, Tableau> methods = all_tableaus();
  const auto found = methods.find(name);
  return found == methods.end() ? nullptr : &found->second;
}

const Tableau& tableau(const std::string& name) {
  if (const Tableau* method = find_tableau(name)) return *method;
  throw std::out_of_range(name);
}

}  // namespace armature
