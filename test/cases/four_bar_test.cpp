// The four-bar linkage: positions by Freudenstein's equation, both branches, energy; the same linkage of spatial revolute
// joints, whose loop has three redundant rows; reactions by Newton and Euler.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "inspect/check.hpp"
#include "inverse/kinematics.hpp"
#include "support/accelerations.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using Eigen::Vector2d;

constexpr double ground = 0.8, crank = 0.3, coupler = 0.7, rocker = 0.6;

// Rocker angle for a crank angle: the two intersections of circles about crank's end and the rocker's pivot (Freudenstein:
// A cos + B sin = C has the solutions atan2(B, A) +- acos(C / |(A, B)|)).
double rocker_angle(double angle, int branch) {
  const double dx = crank * std::cos(angle) - ground, dy = crank * std::sin(angle);
  const double C = (dx * dx + dy * dy + rocker * rocker - coupler * coupler) / (2 * rocker);
  return std::atan2(dy, dx) + branch * std::acos(C / std::hypot(dx, dy));
}

double apart(double a, double b) { return std::abs(std::remainder(a - b, 2 * M_PI)); }

TEST(FourBar, AssemblesAsFreudensteinSays) {
  const Simulation run = simulated(shipped("four_bar"));
  EXPECT_EQ(run.at(0, "crank_angle"), M_PI / 3);
  const double first = rocker_angle(M_PI / 3, 1), second = rocker_angle(M_PI / 3, -1);
  const double wanted = 100 * M_PI / 180, nearer = apart(first, wanted) < apart(second, wanted) ? first : second;
  EXPECT_LT(apart(run.at(0, "rocker_angle"), nearer), 1e-13);
}

TEST(FourBar, KinematicsFollowsFreudenstein) {
  Model model = driven(shipped("four_bar"), "crank_angle", "60 deg + 3*t");
  model.simulate.end = 4;
  model.simulate.record = 0.02;
  const Prepared start = prepared(model);
  MemoryRecorder record;
  const Outcome outcome = move(start, record);
  ASSERT_EQ(outcome.status, RunStatus::finished) << outcome.sentence;
  const auto t = record.column("t"), angle = record.column("rocker_angle");
  const int branch = apart(angle[0], rocker_angle(M_PI / 3, 1)) < 1e-9 ? 1 : -1;
  for (std::size_t i = 0; i < t.size(); ++i)
    ASSERT_LT(apart(angle[i], rocker_angle(M_PI / 3 + 3 * t[i], branch)), 1e-11) << "t = " << t[i];
}

TEST(FourBar, HasTwoBranches) {
  const Prepared start = prepared(shipped("four_bar"));
  const std::vector<State> branches = assembly_branches(start);
  ASSERT_EQ(branches.size(), 2u);
  int index = -1;
  const auto& positions = start.system->equations().positions;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i].name == "rocker_angle") index = static_cast<int>(i);
  ASSERT_GE(index, 0);
  EXPECT_LT(apart(branches[0].x[index], start.start.x[index]), 1e-10);  // the nearest to the model's guess comes first
  const double first = rocker_angle(M_PI / 3, 1), second = rocker_angle(M_PI / 3, -1);
  const bool same = apart(branches[0].x[index], first) < apart(branches[0].x[index], second);
  EXPECT_LT(apart(branches[0].x[index], same ? first : second), 1e-10);
  EXPECT_LT(apart(branches[1].x[index], same ? second : first), 1e-10);
}

TEST(FourBar, KeepsItsEnergy) {
  const Simulation run = simulated(shipped("four_bar"));
  const auto kinetic = run.column("energy.kinetic");
  EXPECT_LT(run.outcome.statistics.energy_error,
            1e-7 * *std::max_element(kinetic.begin(), kinetic.end()));  // rtol 1e-9
}

// ---- the same linkage in space

class SpatialFourBar : public testing::Test {
 protected:
  // Without `plane` the joints need their axis said.
  static Model upright(const std::string& formulation = "auto") {
    std::string text = shipped("four_bar").text;
    text.erase(text.find("plane: xy\n"), 10);
    for (std::size_t at = 0; (at = text.find("type: revolute, ", at)) != std::string::npos; at += 16)
      text.insert(at + 16, "axis: z, ");
    Model model = read_model_text(text, "four_bar.yaml");
    model.simulate.formulation = formulation;
    return model;
  }
  // Everything turned so that the axis points along (0.6, 0, 0.8): R = rotation about y by asin(0.6), in every body alike.
  static Model tilted() {
    return read_model_text(R"(
armature: 1
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 0.6, center: [0.15*0.8, 0, -0.15*0.6], inertia: {xx: 0.0045*0.36, yy: 0.0045, zz: 0.0045*0.64, xz: 0.0045*0.48}}
  coupler:
    mass: 1.4
    center: [0.35*0.8, 0, -0.35*0.6]
    inertia: {xx: 1.4*0.49/12*0.36, yy: 1.4*0.49/12, zz: 1.4*0.49/12*0.64, xz: 1.4*0.49/12*0.48}
  rocker: {mass: 1.2, center: [0.3*0.8, 0, -0.3*0.6], inertia: {xx: 0.036*0.36, yy: 0.036, zz: 0.036*0.64, xz: 0.036*0.48}}
points: {D: [0.8*0.8, 0, -0.8*0.6]}
joints:
  crank_angle: {type: revolute, axis: [0.6, 0, 0.8], between: [ground, crank]}
  B: {type: revolute, axis: [0.6, 0, 0.8], between: ["crank [0.3*0.8, 0, -0.3*0.6]", coupler]}
  C: {type: revolute, axis: [0.6, 0, 0.8], between: ["coupler [0.7*0.8, 0, -0.7*0.6]", "rocker [0.6*0.8, 0, -0.6*0.6]"]}
  rocker_angle: {type: revolute, axis: [0.6, 0, 0.8], between: [D, rocker]}
start: {keep: {crank_angle: 60 deg}, near: {rocker_angle: 100 deg}}
simulate: {end: 5 s, record: 10 ms, rtol: 1e-9}
)");
  }
};

