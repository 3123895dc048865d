#include "drive/field_weakening.hpp"

namespace armature::internal {

namespace {

Expression clamp(Expression torque, Expression bound, const std::string& label) {
  const Expression lower = -bound, below = min(torque, bound);
  const char *const reaches = "its torque reaches what its current and voltage allow",
                    *const leaves = "its torque leaves what its current and voltage allow";
  said(unit_step(torque - bound), label, {.rises = reaches, .falls = leaves, .subject = label});
  said(unit_step(below - lower), label, {.rises = leaves, .falls = reaches, .subject = label});
  return max(below, lower);
}

// Of the comparisons that choose the currents.
Expression weakens(Expression outcome, const std::string& label) {
  return said(outcome, label, {.rises = "field weakening begins", .falls = "field weakening ends", .subject = label});
}

// The ellipse that the voltage leaves at a speed: its points are id = (flux cos a - psi)/Ld, iq = flux sin a/Lq, their torque is
//   3/2 p (A sin a - B sin a cos a).
struct Ellipse {
  const PmsmConstants& machine;
  Expression flux, A, B;

  Ellipse(const PmsmConstants& m, Expression voltage, Expression speed)
      : machine(m),
        // at rest it has no bounds: a million times the flux of the magnets is as good
        flux(voltage / sqrt(kept_above(square(speed), square(1e-6 * voltage / m.psi)))),
        A(flux * m.psi / m.Ld),
        B(square(flux) * (m.Lq - m.Ld) / (m.Ld * m.Lq)) {}

  Dq at(Expression cosine, Expression sine) const {
    return {(flux * cosine - machine.psi) / machine.Ld, flux * sine / machine.Lq};
  }

  // dT/da = A cos a - B cos 2a = 0
  Dq most_torque() const {
    const Expression cosine = -2.0 * B / (A + sqrt(A * A + 8.0 * (B * B)));
    return at(cosine, sqrt(1.0 - cosine * cosine));
  }

