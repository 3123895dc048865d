#include "call.hpp"
#include "library/translate.hpp"
#include "read/text_edit.hpp"
#include "read/written_settings.hpp"

namespace armature::python {

namespace {

std::string written(const std::string& text, const Settings& settings) {
  try {
    return internal::with_settings(text, settings);
  } catch (const internal::EditError& error) {
    throw Error(Error::Kind::input, error.what());
  }
}

}  // namespace

void add_model(py::module_& module) {
  py::class_<Quantity>(module, "Quantity", "A named number in SI units.")
      .def_readonly("name", &Quantity::name, "as in the file")
      .def_readonly("unit", &Quantity::unit, "of SI")
      .def_readonly("value", &Quantity::value, "SI")
      .def("__repr__",
           [](const Quantity& quantity) {
             return py::str("{} = {} {}").format(quantity.name, quantity.value, quantity.unit).attr("rstrip")();
           })
      .def(pickled(&Quantity::name, &Quantity::unit, &Quantity::value));

  py::class_<Channel>(module, "Channel", "The name and the unit of a number.")
      .def_readonly("name", &Channel::name, "as in trajectory.csv")
      .def_readonly("unit", &Channel::unit, "of SI; empty: a pure number")
      .def("__repr__",
           [](const Channel& channel) {
             return channel.unit.empty() ? channel.name : channel.name + " [" + channel.unit + "]";
           })
      .def(pickled(&Channel::name, &Channel::unit));

  py::class_<Model>(module, "Model", "What a file says about a machine.")
      .def_property_readonly("name", &Model::name)
      .def_property_readonly("file", &Model::file)
      .def_property_readonly("text", &Model::text)
      .def_property_readonly("parameters", &Model::parameters)
      .def_property_readonly("inputs", &Model::inputs)
      .def_property_readonly("bodies", &Model::bodies)
      .def_property_readonly("joints", &Model::joints)
      .def_property_readonly("end", &Model::end);

  module.def(
      "parse_model",
      [](const std::string& text, const std::string& file, const Settings& settings, const std::string& root) {
        return computed([&] { return parse_model(text, file, settings, root); });
      },
      py::arg("text"), py::arg("file"), py::arg("settings"), py::arg("root"));
  module.def("with_settings", &written, py::arg("text"), py::arg("settings"));
}

}  // namespace armature::python
