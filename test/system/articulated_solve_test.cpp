// The two ways of the traced solve, by the entries of M and from link to link, give the same numbers; and how long they are.
#include "system/articulated_solve.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "linear/decompositions.hpp"
#include "read/reader.hpp"
#include "support/paths.hpp"
#include "support/random_trees.hpp"
#include "system/build_model.hpp"
#include "system/system.hpp"

namespace armature::internal {
namespace {

using Eigen::VectorXd;

std::string model_file(const std::string& name) { return std::string(source_directory) + "/models/" + name + ".yaml"; }

// Somewhere near the model's zero, loops open: the solve is that of linear equations at any state.
State random_state(const System& system, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  State state = system.initial_state();
  const Layout& n = system.layout();
  for (int i = 0; i < n.nq; ++i) state.x[i] += 0.4 * uniform(generator);
  for (int i = n.nq; i < n.nx(); ++i) state.x[i] = uniform(generator);
  state.t = 0.1;
  return state;
}

void set(SystemEvaluator& evaluator, const State& state) {
  evaluator.set_discrete(state.d);
  VectorXd p = Eigen::Map<const VectorXd>(evaluator.system().equations().p_value.data(),
                                          static_cast<Eigen::Index>(evaluator.system().equations().p_value.size()));
  evaluator.set_parameters(p);
  evaluator.set(state.t, state.x.data());
  VectorXd w = state.w;
  evaluator.take_outcomes(w);
}

// Rows that are independent at a state: what dynamics/redundancy finds, in short.
std::vector<int> independent_rows(const std::shared_ptr<const Equations>& equations) {
  const auto system = std::make_shared<const System>(equations);
  if (system->layout().m == 0) return {};
  SystemEvaluator evaluator(system);
  Terms terms = evaluator.make_terms();
  set(evaluator, random_state(*system, 1));
  evaluator.position(terms);
  const PivotedQr qr = pivoted_qr(terms.Phi.transpose(), 1e-6);
  std::vector<int> rows(qr.order.begin(), qr.order.begin() + qr.rank);
  std::sort(rows.begin(), rows.end());
  return rows;
}

// A model with both ways.
struct Ways {
  explicit Ways(const Model& model) : Ways(build_model(model)) {}
  explicit Ways(const std::shared_ptr<const Equations>& equations) : has_tree(equations->tree != nullptr) {
    const std::vector<int> rows = independent_rows(equations);
    using Way = SystemOptions::Way;
    composite = std::make_shared<const System>(equations, SystemOptions{true, rows, false, Way::composite});
    articulated = std::make_shared<const System>(equations, SystemOptions{true, rows, false, Way::articulated});
    fewest = std::make_shared<const System>(equations, SystemOptions{true, rows, false, Way::fewest});
  }
  bool has_tree;
  std::shared_ptr<const System> composite, articulated, fewest;
};

struct Numbers {
  VectorXd vdot, lambda, end;  // end: all that a step's end gives
  double ratio, kinetic;
};

Numbers numbers_of(const std::shared_ptr<const System>& system, const State& state) {
  SystemEvaluator evaluator(system);
  const int nv = system->layout().nv, m = static_cast<int>(system->options().independent_rows.size());
  set(evaluator, state);
  const SystemEvaluator::Traced traced = evaluator.acceleration(0, 0);
  Numbers numbers{
      Eigen::Map<const VectorXd>(traced.vdot, nv), Eigen::Map<const VectorXd>(traced.lambda, m), {}, traced.ratio, 0};
  const VectorXd error = VectorXd::LinSpaced(nv, -1, 2);
  const auto* errors = reinterpret_cast<const step::Row<1>*>(error.data());
  const auto& end = evaluator.kernels().step_end(errors, errors, {{0.1}});
  numbers.end.resize(4 * nv + 1);
  numbers.end << Eigen::Map<const VectorXd>(end.dq->lane, nv), Eigen::Map<const VectorXd>(end.dv->lane, nv),
      Eigen::Map<const VectorXd>(end.position_error->lane, nv),
      Eigen::Map<const VectorXd>(end.velocity_error->lane, nv), (*end.work)[0];
  Observables observables;
  evaluator.observables(observables);
  numbers.kinetic = observables.kinetic;
  return numbers;
}

// Relative to the largest.
void expect_equal(const VectorXd& x, const VectorXd& y, double tolerance, const char* what) {
  if (x.size() == 0) return;
  EXPECT_LT((x - y).cwiseAbs().maxCoeff(), tolerance * (x.cwiseAbs().maxCoeff() + 1e-12)) << what;
}

// Round-off of S comes back multiplied by the reciprocal of its smallest pivot.
double tolerance_at(double ratio) { return std::max(1e-12, 1e-14 / ratio); }

void expect_agreement(const Ways& ways) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const State state = random_state(*ways.composite, seed);
    const Numbers c = numbers_of(ways.composite, state), a = numbers_of(ways.articulated, state);
    ASSERT_GT(a.ratio, 1e-8);
    const double tolerance = tolerance_at(std::min(a.ratio, c.ratio));
    expect_equal(c.vdot, a.vdot, tolerance, "vdot");
    expect_equal(c.lambda, a.lambda, tolerance, "lambda");
    expect_equal(c.end, a.end, tolerance, "end of step");
    EXPECT_NEAR(c.kinetic, a.kinetic, 1e-12 * std::abs(c.kinetic));
  }
}

