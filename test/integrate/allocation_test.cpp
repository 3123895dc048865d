// Everything is sized when a run starts: no step allocates, nor does dense output.
#include <gtest/gtest.h>

#include "integrate/dae_problems.hpp"
#include "support/allocation_counter.hpp"

namespace armature::internal {
namespace {

long allocations_in_1000_steps(Integrator& integrator) {
  integrator.start(0, pendulum_start());
  Eigen::VectorXd x(4);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(integrator.step(1e6), StepStatus::ok);
  const AllocationCounter counter;
  for (int i = 0; i < 1000; ++i) {
    if (integrator.step(1e6) != StepStatus::ok) return -1;
    integrator.interpolate(0.5 * (integrator.previous_t() + integrator.t()), x);
  }
  return counter.count();
}

class Allocations : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Names, Allocations, testing::ValuesIn(integrator_names()),
                         [](const auto& info) { return info.param; });

TEST_P(Allocations, ThousandStepsMakeNone) {
  Problem problem = pendulum(true);
  PendulumDae dae;
  const IntegratorOptions options = tolerances(problem, 1e-6);
  const auto integrator = method_of(GetParam()).own_dae ? make_dae_integrator(GetParam(), dae, 4, options)
                                                        : make_integrator(GetParam(), problem, options);
  EXPECT_EQ(allocations_in_1000_steps(*integrator), 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(AllocationCounter, SeesEigenAndSundials) {
  Problem problem = oscillator();
  const IntegratorOptions options = tolerances(problem, 1e-6);
  const AllocationCounter counter;
  const Eigen::VectorXd vector = Eigen::VectorXd::Constant(1000, options.rtol);
  EXPECT_EQ(counter.count(), 1);
  const auto integrator = make_integrator("cvode_bdf", problem, options);
  EXPECT_GT(counter.count(), 20);  // the history of CVODE alone is a dozen vectors
  EXPECT_EQ(vector(0), options.rtol);
}
#endif

TEST(MakeIntegrator, KnowsEveryRowOfTheTableAndNoOther) {
  Problem problem = pendulum(true);
  PendulumDae dae;
  for (const std::string& name : integrator_names()) {
    const step::Method& method = method_of(name);
    const IntegratorOptions options = tolerances(problem, 1e-6);
    const auto of_ode = make_integrator(name, problem, options);
    const auto of_dae = make_dae_integrator(name, dae, 4, options);
    EXPECT_EQ(of_ode == nullptr, method.own_dae) << name;
    EXPECT_EQ(of_dae != nullptr, method.own_dae) << name;
    EXPECT_EQ((of_ode ? of_ode : of_dae)->error_controlled(), method.controlled) << name;
    EXPECT_EQ((of_ode ? of_ode : of_dae)->stored_steps() == nullptr, false) << name;
    EXPECT_EQ(method.tableau ? method.tableau().order : method.order, method.order) << name;
  }
  EXPECT_EQ(make_integrator("rk5", problem, tolerances(problem, 1e-6)), nullptr);
}

}  // namespace
}  // namespace armature::internal
