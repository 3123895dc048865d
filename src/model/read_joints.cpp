// Joints, and what sits on their coordinates.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/for_loop.hpp"
#include "model/formula_tree.hpp"
#include "model/joint_components.hpp"
#include "model/joint_kinds.hpp"
#include "model/joint_type.hpp"
#include "model/read_sections.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

KeyTable keys_of_joint(JointType type) { return keys_of(section_of(words_of(type))); }

// Reads the type first: it decides which keys there are.
std::optional<JointType> read_type(const YamlNode& node, const std::string& path, Reading& reading) {
  const YamlNode* type = node.find("type");
  if (!type) {
    reading.diagnostics.add(node.where, path, fmt::format("'type' is missing ({})", one_of(joint_type_names())));
    return std::nullopt;
  }
  const std::optional<std::string> word = read_text(*type, dotted(path, "type"), reading);
  if (!word) return std::nullopt;
  const std::optional<JointType> result = joint_type(*word);
  if (!result)
    reading.diagnostics.add(type->where, dotted(path, "type"),
                            fmt::format("unknown type of joint '{}'{}", *word, near_or_all(*word, joint_type_names())));
  return result;
}

// "p to q": from one place of a body to another.
std::optional<Formula> axis_between(const YamlNode& node, const std::string& path, const Attachment& on,
                                    const char* which, Reading& reading) {
  const std::size_t to = node.is_text() ? node.text.find(" to ") : std::string::npos;
  if (to == std::string::npos) return std::nullopt;
  YamlNode ends[] = {node, node};
  ends[0].text = node.text.substr(0, to), ends[1].text = node.text.substr(to + 4);
  std::array<Formula, 2> at;
  for (int i = 0; i < 2; ++i) {
    const std::optional<Attachment> place = read_attachment(ends[i], path, reading);
    if (!place) return Formula{};
    if (place->body != on.body)
      reading.diagnostics.add(node.where, path,
                              fmt::format("'{}' is not on {}, the {} body of the joint", ends[i].text,
                                          on.body == "ground" ? "the ground" : on.body, which));
    at[i] = place->at.given() ? place->at : list_formula(std::vector<Formula>(3, number_formula(0)), node.where);
  }
  Formula axis = at[1] - at[0];
  axis.where = node.where;
  return axis;
}

// [in a, in b]: a direction in the axes of each body.
void read_pair(const MapReader& map, const char* key, const Joint& joint, Formula& in_a, Formula& in_b,
               Reading& reading) {
  static constexpr KeySpec axis_spec{"", "", Holds::vector};
  const YamlNode* pair = map.pair(key);
  if (!pair) return;
  const auto read = [&](const YamlNode& node, const Attachment& on, const char* which) {
    const std::optional<Formula> between = axis_between(node, map.path(key), on, which, reading);
    const Formula axis = between ? *between : read_axis(node, map.path(key), reading);
    reading.check_later(axis, map.path(key), axis_spec);
    return axis;
  };
  in_a = read(pair->items[0], joint.a, "first");
  in_b = read(pair->items[1], joint.b, "second");
}

void read_axes(const MapReader& map, Joint& joint, Reading& reading) {
  if (!map.has("axes")) return;
  if (map.has("axis")) reading.diagnostics.add(joint.where, map.path("axes"), "give 'axis' or 'axes', not both");
  read_pair(map, "axes", joint, joint.axis_a, joint.axis_b, reading);
}

void read_zero(const MapReader& map, Joint& joint, Reading& reading) {
  if (!map.has("zero")) return;
  if (map.has("turned"))
    reading.diagnostics.add(joint.where, map.path("zero"),
                            "give 'zero' or 'turned', not both: each defines where the joint is zero");
  read_pair(map, "zero", joint, joint.turned.zero_a, joint.turned.zero_b, reading);
}

