#include "gpu/card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <future>

#include "expression/interruption.hpp"
#include "gpu/compiled_code.hpp"
#include "gpu/cuda.hpp"
#include "gpu/device_code.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

// A thorough compilation that goes on while the code of a quick one runs.
class BetterCode {
 public:
  BetterCode(const std::string& unit, const std::string& architecture, LoadOptions options) {
    options.stopped = [this] { return stopped_.load(); };
    code_ = std::async(std::launch::async,
                       [compiled = CompiledCode(unit, architecture, options)] { return compiled.get(); });
  }
  // A compiler that cannot be stopped finishes, for the cache.
  ~BetterCode() {
    stopped_ = true;
    if (code_.valid()) code_.wait();
  }
  BetterCode(const BetterCode&) = delete;
  BetterCode& operator=(const BetterCode&) = delete;

  bool is_there() const { return code_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  // Empty: it does not compile. The code of the quick compilation goes on then.
  std::string take() {
    try {
      return code_.get();
    } catch (const ComputationError&) {
      return "";
    }
  }

 private:
  std::atomic<bool> stopped_ = false;
  std::future<std::string> code_;
};

// The driver's state belongs to a thread: each call comes from the thread that runs the motions.
class CardProgram final : public MotionProgram {
 public:
  CardProgram(const std::shared_future<cuda::Context>& context, const CardDescription& card, const std::string& unit,
              const LoadOptions& options)
      : driver_(cuda_driver()) {
    const std::string code = first_code(unit, card.architecture(), options);
    context_ = context.get();
    use(code);
    int blocks = 0;
    driver_.check(driver_.blocks_at_once(&blocks, function_, motion_block, 0), "cuOccupancyMaxActiveBlocks");
    blocks_ = static_cast<unsigned>(std::max(1, blocks) * card.multiprocessors);
    cuda::Pointer place = 0;
    std::size_t bytes = 0;
    driver_.check(driver_.global(&place, &bytes, modules_.front(), "armature_slot_size"), "cuModuleGetGlobal");
    unsigned long long size = 0;
    driver_.check(driver_.get(&size, place, sizeof size), "cuMemcpyDtoH");
    slot_size_ = static_cast<std::size_t>(size);
  }
  ~CardProgram() override {
    driver_.set_context(context_);
    free_all();
    for (const cuda::Module module : modules_) driver_.unload_module(module);
  }
  CardProgram(const CardProgram&) = delete;
  CardProgram& operator=(const CardProgram&) = delete;

  long threads() const override { return static_cast<long>(blocks_) * motion_block; }
  std::size_t slot_size() const override { return slot_size_; }

  void* allocate(std::size_t bytes) override {
    enter();
    cuda::Pointer memory = 0;
    driver_.check(driver_.allocate(&memory, bytes), "cuMemAlloc");
    memory_.push_back(memory);
    driver_.check(driver_.fill(memory, 0, bytes), "cuMemset");
    return std::bit_cast<void*>(memory);
  }
  void free_all() override {
    driver_.set_context(context_);
    for (const cuda::Pointer memory : memory_) driver_.free(memory);
    memory_.clear();
  }
  void put(void* to, const void* from, std::size_t bytes) override {
    enter();
    if (bytes > 0) driver_.check(driver_.put(reinterpret_cast<cuda::Pointer>(to), from, bytes), "cuMemcpyHtoD");
  }
  void get(void* to, const void* from, std::size_t bytes) override {
    enter();
    if (bytes > 0) driver_.check(driver_.get(to, reinterpret_cast<cuda::Pointer>(from), bytes), "cuMemcpyDtoH");
  }
  void start(const step::MotionCall& call) override {
    if (better_ && better_->is_there()) {
      if (const std::string code = better_->take(); !code.empty()) use(code);
      better_.reset();
    }
    enter();
    step::MotionCall argument = call;
    void* arguments[] = {&argument};
    driver_.check(driver_.launch(function_, blocks_, 1, 1, motion_block, 1, 1, 0, nullptr, arguments, nullptr),
                  "cuLaunchKernel");
  }
  void wait() override {
    enter();
    driver_.check(driver_.synchronize(), "cuCtxSynchronize");
  }

 private:
  void enter() const { driver_.check(driver_.set_context(context_), "cuCtxSetCurrent"); }

  std::string first_code(const std::string& unit, const std::string& architecture, LoadOptions options) {
    if (options.compilation == Compilation::both) {
      options.compilation = Compilation::thorough;
      if (std::string code = CompiledCode(unit, architecture, options).kept(); !code.empty()) return code;
      better_ = std::make_unique<BetterCode>(unit, architecture, options);
      options.compilation = Compilation::quick;
    }
    return CompiledCode(unit, architecture, options).get();
  }

