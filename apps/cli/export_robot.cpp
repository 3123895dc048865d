#include "export_robot.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "import/robot_of_model.hpp"
#include "record/json_text.hpp"
#include "record/whole_file.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

AssembledStart assembled(const Prepared& prepared) {
  const Equations& equations = prepared.system->equations();
  AssembledStart start;
  start.cut = equations.cut_joints;
  for (std::size_t k = 0; k < equations.positions.size(); ++k)
    start.values[equations.positions[k].name] = prepared.start.x[static_cast<Eigen::Index>(k)];
  return start;
}

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

int export_robot(const Model& model, const Prepared& prepared, const std::string& format, const std::string& output,
                 bool json) {
  const std::string end = format == "mjcf" ? ".xml" : "." + format;
  const fs::path file = output.empty() ? fs::path(model.file).stem().string() + end : output;
  if (fs::exists(file) && fs::equivalent(file, model.file))
    throw UsageError(fmt::format("{}: the robot would replace the file that it is made of; name another with -o", file.string()));
  Robot robot = robot_of_model(model, assembled(prepared));
  std::vector<std::string> not_exported = robot.not_taken;
  const std::string text = format == "urdf"  ? write_urdf(std::move(robot), not_exported)
                           : format == "sdf" ? write_sdf(std::move(robot), not_exported)
                                             : write_mjcf(std::move(robot), not_exported);
  write_whole(file, text);
  if (json) {
    fmt::print("{}\n", json_text({{"status", "finished"}, {"file", file.string()}, {"not_exported", not_exported}}));
    return ok;
  }
  const auto count = [](std::size_t n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); };
  fmt::print("{}: {}, {}, {}\n", file.string(), count(model.bodies.size(), "body", "bodies"),
             count(model.joints.size(), "joint", "joints"), count(prepared.system->equations().cut_joints.size(), "loop", "loops"));
  if (!not_exported.empty()) fmt::print("not exported:\n");
  for (const std::string& what : not_exported) fmt::print("  {}\n", what);
  return ok;
}

}  // namespace armature::internal::cli
