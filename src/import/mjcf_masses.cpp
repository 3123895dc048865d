// Masses of an MJCF file: those of <inertial>, and those of geoms.
#include "import/mjcf_reader.hpp"

#include "import/shape_mass.hpp"

namespace armature::internal {

void MjcfReader::read_mass(pugi::xml_node node, int body, const std::string& childclass) {
  RobotMass sum;
  mass_is_missing_ = false;
  read_geoms(node, body, {}, childclass, sum);
  const pugi::xml_node inertial = node.child("inertial");
  RobotMass& mass = robot_.bodies[body].mass;
  if (from_geoms_ == "true" || (from_geoms_ == "auto" && !inertial)) {
    mass = sum;
    if (mass_is_missing_)
      robot_.leave_out(fmt::format("{}: {}: the mass of a mesh that is not read; give the body an <inertial>",
                                   xml_.place_of(node), element_in_words(node)));
  } else if (inertial) {
    mass = inertial_of(inertial);
  }
  if (mass.mass > 0 || sum.mass > 0) {
    mass.mass = std::max(mass.mass, least_mass_);
    for (int i = 0; i < 3; ++i) mass.inertia(i, i) = std::max(mass.inertia(i, i), least_inertia_);
  }
}

RobotMass MjcfReader::inertial_of(pugi::xml_node node) {
  RobotMass own;
  own.mass = xml_.required_number(node, "mass");
  if (own.mass < 0) xml_.fail(node, "a mass is not negative");
  if (const auto full = xml_.numbers(node, "fullinertia", 6, 6)) {
    const std::vector<double>& i = *full;  // xx, yy, zz, xy, xz, yz
    own.inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  } else if (const auto diagonal = xml_.vector(node, "diaginertia")) {
    own.inertia = diagonal->asDiagonal();
  } else if (own.mass > 0) {
    robot_.leave_out(fmt::format("{}: {}: has a mass, but no inertia: a mass at a point is taken", xml_.place_of(node),
                                 element_in_words(node.parent())));
  }
  return own.seen_from(pose_of(node));
}

void MjcfReader::read_geoms(pugi::xml_node node, int body, const Frame& at, const std::string& childclass,
                            RobotMass& sum) {
  for (const pugi::xml_node child : node.children()) {
    const std::string kind = child.name();
    if (kind == "frame")
      read_geoms(child, body, at * pose_of(child), xml_.word(child, "childclass").value_or(childclass), sum);
    else if (kind == "geom")
      read_geom(child, body, at, childclass, sum);
  }
}

void MjcfReader::read_geom(pugi::xml_node node, int body, const Frame& at, const std::string& childclass,
                           RobotMass& sum) {
  complete(node, childclass);
  RobotShape shape;
  const std::string type = xml_.word(node, "type").value_or(xml_.word(node, "mesh") ? "mesh" : "sphere");
  shape.at = at * pose_of(node);
  const std::vector<double> size = xml_.numbers(node, "size", 1, 3).value_or(std::vector<double>{});
  const auto need = [&](std::size_t count) {
    if (size.size() < count || std::ranges::any_of(size.begin(), size.begin() + static_cast<std::ptrdiff_t>(count),
                                                   [](double x) { return !(x > 0); }))
      xml_.fail(node, fmt::format("a {} needs a size of {} positive numbers", type, count));
  };
  // from end to end: the length lies along z, the first size is that across
  double length = 0;
  if (const auto ends = xml_.numbers(node, "fromto", 6, 6); ends && type != "sphere" && type != "mesh") {
    const Eigen::Vector3d from(ends->data()), to(ends->data() + 3);
    length = (to - from).norm();
    if (!(length > 0)) xml_.fail(node, "'fromto' are two different points");
    shape.at = at * Frame{turn_between(Eigen::Vector3d::UnitZ(), to - from), (from + to) / 2};
  }
  if (type == "sphere") {
    need(1);
    shape.kind = RobotShape::Kind::sphere, shape.size.x() = size[0];
  } else if (type == "box" || type == "ellipsoid") {
    need(length > 0 ? 1 : 3);
    shape.kind = type == "box" ? RobotShape::Kind::box : RobotShape::Kind::ellipsoid;
    shape.size = length > 0 ? Eigen::Vector3d(size[0], size[0], length / 2) : Eigen::Vector3d(size.data());
    if (type == "box") shape.size *= 2;
  } else if (type == "cylinder" || type == "capsule") {
    need(length > 0 ? 1 : 2);
    shape.kind = type == "capsule" ? RobotShape::Kind::capsule : RobotShape::Kind::cylinder;
    shape.size << size[0], length > 0 ? length : 2 * size[1], 0;
  } else if (type == "mesh") {
    if (!read_mesh(node, shape)) {
      mass_is_missing_ = mass_is_missing_ || counts_mass(node);
      return;
    }
  } else {
    robot_.leave_out(fmt::format("{}: shapes of type {}", xml_.place_of(node), type));
    return;
  }
  robot_.bodies[body].shapes.push_back(shape);
  if (counts_mass(node)) add_mass(node, shape, sum);
}

bool MjcfReader::counts_mass(pugi::xml_node geom) const {
  const double group = xml_.number(geom, "group").value_or(0);
  const bool is_massless = xml_.number(geom, "mass").value_or(xml_.number(geom, "density").value_or(1000)) == 0;
  return group >= group_.first && group <= group_.second && !is_massless;
}

void MjcfReader::add_mass(pugi::xml_node node, const RobotShape& shape, RobotMass& sum) {
  const auto mass = xml_.number(node, "mass");
  const double density = xml_.number(node, "density").value_or(1000);
  try {
    RobotMass own = mass_of_shape(shape, files_);
    const double factor = mass ? *mass / own.mass : density;
    own.mass *= factor, own.inertia *= factor;
    sum.add(own);
  } catch (const std::runtime_error& error) {
    xml_.fail(node,
              fmt::format("its mesh {}, so that its inertia is not known; give the body an <inertial>", error.what()));
  }
}

bool MjcfReader::read_mesh(pugi::xml_node node, RobotShape& shape) {
  const std::string name = xml_.word(node, "mesh").value_or("");
  const auto asset = meshes_.find(name);
  if (asset == meshes_.end()) xml_.fail(node, fmt::format("there is no mesh '{}'", name));
  const std::string file = xml_.word(asset->second, "file").value_or("");
  std::string why = "its points are in the file itself";
  for (const char* key : {"refpos", "refquat"})
    if (xml_.word(asset->second, key))
      robot_.leave_out(fmt::format("{}: mesh {}: {}", xml_.place_of(asset->second), name, key));
  const std::string path = mesh_folder_.empty() ? file : mesh_folder_ + "/" + file;
  if (!file.empty() &&
      take_mesh(path, xml_.vector(asset->second, "scale").value_or(Eigen::Vector3d::Ones()), files_, shape, why))
    return true;
  robot_.leave_out(fmt::format("{}: mesh {}: {}", xml_.place_of(node), name, why));
  return false;
}

void MjcfReader::scale_mass(pugi::xml_node root) {
  if (total_mass_ <= 0) return;
  double sum = 0;
  for (const RobotBody& body : robot_.bodies) sum += body.mass.mass;
  if (!(sum > 0)) xml_.fail(root, "settotalmass: no body has a mass");
  for (RobotBody& body : robot_.bodies) body.mass.mass *= total_mass_ / sum, body.mass.inertia *= total_mass_ / sum;
}

}  // namespace armature::internal
