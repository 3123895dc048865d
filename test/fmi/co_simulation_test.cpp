// Exported FMUs in co-simulation: the numbers of `armature run`, states that are taken and given back, the rules of the standards.
#include <gmock/gmock.h>
#include <malloc.h>

#include <cmath>
#include <cstdlib>
#include <regex>

#include "fmi/host.hpp"
#include "prepare/prepare.hpp"
#include "run/paused_run.hpp"
#include "run/simulate.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using Kind = Instance3::Kind;

constexpr const char* cart = R"(
armature: 1
name: cart
gravity: [0, -9.81, 0]
plane: xy
parameters: {length: 0.5 m, load: 1 kg, half: length/2}
inputs: {V: {unit: V, default: 3}}
bodies:
  cart: {mass: 2 kg}
  rope: {mass: load, center: [0, -length, 0], inertia: {zz: 0.01 kg*m^2}}
joints:
  travel: {type: prismatic, axis: x, between: [ground, cart], friction: 0.5 N}
  swing: {type: revolute, axis: z, between: [cart, rope]}
drives:
  motor: {type: dc_motor, on: travel, voltage: V, torque_constant: 0.05 N*m/A, resistance: 0.5 Ohm, rotor_inertia: 2e-5 kg*m^2,
          radius: 0.01 m/rad}
start: {keep: {swing: 20 deg}}
record: {quantities: {tip: travel + length*sin(swing)}}
simulate: {end: 1 s, rtol: 1e-11, record: 10 ms}
)";

// Rows of `armature run`.
MemoryRecorder rows_of(const std::string& text, const Settings& settings = {}) {
  Prepared prepared = compile(read_model_text(text, "machine", settings));
  assemble_start(prepared);
  MemoryRecorder rows;
  EXPECT_EQ(simulate(prepared, rows).status, RunStatus::finished);
  return rows;
}

// A current that follows within 2e-12 s: 0.1 s take 1e10 steps or more, and a host cannot interrupt them. The log comes early, and ends this.
TEST(CoSimulation, SaysAtOnceThatAStepCrawls) {
  const std::string text = std::regex_replace(cart, std::regex("0.5 Ohm,"), "0.5 Ohm, inductance: 1e-12 H,");
  const UnpackedFmu fmu(text, FmiVersion::fmi3);
  const auto log = [](fmi3InstanceEnvironment, fmi3Status status, fmi3String category, fmi3String message) {
    const std::string sentence = message;
    if (sentence.find("more are needed to reach t = 0.1 s") == sentence.npos) return;
    std::_Exit(status == fmi3Warning && category == std::string("logStatusWarning") ? 42 : 1);
  };
  const auto step = [&] {
    const fmi3Instance one =
        FMU(fmi3InstantiateCoSimulation)("one", fmu.token().c_str(), fmu.resources().c_str(), false, false, false,
                                         false, nullptr, 0, nullptr, log, nullptr);
    FMU(fmi3EnterInitializationMode)(one, false, 0, 0, false, 0);
    FMU(fmi3ExitInitializationMode)(one);
    bool event = false, terminate = false, early = false;
    double last = 0;
    FMU(fmi3DoStep)(one, 0, 0.1, true, &event, &terminate, &early, &last);
    std::_Exit(0);
  };
  EXPECT_EXIT(step(), testing::ExitedWithCode(42), "");
}

TEST(CoSimulation, HasTheNumbersOfARun) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi3);
  const MemoryRecorder rows = rows_of(cart);
  Instance3 one(fmu, Kind::co_simulation);
  one.initialize();
  int row = 0;
  for (int k = 0; k <= 1000; ++k) {
    if (k % 10 == 0) {
      for (const char* name : {"travel", "swing", "travel'", "swing'", "tip", "motor.current"}) {
        const double wanted = rows.column(name)[static_cast<std::size_t>(row)];
        EXPECT_NEAR(one.get(name), wanted, 1e-10 * (1 + std::abs(wanted))) << name << " at row " << row;
      }
      ++row;
    }
    if (k < 1000) {
      ASSERT_EQ(one.step(1e-3 * k, 1e-3).status, fmi3OK) << one.logged;
    }
  }
  EXPECT_EQ(row, rows.rows());
  EXPECT_NEAR(one.get("time"), 1, 1e-12);
}

