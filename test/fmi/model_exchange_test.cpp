// Exported FMUs in model exchange: the test integrates, with a method of its own.
#include <gmock/gmock.h>

#include <cmath>

#include "fmi/host.hpp"
#include "prepare/prepare.hpp"
#include "run/simulate.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<double>;

// The classical Runge-Kutta method with steps of one length, which ends steps at time events and, by bisection, where an event
// indicator changes its sign.
class Integration {
 public:
  Integration(Instance3& given, double step) : one_(given), fmu(given.fmu), step_(step) {
    size_t states = 0, indicators = 0;
    EXPECT_EQ(FMU(fmi3GetNumberOfContinuousStates)(one_.instance, &states), fmi3OK);
    EXPECT_EQ(FMU(fmi3GetNumberOfEventIndicators)(one_.instance, &indicators), fmi3OK);
    x_.resize(states), z_.resize(indicators);
    handle_event();
  }

  void run_to(double end) {
    while (t < end - 1e-12) {
      const double until = std::min({t + step_, end, next_event_});
      const Numbers before = x_;
      const double begin = t;
      move(begin, before, until - begin);
      bool event = until == next_event_;
      if (!signs_hold()) {
        double low = 0, high = until - begin;
        for (int k = 0; k < 50; ++k) {
          const double middle = 0.5 * (low + high);
          move(begin, before, middle);
          (signs_hold() ? low : high) = middle;
        }
        move(begin, before, high);
        event = true;
      }
      bool wanted = false, terminate = false;
      ASSERT_EQ(FMU(fmi3CompletedIntegratorStep)(one_.instance, true, &wanted, &terminate), fmi3OK) << one_.logged;
      if (!event && !wanted) continue;
      ASSERT_EQ(FMU(fmi3EnterEventMode)(one_.instance), fmi3OK);
      handle_event();
    }
  }
  double t = 0;
  int events = 0;

 private:
  void handle_event() {
    bool again = true, terminate, nominals, values, defined = false;
    double next = 0;
    for (int pass = 0; again && pass < 20; ++pass)
      ASSERT_EQ(FMU(fmi3UpdateDiscreteStates)(one_.instance, &again, &terminate, &nominals, &values, &defined, &next),
                fmi3OK)
          << one_.logged;
    next_event_ = defined ? next : HUGE_VAL;
    ++events;
    ASSERT_EQ(FMU(fmi3EnterContinuousTimeMode)(one_.instance), fmi3OK);
    ASSERT_EQ(FMU(fmi3GetContinuousStates)(one_.instance, x_.data(), x_.size()), fmi3OK);
  }

  Numbers rates(double at, const Numbers& x) {
    Numbers result(x.size());
    EXPECT_EQ(FMU(fmi3SetTime)(one_.instance, at), fmi3OK);
    EXPECT_EQ(FMU(fmi3SetContinuousStates)(one_.instance, x.data(), x.size()), fmi3OK);
    EXPECT_EQ(FMU(fmi3GetContinuousStateDerivatives)(one_.instance, result.data(), result.size()), fmi3OK)
        << one_.logged;
    return result;
  }

  static Numbers sum(const Numbers& a, double h, const Numbers& b) {
    Numbers result = a;
    for (std::size_t k = 0; k < a.size(); ++k) result[k] += h * b[k];
    return result;
  }

  void move(double from, const Numbers& x, double h) {
    const Numbers a = rates(from, x), b = rates(from + h / 2, sum(x, h / 2, a)),
                  c = rates(from + h / 2, sum(x, h / 2, b)), d = rates(from + h, sum(x, h, c));
    for (std::size_t k = 0; k < x.size(); ++k) x_[k] = x[k] + h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    t = from + h;
    EXPECT_EQ(FMU(fmi3SetTime)(one_.instance, t), fmi3OK);
    EXPECT_EQ(FMU(fmi3SetContinuousStates)(one_.instance, x_.data(), x_.size()), fmi3OK);
  }

  bool signs_hold() {
    EXPECT_EQ(FMU(fmi3GetEventIndicators)(one_.instance, z_.data(), z_.size()), fmi3OK);
    return std::ranges::all_of(z_, [](double z) { return z >= 0; });
  }

