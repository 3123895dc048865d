// Plugins: shared objects of our own beside the program. Each is linked with one large library of others, which only some verbs need;
// the plugin, and with it the library, is loaded when it is first needed.
//
// A room that needs such a library has an interface in a header, and what implements it in its folder plugin/. A plugin calls the
// program by that interface only, and shows nothing but one function:
//
//   plan/interior_point.cpp     plugin<InteriorPointSolver>("ipopt").solve(…)
//   plan/plugin/ipopt.cpp       ARMATURE_PLUGIN(ipopt, InteriorPointSolver, Ipopt)         `Ipopt` implements the interface
//   CMakeLists.txt              armature_plugin(plan ipopt …)
//   plugin/plugins.def          a row
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace armature::internal {

struct PluginError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What the plugin's function returns. Throws PluginError with a sentence.
const void* load_plugin(const std::string& name);

template <class Interface>
const Interface& plugin(const std::string& name) {
  return *static_cast<const Interface*>(load_plugin(name));
}

struct PluginRow {
  const char *name, *library, *user;  // "ipopt", "Ipopt", "plan"
};
const std::vector<PluginRow>& plugins();

#define ARMATURE_PLUGIN(name, Interface, Implementation)                                                  \
  extern "C" __attribute__((visibility("default"))) const void* armature_plugin_##name() {                \
    static const armature::internal::Implementation implementation;                                       \
    return static_cast<const armature::internal::Interface*>(&implementation); /* as plugin() takes it */ \
  }                                                                                                       \
  static_assert(true)

}  // namespace armature::internal
