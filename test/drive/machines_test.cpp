// Machines with DC motors against independent runs of the same machines (test/data) and published numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/reference_data.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// Zeros of an event function up to a time, in order.
std::vector<double> zeros(const Simulation& run, const std::string& name, double until) {
  std::vector<double> times;
  for (const RunEvent& event : run.outcome.events)
    if (event.what.starts_with(name + " = 0") && event.t <= until) times.push_back(event.t);
  return times;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b.at(i)));
  return largest;
}

// At the times of the reference, which are multiples of the interval of recording.
double difference(const Simulation& run, const std::string& ours, const ReferenceData& data,
                  const std::string& theirs) {
  const double record = run.prepared.options.record;
  const auto x = run.column(ours);
  double largest = 0;
  for (int row = 0; row < data.rows(); ++row)
    largest = std::max(largest, std::abs(x.at(std::lround(data["t"][row] / record)) - data[theirs][row]));
  return largest;
}

struct Peak {
  double value, time;
};
// The top of the parabola through the largest row and its neighbours.
Peak peak(const Simulation& run, const std::string& channel) {
  const auto t = run.column("t"), x = run.column(channel);
  const auto i = std::max_element(x.begin() + 1, x.end() - 1) - x.begin();
  const double slope = 0.5 * (x[i + 1] - x[i - 1]), bend = x[i + 1] - 2 * x[i] + x[i - 1], s = -slope / bend;
  return {x[i] + 0.5 * slope * s, t[i] + s * (t[i + 1] - t[i])};
}

// The largest balance in the ledger, for what "1e-9 of the energy exchanged" means.
double exchanged(const Simulation& run) {
  double largest = 0;
  for (const Channel& channel : run.record.channels())
    if (channel.name.starts_with("work.") || channel.name.starts_with("heat."))
      for (double x : run.column(channel.name)) largest = std::max(largest, std::abs(x));
  return largest;
}

Simulation crane(const char* inductance, double end = 10, double record = 1e-3) {
  Model model = shipped("crane", {{"inductance", inductance}});
  model.simulate.end = end, model.simulate.record = record;
  return simulated(model);
}

TEST(DriveCrane, FollowsTheReference) {
  const ReferenceData data("crane.csv");
  const Simulation full = crane("1 mH"), simple = crane("0");
  EXPECT_LT(difference(full, "travel", data, "x_full"), 1e-8);
  EXPECT_LT(difference(full, "swing", data, "swing_full"), 1e-8);
  EXPECT_LT(difference(full, "travel'", data, "dx_full"), 1e-8);
  EXPECT_LT(difference(full, "motor.current", data, "i1_full"), 1e-7);
  EXPECT_LT(difference(simple, "travel", data, "x_simp"), 1e-8);
  EXPECT_LT(difference(simple, "swing", data, "swing_simp"), 1e-8);
  EXPECT_LT(difference(simple, "motor.current", data, "i1_simp"), 1e-7);
}

TEST(DriveCrane, CurrentPeaks) {
  const Peak top = peak(crane("1 mH", 0.01, 1e-6), "motor.current");
  EXPECT_NEAR(top.value, 8.4370053, 1e-6);
  EXPECT_NEAR(top.time, 2.789e-3, 5e-7);  // known to four digits
}

double mean(const Simulation& run, const std::string& channel, double from) {
  const auto t = run.column("t"), x = run.column(channel);
  double sum = 0;
  int count = 0;
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] > from) sum += x[k], ++count;
  return sum / count;
}

// At constant speed 400 K_m i = (400^2 d + 2) v with i = 10 - 40 v; the swing of the load goes on and averages out over
// two of its periods but for its decay.
TEST(DriveCrane, TravelsAtItsLateSpeed) {
  const Simulation run = crane("1 mH");
  const double period = 2 * M_PI / std::sqrt(9.81 / 0.7);
  EXPECT_NEAR(mean(run, "travel'", 10 - 2 * period), 0.124992188, 2e-7);
  EXPECT_NEAR(mean(run, "motor.current", 10 - 2 * period), 5.00031, 1e-5);
}

// Peaks located during the run, whatever is recorded.
void expect_peak(const Simulation& run, const std::string& name, double value, double value_trust, double t,
                 double t_trust) {
  for (const ::armature::internal::Peak& found : run.outcome.peaks)
    if (found.name == name) {
      EXPECT_NEAR(found.value, value, value_trust);
      EXPECT_NEAR(found.t, t, t_trust);
      return;
    }
  FAIL() << "no peak of " << name;
}

