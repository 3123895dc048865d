// The machine elements of models/elements, each against a closed form: the numbers of docs/elements.md. The energy ledger of every
// one closes, and that of every machine of models/contact, models/machines, models/drives and models/motors.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>

#include "model/diagnostics.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using std::numbers::pi;

Model element(const std::string& name, const Settings& settings = {}) { return shipped("elements/" + name, settings); }

double largest_entry(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }
double smallest(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }

// "elements/belt", "machines/shaper"
std::vector<std::string> all_elements_and_machines() {
  std::vector<std::string> names;
  for (const std::string folder : {"elements", "contact", "machines", "drives", "motors"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(source_directory) + "/models/" + folder))
      if (entry.path().extension() == ".yaml") names.push_back(folder + "/" + entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// What enters is what is stored and lost, to the accuracy of the integration.
class EveryElement : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Elements, EveryElement, testing::ValuesIn(all_elements_and_machines()),
                         [](const auto& info) { return info.param.substr(info.param.find('/') + 1); });

TEST_P(EveryElement, ClosesTheLedgerOfEnergy) {
  Model model = shipped(GetParam());
  model.simulate.rtol = 1e-11;
  const Simulation run = simulated(model);
  double scale = 0;
  for (const char* part : {"energy.kinetic", "energy.potential"})
    for (const double energy : run.column(part)) scale = std::max(scale, std::abs(energy));
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-7 * scale);
}

// torque/(J1 + J2/i^2) = 1.5/(1e-3 + 9e-3/9) for 0.1 s
TEST(Elements, AGearPairReflectsInertia) {
  const Simulation run = simulated(element("gear_pair"));
  EXPECT_NEAR(run.last("a'"), 75, 1e-9);
  EXPECT_NEAR(run.last("b'"), -25, 1e-9);
}

TEST(Elements, ARackTurnsTorqueIntoForce) {
  const double r = 0.025, m = 3, J = 5e-4;
  EXPECT_NEAR(simulated(element("rack")).last("slide'"), 0.5 * (1.5 / r - m * 9.81 * 0.5) / (m + J / (r * r)), 1e-9);
}

TEST(Elements, AChainLiftsALoad) { EXPECT_NEAR(simulated(element("chain")).last("b'"), 0.2 * 33.8, 1e-9); }

// r1 a - r2 b = start cos(w t) with w^2 = 2 k (r1^2/J1 + r2^2/J2)
TEST(Elements, ABeltSwingsAtItsEigenfrequency) {
  const double w = std::sqrt(2 * 66.66666666666667e3 * (0.02 * 0.02 / 4e-4 + 0.06 * 0.06 / 7.2e-3));
  EXPECT_NEAR(w, 447.21359550, 1e-8);
  const Simulation run = simulated(element("belt"));
  const double stretch = 0.02 * run.last("a") - 0.06 * run.last("b"), start = 0.02 * pi / 180;
  EXPECT_NEAR(stretch, start * std::cos(w * 0.1), 1e-8 * start);
  EXPECT_GT(smallest(run.column("belt.tension2")), 0);
  EXPECT_NEAR(largest_entry(run.column("belt.tension1")), 200 + 66.66666666666667e3 * start, 1e-9);
}

