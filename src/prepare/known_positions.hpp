// Start positions of one model for many values of its free parameters. Positions depend on some of these only (a start speed
// is none of them), so most cells of a grid begin at positions that were assembled before: with the same values of what they
// depend on they are the same numbers, whichever cell was first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "dynamics/assembly.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

class KnownPositions {
 public:
  explicit KnownPositions(const std::shared_ptr<const System>& system);

  // The model's start, assembled with these parameters, which are then set in the evaluator. From any thread.
  AssemblyResult assemble(SystemEvaluator& evaluator, const Eigen::VectorXd& parameters);

 private:
  AssemblyResult positions(SystemEvaluator& evaluator, const Eigen::VectorXd& parameters);

  State guess_;
  std::vector<int> matter_;  // parameters that the positions depend on
  std::mutex mutex_;
  std::map<std::vector<std::uint64_t>, AssemblyResult> known_;  // by the bits of their values
};

// As assemble_start() of prepare.hpp, for a model of which positions are known.
void assemble_start(Prepared& prepared, SystemEvaluator& evaluator, KnownPositions& known);

}  // namespace armature::internal
