#include "report/free_motions.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/request_error.hpp"
#include "report/base64.hpp"
#include "report/free_motion.hpp"
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
    if (std::ranges::any_of(model.record.determinants, [&](const auto& each) { return what.starts_with(each.name + " = 0"); })) times.push_back(t);
  if (times.size() > most) times.resize(most);
  return times;
}

// The recorded row at a time, on the straight way between two frames.
std::vector<double> row_at(const SparseRows& rows, double t) {
  int high = 0;
  while (high + 1 < rows.rows() && rows.row(high)[0] < t) ++high;
  const int low = std::max(high - 1, 0);
  const std::span<const double> a = rows.row(low), b = rows.row(high);
  const double share = b[0] > a[0] ? std::clamp((t - a[0]) / (b[0] - a[0]), 0.0, 1.0) : 0;
  std::vector<double> row;
  for (std::size_t i = 0; i < a.size(); ++i) row.push_back(a[i] + share * (b[i] - a[i]));
  return row;
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

Json free_motions(const Model& model, const Prepared& prepared, const Scene& scene, const RunRecord& record, const ReportRecorder& rows) {
  Json list = Json::array();
  const std::vector<double> times = singular_times(model, record);
  if (times.empty() || !rows.frames() || rows.frames()->rows() == 0 || scene.frame_size() == 0) return list;
  try {
    FreeMotion motion(model, prepared, rows.channels());
    Scene::Frames frames(scene, rows.channels());
    const auto posed = [&](const std::vector<double>& row) {
      std::vector<float> frame;
      frames.append(row, frame);
      return plot::PosedScene(scene, std::move(frame), 1);
    };
    for (const double t : times) {
      const std::vector<double> row = row_at(*rows.frames(), t), moved = motion.moved(row);
      if (moved.empty()) continue;
      list.push_back({{"t", t}, {"kind", to_string(motion.kind())}, {"ways", base64_float32(packed(ways_between(posed(row), posed(moved))))}});
    }
  } catch (const RequestError&) {  // a machine without drives or coordinates to tell singular poses by
  }
  return list;
}

}  // namespace armature::internal
