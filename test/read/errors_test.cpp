// Bad files and the exact sentences they get.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "read/reader.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

std::string errors(const std::string& text, const Settings& settings = {}) {
  try {
    read_model_text(text, "m.yaml", settings);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

// What a file says about one line (its sixth) after the five lines of a pendulum.
std::string line(const std::string& more) {
  return errors(
      "armature: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "parameters: {length: 2 m, k: 5}\n"
      "bodies: {bob: {mass: 1 kg, center: [length, 0, 0], inertia: none, points: {tip: [length, 0, 0]}}}\n"
      "joints: {hinge: {type: revolute, axis: y, between: [ground, bob]}}\n" +
      more);
}

// What a file says about one more body and its joint, both in line 3.
std::string body(const std::string& text) {
  return errors("armature: 1\ngravity: [0, 0, 0]\nbodies: {b: {" + text +
                "}}\njoints: {f: {type: free, between: [ground, b]}}\n");
}

// The same for a joint in line 4, between the ground and b.
std::string joint(const std::string& text, const std::string& head = "") {
  return errors("armature: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\njoints: {j: {between: [ground, b], " + text +
                "}}\n" + head);
}

TEST(Errors, OfTheWholeFile) {
  EXPECT_EQ(errors(""), "m.yaml: the file is empty: a model begins with 'armature: 1'");
  EXPECT_EQ(errors("# nothing\n"), "m.yaml: the file is empty: a model begins with 'armature: 1'");
  EXPECT_EQ(errors("- a\n"), "m.yaml:1: this is not a model file: a model begins with 'armature: 1'");
  EXPECT_EQ(errors(std::string("a\0b", 3)), "m.yaml: this is not a text file");
  EXPECT_EQ(errors("armature: 1\n"), "m.yaml:1: bodies: the model has no bodies");
  EXPECT_EQ(line("---\na: 1\n"), "m.yaml:7: the file holds a second document (after '---'); a model is one document");
  EXPECT_EQ(line("lagrangian: {}\n"),
            "m.yaml:6: lagrangian: a model is given by bodies and joints or by a Lagrangian, not by both");
  EXPECT_EQ(line("boddies: {}\n"), "m.yaml:6: boddies: unknown key (did you mean 'bodies'?)");
  EXPECT_EQ(line("plane: zx\n"), "m.yaml:6: plane: unknown word 'zx' (did you mean 'xz'?)");
  EXPECT_EQ(line("constraints: 3\n"), "m.yaml:6: constraints: expected a map of names, not '3'");
}

TEST(Errors, OfTabsAndDegrees) {
  EXPECT_EQ(line("forces:\n\tf: 1\n"), "m.yaml:7: the line is indented with a tab; YAML needs spaces");
  EXPECT_EQ(line("start: {keep: {hinge: 90°}}\n"),
            "m.yaml:6: start.keep.hinge: a formula cannot contain '°'; write '90 deg' in '90°'");
}

TEST(Errors, OfADefinitionAreNotThoseOfItsUsers) {
  EXPECT_EQ(
      line("define:\n  a: 1,5\n  b: 2*a\n"),
      "m.yaml:7: define.a: a comma is outside of parentheses in '1,5'\nm.yaml:8: define.b: 'a' has no value here");
}

TEST(Errors, OfVersionAndGravity) {
  EXPECT_EQ(
      errors(
          "armature: 2\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\njoints: {j: {type: free, between: [ground, b]}}\n"),
      "m.yaml:1: armature: version 2 of the file format is unknown; this program reads version 1");
  EXPECT_EQ(errors("armature: 1\nbodies: {b: {mass: 1}}\njoints: {j: {type: free, between: [ground, b]}}\n"),
            "m.yaml:1: gravity: is missing: write [0, 0, -9.81 m/s^2], or [0, 0, 0] for none");
  EXPECT_EQ(errors("gravity: [0, 0]\nbodies: {b: {mass: 1}}\njoints: {j: {type: free, between: [ground, b]}}\n"),
            "m.yaml:1: 'armature' is missing (version of the file format: 1)\n"
            "m.yaml:1: gravity: expected three components [x, y, z], not 2");
}

TEST(Errors, BeginWithTheirCause) {
  EXPECT_EQ(
      errors(
          "armature: 1\nGravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\njoints: {j: {type: free, between: [ground, b]}}\n"),
      "m.yaml:2: Gravity: unknown key (did you mean 'gravity'?)");
  EXPECT_THAT(
      errors(
          "armature: 1\ngravity: [0, 0, 0]\njoints: {j: {type: free, between: [ground, b]}}\nbodes: {b: {mass: 1}}\n"),
      testing::StartsWith("m.yaml:4: bodes: unknown key (did you mean 'bodies'?)"));
}

TEST(Errors, OfFilesThatCannotBeRead) {
  const auto error = [](const std::string& path) -> std::string {
    try {
      read_model(path);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(error(folder + "/no/such.yaml"), folder + "/no/such.yaml: there is no such file");
  EXPECT_EQ(error(folder), folder + ": is a folder, not a model file");
  EXPECT_EQ(error("/dev/zero"), "/dev/zero: is a device, not a model file");  // which never ends
  TemporaryFolder temporary;
  const std::string pipe = (temporary / "pipe.yaml").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error(pipe), pipe + ": is a pipe, not a model file");  // rather than waiting for one who writes
}

TEST(Errors, OfYaml) {
  const std::string advice = ". Inside {} or [] a text that holds any of [ ] { } , : # needs quotes";
  EXPECT_EQ(joint("type: fixed, x: a [1, 0]"), "m.yaml:4: not valid YAML here: end of map flow not found" + advice);
  EXPECT_EQ(line("a: &a [*a]\n"), "m.yaml:6: an alias is inside its own anchor");
  EXPECT_EQ(line("a: " + std::string(100, '[') + std::string(100, ']')), "m.yaml:6: nested more than 60 levels deep");
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 1; j < 10; ++j) laughs += ", " + before;
    laughs += "]\n";
  }
  EXPECT_EQ(errors(laughs), "m.yaml:5: the file holds more than 1000000 values");
}

TEST(Errors, OfFormulasThatACommaSplit) {
  EXPECT_EQ(line("forces: {f: {type: effort, on: hinge, is: if(hinge > 0, -k, 0)}}\n"),
            "m.yaml:6: forces.f.is: a comma split this formula; put it in quotes: \"if(hinge > 0, -k, 0)\"");
  EXPECT_EQ(line("forces: {f: {type: force, on: bob, is: [max(k, 1), 0, 0]}}\n"),
            "m.yaml:6: forces.f.is: a comma split this formula; put it in quotes: \"max(k, 1)\"");
  EXPECT_EQ(
      line("forces: {f: {type: effort, on: hinge, is: 2, -k}}\n"),
      "m.yaml:6: forces.f.-k: unknown key; if it is a piece of a formula with a comma, put the formula in quotes");
}

TEST(Errors, OfKeysThatStandTwice) {
  EXPECT_EQ(line("simulate:\n  end: 1\n  end: 2\n"), "m.yaml:8: simulate.end: is given twice; first in line 7");
  EXPECT_EQ(line("gravity: [0, 0, 0]\n"), "m.yaml:6: gravity: is given twice; first in line 2");
}

TEST(Errors, OfNumbersThatAreNot) {
  EXPECT_EQ(line("simulate: {end: yes}\n"), "m.yaml:6: simulate.end: unknown name 'yes'");
  EXPECT_EQ(line("simulate: {end: 0x10}\n"),
            "m.yaml:6: simulate.end: numbers are decimal; 0x, 0b and 0o are not supported in '0x10'");
  EXPECT_EQ(line("simulate: {end: 1_000}\n"),
            "m.yaml:6: simulate.end: digits cannot be grouped with '_'; write 1000 or 1e3 in '1_000'");
  EXPECT_EQ(line("simulate: {end: .inf}\n"), "m.yaml:6: simulate.end: expected a value, not '.' in '.inf'");
  EXPECT_EQ(line("simulate: {end: }\n"), "m.yaml:6: simulate.end: expected a formula, not nothing");
  EXPECT_EQ(line("simulate: {end: {a: 1}}\n"), "m.yaml:6: simulate.end: expected a formula, not a map");
  EXPECT_EQ(line("simulate: {end: 1e-3}\n"), "no error");
}

TEST(Errors, OfParameters) {
  const auto parameters = [](const std::string& text) {
    return errors("armature: 1\ngravity: [0, 0, 0]\nparameters: {" + text +
                  "}\nbodies: {b: {mass: 1}}\njoints: {f: {type: free, between: [ground, b]}}\n");
  };
  EXPECT_EQ(parameters("p: q, q: r + 1, r: p"), "m.yaml:3: parameters.p: depends on itself: p -> q -> r -> p");
  EXPECT_EQ(parameters("p: p"), "m.yaml:3: parameters.p: depends on itself: p -> p");
  EXPECT_EQ(parameters("width: 2, p: widht*2"), "m.yaml:3: parameters.p: unknown name 'widht' (did you mean 'width'?)");
  EXPECT_EQ(parameters("p: 1/(2 - 2)"), "m.yaml:3: parameters.p: divides by zero");
  EXPECT_EQ(parameters("p: sqrt(-2)"), "m.yaml:3: parameters.p: sqrt gives no real number");
  EXPECT_EQ(parameters("p: 1 m + 2 s"), "m.yaml:3: parameters.p: adds m to s");
  EXPECT_EQ(parameters("p: \"[1, 2, 3]\""),
            "m.yaml:3: parameters.p: a parameter is one number; write a vector under 'define'");
  EXPECT_EQ(parameters("p: t"), "m.yaml:3: parameters.p: unknown name 't'");
  EXPECT_EQ(parameters("sin: 2"), "m.yaml:3: parameters.sin: the name 'sin' has a meaning in formulas already");
  EXPECT_EQ(parameters("2p: 2"),
            "m.yaml:3: parameters.2p: '2p' is not a name: names are letters, digits and _, a letter first");
  EXPECT_EQ(parameters("b: 2"), "m.yaml:4: bodies.b: the parameter in line 3 already has this name");
}

TEST(Errors, OfSettings) {
  const std::string text =
      "armature: 1\ngravity: [0, 0, 0]\nparameters: {width: 1}\nbodies: {b: {mass: width}}\n"
      "joints: {f: {type: free, between: [ground, b]}}\n";
  EXPECT_EQ(errors(text, {{"widht", "2"}}),
            "m.yaml: --set widht: there is no parameter 'widht' (did you mean 'width'?)");
  EXPECT_EQ(errors(text, {{"width", "2*"}}),
            "m.yaml: parameters.width: the formula ends where a value is expected in '2*'");
  EXPECT_EQ(errors(text, {{"simulate.ende", "2"}}), "m.yaml: simulate.ende: unknown key (did you mean 'end'?)");
}

TEST(Errors, OfBodies) {
  EXPECT_EQ(body("center: [1, 0, 0]"), "m.yaml:3: bodies.b: 'mass' is missing (mass of the body; 0: massless)");
  EXPECT_EQ(body("mass: -1"), "m.yaml:3: bodies.b.mass: must not be negative, but it is -1");
  EXPECT_EQ(body("mass: 0"), "no error");
  EXPECT_EQ(body("mass: 5 mm"), "m.yaml:3: bodies.b.mass: expected kg, but '5 mm' is m");
  EXPECT_EQ(body("mass: 1, weight: 2"),
            "m.yaml:3: bodies.b.weight: unknown key; expected mass, center, inertia, points or shape");
  EXPECT_EQ(body("mass: 1, center: 2"), "m.yaml:3: bodies.b.center: expected a vector [x, y, z], not a number");
  EXPECT_EQ(body("mass: 1, center: [1 m, 2 kg, 0]"),
            "m.yaml:3: bodies.b.center: expected m, but the entries of '[1 m, 2 kg, 0]' differ in dimension");
  EXPECT_EQ(body("mass: f.qw"), "m.yaml:3: bodies.b.mass: must be a constant, but it depends on 'f.qw'");
  EXPECT_EQ(body("mass: 1, points: {x: [1, 0, 0]}"),
            "m.yaml:3: bodies.b.points.x: a point cannot be called x, y or z: these are components");
  EXPECT_EQ(
      errors(
          "armature: 1\ngravity: [0, 0, 0]\nbodies:\n  a: {mass: 1}\n  b: {mass: 1}\njoints: {f: {type: free, between: "
          "[ground, b]}}\n"),
      "m.yaml:4: bodies.a: no joint connects it to the ground; a body that moves freely needs a joint of type free");
}

TEST(Errors, OfInertia) {
  EXPECT_EQ(body("mass: 1, inertia: {xx: 1, yy: 1, zz: 3}"),
            "m.yaml:3: bodies.b.inertia: no body has this inertia: each moment is at most the sum of the other two");
  EXPECT_EQ(body("mass: 1, inertia: {xx: 1, yy: 1, zz: 2}"), "no error");
  EXPECT_EQ(body("mass: 1, inertia: {xx: 1, yy: 1, zz: 1, xy: 0.9}"),
            "m.yaml:3: bodies.b.inertia: no body has this inertia: its products are too large for its moments");
  EXPECT_EQ(body("mass: 1, inertia: {zz: -1}"), "m.yaml:3: bodies.b.inertia: zz must not be negative, but it is -1");
  EXPECT_EQ(body("mass: 1, inertia: {zz: 1, yx: 2}"),
            "m.yaml:3: bodies.b.inertia.yx: unknown key (did you mean 'xy'?)");
  EXPECT_EQ(body("mass: 1, inertia: {rod: 1, zz: 2}"),
            "m.yaml:3: bodies.b.inertia: give rod, box, cylinder, sphere or about_origin alone");
  EXPECT_EQ(body("mass: 1, inertia: {rod: -1}"), "m.yaml:3: bodies.b.inertia.rod: must be positive, but it is -1");
  // A rod of 1 m about its end has 1/3; less than m c^2 = 1/4 about a point 0.5 m from the center cannot be.
  EXPECT_EQ(body("mass: 1, center: [0.5, 0, 0], inertia: {about_origin: {xx: 0, yy: 1/3, zz: 1/3}}"), "no error");
  EXPECT_EQ(body("mass: 1, center: [0.5, 0, 0], inertia: {about_origin: {xx: 0, yy: 0.2, zz: 0.2}}"),
            "m.yaml:3: bodies.b.inertia: no body has this inertia: each moment is at most the sum of the other two "
            "(about the center it is xx 0, yy -0.05, zz -0.05)");
}

TEST(Errors, OfJoints) {
  EXPECT_EQ(joint("axis: z"),
            "m.yaml:4: joints.j: 'type' is missing (revolute, prismatic, cylindrical, universal, spherical, planar, "
            "free, fixed or screw)");
  EXPECT_EQ(joint("type: revolut"),
            "m.yaml:4: joints.j.type: unknown type of joint 'revolut' (did you mean 'revolute'?)");
  EXPECT_EQ(joint("type: cam"),
            "m.yaml:4: joints.j.type: unknown type of joint 'cam'; expected revolute, prismatic, "
            "cylindrical, universal, spherical, planar, free, fixed or screw");
  EXPECT_EQ(joint("type: revolute"),
            "m.yaml:4: joints.j.axis: is missing: x, y, z or a vector (or write 'plane: xy' at the top level, if all "
            "motion is parallel to a plane)");
  EXPECT_EQ(joint("type: revolute", "plane: xz\n"), "no error");
  EXPECT_EQ(joint("type: prismatic", "plane: xz\n"), "m.yaml:4: joints.j.axis: is missing: x, y, z or a vector");
  EXPECT_EQ(joint("type: revolute, axis: [0, 0, 0]"),
            "m.yaml:4: joints.j.axis: the axis has no direction: all its components are zero");
  EXPECT_EQ(joint("type: revolute, axis: w"), "m.yaml:4: joints.j.axis: unknown name 'w'");
  EXPECT_EQ(joint("type: universal, axis: x"), "m.yaml:4: joints.j.axis: unknown key (did you mean 'axes'?)");
  EXPECT_EQ(joint("type: spherical, axis: x"),
            "m.yaml:4: joints.j.axis: unknown key; expected type, between, cut, turned or clearance");
  EXPECT_EQ(joint("type: fixed, cut: yes"), "m.yaml:4: joints.j.cut: write true or false, not 'yes'");
  EXPECT_EQ(joint("type: revolute, axis: z, damping: 2 N*s/m"),
            "m.yaml:4: joints.j.damping: expected N m s, but '2 N*s/m' is N s/m");
  EXPECT_EQ(joint("type: prismatic, axis: z, damping: 2 N*s/m"), "no error");
  EXPECT_EQ(joint("type: cylindrical, axis: z, damping: 2"),
            "m.yaml:4: joints.j.damping: this joint has several coordinates; write damping: {angle: …, slide: …}");
  EXPECT_EQ(joint("type: cylindrical, axis: z, damping: {turn: 2}"),
            "m.yaml:4: joints.j.damping.turn: unknown coordinate of this joint; it has angle or slide");
  EXPECT_EQ(joint("type: revolute, axis: z, limits: {lower: 1, upper: 0, stiffness: 1}"),
            "m.yaml:4: joints.j.limits: lower (1) must be below upper (0)");
  EXPECT_EQ(joint("type: revolute, axis: z, limits: {stiffness: 1}"),
            "m.yaml:4: joints.j.limits: needs lower, upper or both");
  EXPECT_EQ(joint("type: revolute, axis: z, friction: -1"),
            "m.yaml:4: joints.j.friction: must not be negative, but it is -1");
  EXPECT_EQ(joint("type: revolute, axis: z, friction: {coulomb: 1, breakaway: 0.5}"),
            "m.yaml:4: joints.j.friction.breakaway: must be 1 or more, but it is 0.5");
}

TEST(Errors, OfPlaces) {
  const auto between = [](const std::string& places) {
    return line("forces: {f: {type: spring, stiffness: 1, between: " + places + "}}\n");
  };
  EXPECT_EQ(between("[ground, bop]"), "m.yaml:6: forces.f.between: unknown body or point 'bop' (did you mean 'bob'?)");
  EXPECT_EQ(between("[ground, bob.tpi]"),
            "m.yaml:6: forces.f.between: unknown body or point 'bob.tpi' (did you mean 'bob.tip'?)");
  EXPECT_EQ(between("[ground, \"bop [1, 0, 0]\"]"),
            "m.yaml:6: forces.f.between: unknown body 'bop' (did you mean 'bob'?)");
  EXPECT_EQ(between("[ground, \"bob [1, 0]\"]"),
            "m.yaml:6: forces.f.between: expected three components [x, y, z], not 2");
  EXPECT_EQ(between("[bob, bob.tip]"), "m.yaml:6: forces.f.between: both places are on body 'bob'");
  EXPECT_EQ(between("bob"), "m.yaml:6: forces.f.between: expected two entries in a list: [a, b]");
  EXPECT_EQ(between("[[0, 0, 0], bob]"),
            "m.yaml:6: forces.f.between: expected a place such as body, body.point or \"body [x, "
            "y, z]\" (with quotes), not a list");
}

TEST(Errors, OfForces) {
  EXPECT_EQ(line("forces: {f: {on: hinge}}\n"),
            "m.yaml:6: forces.f: 'type' is missing (spring, torsion_spring, coordinate_spring, gas_spring, bushing, "
            "belt, rope, worm, power_screw, clutch, freewheel, brake, friction, gear_loss, contact, force, torque or "
            "effort)");
  EXPECT_EQ(line("forces: {f: {type: sping, on: hinge}}\n"),
            "m.yaml:6: forces.f.type: unknown type of force 'sping' (did you mean 'spring'?)");
  EXPECT_EQ(line("forces: {f: {type: effort, on: hinges, is: 1}}\n"),
            "m.yaml:6: forces.f.on: unknown coordinate 'hinges' (did you mean 'hinge'?)");
  EXPECT_EQ(line("forces: {f: {type: effort, on: hinge, is: 3 N}}\n"),
            "m.yaml:6: forces.f.is: expected N m, but '3 N' is N");
  EXPECT_EQ(line("forces: {f: {type: effort, on: hinge, is: bob.tipp.x}}\n"),
            "m.yaml:6: forces.f.is: unknown name 'bob.tipp.x' (did you mean 'bob.tip'?)");
  EXPECT_EQ(line("forces: {f: {type: force, on: ground, is: [1, 0, 0]}}\n"),
            "m.yaml:6: forces.f.on: is on the ground, which does not move; name a place on a body");
  EXPECT_EQ(line("forces: {f: {type: torque, on: bob, is: 3}}\n"),
            "m.yaml:6: forces.f.is: expected a vector [x, y, z], not a number");
  EXPECT_EQ(line("forces: {f: {type: force, on: bob, is: [1, 0, 0], frame: boddy}}\n"),
            "m.yaml:6: forces.f.frame: unknown word 'boddy' (did you mean 'body'?)");
}

TEST(Errors, OfConstraints) {
  EXPECT_EQ(line("constraints: {c: {type: distance, between: [ground, bob], length: 0}}\n"),
            "m.yaml:6: constraints.c.length: must be positive, but it is 0");
  EXPECT_EQ(line("constraints: {c: {type: gear, between: [hinge, hinge], ratio: 2}}\n"),
            "m.yaml:6: constraints.c.between: couples a coordinate with itself");
  EXPECT_EQ(line("constraints: {c: {type: prescribed}}\n"),
            "m.yaml:6: constraints.c: 'zero' is missing (number or list that must be zero)");
  EXPECT_EQ(line("constraints: {hinge: {type: prescribed, zero: hinge}}\n"),
            "m.yaml:6: constraints.hinge: the joint in line 5 already has this name");
}

// Chains as long as a loop can make them: what a name needs is evaluated before it, without recursion.
TEST(Errors, OfNoneInLongChainsOfNames) {
  EXPECT_EQ(line("define: {p0: hinge, \"p{i}\": {for: {i: 1..9999}, is: \"p{i-1} + 1\"}}\n"
                 "forces: {f: {type: effort, on: hinge, is: p9999}}\n"),
            "no error");
  EXPECT_EQ(errors("armature: 1\ngravity: [0, 0, 0]\n"
                   "parameters: {\"p{i}\": {for: {i: 1..9999}, is: \"p{i+1} + 1\"}, p10000: 0}\n"
                   "bodies: {b: {mass: p1, inertia: none}}\n"
                   "joints: {s: {type: prismatic, axis: x, between: [ground, b]}}\n"),
            "no error");
}

TEST(Errors, OfValuesThatNoBodyHas) {
  EXPECT_EQ(body("mass: [1], inertia: none"), "m.yaml:3: bodies.b.mass: expected a number, not a vector of 1");
  EXPECT_EQ(body("mass: 1, inertia: {box: [1, -2, 1]}"),
            "m.yaml:3: bodies.b.inertia.box: must be positive, but it is -2");
  EXPECT_EQ(body("mass: 1, center: [0.5, 0, 0], inertia: {about_origin: {zz: 0.01}}"),
            "m.yaml:3: bodies.b.inertia: zz about the origin is too small: the mass at the center alone gives more, "
            "and zz about the center would be -0.24");
}

TEST(Errors, OfTablesWithoutPoints) {
  EXPECT_EQ(line("tables: {f: {x: [], y: []}}\n"), "m.yaml:6: tables.f: a table needs two points at least");
  TemporaryFolder folder;
  const auto table = [&](const std::string& text) {
    std::ofstream(folder / "t.csv") << text;
    const std::string file = (folder / "m.yaml").string();
    try {
      read_model_text(
          "armature: 1\ngravity: [0, 0, 0]\ntables: {f: {file: t.csv}}\n"
          "bodies: {b: {mass: 1, inertia: none}}\njoints: {s: {type: prismatic, axis: x, between: [ground, b]}}\n",
          file);
    } catch (const ModelError& error) {
      return std::string(error.what()).substr(file.size());
    }
    return std::string("no error");
  };
  EXPECT_EQ(table("x,y\n"), ":3: tables.f: a table needs two points at least");
  EXPECT_EQ(table("0,1\n1,2\n2,3\n"),
            ":3: tables.f.file: t.csv: the first line must name the columns, but it holds numbers: 0,1");
  EXPECT_EQ(table("\xef\xbb\xbfx,y\n0,1\n1,2\n"), "no error");
}

TEST(Errors, OfLoopsWhoseProductIsTooLarge) {
  EXPECT_EQ(errors("armature: 1\ngravity: [0, 0, 0]\n"
                   "bodies:\n  \"b{k}\":\n    for: {k: 1..10000}\n    mass: 1\n    inertia: none\n"
                   "    points: {\"p{i}\": {for: {i: 1..10000}, is: [\"i\", 0, 0]}}\n"
                   "joints: {\"s{k}\": {for: {k: 1..10000}, type: free, between: [ground, \"b{k}\"]}}\n")
                .substr(0, 87),
            "m.yaml:8: bodies.b20.points.p{i}.for: the loops of the file make more than 200000 items");
}

// A list of mistakes that nobody reads to its end is cut, and so is a long one.
TEST(Errors, AreCutAtASensibleLength) {
  const std::string many = errors(
      "armature: 1\ngravity: [0, 0, 0]\n"
      "parameters: {\"p{i}\": {for: {i: 1..9999}, is: \"x{i}\"}}\n"
      "bodies: {b: {mass: 1, inertia: none}}\n"
      "joints: {s: {type: prismatic, axis: x, between: [ground, b]}}\n");
  EXPECT_LT(many.size(), 20000u);
  EXPECT_TRUE(many.ends_with("m.yaml: and 9899 more errors")) << many.substr(many.size() - 200);
  const std::string longest =
      line("forces: {f: {type: effort, on: hinge, is: \"" + std::string(100000, '$') + "\"}}\n");
  EXPECT_LT(longest.size(), 1200u) << longest.substr(0, 300);
}

TEST(Errors, OfALongCycleNameItsEndsOnly) {
  EXPECT_EQ(errors("armature: 1\ngravity: [0, 0, 0]\n"
                   "parameters: {\"p{i}\": {for: {i: 1..9999}, is: \"p{i+1} + 1\"}, p10000: p1}\n"
                   "bodies: {b: {mass: 1, inertia: none}}\n"
                   "joints: {s: {type: prismatic, axis: x, between: [ground, b]}}\n"),
            "m.yaml:3: parameters.p1: depends on itself: p1 -> p2 -> p3 -> p4 -> p5 -> p6 -> (9989 more) -> "
            "p9996 -> p9997 -> p9998 -> p9999 -> p10000 -> p1");
}

TEST(Errors, OfDefinitionsAndTables) {
  EXPECT_EQ(line("define: {d: e*2, e: d}\n"), "m.yaml:6: define.d: depends on itself: d -> e -> d");
  EXPECT_EQ(line("tables: {f: {x: [0, 1], y: [0, 1, 2]}}\n"), "m.yaml:6: tables.f: x has 2 values, but y has 3");
  EXPECT_EQ(line("tables: {f: {x: [0, 1, 1], y: [0, 1, 2]}}\n"),
            "m.yaml:6: tables.f: x must increase, but 1 follows 1");
  EXPECT_EQ(line("tables: {f: {file: none.csv}}\n"), "m.yaml:6: tables.f.file: none.csv: there is no such file");
  EXPECT_EQ(line("tables: {f: {file: /dev/zero}}\n"),
            "m.yaml:6: tables.f.file: '/dev/zero' is outside the folder of the model (see --root)");
  EXPECT_EQ(line("tables: {f: {x: [0, 1], y: [0, 1], interpolation: cubic}}\n"),
            "m.yaml:6: tables.f.interpolation: 'cubic' is not one of linear or spline");
}

TEST(Errors, OfTheStart) {
  EXPECT_EQ(line("start: {kep: {hinge: 0}}\n"), "m.yaml:6: start.kep: unknown key (did you mean 'keep'?)");
  EXPECT_EQ(line("start: {keep: {hing: 0}}\n"),
            "m.yaml:6: start.keep.hing: no coordinate, body or point of a body has this name (did you mean 'hinge'?)");
  EXPECT_EQ(line("start: {keep: {hinge: 5 mm}}\n"),
            "m.yaml:6: start.keep.hinge: expected a number without a dimension, but '5 mm' is m");
  EXPECT_EQ(line("start: {near: {bob: {velocity: [1, 0, 0]}}}\n"),
            "m.yaml:6: start.near.bob.velocity: unknown key; expected at, angle or axis");
  EXPECT_EQ(line("start: {near: {bob: {}}}\n"), "m.yaml:6: start.near.bob: is empty; give at, angle or axis");
  EXPECT_EQ(line("start: {speed: {hinge: 2 m/s}}\n"), "m.yaml:6: start.speed.hinge: expected 1/s, but '2 m/s' is m/s");
  EXPECT_EQ(line("start: {keep: {hinge: sin(t)}}\n"),
            "m.yaml:6: start.keep.hinge: must be a constant, but it depends on 't'");
}

TEST(Errors, OfTheRun) {
  EXPECT_EQ(line("simulate: {end: -1}\n"), "m.yaml:6: simulate.end: must be positive, but it is -1");
  EXPECT_EQ(line("simulate: {end: 5 m}\n"), "m.yaml:6: simulate.end: expected s, but '5 m' is m");
  EXPECT_EQ(line("simulate: {integrator: dorpi5}\n"),
            "m.yaml:6: simulate.integrator: unknown word 'dorpi5' (did you mean 'dopri5'?)");
  EXPECT_EQ(line("simulate: {integrator: rk4}\n"), "m.yaml:6: simulate.step: is missing; rk4 needs a fixed step");
  EXPECT_EQ(
      line("simulate: {step: 1e-3}\n"),
      "m.yaml:6: simulate.step: dopri5 chooses its own steps; give max_step to bound them, or a fixed-step integrator: "
      "rk4, rk2, euler or semi_implicit_euler");
  EXPECT_EQ(line("simulate: {rtol: 0}\n"), "m.yaml:6: simulate.rtol: must be positive, but it is 0");
  EXPECT_EQ(line("simulate: {formulation: nullspace}\n"),
            "m.yaml:6: simulate.formulation: unknown word 'nullspace' (did you mean 'null_space'?)");
  EXPECT_EQ(line("simulate: {independent: [hing]}\n"),
            "m.yaml:6: simulate.independent: unknown coordinate 'hing' (did you mean 'hinge'?)");
  EXPECT_EQ(line("simulate: {stabilization: [baumgarte: {alpha: 1}]}\n"),
            "m.yaml:6: simulate.stabilization.baumgarte: give {alpha, beta} or {delta, omega}");
  EXPECT_EQ(line("simulate: {stabilization: [none, projection]}\n"),
            "m.yaml:6: simulate.stabilization: 'none' cannot be combined with other methods");
  EXPECT_EQ(line("record: {reactions: [hing]}\n"),
            "m.yaml:6: record.reactions: unknown joint 'hing' (did you mean 'hinge'?)");
}

TEST(Errors, OfLoops) {
  const auto points = [](const std::string& text) { return line("points:\n  " + text + "\n"); };
  EXPECT_EQ(points("A{i}: [0, 0, 0]"), "m.yaml:7: points.A{i}: has braces in its name but no 'for'");
  EXPECT_EQ(points("A{i}: {for: {i: 1..2, j: [1, 2, 3]}, is: [0, 0, 0]}"),
            "m.yaml:7: points.A{i}.for: 'j' has 3 values, but 'i' has 2");
  EXPECT_EQ(points("A{i}: {for: {i: 1..M}, is: [0, 0, 0]}"), "m.yaml:7: points.A{i}.for: unknown name 'M'");
  EXPECT_EQ(points("A{i}: {for: {i: 1..k/2}, is: [0, 0, 0]}"),
            "m.yaml:7: points.A{i}.for: 'k/2' is 2.5, not a whole number");
  EXPECT_EQ(points("A: {for: {i: 1..2}, is: [i, 0, 0]}"),
            "m.yaml:7: points.A: the point in line 7 already has this name");
  EXPECT_EQ(points("A{i}: {for: {i: 1..1000000}, is: [i, 0, 0]}"),
            "m.yaml:7: points.A{i}.for: the range has more than 10000 values");
}

TEST(Errors, AreSaidAllAtOnceInTheOrderOfTheFile) {
  EXPECT_EQ(errors("armature: 1\n"
                   "gravity: [0, 0, 0]\n"
                   "bodies:\n"
                   "  b: {mass: -1}\n"
                   "joints:\n"
                   "  j: {type: revolute, axis: z, between: [ground, c]}\n"
                   "simulate: {end: 0}\n"),
            "m.yaml:4: bodies.b.mass: must not be negative, but it is -1\n"
            "m.yaml:6: joints.j.between: unknown body or point 'c'\n"
            "m.yaml:7: simulate.end: must be positive, but it is 0");
}

TEST(ReaderErrors, Shapes) {
  const std::string rigid = "mass: 1, inertia: {sphere: 1}, shape: ";
  EXPECT_EQ(body(rigid + "{at: [0, 0, 0]}"),
            "m.yaml:3: bodies.b.shape: a shape is one of box, cylinder, rod, sphere and mesh; here is none");
  EXPECT_EQ(body(rigid + "{box: [1, 1, 1], sphere: 1}"),
            "m.yaml:3: bodies.b.shape: a shape is one of box, cylinder, rod, sphere and mesh; here are several");
  EXPECT_EQ(body(rigid + "{rod: {radius: 1}}"), "m.yaml:3: bodies.b.shape.rod: 'to' is missing (second end)");
  EXPECT_EQ(body(rigid + "{mesh: none.stl}"), "m.yaml:3: bodies.b.shape.mesh: none.stl: there is no such file");
}

}  // namespace
}  // namespace armature::internal
