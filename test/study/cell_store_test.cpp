#include "study/cell_store.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "record/record_error.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

CellJob squares(long count, std::atomic<long>& computed) {
  return {count, 2, [&](const StopFlag&) -> CellFunction {
            return [&](long index, std::span<double> result) {
              ++computed;
              result[0] = static_cast<double>(index * index);
              result[1] = std::sqrt(static_cast<double>(index));
              return true;
            };
          }};
}

class Store : public testing::Test {
 protected:
  CellTable run(CellStore& store, long count, long first = 0) {
    return run_cells(squares(count, computed), {.threads = 2, .store = &store, .first = first});
  }
  std::filesystem::path journal() { return folder / "journal.0"; }

  TemporaryFolder folder;
  std::atomic<long> computed = 0;
};

TEST_F(Store, ComputesOnlyWhatIsMissing) {
  {
    CellStore store(folder.path(), "job", 2, {});
    run(store, 100);
  }
  CellStore store(folder.path(), "job", 2, {});
  EXPECT_EQ(store.restored(), 100);
  computed = 0;
  const CellTable table = run(store, 130);
  EXPECT_EQ(computed, 30);
  EXPECT_EQ(table.missing(), 0);
  for (long k = 0; k < 130; ++k) EXPECT_EQ(table.row(k)[0], static_cast<double>(k * k));
}

TEST_F(Store, ToleratesARecordThatWasCutShort) {
  {
    CellStore store(folder.path(), "job", 2, {});
    run(store, 10);
  }
  for (std::uintmax_t lost : {1, 8, 31, 32, 33}) {  // a record has 32 bytes
    std::filesystem::resize_file(journal(), std::filesystem::file_size(journal()) - lost);
    CellStore store(folder.path(), "job", 2, {});
    EXPECT_EQ(store.restored(), lost > 32 ? 8 : 9) << lost;
    EXPECT_EQ(run(store, 10).missing(), 0);
  }
}

TEST_F(Store, DropsARecordThatIsDamaged) {
  {
    CellStore store(folder.path(), "job", 2, {});
    run(store, 10);
  }
  std::fstream file(journal(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(16 + 5 * 32 + 10);
  file.put('x');
  file.close();
  CellStore store(folder.path(), "job", 2, {});
  EXPECT_EQ(store.restored(), 5);  // those before it
}

TEST_F(Store, RefusesCellsOfAnotherJob) {
  {
    CellStore store(folder.path(), "model\nrtol: 1e-6\n", 2, {});
    run(store, 10);
  }
  EXPECT_THAT([&] { CellStore(folder.path(), "model\nrtol: 1e-7\n", 2, {}); },
              ThrowsMessage<RecordError>(HasSubstr("line 2 was 'rtol: 1e-6', is 'rtol: 1e-7'; --restart")));
}

TEST_F(Store, KeepsTheStagesOfAJobApart) {
  CellStore store(folder.path(), "job", 2, {});
  run(store, 10);
  const CellTable second = run(store, 5, 10);
  EXPECT_EQ(second.row(3)[0], 9);
  EXPECT_EQ(computed, 15);
}

// Locks belong to the open file: two stores of one process are as two processes.
TEST_F(Store, TeamsShareTheCellsAndAllSeeAll) {
  std::vector<CellTable> tables(3);
  std::vector<std::thread> team;
  for (int rank = 0; rank < 3; ++rank)
    team.emplace_back([&, rank] {
      CellStore store(folder.path(), "job", 2, Team{rank, 3, 3, "team"});
      tables[static_cast<std::size_t>(rank)] = run(store, 1000);
    });
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(computed, 1000);
  for (const CellTable& table : tables) EXPECT_EQ(table.values, tables[0].values);
}

TEST_F(Store, CellsOfAProcessThatDiedAreTakenOver) {
  CellStore first(folder.path(), "job", 2, Team{0, 2, 2, "team"});
  {
    CellStore second(folder.path(), "job", 2, Team{1, 2, 2, "team"});
    EXPECT_TRUE(second.take(0));
    EXPECT_FALSE(first.take(0));
    EXPECT_TRUE(first.alive(1));
    second.append(1, std::vector<double>{1, 1});
  }
  EXPECT_FALSE(first.alive(1));
  EXPECT_EQ(run(first, 100).missing(), 0);
  EXPECT_EQ(computed, 99);  // the one that it had finished is not computed again
}

}  // namespace
}  // namespace armature::internal
