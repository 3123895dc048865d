// Calls that run without the interpreter's lock: Ctrl-C stops them, a caller's function follows them, and the interpreter may end
// meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "bindings.hpp"
#include "expression/interruption.hpp"

namespace armature::python {

// Without the interpreter's lock. When the interpreter ends, daemon threads may still be computing; Python would tear such a thread apart
// where it asks for the lock, and a thread that is inside C++ takes the whole process with it. It sleeps there instead, until the process
// is gone.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

bool interpreter_ends();  // and this is not the thread in which it does

// Who follows a call: now and then it takes the interpreter's lock, lets Python handle Ctrl-C, and calls the caller's function. Make it and
// destroy it with the lock held.
class Watch {
 public:
  explicit Watch(py::object callback = py::none()) : callback_(std::move(callback)) {}

  // The progress of the call. False: the caller's function returned False or raised, or Ctrl-C was pressed.
  template <class... Arguments>
  bool operator()(Arguments... arguments) {
    return goes_on([&] {
      if (callback_.is_none()) return;
      const py::object answer = callback_(arguments...);
      if (answer.is_none()) return;
      const int truth = PyObject_IsTrue(answer.ptr());
      if (truth < 0) throw py::error_already_set();
      if (truth == 0) stop("the progress function returned False");
    });
  }

  // Whether Ctrl-C was pressed; the engine asks this, from any of its threads.
  bool stopped() {
    if (std::this_thread::get_id() != caller_) return stopped_;
    return !goes_on([] {});
  }

  const py::object& raised() const { return raised_; }   // what Python raised, or None
  const std::string& reason() const { return reason_; }  // why the call was stopped; empty: it was not
  void raise_again() const {
    if (raised_.is_none()) return;
    PyErr_SetObject(py::type::of(raised_).ptr(), raised_.ptr());
    throw py::error_already_set();
  }

 private:
  template <class Question>
  bool goes_on(const Question& question) {
    if (interpreter_ends()) stopped_ = true;
    if (stopped_) return false;
    if (callback_.is_none() && unasked_ > 0) return --unasked_, true;
    const auto now = std::chrono::steady_clock::now();
    if (now < due_) return true;
    due_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      question();
    } catch (py::error_already_set& error) {
      keep(error);
    }
    return !stopped_;
  }

  void keep(py::error_already_set& error) {
    raised_ = error.value();
    if (error.trace()) PyException_SetTraceback(raised_.ptr(), error.trace().ptr());
    const bool pressed = error.matches(PyExc_KeyboardInterrupt);
    stop(pressed ? "Ctrl-C"
                 : "the progress function raised " + py::type::of(raised_).attr("__name__").cast<std::string>());
  }

  void stop(std::string reason) {
    reason_ = std::move(reason);
    stopped_ = true;
  }

  py::object callback_, raised_ = py::none();
  std::string reason_;
  std::atomic<bool> stopped_ = false;
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point due_{};
  int unasked_ = 4;  // questions without a look at the clock, which takes as long as a short step
};

// work(), stopped wherever the engine asks whether it is still wanted. What Python raised meanwhile is raised again.
template <class Work>
auto followed(Watch& watch, const Work& work) {
  try {
    const internal::Interruption interruption([&watch] { return watch.stopped(); });
    const Unlocked unlocked;
    return work();
  } catch (const Error&) {
    watch.raise_again();
    throw;
  }
}

// The same for work of which nothing is kept when it is stopped: it may be given up anywhere.
template <class Work>
auto computed(Watch& watch, const Work& work) {
  return followed(watch, [&] {
    const internal::Abandonable abandonable;
    return work();
  });
}
template <class Work>
auto computed(const Work& work) {
  Watch watch;
  return computed(watch, work);
}

}  // namespace armature::python
