#include "mechanics/beam.hpp"

#include <cmath>

#include "mechanics/large_beam.hpp"
#include "mechanics/small_beam.hpp"

namespace armature::internal {

namespace {

Vec3 vector_part(const Quaternion& q) { return {q[1], q[2], q[3]}; }

Expression square_of(const Quaternion& q) { return q[0] * q[0] + dot(vector_part(q), vector_part(q)); }

// R = ((e0^2 - e.e) E + 2 e e' + 2 e0 [e]x)/|q|^2
Mat3 rotation_by(const Quaternion& q) {
  const Vec3 e = vector_part(q);
  const Expression two = 2.0 / square_of(q), ee = dot(e, e);
  Mat3 R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      R(i, j) = i == j ? 1.0 - two * (ee - e[i] * e[i])
                       : two * (e[i] * e[j] + ((j - i + 3) % 3 == 1 ? -1.0 : 1.0) * (q[0] * e[3 - i - j]));
  return R;
}

}  // namespace

Mat3 FlexiblePose::rotation() const { return turn ? rotation_by(*turn) : internal::rotation(axis, angle); }

FlexiblePose FlexiblePose::inverse() const {
  const Vec3 back = -(transpose(rotation()) * p);
  if (!turn) return {back, axis, -angle};
  const Quaternion& q = *turn;
  return {back, {}, 0, Quaternion{q[0], -q[1], -q[2], -q[3]}};
}

bool FlexiblePose::moves() const {
  const auto is_fixed = [](const Expression& x) { return x.is_constant(); };
  return !is_constant(p) || !angle.is_constant() || (turn && !std::all_of(turn->begin(), turn->end(), is_fixed));
}

// w = 2 (e0 e' - e0' e - e x e')/|q|^2 of a quaternion
Vec3 FlexiblePose::turned_along(const Direction& direction) const {
  if (!turn) return direction(angle) * axis;
  const Quaternion& q = *turn;
  const Vec3 e = vector_part(q), rate{direction(q[1]), direction(q[2]), direction(q[3])};
  return (2.0 / square_of(q)) * (q[0] * rate - direction(q[0]) * e - cross(e, rate));
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
  I_y_ = I_y, I_z_ = I_z;
  edge_y_ = builder.scalar(beam_.edge_y), edge_z_ = builder.scalar(beam_.edge_z);

  // free parameters: their values, and others to tell whether something depends on them
  const Equations& equations = builder.equations();
  for (std::size_t k = 0; k < equations.p.size(); ++k) {
    parameters_[equations.p[k].id()] = equations.p_value[k];
    other_parameters_[equations.p[k].id()] = (1.1 + 0.07 * static_cast<double>(k)) * equations.p_value[k] + 0.01;
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

std::vector<FlexiblePose> BeamShape::path(Station at) const {
  std::vector<FlexiblePose> steps;
  for (int e = 1; e <= at.element; ++e) steps.push_back(element_frame(e));
  for (const FlexiblePose& turn : section(at)) steps.push_back(turn);
  return steps;
}

// M_z edge_y/I_z in a plane, with its sign at the edge in the direction of y or z; in space the largest of the section, at a corner of a
// rectangle or on the circle of a tube.
Expression BeamShape::bending_stress(const Vec3& moment, Location where) const {
  if (!has_edges())
    throw FormulaError(where, "the stress depends on the shape of the section: give rectangle, tube or edge");
  const Expression about_z = moment[2].is(0) ? Expression(0.0) : moment[2] * (edge_y_ / I_z_),
                   about_y = moment[1].is(0) ? Expression(0.0) : moment[1] * (edge_z_ / I_y_);
  if (about_y.is(0)) return -about_z;
  if (about_z.is(0)) return about_y;
  const auto size = [](Expression x) { return kept_above(x, -x); };  // its sign is no event
  return beam_.round ? sqrt(about_y * about_y + about_z * about_z) : size(about_y) + size(about_z);
}

std::unique_ptr<BeamShape> make_beam_shape(const Body& body, EquationsBuilder& builder) {
  if (body.beam->large) return std::make_unique<LargeBeam>(body, builder);
  return std::make_unique<SmallBeam>(body, builder);
}

}  // namespace armature::internal
