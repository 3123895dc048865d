// Every row of findings.def has a model here that provokes it, and studies of this model count and name it as a run does.
#include "model/findings.hpp"

#include <gmock/gmock.h>

#include <set>

#include "inspect/verify.hpp"
#include "inverse/inverse.hpp"
#include "inverse/inverse_study.hpp"
#include "inverse/kinematic_record.hpp"
#include "study/map.hpp"
#include "study/motion_results.hpp"
#include "study/motion_warnings.hpp"
#include "study/optimization.hpp"
#include "study/sweep.hpp"
#include "support/four_bar_models.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::Contains;
using testing::Field;
using testing::Not;
using testing::SizeIs;

enum class By { run, inverse, kinematics, verify, results };

struct Provoked {
  FindingCode code;
  By by;
  std::string model;                // with a parameter p, 1
  std::string result = "final(t)";  // of its studies
};

const std::string rotor = R"(
plane: xy
gravity: [0, 0, 0]
parameters: {p: 1}
bodies: {disc: {mass: 1, inertia: {zz: p}}}
)";

std::string turning(const std::string& joint, const std::string& rest) {
  return rotor + "joints: {q: {type: revolute, between: [ground, disc]" + joint + "}}\n" + rest + "\n";
}

// A force on the rotor: formulas with commas are quoted.
std::string turned_by(const std::string& torque, const std::string& simulate, const std::string& speed = "0") {
  return turning("", "forces: {f: {type: effort, on: q, is: \"" + torque + "\"}}\nstart: {speed: {q: " + speed +
                         "}}\nsimulate: {record: 0.01, " + simulate + "}");
}

std::string with_motor(const std::string& motor, const std::string& rest) {
  return turning("",
                 "drives: {m: {type: dc_motor, on: q, torque_constant: 0.5, resistance: 2, " + motor + "}}\n" + rest);
}

// The bob of a pendulum flies and is held by a rod, whose length nothing corrects.
std::string on_a_rod(const std::string& simulate) {
  return R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {p: 1}
bodies: {bob: {mass: p, inertia: {zz: 0.01}}}
joints: {fly: {type: planar, between: [ground, bob]}}
constraints: {rod: {type: distance, between: [ground, bob], length: 1 m}}
start: {keep: {fly.x: 1 m, fly.angle: 0}}
simulate: {record: 10 ms, stabilization: none, )" +
         simulate + "}\n";
}

std::string beam(const std::string& keys, const std::string& joints, const std::string& rest,
                 const std::string& bodies = "") {
  return "plane: xy\ngravity: [0, -9.81, 0]\nparameters: {p: 1}\nbodies: {leaf: {beam: {length: 1, " + keys + "}}" +
         bodies + "}\njoints: " + joints + "\n" + rest + "\n";
}

const std::string small_section = "section: {rectangle: [1e-3, 1e-2]}, E: 70e9, rho: 2700*p";

const std::string slider_crank = R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {p: 1}
bodies:
  crank: {mass: p, center: [0.1, 0, 0], inertia: {rod: 0.2}}
  rod: {mass: 1, center: [0.25, 0, 0], inertia: {rod: 0.5}}
  slider: {mass: 1, inertia: none}
joints:
  a: {type: revolute, between: [ground, crank]}
  b: {type: revolute, between: ["crank [0.2, 0, 0]", rod]}
  c: {type: revolute, between: ["rod [0.5, 0, 0]", slider]}
  s: {type: prismatic, axis: x, between: [ground, slider]}
)";

