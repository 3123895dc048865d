// A drawing as a file of each kind, and as pixels.
#include <fmt/format.h>

#include "plugin/plugin.hpp"
#include "record/record_error.hpp"
#include "record/whole_file.hpp"
#include "report/drawing.hpp"
#include "report/painter.hpp"

namespace armature::internal::plot {
namespace {

const Painter& painter() { return plugin<Painter>("cairo"); }

}  // namespace

Image image_of(const Drawing& drawing, int width, int height) {
  Image image{width, height, painter().pixels(drawing, width, height)};
  if (image.pixels.empty())
    throw RecordError(fmt::format("a picture of {} x {} pixels needs more memory than there is", width, height));
  return image;
}

void write_drawing(const Drawing& drawing, const std::filesystem::path& file, double dots_per_inch) {
  const std::string ending = file.extension().string();
  if (ending != ".svg" && ending != ".png" && ending != ".pdf")
    throw RecordError(fmt::format("{}: a figure ends in .svg, .png or .pdf", file.string()));
  WholeFile whole(file);
  const std::string beside = whole.beside().string();
  std::string failure;
  if (ending == ".svg")
    whole.write(to_svg(drawing));
  else
    failure =
        ending == ".png" ? painter().write_png(drawing, beside, dots_per_inch) : painter().write_pdf(drawing, beside);
  if (!failure.empty()) throw RecordError(fmt::format("{}: cannot be written: {}", file.string(), failure));
  whole.put_in_place();
}

}  // namespace armature::internal::plot
