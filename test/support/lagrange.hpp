// Whether f of some equations without constraints is that of Lagrange, with T and V of the same build:
//
//   f_i = dT/dq_i - dV/dq_i - sum_k d(dT/dv_i)/dq_k v_k      (what is left of d/dt(dT/dv_i) at v' = 0)
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "mechanics/equations.hpp"

namespace armature::internal {

// At five random states; round-off against the largest force.
inline void expect_forces_of_lagrange(const Equations& e, const std::string& what) {
  const std::size_t n = e.v.size();
  std::vector<Expression> out;
  for (std::size_t i = 0; i < n; ++i) {
    const Expression momentum = Derivative({{e.v[i].id(), 1.0}})(e.kinetic);
    Derivative along({{e.q[i].id(), 1.0}});
    Expression force = along(e.kinetic) - along(e.potential);
    for (std::size_t k = 0; k < n; ++k) force -= Derivative({{e.q[k].id(), 1.0}})(momentum) * e.v[k];
    out.push_back(e.f[i]), out.push_back(force);
  }
  std::vector<Expression> in = e.q;
  in.insert(in.end(), e.v.begin(), e.v.end());
  Evaluator evaluator(std::make_shared<const Program>(in, out));
  std::srand(1);
  for (int state = 0; state < 5; ++state) {
    const Eigen::VectorXd x = Eigen::VectorXd::Random(in.size());
    Eigen::VectorXd y(out.size());
    evaluator(x.data(), y.data());
    const double largest = y.cwiseAbs().maxCoeff();
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(y[2 * i], y[2 * i + 1], 1e-12 * largest) << what << " " << e.velocities[i].name;
  }
}

}  // namespace armature::internal
