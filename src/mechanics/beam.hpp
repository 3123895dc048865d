// The shape of a planar beam in its own frame. Cubic elements of length h between nodes with deflection w and slope w':
//
//   w(x) = N1 w_e + N2 h w'_e + N3 w_(e+1) + N4 h w'_(e+1)        (Hermite, x = h (e + xi))
//
// and a material point x of the axis is at (x - 1/2 int_0^x w'^2, w(x)): bending does not stretch the axis, so it draws the
// points closer (foreshortening, to second order). A section turns by the angle w'(x).
#pragma once

#include <vector>

#include "mechanics/builder.hpp"

namespace armature {

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
  Expression length() const { return length_; }

  // The section at x = share * length; share from 0 to 1.
  FlexiblePose section(double share) const;
  // x/length of a place on the beam; throws FormulaError where it is not a constant from 0 to 1.
  double share_of(const Vec3& at, Location where) const;

  // Quadrature points that are exact for products of two cubics: four Gauss points an element.
  struct MassPoint {
    Expression mass;
    Vec3 p;
  };
  std::vector<MassPoint> mass_points() const;

  // Elastic energy 1/2 d'K d and Rayleigh's damping (a M + b K) d' of every element.
  void add_elasticity(EquationsBuilder& builder) const;

 private:
  struct Element {
    std::array<Expression, 4> d, rate;  // w, h w' at its two nodes; their rates
  };
  void add_nodes(const std::string& body, EquationsBuilder& builder);
  void add_modes(const std::string& body, EquationsBuilder& builder);
  Element element(int e) const;
  Expression shortening(const Element& element, double xi) const;  // 1/2 int w'^2 from its first node to xi

  Beam beam_;
  std::vector<NamedCoordinate> coordinates_;
  std::vector<Expression> w_, slope_, w_rate_, slope_rate_;  // by node
  Expression length_, h_, EI_, line_density_, mass_damping_, stiffness_damping_;
  LeafMap parameters_, other_parameters_;
  int across_ = 1;  // axis of deflection: y or z
  Vec3 turn_{};     // axis of positive slopes
};

}  // namespace armature
