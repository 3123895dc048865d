// Inverse dynamics: known torques, the way back, redundant actuation and refusals.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "inverse/inverse.hpp"
#include "model/scope.hpp"
#include "support/reference_data.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

struct Inverse {
  MemoryRecorder record;
  Outcome outcome;
  std::vector<double> column(const std::string& name) const { return record.column(name); }
};

Inverse inverse_of(const Model& model) {
  Prepared start = compile_inverse(model);
  assemble_start(start);
  EXPECT_EQ(start.failure, "");
  Inverse result;
  result.outcome = inverse(model, start, result.record);
  return result;
}

// The slider-crank with its motion still to be said.
Model slider_crank(const std::string& inductance) {
  Model model = shipped("slider_crank", {{"inductance", inductance}});
  model.motion.clear();
  return model;
}

void want(Model& model, const std::string& name, const std::string& formula) {
  model.motion.push_back({name, {}, parse_formula(formula, {})});
}

// The spatial arm whose tip follows a circle: torques of an independent exact solution.
TEST(InverseDynamics, ArmOnACircle) {
  Model model = shipped("arm_on_circle");
  model.prescribed.clear();
  want(
      model, "lower.tip",
      "[1 + cos(t)/(2*sqrt(2)) + sin(t)/(2*sqrt(6)), 1 - cos(t)/(2*sqrt(2)) + sin(t)/(2*sqrt(6)), 1 - sin(t)/sqrt(6)]");
  model.actuators = {"q1", "q2", "q3"};
  model.simulate.record = 0.1;
  model.simulate.end = 6;
  const Inverse run = inverse_of(model);
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const ReferenceData data("arm_on_circle_exact.csv");
  const auto t = run.column("t");
  int compared = 0;
  for (int row = 0; row < data.rows() && data["t"][row] <= 6; ++row) {
    const auto k = std::lround(data["t"][row] / 0.1);
    if (std::abs(t.at(k) - data["t"][row]) > 1e-9) continue;
    ++compared;
    EXPECT_NEAR(run.column("effort.q1")[k], data["Qc1"][row], 1e-6);
    EXPECT_NEAR(run.column("effort.q2")[k], data["Qc2"][row], 1e-6);
    EXPECT_NEAR(run.column("effort.q3")[k], data["Qc3"][row], 1e-6);
  }
  EXPECT_GT(compared, 5);
}

// The machine with the voltages of inverse dynamics as its input, from the currents found; integrated tightly.
Model fed(const Model& model, const Inverse& found) {
  Model forward = model;
  forward.motion.clear();
  for (Drive& motor : forward.drives) {
    const std::string table = "fed_" + motor.name;
    forward.tables[table] =
        std::make_shared<Table>(Table::spline(found.column("t"), found.column(motor.name + ".voltage")));
    motor.command = {"voltage", parse_formula(table + "(t)", {})};
    const auto start = [&](std::vector<StartEntry>& entries, const std::string& name, const std::string& channel) {
      StartEntry entry;
      entry.name = name;
      entry.value = parse_formula(fmt::format("{:.17g}", found.column(channel).front()), {});
      entries.push_back(entry);
    };
    if (motor.kind->inductance(motor, model) != 0)
      start(forward.start.keep, motor.name + ".current", motor.name + ".current");
    if (!motor.gear.elastic()) continue;
    start(forward.start.keep, motor.name + ".rotor", motor.name + ".rotor");
    start(forward.start.speed_keep, motor.name + ".rotor", motor.name + ".rotor'");
  }
  forward.simulate.rtol = 1e-11;
  return forward;
}

double quintic(double s) { return s * s * s * (10 + s * (6 * s - 15)); }

// The slider-crank turning two radians in a second from rest to rest.
Model turning(const std::string& inductance, const std::string& from) {
  Model model = slider_crank(inductance);
  model.start.keep[0].value = parse_formula(from, {});
  model.start.near.clear();
  model.simulate.end = 1, model.simulate.record = 1e-3;
  want(model, "crank", from + " + 2*quintic(t, 0 s, 1 s)");
  return model;
}

