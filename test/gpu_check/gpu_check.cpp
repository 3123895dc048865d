// Tuning, rollouts, maps and sweeps on a card against those of the processor, number by number and bit by bit, with the time of each: by the
// processor, by the card alone, and by both as commands do it, first with nothing compiled. Then previews, in single precision: how much
// sooner they are there, and how far off. Before all that, in processes of their own, the time from a command to the first cell of the card: the
// driver starts sooner where another process has the card open.
//
//   armature_gpu_check MODELS [GRID [PAGE [MODEL]]]    a grid of GRID x GRID pairs of gains (100), as many motions of rollouts, of maps
//                                                      and of sweeps; of all models, or of one
//   armature_gpu_check first MODELS BEGAN CASE         such a process, of a case of studies: prints when things were there, in s since BEGAN
//                                                      (ns of the monotonic clock)
//
// The tables go to the terminal and, in place of the section "On a GPU", to a page (docs/benchmarks.md) where one is named and all models
// are measured. Exits with 1 where a cell differs, with 2 where there is no card.
#include "../../bench/page_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "gpu/card.hpp"
#include "gpu/card_rollout.hpp"
#include "gpu/cuda.hpp"
#include "model/request_error.hpp"
#include "observe/ledger.hpp"
#include "read/reader.hpp"
#include "study/map.hpp"
#include "study/sweep.hpp"
#include "support/forwarding_device.hpp"
#include "temporary_folder.hpp"
#include "tuning/tuning.hpp"

namespace {

using namespace armature::internal;

// ---- the page

std::string section;  // what is measured, as Markdown

template <class... Values>
void put(fmt::format_string<Values...> text, Values&&... values) {
  const std::string line = fmt::format(text, std::forward<Values>(values)...);
  section += line;
  fmt::print("{}", line);
  std::fflush(stdout);
}

double seconds_of(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The card alone: no cell of the processor hides one of its own that differs.
Cards alone(const std::shared_ptr<MotionDevice>& card, Compilation compilation, Arithmetic arithmetic = Arithmetic::exact) {
  return {{card}, arithmetic, false, compilation};
}
// Of many motions, as commands do it when the code is in the cache.
Compilation compilation_for(int grid) { return grid >= 500 ? Compilation::thorough : Compilation::quick; }

std::string outcome(long differ) { return differ == 0 ? "the same" : fmt::format("{} DIFFER", differ); }
std::string count(long number) { return number == 0 ? "" : std::to_string(number); }

void write_section(const std::filesystem::path& page) {
  std::ifstream in(page);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::ofstream(page) << with_section(text, "On a GPU", section);
}

struct Case {
  const char *model, *integrator, *of;
  double step, end;  // s
  int grid = 0;      // 0: as asked for
};

constexpr Case cases[] = {
    {"arm_on_circle", "euler", "", 0.1, 40},       {"arm_on_circle", "rk4", "", 0.1, 40, 1000},
    {"arm_on_circle", "dopri5", "", 0.1, 40},      {"arm_on_circle", "dop853", "lower.tip", 0.1, 40},
    {"four_bar", "rk4", "", 1e-3, 1},              {"press", "rk4", "", 0.01, 5},
    {"rrr", "rk4", "platform.C", 1e-3, 1},         {"rrr_motors", "rk4", "", 1e-3, 1},
    {"stewart", "rk4", "", 1e-3, 0.2},             {"n_four_bar", "rk4", "", 1e-3, 0.5},
};

// A second grid is one whose unit is compiled and whose processor code is translated.
struct Timed {
  Tuning tuning;
  double first = 0;  // s, from the model to the last cell
};

Timed tuned(const Model& model, const TuningOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Timed timed{tune(model, options), 0};
  timed.first = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return timed;
}

long differing_cells(const TuningGrid& a, const TuningGrid& b) {
  long count = 0;
  for (std::size_t k = 0; k < a.cells.size(); ++k) {
    bool same = true;
    for (double TuningCell::*value : {&TuningCell::lost, &TuningCell::E1, &TuningCell::E2})
      same = same && std::bit_cast<std::uint64_t>(a.cells[k].*value) == std::bit_cast<std::uint64_t>(b.cells[k].*value);
    count += !same;
  }
  return count;
}

// Medians of E1 and of its difference, over pairs that both do not lose; and how many only one of them loses.
std::string other_errors(const TuningGrid& a, const TuningGrid& b) {
  std::vector<double> differences, errors;
  long other = 0;
  for (std::size_t k = 0; k < a.cells.size(); ++k) {
    const TuningCell &here = a.cells[k], &there = b.cells[k];
    other += std::isnan(here.lost) != std::isnan(there.lost);
    if (std::isnan(here.lost) && std::isnan(there.lost)) errors.push_back(here.E1), differences.push_back(std::abs(here.E1 - there.E1));
  }
  const auto median = [](std::vector<double>& list) {
    std::sort(list.begin(), list.end());
    return list.empty() ? 0.0 : list[list.size() / 2];
  };
  return fmt::format("{:.0e} of an E1 of {:.0e}; {:.2f} % lost or not", median(differences), median(errors),
                     100 * static_cast<double>(other) / static_cast<double>(a.cells.size()));
}

double steps_of(const Tuning& tuning) {
  double steps = 0;
  for (const TuningCell& cell : tuning.grids[0].cells)
    steps += (std::isnan(cell.lost) ? tuning.end : cell.lost) / tuning.step;
  return steps;
}

// ---- rollouts

// By how much a and b differ at most, as a share of the largest of all numbers of the same column.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b, std::size_t columns) {
  double most = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    double size = 0, difference = 0;
    for (std::size_t i = column; i < a.size(); i += columns)
      size = std::max(size, std::abs(a[i])), difference = std::max(difference, std::abs(a[i] - b[i]));
    if (size > 0) most = std::max(most, difference / size);
  }
  return most;
}

