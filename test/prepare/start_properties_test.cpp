// Properties of every start: of random machines, with random values named and others not, in any unit and orientation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <complex>
#include <map>
#include <random>

#include "support/random_draws.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using Eigen::Vector3d;
using Values = std::map<std::string, double>;

const double pi = std::acos(-1.0);

// Random numbers of one case: rapidcheck draws the seed, and shows it where the case fails.
class Draw {
 public:
  explicit Draw(unsigned seed) : generator_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator_); }
  Vector3d direction() {
    Vector3d d(between(-1, 1), between(-1, 1), between(-1, 1));
    return d.norm() > 0.1 ? d.normalized() : Vector3d(0, 0, 1);
  }
  Eigen::Matrix3d turn() { return Eigen::AngleAxisd(between(-pi, pi), direction()).toRotationMatrix(); }

 private:
  std::mt19937 generator_;
};

std::string listed(const Vector3d& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]); }

Prepared started(const std::string& text) {
  Prepared result = compile(read_model_text("armature: 1\n" + text));
  assemble_start(result);
  return result;
}

double position(const Prepared& prepared, const std::string& name) {
  const auto& positions = prepared.system->equations().positions;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i].name == name) return prepared.start.x[static_cast<Eigen::Index>(i)];
  throw std::out_of_range(name);
}

double speed(const Prepared& prepared, const std::string& name) {
  const auto& velocities = prepared.system->equations().velocities;
  for (std::size_t i = 0; i < velocities.size(); ++i)
    if (velocities[i].name == name + "'")
      return prepared.start.x[prepared.system->layout().nq + static_cast<Eigen::Index>(i)];
  throw std::out_of_range(name);
}

// What is named is exactly what it is named to be; all else is exactly zero.
TEST(EveryStart, OfAnOpenChainIsWhatTheFileSays) {
  for_random_draws(100, [] {
    Draw draw(*rc::gen::arbitrary<unsigned>());
    const int n = draw.whole(1, 6);
    std::string bodies, joints, list[3];
    Values wanted, rates;
    for (int i = 1; i <= n; ++i) {
      const std::string joint = fmt::format("j{}", i);
      bodies += fmt::format("  b{}: {{mass: {}, inertia: {{xx: 1, yy: 1, zz: 1}}}}\n", i, draw.between(0.01, 100));
      joints += fmt::format("  {}: {{type: {}, axis: {}, between: [\"{} {}\", b{}]}}\n", joint,
                            draw.whole(0, 1) ? "revolute" : "prismatic", listed(draw.direction()),
                            i == 1 ? "ground" : fmt::format("b{}", i - 1), listed(10 * draw.direction()), i);
      const int kind = draw.whole(0, 2), rate = draw.whole(0, 1);
      wanted[joint] = kind == 0 ? 0 : draw.between(-1, 1) * std::pow(10, draw.whole(-3, 4));
      if (kind > 0) list[kind - 1] += fmt::format("{}: {:.17g}, ", joint, wanted[joint]);
      rates[joint] = rate == 0 ? 0 : draw.between(-100, 100);
      if (rate > 0) list[2] += fmt::format("{}: {:.17g}, ", joint, rates[joint]);
    }
    const Prepared start = started(
        fmt::format("gravity: [0, 0, 0]\nbodies:\n{}joints:\n{}start: {{keep: {{{}}}, near: {{{}}}, speed: {{{}}}}}\n",
                    bodies, joints, list[0], list[1], list[2]));
    RC_ASSERT(start.failure == "");
    for (const auto& [joint, value] : wanted) RC_ASSERT(position(start, joint) == value);
    for (const auto& [joint, value] : rates) RC_ASSERT(speed(start, joint) == value);
  });
}

// A four-bar that closes for the crank's angle, in the plane across `axis`, its ground anywhere.
struct FourBar {
  double ground, crank, coupler, rocker, a;

  explicit FourBar(Draw& draw) {
    crank = draw.between(0.2, 1), ground = draw.between(0.5, 1.5), a = draw.between(-pi, pi);
    const double gap = std::abs(std::polar(crank, a) - ground);
    coupler = draw.between(0.5, 1.5) * gap,
    rocker = std::abs(gap - coupler) + draw.between(0.1, 0.9) * 2 * std::min(gap, coupler);
  }

  // Both ways to close it: {b, d} within half a turn of zero.
  std::array<std::array<double, 2>, 2> closures() const {
    const std::complex<double> tip = std::polar(crank, a), gap = tip - ground;
    const double opening =
        std::acos((std::norm(gap) + rocker * rocker - coupler * coupler) / (2 * std::abs(gap) * rocker));
    std::array<std::array<double, 2>, 2> both;
    for (int i = 0; i < 2; ++i) {
      const double d = std::arg(gap) + (i ? opening : -opening);
      const double b = std::arg(ground + std::polar(rocker, d) - tip) - a;
      both[i] = {std::remainder(b, 2 * pi), std::remainder(d, 2 * pi)};
    }
    return both;
  }

