// Cells: many computations of one kind that know nothing of each other, such as the runs of a map or a sweep. A cell is a
// pure function of its index; its result is placed by index, so that the table has the same bits for any number of threads.
//
//   CellJob job{61 * 61, 2, [&](const StopFlag&) -> CellFunction {
//     auto workspace = std::make_shared<Workspace>(system);                 // one per thread
//     return [workspace](long index, std::span<double> result) { …; return true; };
//   }};
//   const CellTable table = run_cells(job, {.threads = 2});
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

namespace armature::internal {

using StopFlag = std::atomic<bool>;

// Fills `result`; returns false if it was stopped before there was one. A cell without a value stores NaN or a status in its
// numbers and does not throw: an exception ends the whole job.
using CellFunction = std::function<bool(long index, std::span<double> result)>;

// Cells for a worker that computes several at once: it takes one more whenever it has room for it.
class CellFeed {
 public:
  virtual ~CellFeed() = default;
  virtual long next() = 0;  // -1: there is none left, or the job is stopped
  virtual std::span<double> row(long index) = 0;
  virtual void finish(long index) = 0;  // its row is filled
};

struct CellJob {
  long count = 0;
  int width = 0;  // numbers that a cell gives
  std::function<CellFunction(const StopFlag& stop)>
      worker;  // called once a thread, in that thread; long cells poll `stop`
  std::function<void(CellFeed& feed, const StopFlag& stop)> lanes = {};  // in place of worker, likewise
  // Long cells count their parts here, for progress: such as the evaluations of a search. parts: of a cell, at most.
  const std::atomic<long>* parts_done = nullptr;
  long parts = 1;
  bool one_thread = false;  // whatever the options say
};

// Results by index. A row whose cell is not done holds NaN.
struct CellTable {
  int width = 0;
  std::vector<double> values;
  std::vector<char> done;
  CellTable() = default;
  CellTable(long count, int width);
  long count() const { return static_cast<long>(done.size()); }
  std::span<double> row(long index) { return {values.data() + index * width, static_cast<std::size_t>(width)}; }
  std::span<const double> row(long index) const {
    return {values.data() + index * width, static_cast<std::size_t>(width)};
  }
  long missing() const;  // cells that are not done: not 0 only where the job was stopped
};

// Called in the thread that called run_cells, every tenth of a second and at the end; false: stop.
using CellProgress = std::function<bool(long done, long count)>;

struct CellOptions {
  int threads = 0;  // 0: one per core that this process may use
  CellProgress progress = {};
  class CellStore* store = nullptr;  // keeps finished cells on disk and shares them with other processes
  long first = 0;                    // number of the first cell in the store
};

// Throws what a cell threw.
CellTable run_cells(const CellJob& job, const CellOptions& options = {});

// Who computes the cells of a job, or takes them from where they are kept; they are numbered from `first` on.
using CellRunner = std::function<CellTable(const CellJob& job, long first)>;

}  // namespace armature::internal
