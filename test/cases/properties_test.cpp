// What must hold for the equations of every shipped model, at random states on its constraints.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cstring>

#include "dynamics/dynamics.hpp"
#include "dynamics/formulation.hpp"
#include "expression/machine_code.hpp"
#include "support/random_states.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int sample_count = 20;

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  EveryModel()
      : prepared_(prepared(model())),
        evaluator_(prepared_.system),
        terms_(evaluator_.make_terms()),
        n_(prepared_.system->layout()),
        states_(random_states(prepared_, sample_count)) {}

  Model model() const {
    return GetParam() == "n_four_bar_10" ? shipped("n_four_bar", {{"N", "10"}}) : shipped(GetParam());
  }
  void set(const State& state) {
    evaluator_.set_discrete(state.d);
    evaluator_.set_outcomes(state.w);
    evaluator_.set(state.t, state.x.data());
  }
  // The state after the time h at constant rates of its first entries (all of x, or q only).
  State moved(const State& state, const VectorXd& rates, double h) const {
    State next = state;
    next.t += h;
    next.x.head(rates.size()) += h * rates;
    return next;
  }

  Prepared prepared_;
  SystemEvaluator evaluator_;
  Terms terms_;
  const Layout& n_;
  std::vector<State> states_;
};

std::vector<std::string> models() {
  std::vector<std::string> names = shipped_models();
  names.push_back("n_four_bar_10");
  return names;
}
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models()), [](const auto& info) { return info.param; });

