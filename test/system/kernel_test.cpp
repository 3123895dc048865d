// The table of kernels against the programs of every shipped model, and the views against the terms that they name.
#include "system/kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <set>

#include "expression/program_inputs.hpp"
#include "linear/decompositions.hpp"
#include "read/reader.hpp"
#include "support/paths.hpp"
#include "system/build_model.hpp"
#include "system/everything.hpp"
#include "system/kernel_evaluator.hpp"
#include "system/system.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(source_directory) + "/models"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  names.push_back("everything");
  return names;
}

// One row less than there are, so that rows of the solve and rows of the model are told apart.
std::shared_ptr<const System> system_of(const std::string& model, bool traced = true) {
  const bool shipped = model != "everything";
  const auto equations = shipped
                             ? build_model(read_model(std::string(source_directory) + "/models/" + model + ".yaml", {}))
                             : build_model(read_model_text(everything), {"mass"});
  SystemOptions options;
  options.traced_solve = traced;
  options.independent_rows.resize(equations->rows.empty() ? 0 : equations->rows.size() - 1);
  std::iota(options.independent_rows.begin(), options.independent_rows.end(), 0);
  return std::make_shared<const System>(equations, options);
}

TEST(KernelTable, StandsInTheOrderOfItsKernels) {
  std::set<std::string> names;
  int place = 0;
  for (const KernelEntry& entry : kernel_table()) {
    EXPECT_EQ(static_cast<int>(entry.kernel), place++);
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " stands there twice";
    const std::set<Output> outputs(entry.outputs.begin(), entry.outputs.end());
    EXPECT_EQ(static_cast<int>(outputs.size()), entry.outputs.count) << entry.name << " has an output twice";
  }
}

TEST(KernelTable, LeavesOutTheTracedSolveWhereItIsNotWanted) {
  const auto system = system_of("pendulum", false);
  for (const KernelEntry& entry : kernel_table())
    EXPECT_EQ(system->program(entry.kernel) == nullptr, entry.traced) << entry.name;
}

class KernelsOfEveryModel : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<const System> system_ = system_of(GetParam());
  const Kernels& kernels_ = system_->kernels();
};
INSTANTIATE_TEST_SUITE_P(Models, KernelsOfEveryModel, testing::ValuesIn(models()),
                         [](const auto& info) { return info.param; });

// Contacts have loads, which a run's own compilation solves: cases/impact_test.cpp has them.
bool belongs_to_contacts(Output output) {
  return extent_of(output) == Extent::contacts || extent_of(output) == Extent::contact_rows;
}

TEST(KernelTable, IsTriedWithEverySize) {
  const auto system = system_of("everything");
  const KernelSizes& sizes = system->kernels().sizes();
  for (const KernelEntry& entry : kernel_table())
    for (const Output output : entry.outputs)
      EXPECT_EQ(sizes(extent_of(output)) > 0, !belongs_to_contacts(output)) << name_of(output);
  EXPECT_NE(sizes.rows, sizes.layout.m);
  EXPECT_GT(sizes.layout.np, 0);
}

// That of contact_response, where there are no contacts.
bool has_no_program(Kernel kernel) { return kernel == Kernel::contact_response; }

// As compile() makes it: first without a solve, then with the rows that turned out to be independent.
TEST_P(KernelsOfEveryModel, AreTheSameWhereProgramsAreShared) {
  const System plain(system_->shared_equations());
  const System shared(plain, system_->options());
  EXPECT_EQ(shared.articulated(), system_->articulated());
  for (const KernelEntry& entry : kernel_table()) {
    const auto &program = shared.program(entry.kernel), &whole = system_->program(entry.kernel);
    if (has_no_program(entry.kernel)) continue;
    EXPECT_EQ(program == plain.program(entry.kernel), !entry.traced && !shared.articulated()) << entry.name;
    Evaluator one(program), other(whole);
    std::vector<double> inputs(static_cast<std::size_t>(program->input_count()));
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = 0.1 + 0.7 * std::sin(1.3 * static_cast<double>(i));
    std::vector<double> values(static_cast<std::size_t>(program->output_count())), expected(values.size());
    one(inputs.data(), values.data()), other(inputs.data(), expected.data());
    const bool same = values.empty() || !std::memcmp(values.data(), expected.data(), values.size() * sizeof(double));
    EXPECT_TRUE(same) << entry.name;
  }
}

