// A mechanism being turned into equations: its tree, where each body sits on it, the coordinates of each joint. One file an
// aspect: mechanism.cpp (tree and joints), bodies.cpp, loops.cpp, joint_elements.cpp, body_start.cpp, beam_links.cpp, reactions.cpp;
// build.cpp puts them in order.
#pragma once

#include "mechanics/beam.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/joint_motion.hpp"
#include "mechanics/spanning_tree.hpp"
#include "mechanics/tree.hpp"

namespace armature::internal {

// Where a body's frame sits: a link (-1: ground) and the constant pose of the body's frame on it.
struct BodyPlace {
  int link = -1;
  Pose pose;
};

class Mechanism : public EquationsBuilder {
 public:
  // `virtual_joints` get six virtual displacements each (see reactions.cpp); empty for the equations of motion.
  Mechanism(const Model& model, Equations& equations, const std::vector<std::string>& virtual_joints = {});

  void place_joints();  // links, coordinates and bodies (mechanism.cpp)
  void close_loops();   // loops.cpp
  void add_forces();    // forces.cpp
  void finish();        // M, f, energies (mechanism.cpp)

  std::optional<Value> look_up(const std::string& name) override;
  Turning turning_of(const std::string& body, Location where) override;
  Vec3 gap(const Attachment& a, const Attachment& b) override;
  bool can_move(const Attachment& place) override;
  std::vector<Expression> apply_wrench(const Attachment& place, const Vec3& force, const Vec3& torque,
                                       bool in_body) override;
  Pose pose_of(const Attachment& place, int ancestor) const;  // of the body's axes at the place
  Vec3 position_of(const Attachment& place) const { return pose_of(place, -1).p; }
  int link_of(const std::string& body) const { return bodies_.at(body).link; }
  Tree& tree() { return tree_; }

 private:
  friend void add_reactions(const Model& model, Equations& equations, const ElementAdder& add_elements);

  void add_coordinates(const Joint& joint, const JointGeometry& geometry);
  void measure_arms();
  void place_joint(const SpanningTree::Edge& edge);
  int add_motion(int parent, Pose start, const ElementaryMotion& motion, bool reversed, int q, int v);
  void add_cut_coordinates(int joint);
  Expression cut_angle(const std::string& name, const JointValue& value);
  MassProperties mass_of(const Body& body);
  void check_missing_inertia();
  Tree tree_without_missing() const;
  void require_room() const;  // throws ModelError where the mass matrix would be too large
  Expression kinetic_energy(const std::vector<Expression>& v) const;
  void close_joint(int joint);
  void add_joint_elements(const Joint& joint);
  void add_body_condition(const StartEntry& entry, bool velocity, std::vector<StartCondition>& conditions) override;
  void add_beams();
  void start_straight(const BeamShape& beam, Location where);
  BodyPlace moved_by(const BeamShape& beam, const BodyPlace& from, const FlexiblePose& moving);
  BodyPlace place_at(const std::string& body, const Vec3& at, Location where);
  void place_body(const std::string& body, const Vec3& at, int link, const Pose& on_link, Location where);
  void add_beam_masses(const std::string& body, const BeamShape& beam);
  Pose local_pose(const Attachment& place, const Vec3& at) const;
  Vec3 point_of(const Attachment& place) const;  // in the body's frame
  void add_beam_elasticity();
  Vec3 angular_velocity(const Mat3& R);
  int virtual_index(const std::string& joint) const;  // first of its six virtual displacements; -1: none

  SpanningTree spanning_tree_;
  Tree tree_;
  std::map<std::string, BodyPlace> bodies_;
  std::map<std::string, BeamShape> beams_;
  std::map<std::string, std::vector<BodyPlace>> element_frames_;  // of beams
  std::map<std::pair<std::string, double>, BodyPlace> sections_;  // of beams, by place
  std::vector<JointGeometry> geometry_;                           // of every joint
  std::map<std::string, std::pair<int, int>> first_index_;        // tree joint -> first index in q and v
  Vec3 gravity_{};
  struct MissingInertia {
    Expression leaf;
    Location where;
    std::string body, entry;
  };
  std::vector<MissingInertia> missing_;
  std::vector<std::string> virtual_joints_;
  PlacesByName body_places_, point_places_;  // of the model
};

// Adds Equations::reactions for the joints named in `record: {reactions: [...]}`.
void add_reactions(const Model& model, Equations& equations, const ElementAdder& add_elements = {});

}  // namespace armature::internal
