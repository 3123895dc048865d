// The equations of a model as expressions: what mechanics (and later lagrangian and drive) build together, and what
// system/ compiles. Symbols as everywhere (docs/notation.md):
//
//   M(q) vdot = f(t,q,v,z) - Phi' lambda      qdot = N(q) v      zdot = ...
//   phi(t,q) = 0     phidot = Phi v + phi_t = 0     Phi vdot = gamma
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expression/expression_matrix.hpp"
#include "expression/graph.hpp"
#include "expression/lower.hpp"
#include "expression/syntax.hpp"
#include "mechanics/friction_load.hpp"
#include "mechanics/rigid_contact.hpp"
#include "model/used_file.hpp"

namespace armature::internal {

struct Coordinate {
  enum class Kind {
    angle,
    length,
    quaternion,
    other,      // a current, a temperature, an integral of a controller
    work,       // the ledger of energy: what came in …
    heat,       // … and what was lost since the start
    reference,  // of an angle (AngleReference)
  };
  std::string name;
  Kind kind = Kind::angle;
  std::string unit;   // "rad", "m", "rad/s", …
  std::string joint;  // the joint (or element) it belongs to

  bool in_ledger() const { return kind == Kind::work || kind == Kind::heat; }  // nothing depends on it
};

struct ConstraintRow {
  std::string name;       // "wrist2.x"
  std::string owner;      // "wrist2": the joint or constraint it comes from
  std::string direction;  // "translation along x", "rotation about y": for messages
  std::string unit;       // of phi: "m", "rad" or ""
  bool effort = false;    // a `prescribed` row, whose -lambda is the effort recorded under `name`
  Expression phi;
  std::vector<Expression> vector = {};  // whose length it fixes, a distance: its components, m
  std::string force_unit = "";          // of lambda, where it is known and `unit` does not say it
  // A velocity row A(q) v = 0, which no position satisfies (rolling): this, and phi is zero at every pose.
  std::optional<Expression> rate = std::nullopt;
};

// phidot of a row; along_flow differentiates by time.
template <class Derivative>
Expression rate_of(const ConstraintRow& row, Derivative& along_flow) {
  return row.rate ? *row.rate : along_flow(row.phi);
}

// A row of a loop that folded away while the model was compiled: satisfied at every pose whatever the motion.
struct VanishedRow {
  std::string name, owner, direction;
};

// A value that changes only between steps: the leaf takes the value of `next` after every accepted step (the quaternion that
// decides the sign of the next one, whole turns of an angle), or at the times offset + k period (what a sampled controller
// holds); or it is chosen at the start and stays (whole turns of an angle that coordinates count by themselves); or the run sets
// it at events (whether a contact is closed).
struct Discrete {
  std::string name;
  Expression leaf, next;
  double initial = 0;
  double period = 0,
         offset = 0;  // s; period 0: after every step, or never
  std::optional<Expression> turns_of =
      std::nullopt;            // the angle whose whole turns, in rad, it adds: `next` is the leaf
  bool set_at_events = false;  // by the run: `next` is the leaf

  bool follows_steps() const { return period == 0 && !turns_of && !set_at_events; }
};

// A state that turns as an angle does which is no sum of coordinates, that of a cut joint in space. The angle is unwrapped from
// it, and from a Discrete that corrects it after every step: within a step it may err by half a turn without any effect, so that
// no step is shortened for it.
struct AngleReference {
  std::string name;  // of the angle, and of the Discrete
  Expression leaf, rate;
};

// A function whose zeros are located during a run, for the record only.
struct EventFunction {
  std::string name;
  Expression value;
};

// Efforts on coordinates that inverse dynamics determines, once M, f and the rows are known: those with which the
// coordinates accelerate as wanted; or, at rest, those that balance the potential.
struct Feedback {
  struct Output {
    std::string name;         // "ctc.theta1"
    Expression leaf;          // stands for the effort
    Expression acts;          // what forces see of it: the leaf, or what a sampled controller holds of it
    Expression rate;          // of its coordinate
    Expression acceleration;  // wanted
  };
  std::string name;
  Location where;
  bool at_rest = false;
  std::vector<Output> outputs;
};

struct Quantity {
  std::string name;  // "platform.P1.x", "theta1"
  std::string unit;
  Expression value;
  bool has_acceleration = false, has_force = false;  // its formula uses an acceleration; a multiplier or a reaction
};

// A condition on the start: residual = quantity - wanted.
struct StartCondition {
  std::string name;  // as in the file
  Location where;
  Expression residual;
  std::string unit;
};

// Force and moment that a joint passes from its a side to its b side, in a's axes at the joint: six expressions of
// t, q, v, z, the accelerations a and the multipliers lambda (leaves of Equations).
struct Reaction {
  std::string joint;
  std::array<Expression, 6> wrench;
};

// A reaction that formulas use: its leaves stand for the wrench, which is known only when all formulas are.
struct ReactionSignal {
  Reaction reaction;
  std::array<Expression, 6> leaf;
};

// A formula of the file, for the question which of them has no value.
struct WatchedFormula {
  std::string name;  // its key: "forces.push"
  Location where;
  Expression value;
  std::string without_value = "";  // why it has none, where that is known: "jams"
};

// What must hold of a constant of the file: it is positive, or not negative. One that follows from free parameters has to be looked at with
// their values. Where it does not hold, the file is wrong; or it describes another machine, which has to be compiled anew.
struct Requirement {
  Expression value;
  bool positive = false;
  Location where;
  std::string sentence;
  std::string key = "";        // of the element: "forces.worm"
  bool has_otherwise = false;  // other equations, where it does not hold