// A friction that is negative drives the cart: a run warns, and so does the log when the motion is over.
TEST(CoSimulation, LogsWhatARunWarnsOf) {
  std::string text = cart;
  text.replace(text.find("friction: 0.5 N"), 15, "friction: \"-0.5*sin(20*t)\"");
  const UnpackedFmu fmu(text, FmiVersion::fmi3);
  Instance3 one(fmu, Kind::co_simulation);
  one.initialize();
  for (int k = 0; k < 100; ++k) ASSERT_EQ(one.step(1e-2 * k, 1e-2).status, fmi3OK) << one.logged;
  EXPECT_THAT(one.logged, testing::Not(HasSubstr("a friction is negative there")));
  EXPECT_EQ(FMU(fmi3Terminate)(one.instance), fmi3OK);
  EXPECT_THAT(one.logged, HasSubstr("a friction is negative there and drives the motion"));
}

TEST(CoSimulation, HasTheBitsOfALibraryRunInTheSameSteps) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi3);
  Instance3 one(fmu, Kind::co_simulation);
  one.initialize();
  Prepared prepared = compile(read_model_text(cart));
  assemble_start(prepared);
  prepared.options.open_ended = true;
  PausedRun run(prepared, nullptr);
  for (int k = 0; k < 100; ++k) {
    const double input = std::sin(0.3 * k);
    one.set("V", input), run.set_parameter(0, input);
    const double t = 0.01 * k;
    ASSERT_EQ(one.step(t, 0.01).status, fmi3OK) << one.logged;
    ASSERT_TRUE(run.advance(t + 0.01));
    EXPECT_EQ(one.get("travel"), run.state().x[0]);
    EXPECT_EQ(one.get("swing'"), run.state().x[3]);
  }
}

TEST(CoSimulation, OfFmi2HasTheSameBitsAsThatOfFmi3) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi2), other(cart, FmiVersion::fmi3);
  fmi2CallbackFunctions callbacks{};
  const std::string uri = "file://" + fmu.resources();
  fmi2Component component =
      FMU(fmi2Instantiate)("one", fmi2CoSimulation, fmu.token().c_str(), uri.c_str(), &callbacks, 0, 0);
  ASSERT_TRUE(component);
  ASSERT_EQ(FMU(fmi2SetupExperiment)(component, 0, 0, 0, 1, 1), fmi2OK);
  ASSERT_EQ(FMU(fmi2EnterInitializationMode)(component), fmi2OK);
  ASSERT_EQ(FMU(fmi2ExitInitializationMode)(component), fmi2OK);
  Instance3 one(other, Kind::co_simulation);
  one.initialize();
  for (int k = 0; k < 50; ++k) {
    ASSERT_EQ(FMU(fmi2DoStep)(component, 0.02 * k, 0.02, 1), fmi2OK);
    ASSERT_EQ(one.step(0.02 * k, 0.02).status, fmi3OK);
    const fmi2ValueReference reference = fmu.reference("tip");
    double value = 0;
    ASSERT_EQ(FMU(fmi2GetReal)(component, &reference, 1, &value), fmi2OK);
    EXPECT_EQ(value, one.get("tip"));
  }
  EXPECT_EQ(FMU(fmi2DoStep)(component, 1, 0.02, 1), fmi2Error);  // after the stop time
  EXPECT_EQ(FMU(fmi2Terminate)(component), fmi2OK);
  FMU(fmi2FreeInstance)(component);
}

TEST(CoSimulation, GoesBackToAStateWithTheSameBits) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi3);
  Instance3 one(fmu, Kind::co_simulation), other(fmu, Kind::co_simulation);
  one.initialize(), other.initialize();
  for (int k = 0; k < 30; ++k) ASSERT_EQ(one.step(0.01 * k, 0.01).status, fmi3OK);
  fmi3FMUState state = nullptr;
  ASSERT_EQ(FMU(fmi3GetFMUState)(one.instance, &state), fmi3OK) << one.logged;
  const auto go_on = [](Instance3& instance) {
    std::vector<double> values;
    for (int k = 30; k < 60; ++k) {
      EXPECT_EQ(instance.step(0.01 * k, 0.01).status, fmi3OK) << instance.logged;
      for (const char* name : {"travel", "swing", "tip", "motor.current"}) values.push_back(instance.get(name));
    }
    return values;
  };
  const std::vector<double> first = go_on(one);
  one.set("V", 12);  // the state has the inputs, too
  ASSERT_EQ(FMU(fmi3SetFMUState)(one.instance, state), fmi3OK);
  EXPECT_EQ(go_on(one), first);
  // as bytes, in another instance
  std::size_t size = 0;
  ASSERT_EQ(FMU(fmi3SerializedFMUStateSize)(one.instance, state, &size), fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  ASSERT_EQ(FMU(fmi3SerializeFMUState)(one.instance, state, bytes.data(), size), fmi3OK);
  fmi3FMUState copy = nullptr;
  ASSERT_EQ(FMU(fmi3DeserializeFMUState)(other.instance, bytes.data(), size, &copy), fmi3OK);
  ASSERT_EQ(FMU(fmi3SetFMUState)(other.instance, copy), fmi3OK);
  EXPECT_EQ(go_on(other), first);
  for (std::size_t cut = 0; cut < size; cut += 7) {
    fmi3FMUState none = nullptr;
    EXPECT_EQ(FMU(fmi3DeserializeFMUState)(other.instance, bytes.data(), cut, &none), fmi3Error);
  }
  FMU(fmi3FreeFMUState)(one.instance, &state);
  FMU(fmi3FreeFMUState)(other.instance, &copy);
  EXPECT_EQ(copy, nullptr);
}

