#include "tuning/stability_region.hpp"

#include <array>
#include <cmath>
#include <complex>

#include "step/methods.hpp"

namespace armature::internal {

namespace {

using Complex = std::complex<double>;
using Point = StabilityRegion::Point;

constexpr double longest_chord = 0.02;  // of the traced curve in the plane of z, and between points of the polyline

constexpr double axis = 1e-12;  // |Re z| below it: on the imaginary axis, within round-off

// R and its derivative, by Horner.
struct StabilityFunction {
  const Eigen::VectorXd& c;
  template <class T>
  T operator()(T z) const {
    T sum = 0;
    for (Eigen::Index k = c.size() - 1; k >= 0; --k) sum = sum * z + c[k];
    return sum;
  }
  Complex slope(Complex z) const {
    Complex sum = 0;
    for (Eigen::Index k = c.size() - 1; k >= 1; --k) sum = sum * z + double(k) * c[k];
    return sum;
  }
};

// R(z) = 1 + z b'e + z^2 b'A e + ...
Eigen::VectorXd stability_polynomial(const Tableau& tableau) {
  const int s = tableau.stages;
  const Eigen::MatrixXd A = stage_weights(tableau);
  Eigen::VectorXd c(s + 1), power = Eigen::VectorXd::Ones(s);
  c[0] = 1;
  for (int k = 1; k <= s; ++k) {
    c[k] = end_weights(tableau).dot(power);
    power = A * power;
  }
  return c;
}

// The curve R(z) = e^{i angle} from z = 0 upwards until it comes back to the real axis.
class Tracing {
 public:
  explicit Tracing(StabilityRegion& region) : region_(region), R_{region.polynomial} {}

  void run() {
    corner({0, 0});
    region_.highest = region_.rightmost = {0, 0};
    while (take_step()) {
    }
    const double L = real_limit();
    add_arc(angle_, end_angle(L), Complex(-L, 0));
    corner({2 * L, L * L});
    line({2 * L, L * L}, {L, 0});
    corner({L, 0});
    line({L, 0}, {0, 0});
    region_.boundary.push_back({0, 0});
  }

 private:
  static Point place(Complex z) { return {0 - 2 * z.real(), std::norm(z)}; }
  Complex rate(Complex z) const { return Complex(0, 1) * R_(z) / R_.slope(z); }  // dz/d(angle)

  // z at another angle, by Newton's method from nearby.
  Complex solve(double angle, Complex z) const {
    const Complex target = std::polar(1.0, angle);
    for (int k = 0; k < 30; ++k) {
      const Complex step = (R_(z) - target) / R_.slope(z);
      z -= step;
      if (std::abs(step) < 1e-15) break;
    }
    return z;
  }
  Complex predicted(double angle) const { return solve(angle, z_ + rate(z_) * (angle - angle_)); }

  // False: the next step would end below the real axis.
  bool take_step() {
    const double next = angle_ + std::min(0.02, longest_chord / std::abs(rate(z_)));
    const Complex z = predicted(next);
    if (z.imag() <= 0) return false;
    const bool was_left = z_.real() < -axis, is_left = z.real() < -axis;
    if (was_left && is_left) {
      add_arc(angle_, next, z);
    } else if (was_left != is_left) {
      const double at = angle_where(next, [](Complex w, Complex) { return w.real(); });
      const Complex crossing(0, predicted(at).imag());
      if (was_left) add_arc(angle_, at, crossing);
      if (angle_ > 0 || was_left) corner(place(crossing));
      angle_ = at, z_ = crossing;
      if (is_left) add_arc(at, next, z);
    }
    angle_ = next, z_ = z;
    return true;
  }

  // Where f(z, dz/d(angle)) changes sign between the last point and `next`.
  template <class F>
  double angle_where(double next, F f) const {
    double a = angle_, b = next;
    const bool sign = f(predicted(b), rate(predicted(b))) > 0;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (a + b);
      const Complex z = predicted(middle);
      ((f(z, rate(z)) > 0) == sign ? b : a) = middle;
    }
    return 0.5 * (a + b);
  }