void expect_turning(const Simulation& run, double from, double tolerance) {
  const auto t = run.column("t"), x = run.column("crank");
  for (std::size_t k = 0; k < t.size(); ++k) ASSERT_NEAR(x[k], from + 2 * quintic(t[k]), tolerance) << "t = " << t[k];
}

// The voltages found, fed to the same machine, make the motion; with inductance from the current that holds the pose.
TEST(InverseDynamics, FedBackReproducesTheMotion) {
  for (const char* inductance : {"0 H", "1 mH", "50 mH"}) {
    const Model model = turning(inductance, "0.4");
    const Inverse found = inverse_of(model);
    ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
    EXPECT_GT(std::abs(found.column("motor.current").front()), 0.05);
    SCOPED_TRACE(inductance);
    expect_turning(simulated(fed(model, found)), 0.4, 1e-7);
  }
}

// A gear that loses power takes more from the motor, and gives less back: braking and driving both occur here.
TEST(InverseDynamics, KnowsTheEfficiencyOfAGear) {
  Model model = turning("1 mH", "0.4");
  const Inverse lossless = inverse_of(model);
  model.drives[0].gear.efficiency = parse_formula("0.7", {});
  const Inverse found = inverse_of(model);
  ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
  double more = 0, less = 0;
  for (int k = 0; k < found.record.rows(); ++k) {
    const double change = found.column("motor.current")[k] / lossless.column("motor.current")[k];
    more = std::max(more, change), less = std::min(less, change);
  }
  EXPECT_GT(more, 1.2);
  Model forward = fed(model, found);
  forward.simulate.rtol = 1e-10;
  expect_turning(simulated(forward), 0.4,
                 1e-6);  // the voltage jumps where the power turns round, which the spline smears
}

// A mass lifted and lowered: the effort on its slide is m (g + a) + J r^2 a, whichever way the gear turns the rotor, and
// K_m i = u/r (1/n, or n where the power u v goes back) + d r v.
TEST(InverseDynamics, GearLossesFollowThePowerOfTheSolution) {
  for (const double ratio : {50.0, -50.0})
    for (const double d : {0.0, 1e-3}) {
      SCOPED_TRACE(fmt::format("ratio {}, friction {}", ratio, d));
      const Inverse found = inverse_of(read_model_text(fmt::format(R"yaml(
armature: 1
gravity: [0, -9.81, 0]
plane: xy
bodies: {{b: {{mass: 2, inertia: none}}}}
joints: {{s: {{type: prismatic, axis: y, between: [ground, b]}}}}
drives: {{m: {{type: dc_motor, on: s, gear_ratio: {}, radius: 1, rotor_inertia: 1e-3, torque_constant: 0.5, resistance: 1,
              inductance: 1e-3, voltage: 0, viscous_friction: {}, efficiency: 0.8}}}}
inverse: {{motion: {{s: "0.3*sin(3*t)"}}}}
simulate: {{end: 2 s, record: 0.01}}
)yaml",
                                                                   ratio, d)));
      ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
      const auto t = found.column("t"), u = found.column("m.gear_torque"), torque = found.column("m.torque"),
                 i = found.column("m.current"), V = found.column("m.voltage");
      for (std::size_t k = 0; k < t.size(); ++k) {
        const double v = 0.9 * std::cos(3 * t[k]), a = -2.7 * std::sin(3 * t[k]), jerk = -9 * v;
        const double effort = 2 * (9.81 + a) + 2.5 * a, loss = effort * v >= 0 ? 1 / 0.8 : 0.8;
        const double current = (effort / ratio * loss + d * ratio * v) / 0.5,
                     current_rate = (4.5 * jerk / ratio * loss + d * ratio * a) / 0.5;
        ASSERT_NEAR(u[k], effort, 1e-9) << "t = " << t[k];
        ASSERT_NEAR(torque[k], 0.5 * current * ratio, 1e-9) << "t = " << t[k];
        ASSERT_NEAR(i[k], current, 1e-9) << "t = " << t[k];
        ASSERT_NEAR(V[k], current + 0.5 * ratio * v + 1e-3 * current_rate, 1e-9) << "t = " << t[k];
      }
    }
}