TEST(DrivePeaks, AreLocated) {
  expect_peak(crane("1 mH", 1, 0.1), "motor.current", 8.4370053, 1e-7, 2.789e-3, 5e-7);
  expect_peak(crane("0", 1, 0.1), "motor.current", 10, 1e-12, 0, 0);  // at once, before back-EMF
  Model crank = shipped("slider_crank");
  crank.simulate.record = 0.1;
  expect_peak(simulated(crank), "motor.current", 6.6103527, 1e-7, 2.164e-3, 5e-7);
  Model arm = shipped("two_joint_arm");
  arm.simulate.record = 0.1;
  const Simulation run = simulated(arm);
  EXPECT_NEAR(run.outcome.peaks.at(0).value, 11.66461, 5e-6);
  EXPECT_NEAR(run.outcome.peaks.at(1).value, 5.80755, 5e-6);
}

// The rate of a current is zero where it peaks.
TEST(DrivePeaks, AreZerosOfTheRate) {
  Model model = shipped("crane");
  model.simulate.end = 0.01;
  model.record.events.emplace_back("top", parse_formula("motor.current'", {}));
  const Simulation run = simulated(model);
  ASSERT_EQ(zeros(run, "top", 0.01).size(), 1u);
  EXPECT_NEAR(zeros(run, "top", 0.01)[0], run.outcome.peaks.at(0).t, 1e-8);
}

TEST(DriveCrane, FullAndSimplifiedMotorDifferAsPublished) {
  const Simulation full = crane("1 mH", 10, 1e-4), simple = crane("0", 10, 1e-4);
  EXPECT_NEAR(largest_difference(full.column("travel"), simple.column("travel")), 7.29e-5, 5e-8);
  EXPECT_NEAR(largest_difference(full.column("swing"), simple.column("swing")), 1.04e-4, 5e-7);
  EXPECT_NEAR(largest_difference(full.column("travel'"), simple.column("travel'")), 1.56e-2, 5e-5);
}

TEST(DriveArm, MatchesTheKnownNumbers) {
  Model model = shipped("two_joint_arm");
  model.simulate.record = 1e-5;
  const Simulation run = simulated(model);
  EXPECT_NEAR(peak(run, "motor1.current").value, 11.66461, 5e-6);
  EXPECT_NEAR(peak(run, "motor2.current").value, 5.80755, 5e-6);
  EXPECT_NEAR(run.last("q1"), 4.49604596, 1e-8);
  EXPECT_NEAR(run.last("q2"), 3.031170835, 1e-8);
}

TEST(DriveArm, ARotorThatRidesOnALinkMatters) {
  Model model = shipped("two_joint_arm");
  const Simulation reflected = simulated(model);
  model.drives[1].rotor.carried_by = "upper";
  model.drives[1].rotor.axis = parse_formula("[0, 0, 1]", {});
  const Simulation carried = simulated(model);
  const double change = std::max(largest_difference(reflected.column("q1"), carried.column("q1")),
                                 largest_difference(reflected.column("q2"), carried.column("q2")));
  EXPECT_NEAR(change, 4.5e-3, 5e-5);
  EXPECT_LT(carried.outcome.statistics.energy_error, 1e-9 * exchanged(carried));
}

Simulation slider_crank(const Settings& settings, double end = 3, double record = 1e-3) {
  Model model = shipped("slider_crank", settings);
  model.simulate.end = end, model.simulate.record = record;
  return simulated(model);
}

TEST(DriveSliderCrank, FollowsTheReference) {
  const ReferenceData data("slider_crank.csv");
  const Simulation full = slider_crank({}), simple = slider_crank({{"inductance", "0"}});
  EXPECT_LT(difference(full, "crank", data, "q1_full"), 1e-8);
  EXPECT_LT(difference(full, "rod_angle", data, "q2_full"), 1e-8);
  EXPECT_LT(difference(full, "slide", data, "q3_full"), 1e-8);
  EXPECT_LT(difference(full, "motor.current", data, "i_full"), 1e-7);
  EXPECT_LT(difference(simple, "crank", data, "q1_simp"), 1e-8);
  EXPECT_LT(difference(simple, "motor.current", data, "i_simp"), 1e-7);
  EXPECT_NEAR(full.at(1000, "crank"), 8.9105479267, 1e-9);
  EXPECT_NEAR(largest_difference(full.column("crank"), simple.column("crank")), 1.90e-3, 5e-6);
  EXPECT_NEAR(largest_difference(full.column("rod_angle"), simple.column("rod_angle")), 7.2e-4, 5e-6);
  EXPECT_NEAR(largest_difference(full.column("slide"), simple.column("slide")), 4.1e-4, 5e-6);
}

