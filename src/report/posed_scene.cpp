#include "report/posed_scene.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal::plot {

using Eigen::Vector3d;

PosedScene::PosedScene(const Scene& scene, std::vector<float> frame, double bend)
    : scene_(&scene), frame_(std::move(frame)), bend_(bend) {}

Vector3d PosedScene::point(int offset) const {
  const float* at = frame_.data() + offset;
  return {at[0], at[1], at[2]};
}

Eigen::Quaterniond PosedScene::turn(int body) const {
  const float* pose = frame_.data() + scene_->bodies[static_cast<std::size_t>(body)].offset;
  return {pose[6], pose[3], pose[4], pose[5]};
}

Vector3d PosedScene::direction(int body, const Triple& along) const {
  return body < 0 ? to_vector(along) : Vector3d(turn(body) * to_vector(along));
}

Vector3d PosedScene::in_body(int body, const Vector3d& along) const {
  return body < 0 ? along : Vector3d(turn(body).conjugate() * along);
}

Vector3d PosedScene::on_body(int body, const Triple& at) const {
  if (body < 0) return to_vector(at);
  return point(scene_->bodies[static_cast<std::size_t>(body)].offset) + turn(body) * to_vector(at);
}

Vector3d PosedScene::place(const ScenePlace& place) const {
  if (place.body < 0) return to_vector(place.at);
  const SceneBody& body = scene_->bodies[static_cast<std::size_t>(place.body)];
  if (!body.beam || !(body.beam->length > 0)) return on_body(place.body, place.at);
  const double share = std::clamp(place.at[0] / body.beam->length, 0.0, 1.0) * (body.beam->nodes - 1);
  const std::vector<Vector3d> points = beam_points(place.body);
  const auto k = std::min(static_cast<std::size_t>(share), points.size() - 2);
  return points[k] + (share - static_cast<double>(k)) * (points[k + 1] - points[k]);
}

// Deflections from the chord where both ends are held, else from the straight shape.
std::vector<Vector3d> PosedScene::beam_points(int body) const {
  const SceneBeam& beam = *scene_->bodies[static_cast<std::size_t>(body)].beam;
  std::vector<Vector3d> points;
  for (int k = 0; k < beam.nodes; ++k) points.push_back(point(beam.offset + 3 * k));
  const Vector3d first = points.front(), end = beam.held ? points.back() : on_body(body, {beam.length, 0, 0});
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vector3d straight = first + static_cast<double>(k) / (beam.nodes - 1) * (end - first);
    points[k] = straight + bend_ * (points[k] - straight);
  }
  return points;
}

std::vector<double> PosedScene::beam_loads(int body) const {
  const SceneBeam& beam = *scene_->bodies[static_cast<std::size_t>(body)].beam;
  std::vector<double> loads;
  for (int k = 0; k < beam.nodes; ++k)
    loads.push_back(std::abs(static_cast<double>(frame_[static_cast<std::size_t>(beam.load + k)])));
  return loads;
}

std::vector<Vector3d> PosedScene::reached(int body) const {
  std::vector<Vector3d> places;
  const auto add = [&](const Vector3d& at) {
    if (std::ranges::none_of(places, [&](const Vector3d& known) { return (known - at).norm() < 1e-6; }))
      places.push_back(at);
  };
  const auto add_place = [&](const ScenePlace& each) {
    if (each.body == body) add(place(each));
  };
  for (const SceneJoint& joint : scene_->joints) add_place(joint.a), add_place(joint.b);
  for (const SceneLink& link : scene_->links) add_place(link.a), add_place(link.b);
  for (const SceneLoad& load : scene_->loads)
    if (load.kind == "force") add_place(load.at);
  if (body < 0) return places;
  const SceneBody& of = scene_->bodies[static_cast<std::size_t>(body)];
  for (const auto& [name, at] : of.points) add(on_body(body, at));
  for (const Triple& at : of.touched) add(on_body(body, at));
  if (places.size() < 2) add(on_body(body, of.center));
  return places;
}

double PosedScene::slide(const SceneJoint& joint) const { return axis(joint).dot(place(joint.b) - place(joint.a)); }

}  // namespace armature::internal::plot