// Friction holds the cart until the voltage suffices: events of comparisons inside a step.
TEST(CoSimulation, ReturnsEarlyAtAnEvent) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi3);
  Instance3 one(fmu, Kind::with_events);
  one.initialize();
  bool again = true, terminate, nominals, values, defined;
  double next;
  ASSERT_EQ(FMU(fmi3UpdateDiscreteStates)(one.instance, &again, &terminate, &nominals, &values, &defined, &next),
            fmi3OK);
  EXPECT_FALSE(again);
  ASSERT_EQ(FMU(fmi3EnterStepMode)(one.instance), fmi3OK);
  one.set("V", 0);
  double t = 0;
  int early = 0;
  while (t < 1) {
    const Instance3::Step step = one.step(t, 1 - t);
    ASSERT_EQ(step.status, fmi3OK) << one.logged;
    if (step.early) {
      ++early;
      EXPECT_TRUE(step.event);
      EXPECT_LT(step.last, 1);
      EXPECT_NEAR(one.get("travel'"), 0, 1e-8);  // the cart stops or starts
      ASSERT_EQ(FMU(fmi3EnterEventMode)(one.instance), fmi3OK);
      ASSERT_EQ(FMU(fmi3UpdateDiscreteStates)(one.instance, &again, &terminate, &nominals, &values, &defined, &next),
                fmi3OK);
      ASSERT_EQ(FMU(fmi3EnterStepMode)(one.instance), fmi3OK);
    }
    t = step.last;
  }
  EXPECT_GT(early, 0);
  EXPECT_THAT(one.logged, HasSubstr("joint travel: sticks"));  // the events as sentences
}

// Not only comparisons: an event of the file, and samples of a controller. Between them no step is cut.
TEST(CoSimulation, ReturnsEarlyAtEventsOfTheFileAndAtSamples) {
  const UnpackedFmu fmu(R"(
armature: 1
name: disk
gravity: [0, 0, 0]
plane: xy
bodies: {disk: {mass: 1 kg, inertia: {zz: 1 kg*m^2}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
controllers: {hold: {type: formula, is: 0.1*cos(turn), sampled: {period: 0.4 s}}}
forces: {push: {type: effort, on: turn, is: hold}}
start: {speed: {turn: 1 rad/s}}
record: {events: {quarter: turn - 0.25}}
simulate: {end: 1 s, rtol: 1e-10}
)",
                        FmiVersion::fmi3);
  Instance3 one(fmu, Kind::with_events);
  one.initialize();
  bool again = true, terminate, nominals, values, defined;
  double next;
  ASSERT_EQ(FMU(fmi3UpdateDiscreteStates)(one.instance, &again, &terminate, &nominals, &values, &defined, &next),
            fmi3OK);
  ASSERT_EQ(FMU(fmi3EnterStepMode)(one.instance), fmi3OK);
  std::vector<double> stops;
  for (double t = 0; t < 1;) {
    const Instance3::Step step = one.step(t, 1 - t);
    ASSERT_EQ(step.status, fmi3OK) << one.logged;
    t = step.last;
    if (!step.early) continue;
    EXPECT_TRUE(step.event);
    stops.push_back(t);
    if (stops.size() == 1) {
      EXPECT_NEAR(one.get("turn"), 0.25, 1e-9);
    }
    ASSERT_EQ(FMU(fmi3EnterEventMode)(one.instance), fmi3OK);
    ASSERT_EQ(FMU(fmi3UpdateDiscreteStates)(one.instance, &again, &terminate, &nominals, &values, &defined, &next),
              fmi3OK);
    ASSERT_EQ(FMU(fmi3EnterStepMode)(one.instance), fmi3OK);
  }
  ASSERT_EQ(stops.size(), 3u) << testing::PrintToString(stops);
  EXPECT_NEAR(stops[1], 0.4, 1e-12);
  EXPECT_NEAR(stops[2], 0.8, 1e-12);
}

TEST(CoSimulation, TakesParametersBeforeAndDuringARun) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi3);
  Instance3 one(fmu, Kind::co_simulation);
  ASSERT_EQ(one.set("load", 2.5), fmi3OK);
  ASSERT_EQ(one.set("length", 0.7), fmi3OK);
  one.initialize();
  EXPECT_EQ(one.get("half"), 0.35);
  const MemoryRecorder rows = rows_of(cart, {{"load", "2.5"}, {"length", "0.7"}});
  for (int k = 0; k < 100; ++k) ASSERT_EQ(one.step(0.01 * k, 0.01).status, fmi3OK) << one.logged;
  EXPECT_NEAR(one.get("tip"), rows.column("tip").back(), 1e-9);
  const double before = one.get("swing");
  ASSERT_EQ(one.set("load", 4), fmi3OK);  // while it runs: what moves stays where it is
  ASSERT_EQ(one.step(1, 1e-6).status, fmi3OK) << one.logged;
  EXPECT_NEAR(one.get("swing"), before, 1e-5);
  EXPECT_EQ(one.get("load"), 4);
  EXPECT_EQ(one.set("half", 1), fmi3Error);
  EXPECT_THAT(one.logged, HasSubstr("'half' cannot be set"));
}

