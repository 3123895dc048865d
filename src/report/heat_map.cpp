#include "report/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "report/axis.hpp"
#include "report/plot_style.hpp"

namespace armature::internal::plot {
namespace {

constexpr double scale_width = 12;
constexpr const char* unknown_color = "#d0d0d0";
constexpr std::array class_colors = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00"};

// From dark blue over green to yellow, evenly in lightness, so that it also reads in gray.
constexpr std::array<std::array<double, 3>, 5> scale = {
    {{0.27, 0.00, 0.33}, {0.23, 0.32, 0.55}, {0.13, 0.57, 0.55}, {0.37, 0.79, 0.38}, {0.99, 0.91, 0.14}}};

std::string color_at(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (scale.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), scale.size() - 2);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double rest = place - static_cast<double>(k);
    rgb[c] = static_cast<int>(std::lround(255 * ((1 - rest) * scale[k][c] + rest * scale[k + 1][c])));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

// From the least value to one that 3 % exceed: a few large ones would leave no colors to the rest. They take the last.
std::pair<double, double> color_range(const std::vector<double>& values) {
  std::vector<double> known;
  for (double value : values)
    if (std::isfinite(value)) known.push_back(value);
  if (known.empty()) return {0, 1};
  std::ranges::sort(known);
  const double low = known.front(),
               high = known[static_cast<std::size_t>(0.97 * static_cast<double>(known.size() - 1))];
  return {low, low < high ? high : low + 1};
}

// Borders of cells halfway between their centers.
std::vector<double> borders(const std::vector<double>& centers) {
  if (centers.size() < 2) return {centers.at(0) - 0.5, centers.at(0) + 0.5};
  std::vector<double> list{centers[0] - 0.5 * (centers[1] - centers[0])};
  for (std::size_t k = 0; k + 1 < centers.size(); ++k) list.push_back(0.5 * (centers[k] + centers[k + 1]));
  list.push_back(centers.back() + 0.5 * (centers.back() - centers[centers.size() - 2]));
  return list;
}

// Where fewer than three powers of ten lie on a logarithmic scale, twice and five times them are named as well.
void label_short_scale(Axis& axis) {
  if (std::ranges::count_if(axis.ticks, [](const Tick& tick) { return !tick.label.empty(); }) > 2) return;
  for (Tick& tick : axis.ticks) {
    const int exponent = static_cast<int>(std::floor(std::log10(tick.value) + 1e-9));
    const long lead = std::lround(tick.value / std::pow(10, exponent));
    if (lead == 2 || lead == 5) tick.label = fmt::format("{}\u00b7{}", lead, power_of_ten(exponent));
  }
}

std::vector<Point> corners(const Box& box) {
  return {{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
}

class HeatMapLayout {
 public:
  explicit HeatMapLayout(const HeatMap& map) : map_(map), x_borders_(borders(map.x)), y_borders_(borders(map.y)) {}

  Drawing draw() {
    out_.width = map_.width;
    prepare_axes();
    double top = add_title();
    if (!map_.classes.empty()) top = add_legend(top);
    box_.top = top, box_.bottom = top + map_.height;
    out_.height = box_.bottom + bottom_margin;
    out_.clips.push_back(box_);
    add_cells();
    if (map_.classes.empty()) add_scale();
    for (const auto& outline : map_.outlines) add_outline(outline);
    add_frame();
    for (const HeatMap::Mark& mark : map_.marks) add_mark(mark);
    return std::move(out_);
  }

 private:
  void prepare_axes() {
    x_ = linear_axis(x_borders_.front(), x_borders_.back(), 8, true);
    y_ = linear_axis(y_borders_.front(), y_borders_.back(), 8, true);
    const auto [low, high] = color_range(map_.values);
    scale_ = map_.logarithmic ? logarithmic_axis(low, high, 8) : linear_axis(low, high, 8);
    scale_.low = low, scale_.high = high;
    std::erase_if(scale_.ticks,
                  [low = low, high = high](const Tick& tick) { return tick.value < low || tick.value > high; });
    if (map_.logarithmic) label_short_scale(scale_);
    double widest = 0;
    for (const Tick& tick : y_.ticks) widest = std::max(widest, text_width(tick.label, small_font));
    box_.left = widest + font + 16;
    box_.right = map_.width - (map_.classes.empty() ? 74 : 14);
  }

  double add_title() {
    if (map_.title.empty()) return top_margin + 4;
    out_.texts.push_back({{(box_.left + box_.right) / 2, top_margin + font + 2},
                          map_.title,
                          font + 1,
                          Text::Anchor::middle,
                          false,
                          true});
    return top_margin + font + 12;
  }

  double add_legend(double top) {
    double x = box_.left;
    for (std::size_t k = 0; k < map_.classes.size(); ++k) {
      out_.areas.push_back({corners({x, top, x + 12, top + 9}), class_colors[k % class_colors.size()]});
      out_.texts.push_back({{x + 16, top + small_font}, map_.classes[k], small_font});
      x += 30 + text_width(map_.classes[k], small_font);
    }
    return top + 16;
  }

  double at_x(double x) const { return box_.left + x_.share(x) * (box_.right - box_.left); }
  double at_y(double y) const { return box_.bottom - y_.share(y) * (box_.bottom - box_.top); }

  std::string color(double value) const {
    if (!std::isfinite(value)) return unknown_color;
    if (map_.classes.empty()) return color_at(scale_.share(value));
    return value < 0 ? unknown_color : class_colors[static_cast<std::size_t>(value) % class_colors.size()];
  }

  // Neighbors of one color in a row become one area.
  void add_cells() {
    const std::size_t columns = map_.x.size();
    for (std::size_t row = 0; row < map_.y.size(); ++row)
      for (std::size_t first = 0, next = 0; first < columns; first = next) {
        const std::string shade = color(map_.values[row * columns + first]);
        for (next = first + 1; next < columns && color(map_.values[row * columns + next]) == shade;) ++next;
        out_.areas.push_back({corners({at_x(x_borders_[first]), at_y(y_borders_[row + 1]), at_x(x_borders_[next]),
                                       at_y(y_borders_[row])}),
                              shade});
      }
  }

  void add_scale() {
    constexpr int steps = 64;
    const double left = box_.right + 10, height = box_.bottom - box_.top;
    for (int k = 0; k < steps; ++k)
      out_.areas.push_back({corners({left, box_.bottom - height * (k + 1) / steps, left + scale_width,
                                     box_.bottom - height * k / steps}),
                            color_at((k + 0.5) / steps)});
    add_line({{left, box_.top},
              {left + scale_width, box_.top},
              {left + scale_width, box_.bottom},
              {left, box_.bottom},
              {left, box_.top}});
    for (const Tick& tick : scale_.ticks) {
      const double y = box_.bottom - scale_.share(tick.value) * height;
      add_line({{left + scale_width, y}, {left + scale_width + 3, y}});
      out_.texts.push_back({{left + scale_width + 5, y + 0.35 * small_font}, tick.label, small_font});
    }
    const std::string label = scale_.factor.empty() ? map_.value_label : map_.value_label + ", " + scale_.factor;
    out_.texts.push_back({{map_.width - 4, (box_.top + box_.bottom) / 2}, label, font, Text::Anchor::middle, true});
  }

  void add_frame() {
    add_line({{box_.left, box_.top},
              {box_.right, box_.top},
              {box_.right, box_.bottom},
              {box_.left, box_.bottom},
              {box_.left, box_.top}});
    for (const Tick& tick : x_.ticks) {
      add_line({{at_x(tick.value), box_.bottom}, {at_x(tick.value), box_.bottom + 3}});
      out_.texts.push_back(
          {{at_x(tick.value), box_.bottom + small_font + 5}, tick.label, small_font, Text::Anchor::middle});
    }
    for (const Tick& tick : y_.ticks) {
      add_line({{box_.left - 3, at_y(tick.value)}, {box_.left, at_y(tick.value)}});
      out_.texts.push_back(
          {{box_.left - 5, at_y(tick.value) + 0.35 * small_font}, tick.label, small_font, Text::Anchor::end});
    }
    out_.texts.push_back(
        {{(box_.left + box_.right) / 2, box_.bottom + bottom_margin - 8}, map_.x_label, font, Text::Anchor::middle});
    out_.texts.push_back({{font + 2, (box_.top + box_.bottom) / 2}, map_.y_label, font, Text::Anchor::middle, true});
  }

  void add_outline(const std::vector<Point>& outline) {
    std::vector<Point> points;
    for (const Point& point : outline) points.push_back({at_x(point.x), at_y(point.y)});
    out_.lines.push_back({points, {"#ffffff", 2.4, {}}, 0});
    out_.lines.push_back({points, {"#000000", 1.1, {}}, 0});
  }

  // A ring with its name on white, toward the middle of the picture.
  void add_mark(const HeatMap::Mark& mark) {
    const Point at{at_x(mark.at.x), at_y(mark.at.y)};
    std::vector<Point> ring;
    for (int k = 0; k <= 24; ++k) {
      const double angle = 2 * std::numbers::pi * k / 24;
      ring.push_back({at.x + 4 * std::cos(angle), at.y + 4 * std::sin(angle)});
    }
    out_.lines.push_back({ring, {"#ffffff", 3.2, {}}, -1});
    out_.lines.push_back({ring, {"#d00000", 1.6, {}}, -1});
    const double width = text_width(mark.text, small_font) + 6;
    const bool leftwards = at.x + 8 + width > box_.right;
    const double left = leftwards ? at.x - 8 - width : at.x + 8;
    const double middle = std::clamp(at.y, box_.top + 8, box_.bottom - 8);
    out_.areas.push_back({corners({left, middle - 6, left + width, middle + 6}), "#ffffff", 0.85});
    out_.texts.push_back({{left + 3, middle + 0.35 * small_font}, mark.text, small_font});
  }

  void add_line(std::vector<Point> points) { out_.lines.push_back({std::move(points), {frame_color, 0.7, {}}, -1}); }

  const HeatMap& map_;
  std::vector<double> x_borders_, y_borders_;
  Axis x_, y_, scale_;
  Box box_;
  Drawing out_;
};

}  // namespace

Drawing drawing_of(const HeatMap& map) { return HeatMapLayout(map).draw(); }

}  // namespace armature::internal::plot
