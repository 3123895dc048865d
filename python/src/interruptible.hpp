// Long calls that Ctrl-C stops.
#pragma once

#include <chrono>
#include <optional>

#include "bindings.hpp"
#include "expression/interruption.hpp"

namespace armature::python {

// Runs `work` without the interpreter's lock. Ctrl-C stops it wherever the engine asks whether it is still wanted.
template <class Work>
auto interruptible(const Work& work) {
  std::optional<py::error_already_set> pressed;
  const auto handle = [&](auto&& run) {
    std::chrono::steady_clock::time_point due{};
    const internal::Interruption interruption([&] {
      if (pressed) return true;
      const auto now = std::chrono::steady_clock::now();
      if (now < due) return false;
      due = now + std::chrono::milliseconds(50);
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) pressed.emplace();
      return pressed.has_value();
    });
    const py::gil_scoped_release unlocked;
    return run();
  };
  try {
    return handle(work);
  } catch (const Error&) {
    if (pressed) throw *pressed;
    throw;
  }
}

}  // namespace armature::python
