#include "call.hpp"

#include <unistd.h>

namespace armature::python {

namespace {

std::atomic<bool> ends = false;
std::thread::id last_thread;  // in which the interpreter ends; its own calls go on
std::atomic<int> computing = 0;

[[noreturn]] void sleep_until_the_process_is_gone() {
  for (;;) pause();
}

// Called when the interpreter begins to end: calls that are still running are stopped, so that nothing computes while the process is
// taken down.
void end_calls() {
  last_thread = std::this_thread::get_id();
  ends = true;
  const py::gil_scoped_release unlocked;
  constexpr auto patience = std::chrono::seconds(2);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (computing > 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

bool interpreter_ends() { return ends && std::this_thread::get_id() != last_thread; }

Unlocked::Unlocked() {
  ++computing;
  state_ = PyEval_SaveThread();
  if (!interpreter_ends()) return;
  --computing;
  sleep_until_the_process_is_gone();
}

Unlocked::~Unlocked() {
  --computing;
  if (interpreter_ends()) sleep_until_the_process_is_gone();
  PyEval_RestoreThread(state_);
}

void add_calls(py::module_&) {
  py::module_::import("atexit").attr("register")(py::cpp_function(&end_calls));
  // threads that compute are not in the child of a fork
  py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") =
                                                         py::cpp_function([] { computing = 0; }));
}

}  // namespace armature::python
