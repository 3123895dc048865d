#include "mechanics/beam.hpp"

#include <cmath>

namespace armature::internal {

FlexiblePose FlexiblePose::inverse() const {
  const Mat3 R = rotation(axis, angle);
  return {-(transpose(R) * p), axis, -angle};
}

BeamShape::BeamShape(const Body& body, EquationsBuilder& builder) : beam_(*body.beam) {
  const Expression E = builder.scalar(beam_.youngs_modulus), rho = builder.scalar(beam_.density),
                   A = builder.scalar(beam_.area), I_y = builder.scalar(beam_.I_y), I_z = builder.scalar(beam_.I_z);
  length_ = builder.scalar(beam_.length);
  h_ = length_ / static_cast<double>(beam_.elements);
  EA_ = E * A, EI_y_ = E * I_y, EI_z_ = E * I_z;
  GJ_ = builder.scalar(beam_.shear_modulus) * builder.scalar(beam_.J);
  line_density_ = rho * A, line_spin_ = rho * (I_y + I_z);
  mass_damping_ = builder.scalar(beam_.mass_damping), stiffness_damping_ = builder.scalar(beam_.stiffness_damping);
  ratio_ = builder.scalar(beam_.damping_ratio);

  // free parameters: their values, and others to tell whether something depends on them
  const Equations& equations = builder.equations();
  for (std::size_t k = 0; k < equations.p.size(); ++k) {
    parameters_[equations.p[k].id()] = equations.p_value[k];
    other_parameters_[equations.p[k].id()] = (1.1 + 0.07 * static_cast<double>(k)) * equations.p_value[k] + 0.01;
  }
  for (const Beam::Motion& motion : beam_.motions) {
    const BeamFieldShape& field = fields_[static_cast<int>(motion.field)].emplace(body, motion, h_, builder);
    coordinates_.insert(coordinates_.end(), field.coordinates().begin(), field.coordinates().end());
  }
}

double BeamShape::share_of(const Vec3& at, Location where) const {
  const Expression moving = at[0] / length_;
  const Expression share = Substitution(parameters_)(moving), elsewhere = Substitution(other_parameters_)(moving);
  constexpr double same = 1e-12;
  if (!share.is_constant() || !elsewhere.is_constant() || std::abs(share.value() - elsewhere.value()) > same)
    throw FormulaError(where, "a place on a beam must be a constant share of its length");
  constexpr double rounding = 1e-12;
  if (share.value() < -rounding || share.value() > 1 + rounding)
    throw FormulaError(where, "lies beyond the ends of the beam");
  // places at nodes are meant to be there
  const double node = std::round(share.value() * beam_.elements) / beam_.elements;
  return std::abs(node - share.value()) < rounding ? node : share.value();
}

BeamShape::Station BeamShape::station(double share) const {
  const double place = share * beam_.elements;
  const int e = std::min(static_cast<int>(place), beam_.elements - 1);
  return {e, place - e};
}

Expression BeamShape::slope(BeamField which, Station at) const {
  return field(which) ? field(which)->slope(at.element, at.xi) : Expression(0.0);
}

// The angle of the last turn.
Expression BeamShape::twist(Station at) const {
  Expression angle = 0.0;
  if (const Field& theta = field(BeamField::twist)) angle = theta->value(at.element, at.xi);
  if (beam_.foreshortening) angle -= 0.5 * (slope(BeamField::bend_y, at) * slope(BeamField::bend_z, at));
  return angle;
}

Vec3 BeamShape::axis_point(Station at) const {
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

FlexiblePose BeamShape::element_frame(int e) const {
  FlexiblePose frame;
  frame.axis = {0.0, 0.0, 1.0};
  if (!beam_.foreshortening || e == 0) return frame;
  for (BeamField which : {BeamField::bend_y, BeamField::bend_z})
    if (const Field& w = field(which)) frame.p[0] -= w->shortening(e - 1, 1);
  return frame;
}

std::vector<FlexiblePose> BeamShape::section(Station at) const {
  std::vector<FlexiblePose> turns{{{}, {0.0, 0.0, 1.0}, slope(BeamField::bend_y, at)},
                                  {{}, {0.0, -1.0, 0.0}, slope(BeamField::bend_z, at)},
                                  {{}, {1.0, 0.0, 0.0}, twist(at)}};
  std::erase_if(turns, [](const FlexiblePose& turn) { return turn.angle.is(0); });
  if (turns.empty()) turns.push_back({{}, {0.0, 0.0, 1.0}, 0.0});
  turns[0].p = axis_point(at);
  return turns;
}

std::vector<FlexiblePose> BeamShape::path(Station at) const {
  std::vector<FlexiblePose> steps;
  for (int e = 1; e <= at.element; ++e) steps.push_back(element_frame(e));
  for (const FlexiblePose& turn : section(at)) steps.push_back(turn);
  return steps;
}

std::vector<BeamShape::MassPoint> BeamShape::mass_points() const {
  const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2)),
               outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
  const double heavy = (18 + std::sqrt(30.0)) / 72, light = (18 - std::sqrt(30.0)) / 72;  // weights on [0, 1]
  std::vector<MassPoint> points;
  for (int e = 0; e < beam_.elements; ++e)
    for (const auto& [place, weight] : {std::pair{-outer, light}, {-inner, heavy}, {inner, heavy}, {outer, light}})
      points.push_back({e, weight * (line_density_ * h_), axis_point({e, (1 + place) / 2})});
  return points;
}

// A third of an element's inertia at each end and in the middle: the mass matrix of beam_basis.hpp.
std::vector<BeamShape::Spin> BeamShape::spins() const {
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
