#include "gpu_check/tunings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu_check/measures.hpp"
#include "gpu_check/models.hpp"
#include "tuning/tuning.hpp"

namespace armature::internal::gpu_check {
namespace {

struct TuningCase {
  const char *model, *integrator, *of;
  double step, end;  // s
  int grid = 0;      // 0: as asked for

  std::string title() const { return fmt::format("{}, {}", model, integrator); }
};

constexpr TuningCase cases[] = {
    {"arm_on_circle", "euler", "", 0.1, 40},  {"arm_on_circle", "rk4", "", 0.1, 40, 1000},
    {"arm_on_circle", "dopri5", "", 0.1, 40}, {"arm_on_circle", "dop853", "lower.tip", 0.1, 40},
    {"four_bar", "rk4", "", 1e-3, 1},         {"press", "rk4", "", 0.01, 5},
    {"rrr", "rk4", "platform.C", 1e-3, 1},    {"rrr_motors", "rk4", "", 1e-3, 1},
    {"stewart", "rk4", "", 1e-3, 0.2},        {"n_four_bar", "rk4", "", 1e-3, 0.5},
};

Model model_of(const TuningCase& c, const Check& check) {
  Model model = read_shipped(check.models, c.model, {}, "");
  model.simulate.integrator = c.integrator, model.simulate.step = c.step, model.simulate.end = c.end;
  return model;
}

TuningOptions options_of(const TuningCase& c, int grid) {
  TuningOptions options;
  options.of = c.of;
  for (int k = 1; k <= grid; ++k) {
    options.alpha.push_back(2.0 / c.step * k / grid);
    options.beta.push_back(2.0 / (c.step * c.step) * k / grid);
  }
  return options;
}

// A second grid is one whose unit is compiled and whose processor code is translated.
struct Timed {
  Tuning tuning;
  double whole = 0;  // s, from the model to the last cell
  const TuningGrid& grid() const { return tuning.grids[0]; }
};

Timed tuned(const Model& model, TuningOptions options, const Cards& cards) {
  options.cards = cards;
  const auto began = Clock::now();
  Timed timed{tune(model, options)};
  timed.whole = seconds_since(began);
  return timed;
}
Timed tuned_again(const Model& model, const TuningOptions& options, const Cards& cards) {
  tuned(model, options, cards);
  return tuned(model, options, cards);
}

long differing_cells(const TuningGrid& a, const TuningGrid& b) {
  const auto numbers = [](const TuningCell& cell) { return std::array{cell.lost, cell.E1, cell.E2}; };
  long count = 0;
  for (std::size_t k = 0; k < a.cells.size(); ++k)
    count += differing_numbers(numbers(a.cells[k]), numbers(b.cells[k])) > 0;
  return count;
}

double median(std::vector<double> list) {
  std::sort(list.begin(), list.end());
  return list.empty() ? 0.0 : list[list.size() / 2];
}

// Medians of E1 and of its difference, over pairs that both do not lose; and how many only one of them loses.
std::string other_errors(const TuningGrid& a, const TuningGrid& b) {
  std::vector<double> differences, errors;
  long other = 0;
  for (std::size_t k = 0; k < a.cells.size(); ++k) {
    const TuningCell &here = a.cells[k], &there = b.cells[k];
    other += std::isnan(here.lost) != std::isnan(there.lost);
    if (std::isnan(here.lost) && std::isnan(there.lost))
      errors.push_back(here.E1), differences.push_back(std::abs(here.E1 - there.E1));
  }
  return fmt::format("{:.0e} of an E1 of {:.0e}; {:.2f} % lost or not", median(differences), median(errors),
                     100 * static_cast<double>(other) / static_cast<double>(a.cells.size()));
}

double steps_of(const Tuning& tuning) {
  double steps = 0;
  for (const TuningCell& cell : tuning.grids[0].cells)
    steps += (std::isnan(cell.lost) ? tuning.end : cell.lost) / tuning.step;
  return steps;
}

long compare(const TuningCase& c, Check& check) {
  const int grid = c.grid > 0 ? c.grid : check.grid;
  const Model model = model_of(c, check);
  const TuningOptions options = options_of(c, grid);
  const auto by_card = [&](Arithmetic arithmetic) { return alone(check.card, compilation_for(grid), arithmetic); };
  const Timed here = tuned(model, options, {}), first = tuned(model, options, {{check.card}});
  const Timed there = tuned(model, options, by_card(Arithmetic::exact)),
              again = tuned(model, options, by_card(Arithmetic::exact));
  const Timed fast = tuned_again(model, options, by_card(Arithmetic::fast));
  const Timed preview = tuned_again(model, options, by_card(Arithmetic::single));

  long differ = 0;
  for (const Timed* other : {&first, &there, &again}) differ += differing_cells(here.grid(), other->grid());
  const double processor = here.tuning.seconds, card = again.tuning.seconds;
  check.page.add_preview("tuning of " + c.title(), card, preview.tuning.seconds, preview.tuning.shares.left,
                         other_errors(here.grid(), preview.grid()));
  check.page.put("| {} | {} | {:.3f} | {:.3f} | {:.1f} | {:.2e} | {:.2f} | {:.3f} | {} | {} |\n", c.title(),
                 grid * grid, processor, card, processor / card, steps_of(here.tuning) / card, first.whole,
                 fast.tuning.seconds, count_in_words(again.tuning.shares.left), outcome_in_words(differ));
  return differ;
}

}  // namespace

long compare_tunings(Check& check) {
  check.page.put(
      "| tuning of gains | pairs | processor, s | GPU, s | ratio | steps/s | first, s | fast, s | left | bits |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  return compare_cases(check, cases, compare);
}

}  // namespace armature::internal::gpu_check
