#include <map>

#include "engine.hpp"

namespace armature::internal::bench {

const std::vector<EngineKind>& engines() {
  static const std::vector<EngineKind> found{
      armature_engine(), hand_written_engine(),
#ifdef BENCH_MUJOCO
      mujoco_engine(),
#endif
#ifdef BENCH_SIMBODY
      simbody_engine(),
#endif
#ifdef BENCH_DART
      dart_engine(),
#endif
  };
  return found;
}

Engine* engine_for(const EngineKind& kind, const Machine& machine) {
  static std::map<std::pair<std::string, std::string>, std::unique_ptr<Engine>> made;
  const auto [place, is_new] = made.try_emplace({kind.name, machine.name});
  if (is_new) place->second = kind.make(machine);
  return place->second.get();
}

}  // namespace armature::internal::bench
