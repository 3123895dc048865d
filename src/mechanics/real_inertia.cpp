// What model/validate_inertia.cpp checks of numbers, of an inertia that follows from free parameters: that
//
//   S = 1/2 trace(I) E - I     I about the center
//
// is positive semidefinite, so that none of its principal minors is negative.
#include "mechanics/real_inertia.hpp"

namespace armature::internal {

namespace {

constexpr double margin = 1e-9;  // of the moments: round-off of numbers that were rounded to about nine digits

// Numbers are the reader's to check.
void require_if_free(EquationsBuilder& builder, const Expression& value, const Expression& size, Location where,
                     const std::string& sentence) {
  if (!value.is_constant()) builder.require_not_negative(value + margin * size, where, sentence);
}

Mat3 about_center(const Mat3& J, Expression m, const Vec3& c) {
  Mat3 I;
  const Expression cc = dot(c, c);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) I(i, k) = J(i, k) - m * ((i == k ? cc : Expression(0.0)) - c[i] * c[k]);
  return I;
}

Mat3 second_moments(const Mat3& I) {
  Mat3 S;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) S(i, k) = (i == k ? 0.5 * (I(0, 0) + I(1, 1) + I(2, 2)) : Expression(0.0)) - I(i, k);
  return S;
}

void require_moments(EquationsBuilder& builder, const Inertia& given, const Mat3& I, const Mat3& J,
                     const std::string& fault) {
  const Formula* moments[] = {&given.xx, &given.yy, &given.zz};
  for (int i = 0; i < 3; ++i)
    if (moments[i]->given())
      require_if_free(builder, I(i, i), J(i, i), moments[i]->where, std::string{"xyz"[i], "xyz"[i]} + fault);
}

void require_semidefinite(EquationsBuilder& builder, const Mat3& S, Location where) {
  const std::string no_body = "no body has this inertia: ";
  const Expression size = S(0, 0) + S(1, 1) + S(2, 2);
  for (int i = 0; i < 3; ++i)
    require_if_free(builder, S(i, i), size, where, no_body + "each moment is at most the sum of the other two");
  if (S(0, 1).is(0) && S(0, 2).is(0) && S(1, 2).is(0)) return;
  const auto minor = [&](int i, int j, int k, int l) { return S(i, k) * S(j, l) - S(i, l) * S(j, k); };
  const std::string products = no_body + "its products are too large for its moments";
  for (const auto& [i, k] : {std::pair{0, 1}, {0, 2}, {1, 2}})
    require_if_free(builder, minor(i, k, i, k), square(size), where, products);
  const Expression determinant =
      S(0, 0) * minor(1, 2, 1, 2) - S(0, 1) * minor(1, 2, 0, 2) + S(0, 2) * minor(1, 2, 0, 1);
  require_if_free(builder, determinant, square(size) * size, where, products);
}

}  // namespace

void require_real_inertia(EquationsBuilder& builder, const Body& body, const Mat3& J, Expression mass,
                          const Vec3& center) {
  const Inertia& given = body.inertia;
  if (!given.given) return;
  builder.guarded("bodies." + body.name + ".inertia", [&] {
    const bool at_origin = given.about == Inertia::About::origin;
    const Mat3 I = at_origin ? about_center(J, mass, center) : J;
    if (given.xx.given() && given.yy.given() && given.zz.given())
      return require_semidefinite(builder, second_moments(I), given.xx.where);  // its moments are not negative, then
    require_moments(builder, given, J, J, " must not be negative");
    if (at_origin)
      require_moments(builder, given, I, J, " about the origin is too small: the mass at the center alone gives more");
  });
}

}  // namespace armature::internal
