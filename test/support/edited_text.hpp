// A model file whose values tests edit.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace armature::internal {

inline const std::string file = R"(armature: 1            # the version
name: µ-bar            # letters of several bytes
parameters:
  length: 0.3 m        # of the crank
  angle: "30 deg"      # quoted
  sum: length + 0.1    # follows
start: {keep: {a: -0.5, b: 1 m}, near: {body: {at: [0.6, 0.7, 0], angle: 0}}}  # where it begins
simulate: {end: 5 s, integrator: rk4, step: 2 ms}
)";

// `text` with one part replaced.
inline std::string with(std::string text, const std::string& old, const std::string& value) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), value);
}

}  // namespace armature::internal
