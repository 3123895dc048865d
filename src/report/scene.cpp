#include "report/scene.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace armature::internal {
namespace {

constexpr int pose_outputs = 12;  // position, then the axes row by row
constexpr int pose_numbers = 7;   // position, then a quaternion

void append_pose(const double* out, std::vector<float>& frames) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(out + 3);
  const Eigen::Quaterniond turn(R);
  for (int i = 0; i < 3; ++i) frames.push_back(static_cast<float>(out[i]));
  for (double part : {turn.x(), turn.y(), turn.z(), turn.w()}) frames.push_back(static_cast<float>(part));
}

}  // namespace

Scene::Frames::Frames(const Scene& scene, const std::vector<Channel>& channels)
    : scene_(scene), evaluate_(scene.program_) {
  for (const std::string& name : scene.inputs_) {
    const auto found =
        std::find_if(channels.begin(), channels.end(), [&](const Channel& each) { return each.name == name; });
    columns_.push_back(found == channels.end() ? -1 : static_cast<int>(found - channels.begin()));
  }
  in_.resize(columns_.size());
  out_.resize(static_cast<std::size_t>(scene.program_->output_count()));
}

void Scene::Frames::append(std::span<const double> row, std::vector<float>& frames) {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    in_[i] = columns_[i] < 0 ? std::numeric_limits<double>::quiet_NaN() : row[static_cast<std::size_t>(columns_[i])];
  evaluate_(in_.data(), out_.data());
  const double* out = out_.data();
  for (int i = 0; i < scene_.poses_; ++i, out += pose_outputs) append_pose(out, frames);
  const std::size_t points = out_.size() - static_cast<std::size_t>(scene_.poses_ * pose_outputs);
  for (std::size_t i = 0; i < points; ++i) frames.push_back(static_cast<float>(out[i]));
  static_assert(pose_numbers == 7);
}

}  // namespace armature::internal
