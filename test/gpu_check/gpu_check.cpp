// Tuning on a card against tuning on the processor, cell by cell and bit by bit, with the time of each.
//
//   armature_gpu_check MODELS [GRID [MODEL]]        a grid of GRID x GRID pairs of gains (100); of all models, or of one
//
// Exits with 1 where a cell differs, with 2 where there is no card.
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "gpu/card.hpp"
#include "model/request_error.hpp"
#include "read/reader.hpp"
#include "tuning/tuning.hpp"

namespace {

using namespace armature::internal;

struct Case {
  const char *model, *integrator, *of;
  double step, end;  // s
};

constexpr Case cases[] = {
    {"arm_on_circle", "euler", "", 0.1, 40},       {"arm_on_circle", "rk4", "", 0.1, 40},
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

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path models = argc > 1 ? argv[1] : "models";
  const int grid = argc > 2 ? std::atoi(argv[2]) : 100;
  const std::string only = argc > 3 ? argv[3] : "";
  std::shared_ptr<MotionDevice> card;
  try {
    card = open_card();
  } catch (const RequestError& error) {
    fmt::print("{}\n", error.what());
    return 2;
  }
  fmt::print("{}\n{} x {} pairs of gains; s: of the grid; first s: with reading, compiling and assembling\n\n",
             cards_in_words(), grid, grid);
  fmt::print("{:<14} {:<7} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7}  {}\n", "model", "method", "CPU s", "GPU s",
             "1st CPU", "1st GPU", "CPU st/s", "GPU st/s", "ratio", "left", "cells");
  long different = 0;
  for (const Case& c : cases) try {
      if (!only.empty() && only != c.model) continue;
      Model model = read_model((models / fmt::format("{}.yaml", c.model)).string());
      model.simulate.integrator = c.integrator, model.simulate.step = c.step, model.simulate.end = c.end;
      TuningOptions options;
      options.of = c.of;
      for (int k = 1; k <= grid; ++k) {
        options.alpha.push_back(2.0 / c.step * k / grid);
        options.beta.push_back(2.0 / (c.step * c.step) * k / grid);
      }
      const Timed here = tuned(model, options);
      options.card = card;
      const Timed there = tuned(model, options), again = tuned(model, options);
      const long differ = differing_cells(here.tuning.grids[0], there.tuning.grids[0]) +
                          differing_cells(here.tuning.grids[0], again.tuning.grids[0]);
      const double steps = steps_of(here.tuning);
      different += differ;
      fmt::print("{:<14} {:<7} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>9.2e} {:>9.2e} {:>7.1f} {:>7}  {}\n", c.model,
                 c.integrator, here.tuning.seconds, again.tuning.seconds, here.first, there.first,
                 steps / here.tuning.seconds, steps / again.tuning.seconds, here.tuning.seconds / again.tuning.seconds,
                 again.tuning.left_card, differ == 0 ? "same bits" : fmt::format("{} DIFFER", differ));
      std::fflush(stdout);
    } catch (const std::exception& error) {
      fmt::print("{:<14} {:<7} {}\n", c.model, c.integrator, error.what());
    }
  return different == 0 ? 0 : 1;
}
