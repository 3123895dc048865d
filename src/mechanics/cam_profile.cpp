#include "mechanics/cam_profile.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/derivative.hpp"
#include "expression/program.hpp"

namespace armature::internal {

namespace {

constexpr int places = 360;        // of the follower around the cam, at which the profile is looked at
constexpr int most_iterations = 12;
constexpr double found = 1e-13;    // rad: the last iteration moves the angle by round-off

double degrees(double angle) { return angle * 180 / M_PI; }

// The radius, of which the first and second derivatives are asked at many angles.
class Radius {
 public:
  Radius(const Equations& equations, Expression angle, std::vector<Expression> outputs) : in_(equations.p_value) {
    std::vector<Expression> inputs = equations.p;
    inputs.push_back(angle);
    in_.push_back(0);
    evaluate_ = Evaluator(std::make_shared<const Program>(inputs, outputs));
  }
  std::array<double, 3> operator()(double angle) {
    std::array<double, 3> out{};
    in_.back() = angle;
    evaluate_(in_.data(), out.data());
    return out;
  }

 private:
  std::vector<double> in_;
  Evaluator evaluate_;
};

// s, s', s'' in numbers
struct Curve {
  double x, y, dx, dy, ddx, ddy;
};
Curve curve_at(Radius& radius, double angle) {
  const auto [r, dr, ddr] = radius(angle);
  const double c = std::cos(angle), s = std::sin(angle);
  return {r * c, r * s, dr * c - r * s, dr * s + r * c, (ddr - r) * c - 2 * dr * s, (ddr - r) * s + 2 * dr * c};
}

}  // namespace

CamProfile::CamProfile(EquationsBuilder& builder, const ContactSurface& cam)
    : builder_(builder), cam_(cam), angle_(builder.graph().input("angle of a cam")) {
  r_ = builder.names().scalar_with(cam.profile, cam_angle, angle_);
  Derivative along({{angle_.id(), 1.0}});
  dr_ = along(r_), ddr_ = along(dr_);
  require_closed();
}

void CamProfile::refuse(const std::string& message) const { throw FormulaError(cam_.profile.where, message); }

double CamProfile::number(Expression x) const {
  if (x.is_constant()) return x.value();
  double value = 0;
  const Equations& e = builder_.equations();
  Evaluator(std::make_shared<const Program>(e.p, std::span(&x, 1)))(e.p_value.data(), &value);
  return value;
}

void CamProfile::require_closed() const {
  Radius radius(builder_.equations(), angle_, {r_, dr_, ddr_});
  for (int k = 0; k < places; ++k) {
    const double angle = 2 * M_PI * k / places, r = radius(angle)[0], around = radius(angle - 2 * M_PI)[0];
    if (!(r > 0)) refuse(fmt::format("the radius of the cam is {:g} m at {:.0f} deg; it must be positive", r, degrees(angle)));
    if (!(std::abs(r - around) <= 1e-9 * r))
      refuse(fmt::format("the cam is not closed: its radius is {:g} m at {:.0f} deg and {:g} m a turn before; a table needs "
                         "'outside: repeat' and one turn from 0 to 360 deg",
                         r, degrees(angle), around));
  }
}

CamProfile::Outline CamProfile::at(Expression angle) const {
  Substitution there({{angle_.id(), angle}});
  const Expression r = there(r_), dr = there(dr_), ddr = there(ddr_), c = cos(angle), s = sin(angle);
  return {r * c, r * s, dr * c - r * s, dr * s + r * c, (ddr - r) * c - 2.0 * dr * s, (ddr - r) * s + 2.0 * dr * c};
}

Expression CamProfile::touching_roller(Expression cx, Expression cy, Expression angle, int iterations) const {
  for (int i = 0; i < iterations; ++i) {
    const Outline s = at(angle);
    const Expression g = (cx - s.x) * s.dx + (cy - s.y) * s.dy,
                     slope = (cx - s.x) * s.ddx + (cy - s.y) * s.ddy - s.dx * s.dx - s.dy * s.dy;
    angle -= g / slope;
  }
  return angle;
}

Expression CamProfile::touching_face(Expression nx, Expression ny, Expression angle, int iterations) const {
  for (int i = 0; i < iterations; ++i) {
    const Outline s = at(angle);
    angle -= (nx * s.dx + ny * s.dy) / (nx * s.ddx + ny * s.ddy);
  }
  return angle;
}

namespace {

// So many iterations of `next` bring the angle from `from` to `to`; -1: they do not.
template <class Next>
int iterations_to(double to, double from, Next next) {
  double angle = from;
  for (int i = 0; i <= most_iterations; ++i) {
    if (std::abs(std::remainder(angle - to, 2 * M_PI)) <= found) return i;
    angle = next(angle);
  }
  return -1;
}

}  // namespace

CamPoint CamProfile::nearest(Expression cx, Expression cy, Expression roller) const {
  const double rho = number(roller);
  Radius radius(builder_.equations(), angle_, {r_, dr_, ddr_});
  int iterations = 1;
  for (int k = 0; k < places; ++k) {
    const double at_angle = 2 * M_PI * k / places;
    const Curve s = curve_at(radius, at_angle);
    const double speed = std::hypot(s.dx, s.dy), curvature = (s.dx * s.ddy - s.dy * s.ddx) / (speed * speed * speed);
    if (!(1 + rho * curvature > 0))
      refuse(fmt::format("the cam is hollow at {:.0f} deg with a radius of {:.4g} m, into which a roller of {:.4g} m does not fit",
                         degrees(at_angle), -1 / curvature, rho));
    // where it touches, and as far away as the cam is large
    for (const double away : {0.0, std::hypot(s.x, s.y)}) {
      const double x = s.x + (rho + away) * s.dy / speed, y = s.y - (rho + away) * s.dx / speed;
      const int needed = iterations_to(at_angle, std::atan2(y, x), [&](double angle) {
        const Curve t = curve_at(radius, angle);
        return angle - ((x - t.x) * t.dx + (y - t.y) * t.dy) /
                           ((x - t.x) * t.ddx + (y - t.y) * t.ddy - t.dx * t.dx - t.dy * t.dy);
      });
      if (needed < 0 && away == 0)
        refuse(fmt::format("the cam is too steep at {:.0f} deg to find the point that its follower touches", degrees(at_angle)));
      iterations = std::max(iterations, needed);
    }
  }
  const Outline s = at(touching_roller(cx, cy, atan2(cy, cx), iterations));
  const Expression speed = sqrt(s.dx * s.dx + s.dy * s.dy), nx = s.dy / speed, ny = -s.dx / speed;
  return {s.x, s.y, nx, ny, nx * (cx - s.x) + ny * (cy - s.y)};
}

CamPoint CamProfile::lowest(Expression nx, Expression ny) const {
  Radius radius(builder_.equations(), angle_, {r_, dr_, ddr_});
  int iterations = 1;
  for (int k = 0; k < places; ++k) {
    const double at_angle = 2 * M_PI * k / places;
    const Curve s = curve_at(radius, at_angle);
    if (!(s.dx * s.ddy - s.dy * s.ddx > 0))
      refuse(fmt::format("the cam is not convex at {:.0f} deg, where a flat face cannot touch it; use a roller", degrees(at_angle)));
    const double speed = std::hypot(s.dx, s.dy), x = -s.dy / speed, y = s.dx / speed;  // inward
    const int needed = iterations_to(at_angle, std::atan2(-y, -x), [&](double angle) {
      const Curve t = curve_at(radius, angle);
      return angle - (x * t.dx + y * t.dy) / (x * t.ddx + y * t.ddy);
    });
    if (needed < 0) refuse(fmt::format("the cam is too steep at {:.0f} deg to find the point that its follower touches", degrees(at_angle)));
    iterations = std::max(iterations, needed);
  }
  const Outline s = at(touching_face(nx, ny, atan2(-ny, -nx), iterations));
  return {s.x, s.y, -nx, -ny, 0.0};
}

}  // namespace armature::internal