  // From the next call on. Motions that have begun go on with it: their slots have the same layout.
  void use(const std::string& code) {
    enter();
    modules_.emplace_back();
    driver_.check(driver_.load_module(&modules_.back(), code.data()), "cuModuleLoadData");
    driver_.check(driver_.function(&function_, modules_.back(), "armature_motions"), "cuModuleGetFunction");
  }

  const CudaDriver& driver_;
  cuda::Context context_ = nullptr;
  std::unique_ptr<BetterCode> better_;  // null: there is none to come
  std::vector<cuda::Module> modules_;
  cuda::Function function_ = nullptr;
  unsigned blocks_ = 0;
  std::size_t slot_size_ = 0;
  std::vector<cuda::Pointer> memory_;
};

// Its context takes a twentieth of a second or two, in which the model is compiled.
class Card final : public MotionDevice {
 public:
  Card(int ordinal, CardDescription description) : description_(std::move(description)) {
    const CudaDriver& driver = cuda_driver();
    driver.check(driver.device(&device_, ordinal), "cuDeviceGet");
    context_ = std::async(std::launch::async, [&driver, device = device_] {
      cuda::Context context = nullptr;
      driver.check(driver.retain_context(&context, device), "cuDevicePrimaryCtxRetain");
      return context;
    });
  }
  ~Card() override {
    context_.wait();
    cuda_driver().release_context(device_);
  }
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  std::string name() const override { return description_.name; }
  std::unique_ptr<MotionProgram> load(const std::string& unit, const LoadOptions& options) override {
    return std::make_unique<CardProgram>(context_, description_, unit, options);
  }

 private:
  CardDescription description_;
  cuda::Device device_ = 0;
  std::shared_future<cuda::Context> context_;
};

std::string driver_version(const CudaDriver& driver) {
  int version = 0;
  driver.driver_version(&version);
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

std::vector<CardDescription> cards() {
  const CudaDriver& driver = cuda_driver();
  std::vector<CardDescription> list;
  int count = 0;
  if (!driver.found() || driver.device_count(&count)) return list;
  for (int k = 0; k < count; ++k) {
    cuda::Device device = 0;
    char name[256] = "";
    std::size_t bytes = 0;
    CardDescription card;
    if (driver.device(&device, k)) continue;
    driver.device_name(name, sizeof name - 1, device);
    driver.device_attribute(&card.major, cuda::major_capability, device);
    driver.device_attribute(&card.minor, cuda::minor_capability, device);
    driver.device_attribute(&card.multiprocessors, cuda::multiprocessors, device);
    driver.device_memory(&bytes, device);
    card.name = name, card.memory = static_cast<double>(bytes);
    list.push_back(card);
  }
  return list;
}

std::string cards_in_words() {
  const CudaDriver& driver = cuda_driver();
  const CudaCompiler& compiler = cuda_compiler();
  if (!driver.found()) return fmt::format("none: {}", driver.missing);
  std::vector<std::string> names;
  for (const CardDescription& card : cards())
    names.push_back(fmt::format("{} ({} multiprocessors, {:.0f} GB, compute capability {}.{})", card.name,
                                card.multiprocessors, card.memory / 1e9, card.major, card.minor));
  if (names.empty()) return "none: the NVIDIA driver sees no card";
  return fmt::format("{}; driver for CUDA {}; {}", fmt::join(names, ", "), driver_version(driver),
                     compiler.found() ? fmt::format("NVRTC {}", compiler.version()) : compiler.missing);
}

std::shared_ptr<MotionDevice> open_card(int ordinal) {
  const CudaDriver& driver = cuda_driver();
  if (!driver.found())
    throw RequestError("gpu", driver.missing + "; without this option the processor gives the same result");
  const std::vector<CardDescription> list = cards();
  if (ordinal >= static_cast<int>(list.size()))
    throw RequestError("gpu",
                       "the NVIDIA driver sees no card; without this option the processor gives the same result");
  return std::make_shared<Card>(ordinal, list[static_cast<std::size_t>(ordinal)]);
}

void start_driver() {
  constexpr int keep_what_is_set = 0;
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", keep_what_is_set);
  static const std::future<void> started = std::async(std::launch::async, [] { cuda_driver(); });
}

MotionDevices open_cards() {
  MotionDevices devices = {open_card()};
  for (int ordinal = 1; ordinal < static_cast<int>(cards().size()); ++ordinal) devices.push_back(open_card(ordinal));
  return devices;
}

}  // namespace armature::internal
