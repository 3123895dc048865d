// How an MJCF file is to be read: the compiler's angles, orders and folders; and poses.
#include "import/mjcf_reader.hpp"

namespace armature::internal {

void MjcfReader::read_compiler(pugi::xml_node node) {
  // Units and order of angles.
  if (const auto angle = xml_.word(node, "angle")) {
    if (*angle != "degree" && *angle != "radian")
      xml_.fail(node, fmt::format("'angle' is degree or radian, not '{}'", *angle));
    unit_ = *angle == "degree" ? degree : 1;
  }
  if (const auto order = xml_.word(node, "eulerseq")) {
    if (order->size() != 3 || order->find_first_not_of("xyzXYZ") != std::string::npos)
      xml_.fail(node, fmt::format("'eulerseq' is three of x, y, z, X, Y and Z, not '{}'", *order));
    order_ = *order;
  }
  if (xml_.word(node, "coordinate").value_or("local") != "local") xml_.fail(node, "only local coordinates are read");
  // Masses from shapes, limits, folders of files.
  if (const auto from = xml_.word(node, "inertiafromgeom")) from_geoms_ = *from;
  if (const auto limits = xml_.word(node, "autolimits")) autolimits_ = *limits != "false";
  if (const auto total = xml_.number(node, "settotalmass")) total_mass_ = *total;
  if (const auto folder = xml_.word(node, "assetdir")) mesh_folder_ = *folder;
  if (const auto folder = xml_.word(node, "meshdir")) mesh_folder_ = *folder;
  if (const auto group = xml_.numbers(node, "inertiagrouprange", 2, 2)) group_ = {(*group)[0], (*group)[1]};
  least_mass_ = xml_.number(node, "boundmass").value_or(least_mass_);
  least_inertia_ = xml_.number(node, "boundinertia").value_or(least_inertia_);
  if (xml_.word(node, "balanceinertia").value_or("false") == "true")
    robot_.leave_out(fmt::format("{}: compiler: balanceinertia", xml_.place_of(node)));
}

void MjcfReader::read_option(pugi::xml_node node) {
  robot_.gravity = xml_.vector(node, "gravity").value_or(robot_.gravity);
  if (xml_.word(node.child("flag"), "gravity").value_or("enable") == "disable") robot_.gravity.setZero();
}

void MjcfReader::complete(pugi::xml_node node, const std::string& childclass) const {
  if (const auto own = xml_.word(node, "class"); own && !defaults_.has(*own))
    xml_.fail(node, fmt::format("there is no default class '{}'", *own));
  defaults_.complete(node, childclass);
}

void MjcfReader::read_meshes(pugi::xml_node asset) {
  for (const pugi::xml_node node : asset.children("mesh")) {
    complete(node, "");
    const std::string file = xml_.word(node, "file").value_or("");
    const std::string name = xml_.word(node, "name").value_or(std::filesystem::path(file).stem().string());
    meshes_[name] = node;
  }
}

Eigen::Matrix3d MjcfReader::quaternion(const std::vector<double>& q, pugi::xml_node node) const {
  const Eigen::Quaterniond turn(q[0], q[1], q[2], q[3]);
  if (!(turn.norm() > 0)) xml_.fail(node, "'quat' has no length");
  return turn.normalized().toRotationMatrix();
}

Eigen::Matrix3d MjcfReader::turn_of(pugi::xml_node node) const {
  // One of five forms: a quaternion, …
  if (const auto q = xml_.numbers(node, "quat", 4, 4)) return quaternion(*q, node);
  if (const auto a = xml_.numbers(node, "axisangle", 4, 4)) {
    const Eigen::Vector3d axis(a->data());
    if (!(axis.norm() > 0)) xml_.fail(node, "'axisangle' has no axis");
    return turn_about(axis, (*a)[3] * unit_);
  }
  // … three angles, about axes that turn with the body (lower case) or stay (upper case), …
  if (const auto angles = xml_.vector(node, "euler")) {
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 3; ++k) {
      const char letter = order_[static_cast<std::size_t>(k)];
      const bool fixed = letter < 'a';
      const Eigen::Matrix3d turn =
          turn_about(Eigen::Vector3d::Unit((fixed ? letter - 'X' : letter - 'x')), (*angles)[k] * unit_);
      R = fixed ? Eigen::Matrix3d(turn * R) : Eigen::Matrix3d(R * turn);
    }
    return R;
  }
  // … two axes, the second made perpendicular to the first, …
  if (const auto axes = xml_.numbers(node, "xyaxes", 6, 6)) {
    const Eigen::Vector3d x = Eigen::Vector3d(axes->data()).normalized();
    Eigen::Vector3d y(axes->data() + 3);
    y = (y - x * x.dot(y)).normalized();
    Eigen::Matrix3d R;
    R << x, y, x.cross(y);
    if (!R.allFinite() || !(std::abs(R.determinant()) > 0.5))
      xml_.fail(node, "'xyaxes' must be two directions that are not parallel");
    return R;
  }
  // … or the shortest turn that brings z there.
  if (const auto z = xml_.vector(node, "zaxis")) {
    if (!(z->norm() > 0)) xml_.fail(node, "'zaxis' has no direction");
    return turn_between(Eigen::Vector3d::UnitZ(), *z);
  }
  return Eigen::Matrix3d::Identity();
}

Frame MjcfReader::pose_of(pugi::xml_node node) const {
  return {turn_of(node), xml_.vector(node, "pos").value_or(Eigen::Vector3d::Zero())};
}

}  // namespace armature::internal
