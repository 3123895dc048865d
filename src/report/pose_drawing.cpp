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
#include "report/picture_room.hpp"
#include "report/plot_style.hpp"
#include "report/pose_marks.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr double margin = picture_margin;
constexpr double time_line = 12;   // points below the picture of a film, for its time
constexpr int film_samples = 120;  // poses that say how much room a motion takes
constexpr double infinity = std::numeric_limits<double>::infinity();

// Poses of a motion.
class Poses {
 public:
  Poses(const Model& model, const MotionRows& rows, const PoseOptions& options)
      : scene_(model), rows_(rows), bend_(options.bend), frames_(scene_, rows.channels()) {
    if (scene_.bodies.empty() && scene_.drawings.empty())
      throw RecordError(fmt::format("{}: there is nothing to draw: the model has no bodies; a Lagrangian can name lines under draw", model.file));
  }

  const Scene& scene() const { return scene_; }
  const MotionRows& rows() const { return rows_; }

  PosedScene at(double t) { return of_row(rows_.row_at(t)); }
  PosedScene of_row(const std::vector<double>& row) {
    std::vector<float> frame;
    frames_.append(row, frame);
    return {scene_, std::move(frame), bend_};
  }

 private:
  Scene scene_;
  const MotionRows& rows_;
  double bend_;
  Scene::Frames frames_;
};

// The path of a point: of a body ("platform.C"), of a joint, or of what the motion has recorded.
class Path {
 public:
  Path(const std::string& name, const Poses& poses) : name_(name) {
    const Scene& scene = poses.scene();
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
      for (const auto& [point, at] : scene.bodies[k].points)
        if (scene.bodies[k].name + "." + point == name) place_ = ScenePlace{static_cast<int>(k), at};
    for (const SceneJoint& joint : scene.joints)
      if (joint.name == name) place_ = joint.b;
    recorded_ = !place_ && poses.rows().find(name + ".x");
    if (!place_ && !recorded_) refuse(poses);
  }

  std::vector<Vector3d> points(Poses& poses, double from, double to) const {
    std::vector<Vector3d> path;
    const std::vector<double>& times = poses.rows().t();
    const std::size_t every = std::max<std::size_t>(1, times.size() / 2000);
    for (std::size_t k = 0; k < times.size(); k += every)
      if (times[k] > from && times[k] < to) path.push_back(point(poses, times[k]));
    path.insert(path.begin(), point(poses, from)), path.push_back(point(poses, to));
    return path;
  }

 private:
  Vector3d point(Poses& poses, double t) const {
    if (place_) return poses.at(t).place(*place_);
    const auto part = [&](const char* axis) {
      const double value = poses.rows().value(name_ + axis, t);
      return std::isnan(value) ? 0 : value;
    };
    return {part(".x"), part(".y"), part(".z")};
  }

  [[noreturn]] void refuse(const Poses& poses) const {
    std::vector<std::string> names;
    for (const SceneBody& body : poses.scene().bodies)
      for (const auto& [point, at] : body.points) names.push_back(body.name + "." + point);
    for (const SceneJoint& joint : poses.scene().joints) names.push_back(joint.name);
    const auto guess = nearest_name(name_, names);
    throw RecordError(fmt::format("{}: there is no point '{}'{}", poses.rows().from(), name_,
                                  guess ? fmt::format(" (did you mean '{}'?)", *guess) : ""));
  }

  std::string name_;
  std::optional<ScenePlace> place_;
  bool recorded_ = false;
};

// What all poses of a picture have in common, found from some of them.
class Range {
 public:
  Range(const Scene& scene, const Projection& projection, bool stress) : projection_(projection) {
    if (stress) look.largest_load.emplace();
    look.travel.assign(scene.joints.size(), {infinity, -infinity});
    look.planes.resize(scene.drawings.size());
  }

