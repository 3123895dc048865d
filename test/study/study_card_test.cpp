// Maps and sweeps as a card computes them, in the code of this processor, against the engine: number by number, bit by bit.
#include "study/study_card.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "expression/interruption.hpp"
#include "gpu/compiled_code.hpp"
#include "gpu/cuda.hpp"
#include "model/request_error.hpp"
#include "study/map.hpp"
#include "study/study_files.hpp"
#include "study/sweep.hpp"
#include "support/forwarding_device.hpp"
#include "support/host_device.hpp"
#include "support/run_model.hpp"
#include "support/table_text.hpp"

namespace armature::internal {
namespace {

std::vector<std::uint64_t> bits_of_numbers(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}

SweepResult swept(const Model& model, const SweepOptions& options) {
  CellSession session({.threads = 2});
  return sweep_motions(model, options, session);
}

MapResult mapped(const Model& model, const MapOptions& options) {
  CellSession session({.threads = 2});
  return map_motions(model, options, session);
}

// most_left: motions that may leave.
void expect_same_sweep(const Model& model, SweepOptions options, long most_left = 0) {
  const SweepResult here = swept(model, options);
  options.cards = {.devices = {std::make_shared<HostDevice>(3), std::make_shared<HostDevice>(2)}, .helped = false};
  const SweepResult there = swept(model, options);
  ASSERT_EQ(here.values.size(), there.values.size());
  for (std::size_t k = 0; k < here.values.size(); ++k)
    EXPECT_EQ(bits_of_numbers(here.values[k]), bits_of_numbers(there.values[k])) << here.results[k];
  EXPECT_EQ(here.status, there.status);
  EXPECT_EQ(bits_of_numbers(here.warning_bits), bits_of_numbers(there.warning_bits));
  EXPECT_LE(there.shares.left, most_left);
}

// Gives what the processor has found.
MapResult expect_same_map(const Model& model, MapOptions options) {
  MapResult here = mapped(model, options);
  options.cards = {.devices = {std::make_shared<HostDevice>(3), std::make_shared<HostDevice>(2)}, .helped = false};
  const MapResult there = mapped(model, options);
  EXPECT_EQ(here.motion_class, there.motion_class);
  EXPECT_EQ(bits_of_numbers(here.decided), bits_of_numbers(there.decided));
  EXPECT_EQ(bits_of_numbers(here.warning_bits), bits_of_numbers(there.warning_bits));
  EXPECT_EQ(there.shares.left, 0);
  return here;
}

SweepOptions swept_four_bar() {
  SweepOptions options;
  options.over = {{"crank_angle", 0.3, 1.3, 3}, {"crank_angle.v", -2, 8, 3}};
  options.results = {{"end", "final(B)"},
                     {"on_the_way", "at(C, 0.31)"},
                     {"widest", "max(B)"},
                     {"narrowest", "min(crank_angle.v)"},
                     {"mean", "mean(B)"},
                     {"late", "integral(B, 0.2, 0.333)"},
                     {"later", "max(rocker_angle, 0.3, 0.45)"},
                     {"turns", "turns(crank_angle) + initial(C)"}};
  return options;
}

Model short_model(const std::string& name, const std::string& integrator, double end) {
  Model model = shipped(name);
  model.simulate.integrator = integrator, model.simulate.step = 1e-3, model.simulate.end = end;
  return model;
}

TEST(SweepOnACard, HasTheBitsOfErrorControlledStepsWithProjection) {
  for (const char* integrator : {"dopri5", "dop853"})
    expect_same_sweep(short_model("four_bar", integrator, 0.8), swept_four_bar());
}

TEST(SweepOnACard, HasTheBitsOfStepsOfOneLength) {
  expect_same_sweep(short_model("four_bar", "rk4", 0.8), swept_four_bar());
}

TEST(SweepOnACard, HasTheBitsOfBaumgartesMethodAndOfStepsWithoutStabilization) {
  Model model = short_model("four_bar", "dopri5", 0.5);
  model.simulate.projection = false;
  for (const double alpha : {0.0, 20.0}) {
    model.simulate.alpha = alpha, model.simulate.beta = alpha * alpha;
    expect_same_sweep(model, swept_four_bar(), 9);
  }
}

// A foot that bounces, comes to rest, slides, sticks and leaves the ground again.
constexpr const char* hopper = R"(
armature: 1
parameters: {height: 0.2 m, push: 0.8 m/s, e: 0.4, mu: 0.3}
gravity: [0, -9.81, 0]
plane: xy
bodies:
  cart: {mass: 0.1 kg}
  foot: {mass: 1 kg}
  body: {mass: 2 kg}
joints:
  x: {type: prismatic, axis: x, between: [ground, cart]}
  lift: {type: prismatic, axis: y, between: [cart, foot]}
  leg: {type: prismatic, axis: y, between: [foot, body]}
forces:
  leg_spring: {type: effort, on: leg, is: 400*(0.5 - leg) - 4*leg'}
  road: {type: contact, gap: lift, restitution: e, friction: mu, sliding: "x'"}
start: {keep: {lift: height, leg: 0.5}, speed: {x: push}}
simulate: {end: 1 s, rtol: 1e-8, record: 0.1 s}
)";

TEST(SweepOnACard, HasTheBitsOfAHopperWithARigidFoot) {
  SweepOptions options;
  options.over = {{"height", 0.1, 0.3, 3}, {"push", -0.5, 1, 3}};
  options.results = {{"way", "final(x)"},
                     {"highest", "max(lift)"},
                     {"fastest", "max(abs(lift'))"},
                     {"on_the_way", "at(leg, 0.61)"},
                     {"lost", "final(work.impact)"},
                     {"mean", "mean(leg)"}};
  for (const char* integrator : {"dopri5", "dop853"}) {
    Model model = read_model_text(hopper);
    model.simulate.integrator = integrator;
    expect_same_sweep(model, options);
  }
}

// In a loop, of several contacts one after the other or at once, and of a follower that a motor drives.
TEST(SweepOnACard, HasTheBitsOfRigidContactsInLoops) {
  SweepOptions options;
  options.over = {{"e", 0.3, 0.9, 3}};
  options.results = {{"end", "final(d)"}, {"fastest", "max(abs(a'))"}};
  expect_same_sweep(short_model("contact/four_bar_stop", "dopri5", 2), options);
  options.results = {{"end", "final(turn)"}, {"height", "max(pin)"}};
  expect_same_sweep(short_model("contact/slider_impacts", "dopri5", 0.01), options);
}

TEST(SweepOnACard, HasTheBitsOfBothLawsOfImpact) {
  SweepOptions options;
  options.over = {{"e", 0.5, 1, 2}};
  options.results = {{"first", "max(swing1)"}, {"last", "max(swing5)"}};
  for (const bool sequential : {true, false}) {
    Model model = short_model("contact/cradle", "dopri5", 1);
    model.simulate.sequential_impacts = sequential;
    expect_same_sweep(model, options, 2);
  }
}

TEST(SweepOnACard, HasTheBitsOfAMachineWithoutLoops) {
  SweepOptions options;
  options.over = {{"rope", 0.5, 1, 3}, {"volts", 5, 15, 3}};
  options.results = {
      {"peak", "max(motor.current)"}, {"way", "final(travel) - initial(travel)"}, {"swing", "turns(swing)"}};
  expect_same_sweep(short_model("crane", "dopri5", 1), options);
}

TEST(SweepOnACard, LeavesASingularPoseToTheProcessor) {
  SweepOptions options;
  options.over = {{"m2", 0.7, 0.8, 3}};
  options.results = {{"end", "final(theta1)"}};
  expect_same_sweep(short_model("rrr", "dopri5", 0.6), options, 3);
}

TEST(MapOnACard, DecidesAsEarlyAsTheProcessor) {
  const Model model = short_model("four_bar", "dopri5", 2);
  MapOptions options;
  options.over = {{"line_density", 1, 3, 3}, {"crank_angle.v", -2, 8, 4}};
  options.classify =
      "over: turns(crank_angle) >= 0.3 and not (max(B) < -line_density/(2 kg/m)); "
      "back: min(crank_angle) < -abs(at(C, 0.5))/2 or final(B) > 3; rest";
  options.refine = 1;
  const MapResult here = expect_same_map(model, options);
  EXPECT_GT(std::ranges::count_if(here.decided, [](double t) { return t < 2; }), 0);
  EXPECT_GT(std::ranges::count(here.decided, 2.0), 0);
}

// Each motion is given as many numbers as it reads, limits of laws included.
TEST(SweepOnACard, HasTheBitsOfADriveWhoseLawHasLimits) {
  SweepOptions options;
  options.over = {{"m", 300, 500, 4}};
  options.results = {{"end", "final(x)"}, {"pressure", "max(cylinder.pressure_a)"}};
  expect_same_sweep(short_model("drives/hydraulic_cylinder", "dopri5", 0.3), options, 4);
}

// ---- comparisons

Model short_press(const std::string& integrator, double end) {
  Model model = short_model("press", integrator, end);
  model.simulate.rtol = 1e-7;
  return model;
}

TEST(SweepOnACard, HasTheBitsOfEventsAndOfWhatSticksAndSlips) {
  SweepOptions options;
  options.over = {{"w0", 0.5, 1.5, 3}};
  options.results = {{"end", "final(phi)"},
                     {"stops", "first(x' < 0.001 and t > 20 s)"},
                     {"last", "last(x > 5)"},
                     {"farthest", "max(x)"},
                     {"turns", "turns(phi)"}};
  for (const char* integrator : {"dopri5", "dop853"}) expect_same_sweep(short_press(integrator, 35), options);
}

constexpr const char* fate_of_press = "turns: turns(phi) >= 1; rests";

MapOptions mapped_press(int angles, int speeds) {
  return {.over = {{"phi0", 0, 6.2, angles}, {"w0", -3, 3, speeds}}, .classify = fate_of_press};
}

TEST(MapOnACard, DecidesWhatBecomesOfThePress) { expect_same_map(short_press("dopri5", 40), mapped_press(4, 5)); }

constexpr const char* slider = R"yaml(armature: 1
plane: xy
gravity: [0, -9.81, 0]
parameters: {v: 2 m/s, k: 40}
bodies: {block: {mass: 1 kg}, wheel: {mass: 2 kg, inertia: {zz: 0.1}}}
joints:
  x: {type: prismatic, axis: x, between: [ground, block]}
  q: {type: revolute, between: [ground, wheel]}
forces:
  rub: {type: effort, on: x, is: "if(x' > 0, -6, 6)"}
  pull: {type: effort, on: x, is: "-k*x + 8*sin(3*t)"}
  steps: {type: effort, on: q, is: "0.02*floor(5*t) - 0.1*exp(-abs(q))*cos(q)"}
start: {speed: {x: v, q: 1}}
simulate: {end: 3 s, record: 10 ms, rtol: 1e-8}
)yaml";

TEST(SweepOnACard, HasTheBitsOfDryFrictionFloorsAndAbsoluteValues) {
  SweepOptions options;
  options.over = {{"v", 0.5, 3, 4}, {"k", 20, 60, 2}};
  options.results = {{"end", "final(x)"}, {"angle", "final(q)"}, {"slow", "first(x' < 0.1)"}, {"most", "max(abs(q))"}};
  expect_same_sweep(read_model_text(slider), options);
}

// ---- samples

constexpr const char* controlled_arm = R"yaml(armature: 1
plane: xy
gravity: [0, -9.81, 0]
parameters: {kp: 60, target: 1}
bodies: {arm: {mass: 1 kg, center: [0.3, 0, 0], inertia: {zz: 0.02}}}
joints: {q: {type: revolute, between: [ground, arm], damping: 0.05}}
controllers:
  pd: {type: pd, measure: q, target: target, kp: kp, kd: 4, sampled: {period: 10 ms, delay: 2 ms}}
  slow: {type: formula, is: "if(q > 0.5, -1, 1)", sampled: {period: 25 ms}}
forces:
  drive: {type: effort, on: q, is: pd}
  bias: {type: effort, on: q, is: slow}
simulate: {end: 0.4 s, record: 10 ms, rtol: 1e-8}
)yaml";