  // Newton's method from the point of inflection, cos a = A/(4 B), or from near a = 0 where there is none (at 0 itself acos has no slope): the
  // torque is convex on one side of it and concave on the other, so that all iterates but the first approach the root from one side.
  Dq with_torque(Expression torque, const std::string& label) const {
    const Expression T = torque / (1.5 * machine.pole_pairs);
    if (B.is(0)) {
      const Expression sine = T / A;
      return at(sqrt(kept_above(1.0 - sine * sine, 0.0)), sine);
    }
    constexpr int iterations = 10;
    said(unit_step(T), label,
         {.rises = "its torque turns positive", .falls = "its torque turns negative", .subject = label});
    Expression a = sign(T) * acos(kept_below(A / (4.0 * kept_above(B, 1e-9 * A)), 0.99));
    for (int k = 0; k < iterations; ++k) {
      const Expression s = sin(a), c = cos(a);
      a = a - (A * s - B * s * c - T) / (A * c - B * (c * c - s * s));
    }
    return at(cos(a), sin(a));
  }
};

// MTPA at the largest current.
Dq least_loss_at(const PmsmConstants& m, Expression I) {
  const Expression saliency = m.Lq - m.Ld,
                   d = -2.0 * saliency * I * I / (m.psi + sqrt(square(m.psi) + 8.0 * square(saliency * I)));
  return {d, sqrt(I * I - d * d)};
}

// On the ellipse and on the circle I: (Ld^2 - Lq^2) id^2 + 2 Ld psi id + psi^2 + Lq^2 I^2 - flux^2 = 0, the root nearer to zero. Where they do
// not meet, all current weakens the field.
Dq on_both(const PmsmConstants& m, const Ellipse& ellipse, Expression I) {
  const Expression a = square(m.Ld) - square(m.Lq), b = m.Ld * m.psi,
                   c = square(m.psi) + square(m.Lq * I) - square(ellipse.flux);
  const Expression d = kept_above(-c / (b + sqrt(kept_above(b * b - a * c, 0.0))), -I);
  return {d, sqrt(kept_above(I * I - d * d, 0.0))};
}

}  // namespace

Expression squared(const Dq& x) { return x.d * x.d + x.q * x.q; }

Expression PmsmConstants::torque(const Dq& i) const { return 1.5 * pole_pairs * i.q * (psi + (Ld - Lq) * i.d); }

Dq PmsmConstants::flux(const Dq& i) const { return {Ld * i.d + psi, Lq * i.q}; }

// With h = psi/2 and y = (Lq - Ld) iq/h the condition of MTPA makes  T (Lq - Ld)/(3/2 p h^2) = y (1 + sqrt(1 + y^2)):  Newton's method from a
// guess that is right for small and for large torques.
Dq currents_of_least_loss(const PmsmConstants& m, Expression torque) {
  const Expression T = torque / (1.5 * m.pole_pairs), saliency = m.Lq - m.Ld;
  if (saliency.is(0)) return {0.0, T / m.psi};
  constexpr int iterations = 5;
  const Expression h = 0.5 * m.psi, tau = T * saliency / (h * h);
  Expression y = tau / (1.0 + sqrt(sqrt(1.0 + tau * tau)));
  for (int k = 0; k < iterations; ++k) {
    const Expression s = sqrt(1.0 + y * y);
    y = y - (y * (1.0 + s) - tau) / (1.0 + s + y * y / s);
  }
  return {-(h / saliency) * (y * y / (1.0 + sqrt(1.0 + y * y))), y * h / saliency};
}

Expression torque_envelope(const PmsmConstants& m, const PmsmLimits& limits, Expression speed) {
  // With one limit: most torque on the circle of the current, or on the ellipse of the voltage.
  if (!limits.voltage) return m.torque(least_loss_at(m, *limits.current));
  const Ellipse ellipse(m, *limits.voltage, speed);
  const Dq most = ellipse.most_torque();
  if (!limits.current) return m.torque(most);
  const Expression I = *limits.current;
  // With both: up to the base speed the circle alone; beyond, the point on both, or the top of an ellipse inside the
  // circle.
  const Dq base = least_loss_at(m, I);
  const Expression above_base_speed =
      said(unit_step(square(speed) * squared(m.flux(base)) - square(*limits.voltage)), limits.label,
           {.rises = "exceeds its base speed", .falls = "drops below its base speed", .subject = limits.label});
  const Expression weakened = select(said(unit_step(I * I - squared(most)), limits.label,
                                          {.rises = "its voltage alone limits its torque",
                                           .falls = "its voltage and its current limit its torque",
                                           .subject = limits.label}),
                                     m.torque(most), m.torque(on_both(m, ellipse, I)));
  return select(above_base_speed, weakened, m.torque(base));
}

Dq currents_within_limits(const PmsmConstants& m, const PmsmLimits& limits, Expression torque, Expression speed,
                          bool clamped) {
  if (clamped && (limits.voltage || limits.current))
    torque = clamp(torque, torque_envelope(m, limits, speed), limits.label);
  const Dq least = currents_of_least_loss(m, torque);
  if (!limits.voltage) return least;
  const Ellipse ellipse(m, *limits.voltage, speed);
  // at the most torque of the ellipse the slope of its torque is zero: without a limit of the torque just less counts as reachable
  const Expression most = (1 - 1e-6) * m.torque(ellipse.most_torque());
  Dq weakened = ellipse.with_torque(clamped ? torque : clamp(torque, most, limits.label), limits.label);
  if (limits.current) weakened.d = kept_above(weakened.d, -*limits.current);
  const Expression weaken = weakens(unit_step(square(speed) * squared(m.flux(least)) - square(*limits.voltage)),
                                    limits.label),
                   reachable = clamped ? Expression(1.0)
                                       : said(unit_step(square(most) - square(torque)), limits.label,
                                              {.rises = "its voltage suffices for its torque",
                                               .falls = "its voltage does not suffice for its torque",
                                               .subject = limits.label});
  const auto chosen = [&](Expression weak, Expression strong) {
    return select(reachable, select(weaken, weak, strong), strong);
  };
  return {chosen(weakened.d, least.d), chosen(weakened.q, least.q)};
}

}  // namespace armature::internal
