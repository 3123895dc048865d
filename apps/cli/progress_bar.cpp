#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "terminal.hpp"

namespace armature::internal::cli {
namespace {

constexpr double interval = 0.1;  // s between drawings
constexpr int widest = 24;        // characters of the bar
constexpr int narrowest = 8;

std::string clock_time(double seconds) {
  const long whole = std::lround(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

// From the part that is done, and from the pace of late, where that is slower: both in parts of the whole. Of the first moments, in
// which programs are still being made, it would say hours. Less than a second is not said: a motion may begin to crawl there.
std::string time_left(double done, double elapsed, double recent = -1) {
  constexpr double first_estimate = 1, first_part = 0.01;  // s; of the whole
  constexpr double longest = 100 * 3600;                   // s
  if (!(done > 0) || (elapsed < first_estimate && done < first_part)) return "";
  const double usual = elapsed * (1 - done) / done, left = recent >= 0 ? std::max(usual, (1 - done) / recent) : usual;
  if (left < 0.5) return "";
  return left < longest ? clock_time(left) + " left" : "more than 100 hours left";
}

std::string bar(double done, int width) {
  const int filled = int(done * width);
  return fmt::format("|{:#<{}}{:-<{}}| {:3.0f} %", "", filled, "", width - filled, 100 * done);
}

// The bar and what follows it, in one line of the terminal: a narrow terminal gets a short bar, then fewer parts.
std::string line_of(double done, const std::vector<std::string>& parts, int columns) {
  constexpr int frame = 8;  // of the bar: its ends and the percentage
  std::string rest;
  for (const std::string& part : parts)
    if (!part.empty() && narrowest + frame + int(rest.size() + part.size()) + 2 < columns) rest += "  " + part;
  return bar(done, std::clamp(columns - 1 - frame - int(rest.size()), narrowest, widest)) + rest;
}

}  // namespace

std::string cells_line(const std::string& what, long before, long done, long count, double elapsed, int columns) {
  const double way = count > before ? double(done - before) / double(count - before) : 0;
  const std::string left = time_left(way, elapsed);
  return line_of(count > 0 ? double(done) / double(count) : 1,
                 {fmt::format("{}: {} of {} cells", what, done, count), left}, columns);
}

std::string progress_line(double start, double end, double t, long steps, double elapsed, int columns, double recent) {
  const double done = end > start ? std::clamp((t - start) / (end - start), 0.0, 1.0) : 1;
  const std::string left = time_left(done, elapsed, recent < 0 ? recent : recent / (end - start));
  const std::string rate = elapsed > 0 ? fmt::format("{:.0f} steps/s", double(steps) / elapsed) : "";
  return line_of(done, {fmt::format("t = {:.4g} of {:g} s", t, end), left, rate}, columns);
}

ProgressBar::ProgressBar(double start, double end)
    : start_(start),
      end_(end),
      terminal_(isatty(STDERR_FILENO) == 1 && !quiet()),
      began_(Clock::now()),
      last_draw_(began_) {}

void ProgressBar::wipe() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

void ProgressBar::update(double t, long steps) {
  if (is_due()) draw(progress_line(start_, end_, t, steps, elapsed(), columns(stderr), recent_pace(t)));
}

double ProgressBar::recent_pace(double t) {
  constexpr double lately = 3;  // s
  const double now = elapsed();
  lately_.emplace_back(now, t);
  while (lately_.size() > 2 && now - lately_[1].first >= lately) lately_.pop_front();
  const auto& [before, from] = lately_.front();
  return now - before >= lately ? (t - from) / (now - before) : -1;
}

void ProgressBar::show(const std::function<std::string(double elapsed)>& line) {
  if (is_due()) draw(line(elapsed()));
}

bool ProgressBar::is_due() const {
  return terminal_ && std::chrono::duration<double>(Clock::now() - last_draw_).count() >= interval;
}

double ProgressBar::elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

void ProgressBar::draw(const std::string& line) {
  last_draw_ = Clock::now();
  fmt::print(stderr, "\r{}\033[K", line);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace armature::internal::cli
