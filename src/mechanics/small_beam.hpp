// The shape of a beam with small deflections, in its own frame. A point x of its axis is at
//
//   p(x) = (x + u - 1/2 int_0^x (y'^2 + z'^2), y, z)
//
// with the deflections y(x), z(x) and the stretch u(x): bending does not stretch the axis, so it draws the points closer
// (foreshortening, to second order). The section there is turned by
//
//   R(x) = Rot(z, y') Rot(-y, z') Rot(x, theta - y' z'/2)
//
// which has the tangent (1, y', z') and the twist theta, both to second order. Its curvatures to second order give the
// strain energy (Hodges and Dowell, NASA TN D-7818, 1974), right to third order and never negative:
//
//   V = 1/2 int EI_z (y'' + theta z'')^2 + EI_y (z'' - theta y'')^2 + GJ (theta' + (y'' z' - y' z'')/2)^2 + EA u'^2
//
// The products are what makes a narrow beam buckle sideways. A planar beam has one deflection and keeps what is left of it.
#pragma once

#include <optional>
#include <vector>

#include "mechanics/beam.hpp"
#include "mechanics/small_beam_field.hpp"

namespace armature::internal {

class SmallBeam : public BeamShape {
 public:
  SmallBeam(const Body& body, EquationsBuilder& builder);

  // Drawn back by the foreshortening of the elements before it.
  FlexiblePose element_frame(int e) const override;
  std::vector<FlexiblePose> section(Station at) const override;

  // Quadrature points that are exact for products of two cubics: four Gauss points an element.
  std::vector<Mass> masses() const override;
  std::vector<Spin> spins() const override;  // of spatial beams

  void add_elasticity(EquationsBuilder& builder) const override;
  Vec3 moment(Station at) const override;
  Expression strain_energy() const override;

 private:
  using Field = std::optional<BeamFieldShape>;
  BeamFieldShape::Scales scales(BeamField field) const;
  const Field& field(BeamField which) const { return fields_[static_cast<int>(which)]; }
  Expression slope(BeamField which, Station at) const;
  Expression curvature(BeamField which, Station at) const;
  Expression twist(Station at) const;
  Vec3 axis_point(Station at) const;
  bool is_coupled() const;  // whether the products in the curvatures are there
  Expression coupling_energy() const;

  std::array<Field, 4> fields_;
};

}  // namespace armature::internal
