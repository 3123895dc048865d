// --gpu of map, sweep and tune.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "study/card_cells.hpp"

namespace armature::internal::cli {

class GpuArguments {
 public:
  void add_to(CLI::App& verb);
  // None: not asked for. Throws RequestError where there is none.
  Cards cards() const;

 private:
  static std::string checked(const std::string& mode);  // what is wrong with it; empty: nothing

  std::string mode_;  // empty: not asked for
};

// Who computed what, where cards did. what: "motion", "pair".
void print_shares(const Cards& cards, const CardShares& shares, const char* what);

}  // namespace armature::internal::cli