std::string previews;  // rows of their table

// exact, preview: s.
void put_preview(const std::string& what, double exact, double preview, long left, const std::string& off) {
  previews += fmt::format("| {} | {:.4f} | {:.4f} | {:.1f} | {} | {} |\n", what, exact, preview, exact / preview, count(left), off);
}

constexpr const char* leg_motors = R"yaml(
drives:
  motor{i}: {for: {i: 1..6}, type: dc_motor, on: "leg{i}", gear_ratio: 3, radius: 0.01, rotor_inertia: 1e-5, torque_constant: 0.05, resistance: 1,
             inductance: 1e-3, voltage: 12}
)yaml";

struct RolloutCase {
  const char *name, *model;
  double step = 1e-3;  // s
  std::vector<std::pair<std::string, std::string>> settings = {};
  const char* more = "";  // sections behind those of the file
};

const std::vector<RolloutCase> rollout_cases = {{"3RRR", "rrr", 2e-4},
                                                {"3RRR with motors", "rrr_motors", 2e-4},
                                                {"press", "press"},
                                                {"four-bar", "four_bar"},
                                                {"ten windows of equal bars", "n_four_bar", 1e-3, {{"N", "10"}}},
                                                {"Stewart platform", "stewart"},
                                                {"Stewart platform with motors", "stewart", 1e-3, {}, leg_motors}};

Model model_of(const RolloutCase& c, const std::filesystem::path& models) {
  const std::string file = (models / fmt::format("{}.yaml", c.model)).string();
  if (!*c.more) return read_model(file, Settings(c.settings.begin(), c.settings.end()));
  std::ifstream in(file);
  return read_model_text(std::string{std::istreambuf_iterator<char>(in), {}} + c.more);
}
constexpr long rollout_steps = 200, different_states = 1024;

Prepared prepared_of(const Model& model, double step) {
  Prepared prepared = compile(model);
  assemble_start(prepared);
  prepared.options.integrator = "rk4", prepared.options.step = step, prepared.options.open_ended = true;
  drop_ledger(prepared);
  prepared.options.atol = prepared.options.atol.head(prepared.system->layout().nx()).eval();
  return prepared;
}

// A program whose calls are waited for at once: how long it computes, without transfers.
class TimedProgram final : public ForwardingProgram {
 public:
  TimedProgram(std::unique_ptr<MotionProgram> program, double& seconds) : ForwardingProgram(std::move(program)), seconds_(seconds) {}
  void start(const armature::step::MotionCall& call) override {
    seconds_ += seconds_of([&] {
      ForwardingProgram::start(call);
      ForwardingProgram::wait();
    });
  }
  void wait() override {}

