#include "study.hpp"

#include <armature/identify.hpp>

namespace armature::python {

void add_identify(py::module_& module) {
  py::class_<Estimated>(module, "Estimated", "An unknown of an identification.")
      .def_readonly("name", &Estimated::name, "of the parameter, coordinate or column")
      .def_readonly("kind", &Estimated::kind, "\"parameter\", \"start\" or \"offset\"")
      .def_readonly("unit", &Estimated::unit, "SI; empty: none is known")
      .def_readonly("record", &Estimated::record, "of a start value, from 1; 0: all")
      .def_readonly("first", &Estimated::first, "where the search began")
      .def_readonly("value", &Estimated::value, "the estimate")
      .def_readonly("deviation", &Estimated::deviation, "standard deviation; infinite: the data do not determine it")
      .def_readonly("low", &Estimated::low, "end of the 95 % confidence interval")
      .def_readonly("high", &Estimated::high, "end of the 95 % confidence interval")
      .def_readonly("at_bound", &Estimated::at_bound, "whether it is at an end of its range")
      .def("__repr__",
           [](const Estimated& self) {
             return py::str("{} = {:.6g} ± {:.2g}").format(self.name, self.value, self.value - self.low);
           })
      .def(pickled(&Estimated::name, &Estimated::kind, &Estimated::unit, &Estimated::record, &Estimated::first,
                   &Estimated::value, &Estimated::deviation, &Estimated::low, &Estimated::high, &Estimated::at_bound));

  py::class_<FittedColumn>(module, "FittedColumn", "A measured column and the signal that follows it.")
      .def_readonly("name", &FittedColumn::name, "of the signal")
      .def_readonly("unit", &FittedColumn::unit, "SI")
      .def_readonly("record", &FittedColumn::record, "from 1")
      .def_readonly("noise", &FittedColumn::noise, "standard deviation by which the column is weighted")
      .def_readonly("rms", &FittedColumn::rms, "of the residuals")
      .def_readonly("neighbor_correlation", &FittedColumn::neighbor_correlation, "of the residuals")
      .def_readonly("white", &FittedColumn::white, "whether the residuals are white noise")
      .def_readonly("peak_frequency", &FittedColumn::peak_frequency, "Hz: frequency with most of the residuals' power")
      .def_property_readonly("t", view_of(&FittedColumn::t), "s")
      .def_property_readonly("measured", view_of(&FittedColumn::measured), "NaN: not measured")
      .def_property_readonly("simulated", view_of(&FittedColumn::simulated), "with the estimates")
      .def(pickled(&FittedColumn::name, &FittedColumn::unit, &FittedColumn::record, &FittedColumn::noise,
                   &FittedColumn::rms, &FittedColumn::neighbor_correlation, &FittedColumn::white,
                   &FittedColumn::peak_frequency, &FittedColumn::t, &FittedColumn::measured, &FittedColumn::simulated));

  py::class_<Identified::Excitation>(module, "Excitation",
                                     "The next experiment: inputs whose record would be most informative.")
      .def_readonly("inputs", &Identified::Excitation::inputs, "names")
      .def_property_readonly("t", view_of(&Identified::Excitation::t), "s")
      .def_property_readonly(
          "values",
          view_of(
              &Identified::Excitation::values, [](const Identified::Excitation& self) { return self.t.size(); },
              [](const Identified::Excitation& self) { return self.inputs.size(); }),
          "SI, a row per time")
      .def_property_readonly("deviations", view_of(&Identified::Excitation::deviations),
                             "of the fitted parameters after that record; infinite: not determined")
      .def(pickled(&Identified::Excitation::inputs, &Identified::Excitation::t, &Identified::Excitation::values,
                   &Identified::Excitation::deviations));

  py::class_<Identified>(module, "Identified", "Parameters from measured records.")
      .def_readonly("converged", &Identified::converged, "whether the search converged")
      .def_readonly("sentence", &Identified::sentence, "how it ended")
      .def_readonly("estimates", &Identified::estimates, "parameters, start values, offsets")
      .def("__getitem__",
           [](const Identified& self, const std::string& name) {
             for (const Estimated& estimate : self.estimates)
               if (estimate.name == name) return estimate;
             throw UnknownName("there is no estimate '" + name + "'");
           })
      .def_property_readonly("correlation",
                             view_of(
                                 &Identified::correlation, [](const Identified& self) { return self.estimates.size(); },
                                 [](const Identified& self) { return self.estimates.size(); }),
                             "of the estimates; NaN: not determined")
      .def_readonly("undetermined", &Identified::undetermined, "what the data do not determine, in words")
      .def_readonly("columns", &Identified::columns, "with their residuals")
      .def_readonly("notes", &Identified::notes, "further remarks")
      .def_readonly("warnings", &Identified::warnings, "why the estimates are less certain than their intervals")
      .def_readonly("text", &Identified::text, "of the model file with the estimates")
      .def_readonly("evaluations", &Identified::evaluations, "of all records")
      .def_readonly("excitation", &Identified::excitation, "the next experiment, if requested")
      .def("__repr__", [](const Identified& self) { return self.sentence; })
      .def(pickled(&Identified::converged, &Identified::sentence, &Identified::estimates, &Identified::correlation,
                   &Identified::undetermined, &Identified::columns, &Identified::notes, &Identified::warnings,
                   &Identified::text, &Identified::evaluations, &Identified::excitation));

  module.def(
      "identify",
      [](const Model& model, const std::vector<std::string>& records,
         const std::vector<std::tuple<std::string, double, double>>& fit, const std::vector<std::string>& fit_start,
         const std::vector<std::string>& offset, const std::vector<std::string>& use,
         const std::vector<std::pair<std::string, double>>& noise, bool robust, int evaluations, bool excite,
         int threads, py::object progress) {
        IdentifyQuestion question;
        for (const auto& [name, low, high] : fit) question.fit.push_back({name, low, high});
        question.fit_start = fit_start, question.offset = offset, question.use = use, question.noise = noise;
        question.robust = robust, question.evaluations = evaluations, question.excite = excite;
        return compute(threads, std::move(progress),
                       [&](const StudyOptions& options) { return identify(model, records, question, options); });
      },
      py::arg("model"), py::arg("records"), py::arg("fit"), py::arg("fit_start"), py::arg("offset"), py::arg("use"),
      py::arg("noise"), py::arg("robust"), py::arg("evaluations"), py::arg("excite"), py::arg("threads"),
      py::arg("progress"));
  module.def(
      "driven_by",
      [](const Model& model, const std::string& record) { return computed([&] { return driven_by(model, record); }); },
      py::arg("model"), py::arg("record"));
}

}  // namespace armature::python