// The rotor winds up its spring before the crank moves.
TEST(InverseDynamics, KnowsElasticGears) {
  for (const char* damping : {"0", "50"})
    for (const char* inductance : {"0 H", "1 mH"}) {
      Model model = turning(inductance, "0.4");
      model.drives[0].gear.stiffness = parse_formula("5000", {});
      model.drives[0].gear.damping = parse_formula(damping, {});
      const Inverse found = inverse_of(model);
      ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
      SCOPED_TRACE(std::string(damping) + ", " + inductance);
      const Simulation run = simulated(fed(model, found));
      expect_turning(run, 0.4, 1e-7);
      // one name is one thing in both: K_m i r of the motor, k s + c s' of the gear
      for (const char* channel : {"motor.torque", "motor.gear_torque", "motor.current"}) {
        const auto wanted = found.column(channel), got = run.column(channel);
        double scale = 0;
        for (double value : wanted) scale = std::max(scale, std::abs(value));
        for (std::size_t k = 0; k + 1 < wanted.size(); k += 50)  // at the end the jerk of the motion jumps
          ASSERT_NEAR(got[k], wanted[k], 1e-4 * scale) << channel << ", row " << k;
      }
    }
}

// A file that keeps a coordinate where a run starts may prescribe another motion of it: the motion is used, and a note tells so.
TEST(InverseDynamics, SaysThatAMotionContradictsTheStart) {
  const auto warnings = [](const std::string& from) {
    Model model = turning("1 mH", "0.4");
    model.motion.clear();
    want(model, "crank", from + " + 2*quintic(t, 0 s, 1 s)");
    return inverse_of(model).outcome.warnings();
  };
  EXPECT_TRUE(warnings("0.4").empty());
  ASSERT_EQ(warnings("0.5").size(), 1u);
  EXPECT_EQ(warnings("0.5")[0],
            "start.keep: crank is 0.4 rad, but the prescribed motion begins with 0.5 rad, which is used");
}

TEST(InverseDynamics, RefusesBacklash) {
  Model model = turning("0 H", "0.4");
  model.drives[0].gear.stiffness = parse_formula("5000", {}), model.drives[0].gear.backlash = parse_formula("0.01", {});
  EXPECT_THROW(compile_inverse(model), ModelError);
}

// The resistance follows the winding's temperature, which follows the current.
TEST(InverseDynamics, KnowsTheWindingsTemperature) {
  Model model = turning("1 mH", "0.4");
  Values& values = model.drives[0].values;
  values.set("winding.heat_capacity", parse_formula("0.5", {}));
  values.set("winding.thermal_resistance", parse_formula("10", {}));
  values.set("winding.temperature_coefficient", parse_formula("0.004", {}));
  model.simulate.rtol = 1e-11;
  const Inverse found = inverse_of(model);
  ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
  const Simulation run = simulated(fed(model, found));
  EXPECT_GT(run.last("motor.temperature") - run.at(0, "motor.temperature"), 1);
  expect_turning(run, 0.4, 1e-7);
}

