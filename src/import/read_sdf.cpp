// SDFormat: links and joints as a graph, which may have loops. All poses hold at once in the pose of the file, in which all joint
// values are zero. A pose is relative to a frame: a link, a joint, a <frame>, the model or the world.
//   sdformat.org/spec; Pose Frame Semantics.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "import/known_names.hpp"
#include "import/robot.hpp"
#include "import/robot_readers.hpp"
#include "import/shape_mass.hpp"
#include "model/diagnostics.hpp"

namespace armature::internal {

namespace {

constexpr double unlimited = 1e15;

// sdformat.org/spec
const KnownNames& sdf_names() {
  static const KnownNames names = {
      {"sdf", "version", "world model light actor"},
      {"world", "name",
       "model frame joint gravity physics scene light gui atmosphere magnetic_field spherical_coordinates audio road "
       "actor population "
       "state plugin wind"},
      {"model", "name canonical_link placement_frame",
       "static pose link joint frame model plugin gripper self_collide allow_auto_disable"},
      {"pose", "relative_to frame rotation_format degrees", ""},
      {"inertial/pose", "rotation_format degrees", ""},
      {"frame", "name attached_to", "pose"},
      {"link", "name",
       "pose inertial visual collision gravity self_collide must_be_base_link sensor velocity_decay light projector "
       "audio_sink "
       "audio_source particle_emitter"},
      {"inertial", "auto", "mass density inertia pose auto_inertia_params"},
      {"inertia", "", "ixx ixy ixz iyy iyz izz"},
      {"joint", "name type",
       "parent child pose axis axis2 thread_pitch screw_thread_pitch gearbox_ratio gearbox_reference_body"},
      {"axis", "", "xyz use_parent_model_frame dynamics limit mimic"},
      {"axis2", "", "xyz use_parent_model_frame dynamics limit"},
      {"xyz", "expressed_in", ""},
      {"dynamics", "", "damping friction spring_stiffness spring_reference"},
      {"limit", "", "lower upper effort velocity stiffness dissipation"},
      {"mimic", "joint axis", "multiplier offset reference"},
  };
  return names;
}

class SdfReader {
 public:
  SdfReader(const XmlTree& xml, const RobotFiles& files) : xml_(xml), files_(files) {}

  Robot read() {
    const pugi::xml_node root = xml_.root();
    robot_.format = "SDFormat";
    old_axes_ = std::string(root.attribute("version").value()).starts_with("1.4");
    list_unknown_names(xml_, sdf_names(), robot_);
    std::vector<pugi::xml_node> models;
    for (const pugi::xml_node model : root.children("model")) models.push_back(model);
    for (const pugi::xml_node world : root.children("world")) {
      if (const pugi::xml_node gravity = world.child("gravity"))
        robot_.gravity = Eigen::Vector3d(xml_.numbers_in(gravity, 3, 3).data());
      for (const pugi::xml_node model : world.children("model")) models.push_back(model);
      leave_out_children(world, {"actor", "population", "state", "plugin", "wind"});
    }
    if (models.empty()) xml_.fail(root, "there is no <model>");
    robot_.name = xml_.word(models[0], "name").value_or("");
    bool is_scoped = models.size() > 1;  // names of a single model are as short as in it
    for (const pugi::xml_node world : root.children("world")) {
      is_scoped = is_scoped || world.child("frame") || world.child("joint");
      name_frames(world, "", "world");
      name_joints(world, "");
    }
    for (const pugi::xml_node model : models)
      read_model(model, is_scoped ? xml_.required_word(model, "name") + "::" : "", "", false);
    for (const pugi::xml_node world : root.children("world")) read_joints(world, "", false);
    hold_free_links();
    return std::move(robot_);
  }

 private:
  // A named thing of a model that has a pose.
  struct Named {
    pugi::xml_node node;
    std::string relative_to, attached_to;  // full names
    Frame own = {};
    int body = ground_body;  // of a link
    bool is_link = false, resolving = false, resolved = false;
    Frame pose = {};  // in the world
  };

  void leave_out_children(pugi::xml_node node, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (const pugi::xml_node child = node.child(name))
        robot_.leave_out(fmt::format("{}: {}: <{}>", xml_.place_of(child), element_in_words(node), name));
  }

