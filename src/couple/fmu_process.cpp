#include "couple/fmu_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <thread>

#include "fmi/installed_file.hpp"
#include "model/request_error.hpp"

extern char** environ;

namespace armature::internal {

namespace {

namespace fs = std::filesystem;
using fmu_protocol::Memory;

constexpr int look_interval = 20;           // ms between two looks at a process that does not answer
constexpr std::size_t most_printed = 4000;  // bytes that are kept

std::string host_program() {
  const fs::path file = installed_file({ARMATURE_FMU_HOST_INSTALLED, "../../fmu_host", "../fmu_host", "fmu_host"},
                                       fmu_protocol::program_name);
  if (!file.empty()) return file.string();
  throw RequestError(fmt::format(
      "{}, in which FMUs run, was not found beside this program; build the target armature_fmu_host or install the "
      "program again",
      fmu_protocol::program_name));
}

[[noreturn]] void fail(const std::string& what, int error) {
  throw ComputationError(fmt::format("a process for the FMU cannot be started: {}: {}", what, std::strerror(error)));
}

// What happens to the process between its birth and its program.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t all, none;
    sigfillset(&all), sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    // a session of its own: Ctrl-C reaches the program alone, and the process has no terminal
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  void give(int file, int as) { posix_spawn_file_actions_adddup2(&actions, file, as); }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

}  // namespace

// Above those of the process, so that none is overwritten before it is given.
void FmuProcess::File::open(int number) {
  if (number < 0) fail("no descriptor", errno);
  number_ = fcntl(number, F_DUPFD_CLOEXEC, fmu_protocol::descriptors);
  const int error = errno;
  ::close(number);
  if (number_ < 0) fail("no descriptor", error);
}

void FmuProcess::File::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

FmuProcess::FmuProcess(std::vector<std::string> arguments, std::size_t values, double time_limit, Wanted wanted)
    : time_limit_(time_limit), wanted_(std::move(wanted)) {
  File output, life;  // their other ends
  const auto open_pipe = [](File& read, File& write) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe", errno);
    const auto second = ends[1];
    try {
      read.open(ends[0]);
    } catch (...) {
      ::close(second);
      throw;
    }
    write.open(second);
  };
  open_pipe(output_, output);
  open_pipe(life, life_);
  fcntl(output_.number(), F_SETFL, O_NONBLOCK);
  asked_.open(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  answered_.open(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  shared_.open(memfd_create("armature_fmu", MFD_CLOEXEC));
  share_memory(values);
  arguments.push_back(std::to_string(values));
  try {
    start(std::move(arguments), output.number(), life.number());
  } catch (...) {
    munmap(memory_, size_);
    throw;
  }
}

void FmuProcess::share_memory(std::size_t values) {
  size_ = fmu_protocol::memory_size(values);
  if (ftruncate(shared_.number(), static_cast<off_t>(size_)) != 0) fail("no shared memory", errno);
  void* place = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, shared_.number(), 0);
  if (place == MAP_FAILED) fail("no shared memory", errno);
  memory_ = new (place) Memory;
}

void FmuProcess::start(std::vector<std::string> arguments, int output, int life) {
  const std::string program = host_program();
  SpawnSettings settings;
  posix_spawn_file_actions_addopen(&settings.actions, 0, "/dev/null", O_RDONLY, 0);
  settings.give(output, 1);
  settings.give(output, 2);
  settings.give(shared_.number(), fmu_protocol::memory_descriptor);
  settings.give(asked_.number(), fmu_protocol::asked_descriptor);
  settings.give(answered_.number(), fmu_protocol::answered_descriptor);
  settings.give(life, fmu_protocol::life_descriptor);
  posix_spawn_file_actions_addclosefrom_np(&settings.actions, fmu_protocol::descriptors);
  std::vector<char*> words{const_cast<char*>(fmu_protocol::program_name)};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const int error = posix_spawn(&pid_, program.c_str(), &settings.actions, &settings.attributes, words.data(), environ);
  if (error == 0) return;
  pid_ = -1;
  fail(program, error);
}

FmuProcess::~FmuProcess() {
  kill_all();
  munmap(memory_, size_);
}

std::optional<FmuEnd> FmuProcess::ask(fmu_protocol::Command command) {
  if (pid_ < 0) return FmuEnd{FmuEnd::Why::exit, -1};
  memory_->command = command;
  memory_->asked.announce(++turn_, asked_.number());
  std::optional<FmuEnd> end;
  if (!patience_.look(memory_->answered, turn_)) end = await();
  take_output();
  return end;
}

// The answer is looked for first: whoever was stopped meanwhile (Ctrl-Z) may find it although the time is over.
std::optional<FmuEnd> FmuProcess::await() {
  const Clock::time_point began = Clock::now();
  std::array<pollfd, 2> files{{{answered_.number(), POLLIN, 0}, {output_.number(), POLLIN, 0}}};
  for (;;) {
    memory_->answered.sleep(turn_, files, look_interval);
    if (memory_->answered.has_come(turn_)) return std::nullopt;
    take_output();
    if (files[1].revents & (POLLHUP | POLLERR | POLLNVAL)) files[1].fd = -1;  // the FMU has closed it, or is gone
    if (auto end = look_for_end()) return end;
    if (std::chrono::duration<double>(Clock::now() - began).count() > time_limit_)
      return give_up(FmuEnd::Why::too_slow);
    if (wanted_ && !wanted_()) return give_up(FmuEnd::Why::unwanted);
  }
}

std::optional<FmuEnd> FmuProcess::give_up(FmuEnd::Why why) {
  kill_all();
  return FmuEnd{why};
}

std::optional<FmuEnd> FmuProcess::end() {
  if (auto end = ask(fmu_protocol::Command::end)) return end;
  const Clock::time_point began = Clock::now();
  for (;;) {
    take_output();
    if (auto end = look_for_end())
      return end->why == FmuEnd::Why::exit && end->number <= 0 ? std::nullopt : std::optional(end);
    if (std::chrono::duration<double>(Clock::now() - began).count() > time_limit_)
      return give_up(FmuEnd::Why::too_slow);
    if (wanted_ && !wanted_()) return give_up(FmuEnd::Why::unwanted);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void FmuProcess::take_output() {
  char bytes[4096];
  for (;;) {
    const ssize_t count = read(output_.number(), bytes, sizeof bytes);
    if (count <= 0) return;
    printed_.append(bytes, std::min(static_cast<std::size_t>(count), most_printed - printed_.size()));
  }
}

// A host may collect the ends of all its children: then nothing is known of this one but that it has ended.
std::optional<FmuEnd> FmuProcess::look_for_end() {
  siginfo_t found{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &found, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno == EINTR) return std::nullopt;
    pid_ = -1;
    return FmuEnd{FmuEnd::Why::exit, -1};
  }
  if (found.si_pid == 0) return std::nullopt;
  kill_all();
  take_output();
  const bool has_exited = found.si_code == CLD_EXITED;
  return FmuEnd{has_exited ? FmuEnd::Why::exit : FmuEnd::Why::signal, found.si_status};
}

// The process, and those that the FMU has started in its session.
void FmuProcess::kill_all() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

}  // namespace armature::internal