  // |R(-L)| = 1, near the last point of the curve.
  double real_limit() const {
    const auto excess = [&](double L) { return std::abs(R_(-L)) - 1; };
    double a = -z_.real(), b = a;
    while (excess(a) >= 0 && a > 0) a -= longest_chord;
    while (excess(b) <= 0) b += longest_chord;
    for (int k = 0; k < 100; ++k) (excess(0.5 * (a + b)) > 0 ? b : a) = 0.5 * (a + b);
    return 0.5 * (a + b);
  }
  double end_angle(double L) const {
    double angle = R_(-L) > 0 ? 0 : M_PI;
    while (angle < angle_ - M_PI / 2) angle += 2 * M_PI;
    return angle;
  }

  // The curve from the last point to `next`, where it is at z: area by Gauss' formula of 5 points on 1/2 (x dy - y dx).
  void add_arc(double from, double next, Complex z) {
    static constexpr std::array<double, 5> node{0, -0.5384693101056831, 0.5384693101056831, -0.9061798459386640,
                                                0.9061798459386640};
    static constexpr std::array<double, 5> weight{0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                                  0.2369268850561891, 0.2369268850561891};
    for (int k = 0; k < 5; ++k) {
      const double angle = 0.5 * (from + next) + 0.5 * (next - from) * node[k];
      const Complex w = predicted(angle), dw = rate(w);
      const Point p = place(w), dp{-2 * dw.real(), 2 * (std::conj(w) * dw).real()};
      region_.area -= 0.5 * (next - from) * weight[k] * 0.5 * (p.x() * dp.y() - p.y() * dp.x());
    }
    look_for_highest(next, z);
    region_.boundary.push_back(place(z));
    note(place(z));
  }

  void look_for_highest(double next, Complex z) {
    const auto rise = [](Complex w, Complex dw) { return (std::conj(w) * dw).real(); };
    if (z_ == Complex(0) || !(rise(z_, rate(z_)) > 0) || !(rise(z, rate(z)) < 0)) return;
    note(place(predicted(angle_where(next, rise))));
  }

  void line(Point a, Point b) { region_.area -= 0.5 * (a.x() * b.y() - a.y() * b.x()); }

  void corner(const Point& p) {
    region_.corners.push_back(p);
    region_.boundary.push_back(p);
    note(p);
  }
  void note(const Point& p) {
    if (p.y() > region_.highest.y()) region_.highest = p;
    if (p.x() > region_.rightmost.x()) region_.rightmost = p;
  }

  StabilityRegion& region_;
  StabilityFunction R_;
  double angle_ = 0;
  Complex z_ = 0;
};

}  // namespace

bool StabilityRegion::contains(double x, double y) const {
  if (!(x > 0) || !(y > 0)) return false;
  if (polynomial.size() == 0) return x < 2 && y < 4 - 2 * x;
  const StabilityFunction R{polynomial};
  const double discriminant = x * x / 4 - y;
  if (discriminant < 0) return std::abs(R(Complex(-x / 2, std::sqrt(-discriminant)))) < 1;
  const double far = -x / 2 - std::sqrt(discriminant), near = y / far;
  return std::abs(R(far)) < 1 && std::abs(R(near)) < 1;
}

StabilityRegion stability_region(const Tableau& tableau) {
  StabilityRegion region;
  region.polynomial = stability_polynomial(tableau);
  Tracing(region).run();
  return region;
}

StabilityRegion semi_implicit_euler_region() {
  StabilityRegion region;
  region.corners = {{0, 0}, {0, 4}, {2, 0}};
  region.boundary = {{0, 0}, {0, 4}, {2, 0}, {0, 0}};
  region.highest = {0, 4}, region.rightmost = {2, 0};
  region.area = 4;
  return region;
}

std::optional<StabilityRegion> stability_region(const std::string& integrator) {
  if (const step::Method* method = step::find_method(integrator); method && method->symplectic)
    return semi_implicit_euler_region();
  if (const Tableau* method = find_tableau(integrator)) return stability_region(*method);
  return std::nullopt;
}

}  // namespace armature::internal