 private:
  double& seconds_;
};

// All of them by all cores, in lanes.
void roll_out(const Prepared& prepared, const RolloutArrays& arrays, const std::vector<long>& only = {}) {
  std::vector<long> motions = only;
  for (long motion = 0; only.empty() && motion < arrays.motions; ++motion) motions.push_back(motion);
  const auto count = static_cast<long>(motions.size());
  run_cells({(count + lane_count - 1) / lane_count, 0, [&](const StopFlag&) -> CellFunction {
               auto engine = std::make_shared<Rollout>(prepared);
               return [&, engine](long index, std::span<double>) {
                 const long first = index * lane_count, some = std::min<long>(lane_count, count - first);
                 engine->run(std::span(motions).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(some)), arrays);
                 return true;
               };
             }});
}

long compare_rollouts(const RolloutCase& c, const std::filesystem::path& models, long motions,
                      const std::shared_ptr<MotionDevice>& card) {
  const Prepared prepared = prepared_of(model_of(c, models), c.step);
  const long nx = prepared.system->layout().nx();
  // states along one motion
  std::vector<double> states(static_cast<std::size_t>(motions * nx)), here(states.size()), there(states.size());
  std::vector<long> failed(static_cast<std::size_t>(std::max(motions, different_states)));
  std::vector<double> path(static_cast<std::size_t>(different_states * nx));
  RolloutArrays arrays{.motions = 1, .steps = different_states, .states = prepared.start.x.data(), .every = 1};
  arrays.kept = path.data(), arrays.failed = failed.data();
  Rollout(prepared).run(0, arrays);
  for (long k = 0; k < motions; ++k) std::copy_n(path.data() + k % different_states * nx, nx, states.data() + k * nx);

  arrays.motions = motions, arrays.steps = rollout_steps, arrays.every = 0, arrays.states = states.data();
  arrays.kept = here.data();
  const double processor = seconds_of([&] { roll_out(prepared, arrays); });
  const std::vector<long> failed_here = failed;
  std::unique_ptr<CardRollout> rollout;
  const double compiling = seconds_of([&] { rollout = std::make_unique<CardRollout>(prepared, MotionDevices{card}); });
  arrays.kept = there.data();
  std::vector<long> left;
  double on_card = 0;
  for (int round = 0; round < 2; ++round)
    on_card = seconds_of([&] {
      left = rollout->run(arrays, [] { return false; });
      if (!left.empty()) roll_out(prepared, arrays, left);
    });
  long differ = 0;
  for (std::size_t i = 0; i < here.size(); ++i)
    differ += std::bit_cast<std::uint64_t>(here[i]) != std::bit_cast<std::uint64_t>(there[i]);
  for (std::size_t k = 0; k < static_cast<std::size_t>(motions); ++k) differ += failed[k] != failed_here[k];
  // steps alone, exact and fast, of motions that stay on the card
  std::vector<char> leaves(static_cast<std::size_t>(different_states), 0);
  for (const long motion : left) leaves[static_cast<std::size_t>(motion % different_states)] = 1;
  std::vector<long> stay;
  for (long k = 0; k < different_states; ++k)
    if (!leaves[static_cast<std::size_t>(k)]) stay.push_back(k);
  for (long k = 0; !stay.empty() && k < motions; ++k)
    std::copy_n(path.data() + stay[static_cast<std::size_t>(k) % stay.size()] * nx, nx, states.data() + k * nx);
  double rates[3], seconds[3] = {};
  std::size_t gone = 0;
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::fast, Arithmetic::single}) {
    const auto k = static_cast<std::size_t>(arithmetic);
    const auto timed = [&](auto program) { return std::make_unique<TimedProgram>(std::move(program), seconds[k]); };
    arrays.kept = arithmetic == Arithmetic::exact ? here.data() : there.data();
    gone = CardRollout(prepared, {std::make_shared<ForwardingDevice>(card, timed)}, arithmetic).run(arrays, [] { return false; }).size();
    rates[k] = static_cast<double>((motions - static_cast<long>(gone)) * rollout_steps) / seconds[k];
  }
  if (gone > 0)
    for (std::size_t i = 0; i < here.size(); ++i)
      if (there[i] == 0) there[i] = here[i];  // of those that left, nothing
  put_preview(fmt::format("rollout of {}, steps alone", c.name), seconds[0], seconds[2], static_cast<long>(gone),
              fmt::format("{:.0e}", largest_difference(here, there, static_cast<std::size_t>(nx))));
  const double steps = static_cast<double>(motions * rollout_steps);
  put("| {} | {:.3f} | {:.3f} | {:.1f} | {:.2e} | {:.2e} | {:.0f} | {:.2e} | {:.2f} | {} | {} |\n", c.name, processor, on_card,
      processor / on_card, steps / on_card, rates[0], rates[0] * processor / steps, rates[1], compiling,
      count(static_cast<long>(left.size())), outcome(differ));
  return differ;
}