void read_turned(const MapReader& map, Joint& joint, Reading& reading) {
  const YamlNode* node = map.find("turned");
  if (!node) return;
  const MapReader turned(*node, keys_of("turned"), map.path("turned"), reading);
  joint.turned.rpy = turned.formula("rpy");
  joint.turned.angle = turned.formula("angle");
  joint.turned.axis = turned.axis("axis");
  if (turned.has("rpy") == turned.has("angle"))
    reading.diagnostics.add(node->where, map.path("turned"), "give rpy: [roll, pitch, yaw], or an angle and its axis");
  if (map.has("axes") && words_of(joint.type).axes == 1)
    reading.diagnostics.add(
        node->where, map.path("turned"),
        "cannot be combined with 'axes', which turn b already; give 'axis' in a's axes, or 'zero' beside 'axes'");
}

void read_axis_or_axes(const MapReader& map, Joint& joint, Reading& reading) {
  const YamlNode* axis = map.find("axis");
  const std::optional<Formula> between =
      axis ? axis_between(*axis, map.path("axis"), joint.a, "first", reading) : std::nullopt;
  joint.axis_a = between ? *between : map.axis("axis");
  read_axes(map, joint, reading);
  if (map.has("axis") || map.has("axes")) return;
  if (words_of(joint.type).about_normal && !reading.model.plane.empty())
    joint.axis_a = plane_normal(reading.model.plane, joint.where);
  else
    reading.diagnostics.add(joint.where, map.path("axis"),
                            words_of(joint.type).about_normal
                                ? "is missing: x, y, z or a vector (or write 'plane: xy' at the top level, if all "
                                  "motion is parallel to a plane)"
                                : "is missing: x, y, z or a vector");
}

// Reads one element key of one coordinate.
class ElementReader {
 public:
  ElementReader(JointElement& element, bool is_length, Reading& reading)
      : element_(element), is_length_(is_length), reading_(reading) {}

  void read(const std::string& key, const YamlNode& node, const std::string& path) {
    if (key == "inertia") element_.inertia = formula(key, node, path);
    if (key == "damping") element_.damping = formula(key, node, path);
    if (key == "friction") read_friction(node, path);
    if (key == "spring") read_spring(node, path);
    if (key == "limits") read_limits(node, path);
  }

 private:
  Formula formula(const std::string& key, const YamlNode& node, const std::string& path) {
    const Formula formula = read_formula(node, path, reading_);
    reading_.check_later(formula, path, *find_key(keys_of("joints: one axis"), key), is_length_);
    return formula;
  }

  void read_friction(const YamlNode& node, const std::string& path) {
    if (!node.is_map()) {
      element_.friction = formula("friction", node, path);
      return;
    }
    const MapReader map(node, keys_of("friction"), path, reading_);
    element_.friction = map.formula("coulomb", is_length_);
    element_.breakaway = map.formula("breakaway");
  }

  void read_spring(const YamlNode& node, const std::string& path) {
    const MapReader map(node, keys_of("spring"), path, reading_);
    element_.stiffness = map.formula("stiffness", is_length_);
    element_.rest = map.formula("rest", is_length_);
  }

  void read_limits(const YamlNode& node, const std::string& path) {
    const MapReader map(node, keys_of("limits"), path, reading_);
    element_.lower = map.formula("lower", is_length_);
    element_.upper = map.formula("upper", is_length_);
    element_.stop_stiffness = map.formula("stiffness", is_length_);
    element_.stop_damping = map.formula("damping", is_length_);
    element_.stop_restitution = map.formula("restitution");
    if (map.has("stiffness") == map.has("restitution"))
      reading_.diagnostics.add(node.where, path,
                               map.has("stiffness")
                                   ? "give the stiffness of elastic stops or the restitution of rigid ones, not both"
                                   : "needs the stiffness of elastic stops, or the restitution of rigid ones");
    if (map.has("damping") && map.has("restitution"))
      reading_.diagnostics.add(node.where, dotted(path, "damping"), "belongs to stops with a stiffness");
    if (!map.has("lower") && !map.has("upper"))
      reading_.diagnostics.add(node.where, path, "needs lower, upper or both");
  }

  JointElement& element_;
  bool is_length_;
  Reading& reading_;
};

JointElement& element_of(Joint& joint, const std::string& component) {
  for (JointElement& element : joint.elements)
    if (element.component == component) return element;
  joint.elements.emplace_back();
  joint.elements.back().component = component;
  return joint.elements.back();
}

