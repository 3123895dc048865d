#include "fmi/fmu_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>

#include "model/file_kind.hpp"
#include "model/request_error.hpp"
#include "read/guarded_reader.hpp"
#include "read/reader.hpp"
#include "record/version.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "armature.txt";

std::string bytes_of(const fs::path& file) {
  std::optional<std::string> bytes = read_file(file);
  if (!bytes) throw RequestError(fmt::format("{}: the file cannot be read", file.string()));
  return *std::move(bytes);
}

// Fowler, Noll and Vo's hash, twice.
std::string hash_of(const std::vector<std::string>& texts) {
  std::uint64_t a = 14695981039346656037u, b = 1099511628211u;
  for (const std::string& text : texts)
    for (const char c : text + '\0') {
      a = (a ^ static_cast<unsigned char>(c)) * 1099511628211u;
      b = (b ^ static_cast<unsigned char>(c)) * 1099511628211u + 1;
    }
  return fmt::format("{:016x}{:016x}", a, b);
}

// A robot is read as the model that it becomes.
struct Source {
  std::string text;
  std::set<fs::path> files;  // that the model names, absolute
};

Source read_source(const std::string& text, const fs::path& file, const std::string& root) {
  Source source;
  const std::string beside = file.parent_path().string() + "/";
  const Model model = read_guarded_text(text, file.string(), [&](const fs::path& other) {
    if (!other.string().starts_with(beside))
      throw RequestError(fmt::format(
          "{} is named by an absolute path, which means nothing inside an FMU; name it relative to the model "
          "file",
          other.string()));
    const bool is_inside = leads_into(other, root.empty() ? file.parent_path() : fs::path(root));
    if (is_inside) source.files.insert(fs::absolute(other).lexically_normal());
    return is_inside;
  });
  source.text = model.text;
  return source;
}

// The folder that holds all of them.
fs::path common_folder(const fs::path& file, const std::set<fs::path>& files) {
  fs::path folder = file.parent_path();
  const auto holds = [&](const fs::path& other) {
    return !other.lexically_relative(folder).string().starts_with("..");
  };
  while (!std::ranges::all_of(files, holds) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

std::string list_text(const std::string& token, const std::string& model, const Settings& settings) {
  std::string text = fmt::format("token {}\nmodel {}\n", token, model);
  for (const auto& [name, value] : settings) text += fmt::format("set {} {}\n", name, value);
  return text;
}

}  // namespace

FmuResources fmu_resources(const std::string& text, const std::string& name, const Settings& settings,
                           const std::string& root) {
  const fs::path file = fs::absolute(name).lexically_normal();
  const Source source = read_source(text, file, root);
  const fs::path folder = common_folder(file, source.files);
  const std::string model = fs::path(file.lexically_relative(folder)).replace_extension(".yaml").string();
  FmuResources resources;
  std::vector<std::string> hashed{version(), source.text};
  for (const fs::path& other : source.files) {
    if (!fs::is_regular_file(other)) continue;  // a robot's mesh that is not drawn
    resources.files.emplace_back(other.lexically_relative(folder).string(), bytes_of(other));
    hashed.push_back(resources.files.back().second);
  }
  for (const auto& [key, value] : settings) hashed.push_back(key), hashed.push_back(value);
  resources.token = hash_of(hashed);
  resources.files.emplace_back(model, source.text);
  resources.files.emplace_back(list_name, list_text(resources.token, model, settings));
  return resources;
}

FmuModel fmu_model(const fs::path& folder, const std::string& token) {
  const fs::path list = folder / list_name;
  if (!fs::is_regular_file(list))
    throw RequestError(
        fmt::format("{}: this is not the resources folder of the FMU: {} is missing", folder.string(), list_name));
  FmuModel model;
  model.root = folder.string();
  std::istringstream lines(bytes_of(list));
  std::string known;
  for (std::string line; std::getline(lines, line);) {
    const std::string key = line.substr(0, line.find(' ')), value = line.substr(std::min(line.size(), key.size() + 1));
    if (key == "token") known = value;
    if (key == "model") model.file = (folder / value).string();
    if (key == "set") model.settings.emplace_back(value.substr(0, value.find(' ')), value.substr(value.find(' ') + 1));
  }
  if (known != token)
    throw RequestError(
        fmt::format("the instantiation token is '{}', but this FMU has '{}': the importer has read another "
                    "modelDescription.xml",
                    token, known));
  model.text = bytes_of(model.file);
  return model;
}

}  // namespace armature::internal