std::vector<Provoked> provoked() {
  using enum FindingCode;
  return {
      {energy, By::run,
       turning(", spring: {stiffness: 30}",
               "start: {keep: {q: 1}}\nsimulate: {end: 1, record: 0.1, integrator: euler, step: 0.1}")},
      {constraint, By::run, on_a_rod("end: 1, integrator: euler, step: 0.01")},
      {impact, By::run,
       turning("",
               "constraints: {drive: {type: prescribed, zero: \"q - max(0, t - 0.05)\"}}\nsimulate: {end: 0.1, record: "
               "0.01}")},
      {steps, By::run, turned_by("1e4*(sin(t) - q')", "end: 12")},
      {comparison, By::run, turned_by("if(t > 0.05, 1, 0)", "end: 0.1, integrator: rk4, step: 0.01")},
      {undefined, By::results, turned_by("1", "end: 1"), "max(sqrt(0.5 - t))"},
      {contact, By::run, R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {p: 1}
bodies: {girder: {mass: p, inertia: {rod: 2}, points: {left: [-1, 0, 0], middle: [0, 0, 0], right: [1, 0, 0]}}}
joints: {beam: {type: planar, axis: z, between: [ground, girder]}}
forces: {"support_{k}": {for: {k: [left, middle, right]}, type: contact, gap: "girder.{k}.y", restitution: 0}}
start: {keep: {beam.x: 0, beam.y: 0, beam.angle: 0}}
simulate: {end: 0.1, record: 10 ms}
)"},
      {law, By::run, turning(", damping: 1", R"(drives:
  battery: {type: supply, open_circuit: {charge: [0, 1], voltage: [40, 54]}, capacity: 5 A*s, charge: 0.3, resistance: 0.5, capacitance: 50 mF}
  motor: {type: dc_motor, on: q, voltage: 30, torque_constant: 1, resistance: 1, supply: battery}
simulate: {end: 1 s, record: 0.1 s, integrator: cvode_bdf}
)")},
      {friction, By::run, R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {p: 1}
bodies: {bar: {mass: p, center: [0.5, 0, 0], inertia: {rod: 1}}}
joints:
  a: {type: revolute, between: [ground, bar], friction: 5}
  b: {type: revolute, between: ["ground [1, 0, 0]", "bar [1, 0, 0]"]}
simulate: {end: 0.2 s, record: 50 ms}
)"},
      {accuracy, By::run,
       turning(", spring: {stiffness: 1}",
               "start: {keep: {q: 1}}\nsimulate: {end: 100, record: 1, integrator: cvode_bdf, rtol: 1e-6}")},
      {stabilization, By::run,
       parallelogram + "parameters: {p: 1}\nconstraints: {drive: {type: prescribed, zero: a - p*2*t}}\nstart: {near: "
                       "{a: 0, d: 0}}\nsimulate: {end: 1 s, record: 10 ms}\n"},
      {drift, By::run, on_a_rod("end: 40 s, rtol: 4e-6")},
      {restitution, By::run, R"(
plane: xy
gravity: [0, 0, 0]
parameters: {p: 1}
bodies: {bar: {mass: p, inertia: {rod: 1}, points: {tip: [-0.5, 0, 0]}}}
joints: {rod: {type: planar, axis: z, between: [ground, bar]}}
forces: {slab: {type: contact, gap: bar.tip.y, restitution: 1, friction: 0.3, sliding: "bar.tip.x'"}}
start: {keep: {rod.x: 0, rod.y: 0.1 + sin(60 deg)/2, rod.angle: 60 deg}, speed: {rod.x: 1, rod.y: -2, rod.angle: 0}}
simulate: {end: 0.1 s}
)"},
      {chattering, By::run, turned_by("if(q > 0, -1, 1)*if(q' > 0, 2, 1)", "end: 0.01")},
      {negative_friction, By::run,
       turning(", friction: \"-sin(t)\"", "start: {speed: {q: 2}}\nsimulate: {end: 3, record: 0.01}")},
      {negative_damping, By::run,
       turning(", damping: -1", "start: {speed: {q: 1}}\nsimulate: {end: 0.1, record: 0.01}")},
      {bending, By::run,
       beam(small_section, "{q: {type: revolute, between: [ground, leaf], spring: {stiffness: 10}}}",
            "simulate: {end: 0.5, record: 0.01}")},
      {beam_elements, By::run,
       beam("bending: large, section: {A: 1e-4, I_z: 1e-9, I_y: 1e-9}, E: 1e9, rho: 1000, elements: 2",
            "{root: {type: fixed, between: [ground, leaf]}}",
            "forces: {f1: {type: force, on: \"leaf [0.3, 0, 0]\", is: [0, 60*p, 0]}, f2: {type: force, on: \"leaf "
            "[0.6, 0, 0]\", is: [0, -60, 0]}, f3: {type: force, on: \"leaf [0.9, 0, 0]\", is: [0, 30, 0]}}\nstart: "
            "equilibrium\nsimulate: {end: 1e-6, record: 1e-6}")},
      {beam_frequency, By::run,
       beam("elements: 1, section: {rectangle: [1e-2, 1e-2]}, E: 70e9, rho: 2700*p",
            "{a: {type: revolute, between: [ground, leaf]}, b: {type: revolute, between: [\"leaf [1, 0, 0]\", "
            "slide]}, "
            "s: {type: prismatic, axis: x, between: [ground, slide]}}",
            "simulate: {end: 1e-3, record: 1e-3}", ", slide: {mass: 1, inertia: {zz: 1}}")},
      {beam_steps, By::run,
       beam("elements: 4, section: {rectangle: [3 mm, 30 mm]}, E: 7.1e10, rho: 2712*p",
            "{root: {type: revolute, between: [ground, leaf]}}", "simulate: {end: 0.1, record: 0.1, rtol: 1e-5}")},
      {rotor_on_beam, By::run,
       beam(small_section,
            "{root: {type: revolute, between: [ground, leaf]}, wheel: {type: revolute, between: [\"leaf [1, 0, 0]\", "
            "disc]}}",
            "drives: {m: {type: dc_motor, on: wheel, voltage: 0, torque_constant: 0.5, resistance: 2, rotor_inertia: "
            "1e-3, rotor: {carried_by: leaf, axis: z}}}\nsimulate: {end: 1e-3, record: 1e-3}",
            ", disc: {mass: 1, inertia: {zz: 0.01}}")},
      {singular_start, By::run, R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {p: 1}
bodies:
  a: {mass: p, center: [0.5, 0, 0], inertia: {rod: 1}}
  b: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
  c: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
joints:
  first: {type: revolute, between: [ground, a]}
  second: {type: revolute, between: ["ground [1, 0, 0]", b]}
  hinge: {type: revolute, between: ["a [1, 0, 0]", c]}
  pin: {type: revolute, between: ["c [1, 0, 0]", "b [1, 0, 0]"]}
start: {keep: {first: 0}, near: {second: 0, hinge: 0}, speed: {first: -1}}
simulate: {end: 0.1, record: 0.1}
)"},
      {current_limit, By::run,
       with_motor("rotor_inertia: 1e-3, inductance: 2 mH, limits: {current: 2}, voltage: 24",
                  "simulate: {end: 0.02, record: 1 ms, integrator: rk4, step: 1 ms}")},
      {not_finite, By::run,
       turning("", "define: {root: \"sqrt(0.5 - t)*q\"}\nstart: {speed: {q: 1}}\nsimulate: {end: 1, record: 0.1}")},
      {short_steps, By::run, turned_by("if(t < 4e-9, 1e13, 0)*(1 - q')", "end: 10")},
      {results, By::results,
       turning("",
               "constraints: {drive: {type: prescribed, zero: \"q - if(t > 0.05, 0.3, 0)\"}}\nsimulate: {end: 0.1, "
               "record: 0.01}")},
      {verification, By::verify,
       turning(", spring: {stiffness: 30}",
               "start: {keep: {q: 1}}\nsimulate: {end: 1, record: 0.1, integrator: euler, step: 0.1}")},
      {several_motions, By::kinematics,
       slider_crank + "constraints: {drive: {type: prescribed, zero: \"s - (0.5 + 0.2*cos(t))\"}}\nstart: {near: {a: "
                      "0, b: 0, s: 0.7}}\nsimulate: {end: 1, record: 0.01}\n"},
      {motion_jumps, By::kinematics,
       turning("",
               "constraints: {drive: {type: prescribed, zero: \"q - if(t > 0.05, 0.3, 0)\"}}\nsimulate: {end: 0.1, "
               "record: 0.01}")},
      {left_out, By::kinematics,
       with_motor("voltage: 1",
                  "define: {power: m.power}\nconstraints: {drive: {type: prescribed, zero: q - t}}\nsimulate: {end: "
                  "0.1, record: 0.01}")},
      {contact_ignored, By::kinematics,
       turning("",
               "constraints: {drive: {type: prescribed, zero: q - t}}\nforces: {stop: {type: contact, gap: 1 - q, "
               "restitution: 0}}\nsimulate: {end: 0.1, record: 0.01}")},
      {no_reactions, By::kinematics,
       turning("",
               "constraints: {drive: {type: prescribed, zero: q - t}}\nrecord: {reactions: [q]}\nsimulate: {end: 0.1, "
               "record: 0.01}")},
      {start_differs, By::inverse,
       with_motor(
           "voltage: 0",
           "start: {keep: {q: 0.4}}\ninverse: {motion: {q: \"0.5 + t^2\"}}\nsimulate: {end: 0.1, record: 0.01}")},
      {drive_limit, By::inverse,
       with_motor("voltage: 0, limits: {voltage: 1}",
                  "inverse: {motion: {q: \"100*t^2\"}}\nsimulate: {end: 0.1, record: 0.01}")},
      {current_jump, By::inverse,
       with_motor("voltage: 0, inductance: 1e-3",
                  "inverse: {motion: {q: \"if(t < 0.05, 0, 0.5*(t - 0.05)^2)\"}}\nsimulate: {end: 0.1, record: 0.01}")},
      {open_constraint, By::run, on_a_rod("end: 1, integrator: euler, step: 0.01, drift: accept")},
      {unlocated, By::inverse, R"yaml(
plane: xy
gravity: [0, 0, 0]
parameters: {p: 1}
bodies: {rotor: {mass: 3, inertia: {zz: 0.1*p}}, flywheel: {mass: 8, inertia: {zz: 0.4}}}
joints: {motor: {type: revolute, between: [ground, rotor]}, wheel: {type: revolute, between: [ground, flywheel]}}
forces: {hub: {type: freewheel, between: [motor, wheel], capacity: 500}}
drives:
  m: {type: dc_motor, on: motor, torque_constant: 10, resistance: 1, voltage: 0, winding: {heat_capacity: 50, thermal_resistance: 2, ambient: 293}}
inverse: {motion: {motor: "2*t + sin(2*t)"}}
start: {speed: {wheel: 3}}
simulate: {end: 4 s, record: 10 ms}
)yaml"},
      {open_motion, By::run, R"(
gravity: [0, 0, -9.81]
parameters: {p: 1}
bodies:
  box: {mass: p, center: [0.03, 0.01, 0.03], inertia: {xx: 0.004, yy: 0.015, zz: 0.018}, points: {p1: [0.2, 0.1, 0], p2: [-0.2, 0.1, 0], p3: [-0.2, -0.1, 0], p4: [0.2, -0.1, 0]}}
joints: {pose: {type: free, between: [ground, box]}}
forces: {"f{k}": {for: {k: [1, 2, 3, 4]}, type: contact, between: ["box.p{k}", {plane: ground, normal: z}], restitution: 0, friction: 0.3}}
start: {keep: {pose.x: 0, pose.y: 0, pose.z: 0}, speed: {box: {velocity: [0.8, 0, 0], spin: [0, 0, 6]}}}
simulate: {end: 0.1 s, record: 5 ms}
)"},
      {start_touch, By::run, R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {p: 1}
bodies: {box: {mass: p, inertia: {zz: 0.01}, points: {a: [-0.1, 0, 0], b: [0.1, 0, 0]}}}
joints: {pose: {type: planar, between: [ground, box]}}
forces: {"{k}": {for: {k: [a, b]}, type: contact, between: ["box.{k}", {plane: ground, normal: y}], stiffness: 1e6}}
start: {keep: {pose.x: 0, pose.y: -5 mm, pose.angle: 0}}
simulate: {end: 10 ms, record: 1 ms}
)"},
      {undefined_comparison, By::run, turned_by("if(sqrt(t - 0.3) > 0.1, 1, 2)", "end: 1")},
      {missed, By::run, turned_by("exp(-((t - 0.5037)/1e-4)^2)", "end: 1, integrator: rk4, step: 0.01")},
  };
}

// The lower rod sticks until the upper one, which is prescribed, has turned. Multistep methods let it creep with the speed that the
// tolerance allows.
TEST(Findings, OfNegativeFrictionAreNoneWhereARodSticks) {
  for (const char* integrator : {"dopri5", "cvode_bdf", "cvode_adams"})
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      Model model = read_model_text(R"yaml(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 1.17, center: [0.162, 0, 0], inertia: {zz: 0.198}}
  lower: {mass: 0.54, center: [0.15, 0, 0], inertia: {zz: 0.0636}}
joints:
  a: {type: revolute, between: [ground, upper]}
  b: {type: revolute, between: ["upper [0.408, 0, 0]", lower], friction: 1.27}
constraints: {p: {type: prescribed, zero: "a - 0.272*tanh(5*(t - 1))"}}
start: {keep: {b: 0.557}}
simulate: {end: 5, record: 0.02}
)yaml");
      model.simulate.integrator = integrator, model.simulate.rtol = rtol;
      EXPECT_THAT(simulated(model).outcome.findings, SizeIs(0)) << integrator << " " << rtol;
    }
}

