// Pictures in pixels and as PDF: what cairo does (report/plugin/cairo.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/drawing.hpp"

namespace armature::internal::plot {

class Painter {
 public:
  virtual ~Painter() = default;
  // What went wrong; empty: nothing.
  virtual std::string write_png(const Drawing& drawing, const std::string& file, double dots_per_inch) const = 0;
  virtual std::string write_pdf(const Drawing& drawing, const std::string& file) const = 0;
  // Row by row, 0x00rrggbb each. Empty: there is not enough memory.
  virtual std::vector<std::uint32_t> pixels(const Drawing& drawing, int width, int height) const = 0;
};

}  // namespace armature::internal::plot
