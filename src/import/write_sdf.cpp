// SDFormat has one pose of all links, in which every joint is at zero: that of the start, in which the loops are closed. Values that the
// model counts from elsewhere are moved by those of the start, and so are springs and limits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "import/joint_chain.hpp"
#include "import/robot_of_model.hpp"
#include "import/robot_text.hpp"
#include "import/robot_tree.hpp"
#include "import/xml_text.hpp"
#include "model/joint_kinds.hpp"

namespace armature::internal {

namespace {

class SdfWriter {
 public:
  SdfWriter(Robot robot, std::vector<std::string>& not_said) : robot_(std::move(robot)), not_said_(not_said) {
    cut_elsewhere(robot_, [](const RobotJoint& joint) { return !words_of(joint.type).sdf.empty(); });
    tree_ = tree_at_start(robot_);
  }

  std::string write() {
    xml_.open("sdf", {{"version", "1.9"}});
    xml_.open("world", {{"name", "world"}});
    xml_.value("gravity", spaced(robot_.gravity));
    xml_.open("model", {{"name", robot_.name}});
    for (std::size_t k = 0; k < robot_.bodies.size(); ++k) write_link(static_cast<int>(k));
    for (const RobotPoint& point : robot_.points) {
      xml_.open("frame", {{"name", point.name}, {"attached_to", "world"}});
      xml_.value("pose", spaced(point.at) + " 0 0 0");
      xml_.close();
    }
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) write_joint(static_cast<int>(k));
    for (const RobotActuator& actuator : robot_.actuators) say(fmt::format("actuator {}", actuator.name));
    xml_.close();
    xml_.close();
    xml_.close();
    return "<?xml version=\"1.0\"?>\n" + xml_.text();
  }

 private:
  void say(const std::string& what) {
    if (std::ranges::find(not_said_, what) == not_said_.end()) not_said_.push_back(what);
  }

  static std::string pose_text(const Frame& frame) {
    const Eigen::Vector3d rpy = rpy_of(frame.R);
    return fmt::format("{} {:.17g} {:.17g} {:.17g}", spaced(frame.p), rpy.x() + 0.0, rpy.y() + 0.0, rpy.z() + 0.0);
  }

  void write_link(int index) {
    const RobotBody& body = robot_.bodies[index];
    xml_.open("link", {{"name", body.name}});
    xml_.value("pose", pose_text(tree_.pose_of(index)));
    if (body.mass.mass > 0) {
      xml_.open("inertial");
      xml_.value("pose", spaced(body.mass.center) + " 0 0 0");
      xml_.value("mass", number_text(body.mass.mass));
      xml_.open("inertia");
      const Eigen::Matrix3d& I = body.mass.inertia;
      const char* const names[3][3] = {{"ixx", "ixy", "ixz"}, {"", "iyy", "iyz"}, {"", "", "izz"}};
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) xml_.value(names[i][j], number_text(I(i, j)));
      xml_.close();
      xml_.close();
    } else {
      say(fmt::format("body {}: it has no mass; SDFormat takes 1 kg with moments of inertia of 1 kg m^2", body.name));
    }
    for (std::size_t k = 0; k < body.shapes.size(); ++k) write_visual(body.shapes[k], k);
    xml_.close();
    for (const RobotPoint& point : body.points) {
      xml_.open("frame", {{"name", body.name + "_" + point.name}, {"attached_to", body.name}});
      xml_.value("pose", spaced(point.at) + " 0 0 0");
      xml_.close();
    }
  }

  void write_visual(const RobotShape& shape, std::size_t k) {
    xml_.open("visual", {{"name", fmt::format("shape{}", k + 1)}});
    xml_.value("pose", pose_text(shape.at));
    xml_.open("geometry");
    if (shape.kind == RobotShape::Kind::box) {
      xml_.open("box");
      xml_.value("size", spaced(shape.size));
    } else if (shape.kind == RobotShape::Kind::sphere) {
      xml_.open("sphere");
      xml_.value("radius", number_text(shape.size.x()));
    } else if (shape.kind == RobotShape::Kind::mesh) {
      xml_.open("mesh");
      xml_.value("uri", shape.file);
      xml_.value("scale", spaced(Eigen::Vector3d::Constant(shape.scale)));
    } else {
      xml_.open("cylinder");
      xml_.value("radius", number_text(shape.size.x()));
      xml_.value("length", number_text(shape.size.y()));
    }
    xml_.close();
    xml_.close();
    xml_.close();
  }