class EveryModelFile : public testing::TestWithParam<std::string> {};

TEST_P(EveryModelFile, IsSolvedAlikeBothWays) {
  const Ways ways(read_model(model_file(GetParam())));
  if (!ways.has_tree) GTEST_SKIP() << "M is not that of a tree of rigid links";
  EXPECT_TRUE(ways.articulated->articulated());
  EXPECT_FALSE(ways.composite->articulated());
  expect_agreement(ways);
}

TEST_P(EveryModelFile, TakesTheShorterWay) {
  const Ways ways(read_model(model_file(GetParam())));
  RecordProperty("composite", ways.composite->traced_operation_count());
  RecordProperty("articulated", ways.articulated->traced_operation_count());
  EXPECT_EQ(ways.fewest->traced_operation_count(),
            std::min(ways.composite->traced_operation_count(), ways.articulated->traced_operation_count()));
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(source_directory) + "/models"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}
INSTANTIATE_TEST_SUITE_P(Models, EveryModelFile, testing::ValuesIn(model_names()),
                         [](const auto& info) { return info.param; });

class RandomTrees : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTrees, AreSolvedAlikeBothWays) {
  RandomTree random(GetParam());
  const int bodies = 3 + static_cast<int>(GetParam() % 8);
  const Ways ways(read_model_text(random(bodies, static_cast<int>(GetParam() % 3)), "random.yaml"));
  ASSERT_TRUE(ways.has_tree);
  expect_agreement(ways);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, testing::Range(1u, 41u));

// Efforts that inverse dynamics finds (computed torque, gravity compensation), a force on a body by formula, a free parameter, an
// elastic gear, a spring between bodies.
TEST(ForcesUponATree, AreTheSameBothWays) {
  const char* text = R"(
armature: 1
name: driven chain
gravity: [0, 0, -9.81]
parameters: {m: 1.5}
bodies:
  a: {mass: 1, center: [0.1, 0, 0.2], inertia: {xx: 0.02, yy: 0.03, zz: 0.01}}
  b: {mass: m, center: [0, 0.1, 0.2], inertia: {xx: 0.03, yy: 0.03, zz: 0.02, xy: 0.001}}
  c: {mass: 1, center: [0.1, 0.1, 0], inertia: {xx: 0.02, yy: 0.03, zz: 0.01}}
  d: {mass: 1, center: [0.1, 0, 0.1], inertia: {xx: 0.02, yy: 0.03, zz: 0.01}}
joints:
  ja: {type: revolute, axis: z, between: [ground, a]}
  jb: {type: revolute, axis: [0.6, 0.8, 0], between: ["a [0, 0.1, 0.3]", b]}
  jc: {type: prismatic, axis: [0, 0.6, 0.8], between: ["b [0.3, 0, 0]", c]}
  jd: {type: spherical, between: ["c [0, 0, 0.2]", "d [0, 0.1, 0]"]}
controllers:
  g: {type: gravity_compensation, on: [jb]}
  ctc: {type: computed_torque, on: [ja], target: ['sin(3*t)'], kp: 25, kd: 6}
drives:
  motor: {type: dc_motor, on: jb, voltage: 3, resistance: 1, torque_constant: 0.1, rotor_inertia: 1e-4, gear_ratio: 10, elastic: {stiffness: 100}}
forces:
  hold: {type: effort, on: jb, is: g.jb}
  follow: {type: effort, on: ja, is: ctc.ja}
  push: {type: force, on: "c [0.1, 0, 0]", is: [1, t, jb]}
  twist: {type: torque, on: c, is: [0.1, jb, 0], frame: body}
  spring: {type: spring, between: [ground, "d [0.2, 0, 0]"], stiffness: 20, length: 0.1}
)";
  const Ways ways(build_model(read_model_text(text, "driven.yaml"), {"m"}));
  ASSERT_TRUE(ways.has_tree);
  expect_agreement(ways);
}

