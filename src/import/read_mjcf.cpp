#include "import/known_names.hpp"
#include "import/mjcf_reader.hpp"

namespace armature::internal {

namespace {

// mujoco.readthedocs.io: XML Reference
const KnownNames& mjcf_names() {
  static const std::string
      pose = " pos quat axisangle xyaxes zaxis euler ",
      contact = " solref solimp margin ",
      inside = "geom site body frame camera light joint freejoint composite flexcomp attach replicate plugin ";
  static const std::string stops = " solreflimit solimplimit solreffriction solimpfriction margin ";
  static const std::string actuator =
      "name class group user ctrllimited ctrlrange forcelimited forcerange lengthrange gear joint jointinparent tendon "
      "actlimited actrange ";
  static const KnownNames names = {
      {"mujoco", "model",
       "compiler option size statistic visual asset default custom keyframe worldbody contact equality tendon actuator "
       "sensor deformable "
       "extension skin"},
      {"compiler",
       "angle eulerseq coordinate inertiafromgeom autolimits settotalmass assetdir meshdir texturedir "
       "inertiagrouprange boundmass "
       "boundinertia balanceinertia discardvisual convexhull usethread fusestatic saveinertial alignfree fitaabb",
       "lengthrange"},
      {"option",
       "gravity timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance "
       "o_margin o_solref "
       "o_solimp o_friction integrator cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations "
       "mpr_iterations "
       "sdf_iterations sdf_initpoints magnetic",
       "flag"},
      {"flag",
       "gravity contact warmstart filterparent refsafe sensor midphase nativeccd eulerdamp autoreset override energy "
       "fwdinv invdiscrete "
       "multiccd island sleep",
       ""},
      {"default", "class",
       "default mesh material joint geom site camera light pair equality tendon general motor position velocity "
       "intvelocity damper cylinder muscle adhesion dcmotor"},
      {"asset", "", "mesh texture material hfield skin model"},
      {"mesh", "name class file scale refpos refquat vertex normal texcoord face content_type smoothnormal maxhullvert",
       ""},
      {"worldbody", "name childclass" + pose, inside},
      {"body", "name childclass mocap user sleep" + pose, inside + "inertial"},
      {"frame", "name childclass" + pose, inside},
      {"inertial", "mass diaginertia fullinertia" + pose, ""},
      {"joint",
       "name class type group user pos axis ref range limited armature damping frictionloss stiffness springref "
       "springdamper "
       "actuatorfrcrange actuatorfrclimited actuatorgravcomp" +
           stops,
       ""},
      {"freejoint", "name group align", ""},
      {"geom",
       "name class type size fromto mass density mesh group user contype conaffinity condim priority friction solmix "
       "gap rgba material "
       "hfield fluidshape fluidcoef" +
           contact + pose,
       ""},
      {"site", "name class type size group user rgba material" + pose, ""},
      {"default/equality", "active" + contact, ""},
      {"equality", "", "connect weld joint tendon flex"},
      {"connect", "name class active body1 body2 anchor site1 site2" + contact, ""},
      {"weld", "name class active body1 body2 anchor site1 site2 relpose torquescale" + contact, ""},
      {"equality/joint", "name class active joint1 joint2 polycoef" + contact, ""},
      {"equality/tendon", "name class active tendon1 tendon2 polycoef" + contact, ""},
      {"tendon", "", "fixed spatial"},
      {"fixed",
       "name class group user limited range frictionloss springlength width material rgba stiffness damping armature "
       "actuatorfrclimited "
       "actuatorfrcrange" +
           stops,
       "joint"},
      {"fixed/joint", "joint coef", ""},
      {"actuator", "",
       "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor plugin"},
      {"motor", actuator, ""},
      {"position", actuator + "kp kv dampratio timeconst inheritrange", ""},
      {"velocity", actuator + "kv", ""},
      {"general", actuator + "dyntype gaintype biastype dynprm gainprm biasprm actdim actearly", ""},
      {"dcmotor",
       actuator + "motorconst resistance inductance nominal saturation cogging controller thermal lugre damping "
                  "armature input",
       ""},
  };
  return names;
}

}  // namespace

Robot MjcfReader::read() {
  const pugi::xml_node root = xml_.root();
  robot_.format = "MJCF";
  robot_.name = xml_.word(root, "model").value_or("");
  list_unknown_names(xml_, mjcf_names(), robot_);
  for (const pugi::xml_node node : root.children("compiler")) read_compiler(node);
  for (const pugi::xml_node node : root.children("option")) read_option(node);
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

Robot read_mjcf(XmlTree& xml, const std::string&, const RobotFiles& files, const RobotOptions&) {
  xml.include_files("include", files);
  return MjcfReader(xml, files).read();
}

}  // namespace armature::internal
