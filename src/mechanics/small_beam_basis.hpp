// Numbers of a field along a beam of n elements of length h whose frame stands still: its shapes, its stiffness, mass and
// damping matrices, its modes. Bending is cubic in each element, with (w, h w') at the nodes; twist and stretch are linear,
// with their value there. So written they do not depend on length, section and material:
//
//            bending               stretch           twist
//   K over   EI/h^3                EA/h              GJ/h
//   M over   rho A h/420           rho A h/6         rho I_p h/12
//
// The mass of the twist is the mean of the consistent and the lumped one, whose errors of second order cancel.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace armature::internal {

enum class FieldKind { bending, twist, stretch };

struct FieldBasis {
  std::vector<int> moving;  // nodal values that are free, in order: (w, h w') of node 0, of node 1, …
  Eigen::MatrixXd shapes;   // all nodal values for a unit of each coordinate
  Eigen::MatrixXd K, M;     // in the coordinates
  Eigen::MatrixXd C;        // M sqrt(M^-1 K): every mode has the same share 1/2 of its critical damping
};

// Nodal coordinates, or as many of the lowest modes: clamped at the first end, or, for bending in the chord frame, pinned at
// both. A mode is scaled so that its largest nodal deflection is 1.
FieldBasis field_basis(FieldKind kind, int elements, bool chord, int modes);

// Of all nodal values, those that hold the frame included.
Eigen::MatrixXd nodal_stiffness(FieldKind kind, int elements);
Eigen::MatrixXd nodal_mass(FieldKind kind, int elements);

using Row4 = std::array<double, 4>;
using Block4 = std::array<Row4, 4>;
Row4 cubic_shapes(double xi);       // N_i, of (w, h w', w, h w')
Row4 cubic_slopes(double xi);       // dN_i/dxi
Row4 cubic_curvatures(double xi);   // d^2 N_i/dxi^2
Block4 slope_integrals(double xi);  // int_0^xi N_i' N_j'

}  // namespace armature::internal