  std::string name_of(int body) const { return body == ground_body ? "world" : robot_.bodies[body].name; }

  // The joint's value at the start; of one that closes a loop by the poses of its bodies.
  double value_at_start(const RobotJoint& joint) const {
    if (!joint.closes || joint.type != JointType::revolute) return joint.start;
    const Eigen::Matrix3d R =
        (tree_.pose_of(joint.a).R * joint.in_a.R).transpose() * tree_.pose_of(joint.b).R * joint.in_b.R;
    return angle_about(joint.axis, R);
  }

  void write_joint(int index) {
    const RobotJoint& joint = robot_.joints[index];
    const JointWords& words = words_of(joint.type);
    if (words.freedoms() == 6 && joint.a == ground_body && !joint.closes) return;
    if (words.sdf.empty())
      return say(fmt::format("{}joint {}: a {} joint", joint.closes ? "LOOP NOT KEPT: " : "", joint.name, words.name));
    xml_.open("joint", {{"name", joint.name}, {"type", type_text(words.sdf, joint)}});
    if (words.freedoms() > 1 && !joint.closes && moves(motion_at_start(joint)))
      say(fmt::format("joint {}: its zero; values are counted from the start", joint.name));
    const bool on_ground = joint.b == ground_body;
    xml_.value("pose", pose_text(joint.in_b), on_ground ? XmlAttributes{{"relative_to", "world"}} : XmlAttributes{});
    xml_.value("parent", name_of(joint.a));
    xml_.value("child", name_of(joint.b));
    if (words.advances) xml_.value("screw_thread_pitch", number_text(joint.pitch));
    if (words.axes == 2) {
      const double second = joint.values.size() > 1 ? joint.values[1] : 0;
      write_axis("axis", turn_about(joint.second, -second) * joint.axis);
      write_axis("axis2", joint.second);
    } else if (words.axes == 1) {
      xml_.open("axis");
      xml_.value("xyz", spaced(joint.axis));
      write_elements(joint, value_at_start(joint));
      for (const RobotRelation& relation : robot_.relations) write_mimic(relation, index);
      xml_.close();
    }
    xml_.close();
  }

  void write_axis(const char* name, const Eigen::Vector3d& axis) {
    xml_.open(name);
    xml_.value("xyz", spaced(axis));
    xml_.close();
  }

  void write_elements(const RobotJoint& joint, double start) {
    if (joint.damping != 0 || joint.friction != 0 || joint.stiffness != 0) {
      xml_.open("dynamics");
      xml_.value("damping", number_text(joint.damping));
      xml_.value("friction", number_text(joint.friction));
      if (joint.stiffness != 0) {
        xml_.value("spring_stiffness", number_text(joint.stiffness));
        xml_.value("spring_reference", number_text(joint.rest - start));
      }
      xml_.close();
    }
    if (joint.inertia != 0) say(fmt::format("joint {}: reflected inertia", joint.name));
    if (std::abs(start) > 1e-12)
      say(fmt::format("joint {}: its zero; values are counted from the start, {}", joint.name, number_text(start)));
    if (!joint.lower && !joint.upper) return;
    xml_.open("limit");
    if (joint.lower) xml_.value("lower", number_text(*joint.lower - start));
    if (joint.upper) xml_.value("upper", number_text(*joint.upper - start));
    if (joint.stop_stiffness) {
      xml_.value("stiffness", number_text(*joint.stop_stiffness));
      xml_.value("dissipation", number_text(joint.stop_damping.value_or(0)));
    }
    xml_.close();
  }

  void write_mimic(const RobotRelation& relation, int joint) {
    if (relation.terms[0].joint != joint) return;
    if (relation.terms.size() != 2)
      return say(fmt::format("LOOP NOT KEPT: constraints.{}: only two joints in proportion mimic", relation.name));
    const auto [ratio, offset] = counted_from_start(robot_, relation);
    xml_.open("mimic", {{"joint", robot_.joints[relation.terms[1].joint].name}});
    xml_.value("multiplier", number_text(ratio));
    xml_.value("offset", number_text(offset));
    xml_.value("reference", "0");
    xml_.close();
  }

  Robot robot_;
  std::vector<std::string>& not_said_;
  RobotTree tree_;
  XmlText xml_;
};

}  // namespace

std::string write_sdf(Robot robot, std::vector<std::string>& not_exported) {
  return SdfWriter(std::move(robot), not_exported).write();
}

}  // namespace armature::internal
