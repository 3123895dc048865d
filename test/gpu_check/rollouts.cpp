#include "gpu_check/rollouts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/card_rollout.hpp"
#include "gpu_check/measures.hpp"
#include "gpu_check/models.hpp"
#include "study/cells.hpp"
#include "support/forwarding_device.hpp"
#include "support/rollout_start.hpp"

namespace armature::internal::gpu_check {
namespace {

struct RolloutCase {
  const char *name, *model;
  double step = 1e-3;  // s
  Settings settings = {};
  const char* more = "";  // sections behind those of the file

  std::string title() const { return name; }
};

const std::vector<RolloutCase> cases = {{"3RRR", "rrr", 2e-4},
                                        {"3RRR with motors", "rrr_motors", 2e-4},
                                        {"press", "press"},
                                        {"four-bar", "four_bar"},
                                        {"ten windows of equal bars", "n_four_bar", 1e-3, {{"N", "10"}}},
                                        {"Stewart platform", "stewart"},
                                        {"Stewart platform with motors", "stewart", 1e-3, {}, leg_motors}};

constexpr long rollout_steps = 200, different_states = 1024;

Prepared prepared_of(const RolloutCase& c, const Check& check) {
  Prepared prepared = compile(read_shipped(check.models, c.model, c.settings, c.more));
  assemble_start(prepared);
  prepare_for_rollout(prepared, "rk4", c.step);
  return prepared;
}

// ---- motions

// Where motions start, and what becomes of them.
struct Motions {
  Motions(long count, long nx)
      : count(count),
        nx(nx),
        starts(static_cast<std::size_t>(count * nx)),
        ends(starts.size()),
        failed(static_cast<std::size_t>(count)) {}

  RolloutArrays arrays() {
    return {.motions = count,
            .steps = rollout_steps,
            .states = starts.data(),
            .kept = ends.data(),
            .failed = failed.data()};
  }

  long count, nx;
  std::vector<double> starts, ends;  // count x nx
  std::vector<long> failed;
};

// different_states x nx
std::vector<double> states_along_one_motion(const Prepared& prepared) {
  const std::vector<double> start = rollout_start(prepared);
  std::vector<double> path(different_states * start.size());
  long failed = -1;
  Rollout(prepared).run(0, {.motions = 1,
                            .steps = different_states,
                            .states = start.data(),
                            .every = 1,
                            .kept = path.data(),
                            .failed = &failed});
  return path;
}

// At these states of a path, over and over.
void start_at(const std::vector<long>& places, const std::vector<double>& path, Motions& motions) {
  for (long k = 0; k < motions.count; ++k)
    std::copy_n(path.data() + places[static_cast<std::size_t>(k) % places.size()] * motions.nx, motions.nx,
                motions.starts.data() + k * motions.nx);
}

std::vector<long> numbers_below(long end) {
  std::vector<long> numbers(static_cast<std::size_t>(end));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// ---- by the processor and by the card

// By all cores, in lanes.
void roll_out(const Prepared& prepared, const RolloutArrays& arrays, const std::vector<long>& motions) {
  const auto count = static_cast<long>(motions.size());
  run_cells({(count + lane_count - 1) / lane_count, 0, [&](const StopFlag&) -> CellFunction {
               auto engine = std::make_shared<Rollout>(prepared);
               return [&, engine](long index, std::span<double>) {
                 const long first = index * lane_count, some = std::min<long>(lane_count, count - first);
                 engine->run(
                     std::span(motions).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(some)),
                     arrays);
                 return true;
               };
             }});
}

constexpr auto never = [] { return false; };  // is it stopped

struct OnCard {
  double compiling = 0, seconds = 0;
  std::vector<long> left;  // motions that the processor had to compute
};

// The second of two rounds is timed.
OnCard roll_out_on_card(const Prepared& prepared, const Check& check, Motions& motions) {
  OnCard found;
  std::unique_ptr<CardRollout> rollout;
  found.compiling = seconds_of([&] { rollout = std::make_unique<CardRollout>(prepared, MotionDevices{check.card}); });
  for (int round = 0; round < 2; ++round)
    found.seconds = seconds_of([&] {
      found.left = rollout->run(motions.arrays(), never);
      if (!found.left.empty()) roll_out(prepared, motions.arrays(), found.left);
    });
  return found;
}

// ---- steps alone

// A program whose calls are waited for at once: how long it computes, without transfers.
class TimedProgram final : public ForwardingProgram {
 public:
  TimedProgram(std::unique_ptr<MotionProgram> program, double& seconds)
      : ForwardingProgram(std::move(program)), seconds_(seconds) {}
  void start(const step::MotionCall& call) override {
    seconds_ += seconds_of([&] {
      ForwardingProgram::start(call);
      ForwardingProgram::wait();
    });
  }
  void wait() override {}

