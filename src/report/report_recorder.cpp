#include "report/report_recorder.hpp"

namespace armature::internal {
namespace {

constexpr int most_frames = 2000;  // of the animation: more than a minute at 30 a second
constexpr int most_points = 4096;  // of a plotted channel: more than pixels across

}  // namespace

void ReportRecorder::begin(const std::vector<Channel>& channels) {
  next_.begin(channels);
  channels_ = channels;
  const int width = static_cast<int>(channels.size());
  frames_.emplace(width, most_frames);
  envelope_.emplace(width, most_points);
}

void ReportRecorder::row(std::span<const double> values) {
  next_.row(values);
  frames_->add(values);
  envelope_->add(values);
}

void ReportRecorder::finish() {
  if (!frames_) return;
  frames_->finish();
  envelope_->finish();
}

}  // namespace armature::internal
