// Runs of pages: a newer one ends the one before, and nobody waits who need not.
#include "live/run_queue.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>

namespace armature::internal {
namespace {

using namespace std::chrono_literals;

// Until it is asked to end.
RunQueue::Run endless_run(const std::string& answer) {
  return [answer](const RunQueue::Progress& progress) {
    while (progress(1, 2)) std::this_thread::sleep_for(1ms);
    return answer;
  };
}
RunQueue::Run quick(const std::string& answer) {
  return [answer](const RunQueue::Progress&) { return answer; };
}
void until_running(RunQueue& queue, const std::string& page) {
  while (queue.state(page).t == 0) std::this_thread::sleep_for(1ms);
}

TEST(RunQueue, AnswersARunByItsNumber) {
  RunQueue queue({.threads = 1});
  const auto number = queue.begin("a", quick("done"));
  ASSERT_EQ(number, 1);
  EXPECT_EQ(*queue.answer("a", 1, 10s).text, "done");
  EXPECT_EQ(*queue.answer("a", 1).text, "done");  // asked again: the first answer may have been lost
  EXPECT_TRUE(queue.answer("a", 2).superseded);
  EXPECT_TRUE(queue.answer("b", 1).superseded);
}

TEST(RunQueue, ANewerRunTakesTheThreadOfTheOneBefore) {
  RunQueue queue({.threads = 1});
  queue.begin("a", endless_run("first"));
  until_running(queue, "a");
  queue.begin("b", endless_run("never begins"));
  EXPECT_TRUE(queue.state("b").waiting);
  const auto number = queue.begin("a", quick("second"));  // before that of b, which has waited longer
  EXPECT_EQ(*queue.answer("a", *number, 10s).text, "second");
  EXPECT_TRUE(queue.answer("a", *number - 1).superseded);
}

TEST(RunQueue, AStoppedRunGivesWhatItHas) {
  RunQueue queue({.threads = 1});
  queue.begin("a", endless_run("half"));
  until_running(queue, "a");
  EXPECT_FALSE(queue.answer("a", 1, 10ms).text);
  queue.begin("b", endless_run("none"));
  queue.stop("b");  // has not begun: nothing to give
  EXPECT_TRUE(queue.answer("b", 1).superseded);
  EXPECT_FALSE(queue.state("b").running);
  queue.stop("a");
  EXPECT_EQ(*queue.answer("a", 1, 10s).text, "half");
}

TEST(RunQueue, APageThatAsksForNothingIsForgotten) {
  RunQueue queue({.threads = 1, .pages = 1, .patience = 50ms});
  queue.begin("left", endless_run("left"));
  until_running(queue, "left");
  EXPECT_FALSE(queue.begin("b", quick("b")));  // one page is all that this one takes
  std::optional<long> number;
  for (int k = 0; k < 1000 && !number; ++k) {
    std::this_thread::sleep_for(10ms);
    number = queue.begin("b", quick("b"));
  }
  ASSERT_TRUE(number);
  EXPECT_EQ(*queue.answer("b", *number, 10s).text, "b");
}

TEST(RunQueue, TheEndWaitsForNoRun) {
  std::optional<RunQueue> queue(std::in_place, RunQueueSettings{.threads = 1});
  queue->begin("a", endless_run("a"));
  until_running(*queue, "a");
  queue->close();
  EXPECT_TRUE(queue->answer("a", 1, 1h).superseded || queue->answer("a", 1, 1h).text);
  queue.reset();
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
double resident_megabytes() {
  long size = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return 1e-6 * static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The free end of a thread's heap stayed, once a large block had been freed before.
TEST(RunQueue, GivesTheMemoryOfARunBack) {
  RunQueue queue({.threads = 1});
  const auto in_megabytes = [](int count) {
    std::vector<std::unique_ptr<char[]>> blocks;
    for (int k = 0; k < 1000 * count; ++k) std::fill_n(blocks.emplace_back(new char[1000]).get(), 1000, 'x');
    return std::to_string(blocks.size());
  };
  queue.begin("a", [](const RunQueue::Progress&) { return std::to_string(std::vector<char>(20'000'000).size()); });
  EXPECT_TRUE(queue.answer("a", 1, 10s).text);
  const double before = resident_megabytes();
  queue.begin("a", [&](const RunQueue::Progress&) { return in_megabytes(30); });
  EXPECT_EQ(*queue.answer("a", 2, 60s).text, "30000");
  for (int k = 0; k < 1000 && resident_megabytes() > before + 4; ++k) std::this_thread::sleep_for(10ms);
  EXPECT_LT(resident_megabytes(), before + 4);
}
#endif

}  // namespace
}  // namespace armature::internal
