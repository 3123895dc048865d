#include "live/run_queue.hpp"

#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace armature::internal {
namespace {

// The allocator has a heap for every thread, and each of them would stay as large as the largest model that it has seen:
// malloc_trim() gives back what is free inside of these heaps, but not their ends. The ends are cut off beyond a threshold, which grows
// with the largest block that was ever freed unless it is set.
void limit_free_ends() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1'000'000);
  mallopt(M_MMAP_THRESHOLD, 4'000'000);
#endif
}

void give_memory_back() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace

RunQueue::RunQueue(const RunQueueSettings& settings) : settings_(settings) {
  limit_free_ends();
  for (int k = 0; k < settings.threads; ++k) threads_.emplace_back([this] { work(); });
}

RunQueue::~RunQueue() {
  close();
  for (std::thread& thread : threads_) thread.join();
}

void RunQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  begun_.notify_all();
  ended_.notify_all();
}

RunQueue::PagePointer RunQueue::find(const std::string& name) {
  const auto found = pages_.find(name);
  if (found == pages_.end()) return nullptr;
  found->second->seen = Clock::now();
  return found->second;
}

bool RunQueue::forgotten(const Page& page) const { return Clock::now() - page.seen.load() > settings_.patience; }

void RunQueue::forget_the_silent() {
  std::erase_if(pages_, [&](const auto& entry) { return !entry.second->running && forgotten(*entry.second); });
  std::erase_if(waiting_, [&](const PagePointer& page) { return forgotten(*page); });
}

std::optional<long> RunQueue::begin(const std::string& name, Run run) {
  const std::lock_guard lock(mutex_);
  forget_the_silent();
  PagePointer page = find(name);
  if (!page && pages_.size() >= settings_.pages) return {};
  if (!page) page = pages_[name] = std::make_shared<Page>();
  page->next = std::move(run);
  page->text = nullptr;
  const long number = ++page->latest;
  if (!page->running && !page->waiting) {
    page->waiting = true;
    waiting_.push_back(page);
    begun_.notify_one();
  }
  ended_.notify_all();  // who waits for the one before
  return number;
}

RunQueue::State RunQueue::state(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const PagePointer page = find(name);
  if (!page) return {};
  return {page->running || page->waiting, page->waiting, page->t, page->end};
}

RunQueue::Answer RunQueue::answer(const std::string& name, long number, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  const PagePointer page = find(name);
  if (!page) return {true, nullptr};
  ended_.wait_for(lock, wait, [&] { return page->latest != number || page->text || closed_; });
  const bool superseded = page->latest != number || (closed_ && !page->text);
  return {superseded, superseded ? nullptr : page->text};
}

void RunQueue::stop(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const PagePointer page = find(name);
  if (!page) return;
  page->stopped = page->latest.load();
  if (!page->waiting) return;
  std::erase(waiting_, page);
  page->waiting = false;
  page->next.reset();
  ++page->latest;
  ended_.notify_all();
}

void RunQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (closed_) return;
    const PagePointer page = waiting_.front();
    waiting_.pop_front();
    page->waiting = false;
    while (page->next && !closed_) run(page, lock);
    if (closed_) return;
    lock.unlock();
    give_memory_back();  // after the answer, so that nobody waits for it
    lock.lock();
  }
}

void RunQueue::run(const PagePointer& page, std::unique_lock<std::mutex>& lock) {
  const Run run = *std::exchange(page->next, {});
  const long number = page->latest;
  page->running = true;
  page->t = 0, page->end = 0;
  lock.unlock();
  std::string text = run([&](double t, double end) {
    page->t = t, page->end = end;
    return page->latest == number && page->stopped < number && !closed_ && !forgotten(*page);
  });
  lock.lock();
  page->running = false;
  if (page->latest == number) page->text = std::make_shared<const std::string>(std::move(text));
  ended_.notify_all();
}

}  // namespace armature::internal
