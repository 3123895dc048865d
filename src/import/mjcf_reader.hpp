// Reads MJCF, the format of MuJoCo: bodies nested in bodies, each placed in its parent where the joints between them have their
// reference values `ref`; loops are equality constraints, whose anchors are given in that pose. Angles are in degrees unless the
// compiler says radian. A body with several joints gets bodies without mass between them.
//   mujoco.readthedocs.io: XML Reference, Modeling.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numbers>

#include "import/mjcf_defaults.hpp"
#include "import/robot.hpp"
#include "import/robot_readers.hpp"

namespace armature::internal {

class MjcfReader {
 public:
  MjcfReader(const XmlTree& xml, const RobotFiles& files) : xml_(xml), files_(files), defaults_(xml.root()) {}
  Robot read();

 private:
  static constexpr double degree = std::numbers::pi / 180;
  struct Site {
    int body = ground_body;
    Frame frame;
  };
  struct PlacedJoint {  // a <joint> in a body or in a <frame> of it
    pugi::xml_node node;
    Frame at;  // of the <frame>, in the body's
    std::string childclass;
  };

  // --- mjcf_poses.cpp: how the file is to be read, and poses
  void complete(pugi::xml_node node, const std::string& childclass) const;  // from its default class
  void read_compiler(pugi::xml_node node);
  void read_option(pugi::xml_node node);
  void read_meshes(pugi::xml_node asset);
  Eigen::Matrix3d quaternion(const std::vector<double>& q, pugi::xml_node node) const;
  Eigen::Matrix3d turn_of(pugi::xml_node node) const;
  Frame pose_of(pugi::xml_node node) const;

  // --- mjcf_bodies.cpp: bodies and joints
  void read_contents(pugi::xml_node node, int body, const Frame& at, const std::string& childclass);
  void read_body(pugi::xml_node node, int parent, const Frame& at, const std::string& outer);
  void find_joints(pugi::xml_node node, const Frame& at, const std::string& childclass,
                   std::vector<PlacedJoint>& joints) const;
  void add_joint(const PlacedJoint& placed, int a, int b, const Frame& pose, const std::string& body,
                 std::size_t number);
  void leave_out_elements(pugi::xml_node node, const std::string& name);
  double first_of(pugi::xml_node node, const char* key);
  void read_elements(pugi::xml_node node, RobotJoint& joint, bool turns);
  std::optional<ForceRange> range_of(pugi::xml_node node, const char* key, const char* limited) const;

  // --- mjcf_masses.cpp: masses
  void read_mass(pugi::xml_node node, int body, const std::string& childclass);
  RobotMass inertial_of(pugi::xml_node node);
  void read_geoms(pugi::xml_node node, int body, const Frame& at, const std::string& childclass, RobotMass& sum);
  void read_geom(pugi::xml_node node, int body, const Frame& at, const std::string& childclass, RobotMass& sum);
  bool counts_mass(pugi::xml_node geom) const;
  void add_mass(pugi::xml_node node, const RobotShape& shape, RobotMass& sum);
  bool read_mesh(pugi::xml_node node, RobotShape& shape);
  void scale_mass(pugi::xml_node root);

  // --- mjcf_loops.cpp: loops
  int body_in(pugi::xml_node node, const char* key) const;
  int joint_in(pugi::xml_node node, const char* key) const;
  int scalar_joint_in(pugi::xml_node node, const char* key) const;
  Frame pose(int body) const;
  const Site& site_in(pugi::xml_node node, const char* key) const;
  void read_equality(pugi::xml_node section);
  void add_loop(pugi::xml_node node, const std::string& name, bool weld);
  void add_relation(pugi::xml_node node, const std::string& name);
  static void add_polynomial(const std::vector<double>& a, double x0, int joint, RobotRelation& relation);
  void add_tendon_relation(pugi::xml_node node, const std::string& name);

  // --- mjcf_actuators.cpp: tendons and actuators
  void read_tendons(pugi::xml_node section);
  void complete_as(pugi::xml_node node, const char* kind) const;
  void list_shared_limits();
  void read_actuators(pugi::xml_node section);
  void read_actuator(pugi::xml_node node, const std::string& kind);
  ForceRange joint_force(const RobotActuator& actuator) const;
  bool read_general(pugi::xml_node node, RobotActuator& actuator,
                    const std::function<void(const std::string&)>& leave_out);
  bool read_motor(pugi::xml_node node, RobotActuator& actuator,
                  const std::function<void(const std::string&)>& leave_out);

  const XmlTree& xml_;
  const RobotFiles& files_;
  MjcfDefaults defaults_;
  Robot robot_;
  double unit_ = degree;
  std::string order_ = "xyz", from_geoms_ = "auto", mesh_folder_;
  bool autolimits_ = true, said_ground_ = false, mass_is_missing_ = false;
  double total_mass_ = -1, least_mass_ = 0, least_inertia_ = 0;
  std::pair<double, double> group_{0, 5};
  int loops_ = 0;
  std::map<std::string, pugi::xml_node> meshes_;
  std::map<std::string, Site> sites_;
  std::map<std::string, ForceRange> actuator_range_;
  std::vector<Frame> poses_;  // of bodies, in the pose of the file
};

}  // namespace armature::internal
