// A body whose mass, center and inertia follow from a closed mesh and its density.
#include <fmt/format.h>

#include "model/formula_tree.hpp"
#include "model/mesh_file.hpp"
#include "model/mesh_volume.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {

void read_solid(const YamlNode& node, const std::string& path, Body& body, Reading& reading) {
  const MapReader map(node, keys_of("solid"), path, reading);
  const Formula density = map.formula("density"), given = map.formula("scale");
  const std::string name = map.text("mesh").value_or("");
  if (name.empty() || !density.given()) return;
  const auto file = reading.file_beside(name, map.find("mesh")->where, map.path("mesh"));
  if (!file) return;
  try {
    const VolumeMoments moments = volume_moments(read_mesh_file(*file, 1));
    // in units of the file, whose length is `scale`
    const Formula scale = given.given() ? given : number_formula(1), area = square(scale);
    body.mass = moments.volume * (density * (area * scale));
    std::vector<Formula> center;
    for (const double x : moments.centroid) center.push_back(x * scale);
    body.center = list_formula(center, node.where);
    const Formula unit = density * (square(area) * scale);
    body.inertia.given = true;
    body.inertia.xx = moments.xx * unit, body.inertia.yy = moments.yy * unit, body.inertia.zz = moments.zz * unit;
    body.inertia.xy = moments.xy * unit, body.inertia.xz = moments.xz * unit, body.inertia.yz = moments.yz * unit;
  } catch (const std::runtime_error& error) {
    reading.diagnostics.add(node.where, map.path("mesh"), fmt::format("{}: {}", name, error.what()));
  }
  Shape shape;
  shape.kind = "mesh", shape.where = node.where, shape.file = file->string(), shape.scale = given;
  body.shapes = {shape};
}

}  // namespace armature::internal
