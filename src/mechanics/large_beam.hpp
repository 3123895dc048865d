// A beam that bends as far as it likes: a Kirchhoff rod, geometrically exact. Its axis keeps its length (unless it stretches) and its
// sections stay perpendicular to it, so that only turns are coordinates. In an element of length h, xi from 0 to 1, the section is
// turned against the element's first one by the rotation vector psi(xi), a polynomial (large_beam_basis.hpp):
//
//   R(xi) = exp [psi]x,   p(xi) = (h + s) int_0^xi R e_x,   K = R' dR/dx  (curvatures, of the section's axes)
//   V = 1/2 int GJ K_x^2 + EI_y K_y^2 + EI_z (K_z - a/length)^2 + EA s^2/2h
//
// with the stretch s of the element and the angle a of the arc that the relaxed beam is. The next element begins where this one ends,
// so that turns of elements add up like those of joints: angles have no limit but that of one element, a full turn. In a plane
// psi is one angle, and V is a sum of squares. The integrals are Gauss sums: they make p, and the motion conserves energy with it.
// (Reissner 1972; Simo and Vu-Quoc, Comp. Meth. Appl. Mech. Eng. 58, 1986; turns as the coordinates: Cesarek, Saje, Zupan 2012.)
#pragma once

#include <array>
#include <vector>

#include "mechanics/beam.hpp"
#include "mechanics/large_beam_basis.hpp"

namespace armature::internal {

class LargeBeam : public BeamShape {
 public:
  LargeBeam(const Body& body, EquationsBuilder& builder);

  FlexiblePose element_frame(int e) const override;
  std::vector<FlexiblePose> section(Station at) const override;
  std::vector<Mass> masses() const override;

  void add_elasticity(EquationsBuilder& builder) const override;
  Vec3 moment(Station at) const override;
  Expression strain_energy() const override;

 private:
  using ElementCoordinates = std::vector<NamedCoordinate>;  // c_0 … c_3, or s alone
  using Field = std::vector<ElementCoordinates>;            // by element; empty: the beam does not move so
  const Field& field(BeamField which) const { return fields_[static_cast<int>(which)]; }
  void add_field(const Body& body, const Beam::Motion& motion, EquationsBuilder& builder);

  bool is_spatial() const { return !field(BeamField::twist).empty(); }
  Expression sum(BeamField which, int e, const large_beam::Shapes& shapes) const;
  Vec3 turn(Station at) const;            // psi
  FlexiblePose turned(Station at) const;  // by psi, at the element's origin
  Vec3 axis_point(Station at) const;
  Vec3 curvature(Station at) const;  // against the relaxed arc

  // What straightens an element: 1/2 stiffness value^2 each.
  struct Strain {
    Expression value, stiffness;
  };
  std::vector<Strain> strains(int e) const;
  void add_strain_forces(int e, EquationsBuilder& builder) const;
  void add_modal_damping(BeamField which, EquationsBuilder& builder) const;

  Expression arc_;  // of an element, rad
  bool arc_along_z_;
  std::array<Field, 4> fields_;
  std::vector<std::array<Vec3, large_beam::points>> tangents_;  // R e_x at the Gauss points, by element
};

}  // namespace armature::internal
