// References to places on bodies and to coordinates.
#include <algorithm>

#include <fmt/format.h>

#include "model/formula_tree.hpp"
#include "model/joint_components.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

constexpr KeySpec place_spec{"", "", Holds::vector, "m"};

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(" \t\n"));
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

bool is_body(const Model& model, const std::string& name) {
  return name == "ground" ||
         std::any_of(model.bodies.begin(), model.bodies.end(), [&](const Body& body) { return body.name == name; });
}

std::vector<std::string> place_names(const Model& model) {
  std::vector<std::string> names{"ground"};
  for (const NamedPoint& point : model.points) names.push_back(point.name);
  for (const Body& body : model.bodies) {
    names.push_back(body.name);
    for (const NamedPoint& point : body.points) names.push_back(body.name + "." + point.name);
  }
  return names;
}

const NamedPoint* find_point(const std::vector<NamedPoint>& points, const std::string& name) {
  for (const NamedPoint& point : points)
    if (point.name == name) return &point;
  return nullptr;
}

// A body, a body's point or a point on the ground.
std::optional<Attachment> named_place(const Model& model, const std::string& name, Location where) {
  if (is_body(model, name)) return Attachment{name, {}, where};
  if (const NamedPoint* point = find_point(model.points, name)) return Attachment{"ground", point->at, where};
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return std::nullopt;
  for (const Body& body : model.bodies)
    if (body.name == name.substr(0, dot))
      if (const NamedPoint* point = find_point(body.points, name.substr(dot + 1)))
        return Attachment{body.name, point->at, where};
  return std::nullopt;
}

// "body [x, y, z]"
std::optional<Attachment> place_by_components(const YamlNode& node, std::size_t bracket, const std::string& path,
                                              Reading& reading) {
  const std::string body = trimmed(node.text.substr(0, bracket));
  if (!is_body(reading.model, body)) {
    std::vector<std::string> bodies{"ground"};
    for (const Body& known : reading.model.bodies) bodies.push_back(known.name);
    reading.diagnostics.add(node.where, path, fmt::format("unknown body '{}'{}", body, did_you_mean(body, bodies)));
    return std::nullopt;
  }
  YamlNode vector = node;
  vector.text = node.text.substr(bracket);
  const Formula at = read_formula(vector, path, reading);
  reading.check_later(at, path, place_spec);
  return Attachment{body, at, node.where};
}

}  // namespace

Formula plane_normal(const std::string& plane, Location where) {
  const std::size_t i = plane == "yz" ? 0 : plane == "xz" ? 1 : 2;
  std::vector<Formula> entries(3, number_formula(0));
  entries[i] = number_formula(1);
  return list_formula(entries, where);
}

std::optional<Attachment> read_attachment(const YamlNode& node, const std::string& path, Reading& reading) {
  if (!node.is_text()) {
    reading.diagnostics.add(node.where, path,
                            fmt::format("expected a place such as body, body.point or \"body [x, y, z]\" "
                                        "(with quotes), not {}",
                                        kind_in_words(node)));
    return std::nullopt;
  }
  if (const std::size_t bracket = node.text.find('['); bracket != std::string::npos)
    return place_by_components(node, bracket, path, reading);
  const std::string name = trimmed(node.text);
  if (std::optional<Attachment> place = named_place(reading.model, name, node.where)) return place;
  reading.diagnostics.add(
      node.where, path,
      fmt::format("unknown body or point '{}'{}", name, did_you_mean(name, place_names(reading.model))));
  return std::nullopt;
}

bool read_between(const MapReader& map, Attachment& a, Attachment& b, Reading& reading) {
  const YamlNode* pair = map.pair("between");
  if (!pair) return false;
  const std::optional<Attachment> first = read_attachment(pair->items[0], map.path("between"), reading);
  const std::optional<Attachment> second = read_attachment(pair->items[1], map.path("between"), reading);
  if (!first || !second) return false;
  if (first->body == second->body) {
    reading.diagnostics.add(
        pair->where, map.path("between"),
        fmt::format("both places are on {}", first->body == "ground" ? "the ground" : "body '" + first->body + "'"));
    return false;
  }
  a = *first, b = *second;
  return true;
}

std::optional<CoordinateReference> read_coordinate(const YamlNode& node, const std::string& path, Reading& reading) {
  const std::optional<std::string> name = read_text(node, path, reading);
  if (!name) return std::nullopt;
  if (const std::optional<JointComponent> component = find_coordinate(reading.model, *name)) {
    if (!component->is_part_of_ball) return CoordinateReference{*name, component->is_length};
    reading.diagnostics.add(node.where, path,
                            fmt::format("'{}' is a part of a quaternion; nothing can act on it alone", *name));
    return std::nullopt;
  }
  for (const Joint& joint : reading.model.joints) {
    if (joint.name != *name) continue;
    std::vector<std::string> names;
    for (const JointComponent& component : components_of(joint.type))
      if (!component.is_part_of_ball) names.push_back(coordinate_name(joint, component));
    reading.diagnostics.add(node.where, path,
                            names.empty()
                                ? fmt::format("the {} joint '{}' has no coordinate of its own",
                                              joint_type_names()[static_cast<std::size_t>(joint.type)], *name)
                                : fmt::format("'{}' has several coordinates; write {}", *name, one_of(names)));
    return std::nullopt;
  }
  reading.diagnostics.add(
      node.where, path,
      fmt::format("unknown coordinate '{}'{}", *name, near_or_all(*name, coordinate_names(reading.model))));
  return std::nullopt;
}

std::optional<CoordinateReference> read_coordinate_on(const MapReader& map, Reading& reading) {
  const YamlNode* on = map.find("on");
  return on ? read_coordinate(*on, map.path("on"), reading) : std::nullopt;
}

std::optional<CoordinatePair> read_coordinate_pair(const MapReader& map, Reading& reading) {
  const YamlNode* pair = map.pair("between");
  if (!pair) return std::nullopt;
  const auto a = read_coordinate(pair->items[0], map.path("between"), reading);
  const auto b = read_coordinate(pair->items[1], map.path("between"), reading);
  if (!a || !b) return std::nullopt;
  if (a->name != b->name) return CoordinatePair{*a, *b};
  reading.diagnostics.add(pair->where, map.path("between"), "couples a coordinate with itself");
  return std::nullopt;
}

std::vector<CoordinateReference> read_coordinates(const MapReader& map, const std::string& key, Reading& reading) {
  std::vector<CoordinateReference> coordinates;
  const YamlNode* node = map.find(key);
  if (!node) return coordinates;
  if (!node->is_list()) reading.diagnostics.add(node->where, map.path(key), "expected a list of coordinates");
  for (const YamlNode& item : node->items)
    if (const auto coordinate = read_coordinate(item, map.path(key), reading)) coordinates.push_back(*coordinate);
  return coordinates;
}

}  // namespace armature::internal