// What one strand gains the other loses: their sum is a definition of two columns of the belt.
TEST(Elements, OfferTheirColumnsToFormulas) {
  std::ifstream file(std::string(source_directory) + "/models/elements/belt.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Simulation run = simulated(read_model_text(text + "define: {both: belt.tension1 + belt.tension2}\n"));
  for (const double both : run.column("both")) EXPECT_NEAR(both, 400, 1e-9);
  EXPECT_THROW(prepared(read_model_text(text + "define: {both: belt.tension3}\n")), ModelError);
}

// A strand without tension pulls no more: it swings more slowly, as on one spring.
TEST(Elements, ABeltGoesSlack) {
  const Simulation run = simulated(element("belt", {{"tension", "5 N"}}));
  EXPECT_EQ(smallest(run.column("belt.tension2")), 0);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
}

double worm_efficiency(double l, double p, double mu) {
  return std::tan(l) * (std::cos(p) - mu * std::tan(l)) / (std::cos(p) * std::tan(l) + mu);
}

TEST(Elements, AWormHasTheEfficiencyOfTheTextbook) {
  const double l = 5 * pi / 180, p = 20 * pi / 180, M = 40 * 9.81 * 0.05;
  EXPECT_NEAR(worm_efficiency(l, p, 0.08), 0.50304468, 1e-8);
  const Simulation run = simulated(element("worm"));
  EXPECT_NEAR(run.last("motor"), M / (40 * worm_efficiency(l, p, 0.08)), 1e-6);  // its swinging has decayed
  EXPECT_NEAR(run.last("b'"), 150.0 / 40, 1e-6);
}

// The limit is mu = cos(p) tan(l) = 0.08221: just above it the load stays, once the flanks have given way; just below it falls.
TEST(Elements, AWormLocksItselfAboveItsLimit) {
  const auto dropped = [](const char* friction) {
    Model model = element("worm", {{"mu", friction}});
    std::erase_if(model.prescribed, [](const PrescribedConstraint& c) { return c.name == "motor"; });
    model.start = {};
    model.simulate.end = 1;
    const Simulation run = simulated(model);
    return run.at(100, "b") - run.last("b");  // in the second half of a second
  };
  EXPECT_LT(dropped("0.0832"), 1e-8);
  EXPECT_GT(dropped("0.0812"), 1e-3);
}

TEST(Elements, AJackNeedsTheTorqueOfTheTextbook) {
  const double F = 500 * 9.81, r = 0.015, lead = 0.006, mu = 0.12 / std::cos(15 * pi / 180);
  const double torque = F * r * (lead + 2 * pi * r * mu) / (2 * pi * r - mu * lead);
  EXPECT_NEAR(torque, 13.934591, 1e-6);
  EXPECT_NEAR(simulated(element("power_screw")).last("drive"), torque, 1e-6);
}

// k (2 h + y0) + m g - m h w^2, when the cam has made half a turn
TEST(Elements, ACamPushesItsFollower) {
  Model model = element("cam");
  model.simulate.end = pi / 20;
  EXPECT_NEAR(simulated(model).last("rise_of_cam"), 149.05, 1e-6);
}

// h (1 - cos) as a periodic spline of 36 points over a turn, error h (10 deg)^4/384 = 2.4e-8: in the third turn it is the same, and no
// comparison changes on the way.
TEST(Elements, ACamMayBeATableThatRepeats) {
  std::string x, y;
  for (int i = 0; i <= 36; ++i) {
    const std::string comma = i < 36 ? ", " : "";
    x += std::to_string(i) + "*pi/18" + comma;
    y += "\"0.01*(1 - cos(" + std::to_string(i) + "*pi/18))\"" + comma;
  }
  const Simulation run = simulated_text(R"(plane: xy
gravity: [0, 0, 0]
tables:
  rise: {x: [)" + x + "], y: [" + y + R"(], interpolation: spline, outside: repeat}
bodies: {disc: {mass: 1, inertia: {zz: 1}}, follower: {mass: 1}}
joints:
  turn: {type: revolute, between: [ground, disc]}
  lift: {type: prismatic, axis: y, between: [ground, follower]}
constraints:
  motor: {type: prescribed, zero: turn - 20*t}
  cam: {type: prescribed, zero: lift - rise(turn)}
simulate: {end: 1}
)");
  EXPECT_NEAR(run.last("lift"), 0.01 * (1 - std::cos(20.0)), 3e-8);
  EXPECT_NEAR(run.last("lift'"), 0.2 * std::sin(20.0), 2e-5);
  EXPECT_TRUE(run.prepared.system->equations().graph->comparisons().empty());
}

// Where the force that a rigid cam needs would change its sign. The contact gives way by some micrometres, of 10 mm.
TEST(Elements, AFollowerLeavesItsCam) {
  const Simulation run = simulated(element("cam_contact"));
  const auto turn = run.column("turn"), force = run.column("flank.force");
  std::size_t first = 0;
  while (force[first] > 0 || turn[first] < 1) ++first;
  EXPECT_NEAR(turn[first], std::acos(-(4000 * 0.02 + 5 * 9.81) / (5 * 0.01 * 3600 - 40)), 60 * 2e-4 + 5e-3);
  EXPECT_GT(largest_entry(run.column("lift")), 0.02);  // it flies higher than the cam
}

TEST(Elements, AGenevaWheelIsFastestAsTheTextbookSays) {
  const Simulation run = simulated(element("geneva"));
  EXPECT_NEAR(-smallest(run.column("index'")) / (2 * pi), 1 + std::sqrt(2), 1e-8);  // a row falls on it: 0.5 s
  EXPECT_NEAR(run.last("index"), run.at(0, "index") - pi, 1e-8);                    // a quarter a turn
}

TEST(Elements, APlanetarySetHasWillisRatio) {
  const Simulation run = simulated(element("planetary"));
  EXPECT_NEAR(run.last("s") / run.last("c"), 4, 1e-10);
  const double inertia = 1e-3 + 19.2e-3 / 16 + 3 * 0.1 * 0.048 * 0.048 / 16 + 3 * 1e-4 / 4;
  EXPECT_NEAR(run.last("s'"), 0.1 / inertia, 1e-8);
}

TEST(Elements, ADifferentialSharesItsTorque) {
  const Simulation run = simulated(element("differential"));
  EXPECT_NEAR(run.last("case'"), 12.5, 1e-9);
  EXPECT_NEAR(run.last("left'"), 5, 1e-9);
  EXPECT_NEAR(run.last("right'"), 20, 1e-9);
}

// Two strands of one rope: the load's stiffness is 4 k. It starts where the rope is relaxed: x = -m g/(4 k) (1 - cos w t).
TEST(Elements, ARopeOverAPulleySwingsAtItsEigenfrequency) {
  const double w = std::sqrt(4e5 / 100), sag = 100 * 9.81 / 4e5;
  const Simulation run = simulated(element("rope"));
  EXPECT_NEAR(run.last("lift"), -sag * (1 - std::cos(w)), 1e-8 * sag);
  EXPECT_NEAR(run.last("rope.tension"), -2e5 * run.last("lift"), 1e-9 * 1e3);
}

// The drum lifts the load by half of what it winds up, and its motor does the work.
TEST(Elements, AWinchDoesTheWorkOfTheLoad) {
  const Simulation run = simulated(element("rope", {{"wind", "2 rad/s"}}));
  EXPECT_NEAR(run.last("lift"), 0.1 - 100 * 9.81 / 4e5, 3e-3);  // and swings about it
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-6);
}

