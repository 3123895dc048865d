// A compiled model against differences of its own functions: stages, constraint derivatives, Jacobians, root functions, discrete
// values and start conditions.
#include "system/system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "read/reader.hpp"
#include "support/paths.hpp"
#include "system/build_model.hpp"
#include "system/everything.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Quaternions and loops in space, motors with currents, and all that `everything` has.
class CompiledModel : public testing::TestWithParam<const char*> {
 protected:
  static Model model_of(const std::string& name) {
    return name == "everything" ? read_model_text(everything)
                                : read_model(std::string(source_directory) + "/models/" + name + ".yaml", {});
  }
  void SetUp() override {
    SystemOptions options;
    options.jacobian = true;
    system_ = std::make_shared<const System>(build_model(model_of(GetParam())), options);
    evaluator_ = std::make_unique<SystemEvaluator>(system_);
    state_ = system_->initial_state();
    state_.t = 0.1;
    for (int i = 0; i < n().nx(); ++i) state_.x[i] += 0.2 * std::sin(1 + 1.7 * i);
    evaluator_->set(state_);
    evaluator_->take_outcomes(state_.w);
  }
  const Layout& n() const { return system_->layout(); }
  Terms terms_at(double t, const VectorXd& x) {
    Terms terms = evaluator_->make_terms();
    evaluator_->set(t, x.data());
    evaluator_->all(terms);
    return terms;
  }
  VectorXd arbitrary(int size, double phase) const {
    return VectorXd::NullaryExpr(size, [&](Eigen::Index i) { return std::cos(phase + static_cast<double>(i)); });
  }
  // (f(t + h, x + h xdot) - f(t - h, x - h xdot)) / 2h
  template <class F>
  VectorXd difference(const F& f, double tdot, const VectorXd& xdot) {
    const VectorXd ahead = f(state_.t + h * tdot, state_.x + h * xdot);
    return (ahead - f(state_.t - h * tdot, state_.x - h * xdot)) / (2 * h);
  }
  // Differences with h = 1e-6 of smooth functions: h^2 times a third derivative, and round-off of 1e-16/h.
  static void expect_near(const VectorXd& x, const VectorXd& difference, const std::string& what) {
    ASSERT_EQ(x.size(), difference.size()) << what;
    EXPECT_LE((x - difference).norm(), 1e-6 * (1 + x.norm())) << what;
  }
  static constexpr double h = 1e-6;

