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
#include <cstdlib>
#include <thread>

#include "gpu/card.hpp"
#include "gpu_check/check.hpp"
#include "gpu_check/first_cell.hpp"
#include "gpu_check/rollouts.hpp"
#include "gpu_check/studies.hpp"
#include "gpu_check/tunings.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace armature::internal;
using namespace armature::internal::gpu_check;

// How many numbers differ.
long compare_all(Check& check, const std::string& first_cells) {
  check.page.put(
      "`./go gpu {}` measures this and writes this section. This one: {}; beside it {} cores, eight motions at once in "
      "each. Ratio: to the "
      "processor. GPU: without help of the processor, compiled before. First: with nothing compiled, from the model to "
      "the last result, while "
      "the processor helps. Fast: `--gpu=fast`. Left: motions that the processor had to compute. Every number but "
      "those of *fast* is compared "
      "with that of the processor, bit by bit.\n\n",
      check.grid, cards_in_words(), std::thread::hardware_concurrency());
  long differ = compare_tunings(check);
  differ += compare_rollouts(check);
  differ += compare_studies(check);
  check.page.put_previews();
  check.page.put("{}", first_cells);
  return differ;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && argv[1] == std::string("first")) return run_first_cell(argv[2], argv[3], argv[4]);
  Check check{.models = argc > 1 ? argv[1] : "models",
              .grid = argc > 2 ? std::atoi(argv[2]) : 100,
              .only = argc > 4 ? argv[4] : ""};
  const std::string page = argc > 3 ? argv[3] : "";
  const TemporaryFolder cache;  // with nothing compiled
  ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const std::string first_cells = time_first_cells(check);
  if (cards().empty()) {
    fmt::print("nothing is compared; GPU: {}\n", cards_in_words());
    return 2;
  }
  check.card = open_card();
  const long differ = compare_all(check, first_cells);
  if (check.only.empty() && !page.empty()) check.page.write(page);
  return differ == 0 ? 0 : 1;
}
