#include "study.hpp"

namespace armature::python {

namespace {

void add_map(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic", "Motions that failed, or for which a single run would warn, by reason.")
      .def_readonly("sentence", &Diagnostic::sentence, "of the first one")
      .def_readonly("count", &Diagnostic::count, "of motions")
      .def_readonly("code", &Diagnostic::code, "of a warning, as in docs/trust.md; or empty")
      .def("__repr__", [](const Diagnostic& self) { return py::str("{}: {}").format(self.count, self.sentence); })
      .def(pickled(&Diagnostic::sentence, &Diagnostic::count, &Diagnostic::code));

  py::class_<StudyErrors>(module, "StudyErrors",
                          "Errors of the numbers of a study, estimated by repetitions of some motions.")
      .def_readonly("repetition", &StudyErrors::repetition, "how the motions were repeated; empty: they were not")
      .def_readonly("missing", &StudyErrors::missing, "why there is no estimate; empty: there is one")
      .def_readonly("motions", &StudyErrors::motions, "that were repeated")
      .def_property_readonly(
          "worst",
          [](const StudyErrors& self) {
            py::dict worst;
            for (const auto& [name, error] : self.worst) worst[py::str(name)] = error;
            return worst;
          },
          "the largest error of each result, by name; of an optimization that of the objective")
      .def_readonly("of_other_class", &StudyErrors::of_other_class,
                    "of a map: repeated motions that belong to another class")
      .def("__repr__",
           [](const StudyErrors& self) {
             if (self.repetition.empty()) return py::str("no errors were asked for");
             if (!self.missing.empty()) return py::str("no error estimate: {}").format(self.missing);
             return py::str("{} motions repeated with {}").format(self.motions, self.repetition);
           })
      .def(pickled(&StudyErrors::repetition, &StudyErrors::missing, &StudyErrors::motions, &StudyErrors::worst,
                   &StudyErrors::of_other_class));

  py::class_<Map>(module, "Map", "The class of the motion over a grid.")
      .def_readonly("classes", &Map::classes, "their names")
      .def_property_readonly(
          "points", [](const Map& self) { return table_of(self.points); }, "one row for each motion")
      .def_property_readonly(
          "motion_class",
          [](const Map& self) {
            return py::array_t<int>(py::ssize_t(self.motion_class.size()), self.motion_class.data());
          },
          "by point; -1: the motion failed")
      .def_property_readonly("decided", view_of(&Map::decided), "s: time at which the class was decided")
      .def_readonly("failures", &Map::failures, "by reason")
      .def_readonly("warnings", &Map::warnings, "by reason")
      .def_readonly("sentence", &Map::sentence, "what was computed")
      .def_readonly("errors", &Map::errors, "of eight motions")
      .def("__repr__", [](const Map& self) { return self.sentence; })
      .def(pickled(&Map::classes, &Map::points, &Map::motion_class, &Map::decided, &Map::failures, &Map::warnings,
                   &Map::sentence, &Map::errors));

  module.def(
      "map",
      [](const Model& model, const Over& over, const std::string& classify, int refine, int gpu, bool errors,
         int threads, py::object progress) {
        return compute(
            threads, std::move(progress),
            [&](const StudyOptions& options) {
              return map(model, {axes_of(over), classify, refine, static_cast<Gpu>(gpu)}, options);
            },
            errors);
      },
      py::arg("model"), py::arg("over"), py::arg("classify"), py::arg("refine"), py::arg("gpu"), py::arg("errors"),
      py::arg("threads"), py::arg("progress"));
}

void add_sweep(py::module_& module) {
  py::class_<Sweep>(module, "Sweep", "Numbers of many motions.")
      .def_readonly("variables", &Sweep::variables, "names of what was varied")
      .def_readonly("results", &Sweep::results, "their names")
      .def_property_readonly(
          "points", [](const Sweep& self) { return table_of(self.points); }, "one row for each motion")
      .def_property_readonly(
          "values", [](const Sweep& self) { return columns_of(self.values); },
          "one row for each motion, one column for each result; NaN: the motion did not reach its end")
      .def_property_readonly(
          "main_effects", [](const Sweep& self) { return table_of(self.main_effects); }, "by result, then by variable")
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
             throw UnknownName("there is no variable or result '" + name + "'");
           })
      .def_readonly("failures", &Sweep::failures, "by reason")
      .def_readonly("warnings", &Sweep::warnings, "by reason")
      .def_readonly("sentence", &Sweep::sentence, "what was computed")
      .def_readonly("errors", &Sweep::errors, "of eight motions")
      .def("__repr__", [](const Sweep& self) { return self.sentence; })
      .def(pickled(&Sweep::variables, &Sweep::results, &Sweep::points, &Sweep::values, &Sweep::main_effects,
                   &Sweep::failures, &Sweep::warnings, &Sweep::sentence, &Sweep::errors));

