#include "report/film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/request_error.hpp"
#include "record/record_error.hpp"
#include "record/whole_file.hpp"
#include "report/film_process.hpp"
#include "report/gif.hpp"

namespace armature::internal::plot {
namespace {

constexpr int most_film_frames = 20000, palette_samples = 8;
constexpr double pixels_per_point = 96.0 / 72;

// 1, 2 or 5 times a power of ten.
double round_speed(double speed) {
  const double power = std::pow(10, std::floor(std::log10(speed))), lead = speed / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

double chosen_speed(double seconds) {
  if (seconds > 0 && seconds < 1) return round_speed(seconds / 4);
  return seconds > 60 ? round_speed(seconds / 30) : 1;
}

class FrameDrawer {
 public:
  FrameDrawer(const Model& model, const MotionRows& rows, const FilmOptions& options, const Film& film)
      : width_(options.width + options.width % 2),
        height_(options.height + options.height % 2),
        pictures_(model, rows, sized(options, film)) {}

  int width() const { return width_; }
  int height() const { return height_; }
  Image at(double t) const { return image_of(pictures_.at(t), width_, height_); }

 private:
  PoseOptions sized(const FilmOptions& options, const Film& film) const {
    PoseOptions picture = options.picture;
    picture.times = {film.from, film.to};
    picture.width = width_ / pixels_per_point, picture.height = height_ / pixels_per_point;
    return picture;
  }

  int width_, height_;  // even: encoders want it
  MotionPictures pictures_;
};

using FrameProgress = std::function<bool(int)>;

bool write_gif(const FrameDrawer& frames, const Film& film, const FrameProgress& progress, WholeFile& file) {
  std::vector<Image> samples;
  for (int k = 0; k < palette_samples; ++k)
    samples.push_back(frames.at(film.time(k * std::max(film.frames - 1, 0) / (palette_samples - 1))));
  GifFilm gif(frames.width(), frames.height(), Palette(samples), static_cast<int>(std::lround(100 / film.per_second)));
  for (int k = 0; k < film.frames; ++k) {
    gif.add(frames.at(film.time(k)));
    if (progress && !progress(k + 1)) return false;
  }
  file.write(gif.file());
  return true;
}

bool encode(const FrameDrawer& frames, const Film& film, const FrameProgress& progress,
            const std::filesystem::path& name, const WholeFile& file) {
  FilmProcess process(name, file.beside(), frames.width(), frames.height(), film.per_second);
  for (int k = 0; k < film.frames; ++k) {
    process.add(frames.at(film.time(k)));
    if (progress && !progress(k + 1)) return false;
  }
  process.finish();
  return true;
}

}  // namespace

Film film_of(const MotionRows& rows, const FilmOptions& options, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".gif" && ending != ".webm" && ending != ".mp4")
    throw RequestError(fmt::format("{}: a film ends in .gif, .webm or .mp4", file.string()));
  Film film;
  const double first = rows.t().front(), last = rows.t().back();
  film.from = std::max(options.from.value_or(first), first), film.to = std::min(options.to.value_or(last), last);
  if (!(film.from < film.to))
    throw RequestError(fmt::format("{} goes from t = {:g} s to {:g} s; there is no motion from {:g} s to {:g} s",
                                   rows.from(), first, last, options.from.value_or(first), options.to.value_or(last)));
  film.per_second = ending == ".gif" ? 100.0 / std::max(std::lround(100 / options.per_second), 2l) : options.per_second;
  film.speed = options.speed.value_or(chosen_speed(film.to - film.from));
  const double frames = (film.to - film.from) / film.speed * film.per_second + 1;
  if (frames > most_film_frames)
    throw RequestError(fmt::format(
        "the film would have {:.0f} frames, more than {}; make it faster with --speed, or shorter with --from and --to",
        frames, most_film_frames));
  film.frames = std::max(2, static_cast<int>(std::lround(frames)));
  return film;
}

bool write_film(const Model& model, const MotionRows& rows, const FilmOptions& options,
                const std::filesystem::path& file, const FrameProgress& progress) {
  const Film film = film_of(rows, options, file);
  const FrameDrawer frames(model, rows, options, film);
  WholeFile whole(file);
  const bool finished = file.extension() == ".gif" ? write_gif(frames, film, progress, whole)
                                                   : encode(frames, film, progress, file, whole);
  if (finished) whole.put_in_place();
  return finished;
}

}  // namespace armature::internal::plot
