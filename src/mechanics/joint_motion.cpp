#include "mechanics/joint_motion.hpp"

#include <cassert>
#include <cmath>

namespace armature::internal {

namespace {

using Kind = ElementaryMotion::Kind;

constexpr const char* axis_name[] = {"x", "y", "z"};

// Components that are round-off of a zero become zero, so that structure is seen.
Vec3 without_tiny_parts(Vec3 x) {
  double largest = 0;
  for (const Expression& part : x)
    if (part.is_constant()) largest = std::max(largest, std::abs(part.value()));
  for (Expression& part : x)
    if (part.is_constant() && std::abs(part.value()) < 1e-15 * largest) part = 0.0;
  return x;
}

Vec3 unit(const Vec3& x) { return without_tiny_parts((1.0 / norm(x)) * x); }

bool is_axis(const Vec3& x, int i) { return x[i].is(1) || x[i].is(-1); }

// A unit vector perpendicular to n: the coordinate axis that follows n's own, or one made by a cross product.
Vec3 perpendicular(const Vec3& n) {
  for (int i = 0; i < 3; ++i)
    if (is_axis(n, i)) {
      Vec3 e{};
      e[(i + 1) % 3] = 1.0;
      return e;
    }
  int smallest = 0;
  for (int i = 1; i < 3; ++i)
    if (n[i].is_constant() && std::abs(n[i].value()) < std::abs(n[smallest].value())) smallest = i;
  Vec3 e{};
  e[smallest] = 1.0;
  return unit(cross(n, e));
}

// The smallest turn that carries unit vector b onto unit vector a.
Mat3 turn_onto(const Vec3& a, const Vec3& b) {
  const Vec3 s = cross(b, a);
  const Expression c = dot(a, b);
  if (c.is_constant() && c.value() > 1 - 1e-15) return Mat3::identity();
  if (c.is_constant() && c.value() < -1 + 1e-12) return rotation(perpendicular(b), M_PI);
  Mat3 R;  // c E + [s]x + s s'/(1 + c)
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R(i, j) = (i == j ? c : Expression(0.0)) + s[i] * s[j] / (1.0 + c);
  R(0, 1) -= s[2], R(1, 0) += s[2];
  R(0, 2) += s[1], R(2, 0) -= s[1];
  R(1, 2) -= s[0], R(2, 1) += s[0];
  for (Expression& entry : R.entry)
    if (entry.is_constant() && std::abs(entry.value()) < 1e-15) entry = 0.0;
  return R;
}

// "x", or "(0.6, 0, 0.8)" for a direction that is not an axis.
std::string name_of(const Vec3& n) {
  for (int i = 0; i < 3; ++i)
    if (is_axis(n, i)) return axis_name[i];
  char text[80];
  std::snprintf(text, sizeof text, "(%.3g, %.3g, %.3g)", n[0].value(), n[1].value(), n[2].value());
  return text;
}

struct Rows {
  std::vector<LoopRow> rows;
  void translation(const std::string& suffix, const Vec3& direction, Expression phi) {
    LoopRow row{suffix, "translation along " + name_of(direction), "m", {}, phi};
    for (int k = 0; k < 3; ++k) row.in_plane[k] = direction[k].is(0);
    rows.push_back(row);
  }
  void rotation(const std::string& suffix, const Vec3& about, Expression phi) {
    LoopRow row{suffix, "rotation about " + name_of(about), "rad", {}, phi};
    for (int k = 0; k < 3; ++k) row.in_plane[k] = is_axis(about, k);
    rows.push_back(row);
  }
};

std::string suffix_of(const Vec3& n, const std::string& otherwise) {
  for (int i = 0; i < 3; ++i)
    if (is_axis(n, i)) return axis_name[i];
  return otherwise;
}

Vec3 axis(int i) {
  Vec3 e{};
  e[i] = 1.0;
  return e;
}

}  // namespace

JointGeometry joint_geometry(JointType type, const Vec3& axis_a, const Vec3* axis_b) {
  JointGeometry joint{type, {}, Mat3::identity(), {}, {}, {}};
  joint.n = unit(axis_a);
  joint.e1 = perpendicular(joint.n);
  joint.e2 = without_tiny_parts(cross(joint.n, joint.e1));
  if (axis_b && type != JointType::universal) joint.align = turn_onto(joint.n, unit(*axis_b));
  switch (type) {
    case JointType::revolute: joint.motions = {{Kind::rotation, joint.n, ""}}; break;
    case JointType::prismatic: joint.motions = {{Kind::translation, joint.n, ""}}; break;
    case JointType::cylindrical:
      joint.motions = {{Kind::rotation, joint.n, "angle"}, {Kind::translation, joint.n, "slide"}};
      break;
    case JointType::universal:
      joint.e1 = axis_b ? unit(*axis_b) : joint.e1;
      joint.e2 = without_tiny_parts(cross(joint.n, joint.e1));
      joint.motions = {{Kind::rotation, joint.n, "first"}, {Kind::rotation, joint.e1, "second"}};
      break;
    case JointType::planar:
      joint.motions = {
          {Kind::translation, joint.e1, "x"}, {Kind::translation, joint.e2, "y"}, {Kind::rotation, joint.n, "angle"}};
      break;
    case JointType::spherical: joint.motions = {{Kind::ball, {}, ""}}; break;
    case JointType::free:
      joint.motions = {{Kind::translation, axis(0), "x"},
                       {Kind::translation, axis(1), "y"},
                       {Kind::translation, axis(2), "z"},
                       {Kind::ball, {}, ""}};
      break;
    case JointType::fixed: break;
  }
  return joint;
}

std::vector<LoopRow> loop_rows(const JointGeometry& joint, const Pose& a, const Pose& b) {
  Rows result;
  const Vec3 gap = b.p - a.p;
  const Mat3 Rb = b.R * transpose(joint.align);  // b's axes, aligned with a's at zero
  auto all_translations = [&] {                  // along the axes of the common frame: sparser than along a's
    for (int i = 0; i < 3; ++i) result.translation(axis_name[i], axis(i), gap[i]);
  };
  auto translation_along = [&](const Vec3& n, const std::string& otherwise) {
    result.translation(suffix_of(n, otherwise), n, dot(a.R * n, gap));
  };
  // b's axis stays perpendicular to e1 and e2: e1 component appears by a turn about e2, and the reverse
  auto axis_stays = [&] {
    const Vec3 n_b = Rb * joint.n;
    result.rotation("r" + suffix_of(joint.e2, "2"), joint.e2, dot(n_b, a.R * joint.e1));
    result.rotation("r" + suffix_of(joint.e1, "1"), joint.e1, -dot(n_b, a.R * joint.e2));
  };
  auto no_rotation = [&] {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      result.rotation(std::string("r") + axis_name[k], axis(k), dot(column(Rb, i), column(a.R, j)));
    }
  };
  switch (joint.type) {
    case JointType::revolute: all_translations(), axis_stays(); break;
    case JointType::spherical: all_translations(); break;
    case JointType::fixed: all_translations(), no_rotation(); break;
    case JointType::universal:
      all_translations();
      result.rotation("r", joint.e2, dot(a.R * joint.n, b.R * joint.e1));
      break;
    case JointType::prismatic: translation_along(joint.e1, "1"), translation_along(joint.e2, "2"), no_rotation(); break;
    case JointType::cylindrical:
      translation_along(joint.e1, "1"), translation_along(joint.e2, "2"), axis_stays();
      break;
    case JointType::planar: translation_along(joint.n, "n"), axis_stays(); break;
    case JointType::free: break;
  }
  return result.rows;
}