  Frame own_pose(pugi::xml_node node) const {
    const pugi::xml_node pose = node.child("pose");
    Frame frame;
    if (!pose || std::string(pose.child_value()).find_first_not_of(" \t\r\n") == std::string::npos) return frame;
    const bool quaternion = std::string(pose.attribute("rotation_format").value()) == "quat_xyzw";
    const std::vector<double> x = xml_.numbers_in(pose, quaternion ? 7 : 6, quaternion ? 7 : 6);
    frame.p = Eigen::Vector3d(x.data());
    if (quaternion) {
      const Eigen::Quaterniond q(x[6], x[3], x[4], x[5]);
      if (!(q.norm() > 0)) xml_.fail(pose, "the quaternion has no length");
      frame.R = q.normalized().toRotationMatrix();
    } else {
      const bool degrees = std::string(pose.attribute("degrees").value()) == "true";
      frame.R = turn_by_rpy(Eigen::Vector3d(x.data() + 3) * (degrees ? std::numbers::pi / 180 : 1));
    }
    return frame;
  }

  static std::string relative_to(pugi::xml_node node) {
    const pugi::xml_node pose = node.child("pose");
    const std::string name = pose.attribute("relative_to").value();
    return name.empty() ? pose.attribute("frame").value() : name;
  }

  static std::string scoped(const std::string& prefix, const std::string& name) {
    return name == "world" ? name : prefix + name;
  }

  void add(const std::string& name, Named named) {
    if (named_.contains(name)) xml_.fail(named.node, "another element has this name");
    named_[name] = std::move(named);
  }

  // `prefix` of the names in it: "arm::"
  void read_model(pugi::xml_node model, const std::string& prefix, const std::string& outer, bool fixed) {
    const bool is_static = fixed || is_true(model.child("static"));
    if (model.attribute("placement_frame"))
      xml_.fail(model, "'placement_frame' is not read; place the model by <pose>");
    // The frame of the model itself, under a name that no link has.
    const std::string own = prefix + "__model__";
    const std::string to = relative_to(model);
    add(own, {.node = model,
              .relative_to = to.empty() ? outer : scoped(outer_prefix(prefix), to),
              .attached_to = "",
              .own = own_pose(model)});
    // It is attached to its canonical link, which is the first where none is named.
    std::string canonical = xml_.word(model, "canonical_link").value_or("");
    for (const pugi::xml_node link : model.children("link")) {
      if (canonical.empty()) canonical = xml_.required_word(link, "name");
      read_link(link, prefix, is_static);
    }
    named_[own].attached_to = canonical.empty() ? "" : prefix + canonical;
    // Names before poses: frames, nested models and joints may refer to each other.
    name_frames(model, prefix, own);
    for (const pugi::xml_node nested : model.children("model"))
      read_model(nested, prefix + xml_.required_word(nested, "name") + "::", own, is_static);
    name_joints(model, prefix);
    read_joints(model, prefix, is_static);
    for (const pugi::xml_node frame : model.children("frame")) read_point(frame, prefix);
    leave_out_children(model, {"plugin", "gripper"});
  }

  // `own`: the frame of the model or world in which they are.
  void name_frames(pugi::xml_node in, const std::string& prefix, const std::string& own) {
    for (const pugi::xml_node frame : in.children("frame")) {
      std::string attached = xml_.word(frame, "attached_to").value_or("");
      attached = attached.empty() ? own : scoped(prefix, attached);
      const std::string frame_to = relative_to(frame);
      add(prefix + xml_.required_word(frame, "name"),
          {.node = frame,
           .relative_to = frame_to.empty() ? attached : scoped(prefix, frame_to),
           .attached_to = attached,
           .own = own_pose(frame)});
    }
  }

  void name_joints(pugi::xml_node in, const std::string& prefix) {
    for (const pugi::xml_node joint : in.children("joint")) {
      const std::string child = scoped(prefix, link_name(joint, "child")), joint_to = relative_to(joint);
      add(prefix + xml_.required_word(joint, "name"),
          {.node = joint,
           .relative_to = joint_to.empty() ? child : scoped(prefix, joint_to),
           .attached_to = child,
           .own = own_pose(joint)});
    }
  }

  void read_joints(pugi::xml_node in, const std::string& prefix, bool is_static) {
    for (const pugi::xml_node joint : in.children("joint")) read_joint(joint, prefix, is_static);
    for (const pugi::xml_node joint : in.children("joint")) read_mimic(joint, prefix);
  }

  static bool is_true(pugi::xml_node node) {
    const std::string text = node.child_value();
    return text == "true" || text == "1";
  }

