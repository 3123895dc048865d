#include "report/pose_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/lower.hpp"
#include "record/record_error.hpp"
#include "report/free_motion.hpp"
#include "report/load_colors.hpp"
#include "report/machine_colors.hpp"
#include "report/machine_drawing.hpp"
#include "report/machine_extent.hpp"
#include "report/motion_poses.hpp"
#include "report/picture_room.hpp"
#include "report/plot_style.hpp"
#include "report/pose_marks.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr double margin = picture_margin;
constexpr double time_line = 12;   // points below the picture of a film, for its time
constexpr int film_samples = 120;  // poses that say how much room a motion takes

// Room above the picture for title and legend.
struct Head {
  std::string title;
  std::vector<double> times;  // of the legend; empty: none
  std::string loads = {};     // what the colors of beams reach up to; empty: they have none
};

std::string load_legend(const MachineLook& look) {
  if (!look.largest_load) return "";
  const auto [stress, moment] = *look.largest_load;
  if (stress > 0) return fmt::format("0 to {:.3g} MPa", stress / 1e6);
  return moment > 0 ? fmt::format("0 to {:.3g} N m", moment) : "";
}

std::string legend_text(double t) { return fmt::format("{:.4g} s", t); }
double legend_width(double t) { return 40 + text_width(legend_text(t), small_font); }

double head_height(const Head& head, double width) {
  double x = margin, lines = head.times.empty() ? 0 : 1;
  for (double t : head.times)
    if (x += legend_width(t); x > width - margin) x = margin + legend_width(t), ++lines;
  return (head.title.empty() ? 0 : font + 8) + (lines + (head.loads.empty() ? 0 : 1)) * legend_line;
}

void add_load_legend(const Head& head, double y, Drawing& out) {
  constexpr int steps = 24;
  constexpr double width = 3;
  for (int k = 0; k < steps; ++k) {
    const double x = margin + k * width;
    out.shapes.push_back({{{x, y + 2}, {x + width, y + 2}, {x + width, y + 10}, {x, y + 10}},
                          load_color((k + 0.5) / steps),
                          {"", 0, {}},
                          true,
                          1,
                          "legend"});
  }
  out.texts.push_back({{margin + steps * width + 6, y + 6 + 0.35 * small_font}, head.loads, small_font});
}

void add_head(const Head& head, Drawing& out) {
  double y = 8;
  if (!head.title.empty()) {
    out.texts.push_back({{out.width / 2, y + font + 1}, head.title, font + 1, Text::Anchor::middle, false, true});
    y += font + 8;
  }
  double x = margin;
  for (std::size_t k = 0; k < head.times.size(); ++k) {
    const double width = legend_width(head.times[k]);
    if (x + width > out.width - margin) x = margin, y += legend_line;
    const std::string color = palette[k % palette.size()];
    out.shapes.push_back({capsule({x, y + 6}, {x + 18, y + 6}, 2),
                          mixed(color, paper_color, 0.55),
                          {color, 0.7, {}},
                          true,
                          1,
                          "legend"});
    out.texts.push_back({{x + 24, y + 6 + 0.35 * small_font}, legend_text(head.times[k]), small_font});
    x += width;
  }
  if (!head.loads.empty()) add_load_legend(head, head.times.empty() ? y : y + legend_line, out);
}

void require_times(const MotionRows& rows, const std::vector<double>& times) {
  if (times.empty()) throw RecordError(fmt::format("{}: no time is given at which to draw it", rows.from()));
}

}  // namespace

