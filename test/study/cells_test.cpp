#include "study/cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <thread>

namespace armature::internal {
namespace {

// Two numbers of a chaotic sequence: any mix-up of cells or of workspaces shows.
CellJob chaos(long count) {
  return {count, 2, [](const StopFlag&) -> CellFunction {
            return [](long index, std::span<double> result) {
              double x = 0.1 + 1e-4 * static_cast<double>(index);
              for (int k = 0; k < 1000; ++k) x = 3.99 * x * (1 - x);
              result[0] = x;
              result[1] = std::sin(x);
              return true;
            };
          }};
}

TEST(Cells, HaveTheSameBitsForAnyNumberOfThreads) {
  const CellTable one = run_cells(chaos(1000), {.threads = 1});
  EXPECT_EQ(one.missing(), 0);
  EXPECT_EQ(one.row(7)[1], std::sin(one.row(7)[0]));
  EXPECT_NE(one.row(7)[0], one.row(8)[0]);
  for (int threads : {2, 4, 7}) EXPECT_EQ(run_cells(chaos(1000), {.threads = threads}).values, one.values) << threads;
}

TEST(Cells, GiveEachThreadAWorkspaceOfItsOwn) {
  std::mutex mutex;
  std::set<std::thread::id> made;
  std::atomic<int> count = 0;
  const CellJob job{100, 1, [&](const StopFlag&) -> CellFunction {
                      const std::lock_guard lock(mutex);
                      EXPECT_TRUE(made.insert(std::this_thread::get_id()).second);
                      ++count;
                      return [&, id = std::this_thread::get_id()](long, std::span<double> result) {
                        while (count < 3) std::this_thread::yield();  // all begin before the first ends
                        result[0] = id == std::this_thread::get_id();
                        return true;
                      };
                    }};
  const CellTable table = run_cells(job, {.threads = 3});
  EXPECT_EQ(made.size(), 3u);
  for (double own : table.values) EXPECT_EQ(own, 1);
}

TEST(Cells, StopWhenProgressSaysSoAndKeepWhatIsDone) {
  const CellJob job{1000000, 1, [](const StopFlag&) -> CellFunction {
                      return [](long index, std::span<double> result) {
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        result[0] = static_cast<double>(index);
                        return true;
                      };
                    }};
  const CellTable table = run_cells(job, {.threads = 2, .progress = [](long done, long) { return done < 5; }});
  EXPECT_GE(table.count() - table.missing(), 5);
  EXPECT_GT(table.missing(), 900000);
  for (long k = 0; k < table.count(); ++k)
    if (table.done[static_cast<std::size_t>(k)]) {
      EXPECT_EQ(table.row(k)[0], static_cast<double>(k));
    } else {
      ASSERT_TRUE(std::isnan(table.row(k)[0]));
    }
}

TEST(Cells, CountAStoppedCellAsMissing) {
  const CellJob job{3, 1, [](const StopFlag& stop) -> CellFunction {
                      return [&stop](long index, std::span<double> result) {
                        result[0] = 1;
                        while (index == 1 && !stop) std::this_thread::yield();
                        return index != 1;
                      };
                    }};
  const CellTable table = run_cells(job, {.threads = 2, .progress = [](long done, long) { return done < 1; }});
  EXPECT_FALSE(table.done[1]);
}

TEST(Cells, PassOnWhatACellThrows) {
  const CellJob job{100, 1, [](const StopFlag&) -> CellFunction {
                      return [](long index, std::span<double>) -> bool {
                        if (index == 50) throw std::runtime_error("cell 50");
                        return true;
                      };
                    }};
  EXPECT_THROW(run_cells(job, {.threads = 2}), std::runtime_error);
}

}  // namespace
}  // namespace armature::internal
