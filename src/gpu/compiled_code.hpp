// A translation unit compiled by NVRTC for a kind of card. The result is kept in a cache folder under a name made of the text, the card and
// the options, so that the next command finds it, and needs no compiler.
#pragma once

#include <filesystem>
#include <string>

#include "gpu/motion_device.hpp"

namespace armature::internal {

// $XDG_CACHE_HOME/armature or ~/.cache/armature; empty: neither is known, and nothing is kept.
std::filesystem::path code_cache();

class CompiledCode {
 public:
  // architecture: "sm_90". options.compilation: quick or thorough.
  CompiledCode(std::string unit, std::string architecture, const LoadOptions& options,
               std::filesystem::path cache = code_cache());

  std::string kept() const;  // what lies in the cache; empty: nothing
  // That, or what the compiler makes now. Throws RequestError where there is no compiler, ComputationError with the compiler's words,
  // and Interrupted if options.stopped returns true.
  std::string get() const;

 private:
  std::string compile() const;

  std::string unit_, architecture_;
  LoadOptions options_;
  std::filesystem::path cache_, file_;
};

}  // namespace armature::internal
