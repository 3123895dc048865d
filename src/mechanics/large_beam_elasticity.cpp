// Strain energy, moments and damping of a beam that bends far.
#include "mechanics/large_beam.hpp"
#include "mechanics/rotation_vector.hpp"

namespace armature::internal {

using large_beam::points;
using large_beam::Shapes;

Vec3 LargeBeam::curvature(Station at) const {
  const Shapes shapes = large_beam::curvatures(at.xi);
  Vec3 rate{sum(BeamField::twist, at.element, shapes), -sum(BeamField::bend_z, at.element, shapes),
            sum(BeamField::bend_y, at.element, shapes)};
  if (is_spatial()) {
    rate = turning_of(turn(at), {rate[0], rate[1], rate[2] + arc_});
    rate[2] -= arc_;
  }
  return (1.0 / h_) * rate;
}

Vec3 LargeBeam::moment(Station at) const {
  const Vec3 K = curvature(at);
  return {GJ_ * K[0], EI_y_ * K[1], EI_z_ * K[2]};
}

// In space curvatures at the Gauss points; in a plane the coordinates themselves, which are orthogonal.
std::vector<LargeBeam::Strain> LargeBeam::strains(int e) const {
  const auto element = static_cast<std::size_t>(e);
  std::vector<Strain> strains;
  if (const Field& stretch = field(BeamField::stretch); !stretch.empty())
    strains.push_back({stretch[element][0].value, EA_ / h_});
  for (int i = 0; i < points && is_spatial(); ++i) {
    const Vec3 K = curvature({e, large_beam::gauss_places()[i]});
    const Expression length = large_beam::gauss_weights()[i] * h_;
    for (const auto& [value, stiffness] : {std::pair{K[0], GJ_}, {K[1], EI_y_}, {K[2], EI_z_}})
      strains.push_back({value, stiffness * length});
  }
  for (const auto& [which, EI] : {std::pair{BeamField::bend_y, EI_z_}, {BeamField::bend_z, EI_y_}})
    if (!is_spatial() && !field(which).empty())
      for (std::size_t k = 0; k < large_beam::shapes; ++k)
        strains.push_back({field(which)[element][k].value, EI / h_ / (2.0 * static_cast<double>(k) + 1)});
  return strains;
}

Expression LargeBeam::strain_energy() const {
  Expression energy = 0.0;
  for (int e = 0; e < elements(); ++e)
    for (const Strain& strain : strains(e)) energy += 0.5 * (strain.stiffness * (strain.value * strain.value));
  return energy;
}

// -(k s + b k s') ds/dq for each strain s; with Rayleigh's b the damping follows the strains, however far the beam is bent.
void LargeBeam::add_strain_forces(int e, EquationsBuilder& builder) const {
  Equations& equations = builder.equations();
  const std::vector<Strain> list = strains(e);
  // Stress of each strain, its energy and its loss.
  std::vector<Expression> stress;
  for (const Strain& strain : list) {
    const Expression spring = strain.stiffness * strain.value;
    const Expression energy = 0.5 * (spring * strain.value);
    equations.potential += energy;
    equations.elastic += energy;
    stress.push_back(spring);
    if (stiffness_damping_.is(0)) continue;
    const Expression rate = builder.time_derivative(strain.value),
                     damper = stiffness_damping_ * strain.stiffness * rate;
    stress.back() += damper;
    equations.dissipation += damper * rate;
  }
  // On each coordinate of the element, the stresses by how it changes their strains.
  for (const Field& field : fields_) {
    if (field.empty()) continue;
    for (const NamedCoordinate& x : field[static_cast<std::size_t>(e)]) {
      Derivative along({{x.value.id(), 1.0}});
      Expression force = 0.0;
      for (std::size_t k = 0; k < list.size(); ++k) force -= stress[k] * along(list[k].value);
      builder.apply(force, x.rate);
    }
  }
}

// a M + 2 ratio M sqrt(M^-1 K) of the straight beam.
void LargeBeam::add_modal_damping(BeamField which, EquationsBuilder& builder) const {
  if (field(which).empty()) return;
  const bool twist = which == BeamField::twist, stretch = which == BeamField::stretch;
  // Stiffness and mass of the field over those of its basis, which is without units.
  const large_beam::Matrices basis = twist     ? large_beam::twist_matrices(elements())
                                     : stretch ? large_beam::stretch_matrices(elements())
                                               : large_beam::bending_matrices(elements());
  const Expression k = (twist                        ? GJ_
                        : stretch                    ? EA_
                        : which == BeamField::bend_y ? EI_z_
                                                     : EI_y_) /
                       h_,
                   m = twist     ? line_spin_ * h_
                       : stretch ? line_density_ * h_
                                 : line_density_ * h_ * (h_ * h_);
  const Expression on_mass = mass_damping_ * m, critical = 2.0 * ratio_ * sqrt(k * m);
  // The coordinates of all elements, damped against each other.
  std::vector<NamedCoordinate> x;
  for (const ElementCoordinates& element : field(which)) x.insert(x.end(), element.begin(), element.end());
  for (std::size_t i = 0; i < x.size(); ++i) {
    Expression damper = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto r = static_cast<Eigen::Index>(i), c = static_cast<Eigen::Index>(j);
      damper += (on_mass * basis.M(r, c) + critical * basis.C(r, c)) * x[j].rate;
    }
    builder.apply(-damper, x[i].rate);
    builder.equations().dissipation += damper * x[i].rate;
  }
}

void LargeBeam::add_elasticity(EquationsBuilder& builder) const {
  for (int e = 0; e < elements(); ++e) add_strain_forces(e, builder);
  if (mass_damping_.is(0) && ratio_.is(0)) return;
  for (const Beam::Motion& motion : beam_.motions) add_modal_damping(motion.field, builder);
}

}  // namespace armature::internal
