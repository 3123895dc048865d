#include "support/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <thread>

namespace armature::internal {
namespace {

using Clock = std::chrono::steady_clock;

void redirect(const char* file, int descriptor) {
  const int opened = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) std::_Exit(126);
  ::close(opened);
}

[[noreturn]] void become(const std::vector<std::string>& command, const std::string& folder, std::size_t memory) {
  if (::chdir(folder.c_str()) != 0) std::_Exit(126);
  ::signal(SIGINT, SIG_DFL);  // a shell's background job ignores it
  redirect("out", 1);
  redirect("err", 2);
  const int input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, 0);
  const rlimit no_core{0, 0}, room{memory, memory};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (memory > 0) ::setrlimit(RLIMIT_AS, &room);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  std::_Exit(127);
}

// Of all threads of the child so far.
double processor_seconds(pid_t child) {
  clockid_t clock;
  timespec time;
  if (::clock_getcpuclockid(child, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Waits until the child has ended or has used so many seconds more; false: it has.
bool ends_within(pid_t child, double seconds, int& status) {
  constexpr double patience = 10, least = 300;  // times as long, and s
  const double used = processor_seconds(child);
  const auto began = Clock::now();
  for (auto pause = std::chrono::microseconds(500);; pause = std::min(pause * 2, std::chrono::microseconds(10000))) {
    if (::waitpid(child, &status, WNOHANG) == child) return true;
    const double waited = std::chrono::duration<double>(Clock::now() - began).count();
    if (processor_seconds(child) - used > seconds || waited > std::max(patience * seconds, least)) return false;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const std::string& folder, const ChildLimits& limits) {
  const auto began = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no further process can be started");
  if (child == 0) become(command, folder, limits.memory);
  ChildResult result;
  int status = 0;
  if (!ends_within(child, limits.seconds, status)) {
    result.interrupted = true;
    ::kill(child, limits.signal);
    if (!ends_within(child, limits.grace, status)) {
      result.killed = true;
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
    }
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace armature::internal
