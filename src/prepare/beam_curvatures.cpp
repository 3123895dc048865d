#include "prepare/beam_curvatures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "mechanics/large_beam_basis.hpp"
#include "model/findings.hpp"
#include "model/joint_components.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

constexpr double missed = 0.01;  // of the energy: as well as E and a section are known
constexpr double turned = 3;     // rad, of an element in space: its rotation vector is at its limit at twice as much

int index_of(const Equations& equations, const std::string& name) {
  const auto found = std::ranges::find(equations.positions, name, &Coordinate::name);
  return static_cast<int>(found - equations.positions.begin());
}

double constant(const Formula& formula, const Model& model) { return find_constant(formula, model).value_or(1); }

// EI or GJ: what the energies of the kinds of bending are to each other.
double stiffness_of(const Beam& beam, BeamField field, const Model& model) {
  if (field == BeamField::twist) return constant(beam.shear_modulus, model) * constant(beam.J, model);
  return constant(beam.youngs_modulus, model) * constant(field == BeamField::bend_y ? beam.I_z : beam.I_y, model);
}

// A number of elements that is enough, wherever forces act.
int enough_elements(int elements, double error) {
  return std::min(64, static_cast<int>(std::ceil(elements * std::max(1.1, std::cbrt(error / missed)))));
}

// Energies of the degrees 0 to 3.
double missing_energy(const std::array<double, large_beam::shapes>& energy) {
  const double next = energy[1] > 0 ? energy[2] * std::min(energy[2] / energy[1], 1.0) : energy[2];
  return 0.6 * std::max(energy[3], next / 8);
}

bool is_spatial(const Prepared::Beam& beam, int elements) {
  return beam.shares.size() > static_cast<std::size_t>(large_beam::shapes * elements);
}

}  // namespace

std::vector<Prepared::Beam::Share> beam_shares(const Beam& beam, const std::string& name, const Model& model,
                                               const Equations& equations) {
  std::vector<Prepared::Beam::Share> shares;
  if (!beam.large) return shares;
  for (const Beam::Motion& motion : beam.motions) {
    if (motion.field == BeamField::stretch) continue;
    int place = 0;
    for (const JointComponent& component : components_of(beam, motion)) {
      const int degree = place % large_beam::shapes, element = place++ / large_beam::shapes;
      shares.push_back({index_of(equations, name + "." + component.name), element, degree,
                        stiffness_of(beam, motion.field, model) / (2 * degree + 1)});
    }
  }
  return shares;
}

void BeamCurvatures::look(double t, const Eigen::VectorXd& x) {
  for (std::size_t b = 0; b < beams_.size(); ++b) {
    if (beams_[b].shares.empty()) continue;
    Largest& largest = largest_[b];
    std::array<double, large_beam::shapes> energy{};
    for (const Prepared::Beam::Share& share : beams_[b].shares) {
      energy[static_cast<std::size_t>(share.degree)] += share.weight * x[share.index] * x[share.index];
      if (share.degree == 0) largest.turn = std::max(largest.turn, std::abs(x[share.index]));
    }
    largest.energy = std::max(largest.energy, std::accumulate(energy.begin(), energy.end(), 0.0));
    if (const double missing = missing_energy(energy); missing > largest.missing)
      largest.missing = missing, largest.t = t;
  }
}

double BeamCurvatures::error(std::size_t beam) const {
  const Largest& largest = largest_[beam];
  return largest.energy > 0 ? largest.missing / largest.energy : 0;
}

Findings BeamCurvatures::findings() const {
  Findings findings;
  const auto add = [&](const std::string& beam, const std::string& why, int enough) {
    findings.push_back(finding<FindingCode::beam_elements>("beam"_a = beam, "why"_a = why, "enough"_a = enough));
  };
  for (std::size_t b = 0; b < beams_.size(); ++b) {
    const Prepared::Beam& beam = beams_[b];
    if (beam.shares.empty()) continue;
    const int elements = beam.shares.back().element + 1;
    if (error(b) > missed)
      add(beam.name,
          fmt::format("at t = {:.4g} s its curvature changes so much within one that about {:.2g} % of its strain "
                      "energy is missing",
                      largest_[b].t, 100 * error(b)),
          enough_elements(elements, error(b)));
    else if (is_spatial(beam, elements) && largest_[b].turn > turned)
      add(beam.name, fmt::format("one of them turns by {:.3g} rad, about half a turn", largest_[b].turn),
          static_cast<int>(std::ceil(elements * largest_[b].turn / turned)));
  }
  return findings;
}

}  // namespace armature::internal
