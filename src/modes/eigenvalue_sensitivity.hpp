// How eigenvalues change with parameters, the equilibrium moving along with them. With the pencil of small vibrations about
// an equilibrium, in phi = (dtheta, dz, dlambda), dq = N dtheta,
//
//            [ s^2 M + s dr/dv + dr/dq   dr/dz          Phi' ]
//   P(s,p) = [ -dzdot/dq - s dzdot/dv    s E - dzdot/dz      ]      P phi = 0,   w' P = 0,
//            [ Phi                                           ]
//
//   ds/dp = -(w' dP/dp phi) / (w' dP/ds phi)
//
// dP/dp phi is the second derivative of the residuals (r, -zdot, phi) along phi and along the way of the equilibrium,
// exact from their expressions: no differences are taken.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <vector>

#include "prepare/equilibrium.hpp"
#include "system/system.hpp"

namespace armature::internal {

// One row an eigenvalue, one column a free parameter of the system (Equations::p). NaN where an eigenvalue is repeated: its
// parts have no derivative each.
Eigen::MatrixXcd eigenvalue_sensitivity(const std::shared_ptr<const System>& system, const Equilibrium& equilibrium,
                                        const std::vector<std::complex<double>>& eigenvalues);

}  // namespace armature::internal