  std::string text(double k, const Eigen::Matrix3d& R, const Vector3d& at, const std::string& start) const {
    const auto along = [&](double length) { return listed(k * length * R.col(0)); };
    const std::string axis = listed(R.col(2)), inertia = "mass: 1, inertia: {xx: 1, yy: 1, zz: 1}";
    return fmt::format(R"(gravity: [0, 0, 0]
bodies: {{u: {{{0}}}, v: {{{0}}}, w: {{{0}}}}}
joints:
  a: {{type: revolute, axis: {1}, between: ["ground {2}", u]}}
  b: {{type: revolute, axis: {1}, between: ["u {3}", v]}}
  c: {{type: revolute, axis: {1}, between: ["v {4}", "w {5}"], cut: true}}
  d: {{type: revolute, axis: {1}, between: ["ground {6}", w]}}
start: {7}
)",
                       inertia, axis, listed(k * at), along(crank), along(coupler), along(rocker),
                       listed(k * at + k * ground * R.col(0)), start);
  }
};

// Of the two ways to close a four-bar with its crank kept, the one nearer to `near`, or to zero where nothing else is
// named; whatever the unit of length, the plane and the place.
TEST(EveryStart, OfALoopIsTheNearestThatCloses) {
  for_random_draws(100, [] {
    Draw draw(*rc::gen::arbitrary<unsigned>());
    const FourBar machine(draw);
    const auto both = machine.closures();
    const bool near = draw.whole(0, 1) == 1;
    const double wanted = draw.between(-pi, pi);
    const auto miss = [&](const std::array<double, 2>& x) {
      return near ? std::abs(std::remainder(x[1] - wanted, 2 * pi)) : std::hypot(x[0], x[1]);
    };
    const double first = miss(both[0]), second = miss(both[1]);
    RC_PRE(std::abs(first - second) > 1e-3);  // else both are as near
    const auto& expected = both[first < second ? 0 : 1];
    const Prepared start =
        started(machine.text(std::pow(10, draw.between(-6, 6)), draw.turn(), 10 * draw.direction(),
                             near ? fmt::format("{{keep: {{a: {:.17g}}}, near: {{d: {:.17g}}}}}", machine.a, wanted)
                                  : fmt::format("{{keep: {{a: {:.17g}}}}}", machine.a)));
    RC_ASSERT(start.failure == "");
    RC_ASSERT(position(start, "a") == machine.a);
    RC_ASSERT(std::abs(std::remainder(position(start, "b") - expected[0], 2 * pi)) < 1e-7);
    RC_ASSERT(std::abs(std::remainder(position(start, "d") - expected[1], 2 * pi)) < 1e-7);
    if (near) RC_ASSERT(std::abs(position(start, "d") - wanted) < pi + 1e-9);
  });
}

// Nothing is named but where a slider is wanted: the pose found lies on the loop's curve where no neighbour is nearer.
// Units, orientation and place change nothing.
TEST(EveryStart, DoesNotDependOnUnitsOrOrientation) {
  for_random_draws(100, [] {
    Draw draw(*rc::gen::arbitrary<unsigned>());
    const double crank = draw.between(0.3, 1), rod = draw.between(1.2, 2), offset = draw.between(-0.2, 0.2),
                 wanted = draw.between(0.2, 3.5);
    const bool near = draw.whole(0, 1) == 1;
    const auto text = [&](double k, const Eigen::Matrix3d& R, const Vector3d& at) {
      const std::string inertia = "mass: 1, inertia: {xx: 1, yy: 1, zz: 1}", axis = listed(R.col(2));
      return fmt::format(R"(gravity: [0, 0, 0]
bodies: {{u: {{{0}}}, v: {{{0}}}, w: {{{0}}}}}
joints:
  a: {{type: revolute, axis: {1}, between: ["ground {2}", u]}}
  b: {{type: revolute, axis: {1}, between: ["u {3}", v]}}
  c: {{type: revolute, axis: {1}, between: ["v {4}", w], cut: true}}
  s: {{type: prismatic, axis: {5}, between: ["ground {6}", w]}}
start: {{{7}}}
)",
                         inertia, axis, listed(k * at), listed(k * crank * R.col(0)), listed(k * rod * R.col(0)),
                         listed(R.col(0)), listed(k * (at + offset * R.col(1))),
                         near ? fmt::format("near: {{s: {:.17g}}}", k * wanted) : "");
    };
    const Prepared first = started(text(1, Eigen::Matrix3d::Identity(), Vector3d::Zero()));
    RC_ASSERT(first.failure == "");
    const double k = std::pow(10, draw.between(-6, 6));
    const Prepared other = started(text(k, draw.turn(), 10 * draw.direction()));
    RC_ASSERT(other.failure == "");
    // where the slider cannot be where it is wanted, the weight of the motion, 1e-8, leaves up to 1e-5 rad at a dead centre
    RC_ASSERT(std::abs(position(other, "a") - position(first, "a")) < 1e-5);
    // a folded rod is at half a turn to either side, and both are as far
    const double apart = position(other, "b") - position(first, "b");
    const bool folded = std::abs(std::abs(position(first, "b")) - pi) < 1e-5;
    RC_ASSERT(std::abs(folded ? std::remainder(apart, 2 * pi) : apart) < 1e-5);
    RC_ASSERT(std::abs(position(other, "s") / k - position(first, "s")) < 1e-5);
  });
}

}  // namespace
}  // namespace armature::internal