TEST(CoSimulation, AssemblesTheStartAndSaysWhatCouldNotHold) {
  const UnpackedFmu fmu("models/four_bar.yaml", FmiVersion::fmi3);
  std::vector<std::string> angles;
  for (const pugi::xml_node& variable : fmu.xml.document_element().child("ModelVariables"))
    if (std::string(variable.attribute("unbounded").value()) == "true")
      angles.push_back(variable.attribute("name").value());
  ASSERT_GE(angles.size(), 2u);
  Instance3 one(fmu, Kind::co_simulation);
  const double first = one.get(angles[0]) + 0.1, second = one.get(angles[1]) + 0.05;
  ASSERT_EQ(one.set(angles[0], first), fmi3OK);
  EXPECT_NEAR(one.get(angles[0]), first, 1e-9) << one.logged;
  EXPECT_LT(one.get("constraint.position"), 1e-9);
  ASSERT_EQ(one.set(angles[1], second), fmi3OK);  // one degree of freedom: it contradicts the first
  one.initialize();
  EXPECT_NEAR(one.get(angles[1]), second, 1e-9);
  EXPECT_GT(std::abs(one.get(angles[0]) - first), 1e-6);
  EXPECT_THAT(one.logged, HasSubstr("contradicts values that were set after it"));
}

TEST(CoSimulation, RefusesCallsInTheWrongOrder) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi3);
  Instance3 one(fmu, Kind::co_simulation);
  EXPECT_EQ(one.step(0, 0.1).status, fmi3Error);
  EXPECT_THAT(one.logged, HasSubstr("fmi3DoStep must not be called while the instance is instantiated"));
  EXPECT_EQ(FMU(fmi3ExitInitializationMode)(one.instance), fmi3Error);
  EXPECT_EQ(FMU(fmi3SetTime)(one.instance, 1), fmi3Error);
  one.initialize();
  EXPECT_EQ(FMU(fmi3EnterInitializationMode)(one.instance, false, 0, 0, false, 0), fmi3Error);
  EXPECT_EQ(FMU(fmi3EnterContinuousTimeMode)(one.instance), fmi3Error);
  EXPECT_EQ(FMU(fmi3EnterEventMode)(one.instance), fmi3Error);  // made without event mode
  EXPECT_EQ(one.set("swing", 1), fmi3Error);
  EXPECT_EQ(one.set("V", NAN), fmi3Error);
  EXPECT_EQ(one.step(0.5, 0.1).status, fmi3Error);
  EXPECT_EQ(one.step(0, -0.1).status, fmi3Error);
  EXPECT_EQ(one.step(0, 0.1).status, fmi3OK);
  const fmi3ValueReference none = 100000;
  double value;
  EXPECT_EQ(FMU(fmi3GetFloat64)(one.instance, &none, 1, &value, 1), fmi3Error);
  EXPECT_EQ(FMU(fmi3Terminate)(one.instance), fmi3OK);
  EXPECT_EQ(one.step(0.1, 0.1).status, fmi3Error);
  EXPECT_EQ(FMU(fmi3Reset)(one.instance), fmi3OK);
  one.initialize();
  EXPECT_EQ(one.step(0, 0.1).status, fmi3OK);
  EXPECT_EQ(
      FMU(fmi3InstantiateScheduledExecution)("a", "", "", false, false, nullptr, nullptr, nullptr, nullptr, nullptr),
      nullptr);
}

