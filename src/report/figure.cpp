#include "report/figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "report/axis.hpp"
#include "report/plot_style.hpp"

namespace armature::internal::plot {
namespace {

const std::vector<std::vector<double>> dashes = {{}, {5, 2}, {1.5, 1.5}, {6, 2, 1.5, 2}};

constexpr double right_margin = 14, gap = 12;
constexpr const char *grid_color = "#e2e2e2", *event_color = "#8c8c8c";

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double x) {
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
  bool empty() const { return low > high; }
};

// Where there are more curves than colors, dashes tell them apart.
Stroke stroke_of(const Curve& curve) {
  const std::size_t color = static_cast<std::size_t>(curve.color), dash = static_cast<std::size_t>(curve.dash);
  return {palette[color % palette.size()], 1.1, dashes[(dash + color / palette.size()) % dashes.size()]};
}

double shown_value(const Panel& panel, double y) {
  if (!panel.logarithmic) return y;
  return y == 0 ? std::numeric_limits<double>::quiet_NaN() : std::abs(y);
}

Axis vertical_axis(const Panel& panel, const Axis& x, double height) {
  Range range;
  for (const Curve& curve : panel.curves)
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      if (curve.x[i] >= x.low && curve.x[i] <= x.high) range.add(shown_value(panel, curve.y[i]));
      if (i == 0) continue;
      for (double edge : {x.low, x.high})  // a line from a point outside to one inside, or across
        if ((curve.x[i - 1] - edge) * (curve.x[i] - edge) < 0)
          range.add(shown_value(
              panel, std::lerp(curve.y[i - 1], curve.y[i], (edge - curve.x[i - 1]) / (curve.x[i] - curve.x[i - 1]))));
    }
  const int count = std::max(2, static_cast<int>(height / 22));
  if (range.empty()) range.low = panel.logarithmic ? 1 : 0, range.high = panel.logarithmic ? 10 : 1;
  return panel.logarithmic ? logarithmic_axis(range.low, range.high, count) : linear_axis(range.low, range.high, count);
}

Axis horizontal_axis(const Figure& figure, double width) {
  Range range;
  for (const Panel& panel : figure.panels)
    for (const Curve& curve : panel.curves)
      for (double x : curve.x) range.add(x);
  if (range.empty()) range.low = 0, range.high = 1;
  return linear_axis(figure.x_low.value_or(range.low), figure.x_high.value_or(range.high),
                     std::max(2, static_cast<int>(width / 42)), true);
}

// Entries of a legend, as many in a line as fit.
struct Legend {
  struct Entry {
    Point at;
    std::string text;
    Stroke stroke;
  };
  std::vector<Entry> entries;
  int lines = 0;
};

constexpr double sample = 20, sample_gap = 4, entry_gap = 12;  // of a legend's entry, points

Legend legend_of(const std::vector<std::pair<std::string, Stroke>>& entries, double left, double right) {
  Legend legend;
  double x = left;
  for (const auto& [text, stroke] : entries) {
    const double width = sample + sample_gap + text_width(text, small_font);
    if (legend.lines == 0 || x + width > right) {
      x = left;
      ++legend.lines;
    }
    legend.entries.push_back({{x, (legend.lines - 0.5) * legend_line}, text, stroke});
    x += width + entry_gap;
  }
  return legend;
}

class FigureLayout {
 public:
  explicit FigureLayout(const Figure& figure) : figure_(figure) {}