TEST(InverseDynamics, SaysWhichLimitsTheMotionExceeds) {
  Model model = turning("1 mH", "0.4");
  model.drives[0].limits = {{"voltage", "V", parse_formula("24 V", {})}};
  EXPECT_TRUE(inverse_of(model).outcome.warnings().empty());
  const Inverse free = inverse_of(model);
  const auto V = free.column("motor.voltage"), t = free.column("t");
  const auto top = std::max_element(V.begin(), V.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  model.drives[0].limits = {{"voltage", "V", parse_formula("1 V", {})}};
  const Inverse found = inverse_of(model);
  EXPECT_EQ(found.outcome.status, RunStatus::finished);
  ASSERT_EQ(found.outcome.warnings().size(), 1u);
  EXPECT_EQ(found.outcome.warnings()[0],
            fmt::format("motor would need {:.6g} V at t = {:.6g} s; the limit of its voltage is 1 V", *top,
                        t[top - V.begin()]));
}

// A mass of 2 kg on a slide, K_m = 0.5 N m/A, r = 10 /m: 1 m/s^2 takes 0.4 A, Coulomb friction of 0.1 N m takes 0.2 A,
// and the current is u/(r K_m).
std::vector<std::string> warnings_of_slide(const std::string& motor, const std::string& motion) {
  const Inverse found = inverse_of(read_model_text(fmt::format(R"yaml(
armature: 1
gravity: [0, 0, 0]
plane: xy
bodies: {{b: {{mass: 2, inertia: none}}}}
joints: {{s: {{type: prismatic, axis: y, between: [ground, b]}}}}
drives: {{m: {{type: dc_motor, on: s, gear_ratio: 10, radius: 1, torque_constant: 0.5, resistance: 1, voltage: 0, {}}}}}
inverse: {{motion: {{s: "{}"}}}}
simulate: {{end: 1.5 s, record: 0.03}}
)yaml",
                                                               motor, motion)));
  EXPECT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
  return found.outcome.warnings();
}

TEST(InverseDynamics, SaysWhereAnInductanceForbidsTheMotion) {
  using Sentences = std::vector<std::string>;
  const std::string kink = "if(t < 1, 0, 0.5*(t - 1)^2)", wave = "0.3*sin(3*t)";
  EXPECT_EQ(warnings_of_slide("inductance: 1e-3", kink),
            Sentences{"motor m: its current would have to jump by 0.4 A at t = 1 s, which no voltage can do through an "
                      "inductance"});
  EXPECT_EQ(warnings_of_slide("inductance: 0", kink), Sentences{});
  EXPECT_EQ(warnings_of_slide("inductance: 1e-3", wave), Sentences{});
  EXPECT_EQ(warnings_of_slide("inductance: 1e-3", kink + " + if(t < 0.5, 0, (t - 0.5)^2)"),
            Sentences{"motor m: its current would have to jump by 0.8 A at t = 0.5 s (the largest of 2 jumps), which "
                      "no voltage can do through an inductance"});
  // against a current that falls by 0.58 A from row to row
  EXPECT_EQ(warnings_of_slide("inductance: 1e-3", kink + " - 8*t^3"),
            Sentences{"motor m: its current would have to jump by 0.4 A at t = 1 s, which no voltage can do through an "
                      "inductance"});
  // it turns round at pi/6 s, where 5.4 N act: (1/0.8 - 0.8) 5.4 N/(r K_m) = 0.486 A, and 2 * 0.2 A by the friction
  EXPECT_EQ(warnings_of_slide("inductance: 1e-3, efficiency: 0.8", wave),
            Sentences{"motor m: its current would have to jump by 0.486 A at t = 0.523599 s, which no voltage can do "
                      "through an inductance"});
  EXPECT_EQ(warnings_of_slide("inductance: 1e-3, coulomb_friction: 0.1", wave),
            Sentences{"motor m: its current would have to jump by 0.4 A at t = 0.523599 s, which no voltage can do "
                      "through an inductance"});
}

// A position or a speed that jumps requires infinite effort; an acceleration may jump.
TEST(InverseDynamics, RefusesMotionsThatJump) {
  const auto sentence = [](const std::string& motion) {
    Model model = slider_crank("0 H");
    model.start.near.clear();
    model.simulate.end = 1, model.simulate.record = 0.01;
    want(model, "crank", motion);
    return inverse_of(model).outcome.sentence;
  };
  EXPECT_EQ(sentence("0.1 + 0.5*unit_step(t, 0.3 s)"),
            "the prescribed motion of crank jumps by 0.5 at t = 0.3 s, which requires infinite effort");
  EXPECT_EQ(sentence("0.1 + 2*ramp(t, 0.205 s, 0.705 s)"),
            "the speed of the prescribed motion of crank jumps by 4 at t = 0.205 s, which requires infinite effort");
  EXPECT_EQ(sentence("0.1 + 2*trapezoid(t, 0.2 s, 0.7 s, 0.25)"), "reached t = 1 s");
  EXPECT_EQ(sentence("0.1 + floor(t/0.4)"),
            "the prescribed motion of crank jumps by 1 at t = 0.4 s, which requires infinite effort");
}