TEST(SweepOnACard, HasTheBitsOfSampledControllers) {
  SweepOptions options;
  options.over = {{"kp", 30, 90, 3}, {"target", 0.2, 1.2, 2}};
  options.results = {{"end", "final(q)"}, {"peak", "max(q)"}, {"effort", "max(pd)"}};
  for (const char* integrator : {"dopri5", "dop853"}) {
    Model model = read_model_text(controlled_arm);
    model.simulate.integrator = integrator;
    expect_same_sweep(model, options);
  }
}

// ---- tables

// The pulse comes when the mass has been at rest for long.
std::string pushed_mass() {
  const std::string points = table_text(
      51, [](int i) { return 0.02 * i; }, [](int i) { return i == 37 ? 1 : 0; });
  return "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nparameters: {rate: 1, late: 0}\ntables: {pulse: {" + points +
         "}}\nbodies: {b: {mass: 1 kg, inertia: none}}\njoints: {x: {type: prismatic, axis: x, between: [ground, b]}}\n"
         "forces: {f: {type: effort, on: x, is: pulse(rate*(t - late))}}\nsimulate: {end: 1 s, record: 10 ms}\n";
}

TEST(SweepOnACard, HasTheBitsOfStepsThatEndWhereTablesTurn) {
  SweepOptions options;
  options.over = {{"rate", 0.9, 1.3, 3}, {"late", 0, 0.1, 2}};
  options.results = {{"speed", "final(x')"}};
  const Model model = read_model_text(pushed_mass());
  expect_same_sweep(model, options);
  const SweepResult found = swept(model, options);
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(found.values[0][static_cast<std::size_t>(k)], 0.02 / (k < 2 ? 0.9 : k < 4 ? 1.1 : 1.3), 1e-5) << k;
}

