// Mutants: the shipped models with mistakes in them, each checked and, where it is a model still, run and given to one more
// verb. Whatever the mistake, the program has to answer: no signal, no hang, no internal error, no silence, and no number in
// a finished result that is none.
//
//   armature_mutants PROGRAM MODELS SEED COUNT [FIRST]      mutants FIRST … FIRST + COUNT - 1 of a seed
//
// A mutant depends on its seed and number only. Those that break something are kept in the folder `mutants`.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "support/child_process.hpp"
#include "support/mutation.hpp"
#include "temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using namespace armature::internal;

constexpr ChildLimits check_limits{.seconds = 30, .grace = 3, .memory = std::size_t(4) << 30};
constexpr ChildLimits run_limits{.seconds = 5, .grace = 3, .memory = std::size_t(4) << 30};

struct Arguments {
  std::string program;
  fs::path models;
  std::uint64_t seed = 1;
  long count = 0, first = 0;
};

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> model_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Tables and meshes that a model may name.
void copy_data_beside(const fs::path& model, const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(model.parent_path()))
    if (const auto kind = entry.path().extension(); kind == ".csv" || kind == ".stl" || kind == ".obj")
      fs::copy_file(entry.path(), folder / entry.path().filename());
}

// The first number of a finished trajectory that is none, as "column at line 5"; empty: all are numbers.
std::string not_a_number(const fs::path& csv) {
  std::ifstream in(csv);
  std::string header, line;
  std::getline(in, header);
  for (int number = 2; std::getline(in, line); ++number) {
    const std::size_t at = std::min(line.find("nan"), line.find("inf"));
    if (at == std::string::npos) continue;
    auto left = std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(at), ',');
    std::size_t begin = 0;
    while (left-- > 0) begin = header.find(',', begin) + 1;
    return fmt::format("'{}' in line {}", header.substr(begin, header.find(',', begin) - begin), number);
  }
  return "";
}

// What must never happen, in words; empty: it did not.
std::string fault_of(const ChildResult& result, const std::string& err, bool may_be_interrupted) {
  if (result.killed) return "does not obey an interrupt";
  if (result.interrupted && result.signal == SIGINT) return may_be_interrupted ? "" : "takes too long";
  if (result.signal != 0) return fmt::format("ended by signal {}", result.signal);
  if (result.code < 0 || result.code > 2) return fmt::format("exit code {}", result.code);
  if (result.interrupted && !may_be_interrupted) return fmt::format("takes more than {:.0f} s", result.seconds);
  if (err.find("internal error") != std::string::npos) return "internal error";
  if (result.code != 0 && err.empty() && !result.interrupted) return "says nothing";
  if (err.size() > 100'000) return fmt::format("a message of {} bytes", err.size());
  return "";
}

class Mutants {
 public:
  explicit Mutants(Arguments arguments) : arguments_(std::move(arguments)), files_(model_files(arguments_.models)) {}

  int run() {
    for (long k = arguments_.first; k < arguments_.first + arguments_.count; ++k) try_one(k);
    fmt::print("{} mutants of seed {}:\n", arguments_.count, arguments_.seed);
    for (const auto& [what, count] : counts_) fmt::print("  {:5}  {}\n", count, what);
    fmt::print("{} faults\n", faults_);
    return faults_ == 0 ? 0 : 1;
  }

 private:
  void try_one(long k) {
    Mutation mutation(arguments_.seed * 1'000'003 + static_cast<std::uint64_t>(k));
    const fs::path file = files_[mutation.below(files_.size())];
    const std::string text = mutation.of_model(read(file));
    const TemporaryFolder folder;
    std::ofstream(folder / "m.yaml", std::ios::binary) << text;
    copy_data_beside(file, folder.path());
    const ChildResult check = call(k, file, folder, "check", {}, check_limits);
    ++counts_[check.code == 0 ? "check: accepted" : check.code == 2 ? "check: refused" : "check: failed"];
    if (check.code != 0) return;
    judge_run(k, file, folder);
    const std::vector<std::vector<std::string>> verbs = {
        {"assemble", "--all"},
        {"equations"},
        {"modes"},
        {"singularities", "--end", "0.1"},
        {"export", "--c"},
        {"equations", "--format", "c"},
        {"run", "--integrator", "cvode_bdf", "--end", "0.1", "--no-report", "-o", "x"}};
    const std::vector<std::string>& verb = verbs[mutation.below(verbs.size())];
    const ChildResult other = call(k, file, folder, verb[0], {verb.begin() + 1, verb.end()}, run_limits);
    ++counts_[fmt::format("{}: {}", verb[0] == "run" ? "run with cvode_bdf" : verb[0], fate_of(other))];
  }

  void judge_run(long k, const fs::path& file, const TemporaryFolder& folder) {
    const ChildResult result = call(k, file, folder, "run", {"--no-report", "-o", "r"}, run_limits);
    ++counts_["run: " + fate_of(result)];
    if (result.code != 0) return;
    const std::string where = not_a_number(folder / "r/trajectory.csv");
    if (where.empty()) return;
    const std::string err = read(folder / "err");
    if (err.find(" is not a number ") == std::string::npos && err.find(" is infinite ") == std::string::npos)
      report(k, file, folder, "run", "a finished result holds no number: " + where);
    else
      ++counts_["run: warned of a quantity without a value"];
  }

  static std::string fate_of(const ChildResult& result) {
    if (result.interrupted) return fmt::format("interrupted after {:.0f} s", run_limits.seconds);
    return result.code == 0 ? "finished" : result.code == 1 ? "failed with a sentence" : "refused with a sentence";
  }

  ChildResult call(long k, const fs::path& file, const TemporaryFolder& folder, const std::string& verb,
                   const std::vector<std::string>& options, const ChildLimits& limits) {
    std::vector<std::string> command{arguments_.program, verb, "m.yaml"};
    command.insert(command.end(), options.begin(), options.end());
    const ChildResult result = run_child(command, folder.path().string(), limits);
    const std::string fault = fault_of(result, read(folder / "err"), verb != "check");
    if (!fault.empty())
      report(k, file, folder, fmt::format("{}", fmt::join(command.begin() + 1, command.end(), " ")), fault);
    return result;
  }

  void report(long k, const fs::path& file, const TemporaryFolder& folder, const std::string& command,
              const std::string& fault) {
    ++faults_;
    fs::create_directories("mutants");
    const std::string kept = fmt::format("mutants/{}_{}.yaml", arguments_.seed, k);
    fs::copy_file(folder / "m.yaml", kept, fs::copy_options::overwrite_existing);
    fmt::print("mutant {} of seed {}, {}: {}: {}\n  kept: {}\n  {}\n", k, arguments_.seed, file.filename().string(),
               command, fault, kept, read(folder / "err").substr(0, 300));
    std::fflush(stdout);
  }

  Arguments arguments_;
  std::vector<fs::path> files_;
  std::map<std::string, long> counts_;
  long faults_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: armature_mutants PROGRAM MODELS SEED COUNT [FIRST]\n");
    return 2;
  }
  return Mutants({fs::absolute(argv[1]).string(), argv[2], std::strtoull(argv[3], nullptr, 10), std::atol(argv[4]),
                  argc > 5 ? std::atol(argv[5]) : 0})
      .run();
}