// ---- maps and sweeps

struct StudyCase {
  const char *model, *integrator;
  double end, rtol, step;  // s
  std::vector<Axis> over;
  const char *classify, *result;  // one of them
  int grid = 0;                   // 0: as asked for
  const char *name = "", *more = "";  // of a model with sections behind those of the file
};

constexpr int full_card = 180;  // motions, squared: as many as threads of an H200, which take as long as fewer would

const std::vector<StudyCase> study_cases = {
    {"press", "dopri5", 40, 1e-7, 0, {{"phi0", 0, 6.283185307179586}, {"w0", -3, 3}}, "turns: turns(phi) >= 1; rests", "", 1000},
    {"four_bar", "dopri5", 5, 1e-7, 0, {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}}, "over: turns(crank_angle) >= 1; rests", ""},
    {"four_bar", "dop853", 5, 1e-10, 0, {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}}, "", "max(rocker_angle)"},
    {"four_bar", "rk4", 2, 0, 1e-3, {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}}, "", "max(rocker_angle)"},
    {"crane", "dopri5", 2, 1e-7, 0, {{"rope", 0.5, 1}, {"volts", 5, 15}}, "", "max(motor.current)"},
    {"rrr", "dopri5", 0.3, 1e-7, 0, {{"m2", 0.7, 0.8}, {"l2", 0.6, 0.64}}, "", "final(theta1)"},
    {"stewart", "rk4", 0.2, 0, 1e-3, {{"height", 1.2, 1.25}, {"base", 1, 1.02}}, "", "final(leg1)", full_card},
    {"stewart", "dopri5", 0.2, 1e-7, 0, {{"height", 1.2, 1.25}, {"base", 1, 1.02}}, "", "final(leg1)", full_card},
    {"stewart", "rk4", 0.2, 0, 1e-3, {{"height", 1.2, 1.25}, {"base", 1, 1.02}}, "", "final(leg1)", full_card, "stewart with motors", leg_motors},
    {"stewart", "dopri5", 0.2, 1e-7, 0, {{"height", 1.2, 1.25}, {"base", 1, 1.02}}, "", "final(leg1)", full_card, "stewart with motors", leg_motors},
};

struct Studied {
  std::vector<double> numbers;  // of all cells
  CardShares shares;
  double seconds = 0;
};

Studied studied(const Model& model, const StudyCase& c, const std::vector<Axis>& over, const Cards& cards) {
  CellSession session;
  Studied found;
  const auto append = [&](const auto& more) { found.numbers.insert(found.numbers.end(), more.begin(), more.end()); };
  found.seconds = seconds_of([&] {
    if (*c.classify) {
      const MapResult map = map_motions(model, {.over = over, .classify = c.classify, .cards = cards}, session);
      append(map.motion_class), append(map.decided), append(map.warning_bits);
      found.shares = map.shares;
    } else {
      const SweepResult sweep = sweep_motions(model, {.over = over, .results = {{"result", c.result}}, .cards = cards}, session);
      append(sweep.values[0]), append(sweep.warning_bits);
      found.shares = sweep.shares;
    }
  });
  return found;
}

long differing_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  long differ = a.size() != b.size();
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    differ += std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i]);
  return differ;
}

