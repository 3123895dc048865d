// What a model file says, as plain data: names resolved, `for` expanded, units converted, every value with its place.
// Quantities stay formulas: they may use parameters, and a force may use anything that moves.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expression/graph.hpp"
#include "expression/syntax.hpp"
#include "model/controller.hpp"
#include "model/drive.hpp"
#include "model/force_element.hpp"
#include "model/used_file.hpp"

namespace armature::internal {

enum class JointType : int;  // joint_type.hpp

struct Parameter {
  std::string name;
  Formula formula;
  double value = 0;                    // SI
  std::optional<Dimension> dimension;  // where units say so
};

// A number that a host program sets between steps and that holds until it is set again.
struct HostInput {
  std::string name;
  Location where;
  std::string unit;  // of SI; empty: a pure number, or nothing is stated
  std::optional<Dimension> dimension;
  double value = 0;  // SI, until it is set
};

// A quantity with a rate of its own, which the integrator follows beside the motion: a temperature, a pressure, a filter.
struct AuxiliaryState {
  std::string name;
  Location where;
  std::string unit;  // of SI; empty: a pure number, or nothing is stated
  std::optional<Dimension> dimension;
  Formula rate;   // its unit per second
  Formula start;  // not given: 0
};

struct Inertia {
  enum class About { center, origin } about = About::center;
  // kg m^2 in body axes; a diagonal entry that is not given is missing: an error if the motion can see it.
  Formula xx, yy, zz, xy, xz, yz;
  bool given = false;  // false: nothing was said
};

struct NamedPoint {
  std::string name;
  Formula at;  // vector, m, in the body's frame
  Location where;
};

// What moves along a beam: deflections along its y and its z, the turn about its axis, the stretch along it.
enum class BeamField { bend_y, bend_z, twist, stretch };

// A slender flexible body: straight along its own x when it is relaxed, from its origin to [length, 0, 0].
struct Beam {
  Formula length;             // m
  Formula area, I_y, I_z, J;  // of the section, m^2 and m^4 (I_z: integral of y^2; J: torsion)
  Formula edge_y, edge_z;     // of the section: its half sides or outer radius, m; not given: not known
  bool round = false;         // the section is a circle
  Formula youngs_modulus, shear_modulus, density;  // Pa, Pa, kg/m^3
  bool planar = true;
  int elements = 1;
  struct Motion {
    BeamField field;
    int modes = 0;  // so many lowest modes in place of the nodes' coordinates; 0: all of these
  };
  std::vector<Motion> motions;
  bool chord = false;  // the frame follows the chord instead of the clamped first end
  bool foreshortening = true;
  bool large = false;                       // bends far: large_beam.hpp; else small deflections
  Formula arc;                              // of one that bends far: the angle of the arc that it is when it is relaxed
  Formula mass_damping, stiffness_damping;  // Rayleigh's: a, 1/s, and b, s, of a M + b K
  Formula damping_ratio;                    // of every mode
};

// What a body looks like, for pictures only; in the body's frame.
struct Shape {
  std::string kind;  // "box", "cylinder", "rod", "sphere" or "mesh": the word of the file
  Location where;
  Formula at;        // center of a box or sphere, origin of a mesh: vector, m
  Formula sides;     // of a box along x, y, z: vector, m
  Formula angle;     // by which a box or a mesh is turned about `axis`
  Formula axis;      // vector; not given: z
  Formula radius;    // of a cylinder, rod or sphere, m
  Formula from, to;  // ends of the axis of a cylinder or rod: vectors, m
  std::string file;  // of a mesh: path of an STL file
  Formula scale;     // of a mesh: m per unit of its file
};

struct Body {
  std::string name;
  Location where;
  std::optional<Beam> beam;  // in place of mass, center and inertia
  Formula mass;              // kg
  Formula center;            // vector, m
  Inertia inertia;
  std::vector<NamedPoint> points;
  std::vector<Shape> shapes;  // empty: drawn from its joints and points
};

// What sits on one coordinate of a joint; a formula that is not given is zero or absent.
struct JointElement {
  std::string component;    // "" for a joint of one coordinate, else "angle", "slide", "first", "second", "x", "y", …
  Formula inertia;          // reflected, kg m^2 or kg
  Formula damping;          // N m s or N s/m
  Formula friction;         // Coulomb, N m or N
  Formula breakaway;        // stiction over Coulomb friction, 1 or more; not given: 1
  Formula stiffness, rest;  // spring: N m/rad or N/m; value at which it is relaxed
  Formula lower, upper;     // end stops
  Formula stop_stiffness, stop_damping;
  Formula stop_restitution;  // of rigid stops
};

// Joint value = pose of b seen from a; zero when the two joint frames coincide. Independent of which joint is cut.
struct Joint {
  std::string name;
  JointType type{};  // the first of the list: revolute
  Location where;
  Attachment a, b;
  // Vectors in the frames of a's and b's bodies: the axis (planar: the normal), b's only where it differs; universal: the
  // first and the second axis.
  Formula axis_a, axis_b;
  // b's axes at zero, seen from a's: R_z(yaw) R_y(pitch) R_x(roll), or a turn about an axis, or that which brings the joint's
  // axis in b onto that in a, and a direction across it too; not given: they are a's.
  struct Turn {
    Formula rpy;  // vector: roll, pitch, yaw
    Formula angle, axis;
    Formula zero_a, zero_b;  // vectors across the joint's axis
    bool given() const { return rpy.given() || angle.given() || zero_a.given(); }
  } turned;
  std::vector<Formula> own;  // values of the keys that only its type has, in their order (joint_kinds.hpp)
  std::optional<bool> cut;
  std::optional<JointType> clearance = std::nullopt;  // the type that the file gives; with its play it leaves more free
  std::vector<JointElement> elements;
};

// |b - a| = length
struct DistanceConstraint {
  std::string name;
  Location where;
  Attachment a, b;
  Formula length;
};

// Any expression of coordinates, points and t that must be zero: driven coordinates, gears, racks, servo constraints.
struct PrescribedConstraint {
  std::string name;
  Location where;
  std::string kind;  // "prescribed", "gear" or "rack": the word of the file
  Formula zero;      // scalar or vector
};

// Velocities between two bodies that vanish: of surfaces that roll on each other and stay in touch, or of a blade across its edge.
struct RollingConstraint {
  std::string name;
  Location where;
  std::vector<ContactSurface> surfaces;  // two; none: it is a knife edge
  Attachment a, b;                       // of a knife edge: the blade, and a place of the body that it cuts
  Formula across;                        // vector in a's axes
};

// Wanted motion of coordinates or points, for inverse dynamics.
struct DesiredMotion {
  std::string name;  // coordinate or point
  Location where;
  Formula is;
};

struct StartEntry {
  std::string name;  // coordinate, point, or body
  Location where;
  Formula value;            // of a coordinate (or of a point: vector)
  Formula at, angle, axis;  // of a body: position of its origin, turned by angle about axis (z if absent)
  Formula velocity, spin;   // of a body, for `speed`: m/s and rad/s, vectors in ground axes
};

struct Start {
  std::vector<StartEntry> keep, near;              // positions
  std::vector<StartEntry> speed_keep, speed_near;  // velocities
  bool equilibrium = false;                        // at rest where all forces balance, near what is given
  Location where;
};

// Options of a run; what is not given is chosen by prepare/.
struct SimulateOptions {
  double end = 10;               // s
  std::optional<double> record;  // s between rows
  std::string integrator = "dopri5";
  std::optional<double> step;  // s, fixed-step integrators
  std::optional<double> rtol, atol;
  std::optional<double> max_step;
  std::string formulation = "auto";
  std::vector<std::string> independent;  // coordinates of `partition`, by name; empty: chosen by pivoting at the start
  bool repartition = false;              // `partition`: choose anew when the block gets ill-conditioned
  bool projection = true;
  std::optional<double> alpha, beta;  // Baumgarte, 1/s and 1/s^2
  struct PostAdjust {
    double weight = 0.1, penalty = 100, tolerance = 1e-12;
    int iterations = 10;
  };
  std::optional<PostAdjust> post_adjust;
  bool accept_drift = false;        // without projection, constraints that open are a warning and no failure
  bool sequential_impacts = false;  // of rigid contacts that collide at one instant
  bool finds_short_forces = true;   // steps that pass over a force are taken again (run/hidden_forces.hpp)
  Location where;
};

// Where the moment of a joint's reaction is taken, and along which axes force and moment are given.
struct ReactionFrame {
  enum class Side { first, second, elsewhere };
  std::string joint;
  std::optional<Side>
      at;            // the joint's point on its first or second body; none: second where the joint slides, else first
  Attachment place;  // elsewhere
  Side axes = Side::first;  // elsewhere: those of the ground
};

struct RecordOptions {
  std::vector<std::string> reactions;                       // joints
  std::vector<std::pair<std::string, Formula>> quantities;  // named formulas
  std::vector<std::pair<std::string, Formula>> events;      // formulas whose zeros are located
  struct Determinant {
    std::string name;
    Location where;
    std::vector<std::string> coordinates;
  };
  std::vector<Determinant> determinants;  // of the columns of Phi that belong to some coordinates; zeros are located
  Location where;
};

// A model given by its energies instead of bodies: coordinates, T(t,q,v), V(t,q), Rayleigh's D(t,q,v) and constraints.
// Its helper definitions stand among the model's definitions.
struct LagrangianSection {
  struct Coordinate {
    std::string name;
    Location where;
    std::string unit;      // "rad", "m", or another unit
    bool is_angle = true;  // of no dimension
    bool is_length = false;
    std::string is;  // what it is, for the reader
  };
  struct Force {
    std::string on;  // a coordinate, or a definition (number or vector) along whose motion the force does its work
    Location where;
    Formula is;
  };
  struct Constraint {
    std::string name;
    Location where;
    Formula zero;  // number or vector
  };
  struct Drawing {
    std::string name;
    Location where;
    std::vector<Formula> points;  // vectors of 2 or 3; one: a dot, more: a line through them
  };
  bool given = false;
  Location where;
  std::vector<Coordinate> coordinates;
  Formula kinetic, potential, dissipation;
  std::vector<Force> forces;
  std::vector<Constraint> constraints;
  std::vector<Drawing> draw;
};

struct Model {
  // Defined in model.cpp: copying and destroying a model is much code, and many sources do it.
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string file;      // for messages
  std::string text;      // the file itself, for run.json
  std::string root;      // folder that holds all files that it names; empty: that of its own file
  UsedFiles used_files;  // by `use`
  std::string name;
  std::string
      plane;  // "xy", "xz", "yz": a planar mechanism, whose loops are written by their in-plane rows only; or empty
  Formula gravity;                                     // vector, m/s^2
  std::vector<Parameter> parameters;                   // those of a list as lengths[1], lengths[2], …
  std::vector<std::pair<std::string, Formula>> lists;  // {lengths, [lengths[1], lengths[2], …]}
  std::set<std::string>
      read_names;  // of which the reader made numbers (an end time, points of tables): their values are fixed
  std::vector<HostInput> inputs;
  std::vector<AuxiliaryState> states;
  std::map<std::string, std::shared_ptr<const Table>> tables;
  std::vector<std::pair<std::string, Formula>> definitions;
  LagrangianSection lagrangian;  // in place of bodies and joints
  std::vector<Body> bodies;
  std::vector<NamedPoint> points;  // on the ground
  std::vector<Joint> joints;
  std::vector<DistanceConstraint> distances;
  std::vector<PrescribedConstraint> prescribed;
  std::vector<RollingConstraint> rolling;
  std::vector<ForceElement> forces;
  std::vector<Drive> drives;
  std::vector<Controller> controllers;
  std::vector<DesiredMotion> motion;   // of `inverse`
  std::vector<std::string> actuators;  // of `inverse`: coordinates with an ideal effort besides the drives
  Start start;
  SimulateOptions simulate;
  RecordOptions record;
  std::vector<ReactionFrame> reaction_frames;  // of joints for which the file chooses it
};

// One thing wrong with a file.
struct Diagnostic {
  Location where;
  std::string key;  // "joints.elbow1.axis"
  std::string message;
};

// Everything wrong with a file and the files that it uses: what() has one line each, "file:line: key: message".
class ModelError : public std::runtime_error {
 public:
  ModelError(const std::string& file, std::vector<Diagnostic> diagnostics, UsedFiles used = {});
  ModelError(const Model& model, std::vector<Diagnostic> diagnostics);
  const std::string& file() const { return file_; }
  // With keys and messages in the words of the file in which they are; `where` still says which file that is.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  std::string file_of(const Diagnostic& diagnostic) const;
  std::string message_of(const Diagnostic& diagnostic) const;  // with the use that leads to its file
  int own_line_of(const Diagnostic& diagnostic) const;         // of the model's own file: where it uses the other
  ModelError about(const std::string& file) const;             // the same, with another name for the model's own file

 private:
  std::string file_;
  std::vector<Diagnostic> diagnostics_;
  UsedFiles used_;
};

}  // namespace armature::internal
