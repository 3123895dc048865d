#include "record/write_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "record/record_error.hpp"

namespace armature::internal {

bool try_write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return !out.fail();
}

void write_text(const std::filesystem::path& file, std::string_view text) {
  if (!try_write_text(file, text))
    throw RecordError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
}

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace armature::internal
