#include "binary.hpp"

#include <cstring>
#include <mutex>

namespace armature::fmu_host {

namespace {

Memory* log_memory = nullptr;
std::mutex log_lock;  // an FMU may log from threads of its own

}  // namespace

Binary::Binary(const Request& request, Memory& memory) : memory_(memory) {
  begin(Deed::load);
  library_ = dlopen(request.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) throw NotLoaded{std::string("its binary cannot be loaded: ") + dlerror()};
}

void log_into(Memory& memory) { log_memory = &memory; }

void log(int status, const char* text) {
  if (status == 0) return;
  const std::lock_guard guard(log_lock);
  ++log_memory->warnings;
  std::strncpy(log_memory->text, text ? text : "", fmu_protocol::text_size - 1);
}

}  // namespace armature::fmu_host
