// What the bindings have in common.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <armature/armature.hpp>
#include <functional>
#include <string>
#include <vector>

namespace armature::python {

namespace py = pybind11;

// Each adds a part of the module.
void add_calls(py::module_& module);
void add_errors(py::module_& module);
void add_model(py::module_& module);
void add_machine(py::module_& module);
void add_run(py::module_& module);
void add_study(py::module_& module);
void add_identify(py::module_& module);
void add_plan(py::module_& module);
void add_analyses(py::module_& module);
void add_inspect(py::module_& module);
void add_exchange(py::module_& module);
void add_page(py::module_& module);
void add_pictures(py::module_& module);
void add_live(py::module_& module);

py::tuple watched_motion(py::object progress, const std::function<Motion(const Progress&)>& compute);

// Numbers of an object as an array that shares them, cannot be changed, and keeps the object alive.
inline py::array_t<double> view(const double* numbers, std::vector<py::ssize_t> shape, py::handle owner) {
  py::array_t<double> array(std::move(shape), numbers, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}
template <class Class>
auto view_of(std::vector<double> Class::*numbers) {
  return [numbers](const py::object& self) {
    const std::vector<double>& all = self.cast<const Class&>().*numbers;
    return view(all.data(), {static_cast<py::ssize_t>(all.size())}, self);
  };
}
// Of a matrix by rows, with how many of them and how many columns.
template <class Class, class Rows, class Columns>
auto view_of(std::vector<double> Class::*numbers, const Rows& rows, const Columns& columns) {
  return [=](const py::object& self) {
    const Class& it = self.cast<const Class&>();
    return view((it.*numbers).data(), {static_cast<py::ssize_t>(rows(it)), static_cast<py::ssize_t>(columns(it))},
                self);
  };
}
inline py::array_t<double> array_of(const std::vector<double>& numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

// Contiguous numbers of whatever NumPy makes an array of.
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
inline std::vector<double> vector_of(const Numbers& array) { return {array.data(), array.data() + array.size()}; }

// Pickles an object as the tuple of its members.
template <class Class, class... Members>
auto pickled(Members Class::*... members) {
  return py::pickle([=](const Class& self) { return py::make_tuple(self.*members...); },
                    [=](const py::tuple& parts) {
                      Class made;
                      std::size_t k = 0;
                      ((made.*members = parts[k++].cast<Members>()), ...);
                      return made;
                    });
}

// A name that is not there: the Python exception is a KeyError, too.
struct UnknownName : Error {
  explicit UnknownName(const Error& error) : Error(error) {}
  explicit UnknownName(const std::string& sentence) : Error(Kind::input, sentence) {}
};

// Whatever is left when no other overload takes an argument, converted or not.
struct Anything {};

// The last overload of a method: what a call with other arguments is told.
template <class Class>
void refuse_others(Class& type, const char* method, const char* sentence) {
  type.def(method, [sentence](const py::object&, Anything, const py::args&, const py::kwargs&) {
    throw py::type_error(sentence);
  });
  type.def(method, [sentence](const py::object&) { throw py::type_error(sentence); });
}

}  // namespace armature::python

namespace pybind11::detail {
template <>
struct type_caster<armature::python::Anything> {
  PYBIND11_TYPE_CASTER(armature::python::Anything, const_name("object"));
  bool load(handle, bool convert) { return convert; }
};
}  // namespace pybind11::detail
