// Runs the program as its user does, in a folder of the test's own.
#pragma once

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {

// A pendulum: 1 m, 1 kg, from the horizontal.
inline const char* const pendulum = R"(armature: 1
name: a pendulum
gravity: [0, -9.81, 0]
parameters: {length: 1 m}
bodies:
  bob: {mass: 1 kg, center: [length, 0, 0], inertia: {zz: 0}}
joints:
  theta: {type: revolute, axis: z, between: [ground, bob]}
simulate: {end: 1 s, record: 0.1 s}
)";

struct Answer {
  int code = -1;
  std::string out, err;
};

class Program : public testing::Test {
 protected:
  // Thousands of commands need no errors of their numbers.
  Program() { ::setenv("ARMATURE_VERIFY", "0", 1); }

  // Runs `armature <arguments>` with the errors of its numbers, however long they take.
  Answer with_errors(const std::string& arguments) {
    return shell("ARMATURE_VERIFY=always " + std::string(program_path) + " " + arguments);
  }

  // Runs `armature <arguments>` through the shell.
  Answer armature(const std::string& arguments) { return shell(std::string(program_path) + " " + arguments); }

  Answer shell(const std::string& command) {
    const std::string line = "cd '" + folder.path().string() + "' && { " + command + "; } >out 2>err";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }

  std::string read(const std::string& name) {
    std::ifstream in(folder / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  nlohmann::json json(const std::string& name) { return nlohmann::json::parse(read(name)); }
  bool exists(const std::string& name) { return std::filesystem::exists(folder / name); }

  // The rows of a CSV file below its header.
  std::vector<std::vector<double>> rows(const std::string& name) {
    std::ifstream in(folder / name);
    std::vector<std::vector<double>> rows;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      rows.emplace_back();
      for (const char* at = line.c_str(); *at;) {
        char* end = nullptr;
        rows.back().push_back(std::strtod(at, &end));
        if (end == at) break;
        at = *end == ',' ? end + 1 : end;
      }
    }
    return rows;
  }

  // mpirun refuses root and more processes than cores unless told.
  std::string mpirun(int processes, const std::string& options = "") {
    return "mpirun --allow-run-as-root --oversubscribe " + options + " -n " + std::to_string(processes) + " ";
  }
  bool has_mpirun() { return shell("command -v mpirun").code == 0; }
  void expect_done_by_four_processes(const std::string& arguments) {
    const Answer answer = shell(mpirun(4) + program_path + " " + arguments);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.out, testing::HasSubstr("by 4 processes"));
  }

  // Runs `armature <arguments>` and kills it as soon as its journal in `partial` has more than so many bytes.
  Answer killed(const std::string& arguments, const std::string& partial, int bytes,
                const std::string& signal = "KILL") {
    const std::string stopped = std::string(program_path) + " " + arguments +
                                " & for i in $(seq 2000); do [ \"$(stat -c %s " + partial +
                                "/journal.0 2>/dev/null || echo 0)\" -gt " + std::to_string(bytes) +
                                " ] && break; sleep 0.005; done; kill -" + signal + " $! 2>/dev/null; wait $!";
    Answer answer = shell(stopped);
    // on a busy machine the program may be over before this shell looks again
    for (int repeated = 0; repeated < 20 && !exists(partial); ++repeated) {
      std::filesystem::remove_all(folder / std::filesystem::path(partial).stem());
      answer = shell(stopped);
    }
    return answer;
  }

  // Whether there is a GPU. Without one a command with --gpu is refused in a sentence, and writes nothing into `folder`.
  bool runs_on_gpu(const Answer& answer, const std::string& folder) {
    if (armature("doctor").out.find("compute capability") != std::string::npos) {
      EXPECT_EQ(answer.code, 0) << answer.err;
      return true;
    }
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.err, testing::HasSubstr("--gpu: "));
    EXPECT_THAT(answer.err, testing::HasSubstr("the processor gives the same result"));
    EXPECT_FALSE(exists(folder));
    return false;
  }

  void expect_same_files(const std::string& a, const std::string& b, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      EXPECT_FALSE(read(a + "/" + name).empty()) << a << " " << name;
      EXPECT_EQ(read(a + "/" + name), read(b + "/" + name)) << a << " and " << b << ": " << name;
    }
  }

  TemporaryFolder folder;
};

}  // namespace armature::internal