// Of the first numbers, which are classes.
std::string other_classes(const std::vector<double>& a, const std::vector<double>& b, double cells) {
  double other = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(cells); ++k) other += a[k] != b[k];
  return fmt::format("{:.2f} % other classes", 100 * other / cells);
}
// Of the first numbers, which are results: the median and the largest difference, over the largest of all.
std::string other_results(const std::vector<double>& a, const std::vector<double>& b, double cells) {
  const auto count = static_cast<std::ptrdiff_t>(cells);
  double most = 0;
  std::for_each_n(a.begin(), count, [&](double x) { most = std::max(most, std::abs(x)); });
  std::vector<double> differences;
  for (std::ptrdiff_t k = 0; k < count; ++k) differences.push_back(std::abs(a[static_cast<std::size_t>(k)] - b[static_cast<std::size_t>(k)]) / most);
  std::sort(differences.begin(), differences.end());
  return fmt::format("{:.0e} in the middle, {:.0e} at most", differences[differences.size() / 2], differences.back());
}

long compare_studies(const StudyCase& c, const std::filesystem::path& models, int grid, const std::shared_ptr<MotionDevice>& card) {
  Model model = model_of({c.name, c.model, 0, {}, c.more}, models);
  model.simulate.integrator = c.integrator, model.simulate.end = c.end;
  if (c.rtol > 0) model.simulate.rtol = c.rtol;
  if (c.step > 0) model.simulate.step = c.step;
  std::vector<Axis> over = c.over;
  for (Axis& axis : over) axis.count = grid;
  const Cards by_card = alone(card, compilation_for(grid));
  const Studied here = studied(model, c, over, {}), first = studied(model, c, over, {{card}});
  const Studied there = studied(model, c, over, by_card);
  const Studied again = studied(model, c, over, by_card), both = studied(model, c, over, {{card}});
  long differ = 0;
  for (const Studied* other : {&first, &there, &again, &both}) {
    const long some = differing_numbers(here.numbers, other->numbers);
    if (some > 0) fmt::print("{} numbers differ in run {}\n", some, other == &first ? "first" : other == &both ? "both" : "alone");
    differ += some;
  }
  // in single precision
  const Cards single = alone(card, compilation_for(grid), Arithmetic::single);
  studied(model, c, over, single);
  const Studied preview = studied(model, c, over, single);
  const double cells = static_cast<double>(grid) * grid;
  put_preview(fmt::format("{} of {}, {}", *c.classify ? "map" : "sweep", *c.name ? c.name : c.model, c.integrator), again.seconds, preview.seconds,
              preview.shares.left, *c.classify ? other_classes(here.numbers, preview.numbers, cells) : other_results(here.numbers, preview.numbers, cells));
  put("| {} of {}, {}, {:g} s | {:.0f} | {:.2f} | {:.2f} | {:.1f} | {:.2f} | {:.1f} | {:.0f} % | {:.2f} | {} | {} |\n",
      *c.classify ? "map" : "sweep", *c.name ? c.name : c.model, c.integrator, c.end, cells, here.seconds, again.seconds,
      here.seconds / again.seconds, both.seconds, here.seconds / both.seconds, 100 * static_cast<double>(both.shares.computed) / cells,
      first.seconds, count(again.shares.left), outcome(differ));
  return differ;
}

// ---- tuning

long compare_tunings(const Case& c, const std::filesystem::path& models, int grid, const std::shared_ptr<MotionDevice>& card) {
  Model model = read_model((models / fmt::format("{}.yaml", c.model)).string());
  model.simulate.integrator = c.integrator, model.simulate.step = c.step, model.simulate.end = c.end;
  TuningOptions options;
  options.of = c.of;
  for (int k = 1; k <= grid; ++k) {
    options.alpha.push_back(2.0 / c.step * k / grid);
    options.beta.push_back(2.0 / (c.step * c.step) * k / grid);
  }
  const auto with = [&](const Cards& cards) {
    options.cards = cards;
    return tuned(model, options);
  };
  const Cards by_card = alone(card, compilation_for(grid)), fast = alone(card, compilation_for(grid), Arithmetic::fast);
  const Timed here = with({}), first = with({{card}}), there = with(by_card), again = with(by_card);
  with(fast);
  const Timed fused = with(fast);
  const Cards single = alone(card, compilation_for(grid), Arithmetic::single);
  with(single);
  const Timed preview = with(single);
  put_preview(fmt::format("tuning of {}, {}", c.model, c.integrator), again.tuning.seconds, preview.tuning.seconds, preview.tuning.shares.left,
              other_errors(here.tuning.grids[0], preview.tuning.grids[0]));
  long differ = 0;
  for (const Timed* other : {&first, &there, &again}) differ += differing_cells(here.tuning.grids[0], other->tuning.grids[0]);
  put("| {}, {} | {} | {:.3f} | {:.3f} | {:.1f} | {:.2e} | {:.2f} | {:.3f} | {} | {} |\n", c.model, c.integrator, grid * grid,
      here.tuning.seconds, again.tuning.seconds, here.tuning.seconds / again.tuning.seconds,
      steps_of(here.tuning) / again.tuning.seconds, first.first, fused.tuning.seconds, count(again.tuning.shares.left), outcome(differ));
  return differ;
}