  Instance3& one_;
  const UnpackedFmu& fmu;
  double step_, next_event_ = HUGE_VAL;
  Numbers x_, z_;
};

MemoryRecorder rows_of_run(const std::string& text) {
  Prepared prepared = compile(read_model_text(text, "machine"));
  assemble_start(prepared);
  MemoryRecorder rows;
  EXPECT_EQ(simulate(prepared, rows).status, RunStatus::finished);
  return rows;
}

void expect_last_row(const std::string& text, double step, const std::vector<std::string>& names, double tolerance,
                     int least_events) {
  const UnpackedFmu fmu(text, FmiVersion::fmi3);
  Instance3 one(fmu, Instance3::Kind::model_exchange);
  one.initialize();
  Integration integration(one, step);
  integration.run_to(1);
  EXPECT_GE(integration.events, least_events);
  const MemoryRecorder rows = rows_of_run(text);
  for (const std::string& name : names) EXPECT_NEAR(one.get(name), rows.column(name).back(), tolerance) << name;
}

constexpr const char* loop = R"(
armature: 1
gravity: [0, -9.81, 0]
plane: xy
inputs: {u: {unit: N*m, default: 1}}
bodies:
  crank: {mass: 1 kg, center: [0.1, 0, 0], inertia: {zz: 0.01 kg*m^2}}
  rod: {mass: 2 kg, center: [0.3, 0, 0], inertia: {zz: 0.05 kg*m^2}}
  block: {mass: 0.5 kg}
joints:
  A: {type: revolute, axis: z, between: [ground, crank]}
  B: {type: revolute, axis: z, between: ["crank [0.2, 0, 0]", rod]}
  C: {type: revolute, axis: z, between: ["rod [0.6, 0, 0]", block]}
  D: {type: prismatic, axis: x, between: [ground, block], damping: 2}
forces: {push: {type: effort, on: A, is: u - 0.1*A'}}
start: {keep: {A: 40 deg}, near: {B: -60 deg}}
simulate: {end: 1 s, rtol: 1e-11, record: 0.1 s}
)";

TEST(ModelExchange, OfALoopFollowsARunAndKeepsTheLoopClosed) {
  expect_last_row(loop, 1e-3, {"A", "D", "A'"}, 1e-7, 1);
  const UnpackedFmu fmu(loop, FmiVersion::fmi3, {{"simulate.rtol", "1e-9"}});
  Instance3 one(fmu, Instance3::Kind::model_exchange);
  one.initialize();
  Integration integration(one, 0.02);  // long steps drift, and the loop is closed at events
  integration.run_to(1);
  EXPECT_GT(integration.events, 10);
  EXPECT_LT(one.get("constraint.position"), 1e-7);
}

TEST(ModelExchange, LocatesStictionByItsIndicators) {
  expect_last_row(R"(
armature: 1
gravity: [0, 0, 0]
bodies: {mass: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, axis: x, between: [ground, mass], friction: 2 N}}
forces: {pull: {type: effort, on: slide, is: 4*sin(8*t)}}
simulate: {end: 1 s, rtol: 1e-11, record: 0.1 s}
)",
                  1e-3, {"slide", "slide'"}, 1e-8, 3);
}