  static std::string outer_prefix(const std::string& prefix) {
    if (prefix.empty()) return "";
    const std::size_t colons = prefix.rfind("::", prefix.size() - 3);
    return colons == std::string::npos ? "" : prefix.substr(0, colons + 2);
  }

  void read_link(pugi::xml_node link, const std::string& prefix, bool is_static) {
    const std::string name = prefix + xml_.required_word(link, "name"), to = relative_to(link);
    Named named{.node = link,
                .relative_to = to.empty() ? prefix + "__model__" : scoped(prefix, to),
                .attached_to = "",
                .own = own_pose(link)};
    named.is_link = true;
    // Links of a static model are places on the ground.
    if (!is_static) {
      named.body = static_cast<int>(robot_.bodies.size());
      RobotBody body;
      body.name = name;
      for (const pugi::xml_node visual : link.children("visual")) read_shape(visual, body);
      read_inertial(link, body);
      robot_.bodies.push_back(std::move(body));
      if (std::string(link.child("gravity").child_value()) == "false" ||
          std::string(link.child("gravity").child_value()) == "0")
        robot_.leave_out(fmt::format("{}: link {}: gravity false", xml_.place_of(link), name));
      if (link.child("collision") && !said_collision_)
        robot_.leave_out(
            fmt::format("{}: collision shapes (there is no contact)", xml_.place_of(link.child("collision")))),
            said_collision_ = true;
      leave_out_children(link, {"sensor", "velocity_decay", "light"});
    }
    add(name, named);
  }

  void read_inertial(pugi::xml_node link, RobotBody& body) {
    const pugi::xml_node inertial = link.child("inertial"), inertia = inertial.child("inertia");
    RobotMass own;
    own.mass = inertial.child("mass") ? xml_.number_in(inertial.child("mass")) : 1;
    if (!(own.mass > 0)) xml_.fail(inertial, fmt::format("link {}: a mass is positive", body.name));
    const auto entry = [&](const char* name, double missing) {
      return inertia.child(name) ? xml_.number_in(inertia.child(name)) : missing;
    };
    const double diagonal = inertia ? 0 : 1;
    own.inertia = symmetric_matrix(entry("ixx", 1), entry("ixy", 0), entry("ixz", 0), entry("iyy", 1), entry("iyz", 0),
                                   entry("izz", 1));
    if (std::string(inertial.attribute("auto").value()) == "true" ||
        (inertial.child("mass") && diagonal == 1 && !body.shapes.empty()))
      return spread(inertial, body);
    body.mass = own.seen_from(own_pose(inertial));
  }

  // The mass is spread over the shapes, or they are filled with the density.
  void spread(pugi::xml_node inertial, RobotBody& body) {
    const double density = inertial.child("density") ? xml_.number_in(inertial.child("density")) : 1000;
    try {
      for (const RobotShape& shape : body.shapes) body.mass.add(mass_of_shape(shape, files_));
      if (!(body.mass.mass > 0)) throw std::runtime_error("encloses no volume");
      const double factor = inertial.child("mass") ? xml_.number_in(inertial.child("mass")) / body.mass.mass : density;
      body.mass.mass *= factor, body.mass.inertia *= factor;
    } catch (const std::runtime_error& error) {
      xml_.fail(inertial, fmt::format("link {}: <inertia> is missing, and its shape {}", body.name, error.what()));
    }
  }

