#include "report/free_motions.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/request_error.hpp"
#include "report/base64.hpp"
#include "report/free_motion.hpp"
#include "report/posed_scene.hpp"

namespace armature::internal {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::Vector3d;

constexpr std::size_t most = 100;      // poses
constexpr double passed = 1e-3;        // smallest singular value, a number from 0 to 1: less is a singular pose on the way between two frames
constexpr double worth_a_look = 0.2;   // a minimum above it is none of these
constexpr double most_work = 4e8;      // operations for looking at poses, half of them for frames
constexpr int fewest_frames = 40, most_frames = 2000, looks_to_locate = 45;

// As many poses as may be looked at, each by a singular value decomposition.
int affordable_looks(int freedoms) { return static_cast<int>(most_work / (40 * (std::pow(freedoms, 3) + 1000))); }

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

// Singular poses that the motion starts from or passes: minima of the smallest singular value over the frames, located between their
// neighbors by golden section.
class PassedPoses {
 public:
  PassedPoses(FreeMotion& motion, const SparseRows& rows, int looks) : motion_(motion), rows_(rows), places_(looks / (2 * looks_to_locate)) {
    const int frames = std::min(looks / 2, most_frames), every = (rows.rows() + frames - 1) / frames;
    for (int k = 0; k < rows.rows(); k += every) t_.push_back(rows.row(k)[0]), distance_.push_back(motion_.distance(rows.row(k)));
  }

  std::vector<double> times() const {
    std::vector<double> found;
    int located_places = 0;
    for (std::size_t k = 0; k < t_.size() && found.size() < most && located_places < places_; ++k) {
      if (!is_least(k)) continue;
      ++located_places;
      const double t = located(k == 0 ? t_[0] : t_[k - 1], k + 1 < t_.size() ? t_[k + 1] : t_[k]);
      if (motion_.distance(row_at(rows_, t)) < passed) found.push_back(t);
    }
    return found;
  }

 private:
  bool is_least(std::size_t k) const {
    const bool falls = k == 0 || distance_[k] < distance_[k - 1], rises = k + 1 == t_.size() || distance_[k] <= distance_[k + 1];
    return distance_[k] < worth_a_look && falls && rises;
  }

  // The two ends, too: a motion may start in a singular pose.
  double located(double from, double to) const {
    constexpr double golden = 0.6180339887498949;
    const auto distance = [&](double t) { return motion_.distance(row_at(rows_, t)); };
    const double begin = from, end = to;
    double a = to - golden * (to - from), b = from + golden * (to - from), at_a = distance(a), at_b = distance(b);
    for (int k = 0; k < 40; ++k) {
      if (at_a < at_b) {
        to = b, b = a, at_b = at_a, a = to - golden * (to - from), at_a = distance(a);
      } else {
        from = a, a = b, at_a = at_b, b = from + golden * (to - from), at_b = distance(b);
      }
    }
    const double middle = 0.5 * (from + to), inside = distance(middle);
    if (distance(begin) <= inside) return begin;
    return distance(end) < inside ? end : middle;
  }

  FreeMotion& motion_;
  const SparseRows& rows_;
  int places_;  // that can be located
  std::vector<double> t_, distance_;
};

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

Json free_motions(const Model& model, const Prepared& prepared, const Scene& scene, const RunRecord& record, const ReportRecorder& rows) {
  Json list = Json::array();
  if (!rows.frames() || rows.frames()->rows() == 0 || scene.frame_size() == 0) return list;
  try {
    const int looks = affordable_looks(prepared.system->layout().nv);
    const bool is_large = looks < 2 * fewest_frames;  // only where a determinant is recorded
    if (is_large && singular_times(model, record).empty()) return list;
    FreeMotion motion(model, prepared, rows.channels());
    const SparseRows& kept = *rows.frames();
    const double apart = 2 * (kept.row(kept.rows() - 1)[0] - kept.row(0)[0]) / kept.rows();
    const std::vector<double> passed_times = is_large ? std::vector<double>{} : PassedPoses(motion, kept, looks).times();
    const std::vector<double> times = all_times(singular_times(model, record), passed_times, apart);
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