// damping: {angle: 1, slide: 2} on a joint of several coordinates
void read_by_component(const std::string& key, const YamlNode& node, const std::string& path, Joint& joint,
                       Reading& reading) {
  const std::vector<JointComponent> components = components_of(joint.type);
  std::vector<std::string> names;
  for (const JointComponent& component : components) names.push_back(component.name);
  if (!node.is_map()) {
    reading.diagnostics.add(
        node.where, path,
        fmt::format("this joint has several coordinates; write {}: {{{}: …}}", key, fmt::join(names, ": …, ")));
    return;
  }
  for (const YamlEntry& entry : node.entries) {
    const auto place = std::find(names.begin(), names.end(), entry.key);
    if (place == names.end()) {
      reading.diagnostics.add(entry.where, dotted(path, entry.key),
                              fmt::format("unknown coordinate of this joint; it has {}", one_of(names)));
      continue;
    }
    const JointComponent& component = components[static_cast<std::size_t>(place - names.begin())];
    ElementReader(element_of(joint, component.name), component.is_length, reading)
        .read(key, entry.value, dotted(path, entry.key));
  }
}

void read_elements(const MapReader& map, Joint& joint, Reading& reading) {
  const std::vector<JointComponent> components = components_of(joint.type);
  for (const char* key : {"inertia", "damping", "friction", "spring", "limits"}) {
    const YamlNode* node = map.find(key);
    if (!node) continue;
    if (components.size() > 1)
      read_by_component(key, *node, map.path(key), joint, reading);
    else
      ElementReader(element_of(joint, ""), components[0].is_length, reading).read(key, *node, map.path(key));
  }
}

// A joint with play leaves free all that its play allows; contact holds it (read/clearance.hpp).
void read_clearance(const MapReader& map, Joint& joint, Reading& reading) {
  const YamlNode* node = map.find("clearance");
  if (!node) return;
  const bool planar = !reading.model.plane.empty(), ball = joint.type == JointType::spherical,
             pin = joint.type == JointType::revolute, guide = joint.type == JointType::prismatic;
  const auto report = [&](const char* message) {
    reading.diagnostics.add(node->where, map.path("clearance"), message);
  };
  if (!ball && !pin && !guide) return report("belongs to a revolute, prismatic or spherical joint");
  if (!ball && !planar)
    return report(
        "of a revolute or prismatic joint belongs to a planar model: give the file a plane, such as 'plane: xy'");
  if (joint.turned.given() || (guide && joint.axis_b.given()))
    return report("cannot be combined with 'turned', 'zero' or 'axes'");
  if (!pin && !joint.elements.empty())
    return report(
        "leaves a prismatic joint without a coordinate of its own; give springs, damping and limits as forces");
  joint.clearance = joint.type;
  joint.type = ball ? JointType::free : JointType::planar;
  for (JointElement& element : joint.elements) element.component = "angle";
  reading.clearances.emplace_back(joint.name, *node);
}

void read_joint(const YamlEntry& entry, Reading& reading) {
  const std::string path = dotted("joints", entry.key);
  reading.take_name(entry.key, "joint", entry.where, path);
  const std::optional<JointType> type = read_type(entry.value, path, reading);
  if (!type) return;
  const MapReader map(entry.value, keys_of_joint(*type), path, reading);
  Joint joint;
  joint.name = entry.key;
  joint.type = *type;
  joint.where = entry.where;
  read_between(map, joint.a, joint.b, reading);
  joint.cut = map.flag("cut");
  const JointWords& words = words_of(*type);
  read_turned(map, joint, reading);
  if (words.axes == 2) read_axes(map, joint, reading);
  if (words.axes == 1) read_axis_or_axes(map, joint, reading);
  if (words.axes == 1) read_zero(map, joint, reading);
  if (words.axes > 0) read_elements(map, joint, reading);
  for (int i = 0; i < words.own_keys(); ++i) joint.own.push_back(map.formula(std::string(words.keys[i].name)));
  read_clearance(map, joint, reading);
  reading.model.joints.push_back(std::move(joint));
}

}  // namespace

void read_joints(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "joints", reading)) read_joint(entry, reading);
}

}  // namespace armature::internal
