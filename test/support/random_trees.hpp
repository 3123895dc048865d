// Model files of random trees, the same for one seed: joints of every kind about axes along and across coordinate axes, branches,
// motors with gears, and distances that close loops anywhere.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>

namespace armature::internal {

class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : generator_(seed) {}

  std::string operator()(int bodies, int loops) {
    std::string bodies_text, joints, drives;
    for (int i = 1; i <= bodies; ++i) {
      const double m = number(0.5, 2), I = 0.01 * m;
      bodies_text +=
          fmt::format("  b{}: {{mass: {}, center: {}, inertia: {{xx: {}, yy: {}, zz: {}, xy: {}, xz: {}, yz: {}}}}}\n",
                      i, m, place(), I * number(2, 3), I * number(2, 3), I * number(2, 3), I * number(-0.3, 0.3),
                      I * number(-0.3, 0.3), I * number(-0.3, 0.3));
      // mostly chains, sometimes a branch; reversed joints too
      const int parent = number(0, 1) < 0.75 ? i - 1 : static_cast<int>(number(0, i - 0.01));
      std::string near = parent == 0 ? "ground " + place() : fmt::format("b{} {}", parent, place());
      std::string far = fmt::format("b{} {}", i, number(0, 1) < 0.5 ? "[0, 0, 0]" : place());
      if (number(0, 1) < 0.2) std::swap(near, far);
      const std::string type = type_of(i);
      joints += fmt::format("  j{}: {{type: {}, {}between: [\"{}\", \"{}\"]}}\n", i, type, axis_of(type), near, far);
      if (type == "revolute" && number(0, 1) < 0.3)
        drives += fmt::format(
            "  m{}: {{type: dc_motor, on: j{}, torque: {}, rotor_inertia: {}, gear_ratio: 20, "
            "resistance: 1, torque_constant: 0.1}}\n",
            i, i, number(-1, 1), number(1e-5, 1e-4));
    }
    std::string constraints;
    for (int k = 1; k <= loops; ++k) {
      const int a = static_cast<int>(number(1, bodies + 0.99)), b = static_cast<int>(number(0, a - 0.01));
      const std::string other = b == 0 ? "ground" : fmt::format("b{}", b);
      constraints += fmt::format("  loop{}: {{type: distance, between: [\"{} {}\", \"b{} {}\"], length: 0.5}}\n", k,
                                 other, place(), a, place());
    }
    const auto section = [](const char* name, const std::string& items) {
      return items.empty() ? "" : fmt::format("{}:\n{}", name, items);
    };
    return fmt::format("armature: 1\nname: random tree\ngravity: [0.3, -1, -9.81]\nbodies:\n{}joints:\n{}{}{}",
                       bodies_text, joints, section("drives", drives), section("constraints", constraints));
  }

 private:
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  std::string place() {
    return fmt::format("[{}, {}, {}]", number(-0.3, 0.3), number(0, 1) < 0.3 ? 0 : number(-0.3, 0.3), number(0.1, 0.3));
  }
  std::string type_of(int i) {
    const double x = number(0, 1);
    if (i == 1 && x < 0.3) return "free";
    return x < 0.6    ? "revolute"
           : x < 0.75 ? "prismatic"
           : x < 0.85 ? "spherical"
           : x < 0.9  ? "universal"
           : x < 0.95 ? "cylindrical"
                      : "planar";
  }
  std::string axis_of(const std::string& type) {
    if (type == "free" || type == "spherical") return "";
    if (type == "universal") return "axes: [x, z], ";
    const double x = number(0, 1);
    if (x < 0.6) return fmt::format("axis: {}, ", "xyz"[static_cast<int>(x * 5)]);
    return fmt::format("axis: [{}, {}, {}], ", number(-1, 1), number(-1, 1), number(0.2, 1));
  }

  std::mt19937 generator_;
};

}  // namespace armature::internal