  void read_shape(pugi::xml_node visual, RobotBody& body) {
    const pugi::xml_node geometry = visual.child("geometry");
    RobotShape shape;
    shape.at = own_pose(visual);
    if (!relative_to(visual).empty()) robot_.leave_out(fmt::format("{}: visual: relative_to", xml_.place_of(visual)));
    const auto in = [&](pugi::xml_node node, const char* name) {
      if (!node.child(name)) xml_.fail(node, fmt::format("<{}> is missing", name));
      return xml_.number_in(node.child(name));
    };
    if (const pugi::xml_node box = geometry.child("box")) {
      shape.kind = RobotShape::Kind::box;
      shape.size = Eigen::Vector3d(xml_.numbers_in(box.child("size") ? box.child("size") : box, 3, 3).data());
    } else if (const pugi::xml_node sphere = geometry.child("sphere")) {
      shape.kind = RobotShape::Kind::sphere;
      shape.size.x() = in(sphere, "radius");
    } else if (const pugi::xml_node ellipsoid = geometry.child("ellipsoid"); ellipsoid.child("radii")) {
      shape.kind = RobotShape::Kind::ellipsoid;
      shape.size = Eigen::Vector3d(xml_.numbers_in(ellipsoid.child("radii"), 3, 3).data());
    } else if (const pugi::xml_node cylinder = geometry.child("cylinder")) {
      shape.kind = RobotShape::Kind::cylinder;
      shape.size = {in(cylinder, "radius"), in(cylinder, "length"), 0};
    } else if (const pugi::xml_node capsule = geometry.child("capsule")) {
      shape.kind = RobotShape::Kind::capsule;
      shape.size = {in(capsule, "radius"), in(capsule, "length"), 0};
    } else if (const pugi::xml_node mesh = geometry.child("mesh")) {
      const Eigen::Vector3d scale = mesh.child("scale")
                                        ? Eigen::Vector3d(xml_.numbers_in(mesh.child("scale"), 3, 3).data())
                                        : Eigen::Vector3d::Ones();
      std::string why;
      if (!take_mesh(mesh.child("uri").child_value(), scale, files_, shape, why)) {
        robot_.leave_out(fmt::format("{}: mesh: {}", xml_.place_of(mesh), why));
        return;
      }
    } else {
      for (const pugi::xml_node other : geometry.children())
        if (other.type() == pugi::node_element && std::string_view(other.name()) != "empty")
          robot_.leave_out(fmt::format("{}: link {}: the shape <{}>", xml_.place_of(other), body.name, other.name()));
      return;
    }
    body.shapes.push_back(shape);
  }

  // --- frames

  // The name of a model is one of its frame.
  std::map<std::string, Named>::iterator find(const std::string& name) {
    const auto found = named_.find(name);
    return found != named_.end() ? found : named_.find(name + "::__model__");
  }

  const Frame& resolve(const std::string& name, pugi::xml_node asking) {
    static const Frame world;
    if (name.empty() || name == "world") return world;
    const auto found = find(name);
    if (found == named_.end()) xml_.fail(asking, fmt::format("there is no frame '{}'", name));
    Named& named = found->second;
    if (named.resolved) return named.pose;
    if (named.resolving) xml_.fail(asking, fmt::format("the pose of '{}' is relative to itself", name));
    named.resolving = true;
    named.pose = resolve(named.relative_to, named.node) * named.own;
    named.resolving = false;
    named.resolved = true;
    return named.pose;
  }

  // A frame is a named point of the link that carries it.
  void read_point(pugi::xml_node frame, const std::string& prefix) {
    const std::string name = prefix + xml_.required_word(frame, "name");
    const Named* link = link_of(name, frame);
    const Eigen::Vector3d here = resolve(name, frame).p;
    if (link && link->body != ground_body)
      robot_.bodies[link->body].points.push_back({name, pose_of_body(link->body).inverse() * here});
    else
      robot_.points.push_back({name, here});
  }

  // The link that carries a frame.
  const Named* link_of(std::string name, pugi::xml_node asking) {
    for (std::size_t k = 0; k <= named_.size(); ++k) {
      if (name.empty() || name == "world") return nullptr;
      const auto found = find(name);
      if (found == named_.end()) {
        std::vector<std::string> names;
        for (const auto& [each, value] : named_) names.push_back(each);
        xml_.fail(asking, fmt::format("there is no link '{}'{}", name, did_you_mean(name, names)));
      }
      if (found->second.is_link) return &found->second;
      name = found->second.attached_to;
    }
    xml_.fail(asking, fmt::format("the frame '{}' is attached to itself", name));
  }

  std::string link_name(pugi::xml_node joint, const char* side) const {
    const pugi::xml_node node = joint.child(side);
    std::string name = node.child("link_name") ? node.child("link_name").child_value() : node.child_value();
    const auto first = name.find_first_not_of(" \t\r\n");
    name = first == std::string::npos ? "" : name.substr(first, name.find_last_not_of(" \t\r\n") - first + 1);
    if (name.empty()) xml_.fail(joint, fmt::format("<{}> is missing", side));
    return name;
  }

  // --- joints

