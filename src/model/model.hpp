// What a model file says, as plain data: names resolved, `for` expanded, units converted, every value with its place.
// Quantities stay formulas: they may use parameters, and a force may use anything that moves.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expression/graph.hpp"
#include "expression/syntax.hpp"

namespace armature {

struct Parameter {
  std::string name;
  Formula formula;
  double value = 0;                    // SI
  std::optional<Dimension> dimension;  // where units say so
};

// A place on a body ("ground" is a body too), in the body's frame.
struct Attachment {
  std::string body;
  Formula at;  // vector, m; not given: the body's origin
  Location where;
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

struct Body {
  std::string name;
  Location where;
  Formula mass;    // kg
  Formula center;  // vector, m
  Inertia inertia;
  std::vector<NamedPoint> points;
};

enum class JointType { revolute, prismatic, cylindrical, universal, spherical, planar, free, fixed };

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
};

// Joint value = pose of b seen from a; zero when the two joint frames coincide. Independent of which joint is cut.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  Location where;
  Attachment a, b;
  // Vectors in the frames of a's and b's bodies: the axis (planar: the normal), b's only where it differs; universal: the
  // first and the second axis.
  Formula axis_a, axis_b;
  std::optional<bool> cut;
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

// Between two points, along their line: stiffness (|b-a| - length) + damping d|b-a|/dt, pulling.
struct SpringDamper {
  std::string name;
  Location where;
  Attachment a, b;
  Formula stiffness, damping, length;
};

// On a coordinate: -stiffness (x - rest) - damping x'.
struct CoordinateSpring {
  std::string name;
  Location where;
  std::string on;
  Formula stiffness, damping, rest;
};

// A force on a point or a torque on a body.
struct BodyForce {
  std::string name;
  Location where;
  Attachment on;
  Formula force;         // vector, N; may be absent
  Formula torque;        // vector, N m; may be absent
  bool in_body = false;  // components along the body's axes instead of the ground's
};

// A force or torque on a coordinate, acting from a to b.
struct Effort {
  std::string name;
  Location where;
  std::string on;
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
};

// Options of a run; what is not given is chosen by simulate/.
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
  Location where;
};

struct RecordOptions {
  std::vector<std::string> reactions;                       // joints
  std::vector<std::pair<std::string, Formula>> quantities;  // named formulas
  Location where;
};

struct Model {
  std::string file;  // for messages
  std::string text;  // the file itself, for run.json
  std::string name;
  std::string
      plane;  // "xy", "xz", "yz": a planar mechanism, whose loops are written by their in-plane rows only; or empty
  Formula gravity;  // vector, m/s^2
  std::vector<Parameter> parameters;
  std::map<std::string, std::shared_ptr<const Table>> tables;
  std::vector<std::pair<std::string, Formula>> definitions;
  std::vector<Body> bodies;
  std::vector<NamedPoint> points;  // on the ground
  std::vector<Joint> joints;
  std::vector<DistanceConstraint> distances;
  std::vector<PrescribedConstraint> prescribed;
  std::vector<SpringDamper> springs;
  std::vector<CoordinateSpring> coordinate_springs;
  std::vector<BodyForce> body_forces;
  std::vector<Effort> efforts;
  Start start;
  SimulateOptions simulate;
  RecordOptions record;
};

// One thing wrong with a file.
struct Diagnostic {
  Location where;
  std::string key;  // "joints.elbow1.axis"
  std::string message;
};

// Everything wrong with a file: what() has one line each, "file:line: key: message".
class ModelError : public std::runtime_error {
 public:
  ModelError(const std::string& file, std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace armature
