// A sample that falls an ulp before the end of a run, or at any other stop: the step that is left is no more than round-off of the time, which
// the solvers of SUNDIALS do not take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

Model sampled_arm(double us, double end, const std::string& integrator, const std::string& torque = "c") {
  Model model = read_model_text(fmt::format(R"model(armature: 1
name: sampled
gravity: [0, 0, 0]
plane: xy
bodies: {{arm: {{mass: 0.5, inertia: {{zz: 0.02}}}}}}
joints: {{q: {{type: revolute, between: [ground, arm]}}}}
controllers: {{c: {{type: pd, measure: q, target: 0.5, kp: 20, kd: 1, sampled: {{period: {} us}}}}}}
forces: {{u: {{type: effort, on: q, is: '{}'}}}}
simulate: {{end: 1, record: 50 ms}}
)model",
                                            us, torque));
  model.simulate.end = end;
  model.simulate.integrator = integrator;
  model.simulate.rtol = 1e-10;
  return model;
}

// 1000 periods of 100 us, which is 100 times 1e-6 s, are 0.1 s but for an ulp; so are others. The digits are those of dopri5 but for
// what a thousand starts at order one err by.
TEST(LastSample, MayFallAnUlpBeforeTheEnd) {
  for (const auto& [us, end] :
       std::vector<std::pair<double, double>>{{100, 0.0011}, {100, 0.1}, {800, 0.0056}, {1100, 0.0077}}) {
    const double period = us * 1e-6;
    ASSERT_LT(std::round(end / period) * period, end);
    const Simulation known = simulated(sampled_arm(us, end, "dopri5"));
    for (const std::string integrator : {"cvode_bdf", "cvode_adams", "ida"}) {
      const Simulation run = simulated(sampled_arm(us, end, integrator));
      EXPECT_EQ(run.outcome.last.t, end) << integrator;
      EXPECT_NEAR(run.last("q"), known.last("q"), 1e-5) << integrator << " to " << end;
      EXPECT_NEAR(run.last("q'"), known.last("q'"), 1e-5) << integrator << " to " << end;
    }
  }
}

// A comparison that changes beside a sample: a step of round-off on the way, not at the end.
TEST(LastSample, MayFollowAChangeByAnUlp) {
  for (const std::string integrator : {"cvode_bdf", "cvode_adams", "ida"})
    for (const std::string time : {"0.0299999999999999", "0.03", "0.0300000000000001", "300*100e-6"}) {
      const Simulation run = simulated(sampled_arm(100, 0.05, integrator, "if(t < " + time + ", c, 2*c)"));
      EXPECT_EQ(run.outcome.last.t, 0.05) << integrator << ", " << time;
    }
}

}  // namespace
}  // namespace armature::internal