TEST(DriveSliderCrank, CurrentPeaks) {
  const Peak top = peak(slider_crank({}, 0.01, 1e-6), "motor.current");
  EXPECT_NEAR(top.value, 6.6103527, 1e-6);
  EXPECT_NEAR(top.time, 2.164e-3, 5e-7);
}

// About 10 rad/s and 3.333 A with a ripple of one percent.
TEST(DriveSliderCrank, TurnsEvenlyButForItsRipple) {
  const Simulation run = slider_crank({});
  const auto t = run.column("t"), i = run.column("motor.current"), w = run.column("crank'");
  double low[2] = {1e9, 1e9}, high[2] = {0, 0};
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] < 2) continue;
    low[0] = std::min(low[0], w[k]), high[0] = std::max(high[0], w[k]);
    low[1] = std::min(low[1], i[k]), high[1] = std::max(high[1], i[k]);
  }
  EXPECT_NEAR(0.5 * (low[0] + high[0]), 10, 0.02);
  EXPECT_NEAR(0.5 * (low[1] + high[1]), 10.0 / 3, 0.02);
  EXPECT_NEAR((high[1] - low[1]) / (high[1] + low[1]), 0.01, 0.004);
}

// Through the rank drop at 90 and 270 degrees of every turn, with the program's own tolerance and that of the file.
TEST(DriveSliderCrank, EqualLinksStayOnTheirBranch) {
  for (const auto& [inductance, rtol] : {std::pair{"0", 1e-8}, {"1 mH", 1e-8}, {"0", 1e-10}, {"1 mH", 1e-10}}) {
    Model model = shipped("slider_crank", {{"l1", "0.35"}, {"l2", "0.35"}, {"inductance", inductance}});
    model.simulate.end = 10, model.simulate.record = 0.01, model.simulate.rtol = rtol;
    const Simulation run = simulated(model);
    EXPECT_GT(run.last("crank"), 4 * M_PI);
    const auto crank = run.column("crank"), rod = run.column("rod_angle"), slide = run.column("slide");
    for (std::size_t k = 0; k < crank.size(); ++k) {
      ASSERT_NEAR(rod[k], crank[k], 1e-6) << inductance;
      ASSERT_NEAR(slide[k], 0.7 * std::cos(crank[k]), 1e-6) << inductance;
    }
  }
}

TEST(DriveSliderCrank, EqualLinksPassTheirRankDropInTime) {
  const Settings equal{{"l1", "0.35"}, {"l2", "0.35"}};
  EXPECT_NEAR(slider_crank(equal, 0.4).time_of("crank", M_PI / 2), 0.265528, 5e-7);
  Settings simplified = equal;
  simplified.emplace_back("inductance", "0");
  EXPECT_NEAR(slider_crank(simplified, 0.4).time_of("crank", M_PI / 2), 0.265310, 5e-7);
}

TEST(DriveRrr, CrossesItsSingularitiesAsKnown) {
  const Simulation run = simulated(shipped("rrr_motors"));
  EXPECT_EQ(zeros(run, "type_I", 3).size(), 10u);
  EXPECT_EQ(zeros(run, "type_I", 5).size(), 15u);
  EXPECT_EQ(zeros(run, "type_II", 3).size(), 15u);
  EXPECT_EQ(zeros(run, "type_II", 5).size(), 25u);
  EXPECT_NEAR(zeros(run, "type_I", 5).at(0), 0.2977298, 5e-8);
  EXPECT_NEAR(zeros(run, "type_II", 5).at(0), 0.3935121, 5e-8);
  EXPECT_NEAR(run.at(200, "theta1"), 0.4954775066, 1e-8);
  EXPECT_NEAR(run.at(200, "platform_angle"), 0.2974209128, 1e-8);
}

