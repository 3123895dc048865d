// What a body looks like: boxes, cylinders, rods, spheres and meshes. The equations know nothing of it.
#include <filesystem>

#include <fmt/format.h>

#include "model/formula_tree.hpp"
#include "model/mesh_file.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kinds{"box", "cylinder", "rod", "sphere", "mesh"};

// Half the cylinder's length along one of the axes.
Formula half_axis(const Formula& length, const std::string& axis, Location where) {
  std::vector<Formula> entries;
  for (const char* each : {"x", "y", "z"}) entries.push_back((axis == each ? 0.5 : 0.0) * length);
  return list_formula(entries, where);
}

void read_cylinder(const YamlNode& node, const std::string& path, Shape& shape, Reading& reading) {
  const MapReader map(node, keys_of("cylinder"), path, reading);
  shape.radius = map.formula("radius");
  const Formula length = map.formula("length");
  const std::optional<std::string> axis = map.choice("axis");
  if (!length.given() || !axis) return;
  const Formula half = half_axis(length, *axis, shape.where);
  shape.from = shape.at.given() ? shape.at - half : -1.0 * half;
  shape.to = shape.at.given() ? shape.at + half : half;
}

void read_rod(const YamlNode& node, const std::string& path, Shape& shape, Reading& reading) {
  const MapReader map(node, keys_of("rod"), path, reading);
  shape.radius = map.formula("radius");
  shape.from = map.formula("from");
  shape.to = map.formula("to");
}

void read_mesh(const MapReader& map, Shape& shape, Reading& reading) {
  const std::string name = map.text("mesh").value_or("");
  if (name.empty()) return;
  const std::optional<fs::path> file = reading.file_beside(name, map.find("mesh")->where, map.path("mesh"));
  if (!file) return;
  shape.file = file->string();
  try {
    read_mesh_file(*file, 1);
  } catch (const std::runtime_error& error) {
    reading.diagnostics.add(shape.where, map.path("mesh"), fmt::format("{}: {}", name, error.what()));
  }
}

std::string kind_of(const MapReader& map, const std::string& path, Reading& reading) {
  std::vector<std::string> given;
  for (const std::string& kind : kinds)
    if (map.has(kind)) given.push_back(kind);
  if (given.size() == 1) return given[0];
  reading.diagnostics.add(map.where(), path,
                          fmt::format("a shape is one of box, cylinder, rod, sphere and mesh; {}",
                                      given.empty() ? "here is none" : "here are several"));
  return "";
}

Shape read_shape(const YamlNode& node, const std::string& path, Reading& reading) {
  const MapReader map(node, keys_of("shape"), path, reading);
  Shape shape;
  shape.kind = kind_of(map, path, reading);
  shape.where = node.where;
  shape.at = map.formula("at");
  shape.scale = map.formula("scale");
  shape.angle = map.formula("angle");
  shape.axis = map.axis("axis");
  if ((map.has("angle") || map.has("axis")) && !shape.kind.empty() && shape.kind != "box" && shape.kind != "mesh")
    reading.diagnostics.add(node.where, map.path(map.has("angle") ? "angle" : "axis"),
                            fmt::format("turns a box or a mesh, not a {}", shape.kind));
  if (shape.kind == "box") shape.sides = map.formula("box");
  if (shape.kind == "sphere") shape.radius = map.formula("sphere");
  if (shape.kind == "cylinder") read_cylinder(*map.find("cylinder"), map.path("cylinder"), shape, reading);
  if (shape.kind == "rod") read_rod(*map.find("rod"), map.path("rod"), shape, reading);
  if (shape.kind == "mesh") read_mesh(map, shape, reading);
  return shape;
}

}  // namespace

std::vector<Shape> read_shapes(const YamlNode& node, const std::string& path, Reading& reading) {
  if (!node.is_list()) return {read_shape(node, path, reading)};
  std::vector<Shape> shapes;
  for (const YamlNode& item : node.items) shapes.push_back(read_shape(item, path, reading));
  return shapes;
}

}  // namespace armature::internal
