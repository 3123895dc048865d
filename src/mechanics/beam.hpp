// A flexible body in its own frame, as the tree of links sees it: frames of its elements one after another, sections anywhere
// along it, masses between them, and the forces that straighten it. Two theories fill it in: small_beam.hpp for small deflections,
// large_beam.hpp for any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "mechanics/builder.hpp"
#include "mechanics/tree.hpp"

namespace armature::internal {

using Quaternion = std::array<Expression, 4>;  // scalar first, of any length but zero

// A frame that moves with the elastic coordinates, seen from another: at p, turned by an angle about an axis or by a quaternion.
struct FlexiblePose {
  Vec3 p{}, axis{};
  Expression angle = 0;
  std::optional<Quaternion> turn = {};  // in place of axis and angle

  Mat3 rotation() const;
  Pose pose() const { return {rotation(), p}; }
  FlexiblePose inverse() const;
  bool moves() const;
  using Direction = std::function<Expression(Expression)>;  // the derivative of an expression if coordinates change so
  Vec3 turned_along(const Direction& direction) const;      // how fast it turns then: in its own axes
};

class BeamShape {
 public:
  virtual ~BeamShape() = default;

  const std::vector<NamedCoordinate>& coordinates() const { return coordinates_; }
  int elements() const { return beam_.elements; }
  bool is_large() const { return beam_.large; }

  // x/length of a place on the beam; throws FormulaError where it is not a constant from 0 to 1.
  double share_of(const Vec3& at, Location where) const;
  struct Station {
    int element;
    double xi;
  };
  Station station(double share) const;

  // Each element has a frame: in the frame of the one before.
  virtual FlexiblePose element_frame(int e) const = 0;
  // From the frame of its element to the section.
  virtual std::vector<FlexiblePose> section(Station at) const = 0;
  // From the beam's frame to the section.
  std::vector<FlexiblePose> path(Station at) const;

  struct Mass {
    int element;  // in whose frame it is
    FlexiblePose at;
    MassProperties mass;
  };
  virtual std::vector<Mass> masses() const = 0;
  // Moments of inertia about the axis of the beam's frame, which turn by the twist there.
  struct Spin {
    Expression inertia, twist;
  };
  virtual std::vector<Spin> spins() const { return {}; }

  // Elastic energy, and damping that knows the beam in its frame only.
  virtual void add_elasticity(EquationsBuilder& builder) const = 0;

  // Moments that the section transmits, about its x (torque), y and z; and the energy of all its strains.
  virtual Vec3 moment(Station at) const = 0;
  virtual Expression strain_energy() const = 0;
  bool has_edges() const { return beam_.edge_y.given() && beam_.edge_z.given(); }
  // Of the outermost fibre: the largest that these moments cause in the section. Throws FormulaError where the file gives no shape.
  Expression bending_stress(const Vec3& moment, Location where) const;

 protected:
  BeamShape(const Body& body, EquationsBuilder& builder);

  Beam beam_;
  std::vector<NamedCoordinate> coordinates_;
  Expression length_, h_, EA_, EI_y_, EI_z_, GJ_, line_density_, line_spin_, mass_damping_, stiffness_damping_, ratio_;

 private:
  Expression I_y_, I_z_, edge_y_, edge_z_;
  LeafMap parameters_, other_parameters_;
};

// Adds the beam's coordinates to the builder, or finds them. Throws FormulaError.
std::unique_ptr<BeamShape> make_beam_shape(const Body& body, EquationsBuilder& builder);

}  // namespace armature::internal
