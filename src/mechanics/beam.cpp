#include "mechanics/beam.hpp"

#include <cmath>

#include "mechanics/beam_modes.hpp"

namespace armature {

namespace {

using Row = std::array<double, 4>;
using Block = ElementMatrix;
using element_matrices::mass, element_matrices::slopes, element_matrices::stiffness;

Row shapes(double xi) {
  const double x2 = xi * xi, x3 = x2 * xi;
  return {1 - 3 * x2 + 2 * x3, xi - 2 * x2 + x3, 3 * x2 - 2 * x3, x3 - x2};
}

Row shape_slopes(double xi) {
  const double x2 = xi * xi;
  return {6 * x2 - 6 * xi, 1 - 4 * xi + 3 * x2, 6 * xi - 6 * x2, 3 * x2 - 2 * xi};
}

// int_0^xi N_i' N_j': of degree 4, so that three Gauss points are exact.
Block slope_integrals(double xi) {
  Block G{};
  const double off = std::sqrt(0.6);
  for (const auto& [place, weight] : {std::pair{-off, 5.0 / 18}, {0.0, 8.0 / 18}, {off, 5.0 / 18}}) {
    const Row s = shape_slopes(xi * (1 + place) / 2);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) G[i][j] += xi * weight * s[i] * s[j];
  }
  return G;
}

Expression combined(const Row& row, const std::array<Expression, 4>& x) {
  return row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3] * x[3];
}

// x'B x of a symmetric B
Expression quadratic(const Block& B, const std::array<Expression, 4>& x) {
  Expression sum = 0.0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j) sum += (i == j ? 1.0 : 2.0) * B[i][j] * (x[i] * x[j]);
  return sum;
}

}  // namespace

FlexiblePose FlexiblePose::inverse() const {
  const Mat3 R = rotation(axis, angle);
  return {-(transpose(R) * p), axis, -angle};
}

BeamShape::BeamShape(const Body& body, EquationsBuilder& builder) : beam_(*body.beam) {
  const std::string& plane = builder.model().plane;
  if (plane != "xy" && plane != "xz")
    throw FormulaError(body.where,
                       "a beam bends in the plane of the model; write plane: xy or plane: xz (its axis is its x)");
  across_ = plane == "xy" ? 1 : 2;
  turn_ = plane == "xy" ? Vec3{0.0, 0.0, 1.0} : Vec3{0.0, -1.0, 0.0};
  const Formula& I = plane == "xy" ? beam_.I_z : beam_.I_y;
  if (!I.given())
    throw FormulaError(body.where, std::string(plane == "xy" ? "I_z" : "I_y") + " of the section is missing");
  length_ = builder.scalar(beam_.length);
  h_ = length_ / static_cast<double>(beam_.elements);
  EI_ = builder.scalar(beam_.youngs_modulus) * builder.scalar(I);
  line_density_ = builder.scalar(beam_.density) * builder.scalar(beam_.area);
  mass_damping_ = builder.scalar(beam_.mass_damping), stiffness_damping_ = builder.scalar(beam_.stiffness_damping);

  // free parameters: their values, and others to tell whether something depends on them
  const Equations& equations = builder.equations();
  for (std::size_t k = 0; k < equations.p.size(); ++k) {
    parameters_[equations.p[k].id()] = equations.p_value[k];
    other_parameters_[equations.p[k].id()] = (1.1 + 0.07 * static_cast<double>(k)) * equations.p_value[k] + 0.01;
  }

  for (auto* list : {&w_, &slope_, &w_rate_, &slope_rate_}) list->resize(beam_.elements + 1, 0.0);
  if (beam_.modes > 0)
    add_modes(body.name, builder);
  else
    add_nodes(body.name, builder);
}

