#include "report/pose_drawing.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "record/record_error.hpp"
#include "record/trajectory.hpp"
#include "report/plot_style.hpp"
#include "report/scene.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr double margin = 22;

// Lines of one pose, in the plane of the picture, m.
struct PoseLines {
  std::vector<std::vector<Point>> outlines, bars, plates, beams;  // outlines: of shapes
  std::vector<Point> joints, supports;
};

// From space to the plane of the picture: along the plane's normal, or from the side and a little above.
class View {
 public:
  explicit View(const std::string& plane) {
    if (plane == "xz") up_ = Vector3d::UnitZ();
    if (plane == "yz") right_ = Vector3d::UnitY(), up_ = Vector3d::UnitZ();
    if (!plane.empty()) return;
    const double turn = -0.35, tilt = 0.44;  // from +x, a little from the right and from above
    right_ = {-std::sin(turn), std::cos(turn), 0};
    up_ = {-std::cos(turn) * std::sin(tilt), -std::sin(turn) * std::sin(tilt), std::cos(tilt)};
  }
  Point operator()(const Vector3d& at) const { return {right_.dot(at), up_.dot(at)}; }

 private:
  Vector3d right_ = Vector3d::UnitX(), up_ = Vector3d::UnitY();
};

// The smallest convex line around points, closed (Andrew 1979).
std::vector<Point> convex_outline(std::vector<Point> points) {
  std::ranges::sort(points, [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Point> outline;
  const auto add_side = [&](auto begin, auto end) {
    const std::size_t first = outline.size();
    for (auto point = begin; point != end; ++point) {
      const auto turns_right = [&] {
        const Point &a = outline[outline.size() - 2], &b = outline.back();
        return (b.x - a.x) * (point->y - a.y) - (b.y - a.y) * (point->x - a.x) <= 0;
      };
      while (outline.size() >= first + 2 && turns_right()) outline.pop_back();
      outline.push_back(*point);
    }
    outline.pop_back();  // it begins the other side
  };
  if (points.size() < 3) return {};
  add_side(points.begin(), points.end());
  add_side(points.rbegin(), points.rend());
  outline.push_back(outline.front());
  return outline;
}

constexpr int points_around = 48;

// Points on a circle about an axis.
void add_circle(const Vector3d& middle, const Vector3d& axis, double radius, std::vector<Vector3d>& points) {
  const Vector3d first = axis.unitOrthogonal(), second = axis.normalized().cross(first);
  for (int k = 0; k < points_around; ++k) {
    const double angle = 2 * std::numbers::pi * k / points_around;
    points.emplace_back(middle + radius * (std::cos(angle) * first + std::sin(angle) * second));
  }
}

// Points of a body whose outline is that of the shape.
std::vector<Vector3d> points_of(const SceneShape& shape) {
  const auto vector = [](const Triple& x) { return Vector3d(x[0], x[1], x[2]); };
  const Vector3d at = vector(shape.at), from = vector(shape.from), to = vector(shape.to);
  std::vector<Vector3d> points;
  if (shape.kind == "box")
    for (int k = 0; k < 8; ++k)
      points.emplace_back(at + 0.5 * Vector3d((k & 1 ? 1 : -1) * shape.sides[0], (k & 2 ? 1 : -1) * shape.sides[1],
                                              (k & 4 ? 1 : -1) * shape.sides[2]));
  if ((shape.kind == "cylinder" || shape.kind == "rod") && to != from)
    for (const Vector3d& end : {from, to}) add_circle(end, to - from, shape.radius, points);
  if (shape.kind == "sphere")
    for (int k = 0; k < points_around; ++k) {
      const double angle = std::numbers::pi * k / points_around;
      add_circle(at, {std::cos(angle), std::sin(angle), 0}, shape.radius, points);
    }
  for (std::size_t k = 0; k + 3 <= shape.triangles.size(); k += 3)
    points.emplace_back(at + Vector3d(shape.triangles[k], shape.triangles[k + 1], shape.triangles[k + 2]));
  return points;
}

class PoseBuilder {
 public:
  PoseBuilder(const Scene& scene, const std::vector<float>& frame, double bend)
      : scene_(scene), frame_(frame), bend_(bend), view_(scene.plane) {}

  PoseLines build() {
    for (std::size_t k = 0; k < scene_.bodies.size(); ++k) add_body(static_cast<int>(k));
    for (const SceneDrawing& drawing : scene_.drawings) {
      std::vector<Point> line;
      for (int k = 0; k < drawing.points; ++k) line.push_back(view_(point(drawing.offset + 3 * k)));
      out_.joints.insert(out_.joints.end(), line.begin(), line.end());
      out_.bars.push_back(std::move(line));
    }
    for (const SceneLink& link : scene_.links) out_.bars.push_back({view_(place(link.a)), view_(place(link.b))});
    for (const SceneJoint& joint : scene_.joints) {
      if (joint.glyph == "weld") continue;
      out_.joints.push_back(view_(place(joint.b)));
      if (joint.a.body < 0 || joint.b.body < 0)
        out_.supports.push_back(view_(place(joint.a.body < 0 ? joint.a : joint.b)));
    }
    return std::move(out_);
  }

 private:
  Vector3d point(int offset) const {
    const float* at = frame_.data() + offset;
    return {at[0], at[1], at[2]};
  }

  Vector3d place(const ScenePlace& place) const {
    const Vector3d at(place.at[0], place.at[1], place.at[2]);
    if (place.body < 0) return at;
    const SceneBody& body = scene_.bodies[static_cast<std::size_t>(place.body)];
    if (body.beam && body.beam->length > 0) {  // on the bent axis
      const double share = std::clamp(at.x() / body.beam->length, 0.0, 1.0) * (body.beam->nodes - 1);
      const auto points = beam_points(body);
      const auto k = std::min(static_cast<std::size_t>(share), points.size() - 2);
      return points[k] + (share - static_cast<double>(k)) * (points[k + 1] - points[k]);
    }
    return on_body(body, at);
  }

  Vector3d on_body(const SceneBody& body, const Vector3d& at) const {
    const float* pose = frame_.data() + body.offset;
    return point(body.offset) + Eigen::Quaterniond(pose[6], pose[3], pose[4], pose[5]) * at;
  }

  // Deflections from the chord where both ends are held, else from the straight shape.
  std::vector<Vector3d> beam_points(const SceneBody& body) const {
    const SceneBeam& beam = *body.beam;
    std::vector<Vector3d> points;
    for (int k = 0; k < beam.nodes; ++k) points.push_back(point(beam.offset + 3 * k));
    const Vector3d first = points.front(), end = beam.held ? points.back() : on_body(body, {beam.length, 0, 0});
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Vector3d straight = first + static_cast<double>(k) / (beam.nodes - 1) * (end - first);
      points[k] = straight + bend_ * (points[k] - straight);
    }
    return points;
  }

  // Where joints hold the body, each place once.
  std::vector<Point> places_on(int body) const {
    std::vector<Point> places;
    const auto add = [&](const ScenePlace& each) {
      if (each.body != body) return;
      const Point at = view_(place(each));
      for (const Point& known : places)
        if (std::hypot(known.x - at.x, known.y - at.y) < 1e-9) return;
      places.push_back(at);
    };
    for (const SceneJoint& joint : scene_.joints) add(joint.a), add(joint.b);
    for (const SceneLink& link : scene_.links) add(link.a), add(link.b);
    return places;
  }

  void add_body(int k) {
    const SceneBody& body = scene_.bodies[static_cast<std::size_t>(k)];
    if (body.beam) {
      out_.beams.emplace_back();
      for (const Vector3d& at : beam_points(body)) out_.beams.back().push_back(view_(at));
      return;
    }
    for (const SceneShape& shape : body.shapes) {
      std::vector<Point> points;
      for (const Vector3d& at : points_of(shape)) points.push_back(view_(on_body(body, at)));
      out_.outlines.push_back(convex_outline(std::move(points)));
    }
    std::vector<Point> places = places_on(k);
    if (places.size() == 1) {  // the far end is where its points, or its mass, are
      Vector3d end(body.center[0], body.center[1], body.center[2]);
      for (const auto& [name, at] : body.points)
        if (Vector3d(at[0], at[1], at[2]).norm() > end.norm()) end = {at[0], at[1], at[2]};
      const Point far = view_(on_body(body, end));
      if (std::hypot(far.x - places[0].x, far.y - places[0].y) > 1e-9) places.push_back(far);
    }
    if (places.size() > 2) {
      sort_around(places);
      places.push_back(places.front());
      out_.plates.push_back(std::move(places));
    } else if (places.size() == 2) {
      out_.bars.push_back(std::move(places));
    }
  }

  static void sort_around(std::vector<Point>& points) {
    Point middle;
    for (const Point& point : points) middle.x += point.x / points.size(), middle.y += point.y / points.size();
    std::ranges::sort(points, {}, [&](const Point& at) { return std::atan2(at.y - middle.y, at.x - middle.x); });
  }

  const Scene& scene_;
  const std::vector<float>& frame_;
  double bend_;
  View view_;
  PoseLines out_;
};

// Rows of a run, with the times that are wanted.
class RunRows {
 public:
  explicit RunRows(const std::filesystem::path& folder)
      : file_(folder / "trajectory.csv"), channels_(read_channels(file_)) {
    std::vector<int> all;
    for (std::size_t k = 0; k < channels_.size(); ++k) all.push_back(static_cast<int>(k));
    columns_ = read_columns(file_, all);
  }
  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<double>& t() const { return columns_.at(0); }

  std::vector<double> row_at(double t) const {
    std::size_t nearest = 0;
    for (std::size_t k = 0; k < this->t().size(); ++k)
      if (std::abs(this->t()[k] - t) < std::abs(this->t()[nearest] - t)) nearest = k;
    std::vector<double> row;
    for (const auto& column : columns_) row.push_back(column.at(nearest));
    return row;
  }

  const std::vector<double>* find(const std::string& name) const {
    const auto found = std::ranges::find(channels_, name, &Channel::name);
    return found == channels_.end() ? nullptr : &columns_[static_cast<std::size_t>(found - channels_.begin())];
  }

  std::vector<Point> path(const std::string& point, const View& view) const {
    const std::vector<double>*x = find(point + ".x"), *y = find(point + ".y"), *z = find(point + ".z");
    if (!x || !(y || z)) throw RecordError(fmt::format("{}: there is no point '{}'", file_.string(), point));
    std::vector<Point> path;
    for (std::size_t k = 0; k < x->size(); ++k)
      path.push_back(view(Vector3d((*x)[k], y ? (*y)[k] : 0, z ? (*z)[k] : 0)));
    return path;
  }

 private:
  std::filesystem::path file_;
  std::vector<Channel> channels_;
  std::vector<std::vector<double>> columns_;
};

// Puts everything into one picture, at one scale in both directions.
class PoseLayout {
 public:
  PoseLayout(const PoseOptions& options, const std::vector<PoseLines>& poses, const std::vector<Point>& path)
      : options_(options), poses_(poses), path_(path) {
    for (const PoseLines& pose : poses) {
      for (const auto* lines : {&pose.outlines, &pose.bars, &pose.plates, &pose.beams})
        for (const auto& line : *lines) include(line);
      include(pose.joints);
    }
    include(path);
  }

  Drawing draw() {
    const double head = (options_.title.empty() ? 0 : font + 8) + legend_lines() * legend_line;
    const double wide = std::max(high_.x - low_.x, 1e-9), tall = std::max(high_.y - low_.y, 1e-9);
    scale_ = std::min((options_.width - 2 * margin) / wide, (options_.height - 2 * margin) / tall);
    out_.width = options_.width;
    out_.height = scale_ * tall + 2 * margin + head;
    origin_ = {0.5 * (out_.width - scale_ * wide) - scale_ * low_.x, out_.height - margin + scale_ * low_.y};
    add_head();
    add_line(path_, {"#8c8c8c", 0.7, {2, 2}});
    for (std::size_t k = 0; k < poses_.size(); ++k) add_pose(poses_[k], palette[k % palette.size()]);
    for (const Point& support : poses_.front().supports) add_support(support);
    return std::move(out_);
  }

 private:
  void include(const std::vector<Point>& points) {
    for (const Point& point : points) {
      low_ = {std::min(low_.x, point.x), std::min(low_.y, point.y)};
      high_ = {std::max(high_.x, point.x), std::max(high_.y, point.y)};
    }
  }

  Point at(const Point& point) const { return {origin_.x + scale_ * point.x, origin_.y - scale_ * point.y}; }

  void add_line(const std::vector<Point>& points, const Stroke& stroke) {
    std::vector<Point> placed;
    for (const Point& point : points) placed.push_back(at(point));
    if (placed.size() > 1) out_.lines.push_back({placed, stroke, -1});
  }

  void add_area(const std::vector<Point>& outline, const std::string& color, double opacity, double width) {
    std::vector<Point> corners;
    for (const Point& point : outline) corners.push_back(at(point));
    if (!corners.empty()) out_.areas.push_back({corners, color, opacity});
    add_line(outline, {color, width, {}});
  }

  void add_pose(const PoseLines& pose, const std::string& color) {
    for (const auto& outline : pose.outlines) add_area(outline, color, 0.1, 0.8);
    for (const auto& plate : pose.plates) add_area(plate, color, 0.25, 1.4);
    for (const auto& bar : pose.bars) add_line(bar, {color, 2.2, {}});
    for (const auto& beam : pose.beams) add_line(beam, {color, 1.4, {}});
    for (const Point& joint : pose.joints) add_ring(at(joint), 2.2, color);
  }

  void add_ring(const Point& middle, double radius, const std::string& color) {
    std::vector<Point> ring;
    for (int k = 0; k <= 16; ++k) {
      const double angle = 2 * std::numbers::pi * k / 16;
      ring.push_back({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)});
    }
    out_.lines.push_back({ring, {color, 1, {}}, -1});
  }

  // A line below a joint with the ground, hatched.
  void add_support(const Point& support) {
    const Point middle = at(support);
    const Stroke stroke{"#4d4d4d", 0.9, {}};
    out_.lines.push_back({{{middle.x - 8, middle.y + 6},
                           {middle.x, middle.y},
                           {middle.x + 8, middle.y + 6},
                           {middle.x - 8, middle.y + 6}},
                          stroke,
                          -1});
    for (double x : {-6.0, -2.0, 2.0, 6.0})
      out_.lines.push_back({{{middle.x + x, middle.y + 6}, {middle.x + x - 3, middle.y + 10}}, stroke, -1});
  }

  static std::string legend_text(double t) { return fmt::format("{:.4g} s", t); }
  static double legend_width(double t) { return 40 + text_width(legend_text(t), small_font); }

  int legend_lines() const {
    double x = margin;
    int lines = 1;
    for (double t : options_.times)
      if (x += legend_width(t); x > options_.width - margin) x = margin + legend_width(t), ++lines;
    return lines;
  }

  void add_head() {
    double y = 8;
    if (!options_.title.empty())
      out_.texts.push_back(
          {{out_.width / 2, y + font + 1}, options_.title, font + 1, Text::Anchor::middle, false, true}),
          y += font + 8;
    double x = margin;
    for (std::size_t k = 0; k < options_.times.size(); ++k) {
      const double width = legend_width(options_.times[k]);
      if (x + width > options_.width - margin) x = margin, y += legend_line;
      out_.lines.push_back({{{x, y + 6}, {x + 20, y + 6}}, {palette[k % palette.size()], 2.2, {}}, -1});
      out_.texts.push_back({{x + 24, y + 6 + 0.35 * small_font}, legend_text(options_.times[k]), small_font});
      x += width;
    }
  }

  const PoseOptions& options_;
  const std::vector<PoseLines>& poses_;
  const std::vector<Point>& path_;
  Point low_{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()},
      high_{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  double scale_ = 1;
  Point origin_;
  Drawing out_;
};

}  // namespace

Drawing drawing_of_poses(const Model& model, const std::filesystem::path& folder, const PoseOptions& options) {
  const Scene scene(model);
  const RunRows rows(folder);
  Scene::Frames frames(scene, rows.channels());
  std::vector<PoseLines> poses;
  for (double t : options.times) {
    std::vector<float> frame;
    frames.append(rows.row_at(t), frame);
    poses.push_back(PoseBuilder(scene, frame, options.bend).build());
  }
  if (poses.empty()) throw RecordError(fmt::format("{}: no time is given at which to draw it", folder.string()));
  const std::vector<Point> path =
      options.trace.empty() ? std::vector<Point>{} : rows.path(options.trace, View(scene.plane));
  return PoseLayout(options, poses, path).draw();
}

}  // namespace armature::internal::plot
