// The shape of a beam in its own frame. A point x of its axis is at
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

#include "mechanics/beam_field.hpp"

namespace armature::internal {

// A frame that moves with the elastic coordinates, seen from another: turned by an angle about an axis, at p.
struct FlexiblePose {
  Vec3 p{}, axis{};
  Expression angle = 0;
  Pose pose() const { return {rotation(axis, angle), p}; }
  FlexiblePose inverse() const;
  bool moves() const {
    return !(p[0].is_constant() && p[1].is_constant() && p[2].is_constant() && angle.is_constant());
  }
};

class BeamShape {
 public:
  // Adds the beam's coordinates to the builder, or finds them. Throws FormulaError.
  BeamShape(const Body& body, EquationsBuilder& builder);

  const std::vector<NamedCoordinate>& coordinates() const { return coordinates_; }
  int elements() const { return beam_.elements; }

  // x/length of a place on the beam; throws FormulaError where it is not a constant from 0 to 1.
  double share_of(const Vec3& at, Location where) const;
  struct Station {
    int element;
    double xi;
  };
  Station station(double share) const;

  // Each element has a frame, drawn back by the foreshortening of those before it: in the frame of the one before.
  FlexiblePose element_frame(int e) const;
  // From the frame of its element to the section.
  std::vector<FlexiblePose> section(Station at) const;
  // From the beam's frame to the section.
  std::vector<FlexiblePose> path(Station at) const;

  // Quadrature points that are exact for products of two cubics: four Gauss points an element. In the frame of the element.
  struct MassPoint {
    int element;
    Expression mass;
    Vec3 p;
  };
  std::vector<MassPoint> mass_points() const;
  // Moments of inertia about the axis, which turn by the twist there; of spatial beams.
  struct Spin {
    Expression inertia, twist;
  };
  std::vector<Spin> spins() const;

  // Elastic energy, and damping that knows the beam in its frame only.
  void add_elasticity(EquationsBuilder& builder) const;

 private:
  using Field = std::optional<BeamFieldShape>;
  BeamFieldShape::Scales scales(BeamField field) const;
  const Field& field(BeamField which) const { return fields_[static_cast<int>(which)]; }
  Expression slope(BeamField which, Station at) const;
  Expression twist(Station at) const;
  Vec3 axis_point(Station at) const;
  Expression coupling_energy() const;

  Beam beam_;
  std::array<Field, 4> fields_;
  std::vector<NamedCoordinate> coordinates_;
  Expression length_, h_, EA_, EI_y_, EI_z_, GJ_, line_density_, line_spin_, mass_damping_, stiffness_damping_, ratio_;
  LeafMap parameters_, other_parameters_;
};

}  // namespace armature::internal