// Of what a record of inputs leaves open (identify/held_inputs_test.cpp), of the rows of a rollout (run/rollout_test.cpp), and of FMUs
// (couple/foreign_fmu_test.cpp).
const std::set<FindingCode> provoked_elsewhere = {FindingCode::held_input, FindingCode::failed, FindingCode::fmu};

Findings findings_of(const Provoked& provoked, const Model& model) {
  MemoryRecorder rows;
  switch (provoked.by) {
    case By::run: return simulate(prepared(model), rows).findings;
    case By::inverse: return inverse(model, prepare_inverse(model), rows, {}).findings;
    case By::kinematics: return record_kinematics(model, prepare_kinematics(model), rows, {}).findings;
    case By::verify: return verify(model, prepared(model), rows).first.findings;
    case By::results: break;
  }
  return MotionResults(model, {{"r", provoked.result}}).compute({}).findings;
}

Model model_of(const Provoked& provoked) { return read_model_text("armature: 1\n" + provoked.model); }

// Those that a motion has, whoever asks for it: neither of the verbs that only put poses together, nor of one run alone.
bool is_of_motions(const Provoked& provoked) {
  return provoked.by == By::run || provoked.by == By::inverse || provoked.code == FindingCode::undefined;
}
bool fails(const Provoked& provoked) { return row_of(provoked.code).severity == Severity::failure; }