// A mass at rest speeds up towards the bump: a step that hides it is taken again.
TEST(SweepOnACard, HasTheBitsOfStepsThatAreTakenAgain) {
  std::string text = pushed_mass();
  text.replace(text.find("pulse(rate*(t - late))"), 22, "rate + 30*pulse(x - late)");
  text.replace(text.find("end: 1 s"), 8, "end: 3 s");
  SweepOptions options;
  options.over = {{"rate", 0.9, 1.3, 3}, {"late", 0, 0.1, 2}};
  options.results = {{"excess", "final(x'^2/2 - rate*x)"}};  // the work of the bump
  const Model model = read_model_text(text);
  expect_same_sweep(model, options);
  const SweepResult found = swept(model, options);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(found.values[0][static_cast<std::size_t>(k)], 30 * 0.02, 1e-5) << k;
}

// Its speed would rise beyond the bump and fall again, within one step. From there on the bump holds it, where 30 N*pulse = 4 N*rate at the end.
TEST(SweepOnACard, HasTheBitsOfStepsThatHideATurn) {
  std::string text = pushed_mass();
  text.replace(text.find("pulse(rate*(t - late))"), 22, "4*rate*(1 - 2*t) + 30*pulse(x' - late)");
  SweepOptions options;
  options.over = {{"rate", 0.9, 1.3, 3}, {"late", 0, 0.1, 2}};
  options.results = {{"off", "final(x') - 0.76 - late + 0.02*4*rate/30"}};
  const Model model = read_model_text(text);
  expect_same_sweep(model, options);
  const SweepResult found = swept(model, options);
  for (const double off : found.values[0]) EXPECT_NEAR(off, 0, 5e-5);
}

