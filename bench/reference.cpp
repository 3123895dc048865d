#include "reference.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <map>

namespace armature::internal::bench {

namespace {

using Real = long double;
using Vector3 = Eigen::Matrix<Real, 3, 1>;
using Matrix3 = Eigen::Matrix<Real, 3, 3>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

struct BodyMotion {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero(), w = Vector3::Zero(), alpha = Vector3::Zero(), a = Vector3::Zero();  // ground axes
};

std::vector<BodyMotion> motion_of(const Machine& machine, const Vector& q, const Vector& v, const Vector& vdot) {
  std::vector<BodyMotion> bodies(machine.links.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Link& link = machine.links[i];
    const BodyMotion ground, &up = link.parent < 0 ? ground : bodies[link.parent];
    const Vector3 r = up.R * link.at.cast<Real>(), axis = up.R * link.axis.cast<Real>();
    BodyMotion& body = bodies[i];
    body.R = up.R * Eigen::AngleAxis<Real>(q[i], link.axis.cast<Real>()).toRotationMatrix();
    body.p = up.p + r;
    body.w = up.w + v[i] * axis;
    body.alpha = up.alpha + vdot[i] * axis + up.w.cross(v[i] * axis);
    body.a = up.a + up.alpha.cross(r) + up.w.cross(up.w.cross(r));
  }
  return bodies;
}

Vector3 point_acceleration(const BodyMotion& body, const Eigen::Vector3d& at) {
  const Vector3 r = body.R * at.cast<Real>();
  return body.a + body.alpha.cross(r) + body.w.cross(body.w.cross(r));
}

// The joint torques that the motion takes, against gravity or without.
Vector torques(const Machine& machine, const std::vector<BodyMotion>& bodies, bool with_gravity) {
  std::vector<Vector3> f(bodies.size()), n(bodies.size());  // about the link's origin
  Vector result(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Link& link = machine.links[i];
    const BodyMotion& body = bodies[i];
    const Matrix3 I = body.R * link.inertia.cast<Real>() * body.R.transpose();
    Vector3 a = point_acceleration(body, link.center);
    if (with_gravity) a -= machine.gravity.cast<Real>();
    f[i] = Real(link.mass) * a;
    n[i] = I * body.alpha + body.w.cross(I * body.w) + (body.R * link.center.cast<Real>()).cross(f[i]);
  }
  for (std::size_t i = bodies.size(); i-- > 0;) {
    const Link& link = machine.links[i];
    const Vector3 axis = bodies[i].R * link.axis.cast<Real>();
    result[i] = axis.dot(n[i]);
    if (link.parent < 0) continue;
    f[link.parent] += f[i];
    n[link.parent] += n[i] + (bodies[i].p - bodies[link.parent].p).cross(f[i]);
  }
  return result;
}

Vector pin_accelerations(const Machine& machine, const std::vector<BodyMotion>& bodies) {
  const int rows = machine.planar ? 2 : 3;
  Vector result(rows * machine.pins.size());
  for (std::size_t k = 0; k < machine.pins.size(); ++k) {
    const Pin& pin = machine.pins[k];
    const Vector3 apart = point_acceleration(bodies[pin.a], pin.at_a) - point_acceleration(bodies[pin.b], pin.at_b);
    result.segment(rows * k, rows) = apart.head(rows);
  }
  return result;
}

Eigen::MatrixXd robot_motion(const Machine& machine, double end, int samples) {
  Motion motion{Eigen::MatrixXd(machine.size(), samples)};
  hand_written_engine().make(machine)->motion({"RK4", 2e-5, 0}, end, motion);
  return motion.q;
}

// Uprights turn by phi, couplers stay level.
Eigen::MatrixXd windows_motion(const Machine& machine, double end, int samples) {
  const int N = static_cast<int>(machine.pins.size()), steps = std::max(1, static_cast<int>(end / samples / 2e-5));
  const Real factor = -9.81L * ((N + 1) / 2.0L + N) / ((N + 1) / 3.0L + N), h = Real(end) / samples / steps;
  Real phi = machine.q[0], w = machine.v[0];
  Eigen::MatrixXd q(machine.size(), samples);
  for (int k = 0; k < samples; ++k) {
    for (int i = 0; i < steps; ++i) {
      const Real a1 = factor * std::cos(phi), a2 = factor * std::cos(phi + h / 2 * w),
                 a3 = factor * std::cos(phi + h / 2 * (w + h / 2 * a1)),
                 a4 = factor * std::cos(phi + h * (w + h / 2 * a2));
      phi += h * (w + h / 6 * (a1 + a2 + a3));
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    for (int i = 0; i < machine.size(); ++i) q(i, k) = static_cast<double>(i <= N ? phi : -phi);
  }
  return q;
}

}  // namespace

Eigen::VectorXd reference_acceleration(const Machine& machine) {
  const int n = machine.size();
  const Vector q = machine.q.cast<Real>(), v = machine.v.cast<Real>(), zero = Vector::Zero(n);
  const auto bias = motion_of(machine, q, v, zero);
  const Vector gamma = -pin_accelerations(machine, bias);
  const int m = static_cast<int>(gamma.size());
  Matrix K = Matrix::Zero(n + m, n + m);
  for (int j = 0; j < n; ++j) {
    const auto unit = motion_of(machine, q, zero, Vector::Unit(n, j));
    K.col(j).head(n) = torques(machine, unit, false);
    K.col(j).tail(m) = pin_accelerations(machine, unit);
  }
  K.topRightCorner(n, m) = K.bottomLeftCorner(m, n).transpose();
  Vector right(n + m);
  right.head(n) = -torques(machine, bias, true);
  for (int i = 0; i < n; ++i) right[i] += machine.links[i].effort - machine.links[i].damping * v[i];
  right.tail(m) = gamma;
  return K.fullPivLu().solve(right).head(n).cast<double>();
}

const Eigen::MatrixXd& reference_motion(const Machine& machine, double end, int samples) {
  static std::map<std::tuple<std::string, double, int>, Eigen::MatrixXd> known;
  const auto [place, is_new] = known.try_emplace({machine.name, end, samples});
  if (is_new)
    place->second =
        machine.name.starts_with("rrr") ? robot_motion(machine, end, samples) : windows_motion(machine, end, samples);
  return place->second;
}

double motion_error(const Machine& machine, double end, const Motion& motion) {
  const double error =
      (motion.q - reference_motion(machine, end, static_cast<int>(motion.q.cols()))).cwiseAbs().maxCoeff();
  return motion.finished && std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

}  // namespace armature::internal::bench
