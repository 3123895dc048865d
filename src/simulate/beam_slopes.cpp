#include "simulate/beam_slopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanics/beam_basis.hpp"
#include "model/joint_components.hpp"
#include "model/scope.hpp"

namespace armature {

namespace {

constexpr double small = 0.3;  // rad

int position_index(const Equations& equations, const std::string& name) {
  const auto& list = equations.positions;
  const auto found = std::find_if(list.begin(), list.end(), [&](const Coordinate& q) { return q.name == name; });
  return static_cast<int>(found - list.begin());
}

// dw/dx at xi of the element e: (dN/dxi) (w, h w', w, h w') / h, with the nodal values shapes * x.
std::vector<double> slope_weights(const FieldBasis& basis, bool modal, double h, int e, double xi) {
  const Row4 slopes = cubic_slopes(xi);
  std::vector<double> weights;
  for (Eigen::Index c = 0; c < basis.shapes.cols(); ++c) {
    double weight = 0;
    for (int i = 0; i < 4; ++i) weight += slopes[i] * basis.shapes(2 * e + i, c);
    const bool is_slope = !modal && basis.moving[static_cast<std::size_t>(c)] % 2 == 1;  // a coordinate in rad
    weights.push_back(is_slope ? weight : weight / h);
  }
  return weights;
}

}  // namespace

std::vector<Prepared::Beam::Slope> beam_slopes(const Beam& beam, const std::string& name, const Model& model,
                                               const Equations& equations) {
  const double h = find_constant(beam.length, model).value_or(1) / beam.elements;
  std::vector<Prepared::Beam::Slope> list;
  for (const Beam::Motion& motion : beam.motions) {
    if (motion.field != BeamField::bend_y && motion.field != BeamField::bend_z) continue;
    const FieldBasis basis = field_basis(FieldKind::bending, beam.elements, beam.chord, motion.modes);
    std::vector<int> index;
    for (const JointComponent& component : components_of(beam, motion))
      index.push_back(position_index(equations, name + "." + component.name));
    for (int place = 0; place <= 2 * beam.elements; ++place) {
      const int e = std::min(place / 2, beam.elements - 1);
      const std::vector<double> weights = slope_weights(basis, motion.modes > 0, h, e, 0.5 * place - e);
      Prepared::Beam::Slope& slope = list.emplace_back();
      for (std::size_t c = 0; c < index.size(); ++c)
        if (weights[c] != 0) slope.emplace_back(index[c], weights[c]);
    }
  }
  return list;
}

bool turns_by_slopes(const Beam& beam, const Model& model) {
  const auto turning =
      std::ranges::count_if(beam.motions, [](const auto& motion) { return motion.field != BeamField::stretch; });
  const bool twists = std::ranges::any_of(beam.motions, [](const auto& m) { return m.field == BeamField::twist; });
  return turning <= 1 && !twists && find_constant(beam.length, model);
}

BeamSlopes::BeamSlopes(const std::vector<Prepared::Beam>& beams) : beams_(beams), largest_(beams.size()) {}

void BeamSlopes::look(double t, const Eigen::VectorXd& x) {
  for (std::size_t b = 0; b < beams_.size(); ++b)
    for (const Prepared::Beam::Slope& terms : beams_[b].slopes) {
      double slope = 0;
      for (const auto& [i, weight] : terms) slope += weight * x[i];
      if (std::abs(slope) > std::abs(largest_[b].slope)) largest_[b] = {slope, t};
    }
}

std::vector<std::string> BeamSlopes::warnings() const {
  std::vector<std::string> sentences;
  for (std::size_t b = 0; b < beams_.size(); ++b)
    if (std::abs(largest_[b].slope) > small)
      sentences.push_back(fmt::format(
          "{} bends too far: its slope reaches {:.3g} rad at t = {:.4g} s, and the theory of beams is that of small "
          "deflections, up to about {:g} rad; divide it into several shorter beams, each with a frame of its own, or "
          "make it stiffer",
          beams_[b].name, largest_[b].slope, largest_[b].t, small));
  return sentences;
}

}  // namespace armature
