// What comparisons of the card with the processor have in common.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include "gpu/motion_device.hpp"
#include "gpu_check/page.hpp"

namespace armature::internal::gpu_check {

struct Check {
  std::filesystem::path models;
  int grid = 0;      // grid x grid motions a case
  std::string only;  // a model; empty: all
  std::shared_ptr<MotionDevice> card = {};
  Page page = {};

  bool wants(const std::string& model) const { return only.empty() || only == model; }
};

// Compares the cases of wanted models, and gives how many numbers differ. A case that fails is named, and the others go on.
template <class Cases, class Compare>
long compare_cases(Check& check, const Cases& cases, const Compare& compare) {
  long differ = 0;
  for (const auto& c : cases) {
    if (!check.wants(c.model)) continue;
    try {
      differ += compare(c, check);
    } catch (const std::exception& error) {
      fmt::print("{}: {}\n", c.title(), error.what());
      ++differ;
    }
  }
  return differ;
}

// The card alone: no cell of the processor hides one of its own that differs.
inline Cards alone(const std::shared_ptr<MotionDevice>& card, Compilation compilation,
                   Arithmetic arithmetic = Arithmetic::exact) {
  return {{card}, arithmetic, false, compilation};
}
// Of a grid of motions, as commands do it when the code is in the cache.
inline Compilation compilation_for(int grid) { return grid >= 500 ? Compilation::thorough : Compilation::quick; }

}  // namespace armature::internal::gpu_check
