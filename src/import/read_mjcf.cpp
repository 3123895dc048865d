// MJCF, the format of MuJoCo: bodies nested in bodies, each placed in its parent where the joints between them have their reference
// values `ref`; loops are equality constraints, whose anchors are given in that pose. Angles are in degrees unless the compiler says
// radian. A body with several joints gets bodies without mass between them.
//   mujoco.readthedocs.io: XML Reference, Modeling.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "import/mjcf_defaults.hpp"
#include "import/robot_readers.hpp"
#include "import/shape_mass.hpp"
#include "model/diagnostics.hpp"

namespace armature::internal {

namespace {

constexpr double degree = std::numbers::pi / 180;

class MjcfReader {
 public:
  MjcfReader(const XmlTree& xml, const RobotFiles& files) : xml_(xml), files_(files), defaults_(xml.root()) {}

  Robot read() {
    const pugi::xml_node root = xml_.root();
    robot_.format = "MJCF";
    robot_.name = xml_.word(root, "model").value_or("");
    for (const pugi::xml_node node : root.children("compiler")) read_compiler(node);
    for (const pugi::xml_node node : root.children("option"))
      robot_.gravity = xml_.vector(node, "gravity").value_or(robot_.gravity);
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

 private:
  // --- how the file is to be read

  void read_compiler(pugi::xml_node node) {
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

  void read_meshes(pugi::xml_node asset) {
    for (const pugi::xml_node node : asset.children("mesh")) {
      defaults_.complete(node, "");
      const std::string file = xml_.word(node, "file").value_or("");
      const std::string name = xml_.word(node, "name").value_or(std::filesystem::path(file).stem().string());
      meshes_[name] = node;
    }
  }

  // --- poses

  Eigen::Matrix3d quaternion(const std::vector<double>& q, pugi::xml_node node) const {
    const Eigen::Quaterniond turn(q[0], q[1], q[2], q[3]);
    if (!(turn.norm() > 0)) xml_.fail(node, "'quat' has no length");
    return turn.normalized().toRotationMatrix();
  }

  Eigen::Matrix3d turn_of(pugi::xml_node node) const {
    if (const auto q = xml_.numbers(node, "quat", 4, 4)) return quaternion(*q, node);
    if (const auto a = xml_.numbers(node, "axisangle", 4, 4)) {
      const Eigen::Vector3d axis(a->data());
      if (!(axis.norm() > 0)) xml_.fail(node, "'axisangle' has no axis");
      return turn_about(axis, (*a)[3] * unit_);
    }
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
    if (const auto axes = xml_.numbers(node, "xyaxes", 6, 6)) {
      const Eigen::Vector3d x = Eigen::Vector3d(axes->data()).normalized();
      Eigen::Vector3d y(axes->data() + 3);
      y = (y - x * x.dot(y)).normalized();
      Eigen::Matrix3d R;
      R << x, y, x.cross(y);
      if (!R.allFinite() || !(std::abs(R.determinant()) > 0.5)) xml_.fail(node, "'xyaxes' are no two directions");
      return R;
    }
    if (const auto z = xml_.vector(node, "zaxis")) {
      if (!(z->norm() > 0)) xml_.fail(node, "'zaxis' has no direction");
      return turn_between(Eigen::Vector3d::UnitZ(), *z);
    }
    return Eigen::Matrix3d::Identity();
  }

  Frame pose_of(pugi::xml_node node) const {
    return {turn_of(node), xml_.vector(node, "pos").value_or(Eigen::Vector3d::Zero())};
  }

  // --- bodies

  // What a body or a <frame> holds; `at`: the frame of a <frame> in the body's.
  void read_contents(pugi::xml_node node, int body, const Frame& at, const std::string& childclass) {
    for (const pugi::xml_node child : node.children()) {
      const std::string kind = child.name();
      if (kind == "frame") {
        const std::string own = xml_.word(child, "childclass").value_or(childclass);
        read_contents(child, body, at * pose_of(child), own);
      } else if (kind == "body") {
        read_body(child, body, at, childclass);
      } else if (kind == "site") {
        defaults_.complete(child, childclass);
        const Frame frame = at * pose_of(child);
        if (const auto name = xml_.word(child, "name")) {
          sites_[*name] = {body, frame};
          (body == ground_body ? robot_.points : robot_.bodies[body].points).push_back({*name, frame.p});
        }
      } else if (kind == "geom" && body == ground_body) {
        if (!said_ground_) robot_.leave_out(fmt::format("{}: shapes of the world", xml_.place_of(child)));
        said_ground_ = true;
      } else if (kind == "composite" || kind == "flexcomp" || kind == "attach" || kind == "replicate" ||
                 kind == "plugin") {
        robot_.leave_out(fmt::format("{}: <{}>", xml_.place_of(child), kind));
      }
    }
  }

  void read_body(pugi::xml_node node, int parent, const Frame& at, const std::string& outer) {
    const std::string childclass = xml_.word(node, "childclass").value_or(outer);
    if (!childclass.empty() && !defaults_.has(childclass))
      xml_.fail(node, fmt::format("there is no default class '{}'", childclass));
    std::string name = xml_.word(node, "name").value_or("");
    if (name.empty()) name = fmt::format("body{}", robot_.bodies.size() + 1);
    if (robot_.body_named(name) >= 0) xml_.fail(node, fmt::format("another body is called '{}'", name));
    const Frame pose = at * pose_of(node);
    const bool mocap = xml_.word(node, "mocap").value_or("false") == "true";
    if (mocap) robot_.leave_out(fmt::format("{}: body {}: mocap; it stays where it is", xml_.place_of(node), name));
    // bodies without mass first: the joints are in their order from the parent on
    const std::vector<pugi::xml_node> joints = joints_of(node);
    int from = parent;
    for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
      RobotBody between;
      between.name = fmt::format("{}_{}", name, k + 1);
      robot_.bodies.push_back(between);
      add_joint(joints[k], from, static_cast<int>(robot_.bodies.size()) - 1, k == 0 ? pose : Frame{}, name, k,
                childclass);
      from = static_cast<int>(robot_.bodies.size()) - 1;
    }
    const int body = static_cast<int>(robot_.bodies.size());
    robot_.bodies.push_back({name, {}, {}, {}});
    if (joints.empty()) {
      RobotJoint fixed;
      fixed.name = name + "_fixed", fixed.a = parent, fixed.b = body, fixed.in_a = pose;
      robot_.joints.push_back(fixed);
    } else {
      add_joint(joints.back(), from, body, joints.size() == 1 ? pose : Frame{}, name, joints.size() - 1, childclass);
    }
    poses_.resize(robot_.bodies.size());
    poses_[static_cast<std::size_t>(body)] =
        (parent == ground_body ? Frame{} : poses_[static_cast<std::size_t>(parent)]) * pose;
    for (int k = body - static_cast<int>(joints.size()) + 1; k < body; ++k)
      if (k >= 0) poses_[static_cast<std::size_t>(k)] = poses_[static_cast<std::size_t>(body)];
    read_mass(node, body, childclass);
    read_contents(node, body, {}, childclass);
  }

  std::vector<pugi::xml_node> joints_of(pugi::xml_node body) const {
    std::vector<pugi::xml_node> joints;
    for (const pugi::xml_node child : body.children())
      if (const std::string kind = child.name(); kind == "joint" || kind == "freejoint") joints.push_back(child);
    return joints;
  }

  // pose: of the joint's body in `a`, at the reference value.
  void add_joint(pugi::xml_node node, int a, int b, const Frame& pose, const std::string& body, std::size_t number,
                 const std::string& childclass) {
    if (std::string(node.name()) == "joint") defaults_.complete(node, childclass);
    RobotJoint joint;
    joint.name = xml_.word(node, "name").value_or("");
    const std::string kind =
        std::string(node.name()) == "freejoint" ? "free" : xml_.word(node, "type").value_or("hinge");
    if (joint.name.empty())
      joint.name = fmt::format("{}_{}{}", body, kind, number == 0 ? "" : fmt::format("{}", number + 1));
    if (robot_.joint_named(joint.name) >= 0) xml_.fail(node, "another joint has this name");
    joint.a = a, joint.b = b;
    const bool turns = kind == "hinge";
    if (kind == "free" && a != ground_body) xml_.fail(node, "only bodies of the world move freely");
    const Eigen::Vector3d at = xml_.vector(node, "pos").value_or(Eigen::Vector3d::Zero());
    joint.axis = xml_.vector(node, "axis").value_or(Eigen::Vector3d::UnitZ());
    if (!(joint.axis.norm() > 0)) xml_.fail(node, "the axis has no direction");
    joint.axis.normalize();
    if (kind == "hinge" || kind == "slide") {
      joint.type = turns ? JointType::revolute : JointType::prismatic;
      joint.start = xml_.number(node, "ref").value_or(0) * (turns ? unit_ : 1);
      // back from the reference to zero
      const Frame back = turns ? Frame{turn_about(joint.axis, -joint.start), Eigen::Vector3d::Zero()}
                               : shifted(-joint.start * joint.axis);
      joint.in_a = pose * shifted(at) * back;
      joint.in_b = shifted(at);
      read_elements(node, joint, turns);
    } else if (kind == "ball") {
      joint.type = JointType::spherical;
      joint.in_a = pose * shifted(at);
      joint.in_b = shifted(at);
      leave_out_elements(node, joint.name);
    } else if (kind == "free") {
      joint.type = JointType::free;
      joint.in_a = pose;
      leave_out_elements(node, joint.name);
    } else {
      xml_.fail(node, fmt::format("unknown type '{}'; there are hinge, slide, ball and free", kind));
    }
    robot_.joints.push_back(joint);
  }

  void leave_out_elements(pugi::xml_node node, const std::string& name) {
    for (const char* key : {"damping", "frictionloss", "armature", "stiffness", "range"})
      if (const auto value = xml_.numbers(node, key, 1, 3);
          value && std::ranges::any_of(*value, [](double x) { return x != 0; }))
        robot_.leave_out(
            fmt::format("{}: joint {}: {} on several coordinates at once", xml_.place_of(node), name, key));
  }

  double first_of(pugi::xml_node node, const char* key) {
    const auto values = xml_.numbers(node, key, 1, 3);
    if (!values) return 0;
    for (std::size_t k = 1; k < values->size(); ++k)
      if ((*values)[k] != 0)
        robot_.leave_out(fmt::format("{}: {}: {} of higher order", xml_.place_of(node), element_in_words(node), key));
    return values->front();
  }

  void read_elements(pugi::xml_node node, RobotJoint& joint, bool turns) {
    const double unit = turns ? unit_ : 1;
    joint.inertia = xml_.number(node, "armature").value_or(0);
    joint.damping = first_of(node, "damping");
    joint.friction = xml_.number(node, "frictionloss").value_or(0);
    joint.stiffness = first_of(node, "stiffness");
    joint.rest = xml_.number(node, "springref").value_or(0) * unit;
    if (xml_.word(node, "springdamper"))
      robot_.leave_out(fmt::format("{}: joint {}: springdamper", xml_.place_of(node), joint.name));
    if (const auto range = range_of(node, "range", "limited"))
      joint.lower = range->lower * unit, joint.upper = range->upper * unit;
    actuator_range_[joint.name] = range_of(node, "actuatorfrcrange", "actuatorfrclimited").value_or(ForceRange{});
  }

  // A range applies if `limited` is true, or, with autolimits, if the element has the range.
  std::optional<ForceRange> range_of(pugi::xml_node node, const char* key, const char* limited) const {
    const auto range = xml_.numbers(node, key, 2, 2);
    const std::string is = xml_.word(node, limited).value_or("auto");
    if (is != "auto" && is != "true" && is != "false")
      xml_.fail(node, fmt::format("'{}' is true, false or auto, not '{}'", limited, is));
    if (!range || is == "false" || (is == "auto" && !autolimits_) || !((*range)[0] < (*range)[1])) return std::nullopt;
    return ForceRange{(*range)[0], (*range)[1]};
  }

  // --- masses

  void read_mass(pugi::xml_node node, int body, const std::string& childclass) {
    RobotMass sum;
    read_geoms(node, body, {}, childclass, sum);
    const pugi::xml_node inertial = node.child("inertial");
    RobotMass& mass = robot_.bodies[body].mass;
    if (from_geoms_ == "true" || (from_geoms_ == "auto" && !inertial))
      mass = sum;
    else if (inertial)
      mass = inertial_of(inertial);
    if (mass.mass > 0 || sum.mass > 0) {
      mass.mass = std::max(mass.mass, least_mass_);
      for (int i = 0; i < 3; ++i) mass.inertia(i, i) = std::max(mass.inertia(i, i), least_inertia_);
    }
  }

  RobotMass inertial_of(pugi::xml_node node) const {
    RobotMass own;
    own.mass = xml_.required_number(node, "mass");
    if (own.mass < 0) xml_.fail(node, "a mass is not negative");
    if (const auto full = xml_.numbers(node, "fullinertia", 6, 6)) {
      const std::vector<double>& i = *full;  // xx, yy, zz, xy, xz, yz
      own.inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
    } else if (const auto diagonal = xml_.vector(node, "diaginertia")) {
      own.inertia = diagonal->asDiagonal();
    }
    return own.seen_from(pose_of(node));
  }

  void read_geoms(pugi::xml_node node, int body, const Frame& at, const std::string& childclass, RobotMass& sum) {
    for (const pugi::xml_node child : node.children()) {
      const std::string kind = child.name();
      if (kind == "frame")
        read_geoms(child, body, at * pose_of(child), xml_.word(child, "childclass").value_or(childclass), sum);
      else if (kind == "geom")
        read_geom(child, body, at, childclass, sum);
    }
  }

  void read_geom(pugi::xml_node node, int body, const Frame& at, const std::string& childclass, RobotMass& sum) {
    defaults_.complete(node, childclass);
    RobotShape shape;
    const std::string type = xml_.word(node, "type").value_or(xml_.word(node, "mesh") ? "mesh" : "sphere");
    shape.at = at * pose_of(node);
    const std::vector<double> size = xml_.numbers(node, "size", 1, 3).value_or(std::vector<double>{});
    const auto need = [&](std::size_t count) {
      if (size.size() < count || std::ranges::any_of(size.begin(), size.begin() + static_cast<std::ptrdiff_t>(count),
                                                     [](double x) { return !(x > 0); }))
        xml_.fail(node, fmt::format("a {} needs a size of {} positive numbers", type, count));
    };
    if (type == "sphere") {
      need(1);
      shape.kind = RobotShape::Kind::sphere, shape.size.x() = size[0];
    } else if (type == "box" || type == "ellipsoid") {
      need(3);
      shape.kind = type == "box" ? RobotShape::Kind::box : RobotShape::Kind::ellipsoid;
      shape.size = Eigen::Vector3d(size.data()) * (type == "box" ? 2 : 1);
    } else if (type == "cylinder" || type == "capsule") {
      shape.kind = type == "capsule" ? RobotShape::Kind::capsule : RobotShape::Kind::cylinder;
      if (const auto ends = xml_.numbers(node, "fromto", 6, 6)) {
        need(1);
        const Eigen::Vector3d from(ends->data()), to(ends->data() + 3);
        if (!((to - from).norm() > 0)) xml_.fail(node, "'fromto' are two different points");
        shape.at = at * Frame{turn_between(Eigen::Vector3d::UnitZ(), to - from), (from + to) / 2};
        shape.size << size[0], (to - from).norm(), 0;
      } else {
        need(2);
        shape.size << size[0], 2 * size[1], 0;
      }
    } else if (type == "mesh") {
      if (!read_mesh(node, shape)) return;
    } else {
      robot_.leave_out(fmt::format("{}: shapes of type {}", xml_.place_of(node), type));
      return;
    }
    robot_.bodies[body].shapes.push_back(shape);
    if (const double group = xml_.number(node, "group").value_or(0); group >= group_.first && group <= group_.second)
      add_mass(node, shape, sum);
  }

  void add_mass(pugi::xml_node node, const RobotShape& shape, RobotMass& sum) {
    const auto mass = xml_.number(node, "mass");
    const double density = xml_.number(node, "density").value_or(1000);
    if (mass.value_or(density) == 0) return;
    try {
      RobotMass own = mass_of_shape(shape, files_);
      const double factor = mass ? *mass / own.mass : density;
      own.mass *= factor, own.inertia *= factor;
      sum.add(own);
    } catch (const std::runtime_error& error) {
      xml_.fail(node, fmt::format("its mesh {}, so that its inertia is not known; give the body an <inertial>",
                                  error.what()));
    }
  }

  bool read_mesh(pugi::xml_node node, RobotShape& shape) {
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

  void scale_mass(pugi::xml_node root) {
    if (total_mass_ <= 0) return;
    double sum = 0;
    for (const RobotBody& body : robot_.bodies) sum += body.mass.mass;
    if (!(sum > 0)) xml_.fail(root, "settotalmass: no body has a mass");
    for (RobotBody& body : robot_.bodies) body.mass.mass *= total_mass_ / sum, body.mass.inertia *= total_mass_ / sum;
  }

  // --- loops

  int body_in(pugi::xml_node node, const char* key) const {
    const std::string name = xml_.word(node, key).value_or("world");
    if (name == "world") return ground_body;
    if (const int body = robot_.body_named(name); body >= 0) return body;
    std::vector<std::string> names;
    for (const RobotBody& body : robot_.bodies) names.push_back(body.name);
    xml_.fail(node, fmt::format("there is no body '{}'{}", name, did_you_mean(name, names)));
  }

  int joint_in(pugi::xml_node node, const char* key) const {
    const std::string name = xml_.required_word(node, key);
    if (const int joint = robot_.joint_named(name); joint >= 0) return joint;
    std::vector<std::string> names;
    for (const RobotJoint& joint : robot_.joints) names.push_back(joint.name);
    xml_.fail(node, fmt::format("there is no joint '{}'{}", name, did_you_mean(name, names)));
  }

  int scalar_joint_in(pugi::xml_node node, const char* key) const {
    const int joint = joint_in(node, key);
    const JointType type = robot_.joints[joint].type;
    if (type != JointType::revolute && type != JointType::prismatic)
      xml_.fail(node, fmt::format("joint {} has no single value", robot_.joints[joint].name));
    return joint;
  }

  Frame pose(int body) const { return body == ground_body ? Frame{} : poses_[static_cast<std::size_t>(body)]; }

  struct Site {
    int body = ground_body;
    Frame frame;
  };

  const Site& site_in(pugi::xml_node node, const char* key) const {
    const std::string name = xml_.required_word(node, key);
    const auto found = sites_.find(name);
    if (found == sites_.end()) xml_.fail(node, fmt::format("there is no site '{}'", name));
    return found->second;
  }

  void read_equality(pugi::xml_node section) {
    for (const pugi::xml_node node : section.children()) {
      const std::string kind = node.name();
      if (node.type() != pugi::node_element) continue;
      defaults_.complete(node, "");
      if (xml_.word(node, "active").value_or("true") == "false") {
        robot_.leave_out(
            fmt::format("LOOP NOT KEPT: {}: {}: is not active", xml_.place_of(node), element_in_words(node)));
        continue;
      }
      const std::string name = xml_.word(node, "name").value_or(fmt::format("loop{}", ++loops_));
      if (kind == "connect" || kind == "weld")
        add_loop(node, name, kind == "weld" && xml_.number(node, "torquescale").value_or(1) != 0);
      else if (kind == "joint")
        add_relation(node, name);
      else if (kind == "tendon")
        add_tendon_relation(node, name);
      else
        robot_.leave_out(fmt::format("LOOP NOT KEPT: {}: {}", xml_.place_of(node), element_in_words(node)));
    }
  }

  // A weld that holds no angle (torquescale 0) connects points: that of body2 which it anchors, its origin if it names none.
  void add_loop(pugi::xml_node node, const std::string& name, bool weld) {
    RobotJoint joint;
    joint.name = name;
    joint.type = weld ? JointType::fixed : JointType::spherical;
    joint.closes = true;
    if (xml_.word(node, "site1")) {
      const Site &first = site_in(node, "site1"), &second = site_in(node, "site2");
      joint.a = first.body, joint.b = second.body, joint.in_a = first.frame, joint.in_b = second.frame;
      if (!weld) joint.in_a.R.setIdentity(), joint.in_b.R.setIdentity();
    } else {
      xml_.required_word(node, "body1");
      joint.a = body_in(node, "body1"), joint.b = body_in(node, "body2");
      Frame relative = pose(joint.a).inverse() * pose(joint.b);  // of b seen from a, in the pose of the file
      if (weld) {
        const auto given = xml_.numbers(node, "relpose", 7, 7);
        if (given && std::any_of(given->begin() + 3, given->end(), [](double x) { return x != 0; }))
          relative = {quaternion({given->begin() + 3, given->end()}, node), Eigen::Vector3d(given->data())};
        joint.in_a = relative;
      } else if (std::string_view(node.name()) == "weld") {
        joint.in_b = shifted(xml_.vector(node, "anchor").value_or(Eigen::Vector3d::Zero()));
        joint.in_a = shifted(relative * joint.in_b.p);
      } else {
        joint.in_a = shifted(xml_.vector(node, "anchor").value_or(Eigen::Vector3d::Zero()));
        joint.in_b = shifted(relative.inverse() * joint.in_a.p);
      }
    }
    if (joint.a == joint.b) xml_.fail(node, "a loop connects two bodies");
    robot_.joints.push_back(joint);
  }

  // y - y0 = a0 + a1 (x - x0) + … + a4 (x - x0)^4, with the reference values x0 and y0; by powers of x.
  void add_relation(pugi::xml_node node, const std::string& name) {
    std::vector<double> a = xml_.numbers(node, "polycoef", 1, 5).value_or(std::vector<double>{0, 1, 0, 0, 0});
    a.resize(5, 0);
    RobotRelation relation;
    relation.name = name;
    const int y = scalar_joint_in(node, "joint1");
    relation.terms.push_back({y, 1});
    relation.constant = -a[0] - robot_.joints[y].start;
    if (xml_.word(node, "joint2")) {
      const int x = scalar_joint_in(node, "joint2");
      add_polynomial(a, robot_.joints[x].start, x, relation);
      robot_.loops.push_back(fmt::format("{}: relates {} and {}", name, robot_.joints[y].name, robot_.joints[x].name));
    } else {
      robot_.loops.push_back(fmt::format("{}: holds {}", name, robot_.joints[y].name));
    }
    robot_.relations.push_back(std::move(relation));
  }

  static void add_polynomial(const std::vector<double>& a, double x0, int joint, RobotRelation& relation) {
    static constexpr double binomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
    for (int power = 0; power < 5; ++power) {
      double factor = 0;
      for (int k = std::max(power, 1); k < 5; ++k)
        factor += a[static_cast<std::size_t>(k)] * binomial[k][power] * std::pow(-x0, k - power);
      if (power == 0)
        relation.constant -= factor;
      else if (factor != 0)
        relation.terms.push_back({joint, -factor, power});
    }
  }

  void add_tendon_relation(pugi::xml_node node, const std::string& name) {
    std::vector<double> a = xml_.numbers(node, "polycoef", 1, 5).value_or(std::vector<double>{0, 1, 0, 0, 0});
    a.resize(5, 0);
    const bool linear = a[2] == 0 && a[3] == 0 && a[4] == 0;
    RobotRelation relation;
    relation.name = name;
    const std::string first = xml_.required_word(node, "tendon1"), second = xml_.word(node, "tendon2").value_or("");
    const auto add = [&](const std::string& tendon, double factor) {
      const auto found = std::ranges::find(robot_.tendons, tendon, &RobotTendon::name);
      if (found == robot_.tendons.end()) return false;
      for (const auto& term : found->terms) {
        relation.terms.push_back({term.joint, factor * term.factor});
        relation.constant -= factor * term.factor * robot_.joints[term.joint].start;
      }
      return true;
    };
    if (!linear || !add(first, 1) || (!second.empty() && !add(second, -a[1]))) {
      robot_.leave_out(fmt::format("LOOP NOT KEPT: {}: {}: only linear relations of fixed tendons are",
                                   xml_.place_of(node), element_in_words(node)));
      return;
    }
    relation.constant -= a[0];
    robot_.loops.push_back(fmt::format("{}: relates {} joints", name, relation.terms.size()));
    robot_.relations.push_back(std::move(relation));
  }

  // --- tendons and actuators

  void read_tendons(pugi::xml_node section) {
    for (const pugi::xml_node node : section.children()) {
      if (node.type() != pugi::node_element) continue;
      if (std::string(node.name()) != "fixed") {
        robot_.leave_out(fmt::format("{}: {} tendon", xml_.place_of(node), element_in_words(node)));
        continue;
      }
      complete_as(node, "tendon");
      RobotTendon tendon;
      tendon.name = xml_.word(node, "name").value_or(fmt::format("tendon{}", robot_.tendons.size() + 1));
      double length = 0;  // in the pose of the file
      for (const pugi::xml_node part : node.children("joint")) {
        const int joint = scalar_joint_in(part, "joint");
        tendon.terms.push_back({joint, xml_.number(part, "coef").value_or(1)});
        length += tendon.terms.back().factor * robot_.joints[joint].start;
      }
      if (tendon.terms.empty()) xml_.fail(node, "a tendon needs a joint");
      tendon.stiffness = first_of(node, "stiffness");
      tendon.damping = first_of(node, "damping");
      const auto rest = xml_.numbers(node, "springlength", 1, 2).value_or(std::vector<double>{-1});
      tendon.lowest_rest = rest[0] == -1 ? length : rest[0];
      tendon.highest_rest = rest.size() == 1 ? tendon.lowest_rest : rest[1] == -1 ? length : rest[1];
      for (const char* key : {"range", "frictionloss", "armature", "actuatorfrcrange"})
        if (xml_.word(node, key))
          robot_.leave_out(fmt::format("{}: tendon {}: {}", xml_.place_of(node), tendon.name, key));
      robot_.tendons.push_back(std::move(tendon));
    }
  }

  // Default classes say <tendon> and <general> for several elements.
  void complete_as(pugi::xml_node node, const char* kind) {
    const std::string own = node.name();
    node.set_name(kind);
    defaults_.complete(node, "");
    node.set_name(own.c_str());
  }

  void read_actuators(pugi::xml_node section) {
    for (const pugi::xml_node node : section.children()) {
      if (node.type() != pugi::node_element) continue;
      defaults_.complete(node, "");
      complete_as(node, "general");
      read_actuator(node, node.name());
    }
  }

  void read_actuator(pugi::xml_node node, const std::string& kind) {
    RobotActuator actuator;
    const auto leave_out = [&](const std::string& what) {
      robot_.leave_out(fmt::format("{}: actuator {}: {}", xml_.place_of(node), element_in_words(node), what));
    };
    if (xml_.word(node, "joint") || xml_.word(node, "jointinparent")) {
      actuator.joint = joint_in(node, xml_.word(node, "joint") ? "joint" : "jointinparent");
    } else if (const auto tendon = xml_.word(node, "tendon")) {
      const auto found = std::ranges::find(robot_.tendons, *tendon, &RobotTendon::name);
      if (found == robot_.tendons.end()) return leave_out("its tendon is not taken");
      actuator.tendon = static_cast<int>(found - robot_.tendons.begin());
    } else {
      return leave_out("only joints and fixed tendons are driven");
    }
    actuator.name = xml_.word(node, "name")
                        .value_or((actuator.joint >= 0 ? robot_.joints[actuator.joint].name
                                                       : robot_.tendons[actuator.tendon].name) +
                                  "_" + kind);
    const auto gear = xml_.numbers(node, "gear", 1, 6);
    actuator.gear = gear ? gear->front() : 1;
    actuator.control = range_of(node, "ctrlrange", "ctrllimited").value_or(ForceRange{});
    actuator.force = range_of(node, "forcerange", "forcelimited").value_or(ForceRange{});
    if (actuator.joint >= 0 && !actuator.force.given() && actuator.gear != 0) actuator.force = joint_force(actuator);
    if (kind == "motor") {
    } else if (kind == "position") {
      const double kp = xml_.number(node, "kp").value_or(1);
      actuator.gain = kp;
      actuator.bias = {0, -kp, -xml_.number(node, "kv").value_or(0)};
      for (const char* key : {"dampratio", "timeconst", "inheritrange"})
        if (xml_.number(node, key).value_or(0) != 0) leave_out(key);
    } else if (kind == "velocity") {
      const double kv = xml_.number(node, "kv").value_or(1);
      actuator.gain = kv;
      actuator.bias = {0, 0, -kv};
    } else if (kind == "general") {
      if (!read_general(node, actuator, leave_out)) return;
    } else if (kind == "dcmotor") {
      if (!read_motor(node, actuator, leave_out)) return;
    } else {
      return leave_out("is not taken");
    }
    robot_.actuators.push_back(std::move(actuator));
  }

  // actuatorfrcrange of the joint, at the actuator
  ForceRange joint_force(const RobotActuator& actuator) const {
    const auto found = actuator_range_.find(robot_.joints[actuator.joint].name);
    if (found == actuator_range_.end() || !found->second.given()) return {};
    const double a = found->second.lower / actuator.gear, b = found->second.upper / actuator.gear;
    return {std::min(a, b), std::max(a, b)};
  }

  bool read_general(pugi::xml_node node, RobotActuator& actuator,
                    const std::function<void(const std::string&)>& leave_out) {
    const std::string dyn = xml_.word(node, "dyntype").value_or("none"),
                      gain = xml_.word(node, "gaintype").value_or("fixed"),
                      bias = xml_.word(node, "biastype").value_or("none");
    if (dyn != "none" || gain != "fixed" || (bias != "none" && bias != "affine")) {
      leave_out(fmt::format("dyntype {}, gaintype {}, biastype {}", dyn, gain, bias));
      return false;
    }
    actuator.gain = xml_.numbers(node, "gainprm", 1, 10).value_or(std::vector<double>{1}).front();
    std::vector<double> prm = xml_.numbers(node, "biasprm", 1, 10).value_or(std::vector<double>{});
    prm.resize(3, 0);
    if (bias == "affine") actuator.bias = {prm[0], prm[1], prm[2]};
    return true;
  }

  bool read_motor(pugi::xml_node node, RobotActuator& actuator,
                  const std::function<void(const std::string&)>& leave_out) {
    const auto constants = xml_.numbers(node, "motorconst", 1, 2);
    const auto resistance = xml_.number(node, "resistance");
    if (!constants || !resistance) {
      leave_out("only motors with motorconst and resistance are taken");
      return false;
    }
    if (const std::string input = xml_.word(node, "input").value_or("voltage"); input != "voltage") {
      leave_out(fmt::format("input {}; only a voltage is", input));
      return false;
    }
    RobotActuator::Motor motor;
    motor.torque_constant = constants->front();
    motor.back_emf_constant = constants->back();
    motor.resistance = *resistance;
    if (const auto inductance = xml_.numbers(node, "inductance", 1, 2))  // in H, or as a time constant in s
      motor.inductance = inductance->front() != 0 ? inductance->front() : inductance->back() * motor.resistance;
    if (!(motor.torque_constant > 0) || !(motor.resistance > 0) || motor.inductance < 0 || motor.back_emf_constant < 0)
      xml_.fail(node, "motorconst and resistance are positive");
    for (const char* key :
         {"nominal", "saturation", "cogging", "controller", "thermal", "lugre", "damping", "armature"})
      if (xml_.word(node, key)) leave_out(key);
    actuator.motor = motor;
    return true;
  }

  const XmlTree& xml_;
  const RobotFiles& files_;
  MjcfDefaults defaults_;
  Robot robot_;
  double unit_ = degree;
  std::string order_ = "xyz", from_geoms_ = "auto", mesh_folder_;
  bool autolimits_ = true, said_ground_ = false;
  double total_mass_ = -1, least_mass_ = 0, least_inertia_ = 0;
  std::pair<double, double> group_{0, 5};
  int loops_ = 0;
  std::map<std::string, pugi::xml_node> meshes_;
  std::map<std::string, Site> sites_;
  std::map<std::string, ForceRange> actuator_range_;
  std::vector<Frame> poses_;  // of bodies, in the pose of the file
};

}  // namespace

Robot read_mjcf(const XmlTree& xml, const RobotFiles& files) { return MjcfReader(xml, files).read(); }

}  // namespace armature::internal
