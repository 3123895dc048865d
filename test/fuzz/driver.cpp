// Calls a fuzz target without libFuzzer: each file of a corpus as it is, then inputs mutated from them by a seed.
//
//   fuzz_TARGET CORPUS ITERATIONS [SEED]
//
// The input that ends the program lies in the file crash-TARGET afterwards.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "support/mutation.hpp"

namespace {

namespace fs = std::filesystem;

constexpr unsigned limit = 20;  // s for one input
std::string current, crash_file;

// Only what may be called in a handler of signals.
void keep_input(int signal) {
  const int file = ::open(crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && ::write(file, current.data(), current.size()) >= 0) ::close(file);
  const char* text = signal == SIGALRM ? "an input takes too long; " : "an input ends the program; ";
  [[maybe_unused]] auto a = ::write(2, text, std::strlen(text));
  [[maybe_unused]] auto b = ::write(2, crash_file.data(), crash_file.size());
  [[maybe_unused]] auto c = ::write(2, "\n", 1);
  ::_exit(1);
}

std::vector<std::string> corpus_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return inputs;
}

void call(const std::string& input) {
  current = input;
  ::alarm(limit);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  ::alarm(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s CORPUS ITERATIONS [SEED]\n", argv[0]);
    return 2;
  }
  crash_file = "crash-" + fs::path(argv[0]).filename().string();
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) ::signal(signal, keep_input);
  const std::vector<std::string> inputs = corpus_in(argv[1]);
  if (inputs.empty()) return 2;
  for (const std::string& input : inputs) call(input);
  armature::internal::Mutation mutation(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
  const long count = std::atol(argv[2]);
  for (long k = 0; k < count; ++k) {
    const std::string& input = inputs[mutation.below(inputs.size())];
    call(mutation.below(2) == 0 ? mutation.of_bytes(input) : mutation.of_model(input));
  }
  std::printf("%zu inputs of the corpus and %ld mutants: none ended the program\n", inputs.size(), count);
  return 0;
}
