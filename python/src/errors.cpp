// armature::Error as the Python exceptions of armature/_errors.py.
#include "bindings.hpp"

namespace armature::python {

namespace {

const char* class_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::input: return "InputError";
    case Error::Kind::computation: return "ComputationError";
    case Error::Kind::stopped: break;
  }
  return "Stopped";
}

void raise(const Error& error, const char* name) {
  const py::object type = py::module_::import("armature._errors").attr(name);
  py::list problems;
  for (const Problem& problem : error.problems())
    problems.append(py::make_tuple(problem.file, problem.line, problem.key, problem.sentence));
  PyErr_SetObject(type.ptr(), type(error.what(), problems).ptr());
}

}  // namespace

void add_errors(py::module_&) {
  // NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 asks for this signature
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const UnknownName& error) {
      raise(error, "UnknownName");
    } catch (const Error& error) {
      raise(error, class_of(error.kind()));
    }
  });
}

}  // namespace armature::python
