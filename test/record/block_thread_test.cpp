#include "record/block_thread.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>

namespace armature::internal {
namespace {

void add(BlockThread& thread, double number) {
  thread.block().push_back(number);
  thread.added();
}

TEST(BlockThread, WorksThroughAllNumbersInTheirOrder) {
  std::vector<double> seen, expected;
  BlockThread thread({7, 7, 1e9}, [&](const auto& block) { seen.insert(seen.end(), block.begin(), block.end()); });
  for (int i = 0; i < 1000; ++i) add(thread, i), expected.push_back(i);
  thread.finish();
  EXPECT_EQ(seen, expected);
}

TEST(BlockThread, TakesAnyNumberWhenItHasWaited) {
  std::atomic<int> seen = 0;
  BlockThread thread({1000, 1000, 0.01}, [&](const auto& block) { seen += static_cast<int>(block.size()); });
  while (seen == 0) {
    add(thread, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_LT(seen, 1000);
}

// Some numbers go to a thread that waits; while it is at work, many are gathered.
TEST(BlockThread, GathersMoreWhileItIsAtWork) {
  std::vector<std::size_t> sizes;
  std::atomic<bool> begun = false, go_on = false;
  BlockThread thread({3, 100, 1e9}, [&](const auto& block) {
    sizes.push_back(block.size());
    begun = true;
    while (!go_on) std::this_thread::yield();
  });
  for (int i = 0; i < 3; ++i) add(thread, i);
  while (!begun) std::this_thread::yield();
  for (int i = 0; i < 99; ++i) add(thread, i);
  go_on = true;
  thread.finish();
  EXPECT_THAT(sizes, testing::ElementsAre(3, 99));
}

// Two blocks at most wait for the one in work: who hands over must wait too.
TEST(BlockThread, DoesNotRunAhead) {
  std::atomic<int> done = 0;
  int most = 0;
  BlockThread thread({1, 1, 1e9}, [&](const auto&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++done;
  });
  for (int i = 1; i <= 20; ++i) add(thread, i), most = std::max(most, i - done);
  EXPECT_LE(most, 2);
}

TEST(BlockThread, ThrowsWhatTheWorkThrew) {
  int calls = 0;
  BlockThread thread({1, 1, 1e9}, [&](const auto&) {
    ++calls;
    throw std::runtime_error("the disk is full");
  });
  const auto add_many = [&] {
    for (int i = 0; i < 100; ++i) add(thread, i);
    thread.finish();
  };
  EXPECT_THAT(add_many, testing::ThrowsMessage<std::runtime_error>("the disk is full"));
  EXPECT_NO_THROW(thread.finish());
  EXPECT_EQ(calls, 1) << "what follows an error is dropped";
}

TEST(BlockThread, FinishesWhenItIsDestroyed) {
  int seen = 0;
  {
    BlockThread thread({4, 4, 1e9}, [&](const auto& block) { seen += static_cast<int>(block.size()); });
    for (int i = 0; i < 10; ++i) add(thread, i);
  }
  EXPECT_EQ(seen, 10);
}

}  // namespace
}  // namespace armature::internal