std::vector<Expression> loop_senses(const JointGeometry& joint, const Pose& a, const Pose& b) {
  const Mat3 Rb = b.R * transpose(joint.align);
  switch (joint.type) {
    case JointType::revolute:
    case JointType::cylindrical:
    case JointType::planar: return {dot(Rb * joint.n, a.R * joint.n)};
    case JointType::prismatic:
    case JointType::fixed:
      return {dot(column(Rb, 0), column(a.R, 0)), dot(column(Rb, 1), column(a.R, 1)),
              dot(column(Rb, 2), column(a.R, 2))};
    default: return {};
  }
}

std::vector<JointValue> joint_values(const JointGeometry& joint, const Pose& a, const Pose& b) {
  const Vec3 gap = b.p - a.p;
  const Mat3 Rb = b.R * transpose(joint.align);
  auto turn = [&](const std::string& component, const Vec3& moving, const Vec3& cosine, const Vec3& sine) {
    return JointValue{component, true, dot(moving, sine), dot(moving, cosine), 0.0};
  };
  auto slide = [&](const std::string& component, const Vec3& n) {
    return JointValue{component, false, 0.0, 1.0, dot(a.R * n, gap)};
  };
  auto about_axis = [&](const std::string& component) {
    return turn(component, Rb * joint.e1, a.R * joint.e1, a.R * joint.e2);
  };
  switch (joint.type) {
    case JointType::revolute: return {about_axis("")};
    case JointType::prismatic: return {slide("", joint.n)};
    case JointType::cylindrical: return {about_axis("angle"), slide("slide", joint.n)};
    case JointType::planar: return {slide("x", joint.e1), slide("y", joint.e2), about_axis("angle")};
    case JointType::universal:
      // b's second axis turns about n by `first`; a's first axis, seen from b, turns about e1 by -second
      return {turn("first", b.R * joint.e1, a.R * joint.e1, a.R * joint.e2),
              turn("second", a.R * joint.n, b.R * joint.n, b.R * joint.e2)};
    case JointType::free: return {slide("x", axis(0)), slide("y", axis(1)), slide("z", axis(2))};
    default: return {};
  }
}

int freedom_count(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::prismatic: return 1;
    case JointType::cylindrical:
    case JointType::universal: return 2;
    case JointType::spherical:
    case JointType::planar: return 3;
    case JointType::free: return 6;
    case JointType::fixed: return 0;
  }
  return 0;
}

std::string to_string(JointType type) {
  constexpr const char* names[] = {"revolute",  "prismatic", "cylindrical", "universal",
                                   "spherical", "planar",    "free",        "fixed"};
  return names[static_cast<int>(type)];
}

Mat3 quaternion_rotation(const std::array<Expression, 4>& q) {
  const auto& [w, x, y, z] = q;
  const Expression s = 2.0 / (w * w + x * x + y * y + z * z);
  Mat3 R;
  R(0, 0) = 1.0 - s * (y * y + z * z), R(0, 1) = s * (x * y - w * z), R(0, 2) = s * (x * z + w * y);
  R(1, 0) = s * (x * y + w * z), R(1, 1) = 1.0 - s * (x * x + z * z), R(1, 2) = s * (y * z - w * x);
  R(2, 0) = s * (x * z - w * y), R(2, 1) = s * (y * z + w * x), R(2, 2) = 1.0 - s * (x * x + y * y);
  return R;
}

}  // namespace armature::internal