  void read_joint(pugi::xml_node node, const std::string& prefix, bool is_static) {
    if (is_static) return;
    static const std::map<std::string, JointType> types = {
        {"revolute", JointType::revolute},   {"continuous", JointType::revolute}, {"prismatic", JointType::prismatic},
        {"fixed", JointType::fixed},         {"ball", JointType::spherical},      {"universal", JointType::universal},
        {"revolute2", JointType::universal}, {"screw", JointType::screw}};
    RobotJoint joint;
    joint.name = prefix + xml_.required_word(node, "name");
    const std::string kind = xml_.required_word(node, "type");
    const auto type = types.find(kind);
    if (type == types.end()) {
      if (kind != "gearbox")
        xml_.fail(node, fmt::format("unknown type '{}'; expected revolute, continuous, prismatic, fixed, ball, "
                                    "universal, revolute2 or screw",
                                    kind));
      robot_.leave_out(fmt::format("LOOP NOT KEPT: {}: joint {}: a gearbox", xml_.place_of(node), joint.name));
      return;
    }
    // Both sides of the joint are its frame, in the axes of the two links.
    joint.type = type->second;
    const Named *parent = link_of(scoped(prefix, link_name(node, "parent")), node),
                *child = link_of(scoped(prefix, link_name(node, "child")), node);
    joint.a = parent ? parent->body : ground_body;
    joint.b = child ? child->body : ground_body;
    if (joint.a == joint.b) xml_.fail(node, "a joint connects two links");
    const Frame here = resolve(joint.name, node);
    joint.in_a = (parent && joint.a != ground_body ? pose_of_body(joint.a).inverse() : Frame{}) * here;
    joint.in_b = (child && joint.b != ground_body ? pose_of_body(joint.b).inverse() : Frame{}) * here;
    read_axes(node, kind, prefix, here, joint);
    robot_.joints.push_back(joint);
  }

  Frame pose_of_body(int body) { return resolve(robot_.bodies[body].name, xml_.root()); }

  Eigen::Vector3d axis_in(pugi::xml_node axis, const std::string& prefix, const Frame& joint, pugi::xml_node asking) {
    const pugi::xml_node xyz = axis.child("xyz");
    const Eigen::Vector3d n = xyz ? Eigen::Vector3d(xml_.numbers_in(xyz, 3, 3).data()) : Eigen::Vector3d::UnitZ();
    if (!(n.norm() > 0) || !n.allFinite()) xml_.fail(asking, "the axis has no direction");
    const std::string in = xyz.attribute("expressed_in").value();
    const std::string model_frame = axis.child("use_parent_model_frame").child_value();
    if (!in.empty()) return (joint.R.transpose() * resolve(scoped(prefix, in), asking).R * n).normalized();
    if (old_axes_ || model_frame == "true" || model_frame == "1")
      return (joint.R.transpose() * resolve(prefix + "__model__", asking).R * n).normalized();
    return n.normalized();
  }

  void read_axes(pugi::xml_node node, const std::string& kind, const std::string& prefix, const Frame& here,
                 RobotJoint& joint) {
    const pugi::xml_node axis = node.child("axis"), second = node.child("axis2");
    if (second && joint.type != JointType::universal)
      robot_.leave_out(fmt::format("{}: joint {}: <axis2>", xml_.place_of(second), joint.name));
    if (joint.type == JointType::spherical && (axis.child("dynamics") || axis.child("limit")))
      robot_.leave_out(fmt::format("{}: joint {}: dynamics and limits of three axes", xml_.place_of(axis), joint.name));
    if (joint.type == JointType::fixed || joint.type == JointType::spherical) return;
    joint.axis = axis_in(axis, prefix, here, node);
    if (joint.type == JointType::universal) {
      joint.second = axis_in(second, prefix, here, node);
      if (std::abs(joint.axis.dot(joint.second)) > 1e-9)
        xml_.fail(node, fmt::format("the two axes of a {} joint are perpendicular", kind));
      for (const pugi::xml_node each : {axis, second})
        if (each.child("dynamics") || each.child("limit"))
          robot_.leave_out(
              fmt::format("{}: joint {}: dynamics and limits of two axes", xml_.place_of(node), joint.name));
      return;
    }
    if (joint.type == JointType::screw) {
      if (const pugi::xml_node pitch = node.child("screw_thread_pitch"))
        joint.pitch = xml_.number_in(pitch);
      else if (const pugi::xml_node thread = node.child("thread_pitch"); thread && xml_.number_in(thread) != 0)
        joint.pitch = -2 * std::numbers::pi / xml_.number_in(thread);
      else
        xml_.fail(node, "<screw_thread_pitch> is missing");
    }
    read_elements(axis, kind, joint);
  }

