#include "model/format_keys.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <deque>

#include <fmt/format.h>

#include "expression/units.hpp"
#include "model/diagnostics.hpp"
#include "model/formulations.hpp"
#include "model/joint_kinds.hpp"
#include "step/methods.hpp"

namespace armature::internal {
namespace {

using namespace keys;

constexpr std::string_view truth[] = {"true", "false"};
constexpr std::string_view impact_laws[] = {"simultaneous", "sequential"};
constexpr std::string_view drifts[] = {"fail", "accept"};
constexpr std::string_view planes[] = {"xy", "xz", "yz"};
constexpr std::string_view axis_letters[] = {"x", "y", "z"};
constexpr std::string_view interpolations[] = {"linear", "spline"};
constexpr std::string_view outsides[] = {"hold", "extend", "repeat"};
constexpr std::string_view beam_frames[] = {"clamped", "chord"};
constexpr std::string_view beam_bendings[] = {"small", "large"};
constexpr std::string_view joint_types[] = {
#define JOINT(name, ...) #name,
#include "model/joints.def"
#undef JOINT
};
constexpr auto integrators = [] {
  std::array<std::string_view, std::size(step::methods)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = step::methods[i].name;
  return names;
}();
constexpr auto formulations = [] {
  std::array<std::string_view, std::size(formulation_table)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = formulation_table[i].name;
  return names;
}();

constexpr KeySpec file_keys[] = {
    {"armature", "version of the file format: 1", text, "", "required"},
    {"name", "name of the model", text, "", "the file's name"},
    {"gravity", "acceleration due to gravity, in ground axes", vector, "m/s^2", "required with bodies", ValueRange::any,
     moves},
    word("plane", "all motion is parallel to this plane; joints turn about its normal", planes, "none"),
    {"parameters",
     "named numbers, or lists of them; each may be a formula of the others, in any order; --set changes them", map},
    {"inputs", "numbers that a host program sets between steps, such as voltages; --set changes their defaults", map},
    {"fmus", "FMUs of other tools, coupled to the machine during a run", map},
    {"states", "quantities with a rate of their own: temperatures, pressures, filters", map},
    {"tables", "functions of one variable, given by points", map},
    {"define", "named formulas of parameters, coordinates and t, in any order", map},
    {"bodies", "rigid bodies, each with its own frame", map},
    {"points", "named points on the ground", map},
    {"joints", "connections between two bodies, or between a body and the ground", map},
    {"lagrangian", "energies and constraints, in place of bodies, points and joints", map},
    {"constraints", "further constraints on the motion", map},
    {"forces", "springs, dampers, forces and torques", map},
    {"drives", "motors and their gears", map},
    {"controllers", "named signals, continuous or sampled", map},
    {"inverse", "prescribed motion for which torques, currents and voltages are computed", map},
    {"start", "initial conditions", map},
    {"simulate", "options of the simulation", map},
    {"record", "additional recorded quantities", map},
    {"assemblies", "parts of the machine that are written once and used several times", map},
    {"use", "name: {assembly, on, with}: uses of these, or of other files", map},
};
constexpr KeySpec use_keys[] = {
    {"assembly", "an assembly of this file", text, "", "required without file"},
    {"file", "a file with sections such as bodies and joints, or a model, in place of assembly", text},
    {"on", "the body that is the ground of the assembly", text, "", "the ground"},
    {"with", "values of its parameters, formulas of this file", map},
};

constexpr KeySpec input_keys[] = {
    {"unit", "an SI unit, in which the host sets values: V, N, N*m, rad; 1: a plain number", text, "",
     "unit of default"},
    {"default", "value until the host sets another", number, "", "0"},
};

constexpr KeySpec fmu_keys[] = {
    {"file", "the FMU: FMI 2.0 or 3.0, with co-simulation", text, "", "required"},
    {"step", "time between two exchanges; outputs hold over it", number, "s", "required", positive},
    {"connect", "formulas for inputs of the FMU", map},
    {"set", "values for parameters of the FMU", map},
    {"time_limit", "longest time that one call of the FMU, such as a step, may take", number, "s", "60 s", positive},
};

constexpr KeySpec state_keys[] = {
    {"rate", "the time derivative, in the unit per second", number, "", "required", ValueRange::any, moves},
    {"start", "the value at the start", number, "", "0"},
    {"unit", "an SI unit: K, Pa, N*m; 1: a plain number", text, "", "unit of start"},
};

constexpr KeySpec table_keys[] = {
    {"x", "arguments, increasing", list},
    {"y", "values", list},
    {"file", "CSV file with a header line, relative to the model file; in place of x and y", text},
    {"columns", "[x, y]: names of two columns of the file", list, "", "the first two"},
    word("interpolation",
         "how to interpolate between the points; spline is a natural cubic spline, or a periodic one where the table "
         "repeats",
         interpolations, "linear"),
    word("outside",
         "beyond the points, hold the end values, extend the end pieces, or repeat the table: a period that ends with "
         "its "
         "first value",
         outsides, "hold"),
};

constexpr KeySpec body_keys[] = {
    {"mass", "mass of the body; 0: massless", number, "kg", "required", not_negative},
    {"center", "center of mass", vector, "m", "[0, 0, 0]"},
    {"inertia", "inertia about the center of mass, in body axes", map, "", "required if the motion depends on it"},
    {"points", "named points of the body", map},
    {"shape", "what the report draws: a shape or a list of shapes", map, "", "from joints and points"},
};

constexpr KeySpec solid_body_keys[] = {
    {"solid", "a closed mesh of uniform density, in place of mass, center and inertia", map, "", "required"},
    {"points", "named points of the body", map},
    {"shape", "what the report draws: a shape or a list of shapes", map, "", "the mesh"},
};
constexpr KeySpec solid_keys[] = {
    {"mesh", "STL (text or binary) or OBJ file, relative to the model file; in the body's frame", text, "", "required"},
    {"density", "density of the material", number, "kg/m^3", "required", positive},
    {"scale", "length of the file's unit", number, "m", "1 m", positive},
};

constexpr KeySpec beam_body_keys[] = {
    {"beam", "a slender flexible body along its x, in place of mass, center and inertia", map, "", "required"},
    {"points", "named points of the body", map},
};
constexpr KeySpec beam_keys[] = {
    {"length", "length from the first end (the body's origin) to the second", number, "m", "required", positive},
    {"section", "cross section", map, "", "required"},
    {"E", "Young's modulus", number, "Pa", "required", positive},
    {"G", "shear modulus; needed if the beam twists", number, "Pa", "from nu", positive},
    {"nu", "Poisson's ratio, in place of G = E/2(1 + nu)", number, "1", "", not_negative},
    {"rho", "density", number, "kg/m^3", "required", positive},
    word("bending", "small deflections, or any: a geometrically exact rod", beam_bendings, "small"),
    {"elements", "number of elements: deflections are cubic in each; with bending: large its curvature is", number, "1",
     "1; 2 with bending: large; 8 with modes", positive},
    {"modes", "keep only this many of the lowest modes of each kind; or {y, z, twist, stretch}", number, "",
     "all modes"},
    word("axial", "true: the beam also stretches along its axis", truth, "false"),
    word("frame", "the body's frame follows the section at the first end, or its x axis runs through both ends",
         beam_frames, "clamped"),
    word("foreshortening", "true: bending shortens the beam's chord, by half the integral of slope^2", truth, "true"),
    {"arc", "angle by which the unloaded beam bends towards y (towards z in the plane xz); with bending: large", number,
     "rad", "none"},
    {"damping", "Rayleigh damping {mass, stiffness}, and {ratio} of every mode", map, "", "none"},
};
constexpr KeySpec beam_modes_keys[] = {
    {"y", "bending modes along y", number, "1", "0", not_negative},
    {"z", "bending modes along z", number, "1", "0", not_negative},
    {"twist", "torsion modes", number, "1", "0", not_negative},
    {"stretch", "axial modes, with axial: true", number, "1", "0", not_negative},
};
constexpr KeySpec section_keys[] = {
    {"rectangle", "[a, b]: sides along y and along z, m", list},
    {"tube", "[outer, inner]: diameters, m", list},
    {"A", "area, in place of a shape", number, "m^2", "", positive},
    {"I_y", "integral of z^2 over the area: bending in the plane xz", number, "m^4", "", positive},
    {"I_z", "integral of y^2 over the area: bending in the plane xy", number, "m^4", "", positive},
    {"J", "torsion constant: the twisting moment is G J times the twist per length", number, "m^4", "", positive},
    {"edge", "[along y, along z]: distances from the axis to the outermost fiber, m; needed for the stress", list},
};
constexpr KeySpec beam_damping_keys[] = {
    {"mass", "a of the damping matrix a M + b K", number, "s^-1", "0", not_negative},
    {"stiffness", "b of the damping matrix a M + b K", number, "s", "0", not_negative},
    {"ratio", "damping ratio of every mode of the beam in its frame", number, "1", "0", not_negative},
};

constexpr KeySpec inertia_keys[] = {
    {"xx", "moment about x", number, "kg*m^2", "required if the motion depends on it"},
    {"yy", "moment about y", number, "kg*m^2", "required if the motion depends on it"},
    {"zz", "moment about z", number, "kg*m^2", "required if the motion depends on it"},
    {"xy", "entry xy of the inertia matrix (minus the integral of x y dm)", number, "kg*m^2", "0"},
    {"xz", "entry xz", number, "kg*m^2", "0"},
    {"yz", "entry yz", number, "kg*m^2", "0"},
    {"rod", "a thin uniform rod along x: its length", number, "m", "", positive},
    {"box", "a uniform box: its sides along x, y, z", vector, "m", "", positive},
    {"cylinder", "a uniform cylinder: {radius, length, axis}", map},
    {"sphere", "a uniform sphere: its radius", number, "m", "", positive},
    {"about_origin", "{xx, yy, …} about the body's origin instead of its center", map},
};

constexpr KeySpec shape_keys[] = {
    {"box", "sides along x, y, z", vector, "m", "", positive},
    {"cylinder", "{radius, length, axis}, about `at`", map},
    {"rod", "{from, to, radius}: a round bar between two places", map},
    {"sphere", "radius", number, "m", "", positive},
    {"mesh", "STL (text or binary) or OBJ file, relative to the model file", text},
    {"at", "center of the shape, origin of a mesh; in the body's frame", vector, "m", "[0, 0, 0]"},
    {"scale", "length of the file's unit, for a mesh", number, "m", "1 m", positive},
    {"angle", "rotation of a box or mesh about `axis`", number, "1", "0"},
    {"axis", "x, y, z or a vector, in the body's frame", vector, "", "z"},
};
constexpr KeySpec rod_keys[] = {
    {"from", "first end", vector, "m", "[0, 0, 0]"},
    {"to", "second end", vector, "m", "required"},
    {"radius", "radius of the bar", number, "m", "required", positive},
};
constexpr KeySpec cylinder_keys[] = {
    {"radius", "radius", number, "m", "required", positive},
    {"length", "length", number, "m", "required", positive},
    word("axis", "its axis", axis_letters, "required"),
};

constexpr KeySpec joint_keys[] = {
    word("type", "type of the joint, which sets what it leaves free", joint_types, "required"),
    {"between", "[a, b]: a place on each of two bodies", list, "", "required"},
    word("cut", "true: cut this joint to open its loop; false: never cut it", truth, "chosen"),
    {"turned", "rotation of b's axes relative to a's at which the joint is zero: {rpy} or {angle, axis}", map, "",
     "not at all"},
    {"clearance",
     "clearance of a revolute, prismatic or spherical joint, which is then held by contact: {size, radius, stiffness, "
     "…}",
     map, "", "none"},
};
constexpr KeySpec turned_keys[] = {
    {"rpy", "[roll, pitch, yaw]: turns about x, then y, then z of a's axes", vector, "1"},
    {"angle", "turn about `axis`, in place of rpy", number, "1"},
    {"axis", "x, y, z or a vector, in a's axes", vector, "", "z"},
};
constexpr KeySpec axis_keys[] = {
    {"axis", "x, y, z, -x, …, a vector in the frame of the first body, or 'p to q': two of its points", vector, "",
     "normal of the plane"},
    {"axes", "[a, b]: the axis in the frame of each body, if the two frames differ", list},
    {"zero", "[a, b]: a direction across the axis in the frame of each body; where they coincide, the joint is zero",
     list},
};
constexpr KeySpec axes_keys[] = {
    {"axes", "[first, second]: first in the axes of a's body, second in those of b's", list, "", "required"},
};
constexpr KeySpec element_keys[] = {
    {"inertia", "reflected (rotor) inertia on the joint's rate", number, "kg*m^2 or kg", "0", not_negative},
    {"damping", "viscous damping coefficient", number, "N*m*s or N*s/m", "0", ValueRange::any, moves},
    {"friction", "Coulomb friction, or {coulomb, breakaway}", number, "N*m or N", "0", not_negative, moves},
    {"spring", "spring of the joint: {stiffness, rest}", map},
    {"limits", "end stops: {lower, upper, stiffness, damping} or {lower, upper, restitution}", map},
};

template <std::size_t... N>
constexpr auto joined(const KeySpec (&... tables)[N]) {
  std::array<KeySpec, (N + ...)> result{};
  std::size_t at = 0;
  (std::copy(std::begin(tables), std::end(tables), result.begin() + (at += N) - N), ...);
  return result;
}

constexpr auto one_axis_keys = joined(joint_keys, axis_keys, element_keys);
constexpr auto two_axes_keys = joined(joint_keys, axes_keys, element_keys);

constexpr KeySpec friction_keys[] = {
    {"coulomb", "kinetic friction", number, "N*m or N", "required", not_negative, moves},
    {"breakaway", "ratio of static to kinetic friction, 1 or more", number, "1", "1", positive},
};
constexpr KeySpec joint_spring_keys[] = {
    {"stiffness", "torque or force per displacement", number, "N*m or N/m", "required", not_negative},
    {"rest", "value at which the spring is relaxed", number, "rad or m", "0"},
};
constexpr KeySpec limit_keys[] = {
    {"lower", "lower stop", number, "rad or m", "none"},
    {"upper", "upper stop", number, "rad or m", "none"},
    {"stiffness", "stiffness of the stops", number, "N*m or N/m", "required without restitution", positive},
    {"damping", "damping of the stops", number, "N*m*s or N*s/m", "0", not_negative},
    {"restitution", "coefficient of restitution of rigid stops, in place of a stiffness, 0 to 1", number, "1",
     "required without stiffness", not_negative},
};

constexpr KeySpec lagrangian_keys[] = {
    {"coordinates", "the coordinates: names, each with {unit, is} or a unit alone", map, "", "required"},
    {"define", "named formulas, numbers or vectors of 2 or 3, in any order", map},
    {"kinetic", "kinetic energy: a positive definite quadratic form of the rates", number, "J", "required",
     ValueRange::any, moves},
    {"potential", "potential energy", number, "J", "0", ValueRange::any, moves},
    {"dissipation", "Rayleigh's function: half the power lost in viscous damping", number, "W", "0", ValueRange::any,
     moves},
    {"forces", "name: formula; the generalized force on a coordinate, or the force on a definition that moves", map},
    {"constraints", "name: formula; numbers or vectors that must be zero", map},
    {"draw", "name: list of points; lines that the report draws", map},
};
constexpr KeySpec lagrangian_coordinate_keys[] = {
    {"unit", "rad, m or another unit", text, "", "rad"},
    {"is", "what the coordinate is, in words", text},
};

constexpr KeySpec distance_keys[] = {
    {"type", "distance", text, "", "required"},
    {"between", "[a, b]: two places", list, "", "required"},
    {"length", "distance between the places", number, "m", "required", positive, moves},
};
constexpr KeySpec gear_keys[] = {
    {"type", "gear", text, "", "required"},
    {"between", "[a, b]: two coordinates, a = ratio b + offset", list, "", "required"},
    {"ratio", "ratio a/b; negative for wheels that turn in opposite directions", number, "", "required"},
    {"offset", "value of a at b = 0", number, "", "0"},
};
constexpr KeySpec rack_keys[] = {
    {"type", "rack", text, "", "required"},
    {"between", "[angle, slide]: two coordinates, slide = radius angle + offset", list, "", "required"},
    {"radius", "radius of the pinion; may be negative", number, "m", "required"},
    {"offset", "slide at angle = 0", number, "m", "0"},
};
constexpr KeySpec prescribed_keys[] = {
    {"type", "prescribed", text, "", "required"},
    {"zero", "number or list that must be zero", any_value, "", "required", ValueRange::any, moves},
};
constexpr KeySpec rolling_keys[] = {
    {"type", "rolling", text, "", "required"},
    {"between",
     "[a, b]: two surfaces that roll on each other without slip and stay in touch, such as {circle: wheel, radius: 0.3 "
     "m}; keys: armature format surface",
     list, "", "required"},
};
constexpr KeySpec knife_edge_keys[] = {
    {"type", "knife_edge", text, "", "required"},
    {"between", "[a, b]: the place of the blade, and the ground or body that it cuts", list, "", "required"},
    {"across", "x, y, z, -x, … or a vector in a's axes, along which the blade does not move", vector, "", "required"},
};

constexpr KeySpec inverse_keys[] = {
    {"motion", "{name: formula}: prescribed motion of coordinates or points", map, "", "required"},
    {"actuators", "coordinates on which ideal torques or forces act, in addition to the motors", list, "", "none"},
};

constexpr KeySpec start_keys[] = {
    {"keep", "values that hold exactly at the start", map},
    {"near",
     "preferred values: the start is the closed pose nearest to them; coordinates that are not named are zero unless a "
     "loop moves them",
     map},
    {"speed", "the same for velocities: entries hold exactly; near: {…} inside holds preferred values", map},
    word("equilibrium",
         "true: start at rest in the static equilibrium reached from the pose of keep and near; short form: start: "
         "equilibrium",
         truth, "false"),
};
constexpr KeySpec start_pose_keys[] = {
    {"at", "position of the body's origin", vector, "m"},
    {"angle", "rotation about the axis", number, "1"},
    {"axis", "x, y, z or a vector, in ground axes", vector, "", "z, or the normal of the plane"},
};
constexpr KeySpec start_motion_keys[] = {
    {"velocity", "velocity of the body's origin, in ground axes", vector, "m/s"},
    {"spin", "angular velocity, in ground axes", vector, "rad/s"},
};

constexpr KeySpec simulate_keys[] = {
    {"end", "end time", number, "s", "10 s", positive},
    {"record", "time between recorded rows (at most 1e8 rows)", number, "s", "end/1000", positive},
    word("integrator", "the method; see methods.md", integrators, step::usual_method),
    {"step", "step of euler, semi_implicit_euler, rk2 and rk4", number, "s", "required with these", positive},
    {"rtol", "relative tolerance", number, "1", "1e-8", positive},
    {"atol", "absolute tolerance of every state", number, "",
     "rtol times 1 rad, a tenth of the machine's length or 1; of rates in a tenth of the run", positive},
    {"max_step", "longest step", number, "s", "none", positive},
    word("formulation", "how accelerations are computed; see methods.md", formulations, "auto"),
    {"independent", "independent coordinates of partition", list, "", "chosen"},
    word("repartition", "true: partition chooses new independent coordinates when necessary", truth, "false"),
    word("impacts",
         "whether rigid contacts that collide at the same instant are solved all at once or one after the other",
         impact_laws, "simultaneous"),
    {"stabilization", "list of projection, baumgarte: {…}, post_adjust: {…}; or none", list, "", "[projection]"},
    word("drift", "what constraints that open without projection are: the failure of the run, or a warning", drifts,
         "fail"),
};
constexpr KeySpec baumgarte_keys[] = {
    {"alpha", "gain on the velocity error", number, "s^-1", "", not_negative},
    {"beta", "gain on the position error", number, "s^-2", "", not_negative},
    {"delta", "damping ratio; with omega in place of alpha = 2 delta omega, beta = omega^2", number, "1", "",
     not_negative},
    {"omega", "frequency", number, "s^-1", "", not_negative},
};
constexpr KeySpec post_adjust_keys[] = {
    {"weight", "weight of the change", number, "", "0.1", positive},
    {"penalty", "penalty on the constraint error", number, "", "100", positive},
    {"iterations", "largest number of iterations", number, "1", "10", positive},
    {"tolerance", "accepted constraint error", number, "", "1e-12", positive},
};
constexpr KeySpec record_keys[] = {
    {"reactions", "joints whose reaction forces and moments are recorded: a list, or {joint: {at, axes}}", list},
    {"quantities", "named formulas to record", map},
    {"events", "event functions: named formulas whose zeros are located in time", map},
    {"determinants",
     "{name: [coordinates]}: determinants of as many columns of Phi as it has rows; their zeros are located", map},
};

constexpr KeySpec reaction_keys[] = {
    {"at", "point at which the moment is taken: first or second (the joint's point on that body), or any place", text,
     "", "second for joints that slide, else first"},
    {"axes", "axes of force and moment: first or second (the axes of that body), or ground", text, "", "first"},
};

constexpr FormatSection sections[] = {
    {"file", "top level of the file", file_keys},
    {"use", "a use of an assembly; its names begin with that of the use", use_keys},
    {"inputs", "an input", input_keys},
    {"fmus", "an FMU; formulas use its outputs as name.output", fmu_keys},
    {"states", "an auxiliary state", state_keys},
    {"tables", "a table, used as name(x)", table_keys},
    {"bodies", "a body", body_keys},
    {"bodies: solid", "a body by its mesh", solid_body_keys},
    {"solid", "mass, center and inertia from a closed mesh", solid_keys},
    {"bodies: beam", "a flexible body", beam_body_keys},
    {"beam", "a beam", beam_keys},
    {"section", "section of a beam", section_keys},
    {"beam modes", "modes of a beam", beam_modes_keys},
    {"beam damping", "damping of a beam", beam_damping_keys},
    {"inertia", "inertia of a body, or the word none", inertia_keys},
    {"cylinder", "a cylinder, of inertia or shape", cylinder_keys},
    {"shape", "drawing of a body: one of box, cylinder, rod, sphere and mesh", shape_keys},
    {"rod", "a rod as a shape", rod_keys},
    {"joints: one axis", "", one_axis_keys},  // JointSections
    {"joints: two axes", "", two_axes_keys},
    {"joints: no axis", "", joint_keys},
    {"turned", "frame of a joint", turned_keys},
    {"friction", "friction of a joint", friction_keys},
    {"spring", "spring of a joint", joint_spring_keys},
    {"limits", "end stops of a joint", limit_keys},
    {"lagrangian", "a model given by its energies", lagrangian_keys},
    {"lagrangian: coordinate", "a coordinate of a Lagrangian", lagrangian_coordinate_keys},
    {"constraints: distance", "two places at a distance", distance_keys},
    {"constraints: gear", "two coordinates in proportion", gear_keys},
    {"constraints: rack", "rack and pinion", rack_keys},
    {"constraints: prescribed", "any expression that must be zero", prescribed_keys},
    {"constraints: rolling", "rolling without slip", rolling_keys},
    {"constraints: knife_edge", "a blade, skate or thin wheel that does not move sideways", knife_edge_keys},
    {"inverse", "inverse dynamics", inverse_keys},
    {"start", "start of the motion", start_keys},
    {"start: pose", "a body in keep or near", start_pose_keys},
    {"start: motion", "a body in speed", start_motion_keys},
    {"simulate", "options of a run", simulate_keys},
    {"baumgarte", "Baumgarte stabilization: {alpha, beta} or {delta, omega}", baumgarte_keys},
    {"post_adjust", "adjustment of dependent coordinates", post_adjust_keys},
    {"record", "recorded quantities", record_keys},
    {"reaction", "a recorded reaction", reaction_keys},
};

// The sections of joints name their types: those that need as many axes share one, and each with keys of its own has one.
class JointSections {
 public:
  JointSections() {
    for (FormatSection section : sections) {
      if (section.name.starts_with("joints: ")) section.what = keep(joints_of(section.name));
      all_.push_back(section);
      if (section.name == "joints: no axis") add_own();
    }
  }
  std::span<const FormatSection> all() const { return all_; }

