#include "import/known_names.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "model/diagnostics.hpp"

namespace armature::internal {

namespace {

using Names = std::set<std::string>;

struct KnownElement {
  Names attributes, children;
};
using KnownElements = std::map<std::string, KnownElement>;  // by "element", or by "parent/element" where that is needed

Names names_in(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// element, attributes, children. What is in an element without an entry is not looked at.
KnownElements known(std::initializer_list<std::array<std::string, 3>> entries) {
  KnownElements table;
  for (const auto& [element, attributes, children] : entries) table[element] = {names_in(attributes), names_in(children)};
  return table;
}

// wiki.ros.org/urdf/XML, and <loop> and <coupling> of URDF+
const KnownElements& urdf_names() {
  static const KnownElements table = known({
      {"robot", "name version", "link joint loop coupling transmission material gazebo sensor model_state"},
      {"link", "name type", "inertial visual collision"},
      {"inertial", "", "origin mass inertia"},
      {"mass", "value", ""},
      {"inertia", "ixx ixy ixz iyy iyz izz", ""},
      {"origin", "xyz rpy", ""},
      {"joint", "name type", "origin parent child axis limit dynamics mimic calibration safety_controller"},
      {"parent", "link", ""},
      {"child", "link", ""},
      {"axis", "xyz", ""},
      {"limit", "lower upper effort velocity", ""},
      {"dynamics", "damping friction", ""},
      {"mimic", "joint multiplier offset", ""},
      {"loop", "name type", "predecessor successor sucessor axis limit dynamics"},
      {"coupling", "name type", "predecessor successor ratio"},
      {"predecessor", "link name", "origin"},
      {"successor", "link name", "origin"},
      {"ratio", "value", ""},
      {"transmission", "name type", "type joint actuator"},
      {"transmission/joint", "name", "hardwareInterface mechanicalReduction"},
      {"transmission/actuator", "name", "hardwareInterface mechanicalReduction"},
  });
  return table;
}

// sdformat.org/spec
const KnownElements& sdf_names() {
  static const KnownElements table = known({
      {"sdf", "version", "world model light actor"},
      {"world", "name",
       "model frame joint gravity physics scene light gui atmosphere magnetic_field spherical_coordinates audio road actor population "
       "state plugin wind"},
      {"model", "name canonical_link placement_frame",
       "static pose link joint frame model plugin gripper self_collide allow_auto_disable"},
      {"pose", "relative_to frame rotation_format degrees", ""},
      {"inertial/pose", "rotation_format degrees", ""},
      {"frame", "name attached_to", "pose"},
      {"link", "name",
       "pose inertial visual collision gravity self_collide must_be_base_link sensor velocity_decay light projector audio_sink "
       "audio_source particle_emitter"},
      {"inertial", "auto", "mass density inertia pose auto_inertia_params"},
      {"inertia", "", "ixx ixy ixz iyy iyz izz"},
      {"joint", "name type", "parent child pose axis axis2 thread_pitch screw_thread_pitch gearbox_ratio gearbox_reference_body"},
      {"axis", "", "xyz use_parent_model_frame dynamics limit mimic"},
      {"axis2", "", "xyz use_parent_model_frame dynamics limit"},
      {"xyz", "expressed_in", ""},
      {"dynamics", "", "damping friction spring_stiffness spring_reference"},
      {"limit", "", "lower upper effort velocity stiffness dissipation"},
      {"mimic", "joint axis", "multiplier offset reference"},
  });
  return table;
}

// mujoco.readthedocs.io: XML Reference
const KnownElements& mjcf_names() {
  static const std::string pose = " pos quat axisangle xyaxes zaxis euler ", contact = " solref solimp margin ",
                           inside = "geom site body frame camera light joint freejoint composite flexcomp attach replicate plugin ";
  static const std::string stops = " solreflimit solimplimit solreffriction solimpfriction margin ";
  static const std::string actuator =
      "name class group user ctrllimited ctrlrange forcelimited forcerange lengthrange gear joint jointinparent tendon actlimited actrange ";
  static const KnownElements table = known({
      {"mujoco", "model",
       "compiler option size statistic visual asset default custom keyframe worldbody contact equality tendon actuator sensor deformable "
       "extension skin"},
      {"compiler",
       "angle eulerseq coordinate inertiafromgeom autolimits settotalmass assetdir meshdir texturedir inertiagrouprange boundmass "
       "boundinertia balanceinertia discardvisual convexhull usethread fusestatic saveinertial alignfree fitaabb",
       "lengthrange"},
      {"option",
       "gravity timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance o_margin o_solref "
       "o_solimp o_friction integrator cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations "
       "sdf_iterations sdf_initpoints magnetic",
       "flag"},
      {"flag",
       "gravity contact warmstart filterparent refsafe sensor midphase nativeccd eulerdamp autoreset override energy fwdinv invdiscrete "
       "multiccd island sleep",
       ""},
      {"default", "class", "default mesh material joint geom site camera light pair equality tendon general motor position velocity "
                           "intvelocity damper cylinder muscle adhesion dcmotor"},
      {"asset", "", "mesh texture material hfield skin model"},
      {"mesh", "name class file scale refpos refquat vertex normal texcoord face content_type smoothnormal maxhullvert", ""},
      {"worldbody", "name childclass" + pose, inside},
      {"body", "name childclass mocap user sleep" + pose, inside + "inertial"},
      {"frame", "name childclass" + pose, inside},
      {"inertial", "mass diaginertia fullinertia" + pose, ""},
      {"joint",
       "name class type group user pos axis ref range limited armature damping frictionloss stiffness springref springdamper "
       "actuatorfrcrange actuatorfrclimited actuatorgravcomp" + stops, ""},
      {"freejoint", "name group align", ""},
      {"geom",
       "name class type size fromto mass density mesh group user contype conaffinity condim priority friction solmix gap rgba material "
       "hfield fluidshape fluidcoef" + contact + pose, ""},
      {"site", "name class type size group user rgba material" + pose, ""},
      {"default/equality", "active" + contact, ""},
      {"equality", "", "connect weld joint tendon flex"},
      {"connect", "name class active body1 body2 anchor site1 site2" + contact, ""},
      {"weld", "name class active body1 body2 anchor site1 site2 relpose torquescale" + contact, ""},
      {"equality/joint", "name class active joint1 joint2 polycoef" + contact, ""},
      {"equality/tendon", "name class active tendon1 tendon2 polycoef" + contact, ""},
      {"tendon", "", "fixed spatial"},
      {"fixed",
       "name class group user limited range frictionloss springlength width material rgba stiffness damping armature actuatorfrclimited "
       "actuatorfrcrange" + stops, "joint"},
      {"fixed/joint", "joint coef", ""},
      {"actuator", "", "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor plugin"},
      {"motor", actuator, ""},
      {"position", actuator + "kp kv dampratio timeconst inheritrange", ""},
      {"velocity", actuator + "kv", ""},
      {"general", actuator + "dyntype gaintype biastype dynprm gainprm biasprm actdim actearly", ""},
      {"dcmotor",
       actuator + "motorconst resistance inductance nominal saturation cogging controller thermal lugre damping armature input", ""},
  });
  return table;
}

const KnownElements& names_of(const std::string& root) {
  return root == "robot" ? urdf_names() : root == "sdf" ? sdf_names() : mjcf_names();
}

// Whatever it is, it changes nothing.
bool is_off(const std::string& value) {
  return value == "false" || value == "enable" || value.find_first_not_of("0. \t\r\n+-") == std::string::npos;
}
bool is_off(pugi::xml_node node) {
  const std::string text = node.child_value();
  return text.find_first_not_of(" \t\r\n") != std::string::npos && is_off(text);
}

class Unknown {
 public:
  explicit Unknown(const XmlTree& xml) : xml_(xml), table_(names_of(xml.root().name())) {}

  void look_at(pugi::xml_node node, const std::string& parent) {
    const std::string name = node.name();
    auto entry = table_.find(parent + "/" + name);
    if (entry == table_.end()) entry = table_.find(name);
    if (entry == table_.end()) return;
    for (const pugi::xml_attribute attribute : node.attributes())
      if (!is_known(attribute.name(), entry->second.attributes) && !is_off(attribute.value()))
        leave_out(node, node, fmt::format("'{}'", attribute.name()), attribute.name(), entry->second.attributes);
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (entry->second.children.contains(child.name()))
        look_at(child, name);
      else if (!is_off(child))
        leave_out(node, child, fmt::format("<{}>", child.name()), child.name(), entry->second.children);
    }
  }

  void list(Robot& robot) const {
    for (const auto& [sentence, more] : found_)
      robot.leave_out(more == 0 ? sentence : fmt::format("{}; {} more", sentence, more));
  }

 private:
  // The place of an element and name spaces are no attributes of the format.
  static bool is_known(const std::string& name, const Names& names) {
    return names.contains(name) || name == "@" || name == "xmlns" || name.find(':') != std::string::npos;
  }
  void leave_out(pugi::xml_node in, pugi::xml_node at, const std::string& what, const std::string& name, const Names& names) {
    const auto [known, is_new] = place_in_list_.emplace(std::string(in.name()) + " " + what, found_.size());
    if (!is_new) return void(++found_[known->second].more);
    found_.push_back({fmt::format("{}: {}: {}{}", xml_.place_of(at), element_in_words(in), what,
                                  did_you_mean(name, {names.begin(), names.end()}))});
  }

  // The first of its kind, and how many follow it: what one element has, others have as well.
  struct Found {
    std::string sentence;
    int more = 0;
  };
  const XmlTree& xml_;
  const KnownElements& table_;
  std::vector<Found> found_;
  std::map<std::string, std::size_t> place_in_list_;
};

}  // namespace

void list_unknown_names(const XmlTree& xml, Robot& robot) {
  Unknown unknown(xml);
  unknown.look_at(xml.root(), "");
  unknown.list(robot);
}

}  // namespace armature::internal
