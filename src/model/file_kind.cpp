#include "model/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

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
  const bool begins_with_vowel = std::string_view("aeioF").find(wanted[0]) != std::string_view::npos;  // an FMU, too
  return fmt::format("is {}, not {} {}", file_kind(status), begins_with_vowel ? "an" : "a", wanted);
}

bool leads_into(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code error;
  const auto real_place = [&](const std::filesystem::path& each) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(each, error), error).lexically_normal();
  };
  std::filesystem::path real = real_place(path), root = real_place(folder.empty() ? "." : folder);
  if (!root.has_filename()) root = root.parent_path();  // "folder/" ends in an empty part
  if (error) return false;
  return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace armature::internal
