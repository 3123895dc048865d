#include <algorithm>

#include "call.hpp"

namespace armature::python {

namespace {

using Part = std::vector<double> State::*;

// A state cannot be changed: threads share it, and the simulation that it came from would not follow it. This is a state with some of its
// numbers replaced.
State replaced(State state, const py::kwargs& parts) {
  const std::vector<std::pair<std::string, Part>> arrays = {{"q", &State::q},
                                                            {"v", &State::v},
                                                            {"z", &State::z},
                                                            {"discrete", &State::discrete},
                                                            {"switches", &State::switches}};
  for (const auto& [key, handle] : parts) {
    const auto name = key.cast<std::string>();
    const auto value = py::reinterpret_borrow<py::object>(handle);
    const auto found = std::ranges::find(arrays, name, [](const auto& entry) { return entry.first; });
    if (name == "t") {
      state.t = py::float_(value);
    } else if (name == "switch_status") {
      const Numbers given(value);
      state.switch_status.assign(given.data(), given.data() + given.size());
    } else if (found == arrays.end()) {
      throw py::type_error("a state has no '" + name + "'; it has t, q, v, z, discrete, switches and switch_status");
    } else {
      std::vector<double>& numbers = state.*found->second;
      const std::vector<double> given = vector_of(Numbers(value));
      if (!numbers.empty() && given.size() != numbers.size())
        throw Error(Error::Kind::input,
                    name + " has " + std::to_string(numbers.size()) + " numbers, not " + std::to_string(given.size()));
      numbers = given;
    }
  }
  return state;
}

void add_state(py::module_& module) {
  py::class_<State> state(
      module, "State",
      "Everything needed to continue a motion; numbers in SI units, in the order of the model's positions, "
      "velocities and states. A state cannot be changed; replace() makes another one.");
  state
      .def(py::init([](const Numbers& q, const Numbers& v, const Numbers& z, double t) {
             State made;
             made.t = t, made.q = vector_of(q), made.v = vector_of(v), made.z = vector_of(z);
             return made;
           }),
           py::arg("q"), py::arg("v"), py::arg("z") = Numbers(0), py::arg("t") = 0.0)
      .def(py::init([](Anything, const py::args&, const py::kwargs&) -> State {
        throw py::type_error("State(q, v, z=(), t=0): q, v and z are lists or arrays of numbers, t is a time in s");
      }))
      .def_readonly("t", &State::t, "time, s")
      .def_readonly("switch_status", &State::switch_status, "how the outcome of each comparison is determined")
      .def("replace", &replaced, "Another state with some parts replaced: state.replace(v=0 * state.v).")
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::dict&) { return self; })
      .def("__repr__",
           [](const State& self) {
             return py::str("<armature.State t = {:.6g} s, q = {}, v = {}>")
                 .format(self.t, array_of(self.q), array_of(self.v));
           })
      .def(pickled(&State::t, &State::q, &State::v, &State::z, &State::discrete, &State::switches,
                   &State::switch_status));
  state.def_property_readonly("q", view_of(&State::q), "positions");
  state.def_property_readonly("v", view_of(&State::v), "velocities");
  state.def_property_readonly("z", view_of(&State::z),
                              "other states: currents, temperatures, integrals of controllers, work and heat");
  state.def_property_readonly("discrete", view_of(&State::discrete),
                              "states that change only between steps: outputs of sampled controllers, whole turns");
  state.def_property_readonly("switches", view_of(&State::switches),
                              "outcomes of comparisons: 0 or 1, or a weight in between while something sticks");
}

