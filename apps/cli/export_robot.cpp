#include "export_robot.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "import/robot_formats.hpp"
#include "inspect/export_robot.hpp"
#include "own_file.hpp"
#include "record/json_text.hpp"
#include "record/whole_file.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

void write_whole(const fs::path& file, const std::string& text) {
  try {
    WholeFile whole(file);
    whole.write(text);
    whole.put_in_place();
  } catch (const RecordError& error) {
    throw ComputationError(error.what());
  }
}

}  // namespace

int write_robot(const Model& model, const Prepared& prepared, const std::string& format, const std::string& output,
                bool json) {
  const fs::path file = output.empty() ? fs::path(model.file).stem().string() + robot_format(format).ending : output;
  if (fs::exists(file) && fs::equivalent(file, model.file))
    throw UsageError(fmt::format(
        "{}: the robot would overwrite the file that it was made from; choose another name with -o", file.string()));
  refuse_to_replace(file, output);
  const auto [text, not_exported] = export_robot(model, prepared, format);
  write_whole(file, text);
  if (json) {
    fmt::print("{}\n", json_text({{"status", "finished"}, {"file", file.string()}, {"not_exported", not_exported}}));
    return ok;
  }
  const auto count = [](std::size_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  fmt::print("{}: {}, {}, {}\n", file.string(), count(model.bodies.size(), "body", "bodies"),
             count(model.joints.size(), "joint", "joints"),
             count(prepared.system->equations().cut_joints.size(), "loop", "loops"));
  if (!not_exported.empty()) fmt::print("not exported:\n");
  for (const std::string& what : not_exported) fmt::print("  {}\n", what);
  return ok;
}

}  // namespace armature::internal::cli