// A rotor that another link carries couples two joints, a beam moves many links by one velocity.
TEST(ArticulatedTree, IsLeftOutWhereInertiaIsNotThatOfATree) {
  const char* text = R"(
armature: 1
name: carried rotor
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, center: [0.1, 0, 0.2], inertia: {xx: 0.02, yy: 0.03, zz: 0.01}}
  b: {mass: 1, center: [0, 0.1, 0.2], inertia: {xx: 0.02, yy: 0.03, zz: 0.01}}
joints:
  ja: {type: revolute, axis: z, between: [ground, a]}
  jb: {type: revolute, axis: z, between: ["a [0.3, 0, 0]", b]}
drives:
  motor: {type: dc_motor, on: jb, torque: 1, resistance: 1, torque_constant: 0.1, rotor_inertia: 1e-4, gear_ratio: 10, rotor: {carried_by: a, axis: z}}
)";
  EXPECT_EQ(build_model(read_model_text(text, "rotor.yaml"))->tree, nullptr);
  EXPECT_EQ(build_model(read_model(model_file("five_bar")))->tree, nullptr);
}

int operations_of_arm(int joints) {
  SystemOptions options;
  options.traced_solve = true;
  const System system(build_model(read_model(model_file("arm"), {{"n", std::to_string(joints)}})), options);
  EXPECT_TRUE(system.articulated());
  return system.traced_operation_count();
}

// docs/theory/auto.md and docs/design/011-long-trees.md
TEST(DocumentedModels, HaveSoManyOperations) {
  const std::pair<const char*, int> documented[] = {
      {"rrr", 754}, {"rrr_lagrangian", 342}, {"four_bar", 161}, {"biped", 28396}};
  for (const auto& [name, operations] : documented)
    EXPECT_EQ(Ways(read_model(model_file(name))).fewest->traced_operation_count(), operations) << name;
  EXPECT_EQ(Ways(read_model(model_file("biped"))).composite->traced_operation_count(), 103921);
  EXPECT_EQ(Ways(read_model(model_file("biped"))).articulated->program(Kernel::step_end)->operation_count(), 56954);
}

TEST(LongTrees, OperationsGrowAsTheChainDoes) {
  const int seven = operations_of_arm(7), twenty = operations_of_arm(20), hundred = operations_of_arm(100);
  EXPECT_EQ(seven, 1473);
  EXPECT_EQ(twenty, 5269);
  EXPECT_EQ(operations_of_arm(90), 25709);
  EXPECT_EQ(hundred, 28629);
  EXPECT_LE(hundred, 5.5 * twenty);
}

int operations_of_planar_chain(int links) {
  const std::string text =
      "armature: 1\nname: chain\ngravity: [0, -9.81, 0]\nplane: xy\nparameters: {n: " + std::to_string(links) +
      "}\nbodies: {\"b{i}\": {for: {i: 1..n}, mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}}\n"
      "joints: {j1: {type: revolute, between: [ground, b1]}, \"j{i}\": {for: {i: 2..n}, type: revolute, "
      "between: [\"b{i-1} [1, 0, 0]\", \"b{i}\"]}}\n";
  SystemOptions options;
  options.traced_solve = true;
  return System(build_model(read_model_text(text, "chain.yaml")), options).traced_operation_count();
}

TEST(LongTrees, EveryFurtherLinkAddsAsMuch) {
  const int ten = operations_of_planar_chain(10), twenty = operations_of_planar_chain(20),
            thirty = operations_of_planar_chain(30);
  EXPECT_EQ(twenty - ten, thirty - twenty);
  EXPECT_EQ(twenty - ten, 590);  // docs/design/011-long-trees.md
}

}  // namespace
}  // namespace armature::internal