  module.def(
      "sweep",
      [](const Model& model, const Over& over, const Settings& results, int latin, int sobol, unsigned seed,
         const std::vector<std::vector<double>>& points, bool inverse, int gpu, bool errors, int threads,
         py::object progress) {
        return compute(
            threads, std::move(progress),
            [&](const StudyOptions& options) {
              return sweep(model, {axes_of(over), results, latin, sobol, seed, points, inverse, static_cast<Gpu>(gpu)},
                           options);
            },
            errors);
      },
      py::arg("model"), py::arg("over"), py::arg("results"), py::arg("latin"), py::arg("sobol"), py::arg("seed"),
      py::arg("points"), py::arg("inverse"), py::arg("gpu"), py::arg("errors"), py::arg("threads"),
      py::arg("progress"));
}

void add_optimize(py::module_& module) {
  py::class_<Optimum>(module, "Optimum", "The variables for which a number of the motion is smallest or largest.")
      .def_readonly("found", &Optimum::found, "whether a motion satisfies all conditions")
      .def_readonly("variables", &Optimum::variables, "their names")
      .def_property_readonly("point", view_of(&Optimum::point), "their values, SI")
      .def_readonly("objective", &Optimum::objective, "the number there, SI; NaN: nothing was found")
      .def_readonly("evaluations", &Optimum::evaluations, "motions")
      .def_readonly("method", &Optimum::method, "that was used")
      .def_readonly("sentence", &Optimum::sentence, "what was found")
      .def_readonly("caveat", &Optimum::caveat, "why the result should not be trusted; or empty")
      .def_readonly("chosen", &Optimum::chosen, "options of choices, as given")
      .def_readonly("failures", &Optimum::failures, "by reason")
      .def_readonly("warnings", &Optimum::warnings, "by reason")
      .def_readonly("front", &Optimum::front,
                    "with against: objective, second number, then the variables, by the second number")
      .def_readonly("errors", &Optimum::errors, "of the best motion")
      .def("__repr__", [](const Optimum& self) { return self.sentence; })
      .def(pickled(&Optimum::found, &Optimum::variables, &Optimum::point, &Optimum::objective, &Optimum::evaluations,
                   &Optimum::method, &Optimum::sentence, &Optimum::caveat, &Optimum::chosen, &Optimum::failures,
                   &Optimum::warnings, &Optimum::front, &Optimum::errors));

  module.def(
      "optimize",
      [](const Model& model, const Over& over, const std::string& objective, bool maximize,
         const std::vector<std::string>& subject, const std::string& method, int evaluations, int starts,
         double tolerance, bool inverse, const std::vector<std::string>& choose,
         const std::vector<std::string>& scenarios, const std::vector<std::string>& deviations,
         const std::string& against, int front, const std::string& derivatives, bool errors, int threads,
         py::object progress) {
        return compute(
            threads, std::move(progress),
            [&](const StudyOptions& options) {
              return optimize(model,
                              {axes_of(over), objective, maximize, subject, method, evaluations, starts, tolerance,
                               inverse, choose, scenarios, deviations, against, front, derivatives},
                              options);
            },
            errors);
      },
      py::arg("model"), py::arg("over"), py::arg("objective"), py::arg("maximize"), py::arg("subject"),
      py::arg("method"), py::arg("evaluations"), py::arg("starts"), py::arg("tolerance"), py::arg("inverse"),
      py::arg("choose"), py::arg("scenarios"), py::arg("deviations"), py::arg("against"), py::arg("front"),
      py::arg("derivatives"), py::arg("errors"), py::arg("threads"), py::arg("progress"));
}

py::array_t<double> numbers_of_pairs(const std::vector<GainPair>& pairs) {
  std::vector<std::vector<double>> rows;
  for (const GainPair& pair : pairs)
    rows.push_back({pair.alpha, pair.beta, double(pair.stable), pair.lost, pair.E1, pair.E2, pair.e});
  return table_of(rows);
}

