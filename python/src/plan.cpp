#include "study.hpp"

#include <armature/plan.hpp>

namespace armature::python {

void add_plan(py::module_& module) {
  py::class_<Plan>(module, "Plan", "A motion of least cost within the limits of the motors.")
      .def_readonly("found", &Plan::found, "whether the search converged and the simulated motion arrives")
      .def_readonly("sentence", &Plan::sentence, "how it ended")
      .def_readonly("duration", &Plan::duration, "s")
      .def_readonly("cost", &Plan::cost, "what was minimized")
      .def_readonly("cost_unit", &Plan::cost_unit, "of the cost")
      .def_property_readonly("t", view_of(&Plan::t), "nodes, s; inputs are linear between them")
      .def_readonly("inputs", &Plan::inputs, "names")
      .def_readonly("states", &Plan::states, "names: positions, velocities, states of drives")
      .def_property_readonly("input_values",
                             view_of(
                                 &Plan::input_values, [](const Plan& self) { return self.t.size(); },
                                 [](const Plan& self) { return self.inputs.size(); }),
                             "a row per node")
      .def_property_readonly("state_values",
                             view_of(
                                 &Plan::state_values, [](const Plan& self) { return self.t.size(); },
                                 [](const Plan& self) { return self.states.size(); }),
                             "a row per node")
      .def_property_readonly(
          "gains",
          view_of(
              &Plan::gains,
              [](const Plan& self) { return self.gains.empty() ? 0 : (self.t.size() - 1) * self.inputs.size(); },
              [](const Plan& self) { return self.states.size(); }),
          "feedback gains: as many rows as inputs for each node but the last; empty: not requested")
      .def_readonly("active", &Plan::active, "active limits")
      .def_readonly("end_error", &Plan::end_error, "of the run with these inputs, in radians and machine lengths")
      .def_readonly("target_error", &Plan::target_error, "largest deviation from the targets in that run, SI")
      .def_readonly("constraint_error", &Plan::constraint_error, "of that run, SI")
      .def_readonly("notes", &Plan::notes, "further remarks")
      .def_readonly("warnings", &Plan::warnings, "why the plan should not be trusted fully")
      .def("__repr__", [](const Plan& self) { return self.sentence; })
      .def(pickled(&Plan::found, &Plan::sentence, &Plan::duration, &Plan::cost, &Plan::cost_unit, &Plan::t,
                   &Plan::inputs, &Plan::states, &Plan::input_values, &Plan::state_values, &Plan::gains, &Plan::active,
                   &Plan::end_error, &Plan::target_error, &Plan::constraint_error, &Plan::notes, &Plan::warnings));

  using Pairs = std::vector<std::pair<std::string, std::string>>;
  module.def(
      "plan",
      [](const Model& model, const Pairs& to, bool moving, const std::string& minimize,
         const std::vector<std::tuple<std::string, double, double>>& inputs, const std::vector<std::string>& keep,
         const Pairs& along, const std::string& within, double shortest, double longest, bool gains, double accuracy,
         int starts, int intervals, int most_intervals, int iterations, py::object progress) {
        PlanQuestion question;
        question.to = to, question.moving = moving, question.minimize = minimize, question.keep = keep,
        question.along = along;
        for (const auto& [name, low, high] : inputs) question.inputs.push_back({name, low, high});
        question.within = within, question.shortest = shortest, question.longest = longest, question.gains = gains;
        question.accuracy = accuracy, question.starts = starts, question.intervals = intervals,
        question.most_intervals = most_intervals;
        question.iterations = iterations;
        return compute(0, std::move(progress),
                       [&](const StudyOptions& options) { return plan(model, question, options); });
      },
      py::arg("model"), py::arg("to"), py::arg("moving"), py::arg("minimize"), py::arg("inputs"), py::arg("keep"),
      py::arg("along"), py::arg("within"), py::arg("shortest"), py::arg("longest"), py::arg("gains"),
      py::arg("accuracy"), py::arg("starts"), py::arg("intervals"), py::arg("most_intervals"), py::arg("iterations"),
      py::arg("progress"));
}

}  // namespace armature::python
