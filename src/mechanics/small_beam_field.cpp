#include "mechanics/small_beam_field.hpp"

#include "model/joint_components.hpp"

namespace armature::internal {

namespace {

FieldKind kind_of(BeamField field) {
  if (field == BeamField::twist) return FieldKind::twist;
  return field == BeamField::stretch ? FieldKind::stretch : FieldKind::bending;
}

Expression combined(const Row4& row, const std::array<Expression, 4>& x) {
  return row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3] * x[3];
}

// x'B x of a symmetric B
Expression quadratic(const Block4& B, const std::array<Expression, 4>& x) {
  Expression sum = 0.0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j) sum += (i == j ? 1.0 : 2.0) * B[i][j] * (x[i] * x[j]);
  return sum;
}

Expression row_times(const Eigen::MatrixXd& A, Eigen::Index i, const std::vector<Expression>& x) {
  Expression sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (A(i, j) != 0) sum += A(i, j) * x[j];
  return sum;
}

}  // namespace

BeamFieldShape::BeamFieldShape(const Body& body, const Beam::Motion& motion, Expression h, EquationsBuilder& builder)
    : kind_(kind_of(motion.field)),
      h_(h),
      basis_(field_basis(kind_, body.beam->elements, body.beam->chord, motion.modes)) {
  int place = 0;
  for (const JointComponent& component : components_of(*body.beam, motion)) {
    const auto kind = component.is_length ? Coordinate::Kind::length : Coordinate::Kind::angle;
    const NamedCoordinate& x = builder.add_coordinate(body.name + "." + component.name, kind, body.name);
    const bool slope = bends() && motion.modes == 0 && basis_.moving[place] % 2 == 1;
    coordinates_.push_back(x);
    scaled_.push_back(slope ? h_ * x.value : x.value), scaled_rate_.push_back(slope ? h_ * x.rate : x.rate);
    ++place;
  }
  for (Eigen::Index i = 0; i < basis_.shapes.rows(); ++i) nodes_.push_back(row_times(basis_.shapes, i, scaled_));
  // slopes of nodes are coordinates themselves, or follow from the modes
  if (!bends()) return;
  slopes_.resize(nodes_.size() / 2, 0.0);
  for (std::size_t k = 0; k < slopes_.size(); ++k) slopes_[k] = nodes_[2 * k + 1] / h_;
  if (motion.modes == 0)
    for (std::size_t c = 0; c < basis_.moving.size(); ++c)
      if (basis_.moving[c] % 2 == 1) slopes_[basis_.moving[c] / 2] = coordinates_[c].value;
}

std::array<Expression, 4> BeamFieldShape::element(int e) const {
  return {nodes_[2 * e], nodes_[2 * e + 1], nodes_[2 * e + 2], nodes_[2 * e + 3]};
}

Expression BeamFieldShape::value(int e, double xi) const {
  if (bends()) return combined(cubic_shapes(xi), element(e));
  return (1 - xi) * nodes_[e] + xi * nodes_[e + 1];
}

Expression BeamFieldShape::slope(int e, double xi) const {
  if (!bends()) return (nodes_[e + 1] - nodes_[e]) / h_;
  const Row4 s = cubic_slopes(xi);
  return (s[0] * nodes_[2 * e] + s[2] * nodes_[2 * e + 2]) / h_ + s[1] * slopes_[e] + s[3] * slopes_[e + 1];
}

Expression BeamFieldShape::curvature(int e, double xi) const {
  return combined(cubic_curvatures(xi), element(e)) / (h_ * h_);
}

Expression BeamFieldShape::shortening(int e, double xi) const {
  return xi == 0 ? Expression(0.0) : quadratic(slope_integrals(xi), element(e)) / (2.0 * h_);
}

void BeamFieldShape::add_elasticity(const Scales& scales, EquationsBuilder& builder) const {
  Equations& equations = builder.equations();
  const Expression critical = 2.0 * scales.ratio * sqrt(scales.k * scales.m);
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const Expression spring = scales.k * row_times(basis_.K, row, scaled_);
    Expression damper = 0.0;
    if (!scales.a.is(0)) damper += scales.a * (scales.m * row_times(basis_.M, row, scaled_rate_));
    if (!scales.b.is(0)) damper += scales.b * (scales.k * row_times(basis_.K, row, scaled_rate_));
    if (!critical.is(0)) damper += critical * row_times(basis_.C, row, scaled_rate_);
    builder.apply(-spring - damper, scaled_rate_[i]);
    equations.dissipation += damper * scaled_rate_[i];
    const Expression energy = 0.5 * (spring * scaled_[i]);
    equations.potential += energy;
    equations.elastic += energy;
  }
}

Expression BeamFieldShape::energy(const Scales& scales) const {
  Expression sum = 0.0;
  for (std::size_t i = 0; i < scaled_.size(); ++i)
    sum += 0.5 * (scales.k * row_times(basis_.K, static_cast<Eigen::Index>(i), scaled_) * scaled_[i]);
  return sum;
}

}  // namespace armature::internal
