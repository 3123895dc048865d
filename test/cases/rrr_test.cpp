// The planar 3RRR robot as seven rigid bodies against a Lagrangian model of the same machine in six coordinates, built and
// integrated independently (test/data/rrr_case_a.csv). Errors grow about as e^(0.8 t) in this motion.
#include <gtest/gtest.h>

#include <cmath>

#include "support/accelerations.hpp"
#include "support/reference_data.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

struct Pair {
  const char* ours;
  const char* theirs;
};
constexpr Pair channels[] = {{"theta1", "th1"},      {"theta2", "th2"},      {"theta3", "th3"},
                             {"platform.C.x", "xC"}, {"platform.C.y", "yC"}, {"platform_angle", "phi"}};

// Largest difference in rows of the reference up to a time.
double difference(const Simulation& run, const ReferenceData& data, double until) {
  const auto t = run.column("t");
  double largest = 0;
  for (const Pair& pair : channels) {
    const auto ours = run.column(pair.ours);
    for (int row = 0; row < data.rows() && data["t"][row] <= until; ++row) {
      const auto at = std::lround(data["t"][row] / 0.005);
      EXPECT_NEAR(t.at(at), data["t"][row], 1e-12);
      largest = std::max(largest, std::abs(ours.at(at) - data[pair.theirs][row]));
    }
  }
  return largest;
}

TEST(Rrr, AssemblesToThePublishedPose) {
  const Prepared start = prepared(shipped("rrr"));
  MemoryRecorder record;
  Prepared short_run = start;
  short_run.options.end = short_run.options.record = 1e-6;
  simulate(short_run, record);
  EXPECT_NEAR(record.column("platform.C.x")[0], 0.5936271468069613, 1e-12);
  EXPECT_NEAR(record.column("platform.C.y")[0], 0.6014507913354462, 1e-12);
  EXPECT_NEAR(record.column("platform_angle")[0], 0.020707095085640663, 1e-12);
}

TEST(Rrr, AccelerationsAtTheStart) {
  const NamedAcceleration a = acceleration_at_start(prepared(shipped("rrr")));
  EXPECT_NEAR(a.vdot.at("theta1'"), 24.92403278, 1e-8);
  EXPECT_NEAR(a.vdot.at("theta2'"), -21.94598119, 1e-8);
  EXPECT_NEAR(a.vdot.at("theta3'"), 35.10427322, 1e-8);
  EXPECT_NEAR(a.vdot.at("theta1'") + a.vdot.at("elbow1'") + a.vdot.at("wrist1'"), -29.61729252, 1e-8);
}

TEST(Rrr, FollowsTheLagrangianModel) {
  const Simulation run = simulated(shipped("rrr"));
  const ReferenceData data("rrr_case_a.csv");
  EXPECT_LT(difference(run, data, 2), 1e-6);
  EXPECT_LT(difference(run, data, 5), 1e-4);
  EXPECT_NEAR(run.at(200, "theta1"), 0.4954775066, 1e-8);
  EXPECT_NEAR(run.at(200, "theta2"), -1.1982753979, 1e-8);
  EXPECT_NEAR(run.at(200, "theta3"), 5.8875693692, 1e-8);
  EXPECT_NEAR(run.at(200, "platform.C.x"), 1.1453330006, 1e-8);
  EXPECT_NEAR(run.at(200, "platform.C.y"), 0.0854156578, 1e-8);
  EXPECT_NEAR(run.at(200, "platform_angle"), 0.2974209128, 1e-8);
}

TEST(Rrr, FollowsItTightly) {
  for (const char* integrator : {"dopri5", "dop853"}) {
    Model model = shipped("rrr");
    model.simulate.integrator = integrator;
    model.simulate.rtol = 1e-12;
    model.simulate.end = 3;
    EXPECT_LT(difference(simulated(model), ReferenceData("rrr_case_a.csv"), 3), 1e-8) << integrator;
  }
}

// RK4 at 1 ms with projection: trajectory error 2.3e-5 over 3 s, measured on the Lagrangian model.
TEST(Rrr, FixedStepsHaveTheErrorOfTheirOrder) {
  Model model = shipped("rrr");
  model.simulate.integrator = "rk4";
  model.simulate.step = 1e-3;
  model.simulate.end = 3;
  EXPECT_LT(difference(simulated(model), ReferenceData("rrr_case_a.csv"), 3), 1e-4);
}

TEST(Rrr, BalancesItsEnergy) {
  EXPECT_LT(simulated(shipped("rrr")).outcome.statistics.energy_error, 1e-7);  // of some 100 J turned over
}

}  // namespace
}  // namespace armature::internal
