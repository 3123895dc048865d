// Rows that fall upon what a step has passed over say so. The steps here are taken by an integrator alone: the loop of a run takes steps
// anew that hide something, where it finds it.
#include "observe/slope_check.hpp"

#include <gmock/gmock.h>

#include "integrate/integrator.hpp"
#include "model/findings.hpp"
#include "prepare/setup.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string rotor_with(const std::string& element) {
  return "plane: xy\ngravity: [0, 0, 0]\nbodies: {rotor: {mass: 1, inertia: {zz: 1}}}\n"
         "joints: {turn: {type: revolute, between: [ground, rotor]}}\n" +
         element + "\nstart: {speed: {turn: 1}}\nsimulate: {end: 10 s, record: 10 ms}\n";
}

// Rows of a step after the other, as an integrator takes them.
Outcome checked(const std::string& text, const std::string& integrator) {
  Model model = read_model_text("armature: 1\n" + text);
  model.simulate.integrator = integrator;
  const Prepared p = prepared(model);
  const auto dynamics = make_dynamics(p);
  const Solver solver = make_solver(p, *dynamics);
  dynamics->set_state(p.start);
  SlopeCheck check(p, *dynamics);
  solver.integrator->start(p.start.t, p.start.x);
  double due = p.options.record;
  Eigen::VectorXd x;
  while (solver.integrator->t() < p.options.end) {
    EXPECT_EQ(solver.integrator->step(p.options.end), StepStatus::ok);
    check.begin_step(*solver.integrator);
    for (; due <= solver.integrator->t(); due += p.options.record) {
      solver.integrator->interpolate(due, x);
      EXPECT_TRUE(dynamics->solve_multipliers(due, x.data()));
      check.look(due, x);
    }
  }
  Outcome outcome;
  check.report(outcome);
  return outcome;
}

class SlopeCheckOf : public testing::TestWithParam<const char*> {};

// A pulse of 1 N m s, 20 ms wide, at 5 s: at its top the rotor should speed up by 1/(0.02 sqrt(pi)) rad/s^2. Steps are longer than a second
// there.
TEST_P(SlopeCheckOf, APulseBetweenTheStagesIsNamed) {
  const std::string pulse = "forces: {pulse: {type: effort, on: turn, is: \"exp(-((t - 5)/0.02)^2)/(0.02*sqrt(pi))\"}}";
  const Outcome outcome = checked(rotor_with(pulse), GetParam());
  ASSERT_THAT(outcome.findings, SizeIs(1));
  EXPECT_EQ(outcome.findings[0].code, FindingCode::missed);
  EXPECT_THAT(outcome.warnings(),
              ElementsAre(AllOf(HasSubstr("at t = 5 s turn' should change by 28.2 rad/s per second"),
                                HasSubstr("Set max_step"))));
}

// So is one of a state.
TEST_P(SlopeCheckOf, APulseOfAStateIsNamed) {
  const std::string state = "states: {z: {rate: \"exp(-((t - 5)/0.02)^2)\", start: 0}}";
  const Outcome outcome = checked(rotor_with(state), GetParam());
  ASSERT_THAT(outcome.findings, SizeIs(1));
  EXPECT_THAT(outcome.findings[0].sentence, HasSubstr("at t = 5 s z should change by 1"));
}

// A spring of 1 kN m/rad with a strong damper settles within a millisecond: steps of a stiff method have slopes of their own on the way.
TEST_P(SlopeCheckOf, WhatStepsFollowIsNot) {
  EXPECT_THAT(checked(rotor_with("forces: {wave: {type: effort, on: turn, is: sin(3*t)}}"), GetParam()).findings,
              IsEmpty());
  EXPECT_THAT(checked(rotor_with("forces: {stiff: {type: effort, on: turn, is: \"-1000*turn - 1000*turn' + sin(t)\"}}"),
                      GetParam())
                  .findings,
              IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Integrators, SlopeCheckOf,
                         testing::Values("dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams"));

}  // namespace
}  // namespace armature::internal
