// Names in formulas that are made of the name of a joint or a body and that of one of its signals.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "expression/units.hpp"

namespace armature::internal {

// "JOINT.fx" … "JOINT.mz": force and moment that the joint transmits; "JOINT.force" and "JOINT.moment" as vectors.
struct ReactionName {
  std::string joint;
  int first = 0, count = 1;  // of the six components
  Dimension dimension;
};
std::optional<ReactionName> reaction_name(const std::string& name);

inline constexpr std::array<std::string_view, 8> reaction_signals = {"fx", "fy", "fz", "mx", "my", "mz", "force", "moment"};

// Of a body: its angular velocity and its axes as vectors in ground axes; in space its angles of roll, pitch and yaw, in a plane its angle.
inline constexpr std::array<std::string_view, 4> body_vectors = {"w", "ex", "ey", "ez"};
inline constexpr std::array<std::string_view, 4> body_angles = {"roll", "pitch", "yaw", "angle"};

}  // namespace armature::internal
