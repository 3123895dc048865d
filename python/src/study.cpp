#include "call.hpp"

namespace armature::python {

namespace {

using Over = std::vector<std::tuple<std::string, double, double, int>>;

std::vector<Axis> axes_of(const Over& over) {
  std::vector<Axis> axes;
  for (const auto& [name, from, to, count] : over) axes.push_back({name, from, to, count});
  return axes;
}

StudyOptions options_of(int threads, Watch& watch) {
  StudyOptions options;
  options.threads = threads;
  options.progress = [&watch](long done, long count) { return watch(done, count); };
  return options;
}

py::array_t<double> table_of(const std::vector<std::vector<double>>& rows) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  py::array_t<double> table({static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
  for (std::size_t k = 0; k < rows.size(); ++k) std::copy(rows[k].begin(), rows[k].end(), table.mutable_data() + k * columns);
  return table;
}

py::array_t<double> columns_of(const std::vector<std::vector<double>>& columns) {
  return table_of(columns).attr("T").attr("copy")();
}

template <class Compute>
auto compute(int threads, py::object progress, const Compute& compute) {
  Watch watch(std::move(progress));
  return computed(watch, [&] { return compute(options_of(threads, watch)); });
}

void add_map(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic", "Motions that failed, or that a single run would warn of, by reason.")
      .def_readonly("sentence", &Diagnostic::sentence, "of the first one")
      .def_readonly("count", &Diagnostic::count, "of motions")
      .def("__repr__", [](const Diagnostic& self) { return py::str("{}: {}").format(self.count, self.sentence); })
      .def(pickled(&Diagnostic::sentence, &Diagnostic::count));

  py::class_<Map>(module, "Map", "The class of the motion over a grid.")
      .def_readonly("classes", &Map::classes, "their names")
      .def_property_readonly("points", [](const Map& self) { return table_of(self.points); }, "one row for each motion")
      .def_property_readonly(
          "motion_class", [](const Map& self) { return py::array_t<int>(py::ssize_t(self.motion_class.size()), self.motion_class.data()); },
          "by point; -1: the motion failed")
      .def_property_readonly("decided", view_of(&Map::decided), "s: when the class was known")
      .def_readonly("failures", &Map::failures, "by reason")
      .def_readonly("warnings", &Map::warnings, "by reason")
      .def_readonly("sentence", &Map::sentence, "what was computed")
      .def("__repr__", [](const Map& self) { return self.sentence; })
      .def(pickled(&Map::classes, &Map::points, &Map::motion_class, &Map::decided, &Map::failures, &Map::warnings, &Map::sentence));

  module.def(
      "map",
      [](const Model& model, const Over& over, const std::string& classify, int refine, int threads, py::object progress) {
        return compute(threads, std::move(progress), [&](const StudyOptions& options) {
          return map(model, {axes_of(over), classify, refine}, options);
        });
      },
      py::arg("model"), py::arg("over"), py::arg("classify"), py::arg("refine"), py::arg("threads"), py::arg("progress"));
}

void add_sweep(py::module_& module) {
  py::class_<Sweep>(module, "Sweep", "Numbers of many motions.")
      .def_readonly("variables", &Sweep::variables, "names of what was varied")
      .def_readonly("results", &Sweep::results, "their names")
      .def_property_readonly("points", [](const Sweep& self) { return table_of(self.points); }, "one row for each motion")
      .def_property_readonly("values", [](const Sweep& self) { return columns_of(self.values); },
                             "one row for each motion, one column for each result; NaN: the motion did not reach its end")
      .def_property_readonly("main_effects", [](const Sweep& self) { return table_of(self.main_effects); },
                             "by result, then by variable")
      .def("__getitem__",
           [](const Sweep& self, const std::string& name) {
             for (std::size_t k = 0; k < self.variables.size(); ++k)
               if (self.variables[k] == name) {
                 std::vector<double> column;
                 for (const auto& point : self.points) column.push_back(point[k]);
                 return array_of(column);
               }
             for (std::size_t k = 0; k < self.results.size(); ++k)
               if (self.results[k] == name) return array_of(self.values[k]);
             throw py::key_error("there is no variable or result '" + name + "'");
           })
      .def_readonly("failures", &Sweep::failures, "by reason")
      .def_readonly("warnings", &Sweep::warnings, "by reason")
      .def_readonly("sentence", &Sweep::sentence, "what was computed")
      .def("__repr__", [](const Sweep& self) { return self.sentence; })
      .def(pickled(&Sweep::variables, &Sweep::results, &Sweep::points, &Sweep::values, &Sweep::main_effects, &Sweep::failures,
                   &Sweep::warnings, &Sweep::sentence));

  module.def(
      "sweep",
      [](const Model& model, const Over& over, const Settings& results, int latin, int sobol, unsigned seed,
         const std::vector<std::vector<double>>& points, int threads, py::object progress) {
        return compute(threads, std::move(progress), [&](const StudyOptions& options) {
          return sweep(model, {axes_of(over), results, latin, sobol, seed, points}, options);
        });
      },
      py::arg("model"), py::arg("over"), py::arg("results"), py::arg("latin"), py::arg("sobol"), py::arg("seed"),
      py::arg("points"), py::arg("threads"), py::arg("progress"));
}

void add_optimize(py::module_& module) {
  py::class_<Optimum>(module, "Optimum", "The variables for which a number of the motion is smallest or largest.")
      .def_readonly("found", &Optimum::found, "whether a motion fulfils all conditions")
      .def_readonly("variables", &Optimum::variables, "their names")
      .def_property_readonly("point", view_of(&Optimum::point), "their values, SI")
      .def_readonly("objective", &Optimum::objective, "the number there, SI")
      .def_readonly("evaluations", &Optimum::evaluations, "motions")
      .def_readonly("method", &Optimum::method, "that was used")
      .def_readonly("sentence", &Optimum::sentence, "what was found")
      .def_readonly("caveat", &Optimum::caveat, "why the result is worth little; or empty")
      .def("__repr__", [](const Optimum& self) { return self.sentence; })
      .def(pickled(&Optimum::found, &Optimum::variables, &Optimum::point, &Optimum::objective, &Optimum::evaluations, &Optimum::method,
                   &Optimum::sentence, &Optimum::caveat));

  module.def(
      "optimize",
      [](const Model& model, const Over& over, const std::string& objective, bool maximize,
         const std::vector<std::string>& subject, const std::string& method, int evaluations, int starts, double tolerance,
         int threads, py::object progress) {
        return compute(threads, std::move(progress), [&](const StudyOptions& options) {
          return optimize(model, {axes_of(over), objective, maximize, subject, method, evaluations, starts, tolerance}, options);
        });
      },
      py::arg("model"), py::arg("over"), py::arg("objective"), py::arg("maximize"), py::arg("subject"), py::arg("method"),
      py::arg("evaluations"), py::arg("starts"), py::arg("tolerance"), py::arg("threads"), py::arg("progress"));
}

void add_tune(py::module_& module) {
  py::class_<TunedGains>(module, "TunedGains", "Gains of Baumgarte's method.")
      .def_readonly("found", &TunedGains::found, "whether a stable pair was found")
      .def_readonly("alpha", &TunedGains::alpha, "1/s")
      .def_readonly("beta", &TunedGains::beta, "1/s^2")
      .def_readonly("error", &TunedGains::error, "with them")
      .def_readonly("error_without", &TunedGains::error_without, "without stabilization")
      .def_readonly("sentence", &TunedGains::sentence, "why these")
      .def("__repr__", [](const TunedGains& self) { return self.sentence; })
      .def(pickled(&TunedGains::found, &TunedGains::alpha, &TunedGains::beta, &TunedGains::error, &TunedGains::error_without,
                   &TunedGains::sentence));

  module.def(
      "tune",
      [](const Model& model, const std::vector<double>& alpha, const std::vector<double>& beta, const std::string& of, int refine,
         int threads, py::object progress) {
        return compute(threads, std::move(progress), [&](const StudyOptions& options) {
          return tune(model, {alpha, beta, of, refine}, options);
        });
      },
      py::arg("model"), py::arg("alpha"), py::arg("beta"), py::arg("of"), py::arg("refine"), py::arg("threads"),
      py::arg("progress"));
}

void add_modes(py::module_& module) {
  py::class_<Modes::Mode>(module, "Mode", "One way to vibrate.")
      .def_readonly("eigenvalue", &Modes::Mode::eigenvalue, "1/s")
      .def_readonly("frequency", &Modes::Mode::frequency, "undamped, rad/s")
      .def_readonly("damping", &Modes::Mode::damping, "ratio")
      .def_property_readonly("shape", [](const Modes::Mode& self) {
        return py::array_t<std::complex<double>>(py::ssize_t(self.shape.size()), self.shape.data());
      }, "of q, v and z")
      .def(pickled(&Modes::Mode::eigenvalue, &Modes::Mode::frequency, &Modes::Mode::damping, &Modes::Mode::shape));

  const auto states = [](const Modes& self) { return self.states.size(); };
  const auto inputs = [](const Modes& self) { return self.inputs.size(); };
  const auto outputs = [](const Modes& self) { return self.outputs.size(); };
  py::class_<Modes>(module, "Modes", "Small vibrations, and the linear system xi' = A xi + B du, dy = C xi + D du.")
      .def_readonly("state", &Modes::state, "about which the motion is linearized")
      .def_readonly("modes", &Modes::modes, "the slowest first")
      .def_readonly("states", &Modes::states, "names of xi")
      .def_readonly("inputs", &Modes::inputs, "names of u")
      .def_readonly("outputs", &Modes::outputs, "names of y")
      .def_property_readonly("A", view_of(&Modes::A, states, states), "of the states")
      .def_property_readonly("B", view_of(&Modes::B, states, inputs), "of the inputs")
      .def_property_readonly("C", view_of(&Modes::C, outputs, states), "outputs of the states")
      .def_property_readonly("D", view_of(&Modes::D, outputs, inputs), "outputs of the inputs")
      .def_readonly("warnings", &Modes::warnings, "what is odd about the model")
      .def(pickled(&Modes::state, &Modes::modes, &Modes::states, &Modes::inputs, &Modes::outputs, &Modes::A, &Modes::B, &Modes::C,
                   &Modes::D, &Modes::warnings));

  module.def(
      "modes", [](const Model& model, bool equilibrium) { return computed([&] { return modes(model, {equilibrium}); }); },
      py::arg("model"), py::arg("equilibrium"));
}

void add_motions(py::module_& module) {
  py::class_<SingularPose>(module, "SingularPose", "A singular pose along the motion.")
      .def_readonly("t", &SingularPose::t, "s")
      .def_readonly("until", &SingularPose::until, "s; larger than t: the motion stays singular")
      .def_readonly("kind", &SingularPose::kind, "type I, type II or rank drop")
      .def_readonly("sentence", &SingularPose::sentence, "what can move there")
      .def("__repr__", [](const SingularPose& self) { return py::str("t = {:.6g} s: {}").format(self.t, self.sentence); })
      .def(pickled(&SingularPose::t, &SingularPose::until, &SingularPose::kind, &SingularPose::sentence));
  py::class_<Singularities>(module, "Singularities", "Singular poses along the motion.")
      .def_readonly("poses", &Singularities::poses, "in the order of time")
      .def_readonly("smallest_singular_value", &Singularities::smallest_singular_value, "of Phi in the kinetic metric, rows of length one")
      .def_readonly("t_smallest", &Singularities::t_smallest, "s")
      .def_readonly("outcome", &Singularities::outcome, "of the motion")
      .def(pickled(&Singularities::poses, &Singularities::smallest_singular_value, &Singularities::t_smallest, &Singularities::outcome));

  module.def(
      "singularities",
      [](const Model& model, py::object progress) {
        Watch watch(std::move(progress));
        Singularities found = followed(
            watch, [&] { return singularities(model, [&watch](double t, long steps) { return watch(t, steps); }); });
        watch.raise_again();
        if (found.outcome.status == Outcome::Status::stopped) found.outcome.sentence += ": " + watch.reason();
        return found;
      },
      py::arg("model"), py::arg("progress"));
  module.def(
      "inverse",
      [](const Model& model, py::object progress) {
        return watched_motion(std::move(progress), [&](const Progress& watched) { return inverse(model, watched); });
      },
      py::arg("model"), py::arg("progress"));
  module.def(
      "kinematics",
      [](const Model& model, const Settings& moves, py::object progress) {
        return watched_motion(std::move(progress), [&](const Progress& watched) { return kinematics(model, moves, watched); });
      },
      py::arg("model"), py::arg("moves"), py::arg("progress"));
}

// Arrays of the caller are used as they are: nothing is copied.
void add_rollout(py::module_& module) {
  py::class_<Rollout>(module, "Rollout", "Many motions of one machine at once, in steps of one length.")
      .def(py::init([](const Machine& machine, double step, const std::string& integrator, bool gpu) {
             return computed([&] { return Rollout(machine, {step, integrator, gpu}); });
           }),
           py::arg("machine"), py::arg("step"), py::arg("integrator"), py::arg("gpu"))
      .def_property_readonly("channels", &Rollout::channels)
      .def("row", [](const Rollout& self, const State& state) { return array_of(self.row(state)); })
      .def(
          "run",
          [](const Rollout& self, const Numbers& states, const Numbers& inputs, long steps, long every, double t, int threads,
             py::array_t<double, py::array::c_style> kept, py::array_t<long, py::array::c_style> failed, py::object progress) {
            const Rollout::Batch batch{
                t, steps, {states.data(), std::size_t(states.size())}, {inputs.data(), std::size_t(inputs.size())}, every};
            const std::span<double> out(kept.mutable_data(), std::size_t(kept.size()));
            const std::span<long> steps_failed(failed.mutable_data(), std::size_t(failed.size()));
            compute(threads, std::move(progress), [&](const StudyOptions& options) { self.run(batch, out, steps_failed, options); });
          },
          py::arg("states"), py::arg("inputs"), py::arg("steps"), py::arg("every"), py::arg("t"), py::arg("threads"),
          py::arg("kept").noconvert(), py::arg("failed").noconvert(), py::arg("progress"));
}

}  // namespace

void add_study(py::module_& module) {
  add_map(module);
  add_sweep(module);
  add_optimize(module);
  add_tune(module);
  add_modes(module);
  add_motions(module);
  add_rollout(module);
}

}  // namespace armature::python