// It used to be called a jump of 1e-8.
TEST(InverseDynamics, RefusesMotionsWithoutAValue) {
  const auto sentence = [](const std::string& motion) {
    Model model = slider_crank("0 H");
    model.start.near.clear();
    model.simulate.end = 1, model.simulate.record = 0.01;
    want(model, "crank", motion);
    return inverse_of(model).outcome.sentence;
  };
  EXPECT_EQ(
      sentence("0.1*sqrt(0.451 - t)"),
      "the prescribed motion of crank has no finite value at t = 0.451 s; end before that time, or change its formula");
  EXPECT_EQ(
      sentence("if(t < 0.5, 0.1, 0.1*log(t - 0.7))"),
      "the prescribed motion of crank has no finite value at t = 0.5 s; end before that time, or change its formula");
  EXPECT_EQ(sentence("0.1*abs(t - 0.5)^0.5"),
            "the speed of the prescribed motion of crank has no finite value at t = 0.5 s; end before that time, or "
            "change its "
            "formula");
}

// The motor of the trolley keeps the motion of the load that hangs on it, while the trolley goes where it must.
TEST(InverseDynamics, ActuatorsNeedNotSitOnWhatIsWanted) {
  for (const char* inductance : {"0 H", "1 mH"}) {
    Model model = shipped("crane", {{"inductance", inductance}});
    model.simulate.end = 1, model.simulate.record = 1e-3, model.simulate.rtol = 1e-11;
    model.start.keep.clear();
    want(model, "swing", "0.2*quintic(t, 0 s, 1 s)");
    const Inverse found = inverse_of(model);
    ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
    const Simulation run = simulated(fed(model, found));
    for (int k = 0; k < found.record.rows(); ++k) {
      ASSERT_NEAR(run.at(k, "swing"), 0.2 * quintic(found.column("t")[k]), 1e-7) << inductance;
      ASSERT_NEAR(run.at(k, "travel"), found.column("travel")[k], 1e-7) << inductance;
    }
    EXPECT_GT(std::abs(run.last("travel")), 0.1);
  }
}

// Below the trolley the load does not feel its acceleration at once.
TEST(InverseDynamics, SaysWhereActuatorsHaveNoDirectEffect) {
  Model model = shipped("crane", {{"inductance", "0"}});
  model.definitions.emplace_back("load", parse_formula("travel + 0.7*sin(swing)", {}));
  model.simulate.end = 0.5, model.simulate.record = 0.05;
  want(model, "load", "0.1*quintic(t, 0 s, 1 s)");
  const Inverse run = inverse_of(model);
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_NE(run.outcome.sentence.find("no direct effect"), std::string::npos) << run.outcome.sentence;
}

// Two motors on one loop share the load; the rates of their currents are those of the shares of least norm.
TEST(InverseDynamics, RatesOfRedundantEffortsAreExact) {
  Model model = turning("10 mH", "0.4");
  model.drives.push_back(model.drives[0]);
  Drive& second = model.drives[1];
  second.name = "second", second.on = "slide", second.gear.radius = parse_formula("0.1", {});
  const Inverse found = inverse_of(model);
  ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
  for (const auto& [name, radius] : {std::pair{"motor", 1.0}, {"second", 0.1}}) {
    const auto i = found.column(std::string(name) + ".current"), V = found.column(std::string(name) + ".voltage"),
               w = found.column(radius == 1 ? "crank'" : "slide'");
    for (std::size_t k = 2; k + 2 < i.size(); ++k) {
      const double rate = (i[k - 2] - 8 * i[k - 1] + 8 * i[k + 1] - i[k + 2]) / 12e-3;  // of fourth order
      ASSERT_NEAR(V[k], 3 * i[k] + 0.1 * 10 / radius * w[k] + 0.01 * rate, 1e-7) << name << " " << k;
    }
  }
}

