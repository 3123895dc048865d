#include "model/file_kind.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace armature::internal {

std::string file_kind(const std::filesystem::file_status& status) {
  using enum std::filesystem::file_type;
  switch (status.type()) {
    case regular: return "a file";
    case directory: return "a folder";
    case fifo: return "a pipe";
    case block:
    case character: return "a device";
    case socket: return "a socket";
    default: return "nothing that can be read";
  }
}

std::string why_no_file(const std::filesystem::path& path, const std::string& wanted) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_regular_file(status)) return "";
  if (status.type() == std::filesystem::file_type::not_found) return "there is no such file";
  if (status.type() == std::filesystem::file_type::none) return fmt::format("cannot be read: {}", error.message());
  return fmt::format("is {}, not a {}", file_kind(status), wanted);
}

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace armature::internal