 private:
  double& seconds_;
};

// Of motions that the processor need not compute.
struct StepsAlone {
  double seconds = 0, rate = 0;  // rate: steps a second
  std::vector<long> left;
};

StepsAlone steps_alone(const Prepared& prepared, const Check& check, Arithmetic arithmetic, Motions& motions) {
  StepsAlone found;
  const auto timed = [&](auto program) { return std::make_unique<TimedProgram>(std::move(program), found.seconds); };
  CardRollout rollout(prepared, {std::make_shared<ForwardingDevice>(check.card, timed)}, arithmetic);
  found.left = rollout.run(motions.arrays(), never);
  found.rate =
      static_cast<double>((motions.count - static_cast<long>(found.left.size())) * rollout_steps) / found.seconds;
  return found;
}

// The states of a path whose motions do not leave; all, where all leave.
std::vector<long> places_that_stay(const std::vector<long>& left) {
  std::vector<long> places = numbers_below(different_states), leave;
  for (const long motion : left) leave.push_back(motion % different_states);
  std::sort(leave.begin(), leave.end());
  std::erase_if(places, [&](long place) { return std::binary_search(leave.begin(), leave.end(), place); });
  return places.empty() ? numbers_below(different_states) : places;
}

// By how much a and b differ at most, as a share of the largest of all numbers of the same column; but for the rows that left.
double largest_difference(const Motions& a, const Motions& b, const std::vector<long>& left) {
  double most = 0;
  for (long column = 0; column < a.nx; ++column) {
    double size = 0, difference = 0;
    for (long row = 0; row < a.count; ++row) {
      if (std::binary_search(left.begin(), left.end(), row)) continue;
      const auto i = static_cast<std::size_t>(row * a.nx + column);
      size = std::max(size, std::abs(a.ends[i])), difference = std::max(difference, std::abs(a.ends[i] - b.ends[i]));
    }
    if (size > 0) most = std::max(most, difference / size);
  }
  return most;
}

// ---- the comparison

long compare(const RolloutCase& c, Check& check) {
  const Prepared prepared = prepared_of(c, check);
  const std::vector<double> path = states_along_one_motion(prepared);
  Motions here(static_cast<long>(check.grid) * check.grid, static_cast<long>(rollout_start(prepared).size()));
  start_at(numbers_below(different_states), path, here);
  Motions there = here;
  const double processor = seconds_of([&] { roll_out(prepared, here.arrays(), numbers_below(here.count)); });
  const OnCard card = roll_out_on_card(prepared, check, there);
  long differ = differing_numbers(here.ends, there.ends);
  for (std::size_t k = 0; k < here.failed.size(); ++k) differ += here.failed[k] != there.failed[k];

  start_at(places_that_stay(card.left), path, here);
  there.starts = here.starts;
  const StepsAlone exact = steps_alone(prepared, check, Arithmetic::exact, here),
                   fast = steps_alone(prepared, check, Arithmetic::fast, there);
  StepsAlone preview = steps_alone(prepared, check, Arithmetic::single, there);
  std::sort(preview.left.begin(), preview.left.end());

  check.page.add_preview(fmt::format("rollout of {}, steps alone", c.name), exact.seconds, preview.seconds,
                         static_cast<long>(preview.left.size()),
                         fmt::format("{:.0e}", largest_difference(here, there, preview.left)));
  const double steps = static_cast<double>(here.count * rollout_steps);
  check.page.put("| {} | {:.3f} | {:.3f} | {:.1f} | {:.2e} | {:.2e} | {:.0f} | {:.2e} | {:.2f} | {} | {} |\n", c.name,
                 processor, card.seconds, processor / card.seconds, steps / card.seconds, exact.rate,
                 exact.rate * processor / steps, fast.rate, card.compiling,
                 count_in_words(static_cast<long>(card.left.size())), outcome_in_words(differ));
  return differ;
}

}  // namespace

long compare_rollouts(Check& check) {
  check.page.put(
      "\n{} motions of {} steps; steps alone: of motions that do not leave, without transfers.\n\n| rollout, rk4 | "
      "processor, s | GPU, s | ratio | steps/s | steps alone/s | ratio | "
      "the same, fast | compile, s | left | bits |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
      static_cast<long>(check.grid) * check.grid, rollout_steps);
  return compare_cases(check, cases, compare);
}

}  // namespace armature::internal::gpu_check