Drawing drawing_of_poses(const Model& model, const MotionRows& rows, const PoseOptions& options) {
  require_times(rows, options.times);
  MotionPoses poses(model, rows, options.bend);
  const Projection projection = projection_of(poses.scene(), options.view);
  MotionRange range(poses.scene(), projection, options.stress);
  std::vector<PosedScene> posed, moved;  // moved: as they can move freely
  for (double t : options.times) {
    posed.push_back(poses.at(t)), range.include(posed.back());
    if (options.free) moved.push_back(poses.of_row(freely_moved(model, rows, t)));
  }
  const PoseMarks marks(
      model, rows, [&](double t) { return poses.at(t); }, options, options.times);
  std::vector<std::vector<Vector3d>> paths;
  for (const std::string& trace : options.traces) {
    paths.push_back(MotionPath(trace, poses).points(poses, rows.t().front(), rows.t().back()));
    for (const Vector3d& point : paths.back()) range.include(point);
  }
  const bool several = posed.size() > 1;
  const Head head{options.title, several ? options.times : std::vector<double>{}, load_legend(range.look)};
  const auto draw = [&](const Placement& placement, Drawing& picture) {
    for (std::size_t k = 0; k < posed.size(); ++k) {
      Sketch sketch(placement);
      if (k == 0)
        for (std::size_t i = 0; i < paths.size(); ++i) draw_path(paths[i], i, sketch);
      range.look.colors.pose = several ? palette[k % palette.size()] : "";
      range.look.ground = k == 0;
      draw_machine(posed[k], range.look, sketch);
      marks.draw(posed[k], options.times[k], sketch);
      if (options.free) draw_free_motion(posed[k], moved[k], sketch);
      if (options.dimensions && k == 0) draw_dimensions(posed[k], sketch);
      sketch.finish(picture);
    }
  };
  Drawing out;
  const Canvas canvas{options.width, options.height, head_height(head, options.width)};
  const Placement placement = fitted({range.low, range.high}, projection, posed.front(), canvas, draw, out);
  add_head(head, out);
  draw(placement, out);
  return out;
}

struct MotionPictures::Parts {
  Parts(const Model& model, const MotionRows& rows, const PoseOptions& given)
      : options(given),
        poses(model, rows, given.bend),
        projection(projection_of(poses.scene(), given.view)),
        range(poses.scene(), projection, given.stress),
        marks(
            model, rows, [this](double t) { return poses.at(t); }, options, sample_times(given), true) {}

  static std::vector<double> sample_times(const PoseOptions& options) {
    std::vector<double> times;
    for (int k = 0; k <= film_samples; ++k)
      times.push_back(options.times.front() + (options.times.back() - options.times.front()) * k / film_samples);
    return times;
  }

  void draw(double t, Sketch& sketch) {
    const PosedScene pose = poses.at(t);
    draw_machine(pose, range.look, sketch);
    marks.draw(pose, t, sketch);
  }

  PoseOptions options;
  MotionPoses poses;
  Projection projection;
  MotionRange range;
  PoseMarks marks;
  std::vector<MotionPath> paths;
  Placement placement;
  Drawing empty;  // with its size and title
};

MotionPictures::MotionPictures(const Model& model, const MotionRows& rows, const PoseOptions& options) {
  require_times(rows, options.times);
  parts_ = std::make_unique<Parts>(model, rows, options);
  Parts& p = *parts_;
  p.range.look.steady = true;
  for (double t : Parts::sample_times(options)) p.range.include(p.poses.at(t));
  for (const std::string& trace : options.traces) {
    p.paths.emplace_back(trace, p.poses);
    for (const Vector3d& point : p.paths.back().points(p.poses, options.times.front(), options.times.back()))
      p.range.include(point);
  }
  const Head head{options.title, {}, load_legend(p.range.look)};
  const Canvas canvas{options.width, options.height, head_height(head, options.width), time_line, true};
  const auto draw = [&](const Placement& placement, Drawing& picture) {
    for (double t : Parts::sample_times(options)) {
      Sketch sketch(placement);
      p.draw(t, sketch);
      sketch.finish(picture);
    }
  };
  p.placement =
      fitted({p.range.low, p.range.high}, p.projection, p.poses.at(options.times.front()), canvas, draw, p.empty);
  add_head(head, p.empty);
}

MotionPictures::~MotionPictures() = default;

Drawing MotionPictures::at(double t) const {
  Parts& p = *parts_;
  Drawing out = p.empty;
  Sketch sketch(p.placement);
  for (std::size_t i = 0; i < p.paths.size(); ++i)
    draw_path(p.paths[i].points(p.poses, p.options.times.front(), t), i, sketch);
  p.draw(t, sketch);
  sketch.finish(out);
  out.texts.push_back({{8, out.height - 8}, fmt::format("t = {:.3f} s", t), font});
  return out;
}

}  // namespace armature::internal::plot
