#include "record/write_text.hpp"

#include <fmt/format.h>

#include <fstream>

#include "record/record_error.hpp"

namespace armature {

void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw RecordError(fmt::format("{}: cannot be written", file.string()));
}

}  // namespace armature
