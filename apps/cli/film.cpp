// armature film RUN: the motion of a run as a film.

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "errors.hpp"
#include "expression/number_text.hpp"
#include "interrupt.hpp"
#include "lists.hpp"
#include "model_arguments.hpp"
#include "picture_arguments.hpp"
#include "progress_bar.hpp"
#include "report/drawn_motion.hpp"
#include "report/film.hpp"
#include "terminal.hpp"
#include "validators.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* film_examples =
    "Examples:\n"
    "  armature run models/slider_crank.yaml -o crank\n"
    "  armature film crank -o crank.gif --size 480x320\n"
    "  armature film crank -o slow.gif --from 0.5 --to 1 --speed 0.2 --velocities\n"
    "  armature film crank -o crank.webm --fps 50 --trace pin\n"
    "\nWebM and MP4 need ffmpeg (apt install ffmpeg); a GIF needs nothing.";

struct FilmArguments {
  std::string run, output, size;
  plot::FilmOptions film;
};

// "640x480"
void read_size(const std::string& text, plot::FilmOptions& film) {
  if (text.empty()) return;
  const std::vector<std::string> sides = split_list(text, 'x');
  const auto pixels = [&](std::size_t side) { return sides.size() == 2 ? read_integer(sides[side]).value_or(0) : 0; };
  film.width = pixels(0), film.height = pixels(1);
  if (film.width < 64 || film.height < 64 || film.width > 7680 || film.height > 4320)
    throw UsageError(fmt::format("--size {}: expected WIDTHxHEIGHT in pixels, from 64x64 to 7680x4320", text));
}

std::string described(const plot::Film& film) {
  const double seconds = film.frames / film.per_second;
  std::string text = fmt::format("{} frames, {:.3g} s", film.frames, seconds);
  if (std::abs(film.speed - 1) > 1e-9)
    text += film.speed < 1 ? fmt::format(", {:.3g} times slower than the motion", 1 / film.speed)
                           : fmt::format(", {:.3g} times faster than the motion", film.speed);
  return text;
}

int make_film(FilmArguments arguments) {
  read_size(arguments.size, arguments.film);
  for (const auto& [name, value] : {std::pair{"--from", arguments.film.from}, {"--to", arguments.film.to}})
    if (value && !std::isfinite(*value)) throw UsageError(fmt::format("{}: {} is not a finite number", name, *value));
  const plot::DrawnMotion motion = plot::motion_of_run(arguments.run);
  const plot::Film film = film_of(motion.rows, arguments.film, arguments.output);
  const Interrupt interrupt;
  ProgressBar bar(0, 1);
  const bool written = write_film(motion.model, motion.rows, arguments.film, arguments.output, [&](int frames) {
    bar.show([&](double elapsed) { return cells_line("film", 0, frames, film.frames, elapsed, columns(stderr)); });
    return !interrupt.requested();
  });
  bar.wipe();
  if (!written) throw ComputationError("stopped; no film was written");
  print_note(described(film));
  fmt::print("{}\n", arguments.output);
  return ok;
}

}  // namespace

Verb add_film(CLI::App& app) {
  auto arguments = std::make_shared<FilmArguments>();
  CLI::App* verb = app.add_subcommand("film", "make a film of a run: gif, webm or mp4");
  verb->footer(film_examples);
  verb->add_option("RUN", arguments->run, "results folder")->required();
  verb->add_option("-o,--output", arguments->output, "film to write: .gif, .webm or .mp4")
      ->type_name("FILE")
      ->required();
  verb->add_option("--size", arguments->size, "width and height in pixels (default: 640x480)")->type_name("WxH");
  verb->add_option("--fps", arguments->film.per_second, "frames per second (default: 25)")
      ->type_name("N")
      ->check(between(1, 120));
  verb->add_option("--speed", arguments->film.speed,
                   "seconds of motion per second of film: 0.1 is slow motion (default: 1; adapted if the motion takes "
                   "less than 1 s or "
                   "more than 60 s)")
      ->type_name("X")
      ->check(positive);
  verb->add_option("--from", arguments->film.from, "time at which the film begins")->type_name("SECONDS");
  verb->add_option("--to", arguments->film.to, "time at which it ends")->type_name("SECONDS");
  add_picture_options(*verb, arguments->film.picture);
  add_quiet(*verb);
  return [arguments] { return make_film(*arguments); };
}

}  // namespace armature::internal::cli
