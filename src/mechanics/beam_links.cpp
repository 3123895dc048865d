#include "mechanics/beam_links.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

// Whether one of the entries is about a coordinate of the beam.
bool says(const std::vector<StartEntry>& entries, const BeamShape& beam) {
  return std::any_of(entries.begin(), entries.end(), [&](const StartEntry& entry) {
    return std::any_of(beam.coordinates().begin(), beam.coordinates().end(),
                       [&](const NamedCoordinate& x) { return x.name == entry.name; });
  });
}

// Everything that a frame depends on, in increasing order.
std::vector<std::int32_t> leaves_of(const FlexiblePose& moving) {
  std::vector<Expression> parts{moving.p[0], moving.p[1], moving.p[2], moving.angle};
  if (moving.turn) parts.insert(parts.end(), moving.turn->begin(), moving.turn->end());
  std::vector<std::int32_t> leaves;
  for (const Expression& part : parts)
    for (const std::int32_t leaf : internal::leaves_of(part)) leaves.push_back(leaf);
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

}  // namespace

void BeamLinks::add_coordinates() {
  for (const Body& body : builder_.model().bodies)
    if (body.beam)
      builder_.guarded("bodies." + body.name, [&] {
        const auto beam = beams_.emplace(body.name, make_beam_shape(body, builder_)).first;
        start_relaxed(*beam->second, body.where);
      });
}

// A beam starts relaxed and keeps its shape at first, unless the file says something about its coordinates.
void BeamLinks::start_relaxed(const BeamShape& beam, Location where) {
  const Start& start = builder_.model().start;
  Equations& equations = builder_.equations();
  const bool position = says(start.keep, beam) || says(start.near, beam);
  const bool speed = says(start.speed_keep, beam) || says(start.speed_near, beam);
  for (const NamedCoordinate& x : beam.coordinates()) {
    if (!position) equations.keep.push_back({x.name, where, x.value, x.unit});
    if (!speed) equations.speed_keep.push_back({x.name, where, x.rate, x.unit + "/s"});
  }
}

// A frame that a beam moves, seen from a place: a link of its own, unless it stands still.
BodyPlace BeamLinks::moved_by(const BeamShape& beam, const BodyPlace& from, const FlexiblePose& moving) {
  if (!moving.moves()) return {from.link, from.pose * moving.pose()};
  Link link;
  link.parent = from.link;
  link.pose = from.pose * moving.pose();
  const Mat3 Rt = transpose(moving.rotation());
  const std::vector<Expression>& v = builder_.equations().v;
  Vec3 bias{};
  const std::vector<std::int32_t> leaves = leaves_of(moving);
  for (const NamedCoordinate& x : beam.coordinates()) {
    if (!std::binary_search(leaves.begin(), leaves.end(), x.value.id())) continue;
    // how the coordinate moves and turns the frame
    Derivative derivative({{x.value.id(), 1.0}});
    const auto along = [&](Expression y) { return derivative(y); };
    const Vec3 column{along(moving.p[0]), along(moving.p[1]), along(moving.p[2])}, turn = moving.turned_along(along);
    if (is_zero(turn) && is_zero(column)) continue;
    const auto velocity = std::find(v.begin(), v.end(), x.rate) - v.begin();
    link.freedoms.push_back({static_cast<int>(velocity), turn, Rt * column});
    // and how that changes with the shape
    for (int i = 0; i < 3 && !beam.is_large(); ++i) {
      bias[i] += builder_.time_derivative(column[i]) * x.rate;
      link.spin_bias[i] += builder_.time_derivative(turn[i]) * x.rate;
    }
  }
  if (beam.is_large()) {
    // the same, with less arithmetic where many coordinates move a frame: derivatives of its velocities at v' = 0
    const auto rate = [&](Expression y) { return builder_.time_derivative(y); };
    const Vec3 spin = moving.turned_along(rate);
    for (int i = 0; i < 3; ++i) bias[i] = rate(rate(moving.p[i])), link.spin_bias[i] = rate(spin[i]);
  }
  link.bias = Rt * bias;
  return {tree_.add(std::move(link)), {}};
}

