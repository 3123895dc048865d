// A picture in the making: shapes in points, sorted by layers and, within a layer, from the back to the front.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "report/outlines.hpp"
#include "report/projection.hpp"

namespace armature::internal::plot {

// How a machine is placed in a picture.
struct Placement {
  Projection projection;
  double scale = 1;  // points per meter
  Point origin;      // of the ground, in points
  double unit = 3;   // points: half of the width of a bar; symbols are so many units large

  Point operator()(const Eigen::Vector3d& at) const {
    const Point seen = projection(at);
    return {origin.x + scale * seen.x, origin.y - scale * seen.y};
  }
  Point along(const Eigen::Vector3d& direction) const {  // not a unit where it is seen at an angle
    const Point seen = projection(direction);
    return {seen.x, -seen.y};
  }
  double meters(double points) const { return points / scale; }
};

class Sketch {
 public:
  enum Layer { paths, behind, ground, machine, elements, joints, marks };

  explicit Sketch(const Placement& placement) : at(placement), u(placement.unit) {}

  const Placement at;
  const double u;  // a unit in points

  void add(Layer layer, Shape shape, double depth = 0) { entries_.push_back({layer, depth, std::move(shape)}); }
  void area(Layer layer, const std::string& kind, std::vector<Point> points, const std::string& fill,
            const std::string& edge, double depth = 0) {
    add(layer, {std::move(points), fill, {edge, edge.empty() ? 0 : edge_width(), {}}, true, 1, kind}, depth);
  }
  void line(Layer layer, const std::string& kind, std::vector<Point> points, const std::string& color, double width,
            double depth = 0, std::vector<double> dash = {}) {
    add(layer, {std::move(points), "", {color, width, std::move(dash)}, false, 1, kind}, depth);
  }
  void arrow(Layer layer, const std::string& kind, const Point& from, const Point& to, const std::string& color,
             double width, double depth = 0);
  void text(const Text& text) { texts_.push_back(text); }
  void text(const Point& middle, const std::string& text, double size, const std::string& color, double turn = 0);

  const std::vector<Text>& texts() const { return texts_; }

  double edge_width() const { return u < 3 ? 0.5 : u / 6; }

  void finish(Drawing& drawing);  // what was sketched, over what the drawing has already

 private:
  struct Entry {
    Layer layer;
    double depth;
    Shape shape;
  };
  std::vector<Entry> entries_;
  std::vector<Text> texts_;
};

}  // namespace armature::internal::plot
