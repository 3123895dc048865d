#include "system/state_program.hpp"

#include <gtest/gtest.h>

#include "read/reader.hpp"
#include "system/build_model.hpp"
#include "system/everything.hpp"
#include "system/system.hpp"

namespace armature::internal {
namespace {

// t, a position, a velocity, a discrete value, an outcome, a parameter and a leaf of its own, each where it belongs.
TEST(StateProgram, ReadsEveryPartOfTheState) {
  const auto equations = build_model(read_model_text(everything), {"mass"});
  const Expression own = equations->graph->input("own");
  StateProgram program(*equations,
                       {equations->t, equations->q[1], equations->v[0], equations->discrete[0].leaf,
                        equations->graph->outcome(0), equations->p[0], own},
                       {own});
  State state = System(equations).initial_state();
  state.t = 0.25, state.x[1] = 2, state.x[static_cast<Eigen::Index>(equations->q.size())] = 3, state.d[0] = 4,
  state.w[0] = 0.5;
  program.set(state);
  program.set_parameters(Eigen::VectorXd::Constant(1, 6));
  program.set_further(Eigen::VectorXd::Constant(1, 7));
  EXPECT_EQ(program.evaluate(), (Eigen::VectorXd(7) << 0.25, 2, 3, 4, 0.5, 6, 7).finished());
}

TEST(StateProgram, KeepsWhatIsNotSetAgain) {
  const auto equations = build_model(read_model_text(everything), {"mass"});
  StateProgram program(*equations, {equations->t, equations->discrete[0].leaf});
  State state = System(equations).initial_state();
  state.d[0] = 4;
  program.set(state);
  program.set(1.5, state.x);
  EXPECT_EQ(program.evaluate(), Eigen::Vector2d(1.5, 4));
}

}  // namespace
}  // namespace armature::internal
