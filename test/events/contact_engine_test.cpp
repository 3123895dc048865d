// What impulses of rigid contacts do: by the traced solve, and by the rank-revealing one.
#include "events/contact_engine.hpp"

#include <gtest/gtest.h>

#include "prepare/setup.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

TEST(ContactResponses, OfTheTracedSolveAreThoseOfTheRankRevealingOne) {
  for (const char* name : {"four_bar_stop", "slider_impacts", "cam_lift_off", "cradle", "beam_on_supports"}) {
    SCOPED_TRACE(name);
    const Prepared machine = prepared(shipped(std::string("contact/") + name));
    const auto dynamics = make_dynamics(machine);
    State state = machine.start;
    dynamics->set_state(state);
    ASSERT_NE(machine.system->program(Kernel::contact_response), nullptr);
    ContactEngine engine(*dynamics, state);
    const Eigen::Index nv = machine.system->layout().nv;
    const step::ContactResponseView view = engine.contact_responses(state.t, state.x.data());
    ASSERT_NE(view.normals, nullptr);
    const auto contacts = static_cast<Eigen::Index>(machine.system->equations().contacts.size());
    const Eigen::VectorXd normals = Eigen::Map<const Eigen::VectorXd>(view.normals, contacts * nv);
    ContactRows rows(dynamics->evaluator());
    ASSERT_TRUE(rows.evaluate(state));
    for (Eigen::Index i = 0; i < contacts; ++i) {
      const Eigen::VectorXd expected = rows.velocities_after(Eigen::VectorXd::Unit(rows.G.rows(), 2 * i));
      EXPECT_LT((normals.segment(i * nv, nv) - expected).norm(), 1e-10 * expected.norm()) << i;
    }
  }
}

}  // namespace
}  // namespace armature::internal
