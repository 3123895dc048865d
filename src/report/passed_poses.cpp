#include "report/passed_poses.hpp"

#include <algorithm>
#include <cmath>

#include "step/minimum_search.hpp"

namespace armature::internal {

namespace {

constexpr double passed =
    1e-3;  // smallest singular value, a number from 0 to 1: less is a singular pose on the way between two frames
constexpr double worth_a_look = 0.2;  // a minimum above it is none of these
constexpr double most_work = 4e8;     // operations for looking at poses, half of them for frames
constexpr int fewest_frames = 40, most_searched_frames = 2000, most_steps = 40;
constexpr int looks_to_locate = most_steps + 3;  // and at both ends, and where the search begins

class PassedPoses {
 public:
  PassedPoses(FreeMotion& motion, const SparseRows& rows, int looks) : motion_(motion), rows_(rows) {
    const int frames = std::min(looks / 2, most_searched_frames), every = (rows.rows() + frames - 1) / frames;
    for (int k = 0; k < rows.rows(); k += every) frames_.push_back({rows.row(k)[0], motion_.distance(rows.row(k))});
  }

  std::vector<double> times(int places, std::size_t most) const {
    std::vector<double> found;
    for (std::size_t k = 0; k < frames_.size() && found.size() < most && places > 0; ++k) {
      if (!is_least(k)) continue;
      --places;
      const step::SearchPoint least = located(frames_[k > 0 ? k - 1 : k], frames_[std::min(k + 1, frames_.size() - 1)]);
      if (least.value < passed) found.push_back(least.t);
    }
    return found;
  }

 private:
  bool is_least(std::size_t k) const {
    const double here = frames_[k].value;
    const bool falls = k == 0 || here < frames_[k - 1].value,
               rises = k + 1 == frames_.size() || here <= frames_[k + 1].value;
    return here < worth_a_look && falls && rises;
  }

  // One of the two ends, too: a motion may start in a singular pose.
  step::SearchPoint located(const step::SearchPoint& from, const step::SearchPoint& to) const {
    const auto distance = [&](double t) { return motion_.distance(rows_.row_at(t)); };
    const step::SearchPoint inside = step::MinimumSearch{.most_steps = most_steps}(distance, from.t, to.t);
    return std::min({from, inside, to}, [](const auto& a, const auto& b) { return a.value < b.value; });
  }

  FreeMotion& motion_;
  const SparseRows& rows_;
  std::vector<step::SearchPoint> frames_;  // time, and distance from a singular pose
};

}  // namespace

int affordable_looks(int freedoms) {
  const int looks = static_cast<int>(most_work / (40 * (std::pow(freedoms, 3) + 1000)));
  return looks < 2 * fewest_frames ? 0 : looks;
}

std::vector<double> passed_singular_poses(FreeMotion& motion, const SparseRows& rows, int looks, std::size_t most) {
  return PassedPoses(motion, rows, looks).times(looks / (2 * looks_to_locate), most);
}

}  // namespace armature::internal
