// What a contact of one point costs, in operations and evaluations of programs: the same on every machine. Instructions are in
// docs/design/017-contact.md.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "events/comparisons.hpp"
#include "integrate/integrator.hpp"
#include "prepare/setup.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// The 3RRR robot, with what is put among its forces.
Model robot(const std::string& contact) {
  std::ifstream file(std::string(source_directory) + "/models/rrr_benchmark.yaml");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::string before = "\ndefine:";
  text.insert(text.find(before), "\n" + contact);
  return read_model_text(text, "robot.yaml");
}
const char* const frictionless = "  slab: {type: contact, gap: platform.C.y + 2, restitution: 0.5}\n";
const char* const rough =
    "  slab: {type: contact, gap: platform.C.y + 2, restitution: 0.5, friction: 0.1, sliding: \"platform.C.x'\"}\n";
const char* const elastic =
    "  slab: {type: contact, gap: platform.C.y + 2, law: hunt_crossley, stiffness: 1e6, restitution: 0.5}\n";

int operations(const Prepared& model, Kernel kernel) { return model.system->program(kernel)->operation_count(); }

// A step of dopri5: five stages, and the end with its projection.
int operations_of_step(const Prepared& model, Kernel acceleration) {
  return 5 * operations(model, acceleration) + operations(model, Kernel::step_end);
}

// Programs make up a quarter of the instructions of a step, and a step with a contact takes no more of the rest but a search of some thousand
// instructions: half of the operations again are below 30 % of a step.
TEST(ContactCost, OfARigidContactIsAtMostHalfOfTheOperationsOfPrograms) {
  const int plain = operations_of_step(prepared(robot("")), Kernel::acceleration);
  const auto more = [&](const Prepared& model, Kernel acceleration) {
    const int contact = operations_of_step(model, acceleration) + operations(model, Kernel::contact_motion);
    const double share = double(contact) / plain - 1;
    std::printf("%d operations, %d without a contact: +%.1f %%\n", contact, plain, 100 * share);
    return share;
  };
  const Prepared smooth = prepared(robot(frictionless)), with_friction = prepared(robot(rough));
  EXPECT_LT(more(smooth, Kernel::acceleration_open), 0.09);            // 0.081
  EXPECT_LT(more(smooth, Kernel::acceleration), 0.43);                 // 0.412
  EXPECT_LT(more(with_friction, Kernel::acceleration_open), 0.14);     // 0.124
  EXPECT_LT(more(with_friction, Kernel::acceleration_sliding), 0.51);  // 0.497
  EXPECT_LT(more(with_friction, Kernel::acceleration), 0.68);          // 0.658, one that sticks
}

TEST(ContactCost, OfAnElasticContactIsATenthOfTheOperationsOfPrograms) {
  const int plain = operations_of_step(prepared(robot("")), Kernel::acceleration);
  const Prepared model = prepared(robot(elastic));
  const int contact = operations_of_step(model, Kernel::acceleration) + operations(model, Kernel::roots) +
                      operations(model, Kernel::discrete);
  std::printf("%d operations, %d without a contact\n", contact, plain);
  EXPECT_LT(contact, 1.08 * plain);  // 1.062
}

// Ranges of a gap cost several hundred operations: they are found in few steps, of an open contact and of a closed one.
TEST(ContactCost, TakesRangesOfTheGapInFewSteps) {
  for (const char* gap : {"platform.C.y + 2", "platform.C.y - 0.6115"}) {
    const Prepared start = prepared(robot("  slab: {type: contact, gap: " + std::string(gap) + ", stiffness: 2e4}\n" +
                                          "  push: {type: force, on: platform.C, is: [0, -200, 0]}\n"));
    const auto dynamics = make_dynamics(start);
    const Solver solver = make_solver(start, *dynamics);
    Integrator& integrator = *solver.integrator;
    State state = start.start;
    Comparisons comparisons(*dynamics, state, start.options.rtol);
    comparisons.begin();
    dynamics->set_state(state);
    integrator.start(0, state.x);
    int steps = 0;
    long before = 0;
    for (; steps < 200; ++steps) {
      if (steps == 20) before = comparisons.range_evaluations();
      ASSERT_EQ(integrator.step(1e9), StepStatus::ok);
      ASSERT_FALSE(comparisons.find_change(integrator)) << gap;
    }
    std::printf("%ld in %d steps\n", comparisons.range_evaluations() - before, steps - 20);
    EXPECT_LT(comparisons.range_evaluations() - before, (steps - 20) / 4) << gap;
  }
}

// The kernel for some modes of contacts has the bits of that for all.
TEST(ContactCost, KernelsForSomeModesHaveTheBitsOfAll) {
  const Prepared start = prepared(robot(rough));
  SystemEvaluator evaluator(start.system);
  const RigidContact& contact = start.system->equations().contacts[0];
  const auto accelerations = [&](Kernel kernel) {
    const int count = start.system->program(kernel)->output_count();
    evaluator.kernels().run(kernel);
    const auto* rows = evaluator.kernels().written();
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(rows[i][0]);
    return values;
  };
  State state = start.start;
  const Layout& n = start.system->layout();
  for (int i = 0; i < n.nv; ++i) state.x[n.nq + i] = std::sin(1 + i);
  for (const bool closed : {false, true}) {
    state.d[contact.closed] = closed;
    evaluator.set(state);
    evaluator.set_parameters(start.parameters);
    EXPECT_EQ(accelerations(Kernel::acceleration_sliding), accelerations(Kernel::acceleration));
    if (closed) continue;
    EXPECT_EQ(accelerations(Kernel::acceleration_open), accelerations(Kernel::acceleration));
  }
}

}  // namespace
}  // namespace armature::internal
