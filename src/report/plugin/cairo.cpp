// PNG, PDF and pixels by cairo.
#include <cairo-pdf.h>
#include <cairo.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "plugin/plugin.hpp"
#include "report/painter.hpp"

namespace armature::internal::plot {
namespace {

struct Destroy {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Context = std::unique_ptr<cairo_t, Destroy>;

void set_color(cairo_t* context, const std::string& color, double opacity = 1) {
  const unsigned long rgb = std::stoul(color.substr(1), nullptr, 16);
  cairo_set_source_rgba(context, static_cast<double>(rgb >> 16 & 255) / 255, static_cast<double>(rgb >> 8 & 255) / 255,
                        static_cast<double>(rgb & 255) / 255, opacity);
}

void draw_area(cairo_t* context, const Area& area) {
  cairo_save(context);
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);  // areas that touch must not show a seam
  for (const Point& corner : area.corners) cairo_line_to(context, corner.x, corner.y);
  set_color(context, area.color, area.opacity);
  cairo_fill(context);
  cairo_restore(context);
}

void draw_shape(cairo_t* context, const Shape& shape) {
  cairo_save(context);
  for (const Point& point : shape.points) cairo_line_to(context, point.x, point.y);
  if (shape.closed) cairo_close_path(context);
  if (!shape.fill.empty()) {
    set_color(context, shape.fill, shape.opacity);
    cairo_fill_preserve(context);
  }
  if (shape.stroke.width > 0) {
    set_color(context, shape.stroke.color, shape.opacity);
    cairo_set_line_width(context, shape.stroke.width);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
    cairo_set_dash(context, shape.stroke.dash.data(), static_cast<int>(shape.stroke.dash.size()), 0);
    cairo_stroke_preserve(context);
  }
  cairo_new_path(context);
  cairo_restore(context);
}

void draw_line(cairo_t* context, const Drawing& drawing, const Line& line) {
  cairo_save(context);
  if (line.clip >= 0) {
    const Box& box = drawing.clips[static_cast<std::size_t>(line.clip)];
    cairo_rectangle(context, box.left, box.top, box.right - box.left, box.bottom - box.top);
    cairo_clip(context);
  }
  for (const Point& point : line.points) cairo_line_to(context, point.x, point.y);
  set_color(context, line.stroke.color);
  cairo_set_line_width(context, line.stroke.width);
  cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash(context, line.stroke.dash.data(), static_cast<int>(line.stroke.dash.size()), 0);
  cairo_stroke(context);
  cairo_restore(context);
}

void draw_text(cairo_t* context, const Text& text) {
  cairo_save(context);
  cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         text.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, text.size);
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.text.c_str(), &extents);
  const double share = text.anchor == Text::Anchor::start ? 0 : text.anchor == Text::Anchor::end ? 1 : 0.5;
  cairo_move_to(context, text.at.x, text.at.y);
  cairo_rotate(context, -(text.upwards ? 90 : text.turn) * std::numbers::pi / 180);
  cairo_rel_move_to(context, -share * extents.x_advance, 0);
  if (text.halo) {
    double x = 0, y = 0;
    cairo_get_current_point(context, &x, &y);
    cairo_text_path(context, text.text.c_str());
    cairo_set_source_rgb(context, 1, 1, 1);
    cairo_set_line_width(context, 2.5);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(context);
    cairo_move_to(context, x, y);
  }
  set_color(context, text.color);
  cairo_show_text(context, text.text.c_str());
  cairo_restore(context);
}

void draw(cairo_t* context, const Drawing& drawing) {
  cairo_set_source_rgb(context, 1, 1, 1);
  cairo_paint(context);
  for (const Area& area : drawing.areas) draw_area(context, area);
  for (const Shape& shape : drawing.shapes) draw_shape(context, shape);
  for (const Line& line : drawing.lines) draw_line(context, drawing, line);
  for (const Text& text : drawing.texts) draw_text(context, text);
}

std::string sentence_of(cairo_status_t status) {
  return status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status);
}

}  // namespace

class Cairo final : public Painter {
 public:
  std::string write_png(const Drawing& drawing, const std::string& file, double dots_per_inch) const override {
    const double scale = dots_per_inch / 72;
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                     static_cast<int>(std::lround(drawing.width * scale)),
                                                     static_cast<int>(std::lround(drawing.height * scale))));
    const Context context(cairo_create(surface.get()));
    cairo_scale(context.get(), scale, scale);
    draw(context.get(), drawing);
    return sentence_of(cairo_surface_write_to_png(surface.get(), file.c_str()));
  }

  std::string write_pdf(const Drawing& drawing, const std::string& file) const override {
    const Surface surface(cairo_pdf_surface_create(file.c_str(), drawing.width, drawing.height));
    const Context context(cairo_create(surface.get()));
    draw(context.get(), drawing);
    cairo_surface_finish(surface.get());
    return sentence_of(cairo_surface_status(surface.get()));
  }

  std::vector<std::uint32_t> pixels(const Drawing& drawing, int width, int height) const override {
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
    const Context context(cairo_create(surface.get()));
    cairo_scale(context.get(), width / drawing.width, height / drawing.height);
    draw(context.get(), drawing);
    cairo_surface_flush(surface.get());
    std::vector<std::uint32_t> pixels;
    const unsigned char* data = cairo_image_surface_get_data(surface.get());
    if (!data) return pixels;
    const int stride = cairo_image_surface_get_stride(surface.get());
    pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int y = 0; y < height; ++y) {
      const auto* row = reinterpret_cast<const std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
      for (int x = 0; x < width; ++x) pixels.push_back(row[x] & 0xffffffu);
    }
    return pixels;
  }
};

}  // namespace armature::internal::plot

ARMATURE_PLUGIN(cairo, plot::Painter, plot::Cairo);