double largest_difference(const Simulation& a, const Simulation& b, const std::string& channel) {
  const auto x = a.column(channel), y = b.column(channel);
  EXPECT_EQ(x.size(), y.size());
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

TEST_F(SpatialFourBar, MovesAsThePlanarOne) {
  const Simulation planar = simulated(shipped("four_bar")), upright_run = simulated(upright()),
                   tilted_run = simulated(tilted());
  for (const char* channel : {"crank_angle", "rocker_angle"}) {
    EXPECT_LT(largest_difference(upright_run, planar, channel), 1e-9) << channel;
    EXPECT_LT(largest_difference(tilted_run, planar, channel), 1e-6)
        << channel;  // other round-off, other steps: rtol 1e-9
  }
}

TEST_F(SpatialFourBar, EveryRankSafeFormulationRunsIt) {
  const Simulation planar = simulated(shipped("four_bar"));
  for (const char* formulation : {"null_space", "udwadia_kalaba", "proximal"})
    EXPECT_LT(largest_difference(simulated(upright(formulation)), planar, "crank_angle"), 1e-6) << formulation;
}

// Out of the plane nothing is left to say: one translation and two rotations of the cut joint.
void expect_three_redundant(const Model& model) {
  const Prepared start = prepared(model);
  const CheckReport report = check(model, *start.system, start.start);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  int translations = 0, rotations = 0;
  for (const RedundantRow& row : report.redundant) {
    EXPECT_TRUE(row.always);
    EXPECT_NE(row.owner, "");
    translations += row.direction.starts_with("translation");
    rotations += row.direction.starts_with("rotation");
  }
  EXPECT_EQ(translations, 1);
  EXPECT_EQ(rotations, 2);
}

TEST_F(SpatialFourBar, CheckNamesTheRedundantDirections) {
  expect_three_redundant(upright());
  expect_three_redundant(tilted());
  const Model model = upright();
  const Prepared start = prepared(model);
  const CheckReport report = check(model, *start.system, start.start);
  const auto cut =
      std::find_if(report.joints.begin(), report.joints.end(), [](const auto& joint) { return joint.cut; });
  ASSERT_NE(cut, report.joints.end());
  for (const RedundantRow& row : report.redundant) EXPECT_EQ(row.owner, cut->name);
  EXPECT_TRUE(std::any_of(report.redundant.begin(), report.redundant.end(),
                          [](const RedundantRow& row) { return row.direction == "translation along z"; }));
}

TEST_F(SpatialFourBar, MultipliersRefuseIt) {
  for (const Model& model : {upright("multipliers"), [] {
                               Model m = tilted();
                               m.simulate.formulation = "multipliers";
                               return m;
                             }()}) {
    try {
      compile(model);
      FAIL() << "multipliers accepted redundant rows";
    } catch (const ModelError& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("multipliers needs independent constraints"), std::string::npos) << what;
      EXPECT_NE(what.find("translation along"), std::string::npos) << what;
      EXPECT_NE(what.find("rotation about"), std::string::npos) << what;
    }
  }
}

// ---- reactions

struct Forces {
  Vector2d A, B, C, D;  // passed from a to b, in ground axes
};

Model with_reactions(const std::string& cut) {
  Model model = shipped("four_bar");
  for (Joint& joint : model.joints) joint.cut = joint.name == cut;
  model.record.reactions = {"crank_angle", "B", "C", "rocker_angle"};
  model.simulate.end = 1;
  model.simulate.record = 0.1;
  model.simulate.rtol = 1e-11;
  return model;
}

Vector2d turned(const Vector2d& x, double angle) { return Eigen::Rotation2Dd(angle) * x; }

Forces reactions(const Simulation& run, int row) {
  auto force = [&](const std::string& joint) {
    return Vector2d(run.at(row, joint + ".fx"), run.at(row, joint + ".fy"));
  };
  const double theta1 = run.at(row, "crank_angle"), theta2 = theta1 + run.at(row, "B");
  return {force("crank_angle"), turned(force("B"), theta1), turned(force("C"), theta2), force("rocker_angle")};
}

