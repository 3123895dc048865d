#include "report/free_motions.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/request_error.hpp"
#include "report/base64.hpp"
#include "report/free_motion.hpp"
#include "report/passed_poses.hpp"
#include "report/posed_scene.hpp"

namespace armature::internal {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::Vector3d;

constexpr std::size_t most = 100;  // poses

// Times at which a determinant is zero.
std::vector<double> singular_times(const Model& model, const RunRecord& record) {
  std::vector<double> times;
  for (const auto& [t, what] : record.events)
    if (std::ranges::any_of(model.record.determinants,
                            [&](const auto& each) { return what.starts_with(each.name + " = 0"); }))
      times.push_back(t);
  if (times.size() > most) times.resize(most);
  return times;
}

// Those of determinants, and the others that are not the same.
std::vector<double> all_times(std::vector<double> times, const std::vector<double>& others, double apart) {
  for (const double t : others)
    if (std::ranges::none_of(times, [&](double known) { return std::abs(known - t) < apart; })) times.push_back(t);
  std::ranges::sort(times);
  if (times.size() > most) times.resize(most);
  return times;
}

// From one pose to another: of the centers of bodies and of joints.
std::vector<Vector3d> ways_between(const plot::PosedScene& from, const plot::PosedScene& to) {
  std::vector<Vector3d> ways;
  const Scene& scene = from.scene();
  const auto add = [&](const ScenePlace& place) { ways.push_back(to.place(place) - from.place(place)); };
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) add({static_cast<int>(k), scene.bodies[k].center});
  for (const SceneJoint& joint : scene.joints) add(joint.b);
  return ways;
}

std::vector<float> packed(const std::vector<Vector3d>& ways) {
  double largest = 0;
  for (const Vector3d& way : ways) largest = std::max(largest, way.norm());
  std::vector<float> numbers;
  for (const Vector3d& way : ways)
    for (int i = 0; i < 3; ++i) numbers.push_back(static_cast<float>(largest > 0 ? way[i] / largest : 0));
  return numbers;
}

}  // namespace

Json free_motions(const Model& model, const Prepared& prepared, const Scene& scene, const RunRecord& record,
                  const ReportRecorder& rows) {
  Json list = Json::array();
  if (!rows.frames() || rows.frames()->rows() == 0 || scene.frame_size() == 0) return list;
  try {
    const SparseRows& kept = *rows.frames();
    std::vector<double> times = singular_times(model, record);
    const int looks = affordable_looks(prepared.system->layout().nv);
    if (looks == 0 && times.empty()) return list;
    FreeMotion motion(model, prepared, rows.channels());
    const double apart = 2 * (kept.row(kept.rows() - 1)[0] - kept.row(0)[0]) / kept.rows();
    if (looks > 0) times = all_times(std::move(times), passed_singular_poses(motion, kept, looks, most), apart);
    Scene::Frames frames(scene, rows.channels());
    const auto posed = [&](const std::vector<double>& row) {
      std::vector<float> frame;
      frames.append(row, frame);
      return plot::PosedScene(scene, std::move(frame), 1);
    };
    for (const double t : times) {
      const std::vector<double> row = kept.row_at(t), moved = motion.moved(row);
      if (moved.empty()) continue;
      list.push_back({{"t", t},
                      {"kind", to_string(motion.kind())},
                      {"ways", base64_float32(packed(ways_between(posed(row), posed(moved))))}});
    }
  } catch (const RequestError&) {  // a machine without drives or coordinates to tell singular poses by
  }
  return list;
}

}  // namespace armature::internal