  std::shared_ptr<const System> system_;
  std::unique_ptr<SystemEvaluator> evaluator_;
  State state_;
};
INSTANTIATE_TEST_SUITE_P(Models, CompiledModel, testing::Values("stewart", "rrr_motors", "crane", "everything"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(CompiledModel, FillsTheSameTermsByEveryStage) {
  const Terms all = terms_at(state_.t, state_.x);
  Terms position = evaluator_->make_terms(), motion = evaluator_->make_terms();
  evaluator_->position(position), evaluator_->motion(motion);
  EXPECT_EQ(position.M, all.M);
  EXPECT_EQ(position.Phi, all.Phi);
  EXPECT_EQ(position.phi, all.phi);
  EXPECT_EQ(motion.phidot, all.phidot);
  EXPECT_EQ(motion.gamma, all.gamma);
  EXPECT_EQ(motion.qdot, all.qdot);
}

TEST_P(CompiledModel, FillsSparseTermsAsDenseOnes) {
  const Terms dense = terms_at(state_.t, state_.x);
  SparseTerms sparse = evaluator_->make_sparse_terms();
  evaluator_->all(sparse);
  EXPECT_EQ(MatrixXd(sparse.M), dense.M);
  EXPECT_EQ(MatrixXd(sparse.Phi), dense.Phi);
  EXPECT_EQ(sparse.f, dense.f);
  EXPECT_EQ(sparse.zdot, dense.zdot);
}

TEST_P(CompiledModel, HasTheConstraintDerivativesOfDifferences) {
  const Terms terms = terms_at(state_.t, state_.x);
  VectorXd xdot = VectorXd::Zero(n().nx());  // along the velocity, at vdot = 0
  xdot.head(n().nq) = terms.qdot;
  expect_near(terms.phidot, difference([&](double t, const VectorXd& x) { return terms_at(t, x).phi; }, 1, xdot),
              "phidot");
  expect_near(-terms.gamma, difference([&](double t, const VectorXd& x) { return terms_at(t, x).phidot; }, 1, xdot),
              "gamma");
  // Phi column by column: phidot is linear in v
  for (int k = 0; k < n().nv; ++k) {
    VectorXd along = VectorXd::Zero(n().nx());
    along[n().nq + k] = 1;
    expect_near(terms.Phi.col(k),
                difference([&](double t, const VectorXd& x) { return terms_at(t, x).phidot; }, 0, along), "Phi");
  }
}

TEST_P(CompiledModel, HasTheJacobianOfDifferences) {
  const VectorXd a = arbitrary(n().nv, 1), lambda = arbitrary(n().m, 2);
  evaluator_->set(state_.t, state_.x.data());
  SystemEvaluator::Jacobian J = evaluator_->make_jacobian();
  evaluator_->jacobian(a, lambda, J);
  const auto residual = [&](double t, const VectorXd& x) -> VectorXd {
    const Terms at = terms_at(t, x);
    return at.M * a + at.Phi.transpose() * lambda - at.f;
  };
  const auto gamma = [&](double t, const VectorXd& x) -> VectorXd {
    const Terms at = terms_at(t, x);
    return at.gamma - at.Phi * a;
  };
  const auto qdot = [&](double t, const VectorXd& x) { return terms_at(t, x).qdot; };
  const auto zdot = [&](double t, const VectorXd& x) { return terms_at(t, x).zdot; };
  const auto phidot = [&](double t, const VectorXd& x) { return terms_at(t, x).phidot; };
  for (int i = 0; i < n().nx(); ++i) {
    VectorXd along = VectorXd::Zero(n().nx());
    along[i] = 1;
    const std::string at = "entry " + std::to_string(i) + " of x: ";
    const int q = i, v = i - n().nq, z = v - n().nv;
    const bool of_q = v < 0, of_v = !of_q && z < 0;
    expect_near(of_q ? J.r_q.col(q) : of_v ? J.r_v.col(v) : J.r_z.col(z), difference(residual, 0, along), at + "r");
    expect_near(of_q   ? J.zdot_q.col(q)
                : of_v ? J.zdot_v.col(v)
                       : J.zdot_z.col(z),
                difference(zdot, 0, along), at + "zdot");
    if (!of_q && !of_v) continue;
    expect_near(of_q ? J.qdot_q.col(q) : J.qdot_v.col(v), difference(qdot, 0, along), at + "qdot");
    expect_near(of_q ? J.phidot_q.col(q) : J.phidot_v.col(v), difference(phidot, 0, along), at + "phidot");
    expect_near(of_q ? J.gamma_q.col(q) : J.gamma_v.col(v), difference(gamma, 0, along), at + "gamma");
  }
}

TEST_P(CompiledModel, HasTheRatesOfItsEventFunctions) {
  const Terms terms = terms_at(state_.t, state_.x);
  VectorXd xdot(n().nx()), rates(n().nw);
  xdot << terms.qdot, arbitrary(n().nv, 1), terms.zdot;
  evaluator_->root_rates(xdot.segment(n().nq, n().nv), rates);
  const auto roots = [&](double t, const VectorXd& x) {
    VectorXd values(n().nw);
    evaluator_->set(t, x.data());
    evaluator_->roots(values);
    return values;
  };
  expect_near(rates, difference(roots, 1, xdot), "root rates");
}

TEST_P(CompiledModel, TakesTheOutcomesOfItsEventFunctions) {
  VectorXd roots(n().nw);
  evaluator_->roots(roots);
  const auto& comparisons = system_->equations().graph->comparisons();
  for (int k = 0; k < n().nw; ++k)
    EXPECT_EQ(state_.w[k], comparisons[static_cast<std::size_t>(k)].outcome(roots[k])) << comparisons[k].label;
}

TEST_P(CompiledModel, SamplesTheValuesOfOneClock) {
  const auto& discrete = system_->equations().discrete;
  const VectorXd before = VectorXd::Constant(n().nd, -7);
  evaluator_->set_discrete(before);
  VectorXd other = before, own = before;
  evaluator_->sample(123, 0, other);
  EXPECT_EQ(other, before) << "no value has that clock";
  for (const Discrete& value : discrete) evaluator_->sample(value.period, value.offset, own);
  for (int i = 0; i < n().nd; ++i)  // whole turns of an angle stay what they are
    EXPECT_EQ(own[i] == before[i], discrete[static_cast<std::size_t>(i)].turns_of.has_value()) << discrete[i].name;
}

TEST_P(CompiledModel, HasTheStartConditionsOfDifferences) {
  const auto position = [&](double t, const VectorXd& x) {
    VectorXd residual;
    SparseMatrix J;
    evaluator_->set(t, x.data());
    evaluator_->start_position(residual, J);
    return residual;
  };
  const auto velocity = [&](double t, const VectorXd& x) {
    VectorXd residual;
    SparseMatrix J;
    evaluator_->set(t, x.data());
    evaluator_->start_velocity(residual, J);
    return residual;
  };
  VectorXd residual;
  SparseMatrix J_position, J_velocity;
  evaluator_->set(state_.t, state_.x.data());
  evaluator_->start_position(residual, J_position);
  evaluator_->start_velocity(residual, J_velocity);
  for (int k = 0; k < n().nv; ++k) {
    // q moves by N e_k
    VectorXd unit = state_.x, along = VectorXd::Zero(n().nx());
    unit.segment(n().nq, n().nv) = VectorXd::Unit(n().nv, k);
    along.head(n().nq) = terms_at(state_.t, unit).qdot;
    expect_near(MatrixXd(J_position).col(k), difference(position, 0, along), "position");
    along = VectorXd::Zero(n().nx());
    along[n().nq + k] = 1;
    expect_near(MatrixXd(J_velocity).col(k), difference(velocity, 0, along), "velocity");
  }
}

TEST(System, StartsAtTheZeroOfItsModel) {
  const System system(build_model(read_model_text(R"(armature: 1
gravity: [0, 0, 0]
bodies: {a: {mass: 1, inertia: {sphere: 1}}}
joints: {fly: {type: free, between: [ground, a]}}
)")));
  const State state = system.initial_state();
  const auto& positions = system.equations().positions;
  for (std::size_t i = 0; i < positions.size(); ++i)
    EXPECT_EQ(state.x[static_cast<Eigen::Index>(i)], positions[i].name == "fly.qw" ? 1 : 0) << positions[i].name;
}

TEST(System, GroupsTheRowsOfOneVector) {
  const auto equations = build_model(read_model(std::string(source_directory) + "/models/stewart.yaml", {}));
  const std::vector<int> groups = row_groups(*equations);
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = 0; j < groups.size(); ++j) {
      const ConstraintRow &a = equations->rows[i], &b = equations->rows[j];
      EXPECT_EQ(groups[i] == groups[j], a.owner == b.owner && a.unit == b.unit) << a.name << ", " << b.name;
    }
}

}  // namespace
}  // namespace armature::internal
