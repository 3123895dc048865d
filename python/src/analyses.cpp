// Questions about one motion or one pose: vibrations, singular poses, inverse dynamics and kinematics, numbers of a motion.
#include "study.hpp"

namespace armature::python {

namespace {

void add_modes(py::module_& module) {
  py::class_<Modes::Mode>(module, "Mode", "A vibration mode.")
      .def_readonly("eigenvalue", &Modes::Mode::eigenvalue, "1/s")
      .def_readonly("frequency", &Modes::Mode::frequency, "undamped, rad/s")
      .def_readonly("damping", &Modes::Mode::damping, "ratio")
      .def_property_readonly(
          "shape",
          [](const Modes::Mode& self) {
            return py::array_t<std::complex<double>>(py::ssize_t(self.shape.size()), self.shape.data());
          },
          "of q, v and z")
      .def(pickled(&Modes::Mode::eigenvalue, &Modes::Mode::frequency, &Modes::Mode::damping, &Modes::Mode::shape));

  const auto states = [](const Modes& self) { return self.states.size(); };
  const auto inputs = [](const Modes& self) { return self.inputs.size(); };
  const auto outputs = [](const Modes& self) { return self.outputs.size(); };
  py::class_<Modes>(module, "Modes", "Small vibrations, and the linear system xi' = A xi + B du, dy = C xi + D du.")
      .def_readonly("state", &Modes::state, "state about which the motion is linearized")
      .def_readonly("modes", &Modes::modes, "the slowest first")
      .def_readonly("states", &Modes::states, "names of xi")
      .def_readonly("inputs", &Modes::inputs, "names of u")
      .def_readonly("outputs", &Modes::outputs, "names of y")
      .def_property_readonly("A", view_of(&Modes::A, states, states), "of the states")
      .def_property_readonly("B", view_of(&Modes::B, states, inputs), "of the inputs")
      .def_property_readonly("C", view_of(&Modes::C, outputs, states), "outputs of the states")
      .def_property_readonly("D", view_of(&Modes::D, outputs, inputs), "outputs of the inputs")
      .def_readonly("warnings", &Modes::warnings, "suspicious input")
      .def_readonly("notes", &Modes::notes, "what the linear system leaves out")
      .def_readonly("parameters", &Modes::parameters, "of the sensitivity")
      .def_property_readonly(
          "sensitivity",
          [](const Modes& self) {
            const auto rows = py::ssize_t(self.modes.size()), columns = py::ssize_t(self.parameters.size());
            return py::array_t<std::complex<double>>({rows, columns}, self.sensitivity.data());
          },
          "d(eigenvalue)/d(parameter), SI: one row for each mode, one column for each parameter")
      .def(pickled(&Modes::state, &Modes::modes, &Modes::states, &Modes::inputs, &Modes::outputs, &Modes::A, &Modes::B,
                   &Modes::C, &Modes::D, &Modes::warnings, &Modes::notes, &Modes::parameters, &Modes::sensitivity));

  module.def(
      "modes",
      [](const Model& model, bool equilibrium, const std::vector<std::string>& sensitivity, int branch,
         const State* state) {
        return computed([&] { return modes(model, {equilibrium, sensitivity, branch, state}); });
      },
      py::arg("model"), py::arg("equilibrium"), py::arg("sensitivity"), py::arg("branch"), py::arg("state"));
}

void add_motions(py::module_& module) {
  py::class_<SingularPose>(module, "SingularPose", "A singular pose along the motion.")
      .def_readonly("t", &SingularPose::t, "s")
      .def_readonly("until", &SingularPose::until, "s; larger than t: the motion stays singular")
      .def_readonly("kind", &SingularPose::kind, "type I, type II or rank drop")
      .def_readonly("sentence", &SingularPose::sentence, "what can move there")
      .def_readonly("loops", &SingularPose::loops, "those that are singular")
      .def("__repr__",
           [](const SingularPose& self) { return py::str("t = {:.6g} s: {}").format(self.t, self.sentence); })
      .def(pickled(&SingularPose::t, &SingularPose::until, &SingularPose::kind, &SingularPose::sentence,
                   &SingularPose::loops));
  py::class_<Singularities>(module, "Singularities", "Singular poses along the motion.")
      .def_readonly("poses", &Singularities::poses, "in the order of time")
      .def_readonly("smallest_singular_value", &Singularities::smallest_singular_value,
                    "of Phi in the kinetic metric, rows of length one")
      .def_readonly("t_smallest", &Singularities::t_smallest, "s")
      .def_readonly("outcome", &Singularities::outcome, "of the motion")
      .def_readonly("active", &Singularities::active, "driven coordinates")
      .def_readonly("moves", &Singularities::moves, "outputs")
      .def_readonly("notes", &Singularities::notes, "what was chosen, and why")
      .def_readonly("columns", &Singularities::columns, "of the rows: t, rank, sigma, sigma_I, sigma_II, det_I, det_II")
      .def_property_readonly(
          "rows",
          view_of(
              &Singularities::rows, [](const Singularities& self) { return self.rows.size() / self.columns.size(); },
              [](const Singularities& self) { return self.columns.size(); }),
          "singular values and determinants at the recorded times; NaN: not square")
      .def(pickled(&Singularities::poses, &Singularities::smallest_singular_value, &Singularities::t_smallest,
                   &Singularities::outcome, &Singularities::active, &Singularities::moves, &Singularities::notes,
                   &Singularities::columns, &Singularities::rows));

  module.def(
      "singularities",
      [](const Model& model, const std::vector<std::string>& active, const std::vector<std::string>& moves,
         py::object progress) {
        Watch watch(std::move(progress));
        Singularities found = followed(watch, [&] {
          return singularities(model, {active, moves}, [&watch](double t, long steps) { return watch(t, steps); });
        });
        watch.raise_again();
        if (found.outcome.status == Outcome::Status::stopped) found.outcome.sentence += ": " + watch.reason();
        return found;
      },
      py::arg("model"), py::arg("active"), py::arg("moves"), py::arg("progress"));
  // The motion, what Python raised meanwhile, and the numbers.
  module.def(
      "inverse",
      [](const Model& model, const Settings& results, int branch, py::object progress) {
        armature::Numbers numbers;
        const py::tuple motion = watched_motion(std::move(progress), [&](const Progress& watched) {
          return inverse(model, {results, branch}, numbers, watched);
        });
        return py::make_tuple(motion[0], motion[1], numbers);
      },
      py::arg("model"), py::arg("results"), py::arg("branch"), py::arg("progress"));
  module.def(
      "kinematics",
      [](const Model& model, const Settings& moves, const Settings& results, int branch, py::object progress) {
        armature::Numbers numbers;
        const py::tuple motion = watched_motion(std::move(progress), [&](const Progress& watched) {
          return kinematics(model, moves, {results, branch}, numbers, watched);
        });
        return py::make_tuple(motion[0], motion[1], numbers);
      },
      py::arg("model"), py::arg("moves"), py::arg("results"), py::arg("branch"), py::arg("progress"));
  module.def(
      "motion_numbers",
      [](const Model& model, const Settings& results, int branch, const State* state) {
        Watch watch;
        const armature::Numbers numbers = followed(watch, [&] {
          return motion_numbers(model, {results, branch, state},
                                [&watch](double t, long steps) { return watch(t, steps); });
        });
        watch.raise_again();
        return numbers;
      },
      py::arg("model"), py::arg("results"), py::arg("branch"), py::arg("state"));
}

void add_workspace(py::module_& module) {
  const auto columns = [](const Workspace& self) { return self.columns.size(); };
  const auto poses = [](const Workspace& self) { return self.poses.size() / self.columns.size(); };
  const auto axes = [](const Workspace& self) {
    return self.columns.size() - 7;
  };  // what follows is reached and six measures
  const auto points = [](const Workspace& self) { return self.kinds.size(); };
  py::class_<Workspace>(module, "Workspace", "Singular poses over a grid of poses.")
      .def_readonly("columns", &Workspace::columns,
                    "of the poses: the axes, then reached, rank, sigma, sigma_I, sigma_II, det_I, det_II")
      .def_property_readonly("poses", view_of(&Workspace::poses, poses, columns),
                             "one row for each, the first axis fastest; NaN where a pose is not reached")
      .def_property_readonly("curve", view_of(&Workspace::curve, points, axes),
                             "points of singular curves and of the limit of the workspace: one column for each axis")
      .def_readonly("kinds", &Workspace::kinds, "of the points: type I, type II, rank drop or reach")
      .def_readonly("sentences", &Workspace::sentences, "what can move at each point")
      .def_readonly("reached", &Workspace::reached, "poses")
      .def_readonly("undecided", &Workspace::undecided,
                    "poses whose branch could not be determined, because branches meet on the way")
      .def_readonly("active", &Workspace::active, "driven coordinates")
      .def_readonly("moves", &Workspace::moves, "outputs")
      .def_readonly("notes", &Workspace::notes, "what was chosen, and why")
      .def_readonly("sentence", &Workspace::sentence, "how many poses are reached")
      .def("__repr__", [](const Workspace& self) { return self.sentence; })
      .def(pickled(&Workspace::columns, &Workspace::poses, &Workspace::curve, &Workspace::kinds, &Workspace::sentences,
                   &Workspace::reached, &Workspace::undecided, &Workspace::active, &Workspace::moves, &Workspace::notes,
                   &Workspace::sentence));

  module.def(
      "workspace",
      [](const Model& model, const Over& over, const std::vector<std::pair<std::string, double>>& hold,
         const std::vector<std::string>& active, const std::vector<std::string>& moves, int threads,
         py::object progress) {
        return compute(threads, std::move(progress), [&](const StudyOptions& options) {
          return workspace(model, {axes_of(over), hold, active, moves}, options);
        });
      },
      py::arg("model"), py::arg("over"), py::arg("hold"), py::arg("active"), py::arg("moves"), py::arg("threads"),
      py::arg("progress"));
}

}  // namespace

void add_analyses(py::module_& module) {
  add_modes(module);
  add_motions(module);
  add_workspace(module);
}

}  // namespace armature::python
