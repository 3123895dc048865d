// Numbers of an element of a beam that bends far (large_beam.hpp): its shapes, its quadrature, and the matrices of a beam that is
// nearly straight. Along an element, xi from 0 to 1, a turn is
//
//   psi(xi) = sum_k c_k S_k(xi),   S_k(xi) = int_0^xi P_k(2 s - 1) ds,   k = 0 … 3
//
// with Legendre's polynomials P_k: c_0 is the turn of the whole element, the others bend it within. They are orthogonal: in a plane the
// strain energy is EI/2h sum c_k^2/(2 k + 1).
#pragma once

#include <Eigen/Core>
#include <array>

namespace armature::internal::large_beam {

constexpr int shapes = 4;  // of each kind an element: curvature is cubic
constexpr int points = 6;  // of Gauss: products of two deflections are of degree 10

using Shapes = std::array<double, shapes>;
using Weights = std::array<double, points>;

Shapes turns(double xi);       // S_k
Shapes curvatures(double xi);  // P_k(2 xi - 1)

const Weights& gauss_places();  // on [0, 1]
const Weights& gauss_weights();
Weights integral_weights(double xi);  // int_0^xi f = sum of these times f(gauss_places)

// Of a straight beam that is clamped at its first end, in the coordinates c_k of its elements, one after another. Without units:
//
//            bending        twist         stretch (one coordinate an element)
//   K over   EI/h           GJ/h          EA/h
//   M over   rho A h^3      rho I_p h     rho A h
struct Matrices {
  Eigen::MatrixXd K, M;
  Eigen::MatrixXd C;  // M sqrt(M^-1 K): every mode has the same share 1/2 of its critical damping
};
Matrices bending_matrices(int elements);
Matrices twist_matrices(int elements);
Matrices stretch_matrices(int elements);

}  // namespace armature::internal::large_beam