TEST_P(EveryModel, MassMatrixIsSymmetricPositiveDefinite) {
  for (const State& state : states_) {
    set(state);
    evaluator_.position(terms_);
    EXPECT_EQ((terms_.M - terms_.M.transpose()).cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(terms_.M.llt().info(), Eigen::Success);
  }
}

// Kinetic energy is 1/2 v' M v.
TEST_P(EveryModel, KineticEnergyIsThatOfTheMassMatrix) {
  Observables observables;
  for (const State& state : states_) {
    set(state);
    evaluator_.position(terms_);
    evaluator_.observables(observables);
    const VectorXd v = state.x.segment(n_.nq, n_.nv);
    const double kinetic = 0.5 * v.dot(terms_.M * v);
    EXPECT_NEAR(observables.kinetic, kinetic, 1e-12 * kinetic);
  }
}

// Differences over five points: errors h^4 of the fifth derivative, and round-off 1e-16/h.
TEST_P(EveryModel, ConstraintDerivativesAreThoseOfDifferences) {
  if (n_.m == 0) GTEST_SKIP() << "this model has no constraints, so that there is nothing to differentiate";
  const double h = 1e-5;
  for (const State& state : states_) {
    set(state);
    evaluator_.motion(terms_);
    const Terms here = terms_;
    const VectorXd v = state.x.segment(n_.nq, n_.nv);
    VectorXd phidot = VectorXd::Zero(n_.m), rate = phidot;
    for (const auto& [steps, weight] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
      set(moved(state, here.qdot, steps * h));
      evaluator_.motion(terms_);
      phidot += weight / (12 * h) * terms_.phi;
      rate += weight / (12 * h) * terms_.phidot;
    }
    EXPECT_LT((phidot - here.phidot).cwiseAbs().maxCoeff(), 1e-8);
    // with v held, d(phidot)/dt = -gamma; quaternions: qdot of the middle holds for a short way only, to the order of h
    EXPECT_LT((rate + here.gamma).cwiseAbs().maxCoeff(), 1e-8 * (1 + here.gamma.cwiseAbs().maxCoeff())) << "gamma";
    // Phi v + phi_t: two velocities give Phi times their difference
    State other = state;
    other.x.segment(n_.nq, n_.nv) *= -0.5;
    set(other);
    evaluator_.motion(terms_);
    EXPECT_LT((here.phidot - terms_.phidot - here.Phi * (1.5 * v)).cwiseAbs().maxCoeff(),
              1e-12 * (1 + v.cwiseAbs().maxCoeff()));
  }
}

TEST_P(EveryModel, FormulationsAgree) {
  for (const std::string& name : formulation_names()) {
    Dynamics automatic(prepared_.system, {.name = "auto"}, {.projection = false});
    Dynamics other(prepared_.system, {.name = name, .repartition = true}, {.projection = false});
    VectorXd xdot(n_.nx()), other_xdot(n_.nx());
    for (const State& state : states_) {
      automatic.set_state(state), other.set_state(state);
      ASSERT_TRUE(automatic.derivative(state.t, state.x.data(), xdot.data()));
      ASSERT_TRUE(other.derivative(state.t, state.x.data(), other_xdot.data()))
          << name << ": " << other.engine().refusal();
      EXPECT_LT((xdot - other_xdot).norm(), 1e-10 * xdot.norm()) << name;
    }
    EXPECT_EQ(automatic.statistics().dense, 0) << "regular states need no dense solve";
  }
}

// Both equations, relative to the size of their terms, with the traced solve's vdot and lambda.
TEST_P(EveryModel, TracedSolveSatisfiesTheEquations) {
  const std::vector<int>& rows = prepared_.system->options().independent_rows;
  for (const State& state : states_) {
    set(state);
    evaluator_.all(terms_);
    const SystemEvaluator::Traced traced = evaluator_.acceleration(0, 0);
    const Eigen::Map<const VectorXd> vdot(traced.vdot, n_.nv), qdot(traced.qdot, n_.nq);
    VectorXd lambda = VectorXd::Zero(n_.m);
    for (std::size_t k = 0; k < rows.size(); ++k) lambda[rows[k]] = traced.lambda[k];
    const VectorXd inertia = terms_.M * vdot, reaction = terms_.Phi.transpose() * lambda;
    EXPECT_LT((inertia + reaction - terms_.f).norm(), 1e-11 * (inertia.norm() + reaction.norm() + terms_.f.norm()));
    if (n_.m > 0) {
      EXPECT_LT((terms_.Phi * vdot - terms_.gamma).norm(), 1e-11 * (vdot.norm() + terms_.gamma.norm()));
    }
    EXPECT_EQ((terms_.qdot - qdot).cwiseAbs().maxCoeff(), 0);
  }
}

// d/dt (kinetic + potential + magnetic) = what comes in - what is lost + lambda' phi_t, the last being what a driven constraint
// puts in. By differences along the motion.
TEST_P(EveryModel, PowerIsBalanced) {
  Dynamics dynamics(prepared_.system, {.name = "auto"}, {.projection = false});
  const Equations& e = prepared_.system->equations();
  std::vector<double> powers(6);
  Observables here, before, after;
  VectorXd xdot(n_.nx());
  auto stored = [](const Observables& o) { return o.kinetic + o.potential + o.magnetic; };
  for (const State& state : states_) {
    dynamics.set_state(state);
    ASSERT_TRUE(dynamics.derivative(state.t, state.x.data(), xdot.data()));
    set(state);
    evaluator_.motion(terms_);
    evaluator_.observables(here);
    evaluator_.evaluate({e.applied_power, e.electrical, e.mismatch, e.dissipation, e.friction, e.joule}, powers);
    const VectorXd v = state.x.segment(n_.nq, n_.nv), vdot = xdot.segment(n_.nq, n_.nv);
    const double driven = n_.m == 0 ? 0 : dynamics.acceleration().lambda.dot(terms_.phidot - terms_.Phi * v);
    const double h = 1e-6 / (1 + vdot.norm() / (1 + v.norm()));
    set(moved(state, xdot, -h));
    evaluator_.observables(before);
    set(moved(state, xdot, h));
    evaluator_.observables(after);
    const double rate = (stored(after) - stored(before)) / (2 * h);
    const double power = powers[0] + powers[1] + powers[2] - powers[3] - powers[4] - powers[5] + driven;
    // round-off of the energies over h, and of the powers that cancel in the sum
    const double size =
        std::abs(terms_.M.diagonal().dot(v.cwiseProduct(vdot))) + std::abs(power) + v.dot(terms_.M * v) + 1e-3;
    const double round_off = 1e-15 * (std::abs(here.kinetic) + std::abs(here.potential)) / h;
    EXPECT_NEAR(rate, power, 1e-6 * size + round_off);
  }
}

// A lane's bits do not depend on how many lanes run beside it.
TEST_P(EveryModel, LanesGiveTheSameBits) {
  const Program* program = prepared_.system->program(Kernel::acceleration).get();
  ASSERT_NE(program, nullptr);
  const int inputs = program->input_count(), outputs = program->output_count();
  auto inputs_of = [&](const State& state) {
    std::vector<double> in(inputs, 0.0);
    in[n_.t()] = state.t;
    std::copy_n(state.x.data(), state.x.size(), in.data() + n_.q());
    std::copy_n(state.d.data(), state.d.size(), in.data() + n_.d());
    std::copy_n(state.w.data(), state.w.size(), in.data() + n_.w());
    return in;
  };
  for (int W : {2, 8}) {
    std::vector<double> in(inputs * W), out(outputs * W), work(program->work_size() * W), single(outputs),
        single_work(program->work_size());
    program->prepare_lanes(W, work.data());
    program->prepare(single_work.data());
    for (int lane = 0; lane < W; ++lane) {
      const auto x = inputs_of(states_[lane]);
      for (int i = 0; i < inputs; ++i) in[i * W + lane] = x[i];
    }
    program->evaluate_lanes(W, in.data(), out.data(), work.data());
    for (int lane = 0; lane < W; ++lane) {
      program->evaluate(inputs_of(states_[lane]).data(), single.data(), single_work.data());
      for (int i = 0; i < outputs; ++i)
        ASSERT_EQ(std::memcmp(&single[i], &out[i * W + lane], sizeof(double)), 0)
            << "output " << i << ", lane " << lane << " of " << W;
    }
  }
}

// Machine code gives the interpreter's bits, on one lane and on several.
TEST_P(EveryModel, MachineCodeGivesTheSameBits) {
  const Program& program = *prepared_.system->program(Kernel::acceleration);
  for (int W : {1, 8}) {
    const auto code = MachineCode::translate(program, W);
    if (!code) GTEST_SKIP() << "this machine has no AVX2, or the build no assembler";
    std::vector<double> in(program.input_count() * W, 0.0), out(program.output_count() * W), assembled(out.size());
    std::vector<double> work(program.work_size() * W), code_work(code->work_size());
    for (int lane = 0; lane < W; ++lane) {
      const State& state = states_[lane];
      auto put = [&](int first, const Eigen::VectorXd& values) {
        for (Eigen::Index i = 0; i < values.size(); ++i) in[(first + i) * W + lane] = values[i];
      };
      put(n_.q(), state.x), put(n_.d(), state.d), put(n_.w(), state.w);
      in[n_.t() * W + lane] = state.t;
    }
    program.prepare_lanes(W, work.data());
    if (W == 1)
      program.evaluate(in.data(), out.data(), work.data());
    else
      program.evaluate_lanes(W, in.data(), out.data(), work.data());
    (*code)(in.data(), assembled.data(), code_work.data());
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(std::memcmp(&out[i], &assembled[i], sizeof(double)), 0) << "output " << i / W << ", lane " << i % W;
  }
}

}  // namespace
}  // namespace armature::internal