// ---- the first cell

// When a program was loaded, and when its first results came.
struct FirstResults {
  std::chrono::steady_clock::time_point loaded, came;
};
class WatchedProgram final : public ForwardingProgram {
 public:
  WatchedProgram(std::unique_ptr<MotionProgram> program, FirstResults& first) : ForwardingProgram(std::move(program)), first_(first) {
    first_.loaded = std::chrono::steady_clock::now();
  }
  void get(void* to, const void* from, std::size_t bytes) override {
    ForwardingProgram::get(to, from, bytes);
    if (are_results(from) && bytes > 0 && first_.came == std::chrono::steady_clock::time_point{}) first_.came = std::chrono::steady_clock::now();
  }

 private:
  FirstResults& first_;
};

// As a command does it, without help of the processor. Prints: driver | program loaded | first cell, and the driver and a context alone.
int print_first(const std::filesystem::path& models, const std::string& began, const StudyCase& c) {
  const std::chrono::steady_clock::time_point begin{std::chrono::nanoseconds(std::stoll(began))};
  const auto since = [&](std::chrono::steady_clock::time_point t) { return std::chrono::duration<double>(t - begin).count(); };
  start_driver();
  Model model = model_of({c.name, c.model, 0, {}, c.more}, models);
  model.simulate.integrator = c.integrator, model.simulate.end = c.end;
  if (c.rtol > 0) model.simulate.rtol = c.rtol;
  if (c.step > 0) model.simulate.step = c.step;
  std::vector<Axis> over = c.over;
  for (Axis& axis : over) axis.count = 10;
  FirstResults first;
  const auto watched = [&](auto program) { return std::make_unique<WatchedProgram>(std::move(program), first); };
  const auto card = std::make_shared<ForwardingDevice>(open_card(), watched);
  const double driver = since(std::chrono::steady_clock::now());
  studied(model, c, over, alone(card, Compilation::quick));
  fmt::print("{:.3f} | {:.3f} | {:.3f}\n", driver, since(first.loaded), since(first.came));
  return 0;
}
// The driver and a context on a card, and nothing else.
int print_driver(const std::string& began) {
  const std::chrono::steady_clock::time_point begin{std::chrono::nanoseconds(std::stoll(began))};
  const auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  start_driver();
  const CudaDriver& driver = cuda_driver();
  if (!driver.found()) return 2;
  const double started = since();
  cuda::Device device = 0;
  cuda::Context context = nullptr;
  driver.check(driver.device(&device, 0), "cuDeviceGet");
  driver.check(driver.retain_context(&context, device), "cuDevicePrimaryCtxRetain");
  fmt::print("{:.3f} and {:.3f}\n", started, since());
  return 0;
}