TEST(DriveRrr, UnderPdControlCrossesItsSingularitiesAsKnown) {
  const Simulation run = simulated(shipped("rrr_pd"));
  const auto type_I = zeros(run, "type_I", 4), type_II = zeros(run, "type_II", 4);
  ASSERT_EQ(type_I.size(), 1u);
  EXPECT_NEAR(type_I[0], 0.3385144, 5e-8);
  const double known[] = {0.0768787, 0.160723, 0.2618637, 0.3737049, 0.5244486, 0.9177974};
  ASSERT_EQ(type_II.size(), 6u);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(type_II[k], known[k], k == 1 ? 5e-7 : 6e-8);
  const ReferenceData data("rrr_case_b.csv");
  EXPECT_LT(difference(run, "theta1", data, "th1"), 1e-8);
  EXPECT_LT(difference(run, "theta3", data, "th3"), 1e-8);
  EXPECT_LT(difference(run, "platform_angle", data, "phi"), 1e-8);
  EXPECT_NEAR(run.last("platform_angle"), -0.0772478, 5e-8);
}

// Of the three readings of the PD output only the first passes one singularity of type I and six of type II.
TEST(DriveRrr, OtherReadingsOfThePdOutputCrossOtherwise) {
  for (const char* reading : {"2", "3"}) {
    Model model = shipped("rrr_pd", {{"reading", reading}});
    model.simulate.end = 1;
    const Simulation run = simulated(model);
    EXPECT_FALSE(zeros(run, "type_I", 1).size() == 1 && zeros(run, "type_II", 1).size() == 6) << reading;
  }
}

TEST(DriveLedger, ClosesOnAllMachines) {
  for (const char* name : {"crane", "two_joint_arm", "slider_crank", "rrr_motors", "rrr_pd"})
    for (const char* inductance : {"0", "1 mH"}) {
      const Simulation run = simulated(shipped(name, {{"inductance", inductance}}));
      ASSERT_DOUBLE_EQ(run.prepared.options.rtol, 1e-10);
      EXPECT_LT(run.outcome.statistics.energy_error, 1e-9 * exchanged(run)) << name << " " << inductance;
    }
}

// A constraint that moves with t does work of its own; the servo on the arm's tip is all there is besides gravity.
TEST(DriveLedger, CountsTheWorkOfConstraintsThatMove) {
  for (const char* formulation : {"auto", "null_space"}) {
    Model model = shipped("arm_on_circle");
    model.simulate.end = 5;
    model.simulate.formulation = formulation;
    const Simulation run = simulated(model);
    EXPECT_GT(exchanged(run), 1) << formulation;
    EXPECT_LT(run.outcome.statistics.energy_error, 1e-9 * exchanged(run)) << formulation;
  }
}

// Coarse steps leave the loop, and projection changes the energy when it returns; the ledger says by how much.
TEST(DriveLedger, CountsWhatProjectionDoes) {
  Model model = shipped("slider_crank", {{"inductance", "0"}});
  model.simulate.integrator = "rk4", model.simulate.step = 5e-3;
  model.simulate.end = 2;
  const Simulation run = simulated(model);
  double largest = 0;
  for (double x : run.column("work.stabilization")) largest = std::max(largest, std::abs(x));
  EXPECT_GT(largest, 1e-9);
  EXPECT_LT(largest, 1e-3 * exchanged(run));
  // what is stored is what came in, was lost, and was added by stabilization, but for the error
  const int row = run.record.rows() - 1;
  double sum = run.at(row, "energy.error");
  for (const Channel& channel : run.record.channels()) {
    const double change = run.at(row, channel.name) - run.at(0, channel.name);
    if (channel.name.starts_with("work.")) sum += change;
    if (channel.name.starts_with("heat.")) sum -= change;
    if (channel.name == "energy.kinetic" || channel.name == "energy.potential" || channel.name == "energy.magnetic")
      sum -= change;
  }
  EXPECT_NEAR(sum, 0, 1e-12 * exchanged(run));
}

// Without projection Baumgarte's method does work, small but counted.
TEST(DriveLedger, CountsTheWorkOfBaumgartesMethod) {
  Model model = shipped("slider_crank");
  model.simulate.projection = false;
  model.simulate.alpha = 20, model.simulate.beta = 100;
  const Simulation run = simulated(model);
  EXPECT_NE(run.last("work.stabilization"), 0);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9 * exchanged(run));
}

}  // namespace
}  // namespace armature::internal
