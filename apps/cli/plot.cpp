// armature plot RUN…: figures for print.

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "errors.hpp"
#include "report/run_figure.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* plot_examples =
    "Examples:\n"
    "  armature run models/rrr_motors.yaml -o rrr\n"
    "  armature plot rrr -o angles.svg\n"
    "  armature plot rrr -o drives.pdf --channels 'theta*','motor1.*'\n"
    "  armature run models/rrr_motors.yaml --rtol 1e-4 -o coarse\n"
    "  armature plot rrr coarse -o error.png --channels constraint.position --log\n"
    "  armature plot rrr -o path.svg --x platform.C.x --channels platform.C.y\n"
    "\nChannels with the same unit share a panel. Over a channel of their own unit\n(--x), both axes have the same "
    "scale: a path keeps its shape. Channels are the\ncolumns of trajectory.csv.";

struct PlotArguments {
  std::vector<std::string> runs;
  std::string output;
  plot::RunFigureOptions figure;
  bool no_events = false;
  double width = 160, dots_per_inch = 200;  // mm
  std::optional<double> height;             // of a panel, mm
};

constexpr double points_per_mm = 72 / 25.4;

int draw_figure(const PlotArguments& arguments) {
  plot::RunFigureOptions options = arguments.figure;
  options.events = !arguments.no_events;
  for (const auto& [name, value] : {std::pair{"--from", options.from}, {"--to", options.to}})
    if (value && !std::isfinite(*value)) throw UsageError(fmt::format("{}: {} is not a finite number", name, *value));
  if (options.from && options.to && *options.from >= *options.to) throw UsageError("--from must be less than --to");
  plot::Figure figure = plot::figure_of_runs({arguments.runs.begin(), arguments.runs.end()}, options);
  figure.width = arguments.width * points_per_mm;
  figure.panel_height = arguments.height.value_or(figure.true_scale ? 0.65 * arguments.width : 53) * points_per_mm;
  write_drawing(drawing_of(figure), arguments.output, arguments.dots_per_inch);
  fmt::print("{}\n", arguments.output);
  return ok;
}

}  // namespace

Verb add_plot(CLI::App& app) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* verb = app.add_subcommand("plot", "draw channels of one or more runs as svg, png or pdf");
  verb->footer(plot_examples);
  verb->add_option("RUN", arguments->runs, "results folder; several are drawn in the same figure")->required();
  verb->add_option("-o,--output", arguments->output, "figure to write: .svg, .png or .pdf")
      ->type_name("FILE")
      ->required();
  verb->add_option("-c,--channels", arguments->figure.channels,
                   "names, with * as a wildcard (default: the coordinates)")
      ->type_name("NAME,…")
      ->delimiter(',');
  verb->add_option("--x", arguments->figure.x, "channel of the horizontal axis (default: t)")->type_name("NAME");
  verb->add_flag("--log", arguments->figure.logarithmic, "logarithmic vertical axes, showing absolute values");
  verb->add_option("--from", arguments->figure.from, "first value of the horizontal axis")->type_name("X");
  verb->add_option("--to", arguments->figure.to, "last value of the horizontal axis")->type_name("X");
  verb->add_flag("--no-events", arguments->no_events, "do not mark the events of the first run");
  verb->add_option("--title", arguments->figure.title, "title above the figure")->type_name("TEXT");
  verb->add_option("--width", arguments->width, "width of the figure (default: 160 mm)")
      ->type_name("MM")
      ->check(between(40, 2000));
  verb->add_option("--height", arguments->height, "height of a panel (default: 53 mm, of a path 65 % of the width)")
      ->type_name("MM")
      ->check(between(15, 2000));
  verb->add_option("--dpi", arguments->dots_per_inch, "dots per inch of a png (default: 200)")
      ->type_name("N")
      ->check(whole_between(20, 2400));
  return [arguments] { return draw_figure(*arguments); };
}

}  // namespace armature::internal::cli
