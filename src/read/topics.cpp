#include "read/topics.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

namespace armature::internal {
namespace {

constexpr Topic all_topics[] = {
    // --- machine elements
    {"gear pair", "gear gear_pair gearbox pinion spur transmission reducer tooth",
     "Two coordinates in proportion: a constraint of type gear. With elasticity or backlash: forces of type "
     "coordinate_spring. The gear of a motor is its gear_ratio.",
     "mesh: {type: gear, between: [a, b], ratio: -teeth2/teeth1}", "models/elements/gear_pair.yaml",
     "docs/elements.md#gear-pair"},
    {"rack and pinion", "rack rack_and_pinion linear_gear",
     "An angle and a length in proportion: a constraint of type rack.",
     "mesh: {type: rack, between: [angle, slide], radius: -r}", "models/elements/rack.yaml",
     "docs/elements.md#rack-and-pinion"},
    {"worm gear", "worm worm_gear self_locking",
     "Forces of type worm: flanks of a thread with friction; it holds its load where it is self-locking.",
     "mesh: {type: worm, between: [a, b], ratio: teeth, radius: r, lead_angle: lead_angle, pressure_angle: "
     "pressure_angle,",
     "models/elements/worm.yaml", "docs/elements.md#worm-gear"},
    {"screw", "screw power_screw lead_screw ball_screw spindle jack nut thread self_locking",
     "Forces of type power_screw: with friction between an angle and a slide. Without friction: a joint of type screw, "
     "or a constraint of type rack.",
     "thread: {type: power_screw, between: [turn, lift], lead: lead, radius: r, flank_angle: flank, friction: mu,",
     "models/elements/power_screw.yaml", "docs/elements.md#screw"},
    {"belt", "belt pulley v_belt toothed_belt timing_belt",
     "Elastic: forces of type belt. Rigid: a constraint of type gear, with the ratio of the radii.",
     "belt: {type: belt, between: [a, b], radii: [r1, r2], stiffness: k, pretension: tension}",
     "models/elements/belt.yaml", "docs/elements.md#belt"},
    {"chain", "chain sprocket chain_drive",
     "Rigid: a constraint of type gear, with the ratio of the teeth. Elastic: forces of type belt.",
     "chain: {type: gear, between: [a, b], ratio: teeth2/teeth1}", "models/elements/chain.yaml",
     "docs/elements.md#chain"},
    {"cam and follower", "cam follower lift tappet valve profile",
     "The rise as a formula or table of the cam's angle, held by a constraint of type prescribed.",
     "rise_of_cam: {type: prescribed, zero: lift - rise}", "models/elements/cam.yaml",
     "docs/elements.md#cam-and-follower"},
    {"cam that may lift off", "cam follower lift_off jump valve",
     "The rise as a formula or table of the cam's angle, and forces of type contact.",
     "flank: {type: contact, gap: lift - rise, stiffness: 5e7 N/m, damping: 2e4 N*s/m}",
     "models/elements/cam_contact.yaml", "docs/elements.md#cam-and-follower"},
    {"Geneva drive", "geneva indexing intermittent maltese_cross dwell",
     "A constraint of type prescribed: the wheel's angle as a formula of the crank's.",
     "pin_and_slot: {type: prescribed, zero: index + turns*2*pi/slots + driven}", "models/elements/geneva.yaml",
     "docs/elements.md#geneva-drive"},
    {"planetary set", "planetary epicyclic sun carrier planet ring willis",
     "Constraints of type prescribed, one for each mesh; or one for the whole set: sun_teeth*(sun - carrier) + "
     "ring_teeth*(ring - carrier).",
     "inner{i}: {for: {i: 1..3}, type: prescribed, zero: \"sun_teeth*(s - c) + planet_teeth*p{i}\"}",
     "models/elements/planetary.yaml", "docs/elements.md#planetary-set"},
    {"differential", "differential axle bevel",
     "A constraint of type prescribed: the case turns by the mean of its two shafts.",
     "gears: {type: prescribed, zero: left + right - 2*case}", "models/elements/differential.yaml",
     "docs/elements.md#differential"},
    {"rope and pulleys", "rope cable pulley tackle block hoist winch drum wire tendon",
     "Forces of type rope: through places, over pulleys, onto a drum. It pulls and never pushes.",
     "rope: {type: rope, through: [ceiling, load.pulley, eye], length: 2*h - R*turn, stiffness: k}",
     "models/elements/rope.yaml", "docs/elements.md#rope-and-pulleys"},
    {"capstan", "capstan rope eytelwein euler bollard post",
     "Forces of type brake with a band: friction that grows with e^(mu beta).",
     "rope: {type: brake, on: down, band: {force: hand, friction: mu, wrap: wrap}}", "models/elements/capstan.yaml",
     "docs/elements.md#capstan"},
    {"constant-velocity shaft", "constant_velocity cv cv_joint cv_shaft homokinetic rzeppa drive_shaft cardan",
     "A constraint of type prescribed between the axes of both shafts. A Cardan joint is a joint of type universal.",
     "joint: {type: prescribed, zero: \"dot(in.a1 - in, out.a2 - out) - dot(in.a2 - in, out.a1 - out)\"}",
     "models/elements/cv_shaft.yaml", "docs/elements.md#constant-velocity-shaft"},
    {"bushing", "bushing mount rubber isolator elastic_bearing silent_block",
     "Forces of type bushing: springs and dampers in six directions between two bodies that a joint of type free "
     "joins.",
     "mount: {type: bushing, between: [ground, engine.mount], stiffness: [m*(50 rad/s)^2, 2e5, 3e5], "
     "turning_stiffness: [5e3, 5e3, J*(100 rad/s)^2]}",
     "models/elements/bushing.yaml", "docs/elements.md#bushing"},
    {"torsion bar, spring between coordinates",
     "torsion_bar shaft anti_roll_bar stabilizer coupling spring_between_coordinates elastic_gear flexible_coupling",
     "Forces of type coordinate_spring, on a - ratio b of two coordinates. On one coordinate: torsion_spring.",
     "shaft: {type: coordinate_spring, between: [a, b], stiffness: k}", "models/elements/torsion_bar.yaml",
     "docs/elements.md#torsion-bar"},
    {"gas spring", "gas_spring strut gas_strut pneumatic air_spring", "Forces of type gas_spring between two places.",
     "gas: {type: gas_spring, between: [ground, weight.foot], force: 400 N, length: extended, stroke: stroke, "
     "progression: 1.4, exponent: n}",
     "models/elements/gas_spring.yaml", "docs/elements.md#gas-spring"},
    {"freewheel", "freewheel one_way_clutch overrunning ratchet sprag backstop",
     "Forces of type freewheel between two coordinates.",
     "hub: {type: freewheel, between: [motor, wheel], capacity: 500 N*m}", "models/elements/freewheel.yaml",
     "docs/elements.md#freewheel"},
    {"clutch", "clutch slip slipping torque_limiter synchronizer",
     "Forces of type clutch between two coordinates: it slips, and sticks when both move equally fast.",
     "clutch: {type: clutch, between: [a, b], torque: \"if(t < 0.1, 0, grip)\"}", "models/elements/clutch.yaml",
     "docs/elements.md#clutch"},
    {"brake", "brake band_brake disc_brake drum_brake holding_brake",
     "Forces of type brake on a coordinate: a torque by formula, or a band around a drum.",
     "brake: {type: brake, on: turn, band: {force: pull, radius: r, friction: mu, wrap: 270 deg}}",
     "models/elements/brake.yaml", "docs/elements.md#brake"},
    {"contact", "contact collision impact stop gap bounce touch floor gripper lift_off pin_in_slot unilateral",
     "Forces of type contact between two surfaces, or where a gap, any formula of positions, is negative. For a "
     "joint's end "
     "stops: its limits.",
     "between: [{sphere: ball, radius: r}, {plane: ground, normal: z}]", "models/contact/bouncing_ball.yaml",
     "docs/contact.md#surfaces"},
    {"rigid contact",
     "rigid rigid_contact impact collision restitution bounce newton rest lift_off cradle painleve unilateral",
     "A contact with a restitution and no stiffness: impacts, rest, friction, lift-off. For a joint's rigid end stops: "
     "its limits with a "
     "restitution.",
     "slab: {type: contact, gap: y - radius, restitution: e}", "models/contact/ball_at_rest.yaml", "docs/impact.md"},
    {"impact law", "hunt_crossley lankarani_nikravesh restitution hertz impact_law compliant penetration",
     "A contact with law: hunt_crossley or lankarani_nikravesh and a restitution; hertz gives the stiffness of "
     "spheres.",
     "law: hunt_crossley", "models/contact/bouncing_ball.yaml", "docs/contact.md#compliant-contact"},
    {"cam with a profile", "cam profile roller follower cam_profile flat_faced lift_off",
     "A contact with the surface cam, whose profile is a formula or a table of the polar angle.",
     "{cam: disc, profile: radius(angle - 90 deg)}", "models/contact/cam_roller.yaml", "docs/contact.md#surfaces"},
    {"pin in a slot", "slot pin_in_slot slotted_lever scotch_yoke quick_return groove",
     "A contact between a circle and a slot.",
     "{slot: lever, from: [0, 0.08 m, 0], to: [0, 0.32 m, 0], width: \"2*(pin + play)\"}",
     "models/contact/slotted_lever.yaml", "docs/contact.md#surfaces"},
    {"rolling", "rolling wheel roll no_slip nonholonomic non_holonomic coin turntable tyre vehicle",
     "A constraint of type rolling between two surfaces. With slip: a contact with friction.",
     "roll: {type: rolling, between: [{sphere: ball, radius: r}, {plane: table, normal: z}]}",
     "models/contact/turntable.yaml", "docs/contact.md#rolling"},
    {"knife edge", "knife_edge blade skate sleigh chaplygin nonholonomic non_holonomic",
     "A constraint of type knife_edge: a place does not move across its blade.",
     "blade: {type: knife_edge, between: [sleigh, ground], across: y}", "models/contact/chaplygin_sleigh.yaml",
     "docs/contact.md#rolling"},
    {"clearance", "clearance play worn_bearing journal eccentricity backlash loose_joint",
     "clearance of a revolute, prismatic or spherical joint: contact holds it.",
     "clearance: {size: play, radius: 10 mm, law: lankarani_nikravesh, stiffness: 6e9, restitution: 0.9, friction: "
     "0.02}",
     "models/contact/bearing_clearance.yaml", "docs/contact.md#clearance"},
    {"massless rod", "massless massless_link massless_rod coupler two_force_member weightless rigid_link strut",
     "A body with mass: 0, without inertia, where joints and constraints determine its motion. A rod without a body of "
     "its own: a "
     "constraint of type distance.",
     "rod: {mass: 0, points: {eye: [l, 0, 0]}}", "models/elements/massless_rod.yaml", "docs/elements.md#massless-rod"},
    // --- drives
    {"synchronous motor", "pmsm synchronous permanent_magnet field_weakening mtpa foc ac_motor inverter spindle",
     "Drives of type pmsm: torque, current or voltage in the rotor's axes, within the limits of an inverter.",
     "type: pmsm", "models/drives/pmsm.yaml", "docs/drives.md#synchronous-motor"},
    {"brushless motor", "brushless bldc six_step trapezoidal commutation hall",
     "Drives of type brushless, commutated in six steps; with sinusoidal currents: pmsm.", "type: brushless",
     "models/drives/brushless.yaml", "docs/drives.md#brushless-motor-with-six-step-commutation"},
    {"stepper", "stepper stepper_motor microstep microstepping pull_out stall lost_steps detent",
     "Drives of type stepper: they follow an angle in microsteps and lose steps beyond their pull-out torque.",
     "type: stepper", "models/drives/stepper.yaml", "docs/drives.md#stepper"},
    {"induction motor", "induction induction_motor asynchronous squirrel_cage mains slip v_f volts_per_hertz breakdown",
     "Drives of type induction_motor, on a supply of given frequency and voltage.", "type: induction_motor",
     "models/drives/induction_motor.yaml", "docs/drives.md#induction-motor"},
    {"servo by its curves", "servo servo_motor torque_speed_curve torque_speed peak_torque continuous_torque",
     "Drives of type servo: a torque within a torque-speed curve, with a lag.",
     "peak: {speed: [0, 3000 rpm, 6000 rpm], torque: [3 N*m, 3 N*m, 1 N*m]}", "models/drives/servo.yaml",
     "docs/drives.md#servo-with-torque-speed-curves"},
    {"hydraulic cylinder", "hydraulic hydraulics cylinder hydraulic_cylinder valve pump oil accumulator piston",
     "Drives of type hydraulic_cylinder, with a valve and a pump, on a length.",
     "pump: {flow: 0.4e-3 m^3/s, relief_pressure: 160 bar, volume: 1e-3 m^3}", "models/drives/hydraulic_cylinder.yaml",
     "docs/drives.md#hydraulic-cylinder"},
    {"battery and supply",
     "battery supply power_supply dc_link regeneration chopper braking_resistor rectifier capacitor",
     "Drives of type supply, which motors name with their key supply.",
     "open_circuit: {charge: [0, 0.1, 0.9, 1], voltage: [40 V, 46 V, 50 V, 54 V]}", "models/drives/battery.yaml",
     "docs/drives.md#supplies"},
    // --- tasks
    {"reaction forces", "reaction bearing bearing_load bearing_force constraint_force joint_force moment multiplier",
     "Name the joint under record: {reactions: [C]}. The columns C.fx … C.mz are force and moment that it passes from "
     "a "
     "to b.",
     "record: {reactions: [C]}", "models/four_bar.yaml", "docs/output.md#trajectorycsv"},
    {"choosing a motor", "sizing motor_sizing actuator torque_curve rms peak_torque dimensioning",
     "Prescribe the motion under inverse: 'armature inverse' computes torques, currents and voltages. 'armature sweep' "
     "varies parameters.",
     "", "models/slider_crank.yaml", "docs/drives.md#inverse-dynamics"},
    {"equilibrium", "equilibrium static statics rest sag preload eigenfrequency frequency vibration linearize",
     "'armature modes' follows the forces to an equilibrium and prints its frequencies and shapes.", "",
     "models/five_bar.yaml", "docs/modes.md"},
    {"friction", "stiction dry_friction coulomb stick_slip",
     "Of a joint, constant: friction, or {coulomb, breakaway}. With the load of a joint: forces of type friction. "
     "Between "
     "coordinates: clutch; in elastic threads: worm and power_screw; of ropes: brake.",
     "guide: {type: friction, on: slide, coefficient: mu}", "models/elements/guide.yaml",
     "docs/elements.md#friction-with-load"},
    {"plain bearing", "bearing journal pin_friction collar run_down",
     "Forces of type friction on the angle of a revolute joint, with the radius of the pin.",
     "bearing: {type: friction, on: turn, coefficient: mu, radius: r}", "models/elements/bearing.yaml",
     "docs/elements.md#bearing"},
    {"guide that jams", "jam jamming sleeve guide drawer painleve stick length",
     "Forces of type friction on a slide, with the length of its guide.",
     "column: {type: friction, on: height, coefficient: mu, length: l}", "models/elements/sleeve.yaml",
     "docs/elements.md#guide"},
    {"wedge", "wedge inclined_plane self_locking", "Forces of type friction on the slides of a loop.",
     "between: {type: friction, on: face, coefficient: mu}", "models/elements/wedge.yaml", "docs/elements.md#wedge"},
    {"rigid thread", "thread screw spindle lead_screw self_locking efficiency",
     "A joint of type screw, and forces of type friction on it.",
     "thread: {type: friction, on: turn, coefficient: mu, radius: r, flank_angle: 15 deg}",
     "models/elements/screw_joint.yaml", "docs/elements.md#thread"},
    {"gear with losses", "efficiency gear_loss losses lossy_gear worm self_locking",
     "Forces of type gear_loss of a constraint: a share of the power arrives.",
     "teeth: {type: gear_loss, of: mesh, on: a, efficiency: n}", "models/elements/gear_loss.yaml",
     "docs/elements.md#gear-with-losses"},
    {"frames of joints", "rpy orientation frame rotated quaternion euler_angle",
     "A body has axes of its own; turned of a joint gives their orientation relative to the other body where the joint "
     "is "
     "zero.",
     "", "", "docs/format.md#joints"},
    {"mass properties", "moment_of_inertia density volume mass_properties cad stl steel",
     "A closed mesh and its density are a solid. Or give mass, center and inertia: numbers, or a rod, box, cylinder or "
     "sphere.",
     "solid: {mesh: wedge.obj, density: 7850 kg/m^3}", "models/elements/solid.yaml", "docs/elements.md#solid"},
    {"sub-assemblies", "include subassembly sub_assembly reuse module copy repeat",
     "Write a part once under assemblies, or in a file of its own, and name its uses under use.", "", "",
     "docs/format.md#repeated-parts-assemblies-and-use"},
    {"prescribed motion", "rheonomic trajectory path motion_law profile move setpoint",
     "A constraint of type prescribed (zero: crank - w*t) moves a coordinate whatever torque it takes; its column is "
     "this "
     "torque. For the motion alone: 'armature kinematics --move'.",
     "motor: {type: prescribed, zero: turn - w*t}", "models/elements/cam.yaml", "docs/drives.md#inverse-dynamics"},
    {"redundant constraints", "redundant overconstrained overconstraint mobility gruebler degree_of_freedom dof",
     "'armature check' counts degrees of freedom and names redundant constraints by joint and direction.", "",
     "models/n_four_bar.yaml", "docs/cookbook.md#see-why-a-mechanism-is-redundant-or-does-not-move"},
    {"units", "unit imperial inch in ft foot lb pound oz lbf psi hp mm rpm",
     "A number may carry a unit, written without spaces: 2 in, 30 psi, 5 lb (a mass), 5 lbf (a force), 9.81 m/s^2. "
     "Everything is computed "
     "in SI.",
     "", "", "docs/format.md#units"},
    {"distributions",
     "distribution normal lognormal triangular uniform random monte_carlo tolerance scatter latin sobol",
     "'armature sweep --over m=normal(2 kg, 0.1 kg) --latin 50' draws parameters from distributions.", "", "",
     "docs/analyses.md#armature-sweep"},
    {"curves", "curve spline periodic periodic_spline lookup characteristic interpolation csv",
     "A table of points under tables is a function in formulas; interpolation: spline makes it smooth, outside: repeat "
     "periodic.",
     "", "", "docs/format.md#tables"},
    {"lists", "list array indexed for_each",
     "A parameter may be a list, lengths: [1 m, 2 m], whose elements are lengths[1], lengths[2]; for repeats an entry.",
     "", "", "docs/format.md#several-at-once-for"},
    {"sensors and filters",
     "sensor measurement filter low_pass noise pneumatic hydraulic pressure tank transfer_function second_order",
     "Define a formula under define; filters are controllers (low_pass, transfer_function, delay); anything with a "
     "rate of "
     "its own is a state.",
     "", "", "docs/drives.md#controllers"},
};

// "V-Belts" is "v_belt".
std::string plain(const std::string& word) {
  std::string text;
  for (const unsigned char c : word) text += c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(c));
  return text;
}

std::vector<std::string> words_of(const Topic& topic) {
  std::istringstream in{std::string(topic.words)};
  return {std::istream_iterator<std::string>(in), {}};
}

bool is_found_by(const Topic& topic, const std::string& word) {
  const std::vector<std::string> words = words_of(topic);
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::span<const Topic> topics() { return all_topics; }

std::vector<const Topic*> find_topics(const std::string& word) {
  const std::string whole = plain(word), singular = whole.ends_with('s') ? whole.substr(0, whole.size() - 1) : whole;
  std::vector<const Topic*> found;
  for (const Topic& topic : all_topics)
    if (is_found_by(topic, whole) || is_found_by(topic, singular)) found.push_back(&topic);
  return found;
}

std::vector<std::string> topic_words() {
  std::vector<std::string> all;
  for (const Topic& topic : all_topics)
    for (const std::string& word : words_of(topic)) all.push_back(word);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string topic_text(const Topic& topic) {
  std::string text = fmt::format("{}: {}\n", topic.title, topic.how);
  if (!topic.example.empty()) text += fmt::format("  {}{}\n", topic.example, topic.example.ends_with(',') ? " …}" : "");
  if (!topic.model.empty()) text += fmt::format("  model:  {}\n", topic.model);
  return text + fmt::format("  page:   {}\n", topic.page);
}

}  // namespace armature::internal
