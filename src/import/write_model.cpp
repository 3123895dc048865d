#include "import/write_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "import/robot_text.hpp"
#include "model/joint_kinds.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t widest = 120;  // columns of a line

using Entries = std::vector<std::pair<std::string, std::string>>;

// "key: {a: 1, b: 2}" on one line where it fits.
std::string entry_text(const std::string& name, const Entries& entries) {
  std::string flow = fmt::format("  {}: {{", name);
  for (std::size_t k = 0; k < entries.size(); ++k)
    flow += fmt::format("{}{}: {}", k ? ", " : "", entries[k].first, entries[k].second);
  if (flow.size() < widest) return flow + "}\n";
  std::string block = fmt::format("  {}:\n", name);
  for (const auto& [key, value] : entries) block += fmt::format("    {}: {}\n", key, value);
  return block;
}

std::string comment(const std::string& text) {
  std::string clean;
  for (const unsigned char c : text) clean += c < 0x20 || c == 0x7f ? ' ' : static_cast<char>(c);
  return "# " + clean + "\n";
}

std::string quoted_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

// A formula inside { }: quotes where a comma or a bracket would end it.
std::string formula_text(const std::string& text) {
  return text.find_first_of(",[]{}:#'\"") == std::string::npos ? text : "\"" + text + "\"";
}

