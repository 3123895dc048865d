#include "mechanics/bodies.hpp"

#include "mechanics/linear_angle.hpp"
#include "mechanics/solution_leaves.hpp"
#include "model/signal_names.hpp"

namespace armature::internal {

namespace {

Value position_value(const Vec3& p) {
  Value value(std::vector<Expression>(p.begin(), p.end()));
  value.dimension = Dimension{{0, 1, 0, 0, 0}};
  return value;
}

}  // namespace

Vec3 point_of(const Attachment& place, const EquationsBuilder& builder) {
  return place.at.given() ? without_round_off(builder.names().unwatched_vector(place.at)) : Vec3{};
}

Bodies::Bodies(EquationsBuilder& builder) : builder_(builder), beams_(builder, tree_) {
  bodies_["ground"] = {};
  builder.set_bodies(*this);
}

void Bodies::place(const Attachment& at, int link, const Pose& on_link) {
  const Vec3 point = point_of(at, builder_);
  bodies_[at.body] = beams_.contains(at.body) ? beams_.place(at.body, point, link, on_link, at.where)
                                              : BodyPlace{link, on_link * Pose{Mat3::identity(), -point}};
}

BodyPlace Bodies::place_at(const Attachment& place) {
  const Vec3 point = point_of(place, builder_);
  if (beams_.contains(place.body)) return beams_.section(place.body, point, place.where);
  const BodyPlace& body = bodies_.at(place.body);
  return {body.link, body.pose * Pose{Mat3::identity(), point}};
}

int Bodies::common_link(const Attachment& a, const Attachment& b) const {
  return tree_.common_ancestor(frame_of(a.body).link, frame_of(b.body).link);
}

Pose Bodies::pose_of(const Attachment& place, int ancestor) const {
  const auto local_pose = [&](const Vec3& at) {
    return beams_.contains(place.body) ? beams_.local_pose(place.body, at, place.where) : Pose{Mat3::identity(), at};
  };
  const BodyPlace& body = frame_of(place.body);
  return tree_.pose(body.link, ancestor) * body.pose * local_pose(point_of(place, builder_));
}

Vec3 Bodies::gap(const Attachment& a, const Attachment& b) const {
  const int common = common_link(a, b);
  return pose_of(b, common).p - pose_of(a, common).p;
}

std::optional<Value> Bodies::look_up(const std::string& name) {
  // a point of the ground
  const Model& model = builder_.model();
  if (const int i = point_indices_.find(model.points, name); i >= 0) {
    const NamedPoint& point = model.points[static_cast<std::size_t>(i)];
    return position_value(pose_of({"ground", point.at, point.where}).p);
  }
  // a body, or a point of one that is placed already
  const auto dot = name.find('.');
  const int i = body_indices_.find(model.bodies, name.substr(0, dot));
  const Body* body = i < 0 ? nullptr : &model.bodies[static_cast<std::size_t>(i)];
  if (!body || !contains(body->name)) return std::nullopt;
  if (dot == std::string::npos) return position_value(pose_of({body->name, {}, {}}).p);
  if (const auto signal = beam_signal(model, name)) return beams_.signal(*signal);
  const auto point = find_named(body->points, name.substr(dot + 1));
  if (point == body->points.end()) return turning_signal(body->name, name.substr(dot + 1));
  return position_value(pose_of({body->name, point->at, point->where}).p);
}

namespace {

// Where the angle is a sum of coordinates, as that of a body that only turns about one axis, it counts whole turns.
Expression counted_angle(EquationsBuilder& builder, Expression sine, Expression cosine) {
  const Expression principal = atan2(sine, cosine);
  if (principal.is_constant()) return principal;
  return linear_angle(principal, builder.time_derivative(principal), builder.equations()).value_or(principal);
}

}  // namespace

// How a body turns (model/signal_names.hpp): w, its axes, and its angles, R = Rz(yaw) Ry(pitch) Rx(roll).
std::optional<Value> Bodies::turning_signal(const std::string& body, const std::string& signal) {
  const auto [R, w] = turning_of(body);
  if (signal == "w") return Value(std::vector<Expression>(w.begin(), w.end()));
  for (int c = 0; c < 3; ++c)
    if (signal == std::string{'e', "xyz"[c]}) return Value(std::vector<Expression>{R(0, c), R(1, c), R(2, c)});
  if (signal == "roll") return Value(counted_angle(builder_, R(2, 1), R(2, 2)));
  if (signal == "pitch") return Value(atan2(-R(2, 0), sqrt(R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0))));
  if (signal == "yaw") return Value(counted_angle(builder_, R(1, 0), R(0, 0)));
  const std::string& plane = builder_.model().plane;
  if (signal != "angle" || plane.empty()) return std::nullopt;
  const int n = plane == "yz"   ? 0
                : plane == "xz" ? 1
                                : 2,
            i = (n + 1) % 3, j = (n + 2) % 3;  // about the plane's normal
  return Value(counted_angle(builder_, R(j, i), R(i, i)));
}

// w in ground axes from Rdot R'.
Vec3 Bodies::angular_velocity(const Mat3& R) {
  Vec3 w{};
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c) w[i] += builder_.time_derivative(R((i + 2) % 3, c)) * R((i + 1) % 3, c);
  return w;
}

Bodies::Turning Bodies::turning_of(const std::string& body) {
  const Mat3 R = pose_of({body, {}, {}}).R;
  return {R, angular_velocity(R)};
}

std::vector<Expression> Bodies::apply_wrench(const Attachment& place, const Vec3& force, const Vec3& torque,
                                             bool in_body) {
  for (int i = 0; i < 3; ++i)
    for (const Expression& x : {force[i], torque[i]}) refuse_algebraic_loop(builder_.equations(), x);
  // onto the link that carries the body, in the link's axes at its origin
  const auto [link, on_link] = place_at(place);
  const Mat3 to_link = in_body ? on_link.R : transpose(tree_.pose(link).R);
  const Vec3 f = to_link * force, n = to_link * torque;
  tree_[link].force = tree_[link].force + f;
  tree_[link].torque = tree_[link].torque + n + cross(on_link.p, f);
  // power F.v + N.w
  const Pose X = pose_of(place);
  const Vec3 F = in_body ? X.R * force : force, N = in_body ? X.R * torque : torque;
  std::vector<Expression> powers;
  for (int i = 0; i < 3; ++i)
    if (!F[i].is(0)) powers.push_back(F[i] * builder_.time_derivative(X.p[i]));
  if (!is_zero(N)) powers.push_back(dot(N, angular_velocity(X.R)));
  return powers;
}

}  // namespace armature::internal
