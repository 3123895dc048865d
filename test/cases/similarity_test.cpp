// One machine has one motion, however it is written down: in any units, in a world turned and shifted anyhow, with its
// parts in any order.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <numbers>

#include "support/random_draws.hpp"
#include "support/run_model.hpp"
#include "support/transformed_model.hpp"

namespace armature {
namespace {

struct Case {
  std::string model;
  double end;  // s: before chaos makes errors grow beyond what can be compared
};

void PrintTo(const Case& machine, std::ostream* out) { *out << machine.model; }

class SimilarMachine : public testing::TestWithParam<Case> {
 protected:
  Model model(double rtol) const {
    // at phi0 = pi the press is folded: the knee is at half a turn either way
    Model result = GetParam().model == "press" ? shipped("press", {{"phi0", "3"}}) : shipped(GetParam().model);
    result.simulate.end = GetParam().end;
    result.simulate.record = GetParam().end / 20;
    result.simulate.rtol = rtol;
    return result;
  }
  bool is_planar() const { return !model(1e-9).plane.empty(); }

  // Largest difference of a coordinate or its rate, of the largest that its kind reaches.
  struct Difference {
    double q = 0, v = 0;
    double largest() const { return std::max(q, v); }
  };
  Difference difference(const Simulation& base, const Simulation& other, const Transformation& to) const {
    Difference result;
    for (const NamedComponent& coordinate : coordinates_of(model(1e-9))) {
      if (coordinate.component.is_part_of_ball) continue;
      const double unit = coordinate.component.is_length ? to.length : 1;
      result.q = std::max(result.q, relative(base, other, coordinate.name, unit));
      result.v = std::max(result.v, relative(base, other, coordinate.name + "'", unit / to.time));
    }
    return result;
  }
  static double relative(const Simulation& base, const Simulation& other, const std::string& channel, double unit) {
    const std::vector<double> a = base.column(channel), b = other.column(channel);
    EXPECT_EQ(a.size(), b.size()) << channel;
    double size = 1e-3, error = 0;  // what hardly moves is compared with a thousandth of a radian or metre
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      size = std::max(size, std::abs(a[i]));
      error = std::max(error, std::abs(a[i] - b[i] / unit));
    }
    return error / size;
  }

  // Round-off and errors of steps differ between two ways to write a machine, so they differ by as much as a run differs
  // from a better one, times a number of order ten.
  void expect_same_motion(const Transformation& to) const {
    static std::map<std::string, std::pair<Simulation, double>> bases;
    if (!bases.contains(GetParam().model)) {
      Simulation base = simulated(model(1e-9));
      const double own = difference(base, simulated(model(1e-11)), {}).largest();
      bases.emplace(GetParam().model, std::pair{std::move(base), own});
    }
    const auto& [base, own] = bases.at(GetParam().model);
    const Difference found = difference(base, simulated(transformed(model(1e-9), to)), to);
    RC_LOG() << "own error " << own << ", difference " << found.q << " and " << found.v << '\n';
    RC_ASSERT(found.largest() < 30 * own + 1e-8);
  }
};

INSTANTIATE_TEST_SUITE_P(Models, SimilarMachine,
                         testing::Values(Case{"pendulum", 5}, Case{"four_bar", 3}, Case{"n_four_bar", 3},
                                         Case{"rrr", 1}, Case{"rrr_motors", 1}, Case{"rrr_pd", 1},
                                         Case{"slider_crank", 1}, Case{"slider_crank_equal", 2}, Case{"press", 10},
                                         Case{"squeezer", 0.02}, Case{"stewart", 1}, Case{"arm", 0.5}, Case{"crane", 3},
                                         Case{"two_joint_arm", 1}, Case{"arm_on_circle", 3}),
                         [](const auto& info) { return info.param.model; });

constexpr int draws = 3;

Eigen::Matrix3d random_turn(bool planar) {
  const Eigen::Vector3d axis(random_number(-1, 1), random_number(-1, 1), random_number(0.1, 1));
  Eigen::Matrix3d turn =
      Eigen::AngleAxisd(random_number(0, 2 * std::numbers::pi), planar ? Eigen::Vector3d(0, 0, 1) : axis.normalized())
          .toRotationMatrix();
  if (planar) turn.row(2) = Eigen::RowVector3d(0, 0, 1), turn.col(2) = Eigen::Vector3d(0, 0, 1);
  return turn;
}

TEST_P(SimilarMachine, MovesAlikeInOtherUnits) {
  for_random_draws(draws, [&] {
    Transformation to;
    to.length = std::pow(10, random_number(-6, 6));
    to.mass = std::pow(10, random_number(-6, 6));
    to.time = std::pow(10, random_number(-3, 3));
    expect_same_motion(to);
  });
}

TEST_P(SimilarMachine, MovesAlikeInATurnedAndShiftedWorld) {
  for_random_draws(draws, [&] {
    Transformation to;
    to.turn = random_turn(is_planar());
    to.shift = {random_number(-100, 100), random_number(-100, 100), is_planar() ? 0 : random_number(-100, 100)};
    expect_same_motion(to);
  });
}

TEST_P(SimilarMachine, MovesAlikeInAMirror) {
  for_random_draws(draws, [&] {
    Transformation to;
    to.turn = random_turn(is_planar()) * Eigen::Vector3d(1, -1, 1).asDiagonal();
    expect_same_motion(to);
  });
}

TEST_P(SimilarMachine, MovesAlikeWithItsPartsInAnyOrder) {
  for_random_draws(draws, [&] {
    Transformation to;
    to.shuffle = static_cast<unsigned>(random_number(0, 1e6));
    expect_same_motion(to);
  });
}

// At 90 and 270 degrees its slider could leave 0.7 cos(crank).
TEST(EqualSliderCrank, PassesItsSingularPosesAtAnySize) {
  for (const double size : {1e-7, 1e-6, 1e-3, 1e6})
    for (const char* integrator : {"dopri5", "dop853", "cvode_bdf"}) {
      Model model = shipped("slider_crank_equal");
      model.simulate.integrator = integrator, model.simulate.rtol = 1e-9;
      Transformation to;
      to.length = size;
      const Simulation run = simulated(transformed(model, to));
      const std::vector<double> crank = run.column("crank"), slide = run.column("slide");
      double error = 0;
      for (std::size_t row = 0; row < crank.size(); ++row)
        error = std::max(error, std::abs(slide[row] / (0.7 * size) - std::cos(crank[row])));
      EXPECT_LT(error, 1e-10) << integrator << ", " << size;
    }
}

}  // namespace
}  // namespace armature
