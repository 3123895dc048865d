// What the reference of the format says of a missing key ("default: 0") is what a run takes: a model with that value
// written out moves to the same bits.
#include <gtest/gtest.h>

#include <regex>

#include "read/format_reference.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// A model that has the section; @ is where a further key may stand.
struct Host {
  const char* section;
  std::string text;
};

const std::string head = "armature: 1\nsimulate: {end: 0.02, integrator: rk4, step: 1e-3}\n";
const std::string planar = head + "plane: xy\ngravity: [0, -9.81, 0]\n";
const std::string pendulum = "bodies: {b: {mass: 1, center: [0.5, 0, 0], inertia: {zz: 0.1}}}\n";
const std::string hinge = "joints: {q: {type: revolute, between: [ground, b]}}\nstart: {speed: {q: 1}}\n";

std::string two_angles(const std::string& rest) {
  return planar + "bodies: {a: {mass: 1, inertia: {zz: 1}}, b: {mass: 1, inertia: {zz: 2}}}\n" +
         "joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [ground, b]}}\n" + rest;
}

std::string beam(const std::string& inside) {
  return planar + "bodies: {b: {beam: {length: 0.5, section: {rectangle: [3 mm, 30 mm]}, E: 7e10, rho: 2700, " +
         inside + "}}}\n" + hinge;
}

std::string motor(const std::string& inside) {
  return planar + pendulum + hinge + "drives: {m: {type: dc_motor, on: q, voltage: 5, " + inside + "}}\n";
}

const std::string constants = "torque_constant: 0.1, resistance: 2";

const std::vector<Host> hosts = {
    {"tables", planar + pendulum + hinge + "tables: {f: {x: [0, 1, 2], y: [1, 3, 2]@}}\n" +
                   "forces: {e: {type: effort, on: q, is: f(1.5 + 10*t) + f(2.5)}}\n"},
    {"bodies", planar + "bodies: {b: {mass: 1, inertia: {zz: 0.1}@}}\n" + hinge},
    {"beam", beam("nu: 0.3@")},
    {"beam damping", beam("damping: {mass: 1@}")},
    {"inertia", head + "gravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: {xx: 1, yy: 2, zz: 2.5@}}}\n" +
                    "joints: {q: {type: free, between: [ground, b]}}\nstart: {speed: {b: {spin: [1, 2, 3]}}}\n"},
    {"joints: one axis",
     planar + pendulum + "joints: {q: {type: revolute, between: [ground, b]@}}\nstart: {speed: {q: 1}}\n"},
    {"friction", planar + pendulum + "joints: {q: {type: revolute, between: [ground, b], friction: {coulomb: 9@}}}\n"},
    {"spring", planar + pendulum + "joints: {q: {type: revolute, between: [ground, b], spring: {stiffness: 9@}}}\n"},
    {"limits",
     planar + pendulum + "joints: {q: {type: revolute, between: [ground, b], limits: {lower: 0, stiffness: 99@}}}\n"},
    {"lagrangian", head + "lagrangian: {coordinates: {q: rad}, kinetic: 1/2*q'^2@}\nstart: {speed: {q: 1}}\n"},
    {"constraints: gear",
     two_angles("constraints: {c: {type: gear, between: [p, q], ratio: 2@}}\nstart: {speed: {p: 1}}\n")},
    {"forces: spring",
     planar + pendulum + hinge + "forces: {f: {type: spring, between: [\"b [1, 0, 0]\", \"ground [1, 1, 0]\"]@}}\n"},
    {"forces: torsion_spring", planar + pendulum + hinge + "forces: {f: {type: torsion_spring, on: q@}}\n"},
    {"forces: force", planar + pendulum + hinge + "forces: {f: {type: force, on: \"b [1, 0, 0]\", is: [0, 3, 0]@}}\n"},
    {"forces: torque", planar + pendulum + hinge + "forces: {f: {type: torque, on: b, is: [0, 0, 3]@}}\n"},
    {"drives: dc_motor", motor(constants + "@")},
    {"datasheet", motor("datasheet: {voltage: 12, no_load_speed: 300, stall_torque: 0.24, resistance: 2@}")},
    {"elastic", motor(constants + ", gear_ratio: 5, rotor_inertia: 1e-3, elastic: {stiffness: 50@}")},
    {"winding", motor(constants + ", winding: {heat_capacity: 1, thermal_resistance: 3@}")},
    {"controllers: pid", planar + pendulum + hinge + "controllers: {c: {type: pid, measure: q, target: 1@}}\n" +
                             "forces: {e: {type: effort, on: q, is: c}}\n"},
    {"controllers: computed_torque", planar + pendulum + hinge +
                                         "controllers: {c: {type: computed_torque, on: [q], target: [t]@}}\n" +
                                         "forces: {e: {type: effort, on: q, is: c.q}}\n"},
    {"sampled", planar + pendulum + hinge +
                    "controllers: {c: {type: pd, measure: q, target: 1, kp: 3, sampled: {period: 3 ms@}}}\n" +
                    "forces: {e: {type: effort, on: q, is: c}}\n"},
    {"simulate", "armature: 1\nsimulate: {end: 0.02@}\nplane: xy\ngravity: [0, -9.81, 0]\n" + pendulum + hinge},
};

bool is_value(const std::string& text) {
  static const std::regex value(R"(-?[0-9][0-9.e-]*( [A-Za-z]+)?|\[.*\]|[a-z0-9_]+)");
  static const std::regex prose("required|none|missing|chosen|torque_constant");
  return std::regex_match(text, value) && !std::regex_match(text, prose);
}

std::string with(const Host& host, const std::string& more) {
  std::string text = host.text;
  return text.replace(text.find('@'), 1, more);
}

Eigen::VectorXd last_of(const std::string& text) { return simulated(read_model_text(text)).outcome.last.x; }

TEST(FormatDefaults, AreThoseOfTheReference) {
  int checked = 0;
  for (const Host& host : hosts) {
    const Eigen::VectorXd expected = last_of(with(host, ""));
    for (const KeySpec& spec : format_keys(host.section)) {
      const std::string name(spec.name), fallback(spec.fallback);
      if (!is_value(fallback) || host.text.find(name + ": ") != std::string::npos) continue;
      SCOPED_TRACE(host.section + (": " + name) + ": " + fallback);
      EXPECT_EQ(last_of(with(host, ", " + name + ": " + fallback)), expected);
      ++checked;
    }
  }
  EXPECT_GE(checked, 45);
}

}  // namespace
}  // namespace armature::internal
