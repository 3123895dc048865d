// Tuning, rollouts, maps and sweeps on a card against those of the processor, number by number and bit by bit, with the time of each.
//
//   armature_gpu_check MODELS [GRID [PAGE [MODEL]]]    a grid of GRID x GRID pairs of gains (100), as many motions of rollouts, of maps
//                                                      and of sweeps; of all models, or of one
//
// The tables go to the terminal and, in place of the section "On a GPU", to a page (docs/benchmarks.md) where one is named and all models
// are measured. Exits with 1 where a cell differs, with 2 where there is no card.
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "gpu/card.hpp"
#include "gpu/card_rollout.hpp"
#include "model/request_error.hpp"
#include "observe/ledger.hpp"
#include "read/reader.hpp"
#include "study/map.hpp"
#include "study/sweep.hpp"
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

std::string outcome(long differ) { return differ == 0 ? "the same" : fmt::format("{} DIFFER", differ); }
std::string count(long number) { return number == 0 ? "" : std::to_string(number); }

// In place of the section of that name, or at the end.
void write_section(const std::filesystem::path& page) {
  std::ifstream in(page);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string title = "## On a GPU\n";
  const std::size_t begin = std::min(text.find(title), text.size());
  const std::size_t end = std::min(text.find("\n## ", begin + (begin < text.size() ? title.size() : 0)), text.size());
  text.replace(begin, end - begin, title + "\n" + section);
  std::ofstream(page) << text;
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

double steps_of(const Tuning& tuning) {
  double steps = 0;
  for (const TuningCell& cell : tuning.grids[0].cells)
    steps += (std::isnan(cell.lost) ? tuning.end : cell.lost) / tuning.step;
  return steps;
}

// ---- rollouts

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

double seconds_of(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

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
  const double compiling = seconds_of([&] { rollout = std::make_unique<CardRollout>(prepared, card); });
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
  const double steps = static_cast<double>(motions * rollout_steps);
  put("| {} | {:.3f} | {:.3f} | {:.2e} | {:.1f} | {:.2f} | {} | {} |\n", c.name, processor, on_card, steps / on_card,
      processor / on_card, compiling, count(static_cast<long>(left.size())), outcome(differ));
  return differ;
}

// ---- maps and sweeps

struct StudyCase {
  const char *model, *integrator;
  double end, rtol, step;  // s
  std::vector<Axis> over;
  const char *classify, *result;  // one of them
  int grid = 0;                   // 0: as asked for
};

const std::vector<StudyCase> study_cases = {
    {"press", "dopri5", 40, 1e-7, 0, {{"phi0", 0, 6.283185307179586}, {"w0", -3, 3}}, "turns: turns(phi) >= 1; rests", "", 1000},
    {"four_bar", "dopri5", 5, 1e-7, 0, {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}}, "over: turns(crank_angle) >= 1; rests", ""},
    {"four_bar", "dop853", 5, 1e-10, 0, {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}}, "", "max(rocker_angle)"},
    {"four_bar", "rk4", 2, 0, 1e-3, {{"crank_angle", 0.3, 1.3}, {"crank_angle.v", -9, 9}}, "", "max(rocker_angle)"},
    {"crane", "dopri5", 2, 1e-7, 0, {{"rope", 0.5, 1}, {"volts", 5, 15}}, "", "max(motor.current)"},
    {"rrr", "dopri5", 0.3, 1e-7, 0, {{"m2", 0.7, 0.8}, {"l2", 0.6, 0.64}}, "", "final(theta1)"},
};

// The numbers of all cells.
std::vector<double> study_numbers(const Model& model, const StudyCase& c, const std::vector<Axis>& over,
                                  const std::shared_ptr<MotionDevice>& card, double& seconds, long& left) {
  CellSession session;
  MotionDevices cards;
  if (card) cards.push_back(card);
  std::vector<double> numbers;
  const auto append = [&](const auto& more) { numbers.insert(numbers.end(), more.begin(), more.end()); };
  seconds = seconds_of([&] {
    if (*c.classify) {
      const MapResult map = map_motions(model, {.over = over, .classify = c.classify, .cards = cards}, session);
      append(map.motion_class), append(map.decided), append(map.warning_bits);
      left = map.left_card;
    } else {
      const SweepResult sweep = sweep_motions(model, {.over = over, .results = {{"result", c.result}}, .cards = cards}, session);
      append(sweep.values[0]), append(sweep.warning_bits);
      left = sweep.left_card;
    }
  });
  return numbers;
}