TEST(Findings, AreAllProvokedByAModel) {
  std::set<FindingCode> codes = provoked_elsewhere;
  for (const Provoked& each : provoked()) {
    codes.insert(each.code);
    const Findings found = findings_of(each, model_of(each));
    EXPECT_THAT(found, Contains(Field(&Finding::code, each.code))) << row_of(each.code).code;
    // a sentence is its row's, with all of its fields filled in
    const std::string sentence = row_of(each.code).sentence;
    const std::string begins = sentence.substr(0, sentence.find('{'));
    for (const Finding& finding : found) {
      EXPECT_THAT(finding.sentence, Not(testing::HasSubstr("{")));
      if (finding.code == each.code) {
        EXPECT_THAT(finding.sentence, testing::StartsWith(begins));
      }
    }
  }
  EXPECT_THAT(codes, SizeIs(finding_rows.size())) << "a row of findings.def has no model here";
}

TEST(Findings, AreCountedAndNamedBySweeps) {
  for (const Provoked& each : provoked()) {
    if (!is_of_motions(each)) continue;
    SweepOptions options;
    options.over = {{"p", 1, 1.01, 2}};
    options.results = {{"r", each.result}};
    options.inverse = each.by == By::inverse;
    CellSession session({.threads = 1});
    const SweepResult sweep = sweep_motions(model_of(each), options, session);
    const std::string code(row_of(each.code).code);
    if (fails(each)) {
      EXPECT_EQ(sweep.failures.count, 2) << code;
      continue;
    }
    EXPECT_THAT(sweep.warnings.kinds, Contains(Field(&MotionDiagnostic::code, code))) << code << ": " << sweep.sentence;
    EXPECT_THAT(warning_words(sweep.warning_bits.at(0)), testing::HasSubstr(code));
    for (const MotionDiagnostic& kind : sweep.warnings.kinds) EXPECT_NE(kind.sentence, "") << code;
  }
}

// Soft beams and friction that drives: what a class or an optimum says nothing of.
TEST(Findings, AreCountedAndNamedByMapsAndOptimizations) {
  for (const Provoked& each : provoked()) {
    if (each.code != FindingCode::bending && each.code != FindingCode::negative_friction) continue;
    const std::string code(row_of(each.code).code);
    MapOptions mapped;
    mapped.over = {{"p", 1, 1.01, 2}};
    mapped.classify = "a: final(q) > 3; b";
    CellSession maps({.threads = 1});
    EXPECT_THAT(map_motions(model_of(each), mapped, maps).warnings.kinds,
                Contains(Field(&MotionDiagnostic::code, code)));
    OptimizationOptions optimized;
    optimized.over = {{"p", 1, 1.01, 0}};
    optimized.objective = "final(q)^2";
    optimized.evaluations = 4;
    CellSession optimizations({.threads = 1});
    const OptimizationResult optimum = optimize_motion(model_of(each), optimized, optimizations);
    EXPECT_THAT(optimum.warnings.kinds, Contains(Field(&MotionDiagnostic::code, code)));
    EXPECT_THAT(optimum.best_warnings, testing::HasSubstr(code));
  }
}

}  // namespace
}  // namespace armature::internal
