// An instance with the name that its host has given it, and what both versions of the standard do alike.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "expression/own_arithmetic.hpp"
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

// What a host must point to: `count` values, or one.
struct FmuArgument {
  const char* name;
  const void* pointer;
  std::size_t count = 1;
};

void require(std::initializer_list<FmuArgument> arguments);  // throws where one of them is NULL

// f(instance) in one of the modes; a component or an argument that is NULL is an error.
template <class F>
FmuStatus call_component(void* component, const char* function, unsigned modes,
                         std::initializer_list<FmuArgument> arguments, const F& f) {
  if (!component) return FmuStatus::error;
  const OwnArithmetic own;
  FmuInstance& instance = *static_cast<FmuComponent*>(component)->instance;
  return instance.call(function, modes, [&] {
    require(arguments);
    f(instance);
  });
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count);  // NULL: none

}  // namespace armature::internal
