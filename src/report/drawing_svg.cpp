// SVG: every line a path with coordinates to a hundredth of a point.
#include <fmt/format.h>

#include <iterator>

#include "report/drawing.hpp"
#include "report/markup.hpp"

namespace armature::internal::plot {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string dash_list(const std::vector<double>& dash) {
  std::string list;
  for (double length : dash) list += fmt::format("{}{:g}", list.empty() ? "" : " ", length);
  return list;
}

// A step along one axis needs one number.
void write_area(const Area& area, Out out) {
  fmt::format_to(out, "<path d=\"");
  for (std::size_t i = 0; i < area.corners.size(); ++i) {
    const Point& at = area.corners[i];
    if (i > 0 && at.y == area.corners[i - 1].y)
      fmt::format_to(out, "H{:.2f}", at.x);
    else if (i > 0 && at.x == area.corners[i - 1].x)
      fmt::format_to(out, "V{:.2f}", at.y);
    else
      fmt::format_to(out, "{}{:.2f} {:.2f}", i == 0 ? "M" : "L", at.x, at.y);
  }
  fmt::format_to(out, "Z\" fill=\"{}\"", area.color);
  if (area.opacity < 1) fmt::format_to(out, " fill-opacity=\"{:g}\"", area.opacity);
  fmt::format_to(out, "/>\n");
}

void write_line(const Line& line, Out out) {
  fmt::format_to(out, "<path d=\"");
  for (std::size_t i = 0; i < line.points.size(); ++i)
    fmt::format_to(out, "{}{:.2f} {:.2f}", i == 0 ? "M" : "L", line.points[i].x, line.points[i].y);
  fmt::format_to(out, "\" stroke=\"{}\" stroke-width=\"{:g}\"", line.stroke.color, line.stroke.width);
  if (!line.stroke.dash.empty()) fmt::format_to(out, " stroke-dasharray=\"{}\"", dash_list(line.stroke.dash));
  if (line.clip >= 0) fmt::format_to(out, " clip-path=\"url(#c{})\"", line.clip);
  fmt::format_to(out, "/>\n");
}

void write_shape(const Shape& shape, Out out) {
  fmt::format_to(out, "<path");
  if (!shape.kind.empty()) fmt::format_to(out, " class=\"{}\"", escaped(shape.kind));
  fmt::format_to(out, " d=\"");
  for (std::size_t i = 0; i < shape.points.size(); ++i)
    fmt::format_to(out, "{}{:.2f} {:.2f}", i == 0 ? "M" : "L", shape.points[i].x, shape.points[i].y);
  fmt::format_to(out, "{}\" fill=\"{}\"", shape.closed ? "Z" : "", shape.fill.empty() ? "none" : shape.fill);
  if (shape.stroke.width > 0)
    fmt::format_to(out, " stroke=\"{}\" stroke-width=\"{:.3g}\"", shape.stroke.color, shape.stroke.width);
  if (shape.stroke.width > 0 && !shape.stroke.dash.empty())
    fmt::format_to(out, " stroke-dasharray=\"{}\"", dash_list(shape.stroke.dash));
  if (shape.opacity < 1) fmt::format_to(out, " opacity=\"{:g}\"", shape.opacity);
  fmt::format_to(out, "/>\n");
}

void write_text(const Text& text, Out out) {
  const char* anchor = text.anchor == Text::Anchor::start ? "start"
                       : text.anchor == Text::Anchor::end ? "end"
                                                          : "middle";
  fmt::format_to(out, "<text x=\"{0:.2f}\" y=\"{1:.2f}\" font-size=\"{2:g}\" text-anchor=\"{3}\"", text.at.x, text.at.y,
                 text.size, anchor);
  if (const double turn = text.upwards ? 90 : text.turn; turn != 0)
    fmt::format_to(out, " transform=\"rotate({:g} {:.2f} {:.2f})\"", -turn, text.at.x, text.at.y);
  if (text.bold) fmt::format_to(out, " font-weight=\"bold\"");
  if (text.color != Text{}.color) fmt::format_to(out, " fill=\"{}\"", text.color);
  if (text.halo)
    fmt::format_to(out, " stroke=\"#ffffff\" stroke-width=\"2.5\" paint-order=\"stroke\" stroke-linejoin=\"round\"");
  fmt::format_to(out, ">{}</text>\n", escaped(text.text));
}

}  // namespace

double text_width(const std::string& text, double size) {
  double ems = 0;
  for (unsigned char c : text)
    if ((c & 0xC0) != 0x80)  // not the rest of a UTF-8 character
      ems += c == ' ' || c == '.' || c == ',' || c == '\'' || c == 'i' || c == 'l' || c == '|' ? 0.32
             : c == 'm' || c == 'w' || c == 'M' || c == 'W'                                    ? 0.9
                                                                                               : 0.6;
  return ems * size;
}

std::string to_svg(const Drawing& drawing) {
  std::string svg;
  const Out out(svg);
  fmt::format_to(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}pt\" height=\"{1:g}pt\" viewBox=\"0 0 {0:g} {1:g}\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n<rect width=\"{0:g}\" height=\"{1:g}\" "
      "fill=\"#ffffff\"/>\n",
      drawing.width, drawing.height);
  for (std::size_t i = 0; i < drawing.clips.size(); ++i) {
    const Box& box = drawing.clips[i];
    fmt::format_to(
        out, "<clipPath id=\"c{}\"><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/></clipPath>\n",
        i, box.left, box.top, box.right - box.left, box.bottom - box.top);
  }
  if (!drawing.areas.empty()) {  // areas that touch must not show a seam
    fmt::format_to(out, "<g shape-rendering=\"crispEdges\">\n");
    for (const Area& area : drawing.areas) write_area(area, out);
    fmt::format_to(out, "</g>\n");
  }
  if (!drawing.shapes.empty()) {
    fmt::format_to(out, "<g stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    for (const Shape& shape : drawing.shapes) write_shape(shape, out);
    fmt::format_to(out, "</g>\n");
  }
  fmt::format_to(out, "<g fill=\"none\" stroke-linejoin=\"round\">\n");
  for (const Line& line : drawing.lines) write_line(line, out);
  fmt::format_to(out, "</g>\n<g fill=\"#1a1a1a\">\n");
  for (const Text& text : drawing.texts) write_text(text, out);
  fmt::format_to(out, "</g>\n</svg>\n");
  return svg;
}

}  // namespace armature::internal::plot
