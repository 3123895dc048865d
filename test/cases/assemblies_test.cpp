// A machine made of sub-assemblies is the one that is written out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "model/diagnostics.hpp"
#include "support/run_model.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

// A cart with two double pendulums of different lengths. The parameter m is also a unit, rods are made by a loop.
constexpr const char* used = R"yaml(gravity: [0, 0, -9.81]
parameters: {long: 0.6 m}
bodies: {cart: {mass: 5 kg, inertia: {sphere: 0.3}}}
joints: {drive: {type: prismatic, axis: x, between: [ground, cart]}}
assemblies:
  arm:
    parameters: {l: 0.4 m, m: 2 kg, k: 3 N*m, y: 0.1 m}
    define: {lift: rod2.tip.z - pivot.z}
    points: {pivot: [0, y, 0]}
    bodies:
      rod{i}: {for: {i: 1..2}, mass: m/i, center: [0.5*l, 0, 0], inertia: {rod: l + 0 m}, points: {tip: [l, 0, 0]}}
    joints:
      top: {type: revolute, axis: y, between: [pivot, rod1], damping: 0.02 N*m*s}
      elbow: {type: revolute, axis: y, between: [rod1.tip, rod2]}
    forces:
      spring: {type: torsion_spring, on: elbow, stiffness: k}
      pull: {type: effort, on: top, is: "if(lift < 0, 1 N*m, 0)"}
    start: {keep: {top: 20 deg}, speed: {elbow: 1 rad/s}}
use:
  left: {assembly: arm, on: cart}
  right: {assembly: arm, on: cart, with: {l: long, y: -0.1 m}}
simulate: {end: 1, rtol: 1e-11}
)yaml";

constexpr const char* written_out = R"yaml(gravity: [0, 0, -9.81]
parameters: {long: 0.6 m}
bodies:
  cart: {mass: 5 kg, inertia: {sphere: 0.3}, points: {left_pivot: [0, 0.1, 0], right_pivot: [0, -0.1, 0]}}
  left_rod1: {mass: 2 kg, center: [0.2, 0, 0], inertia: {rod: 0.4}, points: {tip: [0.4, 0, 0]}}
  left_rod2: {mass: 1 kg, center: [0.2, 0, 0], inertia: {rod: 0.4}, points: {tip: [0.4, 0, 0]}}
  right_rod1: {mass: 2 kg, center: [0.3, 0, 0], inertia: {rod: 0.6}, points: {tip: [0.6, 0, 0]}}
  right_rod2: {mass: 1 kg, center: [0.3, 0, 0], inertia: {rod: 0.6}, points: {tip: [0.6, 0, 0]}}
joints:
  drive: {type: prismatic, axis: x, between: [ground, cart]}
  left_top: {type: revolute, axis: y, between: [cart.left_pivot, left_rod1], damping: 0.02 N*m*s}
  left_elbow: {type: revolute, axis: y, between: [left_rod1.tip, left_rod2]}
  right_top: {type: revolute, axis: y, between: [cart.right_pivot, right_rod1], damping: 0.02 N*m*s}
  right_elbow: {type: revolute, axis: y, between: [right_rod1.tip, right_rod2]}
define: {left_lift: left_rod2.tip.z - cart.left_pivot.z, right_lift: right_rod2.tip.z - cart.right_pivot.z}
forces:
  left_spring: {type: torsion_spring, on: left_elbow, stiffness: 3}
  left_pull: {type: effort, on: left_top, is: "if(left_lift < 0, 1, 0)"}
  right_spring: {type: torsion_spring, on: right_elbow, stiffness: 3}
  right_pull: {type: effort, on: right_top, is: "if(right_lift < 0, 1, 0)"}
start: {keep: {left_top: 20 deg, right_top: 20 deg}, speed: {left_elbow: 1, right_elbow: 1}}
simulate: {end: 1, rtol: 1e-11}
)yaml";

TEST(Assemblies, AreTheMachineThatIsWrittenOut) {
  const Simulation a = simulated_text(used), b = simulated_text(written_out);
  for (const char* channel : {"drive", "left_top", "left_elbow", "right_top", "right_elbow", "right_lift"})
    EXPECT_NEAR(a.last(channel), b.last(channel), 1e-10) << channel;
}

TEST(Assemblies, TakeSettings) {
  const Model model = read_model_text("armature: 1\n" + std::string(used), "m.yaml", {{"left_l", "0.6 m"}});
  const Simulation run = simulated(model);
  EXPECT_NEAR(run.last("left_top"), run.last("right_top"), 1e-9);
}

// A model may serve as an assembly: what is the machine's own (gravity, simulate) is left out.
TEST(Assemblies, ComeFromOtherFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder / "pendulum.yaml") << "armature: 1\ngravity: [0, 0, 0]\nparameters: {l: 1 m}\n"
                                             "bodies: {bob: {mass: 1, center: [l, 0, 0], inertia: none}}\n"
                                             "joints: {swing: {type: revolute, axis: y, between: [ground, bob]}}\n"
                                             "simulate: {end: 77}\n";
  std::ofstream(folder / "m.yaml") << "armature: 1\ngravity: [0, 0, -9.81]\nuse:\n  a: {file: pendulum.yaml}\n"
                                      "  b: {file: pendulum.yaml, with: {l: 4 m}}\nsimulate: {end: 0.3}\n";
  const Simulation run = simulated(read_model((folder / "m.yaml").string()));
  // from rest at the horizontal both begin with g/l
  EXPECT_NEAR(run.at(1, "a_swing'") / run.at(1, "b_swing'"), 4, 1e-4);
}

std::string refusal(const std::string& use) {
  try {
    read_model_text("armature: 1\n" + std::string(used).replace(std::string(used).find("use:"), 4, "use:\n  " + use));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Assemblies, SayWhatIsWrong) {
  EXPECT_THAT(refusal("u: {assembly: arn}"),
              testing::HasSubstr("use.u.assembly: there is no assembly 'arn' (did you mean 'arm'?)"));
  EXPECT_THAT(refusal("u: {assembly: arm, on: car}"),
              testing::HasSubstr("use.u.on: there is no body 'car' (did you mean 'cart'?)"));
  EXPECT_THAT(refusal("u: {assembly: arm, with: {q: 1}}"),
              testing::HasSubstr("use.u.with.q: the assembly has no such parameter"));
  EXPECT_THAT(refusal("u: {on: cart}"), testing::HasSubstr("use.u.assembly: name an assembly of this file, or a file"));
  EXPECT_THAT(refusal("u: {file: none.yaml}"), testing::HasSubstr("use.u.file: none.yaml: there is no such file"));
}

}  // namespace
}  // namespace armature::internal
