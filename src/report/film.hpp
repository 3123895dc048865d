// A motion as a film. A GIF is written here; ffmpeg encodes WebM and MP4.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "report/motion_rows.hpp"
#include "report/pose_drawing.hpp"

namespace armature::internal::plot {

struct FilmOptions {
  PoseOptions picture;                       // without times and size
  int width = 640, height = 480;             // pixels
  double per_second = 25;                    // frames
  std::optional<double> speed = {};          // seconds of motion per second of film; none: chosen
  std::optional<double> from = {}, to = {};  // s; none: the whole motion
};

struct Film {
  int frames = 0;
  double from = 0, to = 0, speed = 1, per_second = 25;
  double time(int frame) const { return frames < 2 ? from : from + (to - from) * frame / (frames - 1); }
};

// Frames at their times. A motion of less than a second is slowed down, one of more than a minute is shown faster, unless the options give
// a speed. The times between frames of a GIF are whole hundredths of a second. Throws RequestError.
Film film_of(const MotionRows& rows, const FilmOptions& options, const std::filesystem::path& file);

// progress: called with the frames that are done; false: stop, and write no file. Returns whether it was written. Throws RecordError.
bool write_film(const Model& model, const MotionRows& rows, const FilmOptions& options,
                const std::filesystem::path& file, const std::function<bool(int frames)>& progress = {});

}  // namespace armature::internal::plot