void BeamShape::add_nodes(const std::string& body, EquationsBuilder& builder) {
  auto add = [&](const std::string& component, Coordinate::Kind kind, Expression& value, Expression& rate) {
    coordinates_.push_back(builder.add_coordinate(body + "." + component, kind, body));
    value = coordinates_.back().value, rate = coordinates_.back().rate;
  };
  for (int k = 0; k <= beam_.elements; ++k) {
    const bool first = k == 0, last = k == beam_.elements;
    if (!first && !(beam_.chord && last)) add("w" + std::to_string(k), Coordinate::Kind::length, w_[k], w_rate_[k]);
    if (!first || beam_.chord) add("slope" + std::to_string(k), Coordinate::Kind::angle, slope_[k], slope_rate_[k]);
  }
}

// Every node moves with all modes: w = sum phi_w y, slope = sum phi_s y/h.
void BeamShape::add_modes(const std::string& body, EquationsBuilder& builder) {
  const std::vector<BeamMode> modes = beam_modes(beam_.elements, beam_.chord, beam_.modes);
  for (int m = 0; m < beam_.modes; ++m) {
    coordinates_.push_back(
        builder.add_coordinate(body + ".mode" + std::to_string(m + 1), Coordinate::Kind::length, body));
    const NamedCoordinate& y = coordinates_.back();
    for (int k = 0; k <= beam_.elements; ++k) {
      w_[k] += modes[m].w[k] * y.value, w_rate_[k] += modes[m].w[k] * y.rate;
      slope_[k] += modes[m].slope[k] * (y.value / h_), slope_rate_[k] += modes[m].slope[k] * (y.rate / h_);
    }
  }
}

BeamShape::Element BeamShape::element(int e) const {
  return {{w_[e], h_ * slope_[e], w_[e + 1], h_ * slope_[e + 1]},
          {w_rate_[e], h_ * slope_rate_[e], w_rate_[e + 1], h_ * slope_rate_[e + 1]}};
}

Expression BeamShape::shortening(const Element& element, double xi) const {
  if (xi == 0) return 0.0;
  if (xi == 1) return quadratic(slopes, element.d) / (60.0 * h_);
  return quadratic(slope_integrals(xi), element.d) / (2.0 * h_);
}

FlexiblePose BeamShape::section(double share) const {
  const double place = share * beam_.elements;
  const int e = std::min(static_cast<int>(place), beam_.elements - 1);
  const double xi = place - e;
  const Element here = element(e);
  const Row s = shape_slopes(xi);
  FlexiblePose section;
  section.axis = turn_;
  section.angle = (s[0] * here.d[0] + s[2] * here.d[2]) / h_ + s[1] * slope_[e] + s[3] * slope_[e + 1];
  section.p[0] = share * length_;
  if (beam_.foreshortening) {
    for (int before = 0; before < e; ++before) section.p[0] -= shortening(element(before), 1);
    section.p[0] -= shortening(here, xi);
  }
  section.p[across_] = combined(shapes(xi), here.d);
  return section;
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

std::vector<BeamShape::MassPoint> BeamShape::mass_points() const {
  const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2)),
               outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
  const double heavy = (18 + std::sqrt(30.0)) / 72, light = (18 - std::sqrt(30.0)) / 72;  // weights on [0, 1]
  std::vector<MassPoint> points;
  for (int e = 0; e < beam_.elements; ++e)
    for (const auto& [place, weight] : {std::pair{-outer, light}, {-inner, heavy}, {inner, heavy}, {outer, light}})
      points.push_back({weight * (line_density_ * h_), section((e + (1 + place) / 2) / beam_.elements).p});
  return points;
}

void BeamShape::add_elasticity(EquationsBuilder& builder) const {
  const Expression k = EI_ / (h_ * h_ * h_), m = line_density_ * h_ / 420.0;
  Equations& equations = builder.equations();
  for (int e = 0; e < beam_.elements; ++e) {
    const Element here = element(e);
    for (int i = 0; i < 4; ++i) {
      const Expression damper = stiffness_damping_ * (k * combined(stiffness[i], here.rate)) +
                                mass_damping_ * (m * combined(mass[i], here.rate));
      builder.apply(-(k * combined(stiffness[i], here.d)) - damper, here.rate[i]);
      equations.dissipation += damper * here.rate[i];
    }
    const Expression energy = 0.5 * (k * quadratic(stiffness, here.d));
    equations.potential += energy;
    equations.elastic += energy;
  }
}

}  // namespace armature
