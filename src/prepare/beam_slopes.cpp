#include "prepare/beam_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "mechanics/small_beam_basis.hpp"
#include "model/findings.hpp"
#include "model/joint_components.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

constexpr double noticeable = 0.01;  // of the deflection: as well as E and a section are known

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

// Integrals over an element of length 1 in which w' is the parabola through three slopes: of w''^2 w'^2, and of w''^2.
struct Bending {
  double missing = 0, energy = 0;

  // Four Gauss points, exact for a polynomial of degree 6.
  void add(double first, double middle, double last) {
    for (const auto& [place, weight] :
         {std::pair{0.861136311594053, 0.347854845137454}, {0.339981043584856, 0.652145154862546}})
      for (const double z : {-place, place}) {  // from -1 to 1
        const double slope = middle + z * (0.5 * (last - first) + z * (0.5 * (first + last) - middle));
        const double curvature = 0.5 * (last - first) + 2 * z * (0.5 * (first + last) - middle);
        energy += weight * curvature * curvature;
        missing += weight * curvature * curvature * slope * slope;
      }
  }
};

// Of one plane of bending, by its slopes at the nodes and between them.
double deflection_error(std::span<const double> slopes) {
  Bending bending;
  for (std::size_t k = 0; k + 2 < slopes.size(); k += 2) bending.add(slopes[k], slopes[k + 1], slopes[k + 2]);
  return bending.energy > 0 ? 2 * bending.missing / bending.energy : 0;
}

}  // namespace

std::vector<Prepared::Beam::Slope> beam_slopes(const Beam& beam, const std::string& name, const Model& model,
                                               const Equations& equations) {
  const double h = find_constant(beam.length, model).value_or(1) / beam.elements;
  std::vector<Prepared::Beam::Slope> list;
  for (const Beam::Motion& motion : beam.motions) {
    if (beam.large) break;
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

BeamSlopes::BeamSlopes(const std::vector<Prepared::Beam>& beams) : beams_(beams), largest_(beams.size()) {
  for (const Prepared::Beam& beam : beams) slopes_.reserve(std::max(slopes_.capacity(), beam.slopes.size()));
}

void BeamSlopes::look(double t, const Eigen::VectorXd& x) {
  for (std::size_t b = 0; b < beams_.size(); ++b) {
    Largest& largest = largest_[b];
    slopes_.clear();
    for (const Prepared::Beam::Slope& terms : beams_[b].slopes) {
      double slope = 0;
      for (const auto& [i, weight] : terms) slope += weight * x[i];
      if (std::abs(slope) > std::abs(largest.slope)) largest.slope = slope, largest.t = t;
      slopes_.push_back(slope);
    }
    const std::size_t plane = slopes_.size() % 2 == 1 ? slopes_.size() : slopes_.size() / 2;  // 2 n + 1 each
    for (std::size_t first = 0; first < slopes_.size(); first += plane)
      largest.error = std::max(largest.error, deflection_error(std::span(slopes_).subspan(first, plane)));
  }
}

// Of k beams in place of one each turns by a k-th of the slope, and errs by its square.
Findings BeamSlopes::findings() const {
  Findings findings;
  for (std::size_t b = 0; b < beams_.size(); ++b)
    if (const Largest& largest = largest_[b]; largest.error > noticeable)
      findings.push_back(finding<FindingCode::bending>(
          "beam"_a = beams_[b].name, "slope"_a = largest.slope, "t"_a = largest.t, "error"_a = 100 * largest.error,
          "beams"_a = static_cast<int>(std::ceil(std::sqrt(largest.error / noticeable)))));
  return findings;
}

}  // namespace armature::internal
