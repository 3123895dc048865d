#include "study/study_cells.hpp"

#include <array>
#include <memory>

#include "run/motion_lanes.hpp"

namespace armature::internal {

namespace {

std::span<const double> point_at(const Points& points, long index) {
  return {points[index], static_cast<std::size_t>(points.dimensions)};
}

// One thread's lanes: each is filled again when its motion has ended.
class StudyLanes {
 public:
  StudyLanes(const Study& study, const Classes* classes, const Points& points, const MotionNumbers& numbers, int lanes,
             CellFeed& feed, const StopFlag& stop)
      : points_(points), numbers_(numbers), feed_(feed), stop_(stop), motions_(study.prepared(), study.observed()) {
    for (int k = 0; k < lanes; ++k) runs_.push_back(std::make_unique<StudyRun>(study, classes, stop));
    index_.resize(runs_.size());
  }

  void run() {
    for (int k = 0; k < static_cast<int>(runs_.size()); ++k) fill(k);
    const Progress going = [this](double, long) { return !stop_; };
    while (motions_.any()) motions_.advance(going, [this](int k, const Outcome& outcome) { end(k, outcome); });
  }

 private:
  // Cells without a start are done at once.
  void fill(int k) {
    StudyRun& run = at(k);
    for (long next; (next = feed_.next()) >= 0;) {
      index_[static_cast<std::size_t>(k)] = next;
      if (run.prepare(point_at(points_, next))) return motions_.begin(k, run.prepared(), run.watcher());
      finish(k, MotionStatus::no_start);
    }
  }

  void end(int k, const Outcome& outcome) {
    if (const MotionStatus status = at(k).conclude(outcome); status != MotionStatus::stopped) finish(k, status);
    fill(k);
  }

  void finish(int k, MotionStatus status) {
    const long index = index_[static_cast<std::size_t>(k)];
    numbers_(at(k), status, feed_.row(index));
    feed_.finish(index);
  }

  StudyRun& at(int k) { return *runs_[static_cast<std::size_t>(k)]; }

  const Points& points_;
  const MotionNumbers& numbers_;
  CellFeed& feed_;
  const StopFlag& stop_;
  MotionLanes motions_;
  std::vector<std::unique_ptr<StudyRun>> runs_;
  std::vector<long> index_;  // of the cell in each lane
};

}  // namespace

CellJob study_cells(const Study& study, const Classes* classes, const Points& points, int width,
                    const MotionNumbers& numbers, int lanes) {
  CellJob job{points.count(), width, {}, {}};
  job.worker = [&study, &points, classes, numbers](const StopFlag& stop) -> CellFunction {
    auto run = std::make_shared<StudyRun>(study, classes, stop);
    return [run, &points, numbers](long index, std::span<double> result) {
      const MotionStatus status = run->run(point_at(points, index));
      if (status == MotionStatus::stopped) return false;
      numbers(*run, status, result);
      return true;
    };
  };
  if (lanes > 1 && !study.rows() && MotionLanes::possible(study.prepared()))
    job.lanes = [&study, &points, classes, numbers, lanes](CellFeed& feed, const StopFlag& stop) {
      StudyLanes(study, classes, points, numbers, lanes, feed, stop).run();
    };
  return job;
}

}  // namespace armature::internal