  Drawing draw() {
    out_.width = figure_.width;
    x_ = horizontal_axis(figure_, figure_.width - 60);
    for (const Panel& panel : figure_.panels) y_.push_back(vertical_axis(panel, x_, figure_.panel_height));
    left_ = margin();
    if (figure_.true_scale) scale_alike();
    double top = top_margin;
    if (!figure_.title.empty()) {
      out_.texts.push_back(
          {{(left_ + right()) / 2, top + font + 2}, figure_.title, font + 1, Text::Anchor::middle, false, true});
      top += font + 10;
    }
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) top = add_panel(i, top);
    out_.height = top - gap + bottom_margin;
    return out_;
  }

 private:
  double right() const { return figure_.width - right_margin; }

  // Both ranges widened so that a unit has the same length along both.
  void scale_alike() {
    const double width = right() - left_, height = figure_.panel_height;
    const auto widened = [](const Axis& axis, double length, int count) {
      const double middle = 0.5 * (axis.low + axis.high);
      return linear_axis(middle - 0.5 * length, middle + 0.5 * length, std::max(2, count), true);
    };
    double unit = 1.05 * (x_.high - x_.low) / width;  // of the axes, a point
    for (const Axis& y : y_) unit = std::max(unit, (y.high - y.low) / height);
    x_ = widened(x_, unit * width, static_cast<int>(width / 42));
    for (Axis& y : y_) y = widened(y, unit * height, static_cast<int>(height / 22));
  }

  // Room for the widest label of a tick and the label of the axis.
  double margin() const {
    double widest = 0;
    for (const Axis& axis : y_)
      for (const Tick& tick : axis.ticks) widest = std::max(widest, text_width(tick.label, small_font));
    return widest + 7 + font + 8;
  }

  double add_panel(std::size_t index, double top) {
    const Panel& panel = figure_.panels[index];
    const bool last = index + 1 == figure_.panels.size();
    top = add_legend(panel, index == 0, top) + (y_[index].factor.empty() ? 0 : small_font);
    const Box box{left_, top, right(), top + figure_.panel_height};
    out_.clips.push_back(box);
    const int clip = static_cast<int>(out_.clips.size()) - 1;
    add_grid(box, y_[index]);
    for (double event : figure_.events)
      if (event >= x_.low && event <= x_.high)
        add_line({{at_x(event, box), box.top}, {at_x(event, box), box.bottom}}, {event_color, 0.6, {2, 2}});
    for (const Curve& curve : panel.curves) add_curve(panel, curve, box, y_[index], clip);
    add_frame(box, panel, y_[index], last);
    return box.bottom + gap;
  }

  double add_legend(const Panel& panel, bool first, double top) {
    std::vector<std::pair<std::string, Stroke>> entries;
    // one curve whose name the axis says already needs none
    const bool named = panel.curves.size() == 1 && panel.label.find(panel.curves[0].label) != std::string::npos;
    if (!named)
      for (const Curve& curve : panel.curves) entries.emplace_back(curve.label, stroke_of(curve));
    if (first && !figure_.events.empty()) entries.emplace_back("events", Stroke{event_color, 0.6, {2, 2}});
    const Legend legend = legend_of(entries, left_, right());
    for (const Legend::Entry& entry : legend.entries) {
      const double y = top + entry.at.y;
      add_line({{entry.at.x, y}, {entry.at.x + sample, y}}, entry.stroke);
      out_.texts.push_back({{entry.at.x + sample + sample_gap, y + 0.35 * small_font}, entry.text, small_font});
    }
    return top + legend.lines * legend_line + 3;
  }

  double at_x(double value, const Box& box) const { return box.left + x_.share(value) * (box.right - box.left); }
  static double at_y(double value, const Box& box, const Axis& axis) {
    return box.bottom - axis.share(value) * (box.bottom - box.top);
  }
  void add_line(std::vector<Point> points, const Stroke& stroke, int clip = -1) {
    out_.lines.push_back({std::move(points), stroke, clip});
  }

  void add_grid(const Box& box, const Axis& y) {
    const Stroke grid{grid_color, 0.5, {}};
    for (const Tick& tick : x_.ticks)
      add_line({{at_x(tick.value, box), box.top}, {at_x(tick.value, box), box.bottom}}, grid);
    for (const Tick& tick : y.ticks)
      if (!tick.label.empty())
        add_line({{box.left, at_y(tick.value, box, y)}, {box.right, at_y(tick.value, box, y)}}, grid);
  }

  void add_curve(const Panel& panel, const Curve& curve, const Box& box, const Axis& y, int clip) {
    std::vector<Point> points;
    const auto finish = [&] {
      if (points.size() > 1) add_line(thinned(points), stroke_of(curve), clip);
      points.clear();
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const double value = shown_value(panel, curve.y[i]);
      if (std::isfinite(curve.x[i]) && std::isfinite(value))
        points.push_back({at_x(curve.x[i], box), at_y(value, box, y)});
      else
        finish();
    }
    finish();
  }

  void add_frame(const Box& box, const Panel& panel, const Axis& y, bool last) {
    const Stroke frame{frame_color, 0.7, {}};
    add_line({{box.left, box.top},
              {box.right, box.top},
              {box.right, box.bottom},
              {box.left, box.bottom},
              {box.left, box.top}},
             frame);
    for (const Tick& tick : x_.ticks) {
      const double x = at_x(tick.value, box);
      add_line({{x, box.bottom}, {x, box.bottom - 3}}, frame);
      if (last) out_.texts.push_back({{x, box.bottom + small_font + 3}, tick.label, small_font, Text::Anchor::middle});
    }
    for (const Tick& tick : y.ticks) {
      const double place = at_y(tick.value, box, y);
      add_line({{box.left, place}, {box.left + (tick.label.empty() ? 1.8 : 3.5), place}}, frame);
      out_.texts.push_back({{box.left - 4, place + 0.35 * small_font}, tick.label, small_font, Text::Anchor::end});
    }
    if (!y.factor.empty()) out_.texts.push_back({{box.left, box.top - 3}, y.factor, small_font, Text::Anchor::end});
    out_.texts.push_back({{font + 2, (box.top + box.bottom) / 2}, panel.label, font, Text::Anchor::middle, true});
    if (last) {
      const std::string label = x_.factor.empty() ? figure_.x_label : figure_.x_label + ", " + x_.factor;
      out_.texts.push_back(
          {{(box.left + box.right) / 2, box.bottom + bottom_margin - 8}, label, font, Text::Anchor::middle});
    }
  }

  const Figure& figure_;
  Drawing out_;
  Axis x_;
  std::vector<Axis> y_;
  double left_ = 0;
};

constexpr double column_width = 0.25, nearness = 0.1;  // points

void add_once(std::vector<Point>& points, const Point& point) {
  if (points.empty() || points.back().x != point.x || points.back().y != point.y) points.push_back(point);
}

// First, lowest, highest and last of points in one column, in their order.
void add_column(const Point* begin, const Point* end, std::vector<Point>& out) {
  const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
  std::array<const Point*, 4> kept = {begin, std::min_element(begin, end, lower), std::max_element(begin, end, lower),
                                      end - 1};
  std::sort(kept.begin(), kept.end());
  for (const Point* point : kept) add_once(out, *point);
}

}  // namespace

std::vector<Point> thinned(const std::vector<Point>& points) {
  const bool forward =
      std::is_sorted(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  std::vector<Point> out;
  if (forward) {
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
      const double column = std::floor(points[begin].x / column_width);
      while (end < points.size() && std::floor(points[end].x / column_width) == column) ++end;
      add_column(points.data() + begin, points.data() + end, out);
    }
    return out;
  }
  for (const Point& point : points)
    if (out.empty() || std::hypot(point.x - out.back().x, point.y - out.back().y) > nearness) out.push_back(point);
  return out;
}

Drawing drawing_of(const Figure& figure) { return FigureLayout(figure).draw(); }

}  // namespace armature::internal::plot
