#include "expression/interruption.hpp"

#include <utility>

namespace armature {
namespace {

thread_local const Interruption::Stop* asked = nullptr;
thread_local bool abandonable = false;

}  // namespace

Interruption::Interruption(Stop stop) : stop_(std::move(stop)), before_(std::exchange(asked, &stop_)) {}

Interruption::~Interruption() { asked = before_; }

Interruption::Stop Interruption::current() { return asked ? *asked : Stop(); }

Abandonable::Abandonable() : before_(std::exchange(abandonable, true)) {}

Abandonable::~Abandonable() { abandonable = before_; }

bool interrupted() { return asked && *asked && (*asked)(); }

void stop_if_interrupted() {
  if (abandonable && interrupted()) throw Interrupted();
}

}  // namespace armature
