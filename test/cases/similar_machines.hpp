// Machines whose motion must not depend on how they are written down: which changes each of them takes, and why not the others.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "read/reader.hpp"
#include "support/run_model.hpp"

namespace armature::internal {

// What changes about a machine, or about how it is written down.
enum class Change {
  units,  // of length and mass by factors of 1e-6 to 1e6, a time up to 1e6 times faster
  exactly,  // units of length, mass and time by powers of four, 1e-6 to 1e6: nothing is rounded, roots neither, so nothing differs
  slower,    // up to 1e6 times
  world,     // turned and shifted
  mirror,    // and turned
  order,     // of everything that is listed
  names,     // of everything that has one
  counting,  // of coordinates: their senses, and zeros of a Lagrangian
};

inline std::string to_string(Change change) {
  constexpr const char* words[] = {"units", "exactly", "slower", "world", "mirror", "order", "names", "counting"};
  return words[static_cast<int>(change)];
}
inline const std::vector<Change>& all_changes() {
  static const std::vector<Change> all{Change::units,  Change::exactly, Change::slower, Change::world,
                                       Change::mirror, Change::order,   Change::names,  Change::counting};
  return all;
}

struct SimilarMachine {
  std::string name;                             // of a file of models/, or of test/data/
  double end;                                   // s: before chaos makes errors grow beyond what can be compared
  bool frames_stay = false;                     // see support/transformed_model.hpp
  bool loses_rank = false;                      // its loops do, on the way
  std::map<Change, std::string> left_out = {};  // and why
  int draws = 3;                                // of each change, where time is short
};

// The 3RRR robots pass singular poses of their platform and of their cranks, several each; their loops keep their rank there.
inline const std::vector<SimilarMachine>& similar_machines() {
  const std::string no_world = "its places are formulas of its coordinates, which `counting` changes";
  const std::map<Change, std::string> lagrangian{{Change::world, no_world}, {Change::mirror, no_world}};
  // Every change rewrites the targets of a controller, and support/transformed_model.hpp knows only those with one coordinate.
  std::map<Change, std::string> delta;
  for (const Change change : all_changes()) delta[change] = "its controller has three coordinates";
  constexpr bool stay = true, loses_rank = true;
  static const std::vector<SimilarMachine> machines{
      {"arm", 0.5},
      {"arm_on_circle", 3},
      {"arm_on_circle_lagrangian", 3, !stay, !loses_rank, lagrangian},
      {"biped", 0.2, stay, !loses_rank, {}, 1},
      {"crane", 3},
      {"crane_lagrangian", 3, !stay, !loses_rank, lagrangian},
      {"delta", 0.6, !stay, !loses_rank, delta},
      {"five_bar", 0.3, stay},
      {"five_bar_lagrangian", 0.3, !stay, !loses_rank, lagrangian},
      {"flexible_slider_crank", 0.05, stay, !loses_rank, {}, 1},
      {"four_bar", 3},
      {"lead_screw", 0.5},
      {"n_four_bar", 3, !stay, loses_rank},
      {"pendulum", 5},
      {"press", 10},
      {"press_lagrangian", 10, !stay, !loses_rank, lagrangian},
      {"rrr", 1},
      {"rrr_benchmark", 1},
      {"rrr_lagrangian", 1, !stay, !loses_rank, lagrangian},
      {"rrr_motors", 1},
      {"rrr_pd", 1},
      {"slider_crank", 1},
      {"slider_crank_equal", 2, !stay, loses_rank},
      {"slider_crank_equal_lagrangian", 2, !stay, loses_rank, lagrangian},
      {"slider_crank_lagrangian", 1, !stay, !loses_rank, lagrangian},
      {"squeezer", 0.02},
      {"stewart", 1},
      {"two_joint_arm", 1},
      {"two_joint_arm_lagrangian", 1, !stay, !loses_rank, lagrangian},
      {"servos", 0.5},
      {"parts_in_space", 1},
  };
  return machines;
}

inline Model model_of(const SimilarMachine& machine) {
  if (!std::ranges::count(shipped_models(), machine.name))
    return read_model(std::string(source_directory) + "/test/data/" + machine.name + ".yaml");
  // at phi0 = pi the press is folded: the knee is at half a turn either way
  return machine.name.starts_with("press") ? shipped(machine.name, {{"phi0", "3"}}) : shipped(machine.name);
}

}  // namespace armature::internal
