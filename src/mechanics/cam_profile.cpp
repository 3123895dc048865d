#include "mechanics/cam_profile.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/derivative.hpp"
#include "expression/program.hpp"

namespace armature::internal {

namespace {

// Places of the follower around the cam: a quarter of a degree apart, a cubic spline errs by 1e-12 of a profile of few waves.
constexpr int places = 1440;

double degrees(double angle) { return angle * 180 / M_PI; }

// s, s', s'' in numbers
struct Curve {
  double x, y, dx, dy, ddx, ddy;
  double speed() const { return std::hypot(dx, dy); }
  double curvature() const { return (dx * ddy - dy * ddx) / std::pow(speed(), 3); }
};

// The outline at many angles, with parameters at their values.
class Outline {
 public:
  Outline(const Equations& equations, Expression angle, std::vector<Expression> radius) : in_(equations.p_value) {
    std::vector<Expression> inputs = equations.p;
    inputs.push_back(angle);
    in_.push_back(0);
    evaluate_ = Evaluator(std::make_shared<const Program>(inputs, radius));
  }
  double radius(double angle) { return look(angle)[0]; }
  Curve operator()(double angle) {
    const auto [r, dr, ddr] = look(angle);
    const double c = std::cos(angle), s = std::sin(angle);
    return {r * c, r * s, dr * c - r * s, dr * s + r * c, (ddr - r) * c - 2 * dr * s, (ddr - r) * s + 2 * dr * c};
  }

 private:
  std::array<double, 3> look(double angle) {
    std::array<double, 3> out{};
    in_.back() = angle;
    evaluate_(in_.data(), out.data());
    return out;
  }
  std::vector<double> in_;
  Evaluator evaluate_;
};

}  // namespace

double at_parameters(Expression x, const Equations& equations) {
  if (x.is_constant()) return x.value();
  double value = 0;
  Evaluator(std::make_shared<const Program>(equations.p, std::span(&x, 1)))(equations.p_value.data(), &value);
  return value;
}

CamProfile::CamProfile(EquationsBuilder& builder, const ContactSurface& cam)
    : builder_(builder), cam_(cam), angle_(builder.graph().input("angle of a cam")) {
  r_ = builder.names().scalar_with(cam.profile, cam_angle, angle_);
  for (const Expression& parameter : builder.equations().p)
    if (depends_on(r_, parameter))
      refuse("the profile of a cam must not change with a parameter that is varied or set from outside");
  Derivative along({{angle_.id(), 1.0}});
  dr_ = along(r_), ddr_ = along(dr_);
  require_closed();
}

void CamProfile::refuse(const std::string& message) const { throw FormulaError(cam_.profile.where, message); }

void CamProfile::require_closed() const {
  Outline outline(builder_.equations(), angle_, {r_, dr_, ddr_});
  for (int k = 0; k < places; ++k) {
    const double angle = 2 * M_PI * k / places, r = outline.radius(angle), around = outline.radius(angle - 2 * M_PI);
    if (!(r > 0))
      refuse(fmt::format("the radius of the cam is {:g} m at {:.0f} deg; it must be positive", r, degrees(angle)));
    constexpr double same_radius = 1e-9;  // after a whole turn
    if (!(std::abs(r - around) <= same_radius * r))
      refuse(fmt::format(
          "the cam is not closed: its radius is {:g} m at {:.0f} deg and {:g} m a turn before; a table needs "
          "'outside: repeat' and one turn from 0 to 360 deg",
          r, degrees(angle), around));
  }
}

CamPoint CamProfile::at(Expression angle) const {
  Substitution there({{angle_.id(), angle}});
  const Expression r = there(r_), dr = there(dr_), c = cos(angle), s = sin(angle);
  const Expression dx = dr * c - r * s, dy = dr * s + r * c, speed = sqrt(r * r + dr * dr);
  return {r * c, r * s, dy / speed, -dx / speed};
}

CamPoint CamProfile::by_places(std::vector<double> of_follower, std::vector<double> of_cam, Expression angle) const {
  std::vector<double> ahead;
  for (std::size_t k = 0; k < of_cam.size(); ++k) {
    while (k > 0 && of_follower[k] < of_follower[k - 1] - M_PI) of_follower[k] += 2 * M_PI;
    if (k > 0 && !(of_follower[k] > of_follower[k - 1]))
      refuse(fmt::format("the cam is too steep at {:.0f} deg: its follower would have to go back", degrees(of_cam[k])));
    ahead.push_back(std::remainder(of_cam[k] - of_follower[k], 2 * M_PI));
  }
  of_follower.push_back(of_follower.front() + 2 * M_PI), ahead.push_back(ahead.front());
  const auto table = std::make_shared<const Table>(Table::periodic_spline(std::move(of_follower), std::move(ahead)));
  return at(angle + (angle.is_constant() ? Expression(table->evaluate(angle.value(), 0))
                                         : builder_.graph().lookup(table, angle)));
}

CamPoint CamProfile::under_roller(Expression cx, Expression cy, Expression roller) const {
  if (!roller.is_constant())
    refuse("the roller of a cam must not change with a parameter that is varied or set from outside");
  const double rho = roller.value();
  Outline outline(builder_.equations(), angle_, {r_, dr_, ddr_});
  std::vector<double> of_follower, of_cam;
  for (int k = 0; k < places; ++k) {
    of_cam.push_back(2 * M_PI * k / places);
    const Curve s = outline(of_cam.back());
    if (!(1 + rho * s.curvature() > 0))
      refuse(fmt::format(
          "the cam is hollow at {:.0f} deg with a radius of {:.4g} m, into which a roller of {:.4g} m does not fit",
          degrees(of_cam.back()), -1 / s.curvature(), rho));
    of_follower.push_back(std::atan2(s.y - rho * s.dx / s.speed(), s.x + rho * s.dy / s.speed()));
  }
  return by_places(std::move(of_follower), std::move(of_cam), atan2(cy, cx));
}

CamPoint CamProfile::on_face(Expression nx, Expression ny) const {
  Outline outline(builder_.equations(), angle_, {r_, dr_, ddr_});
  std::vector<double> of_follower, of_cam;
  for (int k = 0; k < places; ++k) {
    of_cam.push_back(2 * M_PI * k / places);
    const Curve s = outline(of_cam.back());
    if (!(s.curvature() > 0))
      refuse(fmt::format("the cam is not convex at {:.0f} deg, where a flat face cannot touch it; use a roller",
                         degrees(of_cam.back())));
    of_follower.push_back(std::atan2(-s.dx, s.dy));  // outward
  }
  return by_places(std::move(of_follower), std::move(of_cam), atan2(-ny, -nx));
}

}  // namespace armature::internal
