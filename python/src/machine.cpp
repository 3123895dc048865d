#include "bindings.hpp"
#include "interruptible.hpp"

namespace armature::python {

namespace {

using Part = std::vector<double> State::*;

// Arrays of a state share its numbers: state.q[0] = 1 changes the state.
template <class Class>
void add_part(Class& state, const char* name, Part part, const char* words) {
  state.def_property(
      name,
      [part](const py::object& self) {
        std::vector<double>& numbers = self.cast<State&>().*part;
        return view(numbers.data(), {static_cast<py::ssize_t>(numbers.size())}, self);
      },
      // in place: arrays that were handed out stay views of it
      [part, name](State& self, const Numbers& numbers) {
        const std::vector<double> given = vector_of(numbers);
        std::vector<double>& own = self.*part;
        if (!own.empty() && given.size() != own.size())
          throw Error(Error::Kind::input, std::string(name) + " has " + std::to_string(own.size()) + " numbers, not " +
                                              std::to_string(given.size()));
        if (own.empty()) own.resize(given.size());
        std::copy(given.begin(), given.end(), own.begin());
      },
      words);
}

py::tuple parts_of(const State& state) {
  return py::make_tuple(state.t, state.q, state.v, state.z, state.discrete, state.switches, state.switch_status);
}

State state_of(const py::tuple& parts) {
  return {parts[0].cast<double>(),
          parts[1].cast<std::vector<double>>(),
          parts[2].cast<std::vector<double>>(),
          parts[3].cast<std::vector<double>>(),
          parts[4].cast<std::vector<double>>(),
          parts[5].cast<std::vector<double>>(),
          parts[6].cast<std::vector<int>>()};
}

void add_state(py::module_& module) {
  py::class_<State> state(module, "State",
                          "Everything needed to continue a motion; numbers in SI units, in the order of the model's positions, "
                          "velocities and states.");
  state.def(py::init<>())
      .def(py::init([](const Numbers& q, const Numbers& v, const Numbers& z, double t) {
             State made;
             made.t = t, made.q = vector_of(q), made.v = vector_of(v), made.z = vector_of(z);
             return made;
           }),
           py::arg("q"), py::arg("v"), py::arg("z") = Numbers(0), py::arg("t") = 0.0)
      .def_readwrite("t", &State::t, "time, s")
      .def_readwrite("switch_status", &State::switch_status, "how comparisons are decided")
      .def("copy", [](const State& self) { return self; }, "another state with the same numbers")
      .def("__copy__", [](const State& self) { return self; })
      .def("__deepcopy__", [](const State& self, const py::dict&) { return self; })
      .def(py::pickle(&parts_of, &state_of));
  add_part(state, "q", &State::q, "positions");
  add_part(state, "v", &State::v, "velocities");
  add_part(state, "z", &State::z, "other states: currents, temperatures, integrals of controllers, work and heat");
  add_part(state, "discrete", &State::discrete, "states that change between steps only: outputs of sampled controllers, whole turns");
  add_part(state, "switches", &State::switches, "of comparisons: 0 or 1, a weight in between while something sticks");
}

void add_terms(py::module_& module) {
  const auto square = [](const Terms& terms) {
    return matrix_of(terms.M, static_cast<std::size_t>(terms.velocities), static_cast<std::size_t>(terms.velocities));
  };
  const auto jacobian = [](const Terms& terms) {
    return matrix_of(terms.Phi, static_cast<std::size_t>(terms.constraints), static_cast<std::size_t>(terms.velocities));
  };
  py::class_<Terms>(module, "Terms", "The equations of motion at a state: M vdot + h + Phi' lambda = 0, Phi vdot = gamma.")
      .def_property_readonly("M", square, "mass matrix")
      .def_property_readonly("f", [](const Terms& terms) { return array_of(terms.f); }, "generalized forces: -h")
      .def_property_readonly(
          "h",
          [](const Terms& terms) {
            std::vector<double> h = terms.f;
            for (double& entry : h) entry = -entry;
            return array_of(h);
          },
          "Coriolis, centrifugal, gravity and applied forces on the left side")
      .def_property_readonly("Phi", jacobian, "Jacobian of the constraints along the velocities")
      .def_property_readonly("gamma", [](const Terms& terms) { return array_of(terms.gamma); })
      .def_property_readonly("phi", [](const Terms& terms) { return array_of(terms.phi); }, "residuals of the constraints")
      .def_property_readonly("phidot", [](const Terms& terms) { return array_of(terms.phidot); }, "their rates")
      .def_property_readonly("qdot", [](const Terms& terms) { return array_of(terms.qdot); })
      .def_property_readonly("zdot", [](const Terms& terms) { return array_of(terms.zdot); });

  py::class_<Acceleration>(module, "Acceleration", "vdot and lambda at a state.")
      .def_property_readonly("vdot", [](const Acceleration& a) { return array_of(a.vdot); })
      .def_property_readonly("multipliers", [](const Acceleration& a) { return array_of(a.lambda); }, "lambda")
      .def_readonly("rank", &Acceleration::rank, "of Phi")
      .def_readonly("smallest_sine", &Acceleration::smallest_sine,
                    "of the angle between a row of Phi and those before it: 0 in a singular pose");
}

}  // namespace

void add_machine(py::module_& module) {
  add_state(module);
  add_terms(module);

  using Release = py::call_guard<py::gil_scoped_release>;
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
      .def("branches", &Machine::branches, Release())
      .def("project", &Machine::project, py::arg("state"), Release())
      .def("assemble", &Machine::assemble, py::arg("guess"), Release())
      .def("terms", &Machine::terms, py::arg("state"), py::arg("inputs") = std::vector<double>(), Release())
      .def("acceleration", &Machine::acceleration, py::arg("state"), py::arg("formulation") = "auto",
           py::arg("inputs") = std::vector<double>(), Release());

  module.def(
      "compile",
      [](const Model& model, const std::vector<std::string>& inputs, std::optional<double> end, std::optional<double> record,
         std::optional<double> step, std::optional<double> max_step, std::optional<double> rtol, std::optional<double> atol,
         const std::optional<std::string>& integrator, const std::optional<std::string>& formulation) {
        return interruptible(
            [&] { return compile(model, {inputs, end, record, step, max_step, rtol, atol, integrator, formulation}); });
      },
      py::arg("model"), py::kw_only(), py::arg("inputs") = std::vector<std::string>(), py::arg("end") = py::none(),
      py::arg("record") = py::none(), py::arg("step") = py::none(), py::arg("max_step") = py::none(),
      py::arg("rtol") = py::none(), py::arg("atol") = py::none(), py::arg("integrator") = py::none(),
      py::arg("formulation") = py::none());

  py::class_<Assembly>(module, "Assembly", "Start states in which chosen coordinates and speeds have given values.")
      .def(py::init<const Machine&, const std::vector<std::string>&>(), py::arg("machine"), py::arg("coordinates"), Release())
      .def("start", &Assembly::start, py::arg("values"), Release())
      .def("branches", &Assembly::branches, py::arg("values"), Release());
}

}  // namespace armature::python
