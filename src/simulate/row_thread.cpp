#include "simulate/row_thread.hpp"

#include <algorithm>

#include "record/usable_cores.hpp"
#include "simulate/setup.hpp"

namespace armature {

namespace {

constexpr BlockThread::Sizes blocks{.some = 1 << 11, .many = 1 << 14, .interval = 0.1};
constexpr int head = 4;  // numbers of a point before x

}  // namespace

// Comparisons that are taken as they come start from those of the last evaluation; a partition is chosen at one.
bool RowThread::possible(const RunOptions& options, const Dynamics& run) {
  return usable_cores() > 1 && !run.follows_roots() && options.formulation != "partition";
}

RowThread::RowThread(const Prepared& prepared, Dynamics& run, Recorder& recorder, Rows::Known known)
    : prepared_(prepared),
      run_(run),
      recorder_(recorder),
      known_(known),
      project_stages_(run.projects_stages()),
      n_(run.system().layout()),
      width_(static_cast<std::size_t>(head + n_.nx() + n_.nd + n_.nw)),
      state_(prepared.start),
      thread_(blocks, [this](const std::vector<double>& points) { record(points); }) {
  state_.mode.clear();  // the weights are given
}

void RowThread::add(double t, const Eigen::VectorXd& x, bool project) {
  const ProjectionBeginning beginning = project ? run_.begin_projection(t, x.data()) : ProjectionBeginning{};
  std::vector<double>& points = thread_.block();
  points.resize(points.size() + width_);
  double* point = points.data() + points.size() - width_;
  point[0] = t, point[1] = project, point[2] = beginning.row_size, point[3] = beginning.singular;
  point = std::copy_n(x.data(), n_.nx(), point + head);
  point = std::copy_n(run_.evaluator().inputs() + n_.d(), n_.nd, point);
  std::copy_n(run_.weights().data(), n_.nw, point);
  thread_.added();
}

void RowThread::record(const std::vector<double>& points) {
  for (std::size_t at = 0; at < points.size(); at += width_) take(points.data() + at);
}

void RowThread::begin() {
  dynamics_ = make_dynamics(prepared_);
  dynamics_->project_stages(project_stages_);
  rows_.emplace(*dynamics_, recorder_, known_);
}

void RowThread::take(const double* point) {
  const bool first = !rows_;
  if (first) begin();
  const double* x = point + head;
  state_.t = point[0];
  state_.x = Eigen::Map<const Eigen::VectorXd>(x, n_.nx());
  state_.d = Eigen::Map<const Eigen::VectorXd>(x + n_.nx(), n_.nd);
  state_.w = Eigen::Map<const Eigen::VectorXd>(x + n_.nx() + n_.nd, n_.nw);
  dynamics_->set_state(state_);
  if (first) rows_->begin(state_);
  if (point[1] != 0) {
    dynamics_->begin_projection_as({point[2], point[3] != 0});
    dynamics_->project(state_.t, state_.x.data(), nullptr);
  }
  rows_->write(state_.t, state_.x);
}

void RowThread::finish(RunStatistics& statistics) {
  thread_.finish();
  if (rows_) rows_->report(statistics);
}

}  // namespace armature
