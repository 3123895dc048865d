// What the bindings have in common.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <armature/armature.hpp>
#include <chrono>
#include <vector>

namespace armature::python {

namespace py = pybind11;

// Each adds a part of the module.
void add_errors(py::module_& module);
void add_model(py::module_& module);
void add_machine(py::module_& module);
void add_run(py::module_& module);
void add_study(py::module_& module);
void add_page(py::module_& module);

// Numbers of an object as an array that shares them and keeps the object alive.
inline py::array_t<double> view(const double* numbers, std::vector<py::ssize_t> shape, py::handle owner) {
  return py::array_t<double>(std::move(shape), numbers, owner);
}
inline py::array_t<double> read_only(py::array_t<double> array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}
inline py::array_t<double> array_of(const std::vector<double>& numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}
inline py::array_t<double> matrix_of(const std::vector<double>& numbers, std::size_t rows, std::size_t columns) {
  return py::array_t<double>({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)}, numbers.data());
}

// Contiguous numbers of whatever NumPy makes an array of.
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
inline std::vector<double> vector_of(const Numbers& array) { return {array.data(), array.data() + array.size()}; }

// The progress of a call that runs without the interpreter's lock: now and then it takes the lock, lets Python handle Ctrl-C, and calls
// the caller's function. False, or an exception, stops the call.
class Watch {
 public:
  explicit Watch(py::object callback) : callback_(std::move(callback)) {}

  template <class... Arguments>
  bool operator()(Arguments... arguments) {
    const auto now = std::chrono::steady_clock::now();
    if (now < due_) return true;
    due_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (callback_.is_none()) return true;
    const py::object answer = callback_(arguments...);
    return answer.is_none() || answer.cast<bool>();
  }

 private:
  py::object callback_;
  std::chrono::steady_clock::time_point due_{};
};

}  // namespace armature::python
