// Which currents a permanent-magnet synchronous machine takes for a torque: the smallest ones (maximum torque per ampere, MTPA) as long
// as the voltage suffices for them; at higher speeds those with a weaker field, on the ellipse that the voltage leaves
//
//   (Lq iq)^2 + (Ld id + psi)^2 = (V/we)^2,      V the voltage limit less the drop R I over the resistance.
//
// The torque is limited by the envelope over the speed: MTPA at the largest current I; the currents on both the circle I and the ellipse;
// and where the ellipse shrinks inside the circle, its point of maximum torque per volt (MTPV).
#pragma once

#include <optional>

#include "mechanics/builder.hpp"

namespace armature::internal {

// In the rotor's axes: d along the magnets, q a quarter of an electrical turn ahead. Amplitudes of phase quantities.
struct Dq {
  Expression d = 0.0, q = 0.0;
};
Expression squared(const Dq& x);

struct PmsmConstants {
  Expression pole_pairs, psi, Ld, Lq;

  Expression torque(const Dq& i) const;  // 3/2 p (psi iq + (Ld - Lq) id iq)
  Dq flux(const Dq& i) const;
};

struct PmsmLimits {
  std::optional<Expression> voltage, current;  // amplitudes; `voltage` is what is left for the flux
  std::string label = {};                      // of the drive, for events
};

Dq currents_of_least_loss(const PmsmConstants& machine, Expression torque);  // MTPA
Expression torque_envelope(const PmsmConstants& machine, const PmsmLimits& limits, Expression electrical_speed);

// The currents for a torque within the limits. Without `clamped` a torque beyond the envelope is made with MTPA, whatever voltage that takes.
Dq currents_within_limits(const PmsmConstants& machine, const PmsmLimits& limits, Expression torque,
                          Expression electrical_speed, bool clamped);

}  // namespace armature::internal
