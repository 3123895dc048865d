// armature draw FILE: the machine as a kinematic diagram.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "interrupt.hpp"
#include "model_arguments.hpp"
#include "picture_arguments.hpp"
#include "progress_bar.hpp"
#include "record/json_text.hpp"
#include "report/drawn_motion.hpp"
#include "start_arguments.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* draw_examples =
    "Examples:\n"
    "  armature draw models/slider_crank.yaml -o start.svg --dimensions\n"
    "  armature draw models/rrr.yaml -o poses.svg --at 0,0.3,0.6 --trace platform.C\n"
    "  armature draw models/delta.yaml -o delta.png --view iso --names\n"
    "  armature run models/crane.yaml --set rope='1 m' -o crane\n"
    "  armature draw crane -o late.pdf --at 8 --velocities --centers\n"
    "  armature draw models/rrr_motors.yaml -o free.svg --at 0.3935121 --free\n"
    "\nFILE is a model, or the results folder of a run. A model is drawn at its start; for later times it is "
    "simulated.";

struct DrawArguments {
  ModelArguments model;
  StartArguments start;
  plot::PoseOptions picture;
  std::string output;
  double width = 160, height = 120, dots_per_inch = 200;  // mm
};

plot::DrawnMotion motion_of(const DrawArguments& arguments) {
  if (std::filesystem::is_directory(arguments.model.file)) {
    if (!arguments.model.set.empty() || arguments.start.branch != 0)
      throw UsageError(fmt::format("{}: is a run; --set and --branch belong to a model", arguments.model.file));
    return plot::motion_of_run(arguments.model.file);
  }
  const Interrupt interrupt;
  ProgressBar bar(0, arguments.picture.times.empty() ? 1 : arguments.picture.times.back());
  return plot::motion_of_model(arguments.model.read(), arguments.start, arguments.picture, [&](double t, long steps) {
    bar.update(t, steps);
    return !interrupt.requested();
  });
}

int draw(DrawArguments arguments) {
  constexpr double points_of_mm = 72 / 25.4;
  plot::PoseOptions& picture = arguments.picture;
  picture.width = arguments.width * points_of_mm, picture.height = arguments.height * points_of_mm;
  const plot::DrawnMotion motion = motion_of(arguments);
  picture.times = plot::times_within(motion.rows, picture.times);
  write_drawing(drawing_of_poses(motion.model, motion.rows, picture), arguments.output, arguments.dots_per_inch);
  if (arguments.model.json)
    fmt::print("{}\n", json_text({{"status", "finished"}, {"file", arguments.output}}));
  else
    fmt::print("{}\n", arguments.output);
  return ok;
}

}  // namespace

Verb add_draw(CLI::App& app) {
  auto arguments = std::make_shared<DrawArguments>();
  CLI::App* verb = app.add_subcommand("draw", "draw the machine as a diagram: svg, png or pdf");
  verb->footer(draw_examples);
  arguments->model.add_to(*verb);
  verb->add_option("-o,--output", arguments->output, "picture to write: .svg, .png or .pdf")
      ->type_name("FILE")
      ->required();
  verb->add_option("--at", arguments->picture.times,
                   "times at which to draw the machine, overlaid in one picture (default: the start)")
      ->type_name("SECONDS,…")
      ->delimiter(',');
  verb->add_flag("--dimensions", arguments->picture.dimensions, "give the lengths between joints");
  verb->add_flag("--free", arguments->picture.free, "arrows for what can move at a singular pose");
  add_picture_options(*verb, arguments->picture);
  verb->add_option("--width", arguments->width, "width of the picture (default: 160 mm)")
      ->type_name("MM")
      ->check(between(40, 2000));
  verb->add_option("--height", arguments->height, "largest height (default: 120 mm)")
      ->type_name("MM")
      ->check(between(30, 2000));
  verb->add_option("--dpi", arguments->dots_per_inch, "dots per inch of a png (default: 200)")
      ->type_name("N")
      ->check(whole_between(20, 2400));
  arguments->start.add_to(*verb, false);
  return [arguments] { return draw(*arguments); };
}

}  // namespace armature::internal::cli
