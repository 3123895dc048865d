#include "plugin/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

namespace armature::internal {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  const auto row = std::ranges::find(plugins(), name, &PluginRow::name);
  throw PluginError(fmt::format("{} is needed for {} and cannot be loaded: {}", row->library, row->user, why));
}

}  // namespace

const void* load_plugin(const std::string& name) {
  const std::string symbol = "armature_plugin_" + name, file = "armature_" + name + ".so";
  // An FMU that is compiled from its sources has its plugins built in.
  void* function = ::dlsym(RTLD_DEFAULT, symbol.c_str());
  if (!function) {
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // where the RPATH of this binary says
    if (!library) refuse(name, ::dlerror());
    function = ::dlsym(library, symbol.c_str());
    if (!function) refuse(name, file + " lacks " + symbol);
  }
  return reinterpret_cast<const void* (*)()>(function)();
}

const std::vector<PluginRow>& plugins() {
  static const std::vector<PluginRow> rows = {
#define PLUGIN(name, library, user) {#name, library, user},
#include "plugin/plugins.def"
#undef PLUGIN
  };
  return rows;
}

}  // namespace armature::internal
