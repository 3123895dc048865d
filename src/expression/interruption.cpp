#include "expression/interruption.hpp"

#include <utility>

namespace armature::internal {
namespace {

thread_local const Interruption* asked = nullptr;
thread_local bool abandonable = false;

}  // namespace

// Without a function of its own, that of the Interruption around it is called where work has ended.
Interruption::Interruption(Stop stop, std::function<void()> ended)
    : stop_(std::move(stop)), ended_(std::move(ended)), before_(std::exchange(asked, this)) {
  if (!ended_ && before_) ended_ = before_->ended_;
}

Interruption::~Interruption() { asked = before_; }

Interruption::Stop Interruption::current() { return asked ? asked->stop_ : Stop(); }

Abandonable::Abandonable() : before_(std::exchange(abandonable, true)) {}

Abandonable::~Abandonable() {
  abandonable = before_;
  if (!abandonable && asked && asked->ended_) asked->ended_();
}

bool Abandonable::now() { return abandonable; }

bool interrupted() { return asked && asked->stop_ && asked->stop_(); }

bool interrupted_after(long operations) {
  constexpr long between_questions = 5'000'000;
  thread_local long left = 0;
  left -= operations;
  if (left > 0) return false;
  if (interrupted()) return true;
  left = between_questions;
  return false;
}

void stop_if_interrupted() {
  if (abandonable && interrupted()) throw Interrupted();
}

}  // namespace armature::internal