BodyPlace BeamLinks::section(const std::string& body, const Vec3& at, Location where) {
  const BeamShape& beam = *beams_.at(body);
  const double share = beam.share_of(at, where);
  auto [section, is_new] = sections_.try_emplace({body, share});
  if (is_new) {
    const BeamShape::Station station = beam.station(share);
    section->second = element_frames_.at(body)[station.element];
    for (const FlexiblePose& turn : beam.section(station)) section->second = moved_by(beam, section->second, turn);
  }
  return {section->second.link, section->second.pose * Pose{Mat3::identity(), {0.0, at[1], at[2]}}};
}

BodyPlace BeamLinks::place(const std::string& body, const Vec3& at, int link, const Pose& on_link, Location where) {
  const BeamShape& beam = *beams_.at(body);
  BodyPlace frame{link, on_link * Pose{Mat3::identity(), {0.0, -at[1], -at[2]}}};
  // from the section that is held back to the beam's frame
  std::vector<FlexiblePose> path = beam.path(beam.station(beam.share_of(at, where)));
  std::reverse(path.begin(), path.end());
  for (const FlexiblePose& step : path) frame = moved_by(beam, frame, step.inverse());
  add_masses(body, beam, frame);
  return frame;
}

void BeamLinks::add_masses(const std::string& body, const BeamShape& beam, const BodyPlace& frame) {
  std::vector<BodyPlace>& frames = element_frames_[body];
  frames = {frame};
  for (int e = 1; e < beam.elements(); ++e) frames.push_back(moved_by(beam, frames.back(), beam.element_frame(e)));
  const auto add = [&](const BodyPlace& place, const MassProperties& mass) {
    if (place.link >= 0) tree_[place.link].mass = tree_[place.link].mass + moved(place.pose, mass);
  };
  for (const BeamShape::Mass& mass : beam.masses()) add(moved_by(beam, frames[mass.element], mass.at), mass.mass);
  for (const BeamShape::Spin& spin : beam.spins()) {
    // its tilt by the slopes is left out, as is the rotary inertia of bending, which is of the same order
    MassProperties mass;
    mass.inertia(0, 0) = spin.inertia;
    const BodyPlace place = moved_by(beam, frame, {{}, {1.0, 0.0, 0.0}, spin.twist});
    if (place.link != frame.link) tree_[place.link].pose = frame.pose;  // it is the same however far it is turned
    add(place, mass);
  }
}

Pose BeamLinks::local_pose(const std::string& body, const Vec3& at, Location where) const {
  const BeamShape& beam = *beams_.at(body);
  Pose X;
  for (const FlexiblePose& step : beam.path(beam.station(beam.share_of(at, where)))) X = X * step.pose();
  return X * Pose{Mat3::identity(), {0.0, at[1], at[2]}};
}

void BeamLinks::add_elasticity() {
  for (const auto& [name, beam] : beams_) beam->add_elasticity(builder_);
}

Value BeamLinks::signal(const BeamSignal& signal) const {
  const BeamShape& beam = *beams_.at(signal.body->name);
  const auto with_unit = [&](Expression x) {
    Value value(x);
    value.dimension = signal.dimension;
    return value;
  };
  if (!signal.point) return with_unit(beam.strain_energy());
  const Vec3 at = without_round_off(builder_.names().unwatched_vector(signal.point->at));
  const Vec3 moment = beam.moment(beam.station(beam.share_of(at, signal.point->where)));
  if (signal.name == "stress") return with_unit(beam.bending_stress(moment, signal.point->where));
  if (signal.name == "torque") return with_unit(moment[0]);
  const bool about_y = signal.name == "moment_y" || (signal.name == "moment" && builder_.model().plane == "xz");
  return with_unit(about_y ? moment[1] : moment[2]);
}

Vec3 BeamLinks::moment(const std::string& body, double share) const {
  const BeamShape& beam = *beams_.at(body);
  return beam.moment(beam.station(share));
}

std::optional<Expression> BeamLinks::stress(const std::string& body, double share) const {
  const BeamShape& beam = *beams_.at(body);
  if (!beam.has_edges()) return std::nullopt;
  return beam.bending_stress(beam.moment(beam.station(share)), {});
}

}  // namespace armature::internal