TEST(Elements, ACapstanHoldsByTheExponential) {
  EXPECT_NEAR(simulated(element("capstan")).last("down'"), 9.81 - 100 * std::exp(0.4 * pi) / 200, 1e-9);
  EXPECT_NEAR(simulated(element("capstan", {{"wrap", "10*pi"}})).last("down"), 0, 1e-9);
  // the limit lies at m g e^(-mu beta) = 558.404 N
  EXPECT_NEAR(simulated(element("capstan", {{"hand", "558.41 N"}})).last("down"), 0, 1e-9);
  EXPECT_GT(simulated(element("capstan", {{"hand", "558.39 N"}})).last("down"), 1e-5);
}

// Torque over the sum of both inertias, as if the shaft were straight.
TEST(Elements, AConstantVelocityShaftTurnsEvenly) {
  const Simulation run = simulated(element("cv_shaft"));
  const auto a = run.column("a'"), b = run.column("b'");
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + a[i]));
  EXPECT_NEAR(run.last("a'"), 2 / 0.04, 1e-8);
}

TEST(Elements, ABushingIsASpringInEachDirection) {
  const Simulation run = simulated(element("bushing"));
  EXPECT_NEAR(run.last("engine.mount.x"), 1e-3 * std::cos(50), 1e-10);
  EXPECT_NEAR(2 * std::atan2(run.last("move.qz"), run.last("move.qw")), 0.02 * std::cos(100), 1e-9);
  EXPECT_NEAR(run.last("mount.fx"), -40 * 2500 * run.last("engine.mount.x"), 1e-9);
}

TEST(Elements, ATorsionBarTwistsAtItsEigenfrequency) {
  const double k = 80e9 * pi * std::pow(0.02, 4) / (32 * 0.64), w = std::sqrt(k * (1 / 0.03 + 1 / 0.06));
  EXPECT_NEAR(w, 313.32853433, 1e-8);
  const Simulation run = simulated(element("torsion_bar"));
  EXPECT_NEAR(run.last("a") - run.last("b"), pi / 180 * std::cos(w * 0.1), 1e-9);
}

