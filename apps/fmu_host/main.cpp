// armature-fmu-host: the process in which one imported FMU runs, so that whatever its code does to a process it does to this one. The
// program that starts it (src/couple/fmu_process.cpp) asks through shared memory; a pipe that closes tells that it is gone.
//
//   armature-fmu-host VERSION LIBRARY TOKEN RESOURCES NAME FOLDER VALUES     with the descriptors of fmu_protocol.hpp
//
// FOLDER is removed when the program ends before this process does; VALUES is the number of values in the shared memory.
#include <signal.h>
#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "binary.hpp"

#if defined(__SANITIZE_ADDRESS__)
// A crash of an FMU is the program's to tell.
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0:detect_leaks=0";
}
#endif

namespace armature::fmu_host {

namespace {

using fmu_protocol::Command;
using fmu_protocol::Verdict;

// Ends this process, and those that the FMU has started, when the program is gone.
void end_with_program(const std::string& folder) {
  char nothing = 0;
  while (read(fmu_protocol::life_descriptor, &nothing, 1) > 0) {
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  kill(0, SIGKILL);
}

void perform(Binary& binary, Memory& memory) {
  switch (memory.command) {
    case Command::exchange:
      for (memory.value = 0; memory.value < memory.given; ++memory.value) binary.set(memory.values()[memory.value]);
      for (; memory.value < memory.given + memory.taken; ++memory.value)
        memory.values()[memory.value].number = binary.get(memory.values()[memory.value]);
      break;
    case Command::initialize: binary.initialize(memory.t, memory.length); break;
    case Command::step: binary.step(memory.t, memory.length); break;
    case Command::end: binary.free(); break;
    case Command::load: break;
  }
}

// The same with its answer.
template <class Work>
void answer(Memory& memory, const Work& work) {
  memory.verdict = Verdict::done;
  try {
    work();
  } catch (const Refused& refused) {
    memory.verdict = Verdict::refused;
    memory.status = refused.status;
  } catch (const Terminated& terminated) {
    memory.verdict = Verdict::terminated;
    memory.last = terminated.t;
  } catch (const NotLoaded& error) {
    memory.verdict = Verdict::not_loaded;
    std::strncpy(memory.text, error.why.c_str(), fmu_protocol::text_size - 1);
  }
}

// Exceptions of the FMU end the process, as they should; ours do not leave answer().
[[noreturn]] void serve(const Request& request, bool is_fmi2, Memory& memory) {
  std::unique_ptr<Binary> binary;
  fmu_protocol::Patience patience;
  std::array<pollfd, 1> files{{{fmu_protocol::asked_descriptor, POLLIN, 0}}};
  for (std::uint32_t turn = 1;; ++turn) {
    if (!patience.look(memory.asked, turn))
      while (!memory.asked.has_come(turn)) memory.asked.sleep(turn, files, -1);
    answer(memory, [&] {
      if (memory.command == Command::load) {
        binary = is_fmi2 ? make_binary2(request, memory) : make_binary3(request, memory);
        binary->instantiate(request);
      } else {
        perform(*binary, memory);
      }
    });
    const bool ends = memory.command == Command::end;
    memory.answered.announce(turn, fmu_protocol::answered_descriptor);
    if (ends) std::exit(0);
  }
}

}  // namespace

}  // namespace armature::fmu_host

int main(int count, char** arguments) {
  using namespace armature;
  using namespace armature::fmu_host;
  if (count != 8) {
    std::fputs("armature-fmu-host is started by armature, which runs imported FMUs in it\n", stderr);
    return 2;
  }
  const std::size_t size = fmu_protocol::memory_size(std::strtoul(arguments[7], nullptr, 10));
  void* shared = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fmu_protocol::memory_descriptor, 0);
  if (shared == MAP_FAILED) return 2;
  if (getpgrp() != getpid()) setpgid(0, 0);
  setvbuf(stdout, nullptr, _IOLBF, 0);  // what the FMU prints before it crashes is not lost
  std::thread(end_with_program, std::string(arguments[6])).detach();
  Memory& memory = *static_cast<Memory*>(shared);
  log_into(memory);
  serve({arguments[2], arguments[3], arguments[4], arguments[5]}, arguments[1][0] == '2', memory);
}
