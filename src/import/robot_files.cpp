#include "import/robot_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/file_kind.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = 200'000'000;

// What follows the scheme, once with the name of the package and once without it.
std::vector<std::string> names_in_folder(const std::string& name) {
  for (const std::string scheme : {"package://", "model://"})
    if (name.starts_with(scheme)) {
      const std::string rest = name.substr(scheme.size());
      const std::size_t slash = rest.find('/');
      return {slash == std::string::npos ? rest : rest.substr(slash + 1), rest};
    }
  return {name};
}

}  // namespace

RobotFiles::RobotFiles(fs::path folder, std::function<bool(const fs::path&)> may_read)
    : folder_(std::move(folder)), may_read_(std::move(may_read)) {}

std::optional<fs::path> RobotFiles::find(const std::string& name, std::string& why) const {
  if (name.empty() || name.find('\0') != std::string::npos) {
    why = "a file needs a name";
    return std::nullopt;
  }
  if (const std::size_t scheme = name.find("://");
      scheme != std::string::npos && !name.starts_with("package://") && !name.starts_with("model://")) {
    why = fmt::format("'{}' is not a file of this folder; only package:// and model:// are followed", name);
    return std::nullopt;
  }
  if (fs::path(name).is_absolute()) {
    why = fmt::format("'{}' is an absolute path; only files in the folder of the robot are read (see --root)", name);
    return std::nullopt;
  }
  why = fmt::format("there is no file '{}'", name);
  for (const std::string& candidate : names_in_folder(name)) {
    const fs::path path = folder_ / candidate;
    if (!leads_into(path, folder_) || (may_read_ && !may_read_(path))) {
      why = fmt::format("'{}' lies outside the folder of the robot, which is all that is read (see --root)", name);
      continue;
    }
    const std::string fault = why_no_file(path);
    if (fault.empty()) return path;
    if (fault != "there is no such file") why = fmt::format("'{}' {}", name, fault);
  }
  return std::nullopt;
}

std::optional<std::string> RobotFiles::read(const std::string& name, std::string& why) const {
  const std::optional<fs::path> path = find(name, why);
  if (!path) return std::nullopt;
  std::error_code error;
  if (const auto size = fs::file_size(*path, error); error || size > most_bytes) {
    why = fmt::format("'{}' is larger than {} MB", name, most_bytes / 1'000'000);
    return std::nullopt;
  }
  std::optional<std::string> text = read_file(*path);
  if (!text) why = fmt::format("'{}' cannot be read", name);
  return text;
}

}  // namespace armature::internal