// ---- formulas

// 1 N m s within a millisecond, and a barrier that is a millimeter wide: no stage of a step sees them.
TEST(SweepOnACard, HasTheBitsOfForcesThatActForLessThanAStep) {
  const std::string pulse = "size*exp(-((t - 0.5)/0.001)^2)/(0.001*sqrt(pi))", wall = "size*exp(-((x - 0.3)/0.001)^2)";
  for (const std::string& force : {pulse, wall})
    for (const char* integrator : {"dopri5", "dop853"}) {
      Model model = read_model_text(
          "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nparameters: {size: 1}\nbodies: {cart: {mass: 1, inertia: "
          "none}}\n"
          "joints: {x: {type: prismatic, axis: x, between: [ground, cart]}}\nstart: {speed: {x: 1}}\n"
          "forces: {f: {type: effort, on: x, is: \"" +
          force + "\"}}\nsimulate: {end: 1 s, record: 0.1 s}\n");
      model.simulate.integrator = integrator;
      SweepOptions options;
      options.over = {{"size", 0.5, 2, 4}};
      options.results = {{"speed", "final(x')"}};
      expect_same_sweep(model, options, 4);  // those close to a warning leave
    }
}

TEST(SweepOnACard, HasTheBitsOfFormulasBetweenTheSamplesOfAStep) {
  SweepOptions options;
  options.over = {{"rope", 0.5, 1, 2}, {"volts", 5, 15, 2}};
  options.results = {{"peak", "max(2*motor.current)"},
                     {"fast", "max(sin(40*t)*swing)"},
                     {"work", "integral(motor.current*cos(25*t))"},
                     {"mean", "mean(motor.current^2, 0.1, 0.7)"},
                     {"turns", "turns(2*swing)"}};
  for (const char* integrator : {"dopri5", "rk4"}) expect_same_sweep(short_model("crane", integrator, 1), options);
}