  void include(const PosedScene& pose) {
    if (look.posts_in_front.empty())
      for (const SceneJoint& joint : pose.scene().joints) look.posts_in_front.push_back(post_in_front(pose, joint));
    include_planes(pose);
    for (const Vector3d& point : extent_of(pose)) include(point);
    const Scene& scene = pose.scene();
    for (std::size_t k = 0; k < scene.joints.size(); ++k) {
      const double slide = pose.slide(scene.joints[k]);
      auto& [low, high] = look.travel[k];
      if (std::isfinite(slide)) low = std::min(low, slide), high = std::max(high, slide);
      // the guide reaches to the end stops
      low = std::min(low, scene.joints[k].stops[0].value_or(low)), high = std::max(high, scene.joints[k].stops[1].value_or(high));
    }
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
      if (look.largest_load && scene.bodies[k].beam)
        for (const double load : pose.beam_loads(static_cast<int>(k))) {
          double& largest = (*look.largest_load)[scene.bodies[k].beam->is_stress ? 0 : 1];
          if (std::isfinite(load)) largest = std::max(largest, load);
        }
    for (const SceneLoad& load : scene.loads) {
      double& largest = load.kind == "force" ? look.largest_force : look.largest_torque;
      if (const double size = load.offset < 0 ? 0 : pose.point(load.offset).norm(); std::isfinite(size)) largest = std::max(largest, size);
    }
  }

  void include(const Vector3d& point) {
    const Point seen = projection_(point);
    low = {std::min(low.x, seen.x), std::min(low.y, seen.y)}, high = {std::max(high.x, seen.x), std::max(high.y, seen.y)};
  }

  Point low{infinity, infinity}, high{-infinity, -infinity};
  MachineLook look;

 private:
  // A plane on the ground is drawn wherever something may touch it.
  void include_planes(const PosedScene& pose) {
    for (std::size_t k = 0; k < pose.scene().drawings.size(); ++k) {
      const SceneDrawing& drawing = pose.scene().drawings[k];
      if (!drawing.fixed) continue;
      const Vector3d a = pose.point(drawing.offset), b = pose.point(drawing.offset + 3), along = b - a;
      auto& known = look.planes[k];
      if (!known) known = {a, b};
      if (along.dot(a - (*known)[0]) < 0) (*known)[0] = a;
      if (along.dot(b - (*known)[1]) > 0) (*known)[1] = b;
    }
  }

  Projection projection_;
};

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
    out.shapes.push_back({{{x, y + 2}, {x + width, y + 2}, {x + width, y + 10}, {x, y + 10}}, load_color((k + 0.5) / steps), {"", 0, {}}, true, 1, "legend"});
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
    out.shapes.push_back({capsule({x, y + 6}, {x + 18, y + 6}, 2), mixed(color, paper_color, 0.55), {color, 0.7, {}}, true, 1, "legend"});
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
  Poses poses(model, rows, options);
  const Projection projection = projection_of(poses.scene(), options.view);
  Range range(poses.scene(), projection, options.stress);
  std::vector<PosedScene> posed, moved;  // moved: as they can move freely
  for (double t : options.times) {
    posed.push_back(poses.at(t)), range.include(posed.back());
    if (options.free) moved.push_back(poses.of_row(freely_moved(model, rows, t)));
  }
  const PoseMarks marks(model, rows, [&](double t) { return poses.at(t); }, options, options.times);
  std::vector<std::vector<Vector3d>> paths;
  for (const std::string& trace : options.traces) {
    paths.push_back(Path(trace, poses).points(poses, rows.t().front(), rows.t().back()));
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
        poses(model, rows, given),
        projection(projection_of(poses.scene(), given.view)),
        range(poses.scene(), projection, given.stress),
        marks(model, rows, [this](double t) { return poses.at(t); }, options, sample_times(given)) {}

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
  Poses poses;
  Projection projection;
  Range range;
  PoseMarks marks;
  std::vector<Path> paths;
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
    for (const Vector3d& point : p.paths.back().points(p.poses, options.times.front(), options.times.back())) p.range.include(point);
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
  p.placement = fitted({p.range.low, p.range.high}, p.projection, p.poses.at(options.times.front()), canvas, draw, p.empty);
  add_head(head, p.empty);
}

MotionPictures::~MotionPictures() = default;

Drawing MotionPictures::at(double t) const {
  Parts& p = *parts_;
  Drawing out = p.empty;
  Sketch sketch(p.placement);
  for (std::size_t i = 0; i < p.paths.size(); ++i) draw_path(p.paths[i].points(p.poses, p.options.times.front(), t), i, sketch);
  p.draw(t, sketch);
  sketch.finish(out);
  out.texts.push_back({{8, out.height - 8}, fmt::format("t = {:.3f} s", t), font});
  return out;
}

}  // namespace armature::internal::plot
