// Pictures and films of motions, which the library does not offer.
#include "call.hpp"
#include "library/access.hpp"
#include "library/chosen_start.hpp"
#include "library/translate.hpp"
#include "report/drawn_motion.hpp"
#include "report/film.hpp"

namespace armature::python {

namespace {

using internal::plot::FilmOptions;
using internal::plot::MotionRows;
using internal::plot::PoseOptions;

PoseOptions picture_options(const py::dict& given) {
  constexpr double points_per_mm = 72 / 25.4;
  PoseOptions options;
  const auto take = [&](const char* name, auto& value) {
    if (given.contains(name)) value = given[name].cast<std::decay_t<decltype(value)>>();
  };
  take("at", options.times), take("trace", options.traces), take("view", options.view), take("title", options.title);
  take("dimensions", options.dimensions), take("names", options.names), take("centers", options.centers),
      take("frames", options.frames);
  take("velocities", options.velocities), take("reactions", options.reactions), take("free", options.free),
      take("stress", options.stress), take("bend", options.bend);
  take("width", options.width), take("height", options.height);
  if (given.contains("width")) options.width *= points_per_mm, options.height *= points_per_mm;
  return options;
}

MotionRows rows_of(const Motion& motion) {
  internal::MemoryRecorder recorder;
  std::vector<internal::Channel> channels;
  for (const Channel& channel : motion.trajectory.channels()) channels.push_back({channel.name, channel.unit});
  recorder.begin(channels);
  for (std::size_t k = 0; k < motion.trajectory.rows(); ++k) recorder.row(motion.trajectory.row(k));
  return MotionRows(recorder);
}

void write_picture(const internal::Model& model, const MotionRows& rows, PoseOptions options, const std::string& file,
                   double dpi) {
  options.times = internal::plot::times_within(rows, options.times);
  write_drawing(drawing_of_poses(model, rows, options), file, dpi);
}

}  // namespace

void add_pictures(py::module_& module) {
  module.def(
      "draw_model",
      [](const Model& model, int branch, const std::string& file, const py::dict& given, double dpi) {
        const PoseOptions options = picture_options(given);
        computed([&] {
          return translated([&] {
            const auto motion = internal::plot::motion_of_model(internal::Access::of(model),
                                                                start_choice(model, branch, nullptr), options);
            write_picture(motion.model, motion.rows, options, file, dpi);
            return true;
          });
        });
      },
      py::arg("model"), py::arg("branch"), py::arg("file"), py::arg("look"), py::arg("dpi"));
  module.def(
      "draw_motion",
      [](const Model& model, const Motion& motion, const std::string& file, const py::dict& given, double dpi) {
        const PoseOptions options = picture_options(given);
        computed([&] {
          return translated([&] {
            write_picture(internal::Access::of(model), rows_of(motion), options, file, dpi);
            return true;
          });
        });
      },
      py::arg("model"), py::arg("motion"), py::arg("file"), py::arg("look"), py::arg("dpi"));
  module.def(
      "film",
      [](const Model& model, const Motion& motion, const std::string& file, const py::dict& look, int width, int height,
         double fps, std::optional<double> speed, std::optional<double> start, std::optional<double> end) {
        const FilmOptions options{picture_options(look), width, height, fps, speed, start, end};
        computed([&] {
          return translated(
              [&] { return internal::plot::write_film(internal::Access::of(model), rows_of(motion), options, file); });
        });
      },
      py::arg("model"), py::arg("motion"), py::arg("file"), py::arg("look"), py::arg("width"), py::arg("height"),
      py::arg("fps"), py::arg("speed"), py::arg("start"), py::arg("end"));
}

}  // namespace armature::python