long compare_studies(const StudyCase& c, const std::filesystem::path& models, int grid, const std::shared_ptr<MotionDevice>& card) {
  Model model = read_model((models / fmt::format("{}.yaml", c.model)).string());
  model.simulate.integrator = c.integrator, model.simulate.end = c.end;
  if (c.rtol > 0) model.simulate.rtol = c.rtol;
  if (c.step > 0) model.simulate.step = c.step;
  std::vector<Axis> over = c.over;
  for (Axis& axis : over) axis.count = grid;
  double processor = 0, first = 0, again = 0;
  long left = 0;
  const std::vector<double> here = study_numbers(model, c, over, nullptr, processor, left);
  const std::vector<double> there = study_numbers(model, c, over, card, first, left);
  study_numbers(model, c, over, card, again, left);
  long differ = here.size() != there.size();
  for (std::size_t i = 0; i < here.size() && i < there.size(); ++i)
    differ += std::bit_cast<std::uint64_t>(here[i]) != std::bit_cast<std::uint64_t>(there[i]);
  const double cells = static_cast<double>(grid) * grid;
  put("| {} of {}, {}, {:g} s | {:.0f} | {:.2f} | {:.2f} | {:.1f} | {:.2f} | {} | {} |\n", *c.classify ? "map" : "sweep", c.model,
      c.integrator, c.end, cells, processor, again, processor / again, first, count(left), outcome(differ));
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
  const Timed here = tuned(model, options);
  options.cards = {card};
  const Timed there = tuned(model, options), again = tuned(model, options);
  const long differ = differing_cells(here.tuning.grids[0], there.tuning.grids[0]) +
                      differing_cells(here.tuning.grids[0], again.tuning.grids[0]);
  put("| {}, {} | {} | {:.3f} | {:.3f} | {:.2e} | {:.1f} | {:.2f} | {} | {} |\n", c.model, c.integrator, grid * grid,
      here.tuning.seconds, again.tuning.seconds, steps_of(here.tuning) / again.tuning.seconds,
      here.tuning.seconds / again.tuning.seconds, there.first, count(again.tuning.left_card), outcome(differ));
  return differ;
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
  const std::filesystem::path models = argc > 1 ? argv[1] : "models";
  const int grid = argc > 2 ? std::atoi(argv[2]) : 100;
  const std::string page = argc > 3 ? argv[3] : "", only = argc > 4 ? argv[4] : "";
  const auto wanted = [&](const char* model) { return only.empty() || only == model; };
  std::shared_ptr<MotionDevice> card;
  try {
    card = open_card();
  } catch (const RequestError& error) {
    fmt::print("{}\n", error.what());
    return 2;
  }
  long different = 0;
  put("`./go gpu {}` measures this and writes this section. This one: {}; beside it {} cores, eight motions at once in each. Ratio: of both "
      "times. First: from the model to the last result, compiling included. Left: motions that the processor had to compute. Every number is "
      "compared with that of the processor, bit by bit.\n\n",
      grid, cards_in_words(), std::thread::hardware_concurrency());
  put("| tuning of gains | pairs | processor, s | GPU, s | steps/s | ratio | first, s | left | bits |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const Case& c : cases)
    if (wanted(c.model)) different += attempt(c.model, [&] { return compare_tunings(c, models, c.grid > 0 ? c.grid : grid, card); });
  put("\n| rollout, rk4 | processor, s | GPU, s | steps/s | ratio | compile, s | left | bits |\n|---|---|---|---|---|---|---|---|\n");
  for (const RolloutCase& c : rollout_cases)
    if (wanted(c.model)) different += attempt(c.name, [&] { return compare_rollouts(c, models, static_cast<long>(grid) * grid, card); });
  put("\n| maps and sweeps | motions | processor, s | GPU, s | ratio | first, s | left | bits |\n|---|---|---|---|---|---|---|---|\n");
  for (const StudyCase& c : study_cases)
    if (wanted(c.model)) different += attempt(c.model, [&] { return compare_studies(c, models, c.grid > 0 ? c.grid : grid, card); });
  if (only.empty() && !page.empty()) write_section(page);
  return different == 0 ? 0 : 1;
}