TEST_P(KernelsOfEveryModel, HaveTheSizesOfTheTable) {
  for (const KernelEntry& entry : kernel_table()) {
    int outputs = 0;
    for (const Output output : entry.outputs) {
      EXPECT_EQ(kernels_.output(entry.kernel, output), outputs) << entry.name << "." << name_of(output);
      outputs += kernels_.sizes()(extent_of(output));
    }
    ASSERT_EQ(system_->program(entry.kernel) == nullptr, has_no_program(entry.kernel)) << entry.name;
    if (has_no_program(entry.kernel)) continue;
    EXPECT_EQ(system_->program(entry.kernel)->output_count(), outputs) << entry.name;
    EXPECT_EQ(kernels_.output_count(entry.kernel), outputs) << entry.name;
    EXPECT_EQ(system_->program(entry.kernel)->input_count(), kernels_.input_count(entry.kernel)) << entry.name;
  }
}

TEST_P(KernelsOfEveryModel, ReadOnlyTheFurtherInputsOfTheTable) {
  for (const KernelEntry& entry : kernel_table()) {
    if (has_no_program(entry.kernel)) continue;
    std::set<int> listed;
    for (const Input input : entry.inputs)
      for (int i = 0; i < kernels_.sizes()(extent_of(input)); ++i) listed.insert(kernels_.input(input) + i);
    const std::vector<bool> read = inputs_read(*system_->program(entry.kernel));
    for (int i = system_->layout().size(); i < static_cast<int>(read.size()); ++i)
      EXPECT_TRUE(!read[static_cast<std::size_t>(i)] || listed.contains(i)) << entry.name << " reads input " << i;
  }
}

// A state some way off the constraints, k-th of several.
State moved_state(const System& system, int k) {
  State state = system.initial_state();
  const Layout& n = system.layout();
  state.t = 0.1 + 0.05 * k;
  for (int i = 0; i < n.nx(); ++i) state.x[i] += 0.2 * std::sin(1 + 1.7 * i + 0.3 * k);
  SystemEvaluator evaluator(std::shared_ptr<const System>(std::shared_ptr<const System>(), &system));
  evaluator.set_discrete(state.d);
  evaluator.set(state.t, state.x.data());
  evaluator.take_outcomes(state.w);
  return state;
}

// stewart has quaternions: more positions than velocities.
class Views : public testing::TestWithParam<const char*> {
 protected:
  using Row = step::Row<1>;
  Views() {
    kernels_.hold(0, state_.d.data(), state_.w.data(), system_->equations().p_value.data());
    kernels_.set({state_.t}, rows_of(state_.x));
    SystemEvaluator evaluator(system_);
    evaluator.set_discrete(state_.d);
    evaluator.set_outcomes(state_.w);
    evaluator.set(state_.t, state_.x.data());
    terms_ = evaluator.make_terms();
    evaluator.all(terms_);
    Phi_ = terms_.Phi.topRows(m_);
  }
  static const Row* rows_of(const VectorXd& x) { return reinterpret_cast<const Row*>(x.data()); }
  static VectorXd vector(const Row* rows, int size) {
    return Eigen::Map<const VectorXd>(reinterpret_cast<const double*>(rows), size);
  }
  VectorXd arbitrary(double phase) const {
    return VectorXd::NullaryExpr(n_.nv,
                                 [&](Eigen::Index i) { return 1e-3 * std::cos(phase + static_cast<double>(i)); });
  }
  // Round-off of a solve with M and S.
  static void expect_near(const VectorXd& a, const VectorXd& b, const char* what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    EXPECT_LE((a - b).norm(), 1e-8 * (1 + b.norm())) << what;
  }

