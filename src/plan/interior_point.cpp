#include "plan/interior_point.hpp"

#include "plugin/plugin.hpp"

namespace armature::internal {

InteriorPointResult solve(const NonlinearProgram& program, const std::vector<double>& guess,
                          const InteriorPointOptions& options) {
  return plugin<InteriorPointSolver>("ipopt").solve(program, guess, options);
}

}  // namespace armature::internal
