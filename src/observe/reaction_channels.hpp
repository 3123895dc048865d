// The columns of reactions: force and moment of each joint under `record: {reactions}`.
#pragma once

#include <vector>

#include "mechanics/equations.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

inline void add_reaction_channels(const Equations& equations, std::vector<Channel>& list) {
  for (const Reaction& reaction : equations.reactions)
    for (const char* part : {"fx", "fy", "fz", "mx", "my", "mz"})
      list.push_back({reaction.joint + "." + part, part[0] == 'f' ? "N" : "N m"});
}

}  // namespace armature::internal
