#include "gpu_check/first_cell.hpp"

#include <cstdio>
#include <cstdlib>

#include "gpu/card.hpp"
#include "gpu/cuda.hpp"
#include "gpu_check/measures.hpp"
#include "gpu_check/studies.hpp"
#include "support/forwarding_device.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::gpu_check {
namespace {

constexpr int first_grid = 10;  // so many cells, squared

// ---- in a process of its own

// When a program was loaded, and when its first results came.
struct FirstResults {
  Clock::time_point loaded, came;
};
class WatchedProgram final : public ForwardingProgram {
 public:
  WatchedProgram(std::unique_ptr<MotionProgram> program, FirstResults& first)
      : ForwardingProgram(std::move(program)), first_(first) {
    first_.loaded = Clock::now();
  }
  void get(void* to, const void* from, std::size_t bytes) override {
    ForwardingProgram::get(to, from, bytes);
    if (are_results(from) && bytes > 0 && first_.came == Clock::time_point{}) first_.came = Clock::now();
  }

 private:
  FirstResults& first_;
};

double seconds_between(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

// As a command does it, without help of the processor. Prints: driver | program loaded | first cell.
int print_first(const std::filesystem::path& models, Clock::time_point began, const StudyCase& c) {
  start_driver();
  const Model model = model_of(c, models);
  FirstResults first;
  const auto watched = [&](auto program) { return std::make_unique<WatchedProgram>(std::move(program), first); };
  const auto card = std::make_shared<ForwardingDevice>(open_card(), watched);
  const double driver = seconds_since(began);
  studied(c, model, first_grid, alone(card, Compilation::quick));
  fmt::print("{:.3f} | {:.3f} | {:.3f}\n", driver, seconds_between(began, first.loaded),
             seconds_between(began, first.came));
  return 0;
}

// The driver and a context on a card, and nothing else.
int print_driver(Clock::time_point began) {
  start_driver();
  const CudaDriver& driver = cuda_driver();
  if (!driver.found()) return 2;
  const double started = seconds_since(began);
  cuda::Device device = 0;
  cuda::Context context = nullptr;
  driver.check(driver.device(&device, 0), "cuDeviceGet");
  driver.check(driver.retain_context(&context, device), "cuDevicePrimaryCtxRetain");
  fmt::print("{:.3f} and {:.3f}\n", started, seconds_since(began));
  return 0;
}

// ---- such processes

// What a process of this program prints that begins now.
std::string line_of_process(const std::string& models, const std::string& part) {
  const auto began = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::FILE* pipe = ::popen(fmt::format("'{}' first '{}' {} {}", program, models, began, part).c_str(), "r");
  char line[256] = "";
  if (pipe && !std::fgets(line, sizeof line, pipe)) line[0] = '\0';
  if (pipe) ::pclose(pipe);
  std::string text = line;
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// With nothing compiled, for as long as it lives.
class EmptyCache {
 public:
  EmptyCache() : before_(std::getenv("XDG_CACHE_HOME")) { ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1); }
  ~EmptyCache() { ::setenv("XDG_CACHE_HOME", before_.c_str(), 1); }

 private:
  TemporaryFolder folder_;
  std::string before_;
};

}  // namespace

int run_first_cell(const std::string& models, const std::string& began, const std::string& part) {
  const Clock::time_point begin{std::chrono::nanoseconds(std::stoll(began))};
  return part == "driver" ? print_driver(begin) : print_first(models, begin, study_cases().at(std::stoul(part)));
}

std::string time_first_cells(const Check& check) {
  const EmptyCache cache;
  const std::string models = check.models.string();
  if (line_of_process(models, "driver").empty()) return "";  // also reads the driver from disk
  std::string text = fmt::format(
      "\nTime from the beginning of a process to the first cell that the GPU computes, in maps and sweeps of {} cells "
      "without help of the processor. "
      "Driver: card opened; its context is being made. Code: compiled, or read from the cache, and loaded. A process "
      "that starts the driver and makes a "
      "context, and does nothing else, takes {} s.\n\n"
      "| first cell | driver, s | code, s | first cell, s | cached: driver, s | code, s | first cell, s "
      "|\n|---|---|---|---|---|---|---|\n",
      first_grid * first_grid, line_of_process(models, "driver"));
  for (std::size_t k = 0; k < study_cases().size(); ++k) {
    const StudyCase& c = study_cases()[k];
    if (!check.wants(c.model)) continue;
    const std::string compiling = line_of_process(models, std::to_string(k)),
                      cached = line_of_process(models, std::to_string(k));
    text += fmt::format("| {} | {} | {} |\n", c.title(), compiling, cached);
  }
  return text;
}

}  // namespace armature::internal::gpu_check
