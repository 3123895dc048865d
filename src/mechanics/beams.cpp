// Flexible bodies of a mechanism. The elastic coordinates move links of the tree: massless ones where something is attached,
// and point masses along the beam. A link at the pose (R(q), p(q)) has the freedoms
//   angular  d(angle)/dq axis,   linear  R' dp/dq      (link axes)
// and, since these change with q, the relative acceleration  R' d/dt(dp/dq) q'  at q'' = 0. Angles are linear in q.
#include "mechanics/mechanism.hpp"

namespace armature {

namespace {

// Whether one of the entries is about a coordinate of the beam.
bool says(const std::vector<StartEntry>& entries, const BeamShape& beam) {
  return std::any_of(entries.begin(), entries.end(), [&](const StartEntry& entry) {
    return std::any_of(beam.coordinates().begin(), beam.coordinates().end(),
                       [&](const NamedCoordinate& x) { return x.name == entry.name; });
  });
}

}  // namespace

void Mechanism::add_beams() {
  for (const Body& body : model_.bodies)
    if (body.beam)
      guarded("bodies." + body.name, [&] {
        const auto beam = beams_.emplace(body.name, BeamShape(body, *this)).first;
        start_straight(beam->second, body.where);
      });
}

// A beam starts straight and keeps its shape at first, unless the file says something about its coordinates.
void Mechanism::start_straight(const BeamShape& beam, Location where) {
  const Start& start = model_.start;
  const bool position = says(start.keep, beam) || says(start.near, beam);
  const bool speed = says(start.speed_keep, beam) || says(start.speed_near, beam);
  for (const NamedCoordinate& x : beam.coordinates()) {
    if (!position) eq_.keep.push_back({x.name, where, x.value, x.unit});
    if (!speed) eq_.speed_keep.push_back({x.name, where, x.rate, x.unit + "/s"});
  }
}

int Mechanism::add_flexible_link(int parent, const Pose& start, const FlexiblePose& moving, const BeamShape& beam) {
  Link link;
  link.parent = parent;
  link.pose = start * moving.pose();
  const Mat3 Rt = transpose(rotation(moving.axis, moving.angle));
  Vec3 bias{};
  for (const NamedCoordinate& x : beam.coordinates()) {
    Derivative along({{x.value.id(), 1.0}});
    const Vec3 column{along(moving.p[0]), along(moving.p[1]), along(moving.p[2])};
    const Expression turn = along(moving.angle);
    if (turn.is(0) && column[0].is(0) && column[1].is(0) && column[2].is(0)) continue;
    const auto velocity = std::find(eq_.v.begin(), eq_.v.end(), x.rate) - eq_.v.begin();
    link.freedoms.push_back({static_cast<int>(velocity), turn * moving.axis, Rt * column});
    for (int i = 0; i < 3; ++i) bias[i] += along_flow_(column[i]) * x.rate;
  }
  link.bias = Rt * bias;
  return tree_.add(std::move(link));
}

// Where something that is attached to a body sits: of a beam the section there, a link of its own if it moves.
BodyPlace Mechanism::place_at(const std::string& body, const Vec3& at, Location where) {
  const BodyPlace frame = bodies_.at(body);
  const auto found = beams_.find(body);
  if (found == beams_.end()) return {frame.link, frame.pose * Pose{Mat3::identity(), at}};
  const BeamShape& beam = found->second;
  const double share = beam.share_of(at, where);
  const Pose offset{Mat3::identity(), {0.0, at[1], at[2]}};
  const FlexiblePose section = beam.section(share);
  if (!section.moves()) return {frame.link, frame.pose * section.pose() * offset};
  auto [link, is_new] = section_links_.try_emplace({body, share}, -1);
  if (is_new) link->second = add_flexible_link(frame.link, frame.pose, section, beam);
  return {link->second, offset};
}

// The body's frame, when the place `at` of it is on a link at the pose `on_link`; of a beam its masses too.
void Mechanism::place_body(const std::string& body, const Vec3& at, int link, const Pose& on_link, Location where) {
  const auto found = beams_.find(body);
  if (found == beams_.end()) {
    bodies_[body] = {link, on_link * Pose{Mat3::identity(), -at}};
    return;
  }
  const BeamShape& beam = found->second;
  const FlexiblePose section = beam.section(beam.share_of(at, where));
  const Pose start = on_link * Pose{Mat3::identity(), {0.0, -at[1], -at[2]}};
  if (section.moves())
    bodies_[body] = {add_flexible_link(link, start, section.inverse(), beam), {}};
  else
    bodies_[body] = {link, start * section.inverse().pose()};
  const BodyPlace frame = bodies_[body];
  for (const BeamShape::MassPoint& point : beam.mass_points()) {
    FlexiblePose moving;
    moving.p = point.p;
    moving.axis = {0.0, 0.0, 1.0};
    const int i = add_flexible_link(frame.link, frame.pose, moving, beam);
    tree_[i].mass.mass = point.mass;
  }
}

// A place of a body in the body's frame.
Pose Mechanism::local_pose(const Attachment& place, const Vec3& at) const {
  const auto found = beams_.find(place.body);
  if (found == beams_.end()) return {Mat3::identity(), at};
  return found->second.section(found->second.share_of(at, place.where)).pose() *
         Pose{Mat3::identity(), {0.0, at[1], at[2]}};
}

void Mechanism::add_beam_elasticity() {
  for (const auto& [name, beam] : beams_) beam.add_elasticity(*this);
}

// A force or torque on a beam does its work on the motion of the section.
void Mechanism::add_beam_force(const BodyForce& force) {
  const Pose X = pose_of(force.on, -1);
  auto in_ground = [&](const Formula& formula) {
    const Vec3 x = formula.given() ? vector(formula) : Vec3{};
    return force.in_body ? X.R * x : x;
  };
  const Vec3 F = in_ground(force.force), N = in_ground(force.torque);
  const Vec3 w = force.torque.given() ? angular_velocity(X.R) : Vec3{};
  for (int i = 0; i < 3; ++i) {
    const Expression rate = along_flow_(X.p[i]);
    apply(F[i], rate), apply(N[i], w[i]);
    eq_.applied_power += F[i] * rate + N[i] * w[i];
  }
}

}  // namespace armature