TEST(CoSimulation, RefusesAnotherToken) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi3);
  const Instance3 one(fmu, Kind::co_simulation, "another");
  EXPECT_EQ(one.instance, nullptr);
  EXPECT_THAT(one.logged, HasSubstr("the instantiation token is 'another'"));
}

TEST(CoSimulation, ResetGivesTheStartOfTheFile) {
  const UnpackedFmu fmu(cart, FmiVersion::fmi3);
  Instance3 one(fmu, Kind::co_simulation);
  one.set("load", 3), one.set("V", 5);
  one.initialize();
  ASSERT_EQ(one.step(0, 0.5).status, fmi3OK);
  ASSERT_EQ(FMU(fmi3Reset)(one.instance), fmi3OK);
  EXPECT_EQ(one.get("load"), 1);
  EXPECT_EQ(one.get("V"), 3);
  EXPECT_EQ(one.get("time"), 0);
  EXPECT_NEAR(one.get("swing"), 20 * M_PI / 180, 1e-12);
}

// A machine with a motor in one FMU and its controller in another, against the one file that has both.
// The allocator of machine code alone has 7 kB.
TEST(CoSimulation, ABinaryThatIsUnloadedGivesItsMemoryBack) {
  const auto load_and_unload = [] {
    const UnpackedFmu fmu(cart, FmiVersion::fmi3);
    Instance3 one(fmu, Kind::co_simulation);
    one.initialize();
    EXPECT_EQ(one.step(0, 0.01).status, fmi3OK);
  };
  for (int i = 0; i < 2; ++i) load_and_unload();  // what the process itself keeps
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 4; ++i) load_and_unload();
  EXPECT_LT(mallinfo2().uordblks, before + 4 * 2000);
}

TEST(CoSimulation, OfAMachineAndItsControllerIsTheWholeModel) {
  const auto machine = [](const std::string& inputs, const std::string& voltage) {
    return "armature: 1\ngravity: [0, 0, 0]\nplane: xy\n" + inputs +
           "bodies: {disk: {mass: 1 kg, inertia: {zz: 0.02 kg*m^2}}}\n"
           "joints: {turn: {type: revolute, axis: z, between: [ground, disk], damping: 0.01 N*m*s}}\n"
           "drives: {motor: {type: dc_motor, on: turn, voltage: " +
           voltage +
           ", torque_constant: 0.5 N*m/A, resistance: 1 Ohm, inductance: 5 mH}}\n"
           "simulate: {end: 1 s, rtol: 1e-11, record: 10 ms}\n";
  };
  const std::string whole =
      machine("", "hold") +
      "controllers: {hold: {type: formula, is: \"8*(1 - turn) - 0.6*turn'\", sampled: {period: 10 ms}}}\n";
  const UnpackedFmu plant(machine("inputs: {u: {unit: V}}\n", "u"), FmiVersion::fmi3);
  const UnpackedFmu law(
      "armature: 1\ngravity: [0, 0, 0]\nplane: xy\ninputs: {angle: {unit: rad}, speed: {unit: rad/s}}\n"
      "define: {command: 8*(1 - angle) - 0.6*speed}\n"
      "bodies: {nothing: {mass: 1 kg, inertia: {zz: 1 kg*m^2}}}\n"
      "joints: {still: {type: revolute, axis: z, between: [ground, nothing]}}\nrecord: {quantities: {volts: "
      "command}}\n",
      FmiVersion::fmi3);
  const MemoryRecorder rows = rows_of(whole);
  Instance3 moved(plant, Kind::co_simulation), controller(law, Kind::co_simulation);
  moved.initialize(), controller.initialize();
  for (int k = 0; k < 100; ++k) {
    controller.set("angle", moved.get("turn")), controller.set("speed", moved.get("turn'"));
    moved.set("u", controller.get("volts"));
    ASSERT_EQ(moved.step(0.01 * k, 0.01).status, fmi3OK);
    ASSERT_EQ(controller.step(0.01 * k, 0.01).status, fmi3OK);
    EXPECT_NEAR(moved.get("turn"), rows.column("turn")[static_cast<std::size_t>(k + 1)], 1e-9) << k;
  }
}

}  // namespace
}  // namespace armature::internal
