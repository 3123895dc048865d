// The hot loop allocates nothing: 1000 steps of every formulation with every integrator.
#include <gtest/gtest.h>

#include "dynamics/formulation.hpp"
#include "prepare/setup.hpp"
#include "support/allocation_counter.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

struct Way {
  std::string model, formulation, integrator;
  Settings settings = {};
  int steps = 1000;
};

std::vector<Way> ways() {
  std::vector<Way> list;
  for (const char* model : {"four_bar", "rrr"})
    for (const std::string& integrator : integrator_names()) {
      const bool own_solve = method_of(integrator).own_dae;  // solves for the multipliers itself
      for (const std::string& formulation : own_solve ? std::vector<std::string>{"auto"} : formulation_names())
        list.push_back({model, formulation, integrator});
    }
  // 80 rows: large enough for everything that decompositions would do by blocks
  for (const std::string& formulation : formulation_names())
    list.push_back({"n_four_bar", formulation, "rk4", {{"N", "40"}}, 3});
  // a long tree with loops, whose programs go from link to link
  for (const char* integrator : {"rk4", "dopri5"}) list.push_back({"biped", "auto", integrator, {}, 100});
  return list;
}

class Steps : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, Steps, testing::ValuesIn(ways()), [](const auto& info) {
  return info.param.model + "_" + info.param.formulation + "_" + info.param.integrator;
});

TEST_P(Steps, AllocateNothing) {
  Model model = shipped(GetParam().model, GetParam().settings);
  model.simulate.formulation = GetParam().formulation;
  model.simulate.integrator = GetParam().integrator;
  model.simulate.repartition = true;  // partition meets singularities of its own in these motions
  model.simulate.rtol = 1e-7;
  const Prepared start = prepared(model);
  const auto dynamics = make_dynamics(start);
  const Solver solver = make_solver(start, *dynamics);
  Integrator& integrator = *solver.integrator;
  integrator.start(0, start.start.x);
  Eigen::VectorXd row = start.start.x;
  auto step = [&] {
    if (integrator.step(1e9) != StepStatus::ok) return false;
    integrator.interpolate(0.5 * (integrator.previous_t() + integrator.t()), row);
    return true;
  };
  for (int k = 0; k < 2 + GetParam().steps / 100; ++k)
    ASSERT_TRUE(step()) << integrator.message();  // what is sized at first use

  const AllocationCounter counter;
  bool ok = true;
  for (int k = 0; k < GetParam().steps && ok; ++k) ok = step();
  const long count = counter.count();
  ASSERT_TRUE(ok) << integrator.message();
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace armature::internal