void add_terms(py::module_& module) {
  const auto velocities = [](const Terms& terms) { return terms.velocities; };
  const auto constraints = [](const Terms& terms) { return terms.constraints; };
  py::class_<Terms>(module, "Terms",
                    "The equations of motion at a state: M vdot + h + Phi' lambda = 0, Phi vdot = gamma.")
      .def_property_readonly("M", view_of(&Terms::M, velocities, velocities), "mass matrix")
      .def_property_readonly("f", view_of(&Terms::f), "generalized forces: -h")
      .def_property_readonly(
          "h",
          [](const Terms& terms) {
            std::vector<double> h = terms.f;
            for (double& entry : h) entry = -entry;
            return array_of(h);
          },
          "Coriolis, centrifugal, gravity and applied forces, on the left-hand side")
      .def_property_readonly("Phi", view_of(&Terms::Phi, constraints, velocities),
                             "Jacobian of the constraints along the velocities")
      .def_property_readonly("gamma", view_of(&Terms::gamma), "right-hand side of the acceleration constraints")
      .def_property_readonly("phi", view_of(&Terms::phi), "residuals of the constraints")
      .def_property_readonly("phidot", view_of(&Terms::phidot), "their rates")
      .def_property_readonly("qdot", view_of(&Terms::qdot), "rates of the positions")
      .def_property_readonly("zdot", view_of(&Terms::zdot), "rates of the other states")
      .def(pickled(&Terms::velocities, &Terms::constraints, &Terms::M, &Terms::f, &Terms::Phi, &Terms::gamma,
                   &Terms::phi, &Terms::phidot, &Terms::qdot, &Terms::zdot));

  py::class_<Acceleration>(module, "Acceleration", "vdot and lambda at a state.")
      .def_property_readonly("vdot", view_of(&Acceleration::vdot), "accelerations")
      .def_property_readonly("multipliers", view_of(&Acceleration::lambda), "lambda")
      .def_readonly("rank", &Acceleration::rank, "of Phi")
      .def_readonly("smallest_sine", &Acceleration::smallest_sine,
                    "of the angle between a row of Phi and those before it: 0 in a singular pose")
      .def(pickled(&Acceleration::vdot, &Acceleration::lambda, &Acceleration::rank, &Acceleration::smallest_sine));
}

}  // namespace

void add_machine(py::module_& module) {
  add_state(module);
  add_terms(module);

  using Release = py::call_guard<Unlocked>;
  py::class_<Machine>(module, "Machine", "A compiled model: immutable, for any number of threads.")
      .def_property_readonly("positions", &Machine::positions)
      .def_property_readonly("velocities", &Machine::velocities)
      .def_property_readonly("states", &Machine::states)
      .def_property_readonly("inputs", &Machine::inputs)
      .def_property_readonly("constraints", &Machine::constraints)
      .def_property_readonly("degrees_of_freedom", &Machine::degrees_of_freedom)
      .def_property_readonly("end", &Machine::end)
      .def_property_readonly("notes", &Machine::notes)
      .def_property_readonly("warnings", &Machine::warnings)
      .def("start", &Machine::start, Release())
      .def("branches", [](const Machine& self) { return computed([&] { return self.branches(); }); })
      .def("project", &Machine::project, py::arg("state"), Release())
      .def("assemble", &Machine::assemble, py::arg("guess"), Release())
      .def("terms", &Machine::terms, py::arg("state"), py::arg("inputs") = std::vector<double>(), Release())
      .def("acceleration", &Machine::acceleration, py::arg("state"), py::arg("formulation") = "auto",
           py::arg("inputs") = std::vector<double>(), Release());

  module.def(
      "compile",
      [](const Model& model, const std::vector<std::string>& inputs) {
        return computed([&] { return compile(model, {.inputs = inputs}); });
      },
      py::arg("model"), py::arg("inputs"));

  py::class_<Assembly>(module, "Assembly", "Start states in which chosen coordinates and speeds have given values.")
      .def(py::init([](const Machine& machine, const std::vector<std::string>& coordinates) {
             return computed([&] { return Assembly(machine, coordinates); });
           }),
           py::arg("machine"), py::arg("coordinates"))
      .def("start", &Assembly::start, py::arg("values"), Release())
      .def(
          "branches",
          [](const Assembly& self, const std::vector<double>& values) {
            return computed([&] { return self.branches(values); });
          },
          py::arg("values"));
}

}  // namespace armature::python