// m v^2/2 = work of the gas - m g dx from its compressed length on; p V^n is constant, for slow and for fast motion of the gas.
TEST(Elements, AGasSpringDoesItsWork) {
  for (const double n : {1.0, 1.4}) {
    const Simulation run = simulated(element("gas_spring", {{"n", std::to_string(n)}}));
    const double h = 0.2 / (1 - std::pow(1.4, -1 / n));
    const auto volume = [&](double x) { return 1 - (0.5 - x) / h; };
    const auto stored = [&](double x) {
      return n == 1 ? -400 * h * std::log(volume(x)) : 400 * h * (std::pow(volume(x), 1 - n) - 1) / (n - 1);
    };
    const double x = run.at(80, "lift"), work = stored(0.3) - stored(x) - 20 * 9.81 * (x - 0.3);
    EXPECT_NEAR(run.at(80, "lift'"), std::sqrt(2 * work / 20), 1e-8);
    EXPECT_NEAR(run.at(0, "gas.force"), 560, 1e-9);
    EXPECT_NEAR(run.at(80, "gas.force"), 400 * std::pow(volume(x), -n), 1e-9);
  }
  // the number of the page: at its extended length
  const double work = 400 * 0.2 / (1 - 1 / 1.4) * std::log(1.4);
  EXPECT_NEAR(work, 94.2122263, 1e-7);
  EXPECT_NEAR(std::sqrt(2 * (work / 20 - 9.81 * 0.2)), 2.3446157, 1e-7);
}

// m (a^2 + b^2)/12 w^2 = m g (drop of the center, at a/3, b/3), of the mesh of models/elements/wedge.obj
TEST(Elements, ASolidHasTheInertiaOfItsMesh) {
  Model model = element("solid");
  model.simulate.rtol = 1e-11;
  const Simulation run = simulated(model);
  const double a = 0.25, b = 0.125;
  for (const int row : {0, 40, 77, 200}) {
    const double angle = run.at(row, "edge"), height = (a * std::sin(angle) + b * std::cos(angle)) / 3;
    EXPECT_NEAR((a * a + b * b) / 12 * std::pow(run.at(row, "edge'"), 2), 9.81 * (b / 3 - height), 1e-8);
  }
  EXPECT_NEAR(run.at(0, "energy.potential"), 7850 * a * b * 0.0625 / 2 * 9.81 * b / 3, 1e-12);
  // the first rows fall as 2 g a/(a^2 + b^2) t^2/2
  EXPECT_NEAR(run.at(1, "edge'") / -0.005, 2 * 9.81 * a / (a * a + b * b), 0.02);
}

TEST(Elements, AFreewheelDrivesOneWay) {
  const Simulation run = simulated(element("freewheel"));
  EXPECT_NEAR(run.last("wheel'"), 10, 1e-7);
  EXPECT_NEAR(run.last("motor'"), 10 - 0.5 * 5 / 0.1, 1e-7);
  EXPECT_NEAR(run.at(50, "hub.torque"), -0.4 * 10, 1e-6);  // what it passes while it is locked: J2 w'
}

// A freewheel that is loaded beyond its capacity slips: the flywheel gets no more than that.
TEST(Elements, AFreewheelSlipsBeyondItsCapacity) {
  Model model = element("freewheel");
  for (ForceElement& force : model.forces)
    if (force.name == "hub") force.values.set("capacity", parse_formula("2", {}));
  EXPECT_NEAR(simulated(model).at(100, "wheel'"), 2 / 0.4, 1e-7);
}

TEST(Elements, AClutchHeatsAsMuchAsItEqualizes) {
  const Simulation run = simulated(element("clutch"));
  EXPECT_NEAR(run.last("heat.friction"), 180, 1e-6);
  EXPECT_NEAR(run.last("a'"), 40, 1e-8);
  EXPECT_NEAR(run.last("b'"), 40, 1e-8);
  EXPECT_NEAR(run.at(139, "a'"), 60 - 10 / 0.3 * 0.595, 1e-7);  // 5 ms before they meet, at 0.7 s
  EXPECT_NEAR(run.last("clutch.torque"), 0, 1e-6);              // it sticks, and nothing loads it
}

TEST(Elements, ABandBrakeIsStrongerForwards) {
  const double e = std::exp(0.3 * 1.5 * pi), forwards = 10 * (e - 1), backwards = 10 * (1 - 1 / e);
  const Simulation run = simulated(element("brake"));
  EXPECT_NEAR(run.at(100, "turn'"), 50 - forwards / 0.4 * 0.5, 1e-8);
  EXPECT_NEAR(run.last("turn'"), 0, 1e-9);
  EXPECT_NEAR(run.last("heat.friction"), 0.5 * 0.4 * 2500, 1e-6);
  EXPECT_NEAR(simulated(element("brake", {{"w", "-50"}})).last("turn'"), -50 + backwards / 0.4, 1e-8);
}

}  // namespace
}  // namespace armature::internal
