// The process of one FMU, armature-fmu-host, as the program sees it: started, asked, watched, ended. Whatever the FMU does there, the program
// learns it as an FmuEnd, and what it prints as a text.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "couple/fmu_protocol.hpp"

namespace armature::internal {

// Why no answer came.
struct FmuEnd {
  enum class Why {
    signal,    // the process was ended by the signal `number`
    exit,      // it has ended itself with the exit code `number`; -1: not known
    too_slow,  // the time limit was over
    unwanted,  // nobody wants the answer any more
  };
  Why why;
  int number = 0;
};

class FmuProcess {
 public:
  using Wanted = std::function<bool()>;  // asked now and then while an answer is awaited

  // arguments: VERSION LIBRARY TOKEN RESOURCES NAME FOLDER of apps/fmu_host/main.cpp. values: that one exchange can have.
  // Throws RequestError and ComputationError where it cannot be started.
  FmuProcess(std::vector<std::string> arguments, std::size_t values, double time_limit, Wanted wanted);
  ~FmuProcess();
  FmuProcess(const FmuProcess&) = delete;

  fmu_protocol::Memory& memory() const { return *memory_; }
  // Waits until the command is done. Not empty: it never will be, and the process is gone.
  std::optional<FmuEnd> ask(fmu_protocol::Command command);
  std::optional<FmuEnd> end();  // the last command; not empty: it did not end well

  const std::string& printed() const { return printed_; }  // by the FMU, as long as is kept

 private:
  using Clock = std::chrono::steady_clock;

  // A descriptor of this program, closed with its owner.
  class File {
   public:
    explicit File(int number = -1) : number_(number) {}
    ~File() { close(); }
    File(const File&) = delete;
    void open(int number);  // throws where there is none
    void close();
    int number() const { return number_; }

   private:
    int number_;
  };

  void share_memory(std::size_t values);
  void start(std::vector<std::string> arguments, int output, int life);
  std::optional<FmuEnd> await();
  std::optional<FmuEnd> give_up(FmuEnd::Why why);
  void take_output();
  std::optional<FmuEnd> look_for_end();  // and takes the process away where it has ended
  void kill_all();

  File asked_, answered_, output_, life_, shared_;
  std::size_t size_ = 0;
  fmu_protocol::Memory* memory_ = nullptr;
  std::uint32_t turn_ = 0;
  fmu_protocol::Patience patience_;
  pid_t pid_ = -1;  // -1: there is none any more
  double time_limit_;
  Wanted wanted_;
  std::string printed_;
};

}  // namespace armature::internal