  bool holds(double x) const { return positive ? x > 0 : x >= 0; }
};

struct ArticulatedTree;

struct Equations {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();

  // leaves
  Expression t;
  std::vector<Expression> q, v, z;
  std::vector<Expression> a,
      lambda;                 // accelerations and multipliers: for reactions, formulas, the residual's derivatives
  std::vector<Expression> p;  // parameters that stay free: inputs of the programs
  std::vector<double> p_value;
  std::vector<std::string> p_name;

  std::vector<Coordinate> positions, velocities,
      others;  // names of q, v, z: the references of angles are the last of z

  std::vector<Expression> qdot, zdot;
  ExpressionMatrix M;         // nv x nv, symmetric
  std::vector<Expression> f;  // nv
  std::vector<ConstraintRow> rows;
  std::vector<VanishedRow> vanished;
  std::vector<Expression>
      arm_squares;                 // of distances between joints on one body, m^2: lengths that the machine itself has
  std::vector<Expression> senses;  // positive where loops are closed the right way round: axes that point the same way

  // Energy stored, J; and what enters and leaves, W:
  //   d/dt (kinetic + potential + magnetic) = applied + electrical + mismatch - dissipation - friction - joule  (+ driven)
  Expression kinetic = 0, potential = 0;  // potential: gravity and springs
  Expression elastic = 0;                 // the part of the potential that springs hold
  Expression magnetic = 0;                // in windings
  Expression dissipation = 0;             // lost in dampers
  Expression friction = 0;                // lost in dry friction and gears
  Expression joule = 0;                   // lost in windings
  Expression applied_power = 0;           // of forces, torques and efforts given by formulas
  Expression electrical = 0;              // at the terminals of motors
  int constraint_work = -1;               // the state that holds the work of constraints that move with t
  int stabilization_work = -1;            // the state that holds what stabilization adds, where there are rows
  Expression mismatch = 0;                // (K_m - K_e) i w: made from nothing by motors whose two constants differ

  std::vector<Discrete> discrete;
  std::vector<AngleReference> references;
  std::vector<EventFunction> events;
  std::vector<Expression> stops;    // times where steps must end (system/table_stops.hpp), s
  std::vector<Expression> lookups;  // of tables, by which a step is seen to hide something: step/hidden_hump.hpp
  std::vector<Feedback> feedback;
  std::vector<Quantity> quantities;   // recorded by default, besides q and v: cut joints' values, points, definitions
  std::vector<std::string> currents;  // channels of motors whose largest size in a run is located
  std::vector<Reaction> reactions;    // recorded
  std::vector<ReactionSignal> reaction_signals;
  std::vector<FrictionLoad> loads;
  std::vector<UndeterminedLoad> undetermined_loads;  // to be looked at where the start is known
  std::vector<RigidContact> contacts;
  int contact_softness = -1;          // of `discrete`: see rigid_contact.hpp
  bool solution_in_formulas = false;  // they use a, lambda, reaction_signals or loads (solution_leaves.hpp)
  UsedFiles used_files;               // of the model, in which formulas are
  std::vector<WatchedFormula> watched;
  std::vector<Requirement> requirements;  // of what is no number yet

  std::vector<StartCondition> keep, near, speed_keep, speed_near;
  std::vector<double> q_initial;  // the model's zero (identity quaternions)
  std::vector<std::pair<int, Expression>>
      z_initial;  // {index in z, value}: states that do not start at zero; of p alone

  // Of all links and rotors, kg and kg m^2: how much inertia the machine has, for massless links (system/constraint_inertia.hpp).
  Expression total_mass = 0, total_inertia = 0;
  std::vector<int> massless;  // velocities that move nothing with mass

  // Structure, for factorizations and messages.
  std::shared_ptr<ArticulatedTree> tree;  // the links, where M is that of a tree of rigid ones (articulated_tree.hpp)
  std::vector<int> elimination_order;     // velocities, leaves of the tree first: M factors without fill
  std::vector<std::array<int, 2>> quaternions;  // {first index in q, first index in v} of each ball
  std::vector<std::string> notes;               // sentences for `check`: which joints were cut, what folded away
  std::vector<std::string> warnings;            // sentences of what is odd about the model
  std::vector<std::string> cut_joints;

  bool has_velocity_rows() const {
    for (const ConstraintRow& row : rows)
      if (row.rate) return true;
    return false;
  }
};

}  // namespace armature::internal