std::string line_of_own_process(const std::string& arguments) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const std::string command = fmt::format("{} {}", std::filesystem::read_symlink("/proc/self/exe").string(),
                                          fmt::format(fmt::runtime(arguments), std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()));
  std::FILE* pipe = ::popen(command.c_str(), "r");
  char line[256] = "";
  if (pipe && !std::fgets(line, sizeof line, pipe)) line[0] = '\0';
  if (pipe) ::pclose(pipe);
  std::string text = line;
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// As text, since nothing may have opened the card before. Empty: there is none.
std::string first_cells(const std::filesystem::path& models, const std::function<bool(const char*)>& wanted) {
  const TemporaryFolder cache;
  const std::string kept = std::getenv("XDG_CACHE_HOME");
  ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  if (line_of_own_process("first - {} driver").empty()) return "";  // also reads the driver from disk
  std::string text = fmt::format(
      "\nTime from the beginning of a process to the first cell that the GPU computes, in maps and sweeps of 100 cells without help of the processor. "
      "Driver: card opened; its context is being made. Code: compiled, or read from the cache, and loaded. A process that starts the driver and makes a "
      "context, and does nothing else, takes {} s.\n\n"
      "| first cell | driver, s | code, s | first cell, s | cached: driver, s | code, s | first cell, s |\n|---|---|---|---|---|---|---|\n",
      line_of_own_process("first - {} driver"));
  for (std::size_t k = 0; k < study_cases.size(); ++k) {
    if (!wanted(study_cases[k].model)) continue;
    const std::string arguments = fmt::format("first {} {{}} {}", models.string(), k);
    const std::string compiling = line_of_own_process(arguments), cached = line_of_own_process(arguments);
    text += fmt::format("| {} of {}, {} | {} | {} |\n", *study_cases[k].classify ? "map" : "sweep", *study_cases[k].name ? study_cases[k].name : study_cases[k].model,
        study_cases[k].integrator, compiling, cached);
  }
  ::setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  return text;
}

// What fails is named, and the others go on.
template <class Compare>
long attempt(const char* name, const Compare& compare) {
  try {
    return compare();
  } catch (const std::exception& error) {
    fmt::print("{}: {}\n", name, error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && argv[1] == std::string("first"))
    return argv[4] == std::string("driver") ? print_driver(argv[3]) : print_first(argv[2], argv[3], study_cases.at(std::stoul(argv[4])));
  const std::filesystem::path models = argc > 1 ? argv[1] : "models";
  const int grid = argc > 2 ? std::atoi(argv[2]) : 100;
  const std::string page = argc > 3 ? argv[3] : "", only = argc > 4 ? argv[4] : "";
  const auto wanted = [&](const char* model) { return only.empty() || only == model; };
  const TemporaryFolder cache;  // with nothing compiled
  ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const std::string first = first_cells(models, wanted);
  std::shared_ptr<MotionDevice> card;
  try {
    card = open_card();
  } catch (const RequestError& error) {
    fmt::print("{}\n", error.what());
    return 2;
  }
  long different = 0;
  put("`./go gpu {}` measures this and writes this section. This one: {}; beside it {} cores, eight motions at once in each. Ratio: to the "
      "processor. GPU: without help of the processor, compiled before. First: with nothing compiled, from the model to the last result, while "
      "the processor helps. Fast: `--gpu=fast`. Left: motions that the processor had to compute. Every number but those of *fast* is compared "
      "with that of the processor, bit by bit.\n\n",
      grid, cards_in_words(), std::thread::hardware_concurrency());
  put("| tuning of gains | pairs | processor, s | GPU, s | ratio | steps/s | first, s | fast, s | left | bits |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Case& c : cases)
    if (wanted(c.model)) different += attempt(c.model, [&] { return compare_tunings(c, models, c.grid > 0 ? c.grid : grid, card); });
  put("\n{} motions of {} steps; steps alone: of motions that do not leave, without transfers.\n\n| rollout, rk4 | processor, s | GPU, s | ratio | steps/s | steps alone/s | ratio | "
      "the same, fast | compile, s | left | bits |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
      static_cast<long>(grid) * grid, rollout_steps);
  for (const RolloutCase& c : rollout_cases)
    if (wanted(c.model)) different += attempt(c.name, [&] { return compare_rollouts(c, models, static_cast<long>(grid) * grid, card); });
  put("\nBoth: GPU and processor together, as `--gpu` does it; share: of the GPU.\n\n| maps and sweeps | motions | processor, s | GPU, s | ratio | "
      "both, s | ratio | share | first, s | left | bits |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const StudyCase& c : study_cases)
    if (wanted(c.model)) different += attempt(c.model, [&] { return compare_studies(c, models, c.grid > 0 ? c.grid : grid, card); });
  put("\nPreviews, in single precision (`--gpu=preview`). Off: by how much the numbers differ from those of double precision; of states, at most, "
      "as a share of the largest; of results likewise, the median and the largest; of tuning, medians of the error E1.\n\n| preview | GPU, s | preview, s | ratio | left | off |\n|---|---|---|---|---|---|\n{}",
      previews);
  put("{}", first);
  if (only.empty() && !page.empty()) write_section(page);
  return different == 0 ? 0 : 1;
}