  void read_elements(pugi::xml_node axis, const std::string& kind, RobotJoint& joint) {
    const pugi::xml_node dynamics = axis.child("dynamics"), limit = axis.child("limit");
    const auto in = [&](pugi::xml_node node, const char* name, double missing) {
      return node.child(name) ? xml_.number_in(node.child(name)) : missing;
    };
    joint.damping = in(dynamics, "damping", 0);
    joint.friction = in(dynamics, "friction", 0);
    joint.stiffness = in(dynamics, "spring_stiffness", 0);
    joint.rest = in(dynamics, "spring_reference", 0);
    list_unused_limits(limit, joint.name);
    if (kind == "continuous") return;
    const double lower = in(limit, "lower", -unlimited), upper = in(limit, "upper", unlimited);
    if (lower > -unlimited && lower < upper) joint.lower = lower;
    if (upper < unlimited && lower < upper) joint.upper = upper;
    if (limit.child("stiffness"))
      joint.stop_stiffness = in(limit, "stiffness", 0), joint.stop_damping = in(limit, "dissipation", 1);
  }

  // Nothing drives a joint but plugins, which are not read.
  void list_unused_limits(pugi::xml_node limit, const std::string& joint) {
    for (const auto& [name, words] : {std::pair{"effort", "effort limit"}, {"velocity", "velocity limit"}})
      if (const pugi::xml_node child = limit.child(name))
        if (const double value = xml_.number_in(child); value > 0 && value < no_urdf_limit)
          robot_.leave_out(
              fmt::format("{}: joint {}: {} ({:g}) is not supported", xml_.place_of(child), joint, words, value));
  }

  void read_mimic(pugi::xml_node node, const std::string& prefix) {
    const pugi::xml_node mimic = node.child("axis").child("mimic");
    if (!mimic) return;
    const int joint = robot_.joint_named(prefix + xml_.required_word(node, "name")),
              source = robot_.joint_named(prefix + xml_.required_word(mimic, "joint"));
    if (source < 0 || joint < 0)
      xml_.fail(mimic, fmt::format("there is no joint '{}'", mimic.attribute("joint").value()));
    for (const int each : {joint, source})
      if (robot_.joints[each].type != JointType::revolute && robot_.joints[each].type != JointType::prismatic)
        xml_.fail(mimic, fmt::format("joint {} has no single value", robot_.joints[each].name));
    const auto in = [&](const char* name, double missing) {
      return mimic.child(name) ? xml_.number_in(mimic.child(name)) : missing;
    };
    const double factor = in("multiplier", 1);
    robot_.relations.push_back({robot_.joints[joint].name + "_mimic",
                                {{joint, 1}, {source, -factor}},
                                factor * in("reference", 0) - in("offset", 0)});
    robot_.loops.push_back(fmt::format("{}: mimics {}", robot_.joints[joint].name, robot_.joints[source].name));
  }

  // Links that no chain of joints holds move freely from where they are.
  void hold_free_links() {
    std::vector<bool> held(robot_.bodies.size(), false);
    // Whatever a joint connects with something held is held.
    const auto spread = [&] {
      for (bool more = true; more;) {
        more = false;
        for (const RobotJoint& joint : robot_.joints) {
          const bool a = joint.a == ground_body || held[joint.a], b = joint.b == ground_body || held[joint.b];
          if (a != b) held[a ? joint.b : joint.a] = more = true;
        }
      }
    };
    // Of the rest one link after the other becomes free, and holds those that it is joined with.
    spread();
    for (std::size_t k = 0; k < held.size(); ++k) {
      if (held[k]) continue;
      RobotJoint joint;
      joint.name = robot_.bodies[k].name + "_free";
      joint.type = JointType::free;
      joint.b = static_cast<int>(k);
      joint.in_a = pose_of_body(static_cast<int>(k));
      robot_.joints.push_back(joint);
      held[k] = true;
      spread();
    }
  }

  const XmlTree& xml_;
  const RobotFiles& files_;
  Robot robot_;
  bool old_axes_ = false, said_collision_ = false;
  std::map<std::string, Named> named_;
};

}  // namespace

Robot read_sdf(XmlTree& xml, const std::string&, const RobotFiles& files, const RobotOptions&) {
  xml.include_models(files);
  return SdfReader(xml, files).read();
}

}  // namespace armature::internal
