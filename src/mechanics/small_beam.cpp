#include "mechanics/small_beam.hpp"

#include <cmath>

namespace armature::internal {

SmallBeam::SmallBeam(const Body& body, EquationsBuilder& builder) : BeamShape(body, builder) {
  for (const Beam::Motion& motion : beam_.motions) {
    const BeamFieldShape& field = fields_[static_cast<int>(motion.field)].emplace(body, motion, h_, builder);
    coordinates_.insert(coordinates_.end(), field.coordinates().begin(), field.coordinates().end());
  }
}

Expression SmallBeam::slope(BeamField which, Station at) const {
  return field(which) ? field(which)->slope(at.element, at.xi) : Expression(0.0);
}

// The angle of the last turn.
Expression SmallBeam::twist(Station at) const {
  Expression angle = 0.0;
  if (const Field& theta = field(BeamField::twist)) angle = theta->value(at.element, at.xi);
  if (beam_.foreshortening) angle -= 0.5 * (slope(BeamField::bend_y, at) * slope(BeamField::bend_z, at));
  return angle;
}

Vec3 SmallBeam::axis_point(Station at) const {
  Vec3 p{(at.element + at.xi) * h_, 0.0, 0.0};
  if (const Field& u = field(BeamField::stretch)) p[0] += u->value(at.element, at.xi);
  int axis = 1;
  for (BeamField which : {BeamField::bend_y, BeamField::bend_z}) {
    if (const Field& w = field(which)) {
      p[axis] = w->value(at.element, at.xi);
      if (beam_.foreshortening) p[0] -= w->shortening(at.element, at.xi);
    }
    ++axis;
  }
  return p;
}

FlexiblePose SmallBeam::element_frame(int e) const {
  FlexiblePose frame;
  frame.axis = {0.0, 0.0, 1.0};
  if (!beam_.foreshortening || e == 0) return frame;
  for (BeamField which : {BeamField::bend_y, BeamField::bend_z})
    if (const Field& w = field(which)) frame.p[0] -= w->shortening(e - 1, 1);
  return frame;
}

std::vector<FlexiblePose> SmallBeam::section(Station at) const {
  std::vector<FlexiblePose> turns{{{}, {0.0, 0.0, 1.0}, slope(BeamField::bend_y, at)},
                                  {{}, {0.0, -1.0, 0.0}, slope(BeamField::bend_z, at)},
                                  {{}, {1.0, 0.0, 0.0}, twist(at)}};
  std::erase_if(turns, [](const FlexiblePose& turn) { return turn.angle.is(0); });
  if (turns.empty()) turns.push_back({{}, {0.0, 0.0, 1.0}, 0.0});
  turns[0].p = axis_point(at);
  return turns;
}

std::vector<BeamShape::Mass> SmallBeam::masses() const {
  const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2)),
               outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
  const double heavy = (18 + std::sqrt(30.0)) / 72, light = (18 - std::sqrt(30.0)) / 72;  // weights on [0, 1]
  std::vector<Mass> points;
  for (int e = 0; e < beam_.elements; ++e)
    for (const auto& [place, weight] : {std::pair{-outer, light}, {-inner, heavy}, {inner, heavy}, {outer, light}})
      points.push_back(
          {e, {axis_point({e, (1 + place) / 2}), {0.0, 0.0, 1.0}}, {weight * (line_density_ * h_), {}, {}}});
  return points;
}

// A third of an element's inertia at each end and in the middle: the mass matrix of small_beam_basis.hpp.
std::vector<BeamShape::Spin> SmallBeam::spins() const {
  if (beam_.planar) return {};
  const Field& theta = field(BeamField::twist);
  if (!theta) return {{line_spin_ * length_, 0.0}};
  const Expression third = line_spin_ * h_ / 3.0;
  std::vector<Spin> spins{{third, theta->value(0, 0)}};
  for (int e = 0; e < beam_.elements; ++e) {
    spins.push_back({third, theta->value(e, 0.5)});
    spins.push_back({(e + 1 < beam_.elements ? 2.0 : 1.0) * third, theta->value(e, 1)});
  }
  return spins;
}

}  // namespace armature::internal