// A third actuator on a redundantly driven loop shares the load: least norm, and the same motion.
TEST(InverseDynamics, RedundantActuationIsOfLeastNorm) {
  Model model = slider_crank("0");
  model.drives.clear();
  model.simulate.end = 0.5, model.simulate.record = 0.05;
  model.start.keep[0].value = parse_formula("0.5", {});
  model.start.near.clear();
  want(model, "crank", "0.5 + t");
  model.actuators = {"crank"};
  const Inverse one = inverse_of(model);
  model.actuators = {"crank", "slide"};
  const Inverse two = inverse_of(model);
  ASSERT_EQ(two.outcome.status, RunStatus::finished) << two.outcome.sentence;
  for (int k = 0; k < one.record.rows(); ++k) {
    // one = a + s b, with s = d slide / d crank; least a^2 + b^2: (a, b) = one (1, s)/(1 + s^2)
    const double s = one.column("slide'")[k] / one.column("crank'")[k], total = one.column("effort.crank")[k];
    EXPECT_NEAR(two.column("effort.crank")[k], total / (1 + s * s), 1e-9 * (1 + std::abs(total)));
    EXPECT_NEAR(two.column("effort.slide")[k], total * s / (1 + s * s), 1e-9 * (1 + std::abs(total)));
  }
}

// Driven at the slider, a slider-crank cannot be turned through its dead center.
TEST(InverseDynamics, RefusesInfiniteEffortAtASingularPose) {
  Model model = slider_crank("0");
  model.drives.clear();
  model.simulate.end = 1, model.simulate.record = 0.01;
  model.start.keep[0].value = parse_formula("2.5", {});
  model.start.near.clear();
  want(model, "crank", "2.5 + t + 3*t^2");
  model.actuators = {"slide"};
  const Inverse run = inverse_of(model);
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  const double dead_center = (-1 + std::sqrt(1 + 12 * (M_PI - 2.5))) / 6;
  EXPECT_NE(run.outcome.sentence.find("infinite effort"), std::string::npos) << run.outcome.sentence;
  char time[32];
  std::snprintf(time, sizeof time, "%.6f", dead_center);
  EXPECT_NE(run.outcome.sentence.find(std::string(time).substr(0, 6)), std::string::npos)
      << run.outcome.sentence << " " << time;
}

TEST(InverseDynamics, RefusesWhatNoActuatorCanDo) {
  Model model = shipped("crane", {{"inductance", "0"}});
  model.simulate.end = 0.5, model.simulate.record = 0.05;
  want(model, "travel", "0.1*t^2");
  want(model, "swing", "0.1*sin(t)");
  const Inverse run = inverse_of(model);
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_NE(run.outcome.sentence.find("the actuators cannot produce this motion"), std::string::npos)
      << run.outcome.sentence;
}

// What the motion leaves free is integrated: the crane's payload swings as it does when the motor makes this motion.
TEST(InverseDynamics, UnderActuatedMachinesSwingFreely) {
  Model model = shipped("crane", {{"inductance", "0"}});
  model.simulate.end = 1, model.simulate.record = 1e-3;
  Model forward = model;
  want(model, "travel", "0.2*quintic(t, 0 s, 1 s)");
  const Inverse found = inverse_of(model);
  ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
  forward.tables["fed"] = std::make_shared<Table>(Table::spline(found.column("t"), found.column("motor.voltage")));
  forward.drives[0].command = {"voltage", parse_formula("fed(t)", {})};
  const Simulation run = simulated(forward);
  EXPECT_NEAR(run.last("travel"), 0.2, 1e-7);
  EXPECT_NEAR(run.last("swing"), found.column("swing").back(), 1e-7);
}

}  // namespace
}  // namespace armature::internal
