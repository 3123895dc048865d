// A matrix I is the inertia of some real body about its center if and only if
//
//   S = 1/2 trace(I) E - I = integral of r r' dm
//
// is positive semidefinite; for principal axes this is the triangle inequality Ixx <= Iyy + Izz and so on. About a
// point c away, I grows by m (|c|^2 E - c c').
#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "model/scope.hpp"
#include "model/validate.hpp"

namespace armature::internal {
namespace {

struct Symmetric {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

Symmetric second_moments(const Symmetric& I) {
  const double half = (I.xx + I.yy + I.zz) / 2;
  return {half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
}

Symmetric about_center(const Symmetric& I, double m, const std::array<double, 3>& c) {
  const auto [x, y, z] = c;
  return {I.xx - m * (y * y + z * z), I.yy - m * (x * x + z * z), I.zz - m * (x * x + y * y),
          I.xy + m * x * y,           I.xz + m * x * z,           I.yz + m * y * z};
}

// All principal minors, with a margin for round-off of numbers that were rounded to about nine digits.
bool is_semidefinite(const Symmetric& S) {
  const double size =
      std::max({std::abs(S.xx), std::abs(S.yy), std::abs(S.zz), std::abs(S.xy), std::abs(S.xz), std::abs(S.yz)});
  const double margin = 1e-9;
  const auto minor = [](double a, double b, double c) { return a * b - c * c; };
  const double determinant =
      S.xx * minor(S.yy, S.zz, S.yz) - S.xy * (S.xy * S.zz - S.yz * S.xz) + S.xz * (S.xy * S.yz - S.yy * S.xz);
  return std::min({S.xx, S.yy, S.zz}) >= -margin * size &&
         std::min({minor(S.xx, S.yy, S.xy), minor(S.xx, S.zz, S.xz), minor(S.yy, S.zz, S.yz)}) >=
             -margin * size * size &&
         determinant >= -margin * size * size * size;
}

double value_of(const Formula& formula, const Model& model) {
  return formula.given() ? evaluate_constant(formula, model) : 0;
}

// Of an inertia about the origin that is not given as a whole: each moment that is.
std::string fault_of_moments(const Inertia& given, const Symmetric& origin, const Symmetric& center) {
  constexpr double margin = 1e-9;  // as of is_semidefinite()
  for (const auto& [name, formula, about_origin, about_center] : {std::tuple{"xx", &given.xx, origin.xx, center.xx},
                                                                  {"yy", &given.yy, origin.yy, center.yy},
                                                                  {"zz", &given.zz, origin.zz, center.zz}})
    if (formula->given() && about_center < -margin * about_origin)
      return fmt::format(
          "{0} about the origin is too small: the mass at the center alone gives more, and {0} about the center would "
          "be {1:.6g}",
          name, about_center);
  return "";
}

// What is wrong with an inertia, or nothing.
std::string fault_of(const Body& body, const Model& model) {
  const Inertia& given = body.inertia;
  Symmetric I{value_of(given.xx, model), value_of(given.yy, model), value_of(given.zz, model),
              value_of(given.xy, model), value_of(given.xz, model), value_of(given.yz, model)};
  for (const auto& [name, value] : {std::pair{"xx", I.xx}, {"yy", I.yy}, {"zz", I.zz}})
    if (value < 0) return fmt::format("{} must not be negative, but it is {}", name, value);
  const bool at_origin = given.about == Inertia::About::origin;
  const std::array<double, 3> center =
      body.center.given() ? evaluate_constant_vector(body.center, model) : std::array<double, 3>{};
  const bool whole = given.xx.given() && given.yy.given() && given.zz.given();
  if (at_origin) {
    const Symmetric before = I;
    I = about_center(I, value_of(body.mass, model), center);
    if (!whole) return fault_of_moments(given, before, I);
  }
  if (!whole) return "";
  if (is_semidefinite(second_moments(I))) return "";
  const bool principal = I.xy == 0 && I.xz == 0 && I.yz == 0;
  return fmt::format(
      "no body has this inertia: {}{}",
      principal ? "each moment is at most the sum of the other two" : "its products are too large for its moments",
      at_origin ? " (about the center it is " + fmt::format("xx {:.6g}, yy {:.6g}, zz {:.6g})", I.xx, I.yy, I.zz) : "");
}

}  // namespace

void check_inertias(Reading& reading) {
  for (const Body& body : reading.model.bodies) {
    if (!body.inertia.given) continue;
    try {
      const std::string fault = fault_of(body, reading.model);
      const Formula& first = body.inertia.xx.given()   ? body.inertia.xx
                             : body.inertia.yy.given() ? body.inertia.yy
                                                       : body.inertia.zz;
      if (!fault.empty())
        reading.diagnostics.add(first.where.line > 0 ? first.where : body.where, "bodies." + body.name + ".inertia",
                                fault);
    } catch (const FormulaError&) {  // said by check_formulas
    }
  }
}

}  // namespace armature::internal
