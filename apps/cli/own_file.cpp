#include "own_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "errors.hpp"
#include "import/zip.hpp"
#include "model/file_kind.hpp"
#include "model/request_error.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_fmu = std::uintmax_t{1} << 28;  // bytes; an export is far smaller

// One of the first two lines of a text names Armature: an XML declaration may come before.
bool is_own_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(4096, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  const std::size_t first = start.find('\n'), second = start.find('\n', first == std::string::npos ? first : first + 1);
  return start.substr(0, second).find("written by Armature") != std::string::npos;
}

bool is_own_fmu(const fs::path& file) {
  if (fs::file_size(file) > largest_fmu) return false;
  try {
    const std::string description = file_of_zip(read_file(file.string()).value_or(""), "modelDescription.xml");
    return description.find("generationTool=\"Armature ") != std::string::npos;
  } catch (const RequestError&) {  // not an archive, or a damaged one
    return false;
  }
}

}  // namespace

void refuse_to_replace(const fs::path& file, const std::string& output) {
  if (file == output || !fs::is_regular_file(file)) return;
  if (file.extension() == ".fmu" ? is_own_fmu(file) : is_own_text(file)) return;
  throw UsageError(fmt::format("{}: exists and was not written by Armature; move it, or choose another name with -o",
                               file.string()));
}

}  // namespace armature::internal::cli