 private:
  static std::string joints_of(std::string_view section) {
    std::vector<std::string_view> list;
    for (const JointWords& words : joint_words())
      if (section_of(words) == section) list.push_back(words.name);
    return fmt::format("{}", fmt::join(list, ", "));
  }
  void add_own() {
    for (const JointWords& words : joint_words()) {
      if (words.own_keys() == 0) continue;
      const KeyTable with_axes = words.axes == 1   ? KeyTable(one_axis_keys)
                                 : words.axes == 2 ? KeyTable(two_axes_keys)
                                                   : joint_keys;
      std::vector<KeySpec>& keys = tables_.emplace_back(with_axes.begin(), with_axes.end());
      keys.insert(keys.begin() + std::size(joint_keys), words.keys, words.keys + words.own_keys());
      all_.push_back({keep(section_of(words)), words.name, keys});
    }
  }
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  std::deque<std::string> texts_;
  std::deque<std::vector<KeySpec>> tables_;
  std::vector<FormatSection> all_;
};

}  // namespace

std::span<const FormatSection> fixed_sections() {
  static const JointSections with_joints;
  return with_joints.all();
}

KeyTable keys_of(std::string_view section) {
  for (const FormatSection& candidate : fixed_sections())
    if (candidate.name == section) return candidate.keys;
  assert(false && "no such section");
  return {};
}

std::string meaning(const KeySpec& spec) {
  if (spec.words.empty() || spec.words.front() == "true") return std::string(spec.what);
  return one_of({spec.words.begin(), spec.words.end()}) + ": " + std::string(spec.what);
}

const KeySpec* find_key(KeyTable table, std::string_view name) {
  for (const KeySpec& spec : table)
    if (spec.name == name) return &spec;
  return nullptr;
}

std::vector<std::string> key_names(KeyTable table) {
  std::vector<std::string> names;
  for (const KeySpec& spec : table) names.emplace_back(spec.name);
  return names;
}

std::optional<Dimension> dimension_of(const KeySpec& spec, bool of_length) {
  std::string_view unit = spec.unit;
  if (const std::size_t both = unit.find(" or "); both != std::string_view::npos)
    unit = of_length ? unit.substr(both + 4) : unit.substr(0, both);
  if (unit.empty()) return std::nullopt;
  if (unit == "1") return dimensionless;
  return unit_of(unit).dimension;
}

}  // namespace armature::internal
