#include "hand_rrr.hpp"

#include <cmath>

namespace armature::internal::bench {

namespace {

constexpr double l1 = 0.581, l2 = 0.620, m1 = 2.072, m2 = 0.75, m3 = 0.978, I1 = 0.13, I3 = 0.007, rotor = 1,
                 damping = 10;
constexpr double sqrt3 = 1.7320508075688772, side = 0.2, b = side / sqrt3;  // platform: triangle, center at b

struct Direction {
  double x, y;  // cos and sin of an angle
  explicit Direction(double angle) : x(std::cos(angle)), y(std::sin(angle)) {}
  Direction(double x, double y) : x(x), y(y) {}
};
Direction turned(Direction e, double cosine, double sine) {
  return {e.x * cosine - e.y * sine, e.x * sine + e.y * cosine};
}
double cosine(Direction p, Direction q) { return p.x * q.x + p.y * q.y; }
double sine(Direction p, Direction q) { return p.y * q.x - p.x * q.y; }  // of p - q

struct Two {
  double xx, xy, yy;  // symmetric 2 x 2
};
Two inverse(Two s) {
  const double d = 1 / (s.xx * s.yy - s.xy * s.xy);
  return {s.yy * d, -s.xy * d, s.xx * d};
}

// One of the legs 2, 3: crank and rod.
struct Leg {
  double px, qx, py, qy;  // columns of Phi: crank and rod, x and y
  Two inverse_M, B;       // B = Phi M^-1 Phi'
  double f1, f2, u1, u2;  // forces and M^-1 f
  double gx, gy;          // gamma's part
};
Leg leg(Direction e1, Direction e2, double w1, double w2, double torque, double rod_inertia) {
  constexpr double K = m2 * l1 * l2 / 2;
  Leg leg;
  const double c = K * cosine(e1, e2), s = K * sine(e1, e2);
  leg.inverse_M = inverse({I1 + m1 * l1 * l1 / 4 + rotor + m2 * l1 * l1, c, rod_inertia + m2 * l2 * l2 / 4});
  leg.f1 = torque - damping * w1 - s * w2 * w2;
  leg.f2 = s * w1 * w1;
  const Two& i = leg.inverse_M;
  leg.u1 = i.xx * leg.f1 + i.xy * leg.f2;
  leg.u2 = i.xy * leg.f1 + i.yy * leg.f2;
  leg.px = l1 * e1.y, leg.py = -l1 * e1.x, leg.qx = l2 * e2.y, leg.qy = -l2 * e2.x;
  const double px = i.xx * leg.px + i.xy * leg.qx, qx = i.xy * leg.px + i.yy * leg.qx;
  const double py = i.xx * leg.py + i.xy * leg.qy, qy = i.xy * leg.py + i.yy * leg.qy;
  leg.B = {px * leg.px + qx * leg.qx, px * leg.py + qx * leg.qy, py * leg.py + qy * leg.qy};
  leg.gx = -l1 * w1 * w1 * e1.x - l2 * w2 * w2 * e2.x;
  leg.gy = -l1 * w1 * w1 * e1.y - l2 * w2 * w2 * e2.y;
  return leg;
}

}  // namespace

void HandRrr::acceleration(const double* q, const double* v, double* vdot) const {
  const Direction a1(q[0]), a2(q[1]), a3(q[2]), b1(q[0] + q[3]), b2(q[1] + q[4]), b3(q[2] + q[5]),
      c(q[0] + q[3] + q[6]), d = turned(c, sqrt3 / 2, 0.5), g = turned(c, 0.5, sqrt3 / 2);
  const double wa = v[0], wb = v[0] + v[3], wc = wb + v[6];
  const Leg second = leg(a2, b2, v[1], v[1] + v[4], torque[1], rod_inertia);
  const Leg third = leg(a3, b3, v[2], v[2] + v[5], torque[2], rod_inertia);

  // the chain of crank 1, rod 1 and platform
  constexpr double K12 = (m2 / 2 + m3) * l1 * l2, K13 = m3 * l1 * b, K23 = m3 * l2 * b;
  const double M11 = I1 + m1 * l1 * l1 / 4 + rotor + (m2 + m3) * l1 * l1, M33 = I3 + m3 * b * b;
  const double M22 = rod_inertia + m2 * l2 * l2 / 4 + m3 * l2 * l2;
  const double M12 = K12 * cosine(a1, b1), M13 = K13 * cosine(a1, d), M23 = K23 * cosine(b1, d);
  const double s12 = K12 * sine(a1, b1), s13 = K13 * sine(a1, d), s23 = K23 * sine(b1, d);
  const double f1 = torque[0] - damping * wa - s12 * wb * wb - s13 * wc * wc;
  const double f2 = s12 * wa * wa - s23 * wc * wc, f3 = s13 * wa * wa + s23 * wb * wb;
  const double C11 = M22 * M33 - M23 * M23, C12 = M13 * M23 - M12 * M33, C13 = M12 * M23 - M13 * M22;
  const double r = 1 / (M11 * C11 + M12 * C12 + M13 * C13);
  const double i11 = C11 * r, i12 = C12 * r, i13 = C13 * r, i22 = (M11 * M33 - M13 * M13) * r,
               i23 = (M12 * M13 - M11 * M23) * r, i33 = (M11 * M22 - M12 * M12) * r;

  // rows of Phi on the chain: x and y of the platform's points 2 (along c) and 3 (along g)
  const double p[4][3] = {{-l1 * a1.y, -l2 * b1.y, -side * c.y},
                          {l1 * a1.x, l2 * b1.x, side * c.x},
                          {-l1 * a1.y, -l2 * b1.y, -side * g.y},
                          {l1 * a1.x, l2 * b1.x, side * g.x}};
  double w[4][3];
  for (int k = 0; k < 4; ++k) {
    w[k][0] = i11 * p[k][0] + i12 * p[k][1] + i13 * p[k][2];
    w[k][1] = i12 * p[k][0] + i22 * p[k][1] + i23 * p[k][2];
    w[k][2] = i13 * p[k][0] + i23 * p[k][1] + i33 * p[k][2];
  }
  auto S = [&](int i, int j) { return w[i][0] * p[j][0] + w[i][1] * p[j][1] + w[i][2] * p[j][2]; };
  const Two A{S(0, 0) + second.B.xx, S(0, 1) + second.B.xy, S(1, 1) + second.B.yy};
  const Two D{S(2, 2) + third.B.xx, S(2, 3) + third.B.xy, S(3, 3) + third.B.yy};
  const double E00 = S(0, 2), E01 = S(0, 3), E10 = S(1, 2), E11 = S(1, 3);

  // S lambda = Phi M^-1 f - gamma
  const double hx = l1 * wa * wa * a1.x + l2 * wb * wb * b1.x, hy = l1 * wa * wa * a1.y + l2 * wb * wb * b1.y;
  const double ww = side * wc * wc;
  auto free = [&](int k) { return w[k][0] * f1 + w[k][1] * f2 + w[k][2] * f3; };
  const double y0 = free(0) + second.px * second.u1 + second.qx * second.u2 - (hx + ww * c.x + second.gx);
  const double y1 = free(1) + second.py * second.u1 + second.qy * second.u2 - (hy + ww * c.y + second.gy);
  const double y2 = free(2) + third.px * third.u1 + third.qx * third.u2 - (hx + ww * g.x + third.gx);
  const double y3 = free(3) + third.py * third.u1 + third.qy * third.u2 - (hy + ww * g.y + third.gy);
  const Two iA = inverse(A);
  const double F00 = iA.xx * E00 + iA.xy * E10, F01 = iA.xx * E01 + iA.xy * E11;
  const double F10 = iA.xy * E00 + iA.yy * E10, F11 = iA.xy * E01 + iA.yy * E11;
  const Two iD = inverse({D.xx - E00 * F00 - E10 * F10, D.xy - E00 * F01 - E10 * F11, D.yy - E01 * F01 - E11 * F11});
  const double z2 = y2 - F00 * y0 - F10 * y1, z3 = y3 - F01 * y0 - F11 * y1;
  const double n2 = iD.xx * z2 + iD.xy * z3, n3 = iD.xy * z2 + iD.yy * z3;
  const double n0 = iA.xx * y0 + iA.xy * y1 - F00 * n2 - F01 * n3, n1 = iA.xy * y0 + iA.yy * y1 - F10 * n2 - F11 * n3;

  // vdot = M^-1 (f - Phi' lambda)
  auto rest = [&](int k, double f) { return f - p[0][k] * n0 - p[1][k] * n1 - p[2][k] * n2 - p[3][k] * n3; };
  const double r1 = rest(0, f1), r2 = rest(1, f2), r3 = rest(2, f3);
  const double aa = i11 * r1 + i12 * r2 + i13 * r3, ab = i12 * r1 + i22 * r2 + i23 * r3,
               ac = i13 * r1 + i23 * r2 + i33 * r3;
  auto of_leg = [](const Leg& leg, double nx, double ny, double& crank, double& elbow) {
    const double g1 = leg.f1 - leg.px * nx - leg.py * ny, g2 = leg.f2 - leg.qx * nx - leg.qy * ny;
    crank = leg.inverse_M.xx * g1 + leg.inverse_M.xy * g2;
    elbow = leg.inverse_M.xy * g1 + leg.inverse_M.yy * g2 - crank;
  };
  vdot[0] = aa, vdot[3] = ab - aa, vdot[6] = ac - ab;
  of_leg(second, n0, n1, vdot[1], vdot[4]);
  of_leg(third, n2, n3, vdot[2], vdot[5]);
}

}  // namespace armature::internal::bench