bool is_plain(const std::string& text) {
  return !text.empty() &&
         std::ranges::all_of(
             text, [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_' || c == ' ' || c == '-'); }) &&
         std::isalpha(static_cast<unsigned char>(text[0])) && text.back() != ' ';
}

class ModelWriter {
 public:
  ModelWriter(Robot& robot, const std::vector<Frame>& poses, std::string source, std::string meshes)
      : robot_(robot), poses_(poses), source_(std::move(source)), meshes_(std::move(meshes)) {}

  std::string write() {
    name_all();
    const std::string bodies = bodies_text(), points = points_text(), joints = joints_text(),
                      constraints = relations_text();
    const std::string tendons = tendons_text(), actuators = actuators_text(), start = start_text();
    std::string text = comment(fmt::format("Imported from {} ({}).", source_, robot_.format));
    if (!robot_.not_taken.empty()) text += "# Not taken:\n";
    for (const std::string& what : robot_.not_taken) text += comment("  " + what);
    text += "armature: 1\n";
    text += fmt::format("name: {}\n", is_plain(robot_.name) ? robot_.name : quoted_text(robot_.name));
    text += fmt::format("gravity: {}\n", vector_text(robot_.gravity));
    text += parameters_text();
    if (!inputs_.empty()) text += "\ninputs:\n" + inputs_;
    text += "\nbodies:\n" + bodies;
    for (const auto& [section, content] :
         {std::pair{"points", points}, {"joints", joints}, {"constraints", constraints}})
      if (!content.empty()) text += fmt::format("\n{}:\n{}", section, content);
    if (!tendons.empty()) text += "\ndefine:\n" + tendons;
    if (!forces_.empty()) text += "\nforces:\n" + forces_;
    if (!actuators.empty()) text += "\ndrives:\n" + actuators;
    if (!start.empty()) text += "\nstart:\n" + start;
    return text;
  }

 private:
  Eigen::Matrix3d turned(int body) const {
    return body == ground_body ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : poses_[body].R;
  }

  void name_all() {
    for (const RobotBody& body : robot_.bodies) bodies_.push_back(names_.take(body.name, "body"));
    for (const RobotPoint& point : robot_.points) ground_points_.push_back(names_.take(point.name, "point"));
    for (const RobotJoint& joint : robot_.joints) joints_.push_back(names_.take(joint.name, "joint"));
    for (const RobotBody& body : robot_.bodies) {
      ModelNames own;
      std::vector<std::string> list;
      for (const RobotPoint& point : body.points) list.push_back(own.take(point.name, "point"));
      points_.push_back(std::move(list));
    }
    for (const RobotTendon& tendon : robot_.tendons) tendons_.push_back(names_.take(tendon.name, "tendon"));
  }

  // --- bodies

  std::string inertia_text(const Eigen::Matrix3d& I) const {
    const double scale = I.cwiseAbs().maxCoeff();
    const char* const keys[3][3] = {{"xx", "xy", "xz"}, {"", "yy", "yz"}, {"", "", "zz"}};
    std::string text;
    for (int i = 0; i < 3; ++i) text += fmt::format("{}{}: {}", i ? ", " : "{", keys[i][i], number_text(I(i, i)));
    for (int i = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j)
        if (std::abs(I(i, j)) > 1e-14 * scale) text += fmt::format(", {}: {}", keys[i][j], number_text(I(i, j)));
    return text + "}";
  }

  std::string bodies_text() {
    std::string text;
    for (std::size_t k = 0; k < robot_.bodies.size(); ++k) {
      const RobotBody& body = robot_.bodies[k];
      const Eigen::Matrix3d R = poses_[k].R;
      Entries entries{{"mass", number_text(body.mass.mass) + (body.mass.mass > 0 ? " kg" : "")}};
      if (const Eigen::Vector3d center = R * body.mass.center; center.norm() > 1e-15)
        entries.emplace_back("center", vector_text(center));
      const Eigen::Matrix3d I = R * body.mass.inertia * R.transpose();
      entries.emplace_back("inertia", I.cwiseAbs().maxCoeff() > 0 ? inertia_text(I) : "none");
      if (!body.points.empty()) entries.emplace_back("points", body_points_text(static_cast<int>(k)));
      if (const std::string shapes = shapes_text(body, R); !shapes.empty()) entries.emplace_back("shape", shapes);
      text += entry_text(bodies_[k], entries);
    }
    return text;
  }

  std::string body_points_text(int body) const {
    std::string text;
    const std::vector<RobotPoint>& points = robot_.bodies[body].points;
    for (std::size_t k = 0; k < points.size(); ++k)
      text += fmt::format("{}{}: {}", k ? ", " : "{", points_[body][k], vector_text(poses_[body].R * points[k].at));
    return text + "}";
  }

  std::string shapes_text(const RobotBody& body, const Eigen::Matrix3d& R) {
    std::vector<std::string> list;
    for (const RobotShape& shape : body.shapes)
      if (const std::string text = shape_text(body, shape, {R * shape.at.R, R * shape.at.p}); !text.empty())
        list.push_back(text);
    if (list.size() == 1) return list[0];
    return list.empty() ? "" : fmt::format("[{}]", fmt::join(list, ", "));
  }

  std::string shape_text(const RobotBody& body, const RobotShape& shape, const Frame& at) {
    const std::string place = at.p.norm() > 1e-15 ? fmt::format(", at: {}", vector_text(at.p)) : "";
    const auto leave_out = [&](const char* what) {
      robot_.leave_out(fmt::format("{}: {}", body.name, what));
      return std::string();
    };
    switch (shape.kind) {
      case RobotShape::Kind::sphere: return fmt::format("{{sphere: {}{}}}", number_text(shape.size.x()), place);
      case RobotShape::Kind::cylinder:
      case RobotShape::Kind::capsule: {
        const Eigen::Vector3d half = at.R.col(2) * (shape.size.y() / 2);
        return fmt::format("{{rod: {{from: {}, to: {}, radius: {}}}}}", vector_text(at.p - half),
                           vector_text(at.p + half), number_text(shape.size.x()));
      }
      case RobotShape::Kind::box: {
        Eigen::Vector3d sides = Eigen::Vector3d::Zero();
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            if (std::abs(std::abs(at.R(i, j)) - 1) < 1e-9) sides[i] = shape.size[j];
        if (sides.minCoeff() > 0) return fmt::format("{{box: {}{}}}", vector_text(sides), place);
        return fmt::format("{{box: {}{}{}}}", vector_text(shape.size), place, turn_text_of(at.R));
      }
      case RobotShape::Kind::mesh:
        return fmt::format("{{mesh: {}{}{}{}}}", quoted_text(meshes_ + shape.file), place,
                           shape.scale == 1 ? "" : fmt::format(", scale: {}", number_text(shape.scale)),
                           turn_text_of(at.R));
      case RobotShape::Kind::ellipsoid: return leave_out("an ellipsoid is not drawn");
    }
    return "";
  }

  static std::string turn_text_of(const Eigen::Matrix3d& R) {
    const Eigen::AngleAxisd turn(R);
    if (std::abs(turn.angle()) < 1e-9) return "";
    return fmt::format(", angle: {}, axis: {}", number_text(turn.angle()), axis_text(turn.axis()));
  }

  std::string points_text() const {
    std::string text;
    for (std::size_t k = 0; k < robot_.points.size(); ++k)
      text += fmt::format("  {}: {}\n", ground_points_[k], vector_text(robot_.points[k].at));
    return text;
  }

  // --- joints

  std::string place_text(int body, const Eigen::Vector3d& at) const {
    const Eigen::Vector3d p = turned(body) * at;
    const std::string name = body == ground_body ? "ground" : bodies_[body];
    if (p.norm() <= 1e-15) return name;
    const std::vector<RobotPoint>& points = body == ground_body ? robot_.points : robot_.bodies[body].points;
    for (std::size_t k = 0; k < points.size(); ++k)
      if ((points[k].at - at).norm() <= 1e-15)
        return body == ground_body ? ground_points_[k] : name + "." + points_[body][k];
    return fmt::format("\"{} {}\"", name, vector_text(p));
  }

  bool is_length(const RobotJoint& joint) const { return joint.type == JointType::prismatic; }
  bool has_one_axis(JointType type) const { return words_of(type).axes == 1; }

  std::string joints_text() {
    std::string text;
    offsets_.assign(robot_.joints.size(), 0);
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) text += joint_text(static_cast<int>(k));
    return text;
  }

  std::string joint_text(int index) {
    const RobotJoint& joint = robot_.joints[index];
    const Eigen::Matrix3d Ra = turned(joint.a) * joint.in_a.R, Rb = turned(joint.b) * joint.in_b.R;
    const bool parallel = (Ra - Rb).cwiseAbs().maxCoeff() < 1e-9;
    JointType type = joint.type;
    if (!parallel && (type == JointType::fixed || type == JointType::prismatic || type == JointType::universal ||
                      type == JointType::free)) {
      robot_.leave_out(fmt::format(
          "LOOP NOT KEPT: {}: it holds its bodies at an angle at which they are not where all other joints are at zero",
          joint.name));
      return "";
    }
    Entries entries{{"type", std::string(words_of(type).name)}};
    if (words_of(type).advances) entries.emplace_back("pitch", number_text(joint.pitch));
    if (words_of(type).axes == 2)
      entries.emplace_back("axes", fmt::format("[{}, {}]", axis_text(Ra * joint.axis), axis_text(Rb * joint.second)));
    else if (has_one_axis(type))
      add_axis(index, joint, Ra, Rb, entries);
    const bool moves_from_origin = type == JointType::free && joint.a == ground_body;
    entries.emplace_back("between",
                         fmt::format("[{}, {}]", moves_from_origin ? "ground" : place_text(joint.a, joint.in_a.p),
                                     place_text(joint.b, joint.in_b.p)));
    if (joint.closes && joint.declared && !is_driven(index)) entries.emplace_back("cut", "true");
    add_elements(index, joint, entries);
    return entry_text(joints_[index], entries);
  }

  bool is_driven(int joint) const {
    return std::ranges::find(robot_.actuators, joint, &RobotActuator::joint) != robot_.actuators.end();
  }

  // Where the bodies' axes differ at zero, the model's value and the file's differ by a constant.
  void add_axis(int index, const RobotJoint& joint, const Eigen::Matrix3d& Ra, const Eigen::Matrix3d& Rb,
                Entries& entries) {
    const Eigen::Vector3d a = Ra * joint.axis, b = Rb * joint.axis;
    const bool same = (a - b).cwiseAbs().maxCoeff() < 1e-9;
    entries.emplace_back(same ? "axis" : "axes",
                         same ? axis_text(a) : fmt::format("[{}, {}]", axis_text(a), axis_text(b)));
    const Eigen::Matrix3d align = same ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : turn_between(b, a);
    const double offset = angle_about(joint.axis, Ra.transpose() * align * Rb);
    if (std::abs(offset) > 1e-12 && !is_length(joint)) offsets_[index] = offset;
  }

  void add_elements(int index, const RobotJoint& joint, Entries& entries) {
    const double offset = offsets_[index];
    if (joint.inertia != 0) entries.emplace_back("inertia", number_text(joint.inertia));
    if (joint.damping != 0) entries.emplace_back("damping", number_text(joint.damping));
    if (joint.friction != 0) entries.emplace_back("friction", number_text(joint.friction));
    if (joint.stiffness != 0) {
      const double rest = joint.rest - offset;
      entries.emplace_back("spring", rest == 0 ? fmt::format("{{stiffness: {}}}", number_text(joint.stiffness))
                                               : fmt::format("{{stiffness: {}, rest: {}}}",
                                                             number_text(joint.stiffness), number_text(rest)));
    }
    if (joint.lower || joint.upper) entries.emplace_back("limits", limits_text(joint, offset));
  }

  std::string limits_text(const RobotJoint& joint, double offset) {
    std::string text = "{";
    if (joint.lower) text += fmt::format("lower: {}, ", number_text(*joint.lower - offset));
    if (joint.upper) text += fmt::format("upper: {}, ", number_text(*joint.upper - offset));
    if (joint.stop_stiffness)
      return text + fmt::format("stiffness: {}, damping: {}}}", number_text(*joint.stop_stiffness),
                                number_text(joint.stop_damping.value_or(0)));
    (is_length(joint) ? slide_stops_ : turn_stops_) = true;
    if (stops_.empty())
      stops_ = {names_.take("stop_stiffness", "of"), names_.take("stop_damping", "of"),
                names_.take("slide_stop_stiffness", "of"), names_.take("slide_stop_damping", "of")};
    const std::size_t k = is_length(joint) ? 2 : 0;
    return text + fmt::format("stiffness: {}, damping: {}}}", stops_[k], stops_[k + 1]);
  }

  std::string parameters_text() const {
    if (!turn_stops_ && !slide_stops_) return "";
    std::string text = "\nparameters:                 # of end stops: the file says where they are, but not how hard\n";
    if (turn_stops_) text += fmt::format("  {}: 1000 N*m\n  {}: 10 N*m*s\n", stops_[0], stops_[1]);
    if (slide_stops_) text += fmt::format("  {}: 1e5 N/m\n  {}: 1e3 N*s/m\n", stops_[2], stops_[3]);
    return text;
  }

  // --- relations, tendons, actuators

  std::string value_text(int joint) const {
    const double offset = offsets_[joint];
    if (offset == 0) return joints_[joint];
    return fmt::format("({} {} {})", joints_[joint], offset < 0 ? "-" : "+", number_text(std::abs(offset)));
  }

  std::string sum_text(const std::vector<RobotRelation::Term>& terms, double constant) const {
    std::string text;
    for (const RobotRelation::Term& term : terms) {
      if (term.factor == 0) continue;
      const double size = std::abs(term.factor);
      text += term.factor < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
      if (size != 1) text += number_text(size) + "*";
      text += value_text(term.joint);
      if (term.power != 1) text += fmt::format("^{}", term.power);
    }
    if (constant != 0 || text.empty())
      text += (text.empty()   ? ""
               : constant < 0 ? " - "
                              : " + ") +
              number_text(text.empty() ? constant : std::abs(constant));
    return text;
  }

  std::string relations_text() {
    std::string text;
    for (const RobotRelation& relation : robot_.relations) {
      const std::string name = names_.take(relation.name, "relation");
      if (is_gear(relation)) {
        const auto &a = relation.terms[0], &b = relation.terms[1];
        Entries entries{{"type", "gear"},
                        {"between", fmt::format("[{}, {}]", joints_[a.joint], joints_[b.joint])},
                        {"ratio", number_text(-b.factor / a.factor)}};
        if (relation.constant != 0) entries.emplace_back("offset", number_text(-relation.constant / a.factor));
        text += entry_text(name, entries);
      } else {
        text += entry_text(name, {{"type", "prescribed"}, {"zero", sum_text(relation.terms, relation.constant)}});
      }
    }
    return text;
  }

  // Two coordinates of one kind in proportion.
  bool is_gear(const RobotRelation& relation) const {
    if (relation.terms.size() != 2) return false;
    const auto &a = relation.terms[0], &b = relation.terms[1];
    return a.power == 1 && b.power == 1 && a.factor != 0 && b.factor != 0 && offsets_[a.joint] == 0 &&
           offsets_[b.joint] == 0 && is_length(robot_.joints[a.joint]) == is_length(robot_.joints[b.joint]);
  }

  std::string tendons_text() {
    std::string text;
    for (std::size_t k = 0; k < robot_.tendons.size(); ++k) {
      const RobotTendon& tendon = robot_.tendons[k];
      text += fmt::format("  {}: {}\n", tendons_[k], sum_text(tendon.terms, 0));
      std::string pull;
      if (tendon.stiffness != 0)
        pull += fmt::format("{}*{}", number_text(tendon.stiffness), stretch_text(tendon, tendons_[k]));
      if (tendon.damping != 0)
        pull += fmt::format("{}{}*{}'", pull.empty() ? "" : " + ", number_text(tendon.damping), tendons_[k]);
      if (!pull.empty())
        add_efforts(names_.take(tendons_[k] + "_spring", "force"), tendon.terms, -1, pull,
                    pull.find(" + ") == std::string::npos);
    }
    return text;
  }

  std::string stretch_text(const RobotTendon& tendon, const std::string& name) const {
    if (tendon.lowest_rest == tendon.highest_rest)
      return tendon.lowest_rest == 0 ? name : fmt::format("({} - {})", name, number_text(tendon.lowest_rest));
    return fmt::format("({0} - clamp({0}, {1}, {2}))", name, number_text(tendon.lowest_rest),
                       number_text(tendon.highest_rest));
  }

  // An effort along each of the terms, times `factor`. `product`: the text needs no parentheses as a factor.
  void add_efforts(const std::string& name, const std::vector<RobotRelation::Term>& terms, double factor,
                   const std::string& is, bool product) {
    for (const RobotRelation::Term& term : terms) {
      const double times = factor * term.factor;
      const std::string inner = product || times == 1 ? is : "(" + is + ")";
      const std::string own = terms.size() == 1 ? name : names_.take(name + "_" + joints_[term.joint], "force");
      const std::string effort = times == 1    ? inner
                                 : times == -1 ? "-" + inner
                                               : fmt::format("{}*{}", number_text(times), inner);
      forces_ += entry_text(own, {{"type", "effort"}, {"on", joints_[term.joint]}, {"is", formula_text(effort)}});
    }
  }

  std::string actuators_text() {
    std::string drives;
    for (const RobotActuator& actuator : robot_.actuators) {
      if (actuator.tendon < 0 && (actuator.joint < 0 || words_of(robot_.joints[actuator.joint].type).freedoms() != 1)) {
        robot_.leave_out(fmt::format("actuator {}: its joint has no single value", actuator.name));
        continue;
      }
      const std::string name = names_.take(actuator.name, "motor"), input = names_.take(name + "_input", "in");
      if (actuator.motor)
        drives += motor_text(actuator, name, input);
      else
        add_actuator(actuator, name, input);
    }
    return drives;
  }

  std::string clamped(const std::string& x, const ForceRange& range) const {
    if (!range.given()) return x;
    return fmt::format("clamp({}, {}, {})", x, number_text(std::max(range.lower, -1e300)),
                       number_text(std::min(range.upper, 1e300)));
  }

  void add_actuator(const RobotActuator& actuator, const std::string& name, const std::string& input) {
    const std::vector<RobotRelation::Term> terms = actuator.tendon < 0
                                                       ? std::vector<RobotRelation::Term>{{actuator.joint, 1}}
                                                       : robot_.tendons[actuator.tendon].terms;
    const bool turns = actuator.tendon < 0 && !is_length(robot_.joints[actuator.joint]);
    const std::string length = actuator.tendon < 0 ? value_text(actuator.joint) : tendons_[actuator.tendon];
    const std::string rate = (actuator.tendon < 0 ? joints_[actuator.joint] : tendons_[actuator.tendon]) + "'";
    const auto factor = [](double x) { return x == 1 ? std::string() : number_text(x) + "*"; };
    std::string force = factor(actuator.gain) + clamped(input, actuator.control);
    const auto add = [&](double x, const std::string& times) {
      if (x != 0)
        force += fmt::format(" {} {}{}", x < 0 ? "-" : "+",
                             times.empty() ? number_text(std::abs(x)) : factor(std::abs(x)), times);
    };
    add(actuator.bias[0], "");
    add(actuator.bias[1] * actuator.gear, length);
    add(actuator.bias[2] * actuator.gear, rate);
    const bool plain = actuator.gain == 1 && actuator.bias == std::array<double, 3>{};
    const std::string limited = clamped(force, actuator.force);
    const bool product = (actuator.bias == std::array<double, 3>{}) || actuator.force.given();
    const bool is_effort = plain && actuator.gear == 1 && actuator.tendon < 0;
    inputs_ += fmt::format("  {}: {{{}}}\n", input, !is_effort ? "default: 0" : turns ? "unit: N*m" : "unit: N");
    add_efforts(name, terms, actuator.gear, limited, product);
  }

  std::string motor_text(const RobotActuator& actuator, const std::string& name, const std::string& input) {
    const RobotActuator::Motor& motor = *actuator.motor;
    if (actuator.tendon >= 0) {
      robot_.leave_out(fmt::format("actuator {}: a DC motor on a tendon", actuator.name));
      return "";
    }
    inputs_ += fmt::format("  {}: {{unit: V}}\n", input);
    Entries entries{{"type", "dc_motor"},
                    {"on", joints_[actuator.joint]},
                    {"voltage", formula_text(clamped(input, actuator.control))},
                    {"torque_constant", number_text(motor.torque_constant)},
                    {"resistance", number_text(motor.resistance)}};
    if (motor.back_emf_constant != motor.torque_constant)
      entries.emplace_back("back_emf_constant", number_text(motor.back_emf_constant));
    if (motor.inductance != 0) entries.emplace_back("inductance", number_text(motor.inductance));
    if (is_length(robot_.joints[actuator.joint]))
      entries.emplace_back("radius", number_text(1 / actuator.gear));
    else if (actuator.gear != 1)
      entries.emplace_back("gear_ratio", number_text(actuator.gear));
    return entry_text(name, entries);
  }

  // --- start

  std::string start_text() {
    Entries keep, near;
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
      const RobotJoint& joint = robot_.joints[k];
      if (joint.type == JointType::free && joint.a == ground_body && joint.in_a.p.norm() > 1e-15)
        keep.emplace_back(bodies_[joint.b], fmt::format("{{at: {}, angle: 0}}", vector_text(joint.in_a.p)));
      else if (joint.start != 0 && !joint.closes)
        near.emplace_back(joints_[k], number_text(joint.start - offsets_[k]));
    }
    std::string text;
    if (!keep.empty()) text += entry_text("keep", keep);
    if (!near.empty()) text += entry_text("near", near);
    return text;
  }

  Robot& robot_;
  const std::vector<Frame>& poses_;
  std::string source_, meshes_;
  ModelNames names_;
  std::vector<std::string> bodies_, joints_, tendons_, ground_points_;
  std::vector<std::vector<std::string>> points_;
  std::vector<double> offsets_;  // of a joint's value: the file's is so much larger
  std::vector<std::string> stops_;
  bool turn_stops_ = false, slide_stops_ = false;
  std::string inputs_, forces_;
};

}  // namespace

std::string write_model(Robot& robot, const std::vector<Frame>& poses, const std::string& source,
                        const std::string& meshes) {
  return ModelWriter(robot, poses, source, meshes).write();
}

}  // namespace armature::internal
