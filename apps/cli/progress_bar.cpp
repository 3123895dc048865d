#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace armature::cli {
namespace {

constexpr double interval = 0.1;  // s between drawings
constexpr int width = 24;         // characters of the bar

std::string clock_time(double seconds) {
  const long whole = std::lround(std::min(seconds, 359999.0));
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

std::string progress_line(double start, double end, double t, long steps, double elapsed) {
  const double done = end > start ? std::clamp((t - start) / (end - start), 0.0, 1.0) : 1;
  const int filled = int(done * width);
  const std::string left = done > 0 ? clock_time(elapsed * (1 - done) / done) + " left" : "";
  return fmt::format("|{:#<{}}{:-<{}}| {:3.0f} %  t = {:.4g} of {:g} s  {:.0f} steps/s  {}", "", filled, "",
                     width - filled, 100 * done, t, end, elapsed > 0 ? double(steps) / elapsed : 0.0, left);
}

ProgressBar::ProgressBar(double start, double end)
    : start_(start), end_(end), terminal_(isatty(STDERR_FILENO) == 1), began_(Clock::now()), last_draw_(began_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::update(double t, long steps) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_draw_).count() < interval) return;
  last_draw_ = now;
  draw(t, steps, std::chrono::duration<double>(now - began_).count());
}

void ProgressBar::draw(double t, long steps, double elapsed) {
  fmt::print(stderr, "\r{}\033[K", progress_line(start_, end_, t, steps, elapsed));
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace armature::cli
