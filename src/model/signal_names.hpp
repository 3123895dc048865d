// Names in formulas that are made of the name of a joint or a body and that of one of its signals.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "expression/units.hpp"
#include "model/model.hpp"

namespace armature::internal {

// "JOINT.fx" … "JOINT.mz": force and moment that the joint transmits; "JOINT.force" and "JOINT.moment" as vectors.
struct ReactionName {
  std::string joint;
  int first = 0, count = 1;  // of the six components
  Dimension dimension;
};
std::optional<ReactionName> reaction_name(const std::string& name);

inline constexpr std::array<std::string_view, 8> reaction_signals = {"fx", "fy", "fz",    "mx",
                                                                     "my", "mz", "force", "moment"};

// Of a body: its angular velocity and its axes as vectors in ground axes; in space its angles of roll, pitch and yaw, in a plane its angle.
inline constexpr std::array<std::string_view, 4> body_vectors = {"w", "ex", "ey", "ez"};
inline constexpr std::array<std::string_view, 4> body_angles = {"roll", "pitch", "yaw", "angle"};

// Of a beam: "BODY.strain_energy", and of the section at one of its points "BODY.POINT.stress" with the moments that it transmits, in a
// plane "BODY.POINT.moment", in space "BODY.POINT.torque", "….moment_y", "….moment_z".
struct BeamSignal {
  const Body* body;
  const NamedPoint* point;  // null: of the whole beam
  std::string name;
  Dimension dimension;
  std::string unit;
};
std::optional<BeamSignal> beam_signal(const Model& model, const std::string& name);
std::vector<std::string> beam_signal_names(const Model& model);

}  // namespace armature::internal
