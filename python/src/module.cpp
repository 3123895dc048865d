#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The engine of Armature. Use the package `armature`, which is made of it.";
  module.attr("version") = armature::version();
  pybind11::options options;
  options.disable_function_signatures();  // the stub has them
  armature::python::add_calls(module);
  armature::python::add_errors(module);
  armature::python::add_model(module);
  armature::python::add_machine(module);
  armature::python::add_run(module);
  armature::python::add_study(module);
  armature::python::add_identify(module);
  armature::python::add_plan(module);
  armature::python::add_analyses(module);
  armature::python::add_inspect(module);
  armature::python::add_exchange(module);
  armature::python::add_page(module);
  armature::python::add_pictures(module);
  armature::python::add_live(module);
}
