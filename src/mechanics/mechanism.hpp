// A mechanism being turned into equations: its tree, where each body sits on it, the coordinates of each joint, and the
// names that formulas may use. One file an aspect: mechanism.cpp (tree and joints), names.cpp, loops.cpp, forces.cpp,
// start.cpp, reactions.cpp; build.cpp puts them in order.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "expression/derivative.hpp"
#include "expression/lower.hpp"
#include "mechanics/equations.hpp"
#include "mechanics/joint_motion.hpp"
#include "mechanics/spanning_tree.hpp"
#include "mechanics/tree.hpp"
#include "model/model.hpp"

namespace armature {

// Where a body's frame sits: a link (-1: ground) and the constant pose of the body's frame on it.
struct BodyPlace {
  int link = -1;
  Pose pose;
};

// One scalar coordinate of a joint, in the tree or of a cut joint.
struct JointCoordinate {
  std::string name;  // "theta1", "leg.slide"
  std::string unit;
  Expression value, rate;
};

class Mechanism {
 public:
  // `virtual_joints` get six virtual displacements each (see reactions.cpp); empty for the equations of motion.
  Mechanism(const Model& model, Equations& equations, const std::vector<std::string>& virtual_joints = {});

  // --- the tree and what sits on it (mechanism.cpp)
  void place_joints();  // links, coordinates and bodies
  Pose pose_of(const Attachment& place, int ancestor) const;  // of the body's axes at the place
  int link_of(const std::string& body) const { return bodies_.at(body).link; }
  Vec3 position_of(const Attachment& place) { return pose_of(place, -1).p; }

  // --- names and formulas (names.cpp)
  Expression rate_of(Expression x);  // total time derivative, x must not depend on v
  Expression scalar(const Formula& formula, Expression otherwise = 0.0);
  Vec3 vector(const Formula& formula);
  Value value(const Formula& formula);
  const JointCoordinate* find_coordinate(const std::string& name) const;
  std::optional<Value> look_up(const std::string& name);

  // --- elements
  void close_loops();         // loops.cpp
  void add_forces();          // forces.cpp
  void add_start();           // start.cpp
  void finish();              // M, f, energies

  // Adds a force that does work on `rate`, an expression linear in v.
  void apply(Expression effort, Expression rate);
  void add_inertia(Expression inertia, Expression rate);  // 1/2 inertia rate^2

  void fail(Location where, const std::string& key, const std::string& message);
  // Runs f and keeps what a formula in it has to complain about.
  template <class F>
  void guarded(const std::string& key, F f) {
    try {
      f();
    } catch (const FormulaError& error) {
      fail(error.where, key, error.what());
    }
  }
  void throw_if_failed() const;

 private:
  friend void add_reactions(const Model& model, Equations& equations);

  void watch(const Formula& formula, Expression value);
  void add_coordinates(const Joint& joint, const JointGeometry& geometry);
  void place_joint(const SpanningTree::Edge& edge);
  int add_motion(int parent, Pose start, const ElementaryMotion& motion, bool reversed, int q, int v);
  void add_cut_coordinates(int joint);
  MassProperties mass_of(const Body& body);
  void add_row(const std::string& owner, const std::string& suffix, const std::string& direction, const std::string& unit,
               Location where, Expression phi);
  void close_joint(int joint);
  void add_joint_elements(const Joint& joint);
  void add_friction(const JointElement& element, const JointCoordinate& coordinate, const std::string& key);
  void add_stop(const JointElement& element, const JointCoordinate& coordinate, double side, const Formula& limit);
  void add_coordinate_spring(const JointCoordinate& coordinate, Expression stiffness, Expression damping, Expression rest);
  void add_spring(const SpringDamper& spring);
  void add_body_force(const BodyForce& force);
  void add_effort(const Effort& effort);
  void start_entry(const StartEntry& entry, bool velocity, std::vector<StartCondition>& conditions);
  void check_missing_inertia();
  const JointCoordinate& coordinate(const std::string& name, Location where, const std::string& key);

  const Model& model_;
  Equations& eq_;
  Graph& graph_;
  SpanningTree spanning_tree_;
  Tree tree_;
  std::map<std::string, BodyPlace> bodies_;
  std::vector<JointGeometry> geometry_;                     // of every joint
  std::map<std::string, std::pair<int, int>> first_index_;  // tree joint -> first index in q and v
  std::map<std::string, JointCoordinate> coordinates_;      // by name
  std::map<std::string, Value> defined_;                    // definitions already lowered
  std::set<std::string> defining_;                          // being lowered: finds cycles
  Scope scope_;
  LeafMap flow_;      // t -> 1, q -> qdot
  Derivative along_flow_{LeafMap{}};
  Vec3 gravity_{};
  std::vector<Expression> applied_;  // generalized forces of elements on coordinates
  std::vector<Expression> reflected_;  // their inertia, nv x nv
  struct MissingInertia {
    Expression leaf;
    Location where;
    std::string body, entry;
  };
  std::vector<MissingInertia> missing_;
  std::vector<Diagnostic> diagnostics_;

  std::vector<std::string> virtual_joints_;
  std::vector<Expression> virtual_leaves_;           // six displacements a joint, then their velocities
  std::map<std::string, int> virtual_velocity_;      // joint -> first of six velocities
};

// Adds Equations::reactions for the joints named in `record: {reactions: [...]}`.
void add_reactions(const Model& model, Equations& equations);

}  // namespace armature
