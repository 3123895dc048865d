#include "gpu/card_rollout.hpp"

#include <algorithm>
#include <atomic>
#include <future>

#include "gpu/device_code.hpp"
#include "gpu/motion_runner.hpp"
#include "gpu/number_transfer.hpp"
#include "model/request_error.hpp"
#include "observe/ledger.hpp"

namespace armature::internal {

extern const std::string_view rollout_motion_text;  // gpu/rollout_motion.hpp and all that it includes

namespace {

constexpr double most_bytes = 4e9;  // of the arrays on the card

// An array of rows x motions x width, of which the card has the motions first … first + count - 1.
struct Slab {
  long rows, motions, first, count, width;
  std::size_t offset(long row) const { return static_cast<std::size_t>((row * motions + first) * width); }
  std::size_t there(long row) const { return static_cast<std::size_t>(row * count * width); }
  std::size_t row_size() const { return static_cast<std::size_t>(count * width); }
  std::size_t bytes() const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(rows) * row_size()) * sizeof(double);
  }
};

// In parts of 16 bits, as rollout_motion.hpp reads them.
void append_whole(std::uint64_t number, std::vector<double>& to) {
  for (int part = 0; part < 4; ++part, number >>= 16) to.push_back(static_cast<double>(number & 0xffff));
}

// What all motions share, in the order of rollout_motion.hpp. inputs, kept: where those arrays are on the card.
std::vector<double> common_numbers(const Prepared& prepared, const RolloutArrays& arrays, long count,
                                   const void* inputs, const void* kept) {
  const RunOptions& options = prepared.options;
  std::vector<double> common = {arrays.t, options.step, arrays.inputs_change ? 1.0 : 0.0, options.alpha, options.beta};
  for (const long number : {arrays.steps, arrays.every, count})
    append_whole(static_cast<std::uint64_t>(number), common);
  for (const void* array : {inputs, kept}) append_whole(reinterpret_cast<std::uintptr_t>(array), common);
  common.insert(common.end(), prepared.start.d.begin(), prepared.start.d.end());
  common.insert(common.end(), prepared.parameters.begin(), prepared.parameters.end());
  return common;
}

// States from the card, but for the motions that left: `to` may be the array of the states that they begin with.
void take_rows(NumberTransfer& transfer, void* there, const Slab& slab, const std::vector<long>& left, double* to,
               const std::function<bool()>& stopped) {
  std::vector<char> taken(static_cast<std::size_t>(slab.count), 1);
  for (const long motion : left) taken[static_cast<std::size_t>(motion - slab.first)] = 0;
  std::vector<double> states(left.empty() ? 0 : slab.row_size());
  for (long row = 0; row < slab.rows && !stopped(); ++row) {
    double* here = to + slab.offset(row);
    transfer.get(left.empty() ? here : states.data(), transfer.at(there, slab.there(row)), slab.row_size());
    for (long k = 0; !left.empty() && k < slab.count; ++k)
      if (taken[static_cast<std::size_t>(k)])
        std::copy_n(states.data() + k * slab.width, slab.width, here + k * slab.width);
  }
}

Prepared without_ledger(Prepared prepared) {
  drop_ledger(prepared);
  prepared.options.atol = prepared.options.atol.head(prepared.system->layout().nx()).eval();
  return prepared;
}

}  // namespace

CardRollout::CardRollout(const Prepared& prepared, const MotionDevices& devices, Arithmetic arithmetic)
    : prepared_(without_ledger(prepared)), arithmetic_(arithmetic), devices_(devices) {
  if (const std::string refusal = device_refusal(prepared_); !refusal.empty())
    throw RequestError("gpu", refusal + "; without this option the processor computes it");
  MotionCode code;
  code.headers = rollout_motion_text;
  code.motion = "RolloutMotion";
  const std::string unit = device_code(prepared_, code, arithmetic);
  for (const auto& device : devices_) programs_.push_back(device->load(unit, {Compilation::thorough, arithmetic}));
}

// The calling thread drives the first card and asks whether the result is wanted.
std::vector<long> CardRollout::run(const RolloutArrays& arrays, const Stopped& stopped) {
  const auto cards = static_cast<long>(programs_.size());
  const auto share = [&](long k) -> Range {
    return {arrays.motions * k / cards, arrays.motions * (k + 1) / cards - arrays.motions * k / cards};
  };
  std::atomic<bool> stop = false;
  std::vector<std::future<std::vector<long>>> others;
  for (long k = 1; k < cards; ++k)
    others.push_back(std::async(std::launch::async, [&, k] {
      return run_range(*programs_[static_cast<std::size_t>(k)], arrays, share(k), [&] { return stop.load(); });
    }));
  std::vector<long> left = run_range(*programs_.front(), arrays, share(0), [&] { return stop = stop || stopped(); });
  for (auto& other : others) {
    const std::vector<long> more = other.get();
    left.insert(left.end(), more.begin(), more.end());
  }
  return left;
}

std::vector<long> CardRollout::run_range(MotionProgram& program, const RolloutArrays& arrays, Range range,
                                         const Stopped& stopped) const {
  const long nx = prepared_.system->layout().nx(), np = prepared_.parameters.size();
  const double bytes = 8.0 * static_cast<double>(nx * arrays.rows() + np * (arrays.inputs_change ? arrays.steps : 1));
  const long batch = std::clamp(static_cast<long>(most_bytes / bytes), 1L, std::max(1L, range.count)),
             end = range.first + range.count;
  std::vector<long> left;
  for (long first = range.first; first < end && !stopped(); first += batch) {
    const std::vector<long> some = run_batch(program, arrays, {first, std::min(batch, end - first)}, stopped);
    left.insert(left.end(), some.begin(), some.end());
  }
  return left;
}

std::vector<long> CardRollout::run_batch(MotionProgram& program, const RolloutArrays& arrays, Range range,
                                         const Stopped& stopped) const {
  const long first = range.first, count = range.count;
  const long nx = prepared_.system->layout().nx(), np = prepared_.parameters.size();
  // inputs go to the card, states come from it
  const Slab inputs{arrays.inputs_change ? arrays.steps : 1, arrays.motions, first, count, np};
  const Slab kept{arrays.rows(), arrays.motions, first, count, nx};
  NumberTransfer transfer(program, arithmetic_);
  void* kept_there = program.allocate(kept.bytes());
  void* inputs_there = arrays.inputs ? program.allocate(inputs.bytes()) : nullptr;
  for (long row = 0; inputs_there && row < inputs.rows; ++row)
    transfer.put(transfer.at(inputs_there, inputs.there(row)), arrays.inputs + inputs.offset(row), inputs.row_size());

  std::vector<long> left;
  long next = 0;
  MotionFeed feed;
  feed.inputs = static_cast<int>(nx), feed.results = 1;
  feed.arithmetic = arithmetic_;
  feed.common = common_numbers(prepared_, arrays, count, inputs_there, kept_there);
  feed.next = [&](bool) { return next < count ? next++ : MotionFeed::none_left; };
  feed.fill = [&](long number, double* x) { std::copy_n(arrays.states + (first + number) * nx, nx, x); };
  feed.take = [&](long number, const double*) { arrays.failed[first + number] = -1; };
  feed.leave = [&](long number) { left.push_back(first + number); };
  feed.stopped = stopped;
  run_motions(program, feed);
  take_rows(transfer, kept_there, kept, left, arrays.kept, stopped);
  program.free_all();
  return left;
}

}  // namespace armature::internal
