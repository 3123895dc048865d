// The public library, as a program uses it that links it.
#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "armature/armature.hpp"
#include "support/paths.hpp"

namespace {

using armature::Error;
using armature::Machine;
using MachineRun = armature::Run;
using testing::HasSubstr;

constexpr const char* disk = R"(
armature: 1
name: disk
gravity: [0, 0, 0]
plane: xy
parameters: {J: 2 kg*m^2}
inputs: {u: {unit: N*m}}
bodies: {disk: {mass: 1 kg, inertia: {zz: J}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
forces: {drive: {type: effort, on: turn, is: u}}
simulate: {end: 1 s, rtol: 1e-10}
)";

std::string model_path(const std::string& name) {
  return std::string(armature::internal::source_directory) + "/models/" + name + ".yaml";
}

Machine compiled(const std::string& text, const armature::CompileOptions& options = {}) {
  return armature::compile(armature::parse_model(text), options);
}

std::string with(std::string text, const std::string& line) { return text + line + "\n"; }

Error error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(Error::Kind::input, "");
}

TEST(Library, ReportsEveryMistakeOfAFileWithItsPlace) {
  const Error error = error_of([] {
    armature::parse_model("armature: 1\ngravity: [0, 0, 0]\nbodies:\n  a: {mass: 1 m}\n  b: {mass: -1 kg}\n",
                          "two.yaml");
  });
  EXPECT_EQ(error.kind(), Error::Kind::input);
  ASSERT_GE(error.problems().size(), 2u);
  EXPECT_EQ(error.file(), "two.yaml");
  EXPECT_EQ(error.line(), 4);
  EXPECT_EQ(error.key(), "bodies.a.mass");
  EXPECT_THAT(error.sentence(), HasSubstr("expected kg"));
  EXPECT_THAT(error.what(), HasSubstr("two.yaml:5: bodies.b.mass"));
}

TEST(Library, HoldsAnInputUntilItIsSetAgain) {
  MachineRun run(compiled(disk));
  run.set_input("u", 3);
  run.advance(2);  // a = 3/2: v = 3, x = 3
  EXPECT_NEAR(run.value("turn"), 3, 1e-9);
  EXPECT_NEAR(run.value("turn'"), 3, 1e-9);
  run.set_input("u", -1);
  EXPECT_EQ(run.value("u"), -1);
  run.advance(3);  // a = -1/2
  EXPECT_NEAR(run.value("turn'"), 2.5, 1e-9);
  EXPECT_NEAR(run.value("turn"), 3 + 3 - 0.25, 1e-9);
  EXPECT_EQ(run.t(), 3);
}

TEST(Library, BalancesTheEnergyOfInputsThatJump) {
  MachineRun run(compiled(disk), {.record = true});
  for (int k = 0; k < 20; ++k) {
    run.set_input(0, k % 3 - 1);
    run.step(0.1);
  }
  const armature::Outcome outcome = run.finish();
  EXPECT_EQ(outcome.status, armature::Outcome::Status::finished) << outcome.sentence;
  EXPECT_TRUE(outcome.warnings.empty()) << outcome.warnings.front();
  EXPECT_LT(outcome.statistics.energy_error, 1e-9);
}

TEST(Library, MakesAnInputOfAParameter) {
  const std::string spring = with(disk, "record: {quantities: {twice: 2*J}}");
  MachineRun run(compiled(spring, {.inputs = {"J"}}));
  run.set_input("u", 4);
  run.advance(1);  // a = 2
  run.set_input("J", 4);
  run.advance(2);  // a = 1
  EXPECT_NEAR(run.value("turn'"), 3, 1e-9);
  EXPECT_EQ(run.value("twice"), 8);
  EXPECT_EQ(run.machine().inputs().size(), 2u);
}

TEST(Library, GivesTheSameMotionInPiecesAndAtOnce) {
  const Machine machine = armature::compile(armature::read_model(model_path("crane")), {.end = 2});
  const armature::Motion whole = armature::simulate(machine);
  EXPECT_EQ(whole.outcome.status, armature::Outcome::Status::finished) << whole.outcome.sentence;
  MachineRun run(machine);
  for (int k = 1; k <= 200; ++k) run.advance(0.01 * k);
  const armature::State last = run.state();
  ASSERT_EQ(last.q.size(), whole.last.q.size());
  for (std::size_t i = 0; i < last.q.size(); ++i) EXPECT_NEAR(last.q[i], whole.last.q[i], 1e-6) << i;
}

TEST(Library, ReleasesFrictionWhenAnInputExceedsIt) {
  std::string text = disk;
  text.replace(text.find("between: [ground, disk]"), 23, "between: [ground, disk], friction: 1 N*m");
  MachineRun run(compiled(text));
  run.set_input("u", 0.9);
  run.advance(1);
  EXPECT_NEAR(run.value("turn"), 0, 1e-12);
  run.set_input("u", 3);
  run.advance(2);  // (3 - 1)/2
  EXPECT_NEAR(run.value("turn'"), 1, 1e-8);
  EXPECT_NEAR(run.value("turn"), 0.5, 1e-8);
  EXPECT_FALSE(run.events().empty());
}

TEST(Library, ShowsInputsToTheSamplesOfTheSameInstant) {
  MachineRun run(compiled(with(disk, R"(controllers: {held: {type: formula, is: 2*u, sampled: {period: 0.1 s}}}
record: {quantities: {seen: held}})")));
  run.set_input("u", 1);
  run.advance(0.1);
  EXPECT_EQ(run.value("seen"), 2);  // taken at t = 0
  run.set_input("u", 5);
  run.advance(0.15);
  EXPECT_EQ(run.value("seen"), 10);  // taken at t = 0.1, where 5 was set
  run.set_input("u", 7);
  run.advance(0.19);
  EXPECT_EQ(run.value("seen"), 10);
}

TEST(Library, LeavesSamplesToTheInputsOfTheirInstant) {
  MachineRun run(compiled(with(disk, R"(controllers: {held: {type: formula, is: 2*u, sampled: {period: 0.1 s}}}
record: {quantities: {seen: held}})")));
  run.set_input("u", 9);
  run.advance(0);
  run.set_input("u", 4);
  run.advance(0.05);
  EXPECT_EQ(run.value("seen"), 8);
}

TEST(Library, TakesStepsOfTheIntegrator) {
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf"}) {
    MachineRun run(compiled(disk, {.integrator = integrator}));
    run.set_input("u", 2);
    for (int k = 0; k < 5; ++k) run.step();
    EXPECT_GT(run.t(), 0) << integrator;
    EXPECT_NEAR(run.value("turn"), run.t() * run.t() / 2, 1e-8 * (1 + run.t() * run.t())) << integrator;
  }
}

TEST(Library, RefusesStatesAndOptionsThatAreNone) {
  MachineRun run(compiled(disk));
  armature::State state = run.state();
  state.t = std::nan("");
  EXPECT_THAT(error_of([&] { run.set_state(state); }).what(), HasSubstr("the time of the state is not finite"));
  state.t = 0, state.q[0] = std::nan("");
  EXPECT_THAT(error_of([&] { run.set_state(state); }).what(), HasSubstr("q has a number that is not finite"));
  for (const double end : {-1.0, 0.0, double(INFINITY)})
    EXPECT_THAT(error_of([&] { compiled(disk, {.end = end}); }).what(), HasSubstr("must be positive"));
}

// The disk passes its events at sqrt(2 x/a), a = 1 rad/s^2.
TEST(Library, ListsEventsAsTheyHappen) {
  const std::string text = with(disk, "record: {events: {quarter: turn - 0.25, half: turn - 0.5}}");
  for (const bool record : {false, true}) {
    MachineRun run(compiled(text), {.record = record});
    run.set_input("u", 2);
    run.advance(0.9);
    ASSERT_EQ(run.events().size(), 1u);
    EXPECT_NEAR(run.events()[0].t, std::sqrt(0.5), 1e-8);
    EXPECT_THAT(run.events()[0].what, HasSubstr("quarter"));
    run.advance(1.1);
    ASSERT_EQ(run.events().size(), 2u);
    EXPECT_NEAR(run.events()[1].t, 1, 1e-8);
    EXPECT_EQ(run.finish().events.size(), 2u);
  }
}

// The comparison and the friction that holds the disk up to 1 N m follow an input before the run goes on.
TEST(Library, ShowsAnInputInAllChannelsAtOnce) {
  std::string text = with(disk, "record: {quantities: {strong: \"if(u > 1 N*m, u, 0*u)\"}}");
  text.replace(text.find("between: [ground, disk]"), 23, "between: [ground, disk], friction: 1 N*m");
  for (const double before : {0.0, 0.2}) {
    MachineRun run(compiled(text));
    run.set_input("u", 0.5);
    run.advance(before);
    EXPECT_EQ(run.value("strong"), 0) << before;
    run.set_input("u", 3);
    EXPECT_EQ(run.value("strong"), 3) << before;
    run.set_input("u", 0.25);
    EXPECT_EQ(run.value("strong"), 0) << before;
    run.advance(before + 1);
    EXPECT_NEAR(run.value("turn"), 0, 1e-12) << before;
    run.set_input("u", 3);
    EXPECT_EQ(run.value("strong"), 3) << before;
    run.advance(before + 2);  // (3 - 1)/2
    EXPECT_NEAR(run.value("turn'"), 1, 1e-8) << before;
  }
}

// A disk that spins at 1 rad/s: other inertias carry other energies, which the host puts in.
TEST(Library, CountsTheEnergyOfAnInputAsWorkOfTheHost) {
  MachineRun run(compiled(disk, {.inputs = {"J"}}), {.record = true});
  run.set_input("u", 2);
  run.advance(1);
  run.set_input("u", 0);
  run.set_input("J", 8);
  EXPECT_NEAR(run.value("energy.kinetic"), 4, 1e-8);
  EXPECT_NEAR(run.value("energy.error"), 0, 1e-9);
  run.advance(2);
  run.set_input("J", 0.5);
  run.advance(3);
  EXPECT_NEAR(run.value("energy.error"), 0, 1e-9);
  const armature::Outcome outcome = run.finish();
  EXPECT_TRUE(outcome.warnings.empty()) << outcome.warnings.front();
  EXPECT_LT(outcome.statistics.energy_error, 1e-9);
}

TEST(Library, RestoresASnapshotToTheSameBits) {
  std::string text = with(disk, "controllers: {held: {type: formula, is: 3*u - turn, sampled: {period: 0.03 s}}}");
  text.replace(text.find("is: u"), 5, "is: held");
  MachineRun run(compiled(text));
  run.set_input("u", 1);
  run.advance(0.5);
  const armature::Snapshot there = run.snapshot();
  const auto continued = [&] {
    run.restore(there);
    run.set_input("u", 1 + run.value("u"));
    run.advance(1);
    return run.state();
  };
  const armature::State first = continued(), second = continued();
  EXPECT_EQ(first.q, second.q);
  EXPECT_EQ(first.v, second.v);
  EXPECT_EQ(first.discrete, second.discrete);
  armature::Snapshot wrong = there;
  wrong.inputs.push_back(0);
  EXPECT_THAT(error_of([&] { run.restore(wrong); }).what(),
              HasSubstr("the snapshot has 2 inputs, but the machine has 1"));
}

TEST(Library, ReturnsToAState) {
  MachineRun run(armature::compile(armature::read_model(model_path("slider_crank_equal"))));
  run.advance(0.5);
  const armature::State there = run.state();
  run.advance(1);
  const std::vector<double> first = run.state().q;
  run.set_state(there);
  EXPECT_EQ(run.t(), 0.5);
  EXPECT_EQ(run.state().q, there.q);
  run.advance(1);
  const std::vector<double> second = run.state().q;
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i], second[i], 1e-6) << i;
}

TEST(Library, SharesAMachineBetweenThreads) {
  const Machine machine = armature::compile(armature::read_model(model_path("four_bar")));
  std::vector<std::vector<double>> ends(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<double>& end : ends)
      threads.emplace_back([&] {
        MachineRun run(machine);
        run.advance(1);
        end = run.state().q;
      });
  }
  for (const std::vector<double>& end : ends) EXPECT_EQ(end, ends.front());
}

TEST(Library, NamesWhatThereIsNot) {
  MachineRun run(compiled(disk));
  EXPECT_THAT(error_of([&] { run.set_input("v", 1); }).what(), HasSubstr("there is no input 'v'; expected u"));
  EXPECT_THAT(error_of([&] { run.value("turm"); }).what(), HasSubstr("did you mean 'turn'?"));
  EXPECT_THAT(error_of([&] { run.set_input(0, std::nan("")); }).what(), HasSubstr("not a finite number"));
  EXPECT_THAT(error_of([&] { compiled(disk, {.inputs = {"K"}}); }).what(), HasSubstr("there is no parameter 'K'"));
  EXPECT_THAT(error_of([&] { compiled(disk, {.integrator = "rk5"}); }).what(),
              HasSubstr("there is no integrator 'rk5'"));
  run.advance(1);
  EXPECT_THAT(error_of([&] { run.advance(0.5); }).what(), HasSubstr("the run is at t = 1 s already"));
}

TEST(Library, RefusesAConstraintThatAnInputWouldTearOpen) {
  const std::string text = with(disk, "constraints: {servo: {type: prescribed, zero: turn - 0.1*u/(1 N*m)}}");
  EXPECT_THAT(error_of([&] { compiled(text); }).what(), HasSubstr("depends on the input 'u', which jumps"));
}

TEST(Library, RefusesAnInputWhereAConstantIsNeeded) {
  std::string text = disk;
  text.replace(text.find("mass: 1 kg"), 10, "mass: u/(1 N*m)*1 kg");
  EXPECT_THAT(error_of([&] { compiled(text); }).what(), HasSubstr("must be a constant, but it depends on 'u'"));
}

// A force that grows without bound in finite time.
TEST(Library, KeepsWhatWasComputedWhenARunFails) {
  std::string text = disk;
  text.replace(text.find("is: u"), 5, "is: u/(1 - t)^2");
  MachineRun run(compiled(text), {.record = true});
  run.set_input("u", 1);
  const Error error = error_of([&] { run.advance(2); });
  EXPECT_EQ(error.kind(), Error::Kind::computation);
  EXPECT_THAT(error.what(), HasSubstr("t = 1"));
  EXPECT_EQ(run.outcome().status, armature::Outcome::Status::failed);
  EXPECT_GT(run.trajectory().rows(), 900u);
  EXPECT_NEAR(run.trajectory().column("t").back(), 1, 0.01);
}

TEST(Library, GivesTheTermsOfTheEquationsOfMotion) {
  const Machine machine = armature::compile(armature::read_model(model_path("rrr")));
  armature::State state = machine.start();
  const armature::Terms terms = machine.terms(state);
  const armature::Acceleration a = machine.acceleration(state);
  const auto n = static_cast<std::size_t>(terms.velocities), m = static_cast<std::size_t>(terms.constraints);
  ASSERT_EQ(terms.M.size(), n * n);
  ASSERT_EQ(terms.Phi.size(), m * n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = -terms.f[i];
    for (std::size_t k = 0; k < n; ++k) sum += terms.M[i * n + k] * a.vdot[k];
    for (std::size_t r = 0; r < m; ++r) sum += terms.Phi[r * n + i] * a.lambda[r];
    EXPECT_NEAR(sum, 0, 1e-9) << i;
  }
  const armature::Acceleration other = machine.acceleration(state, "null_space");
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(other.vdot[i], a.vdot[i], 1e-9) << i;
  EXPECT_EQ(a.rank, 4);
  EXPECT_EQ(machine.degrees_of_freedom(), static_cast<int>(n) - 4);
  state.q.pop_back();
  EXPECT_THAT(error_of([&] { machine.terms(state); }).what(), HasSubstr("q has"));
}

TEST(Library, ListsTheWaysToCloseTheLoops) {
  const Machine machine = armature::compile(armature::read_model(model_path("four_bar")));
  const std::vector<armature::State> branches = machine.branches();
  ASSERT_EQ(branches.size(), 2u);
  armature::State beside = branches.front();
  for (double& q : beside.q) q += 1e-3;
  const armature::State projected = machine.project(beside);
  for (const double phi : machine.terms(projected).phi) EXPECT_NEAR(phi, 0, 1e-10);
}

TEST(Library, RefusesStatesOffTheConstraintsAndProjectsThoseBeside) {
  MachineRun run(armature::compile(armature::read_model(model_path("four_bar"))));
  const armature::State start = run.state();
  armature::State beside = start;
  beside.q[0] += 1e-4;
  run.set_state(beside);
  EXPECT_LT(run.value("constraint.position"), 1e-12);
  run.set_state(start);
  EXPECT_EQ(run.state().q, start.q);  // as it is
  armature::State open = start;
  open.q[0] += 1;
  EXPECT_THAT(error_of([&] { run.set_state(open); }).what(),
              HasSubstr("the state does not satisfy the constraints: it opens"));
  EXPECT_THAT(error_of([&] { MachineRun(run.machine(), {.from = &open}); }).what(),
              HasSubstr("assemble() finds a state"));
  const armature::State assembled = run.machine().assemble(open);
  run.set_state(assembled);
  EXPECT_LT(run.value("constraint.position"), 1e-12);
}

TEST(Library, AssemblesWithChosenCoordinates) {
  const Machine machine = armature::compile(armature::read_model(model_path("four_bar")));
  const armature::Assembly assembly(machine, {"crank_angle", "crank_angle.v"});
  const std::vector<armature::State> branches = assembly.branches({1.2, 3});
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_NE(branches[0].q, branches[1].q);
  for (const armature::State& state : {assembly.start({1.2, 3}), branches[0]}) {
    MachineRun run(machine, {.from = &state});
    EXPECT_NEAR(run.value("crank_angle"), 1.2, 1e-12);
    EXPECT_NEAR(run.value("crank_angle'"), 3, 1e-9);
  }
  EXPECT_THAT(error_of([&] { armature::Assembly(machine, {"crank"}); }).what(),
              HasSubstr("there is no coordinate 'crank'"));
  EXPECT_THAT(error_of([&] { assembly.start({1}); }).what(), HasSubstr("1 values were given for 2 coordinates"));
}

TEST(Library, PassesOnWhatAProgressThrows) {
  struct Mine {};
  const Machine machine = armature::compile(armature::read_model(model_path("rrr")));
  EXPECT_THROW(armature::simulate(machine, [](double, long) -> bool { throw Mine(); }), Mine);
  EXPECT_THROW(armature::singularities(machine.model(), [](double, long) -> bool { throw Mine(); }), Mine);
}

TEST(Library, TakesInputsIntoTheTerms) {
  const Machine machine = compiled(disk);
  EXPECT_EQ(machine.terms(machine.start(), {6}).f[0], 6);
  EXPECT_EQ(machine.acceleration(machine.start(), "auto", {6}).vdot[0], 3);
  EXPECT_EQ(machine.terms(machine.start()).f[0], 0);
  EXPECT_THAT(error_of([&] { machine.terms(machine.start(), {1, 2}); }).what(), HasSubstr("2 inputs were given"));
}

TEST(Library, StopsWhereItIsAskedTo) {
  const Machine machine = armature::compile(armature::read_model(model_path("rrr")));
  const armature::Motion motion = armature::simulate(machine, [](double t, long) { return t < 0.5; });
  EXPECT_EQ(motion.outcome.status, armature::Outcome::Status::stopped);
  EXPECT_GT(motion.last.t, 0.49);
  EXPECT_GT(motion.trajectory.rows(), 2u);
}

TEST(Library, ARunThatIsStoppedSaysWhenAndWhy) {
  MachineRun run(compiled(disk), {.record = true});
  run.advance(0.5);
  const armature::Outcome outcome = run.stop("the door is open");
  EXPECT_EQ(outcome.status, armature::Outcome::Status::stopped);
  EXPECT_EQ(outcome.sentence, "stopped at t = 0.5 s: the door is open");
  EXPECT_EQ(run.trajectory().row(run.trajectory().rows() - 1)[0], 0.5);
  EXPECT_THAT(error_of([&] { run.step(0.1); }).what(), HasSubstr("the door is open"));
}

TEST(Library, SimulatesFromAnotherState) {
  const armature::Model model = armature::read_model(model_path("four_bar"));
  const Machine machine = armature::compile(model, {.end = 0.5});
  const armature::State other = machine.branches().at(1);
  const armature::Motion motion = armature::simulate(machine, other);
  EXPECT_EQ(motion.outcome.status, armature::Outcome::Status::finished) << motion.outcome.sentence;
  EXPECT_EQ(motion.trajectory.column("rocker_angle").front(),
            MachineRun(machine, {.from = &other}).value("rocker_angle"));
  const armature::Motion further = armature::simulate(armature::compile(model, {.end = 1}), motion.last);
  EXPECT_EQ(further.trajectory.column("t").front(), 0.5);
  EXPECT_THAT(error_of([&] { armature::simulate(machine, motion.last); }).what(), HasSubstr("give a later end"));
}

}  // namespace
