// What the studies of the library have in common: threads, progress, and what a progress throws.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>

#include "armature/study.hpp"
#include "gpu/motion_device.hpp"
#include "inspect/error_bars.hpp"
#include "library/translate.hpp"
#include "study/cell_session.hpp"
#include "study/study_errors.hpp"

namespace armature {

inline void require_at_least(int least, int value, const std::string& name) {
  if (value < least)
    throw Error(Error::Kind::input, fmt::format("{} is {}, but must be {} at least", name, value, least));
}

// Of motions on a GPU.
inline internal::Arithmetic arithmetic_of(Gpu gpu) {
  if (gpu == Gpu::fast) return internal::Arithmetic::fast;
  return gpu == Gpu::preview ? internal::Arithmetic::single : internal::Arithmetic::exact;
}

// The cells of one study; settings: with which its model was read. An exception of the progress callback stops the study and is thrown again when its threads have ended.
class Session {
 public:
  explicit Session(const StudyOptions& options, const Settings& settings = {})
      : cells_(options_of(options, settings)) {}
  internal::CellSession& cells() { return cells_; }
  // Cells that only this call knows; whether all were computed.
  bool run(const internal::CellJob& job) const {
    internal::CellOptions options;
    options.threads = threads_;
    if (progress_) options.progress = [this](long done, long count) { return progress_("", done, count); };
    return internal::run_cells(job, options).missing() == 0;
  }
  // Of a study that has been computed.
  internal::ErrorTime time_for_errors(long count) const {
    return {internal::time_for_errors(cells_.seconds()), [this, count] { return is_wanted(count, count); }};
  }
  bool is_wanted(long done, long count) const { return !progress_ || progress_("", done, count); }
  void require_complete(bool complete) const {
    if (thrown_) throw PassedOn{thrown_};
    if (!complete) throw Error(Error::Kind::stopped, "the study was stopped");
  }

 private:
  internal::SessionOptions options_of(const StudyOptions& options, const Settings& settings) {
    require_at_least(0, options.threads, "threads");
    internal::SessionOptions session;
    session.settings = settings;
    session.threads = options.threads;
    if (options.progress)
      session.progress = [this, progress = options.progress](const std::string&, long done, long count) {
        try {
          return progress(done, count);
        } catch (...) {
          thrown_ = std::current_exception();
          return false;
        }
      };
    threads_ = session.threads, progress_ = session.progress;
    return session;
  }

  std::exception_ptr thrown_;
  int threads_ = 0;
  internal::StudyProgress progress_;
  internal::CellSession cells_;
};

}  // namespace armature
