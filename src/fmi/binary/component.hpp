// An instance with the name that its host has given it, and what both versions of the standard do alike.
#pragma once

#include <memory>
#include <string>

#include "fmi/instance.hpp"

namespace armature::internal {

struct FmuComponent {
  std::string name;
  std::unique_ptr<FmuInstance> instance;
};

// The folder of a path, or of a URI file:///…
std::filesystem::path resource_folder(const char* location);

// Null, and a logged sentence, where there is no such instance.
FmuComponent* make_component(const char* name, const char* token, const char* resources,
                             const FmuInstance::Options& options, bool logging, const FmuInstance::Log& log);

// f(instance) in one of the modes; a component that is null is an error.
template <class F>
FmuStatus call_component(void* component, const char* function, unsigned modes, const F& f) {
  if (!component) return FmuStatus::error;
  FmuInstance& instance = *static_cast<FmuComponent*>(component)->instance;
  return instance.call(function, modes, [&] { f(instance); });
}

}  // namespace armature::internal