TEST(ModelExchange, TakesSamplesAtTimeEvents) {
  expect_last_row(R"(
armature: 1
gravity: [0, 0, 0]
plane: xy
bodies: {disk: {mass: 1 kg, inertia: {zz: 0.2 kg*m^2}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
controllers: {hold: {type: pid, measure: turn, target: 1, kp: 5, ki: 3, kd: 0.6, sampled: {period: 20 ms}}}
forces: {drive: {type: effort, on: turn, is: hold}}
simulate: {end: 1 s, rtol: 1e-11, record: 0.1 s}
)",
                  2e-3, {"turn", "turn'"}, 1e-8, 50);
}

TEST(ModelExchange, HasExactDirectionalDerivatives) {
  const UnpackedFmu fmu(loop, FmiVersion::fmi3);
  Instance3 one(fmu, Instance3::Kind::model_exchange);
  one.initialize();
  Integration integration(one, 1e-3);
  integration.run_to(0.1);
  size_t n = 0;
  ASSERT_EQ(FMU(fmi3GetNumberOfContinuousStates)(one.instance, &n), fmi3OK);
  Numbers x(n), low(n), high(n), exact(n);
  ASSERT_EQ(FMU(fmi3GetContinuousStates)(one.instance, x.data(), n), fmi3OK);
  std::vector<fmi3ValueReference> rates, knowns;
  for (const pugi::xml_node& node :
       fmu.xml.document_element().child("ModelStructure").children("ContinuousStateDerivative"))
    rates.push_back(node.attribute("valueReference").as_uint());
  for (const fmi3ValueReference rate : rates)
    for (const pugi::xml_node& variable : fmu.xml.document_element().child("ModelVariables"))
      if (variable.attribute("valueReference").as_uint() == rate)
        knowns.push_back(variable.attribute("derivative").as_uint());
  ASSERT_EQ(knowns.size(), n);
  for (std::size_t k = 0; k <= n; ++k) {  // each state, then the input
    const fmi3ValueReference known = k < n ? knowns[k] : fmu.reference("u");
    const double seed = 1, h = 1e-6;
    ASSERT_EQ(FMU(fmi3GetDirectionalDerivative)(one.instance, rates.data(), n, &known, 1, &seed, 1, exact.data(), n),
              fmi3OK)
        << one.logged;
    for (const double side : {-h, h}) {
      Numbers moved = x;
      if (k < n) moved[k] += side;
      ASSERT_EQ(FMU(fmi3SetContinuousStates)(one.instance, moved.data(), n), fmi3OK);
      if (k == n) one.set("u", 1 + side);
      ASSERT_EQ(FMU(fmi3GetContinuousStateDerivatives)(one.instance, (side < 0 ? low : high).data(), n), fmi3OK);
    }
    ASSERT_EQ(FMU(fmi3SetContinuousStates)(one.instance, x.data(), n), fmi3OK);
    if (k == n) one.set("u", 1);
    double scale = 1;
    for (const double value : exact) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(exact[i], (high[i] - low[i]) / (2 * h), 1e-6 * scale) << i << " by " << k;
    // the adjoint of a unit weight is the same number
    for (std::size_t i = 0; i < n; ++i) {
      double adjoint = NAN;
      ASSERT_EQ(FMU(fmi3GetAdjointDerivative)(one.instance, &rates[i], 1, &known, 1, &seed, 1, &adjoint, 1), fmi3OK);
      EXPECT_NEAR(adjoint, exact[i], 1e-9 * scale);
    }
  }
}

TEST(ModelExchange, RefusesCallsOfCoSimulation) {
  const UnpackedFmu fmu(loop, FmiVersion::fmi3);
  Instance3 one(fmu, Instance3::Kind::model_exchange);
  one.initialize();
  EXPECT_EQ(one.step(0, 0.1).status, fmi3Error);
  EXPECT_EQ(FMU(fmi3EnterStepMode)(one.instance), fmi3Error);
  double x = 0;
  EXPECT_EQ(FMU(fmi3SetContinuousStates)(one.instance, &x, 1), fmi3Error);  // in event mode
  EXPECT_EQ(FMU(fmi3EnterContinuousTimeMode)(one.instance), fmi3OK);
  EXPECT_EQ(FMU(fmi3SetContinuousStates)(one.instance, &x, 1), fmi3Error);
  EXPECT_THAT(one.logged, HasSubstr("1 states were asked for"));
}

// A hopper with a rigid foot bounces, comes to rest, slides, sticks, leaves the ground and bounces again: as in a run, which locates its events
// on dense output.
TEST(ModelExchange, RigidContactsBounceSlideStickAndLiftOff) {
  constexpr const char* hopper = R"(
armature: 1
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
  road: {type: contact, gap: lift, restitution: 0.4, friction: 0.3, sliding: "x'"}
start: {keep: {lift: 0.2, leg: 0.5}, speed: {x: 0.8}}
simulate: {end: 1 s, rtol: 1e-10, record: 0.1 s}
)";
  expect_last_row(hopper, 1e-3, {"x", "lift", "leg", "x'", "leg'", "work.impact"}, 1e-6, 25);
}

}  // namespace
}  // namespace armature::internal
