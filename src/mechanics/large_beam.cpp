#include "mechanics/large_beam.hpp"

#include "mechanics/rotation_vector.hpp"
#include "model/joint_components.hpp"

namespace armature::internal {

using large_beam::points;
using large_beam::Shapes;

LargeBeam::LargeBeam(const Body& body, EquationsBuilder& builder)
    : BeamShape(body, builder),
      arc_(builder.scalar(beam_.arc) / static_cast<double>(beam_.elements)),
      arc_along_z_(builder.model().plane == "xz") {
  for (const Beam::Motion& motion : beam_.motions) add_field(body, motion, builder);
  for (int e = 0; e < elements(); ++e)
    for (int i = 0; i < points; ++i) {
      if (i == 0) tangents_.emplace_back();
      tangents_.back()[i] = column(turned({e, large_beam::gauss_places()[i]}).rotation(), 0);
    }
}

void LargeBeam::add_field(const Body& body, const Beam::Motion& motion, EquationsBuilder& builder) {
  const std::vector<JointComponent> components = components_of(beam_, motion);
  Field& field = fields_[static_cast<int>(motion.field)];
  field.resize(static_cast<std::size_t>(elements()));
  const std::size_t each = components.size() / field.size();
  for (std::size_t c = 0; c < components.size(); ++c) {
    const auto kind = components[c].is_length ? Coordinate::Kind::length : Coordinate::Kind::angle;
    field[c / each].push_back(builder.add_coordinate(body.name + "." + components[c].name, kind, body.name));
    coordinates_.push_back(field[c / each].back());
  }
}

Expression LargeBeam::sum(BeamField which, int e, const Shapes& shapes) const {
  if (field(which).empty()) return 0.0;
  Expression sum = 0.0;
  const ElementCoordinates& c = field(which)[static_cast<std::size_t>(e)];
  for (std::size_t k = 0; k < c.size(); ++k)
    if (shapes[k] != 0) sum += shapes[k] * c[k].value;
  return sum;
}

// Bending along z turns about -y.
Vec3 LargeBeam::turn(Station at) const {
  const Shapes shapes = large_beam::turns(at.xi);
  Vec3 psi{sum(BeamField::twist, at.element, shapes), -sum(BeamField::bend_z, at.element, shapes),
           sum(BeamField::bend_y, at.element, shapes)};
  if (arc_along_z_)
    psi[1] -= at.xi * arc_;
  else
    psi[2] += at.xi * arc_;
  return psi;
}

FlexiblePose LargeBeam::turned(Station at) const {
  const Vec3 psi = turn(at);
  if (is_spatial()) {
    if (at.xi == 0) return {{}, {0.0, 0.0, 1.0}, 0.0};
    return {{}, {}, 0.0, quaternion_of(psi)};
  }
  if (psi[1].is(0)) return {{}, {0.0, 0.0, 1.0}, psi[2]};
  return {{}, {0.0, -1.0, 0.0}, -psi[1]};
}

Vec3 LargeBeam::axis_point(Station at) const {
  Expression h = h_;
  if (const Field& stretch = field(BeamField::stretch); !stretch.empty())
    h += stretch[static_cast<std::size_t>(at.element)][0].value;
  const large_beam::Weights weights = large_beam::integral_weights(at.xi);
  Vec3 mean{};
  for (int i = 0; i < points; ++i)
    if (weights[i] != 0) mean = mean + weights[i] * tangents_[static_cast<std::size_t>(at.element)][i];
  return h * mean;
}

FlexiblePose LargeBeam::element_frame(int e) const {
  return e == 0 ? FlexiblePose{{}, {0.0, 0.0, 1.0}, 0.0} : section({e - 1, 1})[0];
}

std::vector<FlexiblePose> LargeBeam::section(Station at) const {
  FlexiblePose frame = turned(at);
  frame.p = axis_point(at);
  return {frame};
}

// At the Gauss points; in space with the moment of inertia about the tangent there. The rotary inertia of bending is left out.
std::vector<BeamShape::Mass> LargeBeam::masses() const {
  std::vector<Mass> masses;
  for (int e = 0; e < elements(); ++e)
    for (int i = 0; i < points; ++i) {
      const Station at{e, large_beam::gauss_places()[i]};
      const Expression length = large_beam::gauss_weights()[i] * h_;
      MassProperties mass{line_density_ * length, {}, {}};
      FlexiblePose place{axis_point(at), {0.0, 0.0, 1.0}};
      if (is_spatial()) place.turn = turned(at).turn, mass.inertia(0, 0) = line_spin_ * length;
      masses.push_back({e, place, mass});
    }
  return masses;
}

}  // namespace armature::internal