TEST(StudyOnACard, IsRefusedWhereTheProcessorAloneFindsWhatHappens) {
  SweepOptions options;
  options.cards = {.devices = {std::make_shared<HostDevice>(1)}, .helped = false};
  const auto refusal = [&](const Model& model, const char* variable, const char* formula) -> std::string {
    options.over = {{variable, 0.5, 1, 2}};
    options.results = {{"result", formula}};
    try {
      swept(model, options);
    } catch (const RequestError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(short_model("press", "rk4", 1), "phi.v", "final(phi)"),
              testing::HasSubstr("rk4 does not locate"));
  EXPECT_THAT(refusal(shipped("crane"), "rope", "max(tanh(motor.current))"), testing::HasSubstr("tanh()"));
}

// ---- the processor beside cards

// A card whose program takes as long to compile as anybody is willing to wait.
class SlowDevice final : public MotionDevice {
 public:
  std::string name() const override { return "slow"; }
  std::unique_ptr<MotionProgram> load(const std::string&, const LoadOptions& options) override {
    while (!options.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw Interrupted();
  }
};

TEST(StudyOnACard, IsComputedByTheProcessorWhileTheProgramIsCompiled) {
  const Model model = short_model("four_bar", "dopri5", 0.8);
  SweepOptions options = swept_four_bar();
  const SweepResult here = swept(model, options);
  options.cards.devices = {std::make_shared<SlowDevice>()};
  const SweepResult there = swept(model, options);
  EXPECT_TRUE(there.complete);
  EXPECT_EQ(there.shares.helped, 9);
  EXPECT_EQ(there.shares.computed, 0);
  for (std::size_t k = 0; k < here.values.size(); ++k)
    EXPECT_EQ(bits_of_numbers(here.values[k]), bits_of_numbers(there.values[k])) << here.results[k];
}

// Slow enough for the processor to take part, however busy it is.
class SlowProgram final : public ForwardingProgram {
 public:
  using ForwardingProgram::ForwardingProgram;
  void wait() override {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ForwardingProgram::wait();
  }
};

// One whose program was compiled before.
class LoadedDevice final : public MotionDevice {
 public:
  LoadedDevice(const std::string& unit, long threads)
      : program_(std::make_unique<SlowProgram>(std::make_unique<HostProgram>(unit, threads))) {}
  std::string name() const override { return "loaded"; }
  std::unique_ptr<MotionProgram> load(const std::string&, const LoadOptions&) override { return std::move(program_); }

 private:
  std::unique_ptr<MotionProgram> program_;
};

// Whoever computes a cell: each is computed once, with the same bits.
TEST(StudyOnACard, IsSharedByCardAndProcessor) {
  const Model model = short_model("four_bar", "dopri5", 0.1);
  SweepOptions options;
  options.over = {{"crank_angle", 0.3, 1.3, 200}, {"crank_angle.v", -2, 8, 50}};
  options.results = {{"end", "final(B)"}};
  const SweepResult here = swept(model, options);
  const Varied varied = vary(model, {"crank_angle", "crank_angle.v"});
  MotionFormulas formulas(varied.model, varied.parameters);
  formulas.add_number("final(B)");
  options.cards.devices = {std::make_shared<LoadedDevice>(study_card_unit(Study(varied, formulas), nullptr), 32)};
  const SweepResult there = swept(model, options);
  EXPECT_EQ(bits_of_numbers(here.values[0]), bits_of_numbers(there.values[0]));
  EXPECT_EQ(there.shares.computed + there.shares.helped + there.shares.left, 10'000);
  EXPECT_GT(there.shares.computed, 0);
  EXPECT_GT(there.shares.helped, 0);
}

// A card whose results end in another bit, as those of a wrongly compiled program may.
class InexactProgram final : public ForwardingProgram {
 public:
  using ForwardingProgram::ForwardingProgram;
  void get(void* to, const void* from, std::size_t bytes) override {
    ForwardingProgram::get(to, from, bytes);
    auto* numbers = static_cast<std::uint64_t*>(to);
    if (are_results(from))
      std::for_each(numbers, numbers + bytes / sizeof *numbers, [](std::uint64_t& number) { number ^= 1; });
  }
};

TEST(StudyOnACard, IsRefusedWhereTheCardHasOtherBits) {
  SweepOptions options;
  options.over = {{"crank_angle", 0.3, 1.3, 4}};
  options.results = {{"end", "final(B)"}};
  const auto inexact = [](auto program) { return std::make_unique<InexactProgram>(std::move(program)); };
  options.cards = {.devices = {std::make_shared<ForwardingDevice>(std::make_shared<HostDevice>(3), inexact)},
                   .helped = false};
  const Model model = short_model("four_bar", "dopri5", 0.1);
  try {
    swept(model, options);
    FAIL() << "nobody noticed";
  } catch (const RequestError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("other bits than the processor"), testing::HasSubstr("--gpu=fast")));
  }
  options.cards.arithmetic = Arithmetic::fast;
  EXPECT_TRUE(swept(model, options).complete);
}

// With other bits than the processor's: it does not help, and functions of which Armature has no version of its own are taken.
TEST(StudyOnACard, TakesFunctionsOfTheCardWhereLastDigitsMayDiffer) {
  SweepOptions options;
  options.over = {{"rope", 0.5, 1, 3}, {"volts", 5, 15, 2}};
  options.results = {{"peak", "final(tanh(motor.current))"}};
  const Model model = short_model("crane", "dopri5", 0.5);
  const SweepResult here = swept(model, options);
  options.cards = {.devices = {std::make_shared<HostDevice>(3)}, .arithmetic = Arithmetic::fast};
  const SweepResult there = swept(model, options);
  EXPECT_EQ(there.shares.computed, 6);
  EXPECT_EQ(there.shares.helped, 0);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(there.values[0][k], here.values[0][k], 1e-9);
}

// ---- interruptions and memory

// On a card that is stopped, or resumed by one: the cells that are there are kept, and the whole has the same numbers.
TEST(StudyOnACard, GoesOnWhereItStopped) {
  const Model model = short_model("four_bar", "dopri5", 0.2);
  SweepOptions options;
  options.over = {{"crank_angle", 0.3, 1.3, 40}, {"crank_angle.v", -2, 8, 40}};
  options.results = {{"end", "final(B)"}, {"most", "max(B)"}};
  const SweepResult here = swept(model, options);
  const Cards card{.devices = {std::make_shared<HostDevice>(2)}, .helped = false};
  for (const bool begins_on_card : {true, false}) {
    const TemporaryFolder folder;
    const auto session = [&](StudyProgress progress, bool resume) {
      return SessionOptions{
          .threads = 2, .progress = std::move(progress), .folder = folder / "sweep", .resume = resume};
    };
    options.cards = begins_on_card ? card : Cards{};
    {
      CellSession first(session([](const std::string&, long done, long) { return done < 1; }, false));
      if (sweep_motions(model, options, first).complete) GTEST_SKIP() << "it was too fast to be stopped";
    }
    options.cards = begins_on_card ? Cards{} : card;
    CellSession second(session({}, true));
    const SweepResult there = sweep_motions(model, options, second);
    ASSERT_TRUE(there.complete);
    EXPECT_GT(second.restored(), 0);
    for (std::size_t k = 0; k < here.values.size(); ++k)
      EXPECT_EQ(bits_of_numbers(here.values[k]), bits_of_numbers(there.values[k]));
  }
}

// A program that counts the bytes that it was asked for.
class CountingProgram final : public ForwardingProgram {
 public:
  CountingProgram(std::unique_ptr<MotionProgram> program, std::size_t& bytes)
      : ForwardingProgram(std::move(program)), bytes_(bytes) {}
  void* allocate(std::size_t bytes) override {
    bytes_ += bytes;
    return ForwardingProgram::allocate(bytes);
  }

 private:
  std::size_t& bytes_;
};

TEST(StudyOnACard, TakesAsMuchMemoryForManyMotionsAsForFew) {
  const auto bytes_for = [](int motions) {
    std::size_t bytes = 0;
    const auto counting = [&](auto program) { return std::make_unique<CountingProgram>(std::move(program), bytes); };
    SweepOptions options;
    options.over = {{"crank_angle", 0.3, 1.3, motions}};
    options.results = {{"end", "final(B)"}};
    options.cards = {.devices = {std::make_shared<ForwardingDevice>(std::make_shared<HostDevice>(3), counting)},
                     .helped = false};
    EXPECT_TRUE(swept(short_model("four_bar", "dopri5", 0.02), options).complete);
    return bytes;
  };
  EXPECT_EQ(bytes_for(400), bytes_for(4));
}

// ---- previews

TEST(Preview, OfASweepHasThreeDigits) {
  SweepOptions options = swept_four_bar();
  const Model model = short_model("four_bar", "dopri5", 0.8);
  const SweepResult here = swept(model, options);
  options.cards = {.devices = {std::make_shared<HostDevice>(3)}, .arithmetic = Arithmetic::single};
  const SweepResult there = swept(model, options);
  EXPECT_EQ(there.shares.computed, 9);
  for (std::size_t k = 0; k < here.values.size(); ++k) {
    const auto [least, most] = std::ranges::minmax(here.values[k]);
    for (std::size_t point = 0; point < 9; ++point)
      EXPECT_NEAR(there.values[k][point], here.values[k][point], 1e-3 * (most - least)) << here.results[k];
  }
  EXPECT_NE(bits_of_numbers(here.values[0]), bits_of_numbers(there.values[0]));
  EXPECT_THAT(there.sentence, testing::HasSubstr("a preview in single precision"));
}

// In result.json, in the report that shows its sentence, and in the names of columns.
TEST(Preview, IsMarkedInFiles) {
  const TemporaryFolder folder;
  SweepOptions options;
  options.over = {{"crank_angle", 0.3, 1.3, 3}};
  options.results = {{"end", "final(B)"}};
  options.cards = {.devices = {std::make_shared<HostDevice>(1)}, .arithmetic = Arithmetic::single};
  CellSession session({.threads = 1, .folder = folder / "sweep"});
  const SweepResult sweep = sweep_motions(short_model("four_bar", "dopri5", 0.1), options, session);
  const auto description = session.publish(
      to_json(sweep, ""), [&](const auto& place, const auto& json) { write_files(sweep, json, place); });
  EXPECT_EQ(description["gpu"], "preview");
  EXPECT_THAT(description["sentence"].get<std::string>(), testing::HasSubstr("preview"));
  std::string header;
  std::ifstream table(folder / "sweep" / "cells.csv");
  std::getline(table, header);
  EXPECT_THAT(header, testing::HasSubstr("end (preview)"));
}

TEST(Preview, OfAMapHasTheClassesButForItsBorders) {
  const Model model = short_press("dopri5", 40);
  MapOptions options = mapped_press(10, 10);
  const MapResult here = mapped(model, options);
  options.cards = {.devices = {std::make_shared<HostDevice>(3)}, .arithmetic = Arithmetic::single};
  const MapResult there = mapped(model, options);
  long other = 0;
  for (std::size_t k = 0; k < here.motion_class.size(); ++k) other += here.motion_class[k] != there.motion_class[k];
  EXPECT_LE(other, 2);
  EXPECT_GE(there.shares.computed, 95);
}

// Compiled only: no card is needed.
TEST(StudyOnACard, CompilesForACardWhereNvrtcIsInstalled) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  const Model model = short_model("four_bar", "dopri5", 1);
  const Varied varied = vary(model, {"crank_angle"});
  MotionFormulas formulas(varied.model, varied.parameters);
  const Classes classes("turns: turns(crank_angle) >= 1; rests", formulas);
  const Study study(varied, formulas);
  const TemporaryFolder cache;
  EXPECT_GT(CompiledCode(study_card_unit(study, &classes), "sm_90", {}, cache.path()).get().size(), 10'000u);
}

TEST(StudyOnACard, CompilesTheSearchForHumpsForACardWhereNvrtcIsInstalled) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  std::string text = pushed_mass();
  text.replace(text.find("pulse(rate*(t - late))"), 22, "rate + 30*pulse(x' - late)");
  const Model model = read_model_text(text);
  const Varied varied = vary(model, {"rate"});
  MotionFormulas formulas(varied.model, varied.parameters);
  const Classes classes("fast: final(x') >= 1; slow", formulas);
  const Study study(varied, formulas);
  const TemporaryFolder cache;
  EXPECT_GT(CompiledCode(study_card_unit(study, &classes), "sm_90", {}, cache.path()).get().size(), 10'000u);
}

TEST(StudyOnACard, CompilesEventsForACardWhereNvrtcIsInstalled) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  const Model model = short_model("press", "dopri5", 1);
  const Varied varied = vary(model, {"phi0", "w0"});
  MotionFormulas formulas(varied.model, varied.parameters);
  const Classes classes(fate_of_press, formulas);
  const Study study(varied, formulas);
  const TemporaryFolder cache;
  EXPECT_GT(CompiledCode(study_card_unit(study, &classes), "sm_90", {}, cache.path()).get().size(), 10'000u);
}

}  // namespace
}  // namespace armature::internal
