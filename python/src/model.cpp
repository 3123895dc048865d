#include "bindings.hpp"

namespace armature::python {

void add_model(py::module_& module) {
  py::class_<Quantity>(module, "Quantity", "A named number in SI units.")
      .def_readonly("name", &Quantity::name)
      .def_readonly("unit", &Quantity::unit)
      .def_readonly("value", &Quantity::value)
      .def("__repr__", [](const Quantity& quantity) {
        return py::str("{} = {} {}").format(quantity.name, quantity.value, quantity.unit).attr("rstrip")();
      });

  py::class_<Channel>(module, "Channel", "The name and the unit of a number.")
      .def_readonly("name", &Channel::name)
      .def_readonly("unit", &Channel::unit)
      .def("__repr__", [](const Channel& channel) {
        return channel.unit.empty() ? channel.name : channel.name + " [" + channel.unit + "]";
      });

  py::class_<Model>(module, "Model", "What a file says about a machine.")
      .def_property_readonly("name", &Model::name)
      .def_property_readonly("file", &Model::file)
      .def_property_readonly("text", &Model::text)
      .def_property_readonly("parameters", &Model::parameters)
      .def_property_readonly("inputs", &Model::inputs)
      .def_property_readonly("bodies", &Model::bodies)
      .def_property_readonly("joints", &Model::joints)
      .def_property_readonly("end", &Model::end);

  module.def("read_model", &read_model, py::arg("file"), py::arg("settings") = Settings{},
             py::call_guard<py::gil_scoped_release>());
  module.def("parse_model", &parse_model, py::arg("text"), py::arg("file") = "model", py::arg("settings") = Settings{},
             py::call_guard<py::gil_scoped_release>());
}

}  // namespace armature::python
