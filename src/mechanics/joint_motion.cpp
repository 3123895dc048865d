#include "mechanics/joint_kind.hpp"

#include <cassert>
#include <cmath>

namespace armature::internal {

// Defined by the files of the joints.
#define JOINT(name, ...) const JointKind& name##_joint();
#include "model/joints.def"
#undef JOINT

namespace {

const JointKind& kind_of(JointType type) {
  static const JointKind* const kinds[] = {
#define JOINT(name, ...) &name##_joint(),
#include "model/joints.def"
#undef JOINT
  };
  return *kinds[static_cast<std::size_t>(type)];
}

constexpr const char* axis_name[] = {"x", "y", "z"};

constexpr double tiny_part = 1e-15;  // products of directions err by more than single numbers
constexpr double opposite = 1e-12;   // of the cosine of two directions: no axis of the smallest turn is known

Vec3 without_tiny_parts(const Vec3& x) { return without_round_off(x, tiny_part); }

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
  return unit_vector(cross(n, e));
}

// The smallest turn that carries unit vector b onto unit vector a.
Mat3 turn_onto(const Vec3& a, const Vec3& b) {
  const Vec3 s = cross(b, a);
  const Expression c = dot(a, b);
  if (c.is_constant() && c.value() > 1 - tiny_part) return Mat3::identity();
  if (c.is_constant() && c.value() < -1 + opposite) return rotation(perpendicular(b), M_PI);
  Mat3 R;  // c E + [s]x + s s'/(1 + c)
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R(i, j) = (i == j ? c : Expression(0.0)) + s[i] * s[j] / (1.0 + c);
  R(0, 1) -= s[2], R(1, 0) += s[2];
  R(0, 2) += s[1], R(2, 0) -= s[1];
  R(1, 2) -= s[0], R(2, 1) += s[0];
  for (Expression& entry : R.entry)
    if (entry.is_constant() && std::abs(entry.value()) < tiny_part) entry = 0.0;
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

std::string suffix_of(const Vec3& n, const std::string& otherwise) {
  for (int i = 0; i < 3; ++i)
    if (is_axis(n, i)) return axis_name[i];
  return otherwise;
}

}  // namespace

Vec3 unit_vector(const Vec3& x) { return without_tiny_parts((1.0 / norm(x)) * x); }

Vec3 axis_vector(int i) {
  Vec3 e{};
  e[i] = 1.0;
  return e;
}

Vec3 third_axis(const Vec3& n, const Vec3& e1) { return without_tiny_parts(cross(n, e1)); }

JointGeometry joint_geometry(const Joint& joint, const JointFrames& frames) {
  JointGeometry geometry{&kind_of(joint.type), {}, Mat3::identity(), {}, {}, {}, frames.own};
  geometry.n = unit_vector(frames.axis_a);
  geometry.e1 = perpendicular(geometry.n);
  geometry.e2 = third_axis(geometry.n, geometry.e1);
  std::optional<Vec3> axis_b = frames.axis_b;
  if (frames.turned) {
    geometry.align = *frames.turned;
    if (axis_b) axis_b = geometry.align * *axis_b;  // a second axis, which is b's own
  } else if (axis_b && geometry.kind->aligns()) {
    geometry.align = turn_onto(geometry.n, unit_vector(*axis_b));
  }
  geometry.kind->set_motions(geometry, joint, axis_b ? &*axis_b : nullptr);
  return geometry;
}

void LoopRows::translation(const std::string& suffix, const Vec3& direction, Expression phi) {
  LoopRow row{suffix, "translation along " + name_of(direction), "m", {}, phi};
  for (int k = 0; k < 3; ++k) row.in_plane[k] = direction[k].is(0);
  rows_.push_back(row);
}

void LoopRows::rotation(const std::string& suffix, const Vec3& about, Expression phi) {
  LoopRow row{suffix, "rotation about " + name_of(about), "rad", {}, phi};
  for (int k = 0; k < 3; ++k) row.in_plane[k] = is_axis(about, k);
  rows_.push_back(row);
}

void LoopRows::no_translation() {
  for (int i = 0; i < 3; ++i) translation(axis_name[i], axis_vector(i), frames_.gap[i]);
}

void LoopRows::no_translation_along(const Vec3& n, const std::string& otherwise) {
  translation_along(n, otherwise, dot(frames_.a.R * n, frames_.gap));
}

void LoopRows::translation_along(const Vec3& n, const std::string& otherwise, Expression phi) {
  translation(suffix_of(n, otherwise), n, phi);
}

// b's axis stays perpendicular to e1 and e2: an e1 component appears by a turn about e2, and the reverse.
void LoopRows::axis_stays() {
  const JointGeometry& joint = frames_.joint;
  const Vec3 n_b = frames_.Rb * joint.n;
  rotation("r" + suffix_of(joint.e2, "2"), joint.e2, dot(n_b, frames_.a.R * joint.e1));
  rotation("r" + suffix_of(joint.e1, "1"), joint.e1, -dot(n_b, frames_.a.R * joint.e2));
}

void LoopRows::no_rotation() {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    rotation(std::string("r") + axis_name[k], axis_vector(k), dot(column(frames_.Rb, i), column(frames_.a.R, j)));
  }
}

JointValue LoopFrames::turn(const std::string& component, const Vec3& moving, const Vec3& cosine, const Vec3& sine) {
  return JointValue{component, true, dot(moving, sine), dot(moving, cosine), 0.0};
}

JointValue LoopFrames::slide(const std::string& component, const Vec3& n) const {
  return JointValue{component, false, 0.0, 1.0, dot(a.R * n, gap)};
}

JointValue LoopFrames::about_axis(const std::string& component) const {
  return turn(component, Rb * joint.e1, a.R * joint.e1, a.R * joint.e2);
}

Expression LoopFrames::same_axis() const { return dot(Rb * joint.n, a.R * joint.n); }

std::vector<Expression> LoopFrames::same_axes() const {
  return {dot(column(Rb, 0), column(a.R, 0)), dot(column(Rb, 1), column(a.R, 1)), dot(column(Rb, 2), column(a.R, 2))};
}

namespace {

LoopFrames frames_of(const JointGeometry& joint, const Pose& a, const Pose& b) {
  LoopFrames frames{joint, a, b};
  frames.gap = b.p - a.p;
  frames.Rb = b.R * transpose(joint.align);
  return frames;
}

}  // namespace

std::vector<LoopRow> loop_rows(const JointGeometry& joint, const Pose& a, const Pose& b) {
  const LoopFrames frames = frames_of(joint, a, b);
  LoopRows rows(frames);
  joint.kind->add_rows(frames, rows);
  return rows.take();
}

std::vector<Expression> loop_senses(const JointGeometry& joint, const Pose& a, const Pose& b) {
  LoopFrames frames{joint, a, b};
  frames.Rb = b.R * transpose(joint.align);
  frames.gap = b.p - a.p;
  return joint.kind->senses(frames);
}

std::vector<JointValue> joint_values(const JointGeometry& joint, const Pose& a, const Pose& b) {
  return joint.kind->values(frames_of(joint, a, b));
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
