// One field along a beam as expressions of its coordinates: a deflection w(x) (cubic elements), the twist or the stretch
// (linear elements). In the element e, x = h (e + xi):
//
//   w(x) = N1 w_e + N2 h w'_e + N3 w_(e+1) + N4 h w'_(e+1)        (Hermite)
#pragma once

#include <string>
#include <vector>

#include "mechanics/builder.hpp"
#include "mechanics/small_beam_basis.hpp"

namespace armature::internal {

class BeamFieldShape {
 public:
  // Adds the field's coordinates to the builder, or finds them.
  BeamFieldShape(const Body& body, const Beam::Motion& motion, Expression h, EquationsBuilder& builder);

  const std::vector<NamedCoordinate>& coordinates() const { return coordinates_; }

  // At xi of element e.
  Expression value(int e, double xi) const;
  Expression slope(int e, double xi) const;       // dw/dx
  Expression curvature(int e, double xi) const;   // d^2 w/dx^2, of a deflection
  Expression shortening(int e, double xi) const;  // 1/2 int w'^2 from node e to xi, of a deflection

  // Scales of stiffness and mass (see small_beam_basis.hpp), and of the damping matrix a m M + b k K + 2 ratio sqrt(k m) C.
  struct Scales {
    Expression k, m, a, b, ratio;
  };
  void add_elasticity(const Scales& scales, EquationsBuilder& builder) const;
  Expression energy(const Scales& scales) const;  // 1/2 k x'K x

 private:
  bool bends() const { return kind_ == FieldKind::bending; }
  std::array<Expression, 4> element(int e) const;  // w, h w' at the two nodes of a deflection

  FieldKind kind_;
  Expression h_;
  FieldBasis basis_;
  std::vector<NamedCoordinate> coordinates_;
  std::vector<Expression> scaled_, scaled_rate_;  // coordinates in the units of the basis: h times a slope
  std::vector<Expression> nodes_;                 // by node: w and h w', or the value
  std::vector<Expression> slopes_;                // by node: w'
};

}  // namespace armature::internal