  std::shared_ptr<const System> system_ = system_of(GetParam());
  const Layout& n_ = system_->layout();
  int m_ = system_->kernels().rows();
  State state_ = moved_state(*system_, 0);
  KernelEvaluator<1> kernels_{system_};
  Terms terms_;
  MatrixXd Phi_;
};
INSTANTIATE_TEST_SUITE_P(Models, Views, testing::Values("stewart", "rrr_motors", "everything"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Views, OfTheEndOfAStepHoldWhatTheyName) {
  const VectorXd position_error = arbitrary(1), velocity_error = arbitrary(2);
  const double weight = 0.25;
  const auto& end = kernels_.step_end(rows_of(position_error), rows_of(velocity_error), {weight});
  const VectorXd vdot = vector(end.vdot, n_.nv), lambda = vector(end.lambda, m_);
  expect_near(terms_.M * vdot + Phi_.transpose() * lambda, terms_.f, "M vdot + Phi' lambda = f");
  expect_near(Phi_ * vdot, terms_.gamma.head(m_), "Phi vdot = gamma");
  expect_near(vector(end.qdot, n_.nq), terms_.qdot, "qdot");
  expect_near(vector(end.phi, m_), terms_.phi.head(m_), "phi");
  expect_near(vector(end.phidot, m_), terms_.phidot.head(m_), "phidot");
  expect_near(Phi_ * vector(end.dq, n_.nv), -terms_.phi.head(m_), "Phi dq = -phi");
  expect_near(Phi_ * vector(end.position_error, n_.nv), VectorXd::Zero(m_), "a tangent position error");
  expect_near(Phi_ * vector(end.velocity_error, n_.nv), VectorXd::Zero(m_), "a tangent velocity error");
  // what is taken out of the errors is normal to the constraints in the kinetic metric: M de lies in their rows
  const auto normal = [&](const VectorXd& tangent, const VectorXd& error) {
    const VectorXd force = terms_.M * (tangent - error);
    LeastNorm multipliers;
    multipliers.factor(Phi_.transpose());
    expect_near(Phi_.transpose() * multipliers.solve(force), force, "a normal part");
  };
  normal(vector(end.position_error, n_.nv), position_error + weight * state_.x.segment(n_.nq, n_.nv));
  normal(vector(end.velocity_error, n_.nv), velocity_error + weight * vdot);
}

TEST_P(Views, OfPivotsHoldThoseOfTheFactorizations) {
  const auto& view = kernels_.acceleration();
  const double log_M = vector(view.mass_pivots, n_.nv).array().log().sum();
  const MatrixXd S = Phi_ * solve_square(terms_.M, MatrixXd(Phi_.transpose()));
  const double log_S = vector(view.pivots, m_).array().log().sum();
  EXPECT_NEAR(log_M, std::log(determinant(terms_.M)), 1e-8);
  EXPECT_NEAR(log_S, std::log(determinant(S)), 1e-8);
  EXPECT_GE((vector(view.scales, m_) - vector(view.pivots, m_)).minCoeff(), 0)
      << "a scale is a sum with the pivot in it";
}

TEST_P(Views, OfCorrectionsCloseTheirResiduals) {
  const VectorXd phi = terms_.phi.head(m_), phidot = terms_.phidot.head(m_);
  const auto& position = kernels_.correct_position();
  expect_near(Phi_ * vector(position.dq, n_.nv), -phi, "correct_position");
  expect_near(vector(position.phi, m_), phi, "its residual");
  const auto& velocity = kernels_.correct_velocity();
  expect_near(Phi_ * vector(velocity.dv, n_.nv), -phidot, "correct_velocity");
  expect_near(vector(velocity.phidot, m_), phidot, "its residual");
  const VectorXd e = arbitrary(1), f = arbitrary(2);
  const auto& errors = kernels_.correct_velocity_and_errors(rows_of(e), rows_of(f));
  expect_near(Phi_ * vector(errors.dv, n_.nv), -phidot, "correct_velocity_and_errors");
  expect_near(Phi_ * vector(errors.d_position_error, n_.nv), -Phi_ * e, "its position error");
  expect_near(Phi_ * vector(errors.d_velocity_error, n_.nv), -Phi_ * f, "its velocity error");
  const auto& motion = kernels_.correct_motion();
  expect_near(Phi_ * vector(motion.dq, n_.nv), -phi, "correct_motion");
  expect_near(vector(motion.phidot, m_), phidot, "its residual");
}

TEST_P(Views, OfObservablesHoldTheEnergy) {
  const auto& view = kernels_.observables();
  const double sum = (*view.kinetic)[0] + (*view.potential)[0] + (*view.magnetic)[0];
  EXPECT_NEAR(kernels_.energy()[0], sum, 1e-12 * (1 + std::abs(sum)));
  const VectorXd v = state_.x.segment(n_.nq, n_.nv);
  EXPECT_NEAR((*view.kinetic)[0], 0.5 * v.dot(terms_.M * v), 1e-10 * (1 + std::abs(sum)));
}

TEST_P(Views, StayWhenTheEnergyIsAskedFor) {
  const auto& view = kernels_.acceleration();
  const VectorXd before = vector(view.vdot, n_.nv);
  kernels_.energy();
  EXPECT_EQ(vector(view.vdot, n_.nv), before);
}

TEST_P(Views, OfOneKernelLeaveTheInputsOfOthers) {
  kernels_.set_gains(0, 20, 100);
  const VectorXd before = vector(kernels_.acceleration_baumgarte().vdot, n_.nv), e = arbitrary(1);
  kernels_.root_rates(rows_of(e));
  kernels_.step_end(rows_of(e), rows_of(e), {0.5});
  EXPECT_EQ(vector(kernels_.acceleration_baumgarte().vdot, n_.nv), before);
  kernels_.set_gains(0, 0, 0);
  EXPECT_NE(vector(kernels_.acceleration_baumgarte().vdot, n_.nv), before);
}

// Each lane has a state of its own; all outputs of every kernel of a step are compared.
TEST_P(Views, OfEightLanesHaveTheBitsOfOne) {
  SystemLanes lanes(system_);
  LaneRow t{};
  std::vector<LaneRow> x(static_cast<std::size_t>(n_.nx()));
  std::vector<State> states;
  const double* p = system_->equations().p_value.data();
  for (int k = 0; k < lane_count; ++k) {
    const State& state = states.emplace_back(moved_state(*system_, k));
    t[k] = state.t;
    for (int i = 0; i < n_.nx(); ++i) x[static_cast<std::size_t>(i)][k] = state.x[i];
    lanes.hold(k, state.d.data(), state.w.data(), p);
  }
  lanes.set(t, x.data());
  const int further = system_->kernels().input_count() - n_.size();
  for (int i = 0; i < further; ++i)
    for (int k = 0; k < lane_count; ++k) lanes.input(Input::alpha)[i][k] = 1e-3 * std::cos(i + 0.1 * k);
  for (const KernelEntry& entry : kernel_table()) {
    if (entry.use != KernelEntry::Use::stepping) continue;
    lanes.run(entry.kernel);
    const LaneRow* all = lanes.written();
    for (int k = 0; k < lane_count; ++k) {
      const State& state = states[static_cast<std::size_t>(k)];
      kernels_.hold(0, state.d.data(), state.w.data(), p);
      kernels_.set({state.t}, rows_of(state.x));
      for (int i = 0; i < further; ++i) kernels_.input(Input::alpha)[i][0] = lanes.input(Input::alpha)[i][k];
      kernels_.run(entry.kernel);
      const Row* one = kernels_.written();
      for (int i = 0; i < system_->kernels().output_count(entry.kernel); ++i)
        ASSERT_EQ(std::memcmp(&one[i].lane[0], &all[i].lane[k], sizeof(double)), 0)
            << entry.name << ", output " << i << ", lane " << k;
    }
  }
}

}  // namespace
}  // namespace armature::internal