void add_tune(py::module_& module) {
  py::class_<GainPair>(module, "GainPair", "A pair of gains and the errors of its motion.")
      .def_readonly("alpha", &GainPair::alpha, "1/s")
      .def_readonly("beta", &GainPair::beta, "1/s^2")
      .def_readonly("stable", &GainPair::stable, "in the stability region of the integrator")
      .def_readonly("lost", &GainPair::lost, "s: time at which the motion diverged; NaN: it did not")
      .def_readonly("E1", &GainPair::E1, "error of position; NaN if the motion diverged")
      .def_readonly("E2", &GainPair::E2, "error of velocity")
      .def_readonly("e", &GainPair::e, "of both, by the weights")
      .def(pickled(&GainPair::alpha, &GainPair::beta, &GainPair::stable, &GainPair::lost, &GainPair::E1, &GainPair::E2,
                   &GainPair::e));

  py::class_<TunedGains>(module, "TunedGains", "Gains of Baumgarte's method.")
      .def_readonly("found", &TunedGains::found, "whether a stable pair was found")
      .def_readonly("alpha", &TunedGains::alpha, "1/s")
      .def_readonly("beta", &TunedGains::beta, "1/s^2")
      .def_readonly("error", &TunedGains::error, "with them")
      .def_readonly("error_without", &TunedGains::error_without, "without stabilization")
      .def_readonly("sentence", &TunedGains::sentence, "why these")
      .def_property_readonly(
          "pairs", [](const TunedGains& self) { return numbers_of_pairs(self.pairs); },
          "of the grid, alpha fastest, then those of each refinement: alpha, beta, stable, lost, E1, E2, e")
      .def_readonly("without", &TunedGains::without, "without stabilization")
      .def_readonly("projection", &TunedGains::projection, "with projection in place of gains")
      .def_property_readonly("boundary",
                             view_of(
                                 &TunedGains::boundary, [](const TunedGains& self) { return self.boundary.size() / 2; },
                                 [](const TunedGains&) { return 2; }),
                             "of the stability region: alpha step and beta step^2")
      .def_readonly("area", &TunedGains::area, "of the stability region")
      .def_readonly("warnings", &TunedGains::warnings, "of a run with the best gains")
      .def("__repr__", [](const TunedGains& self) { return self.sentence; })
      .def(pickled(&TunedGains::found, &TunedGains::alpha, &TunedGains::beta, &TunedGains::error,
                   &TunedGains::error_without, &TunedGains::sentence, &TunedGains::pairs, &TunedGains::without,
                   &TunedGains::projection, &TunedGains::boundary, &TunedGains::area, &TunedGains::warnings));

  module.def(
      "tune",
      [](const Model& model, const std::vector<double>& alpha, const std::vector<double>& beta, const std::string& of,
         int refine, double position_weight, double velocity_weight, double speed_limit, int gpu, int threads,
         py::object progress) {
        return compute(threads, std::move(progress), [&](const StudyOptions& options) {
          return tune(model,
                      {alpha, beta, of, refine, position_weight, velocity_weight, speed_limit, static_cast<Gpu>(gpu)},
                      options);
        });
      },
      py::arg("model"), py::arg("alpha"), py::arg("beta"), py::arg("of"), py::arg("refine"), py::arg("position_weight"),
      py::arg("velocity_weight"), py::arg("speed_limit"), py::arg("gpu"), py::arg("threads"), py::arg("progress"));
}

// Arrays of the caller are used as they are: nothing is copied.
void add_rollout(py::module_& module) {
  py::class_<Rollout>(module, "Rollout", "Many motions of one machine at once, in steps of one length.")
      .def(py::init([](const Machine& machine, double step, const std::string& integrator, int gpu) {
             return computed([&] { return Rollout(machine, {step, integrator, static_cast<Gpu>(gpu)}); });
           }),
           py::arg("machine"), py::arg("step"), py::arg("integrator"), py::arg("gpu"))
      .def_property_readonly("channels", &Rollout::channels)
      .def("row", [](const Rollout& self, const State& state) { return array_of(self.row(state)); })
      .def(
          "run",
          [](const Rollout& self, const Numbers& states, const Numbers& inputs, long steps, long every, double t,
             int threads, py::array_t<double, py::array::c_style> kept, py::array_t<long, py::array::c_style> failed,
             py::object progress) {
            const Rollout::Batch batch{t,
                                       steps,
                                       {states.data(), std::size_t(states.size())},
                                       {inputs.data(), std::size_t(inputs.size())},
                                       every};
            const std::span<double> out(kept.mutable_data(), std::size_t(kept.size()));
            const std::span<long> steps_failed(failed.mutable_data(), std::size_t(failed.size()));
            return compute(threads, std::move(progress),
                           [&](const StudyOptions& options) { return self.run(batch, out, steps_failed, options); });
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
  add_rollout(module);
}

}  // namespace armature::python