TEST(FourBarReactions, DoNotDependOnTheCut) {
  const Simulation reference = simulated(with_reactions("C"));
  for (const char* cut : {"B", "rocker_angle", "crank_angle"}) {
    const Simulation other = simulated(with_reactions(cut));
    for (int row = 0; row <= 10; ++row) {
      const Forces a = reactions(reference, row), b = reactions(other, row);
      const double size = 1 + a.A.norm() + a.D.norm();
      for (const Vector2d& difference :
           {Vector2d(a.A - b.A), Vector2d(a.B - b.B), Vector2d(a.C - b.C), Vector2d(a.D - b.D)})
        EXPECT_LT(difference.norm(), 1e-7 * size) << cut << ", row " << row;
    }
  }
}

// Newton's and Euler's equations of the three bars, written out here: forces of the joints against m (a - g), and moments
// about each center against I times the angular acceleration.
TEST(FourBarReactions, SatisfyNewtonAndEuler) {
  const Simulation run = simulated(with_reactions("C"));
  const Prepared& start = run.prepared;
  const Equations& e = start.system->equations();
  for (int row = 0; row <= 10; ++row) {
    State state = start.start;
    state.t = run.at(row, "t");
    int k = 0;
    for (const auto* list : {&e.positions, &e.velocities})
      for (const Coordinate& coordinate : *list) state.x[k++] = run.at(row, coordinate.name);
    const NamedAcceleration a = acceleration_at(start, state);
    const double angle[] = {run.at(row, "crank_angle"), run.at(row, "crank_angle") + run.at(row, "B"),
                            run.at(row, "rocker_angle")};
    const double rate[] = {run.at(row, "crank_angle'"), run.at(row, "crank_angle'") + run.at(row, "B'"),
                           run.at(row, "rocker_angle'")};
    const double turn[] = {a.vdot.at("crank_angle'"), a.vdot.at("crank_angle'") + a.vdot.at("B'"),
                           a.vdot.at("rocker_angle'")};
    auto along = [&](int i, double r) { return Vector2d(r * std::cos(angle[i]), r * std::sin(angle[i])); };
    auto acceleration = [&](int i, double r) {  // of a point at r along bar i, against the bar's origin
      const Vector2d x = along(i, r);
      return Vector2d(turn[i] * Vector2d(-x.y(), x.x()) - rate[i] * rate[i] * x);
    };
    auto moment = [](const Vector2d& r, const Vector2d& f) { return r.x() * f.y() - r.y() * f.x(); };
    const Vector2d g(0, -9.81);
    const double length[] = {crank, coupler, rocker};
    double mass[3], inertia[3];
    for (int i = 0; i < 3; ++i) mass[i] = 2 * length[i], inertia[i] = mass[i] * length[i] * length[i] / 12;
    const Vector2d center[] = {acceleration(0, crank / 2), acceleration(0, crank) + acceleration(1, coupler / 2),
                               acceleration(2, rocker / 2)};
    const Forces F = reactions(run, row);
    const double size = 1e-9 * (1 + F.A.norm() + F.D.norm());
    EXPECT_LT((F.A - F.B - mass[0] * (center[0] - g)).norm(), size);
    EXPECT_LT((F.B - F.C - mass[1] * (center[1] - g)).norm(), size);
    EXPECT_LT((F.D + F.C - mass[2] * (center[2] - g)).norm(), size);
    EXPECT_NEAR(moment(along(0, -crank / 2), F.A) - moment(along(0, crank / 2), F.B), inertia[0] * turn[0], size);
    EXPECT_NEAR(moment(along(1, -coupler / 2), F.B) - moment(along(1, coupler / 2), F.C), inertia[1] * turn[1], size);
    EXPECT_NEAR(moment(along(2, -rocker / 2), F.D) + moment(along(2, rocker / 2), F.C), inertia[2] * turn[2], size);
    for (const char* joint : {"crank_angle", "B", "C", "rocker_angle"})
      EXPECT_NEAR(run.at(row, std::string(joint) + ".mz"), 0, size);
  }
}

// A pendulum's pivot carries  m g sin + m l w^2 along the rod and the rest of the weight across it.
TEST(PendulumReaction, IsTheClosedForm) {
  Model model = shipped("pendulum");
  model.record.reactions = {"swing"};
  const Simulation run = simulated(model);
  for (int row = 0; row <= 500; row += 50) {
    const double angle = run.at(row, "swing"), w = run.at(row, "swing'");
    const Vector2d radial(std::cos(angle), std::sin(angle));
    // m (a - g): the tangential part of a is that of g, a point mass on a free pivot
    const Vector2d force = (-w * w + 9.81 * std::sin(angle)) * radial;
    EXPECT_NEAR(run.at(row, "swing.fx"), force.x(), 1e-10);
    EXPECT_NEAR(run.at(row, "swing.fy"), force.y(), 1e-10);
  }
}

}  // namespace
}  // namespace armature::internal
