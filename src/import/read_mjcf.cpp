#include "import/known_names.hpp"
#include "import/mjcf_reader.hpp"

namespace armature::internal {

Robot MjcfReader::read() {
  const pugi::xml_node root = xml_.root();
  robot_.format = "MJCF";
  robot_.name = xml_.word(root, "model").value_or("");
  list_unknown_names(xml_, robot_);
  for (const pugi::xml_node node : root.children("compiler")) read_compiler(node);
  for (const pugi::xml_node node : root.children("option")) read_option(node);
  for (const pugi::xml_node node : root.children("asset")) read_meshes(node);
  for (const pugi::xml_node world : root.children("worldbody")) read_contents(world, ground_body, {}, "");
  scale_mass(root);
  for (const pugi::xml_node node : root.children("tendon")) read_tendons(node);
  for (const pugi::xml_node node : root.children("equality")) read_equality(node);
  for (const pugi::xml_node node : root.children("actuator")) read_actuators(node);
  for (const char* rest : {"contact", "sensor", "keyframe", "deformable", "custom", "extension", "skin"})
    if (const pugi::xml_node node = root.child(rest))
      robot_.leave_out(fmt::format("{}: <{}>", xml_.place_of(node), rest));
  return std::move(robot_);
}

Robot read_mjcf(XmlTree& xml, const std::string&, const RobotFiles& files, const RobotOptions&) {
  xml.include_files("include", files);
  return MjcfReader(xml, files).read();
}

}  // namespace armature::internal
