// The search for the pose that closes the loops nearest to what the file says.
//
// A first try leads from what the file says to the loops. Where it closes far from it, another pose may be nearer: then other guesses
// around follow, always the same ones, for one part of the machine that no loop couples with the rest after the other; until
// several in a row bring nothing nearer.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "dynamics/assembly_steps.hpp"

namespace armature::internal {

struct Closure {
  State state;
  Miss miss;
};

class ClosureSearch {
 public:
  // `guesses`: how many may follow the first one while nothing closes; 0: the first one alone counts.
  ClosureSearch(AssemblySteps& steps, int guesses, unsigned seed)
      : steps_(steps), guesses_(guesses), generator_(seed) {}

  std::optional<Closure> nearest();
  int tries() const { return tries_; }  // until something closed
  // Comparisons whose outcomes the closed pose contradicted, with either of them: where nothing else closes.
  const std::vector<int>& contradictory_comparisons() const { return contradictory_; }

 private:
  // With keep and near met first, which leads to the branch that near wants; or straight to the loops, which leads to others.
  enum class Way { by_near, straight };
  std::optional<Closure> try_from(State guess, Way way);
  std::optional<Closure> first_closure();
  void improve(Closure& best, int component);

  AssemblySteps& steps_;
  int guesses_;
  std::mt19937 generator_;
  int most_steps_ = 100;  // of Newton's method, to close the loops
  int tries_ = 0;
  std::vector<int> contradictory_;
};

}  // namespace armature::internal
