// Strain energy, moments and damping of a beam with small deflections.
#include <cmath>

#include "mechanics/small_beam.hpp"

namespace armature::internal {

BeamFieldShape::Scales SmallBeam::scales(BeamField field) const {
  const Expression m = line_density_ * h_;
  const auto scaled = [&](Expression stiffness, Expression mass) {
    return BeamFieldShape::Scales{stiffness, mass, mass_damping_, stiffness_damping_, ratio_};
  };
  switch (field) {
    case BeamField::bend_y: return scaled(EI_z_ / (h_ * h_ * h_), m / 420.0);
    case BeamField::bend_z: return scaled(EI_y_ / (h_ * h_ * h_), m / 420.0);
    case BeamField::twist: return scaled(GJ_ / h_, line_spin_ * h_ / 12.0);
    case BeamField::stretch: break;
  }
  return scaled(EA_ / h_, m / 6.0);
}

bool SmallBeam::is_coupled() const {
  return beam_.foreshortening && field(BeamField::bend_y) && field(BeamField::bend_z) && field(BeamField::twist);
}

// What the products in the curvatures add to the strain energy. Three Gauss points an element, at which the squares are
// complete: the quadratic part alone is exact with them too.
Expression SmallBeam::coupling_energy() const {
  const Field &y = field(BeamField::bend_y), &z = field(BeamField::bend_z), &theta = field(BeamField::twist);
  if (!is_coupled()) return 0.0;
  const double off = std::sqrt(0.6);
  Expression energy = 0.0;
  for (int e = 0; e < beam_.elements; ++e)
    for (const auto& [place, weight] : {std::pair{-off, 5.0 / 18}, {0.0, 8.0 / 18}, {off, 5.0 / 18}}) {
      // curvatures, twist and their products at the Gauss point
      const double xi = (1 + place) / 2;
      const Expression ky = y->curvature(e, xi), kz = z->curvature(e, xi), turn = theta->value(e, xi);
      const Expression twisting = 0.5 * (ky * z->slope(e, xi) - y->slope(e, xi) * kz);
      const Expression bending =
          (EI_z_ - EI_y_) * (turn * ky * kz) + 0.5 * (turn * turn) * (EI_z_ * (kz * kz) + EI_y_ * (ky * ky));
      energy += weight * h_ * (bending + GJ_ * (theta->slope(e, xi) + 0.5 * twisting) * twisting);
    }
  return energy;
}

void SmallBeam::add_elasticity(EquationsBuilder& builder) const {
  for (const Beam::Motion& motion : beam_.motions) field(motion.field)->add_elasticity(scales(motion.field), builder);
  const Expression energy = coupling_energy();
  if (energy.is(0)) return;
  for (const NamedCoordinate& x : coordinates_) builder.apply(-Derivative({{x.value.id(), 1.0}})(energy), x.rate);
  builder.equations().potential += energy;
  builder.equations().elastic += energy;
}

Expression SmallBeam::strain_energy() const {
  Expression energy = coupling_energy();
  for (const Beam::Motion& motion : beam_.motions) energy += field(motion.field)->energy(scales(motion.field));
  return energy;
}

Expression SmallBeam::curvature(BeamField which, Station at) const {
  return field(which) ? field(which)->curvature(at.element, at.xi) : Expression(0.0);
}

Vec3 SmallBeam::moment(Station at) const {
  Expression ky = curvature(BeamField::bend_y, at), kz = curvature(BeamField::bend_z, at);
  const Field& theta = field(BeamField::twist);
  Expression torsion = theta ? theta->slope(at.element, at.xi) : Expression(0.0);
  if (is_coupled()) {
    torsion += 0.5 * (ky * slope(BeamField::bend_z, at) - slope(BeamField::bend_y, at) * kz);
    const Expression turn = theta->value(at.element, at.xi), straight = ky;
    ky += turn * kz, kz -= turn * straight;
  }
  return {GJ_ * torsion, -(EI_y_ * kz), EI_z_ * ky};
}

}  // namespace armature::internal
