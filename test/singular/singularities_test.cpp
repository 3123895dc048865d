// Singularities along motions and over poses: times of the published runs, and curves against the geometry of the 3RRR.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "singular/singular_motion.hpp"
#include "singular/workspace_map.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using Eigen::Vector2d;
using testing::HasSubstr;

const std::vector<std::string> platform{"platform.C.x", "platform.C.y", "platform_angle"};

std::vector<double> times(const SingularMotion& motion, SingularityKind kind) {
  std::vector<double> list;
  for (const SingularEvent& event : motion.events)
    if (event.kind == kind) list.push_back(event.t);
  return list;
}

// Motors at constant voltage, 3 s: 10 and 15 crossings, the first at 0.2977298 and 0.3935121 s. Phi itself keeps its rank.
TEST(Singularities, CrossingsOfThe3RRR) {
  Model model = shipped("rrr_motors");
  model.simulate.end = 3;
  const SingularMotion motion = singular_motion(model, {}, platform);
  EXPECT_THAT(motion.frame.active, testing::ElementsAre("theta1", "theta2", "theta3"));
  const auto I = times(motion, SingularityKind::type_I), II = times(motion, SingularityKind::type_II);
  ASSERT_EQ(I.size(), 10u);
  ASSERT_EQ(II.size(), 15u);
  EXPECT_NEAR(I[0], 0.2977298, 5e-8);
  EXPECT_NEAR(II[0], 0.3935121, 5e-8);
  EXPECT_TRUE(times(motion, SingularityKind::rank_drop).empty());
  EXPECT_GT(motion.smallest.sigma, 0.05);
}

TEST(Singularities, CrossingsOfThe3RRRUnderControl) {
  Model model = shipped("rrr_pd");
  model.simulate.end = 1;
  const SingularMotion motion = singular_motion(model, {}, platform);
  const auto I = times(motion, SingularityKind::type_I), II = times(motion, SingularityKind::type_II);
  ASSERT_EQ(I.size(), 1u);
  EXPECT_NEAR(I[0], 0.3385144, 5e-8);
  const double expected[] = {0.0768787, 0.160723, 0.2618637, 0.3737049, 0.5244486, 0.9177974};
  ASSERT_EQ(II.size(), 6u);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(II[k], expected[k], k == 1 ? 5e-7 : 5e-8);
  for (const SingularEvent& event : motion.events)
    if (event.kind == SingularityKind::type_II) {
      EXPECT_THAT(event.words, HasSubstr("platform can turn about z through ("));
      EXPECT_THAT(event.words, HasSubstr("while theta1, theta2, theta3 are at rest"));
    }
}

// With passive coordinates as many as freedoms these are the output: the Lagrangian form gives the same times.
TEST(Singularities, LagrangianNeedsOnlyItsDrives) {
  Model model = shipped("rrr_lagrangian");
  model.simulate.end = 0.5;
  const SingularMotion motion = singular_motion(model, {"theta1", "theta2", "theta3"}, {});
  EXPECT_THAT(motion.frame.output, testing::ElementsAre("x", "y", "platform_angle"));
  EXPECT_NEAR(times(motion, SingularityKind::type_I).at(0), 0.2977298, 5e-8);
  EXPECT_NEAR(times(motion, SingularityKind::type_II).at(0), 0.3935121, 5e-8);
}

// Equal links: at 90 degrees Phi loses rank, at 0.265310 s; the slider can then go its own way.
TEST(Singularities, TrueRankDropOfTheEqualSliderCrank) {
  Model model = shipped("slider_crank_equal");
  model.simulate.end = 0.3, model.simulate.rtol = 1e-10;
  const SingularMotion motion = singular_motion(model, {}, {"slide"});
  const auto drops = times(motion, SingularityKind::rank_drop);
  ASSERT_EQ(drops.size(), 1u);
  EXPECT_NEAR(drops[0], 0.265310, 5e-7);
  ASSERT_EQ(motion.events.size(), 2u);
  EXPECT_EQ(motion.events[0].t, 0);  // the motion begins at a dead center
  EXPECT_EQ(motion.events[0].kind, SingularityKind::type_I);
  EXPECT_THAT(motion.events[1].words, HasSubstr("slider can move along x"));
  EXPECT_THAT(motion.events[1].words, HasSubstr("while crank is at rest"));
}

// N windows of equal bars have N singular values that vanish together where they lie flat: with even N the determinant does
// not change its sign. Times: zeros of sin phi of ((N+1)/3+N) phi'' = -g((N+1)/2+N) cos phi, phi = pi/2, phi' = -1 at the
// start (problem A02), integrated on its own at a relative tolerance of 1e-12.
void expect_drops_of_windows(int N, const std::vector<double>& expected) {
  Model model = shipped("n_four_bar", {{"N", std::to_string(N)}});
  model.simulate.end = 2.7;
  const SingularMotion motion = singular_motion(model, {}, {});
  const auto drops = times(motion, SingularityKind::rank_drop);
  ASSERT_EQ(drops.size(), expected.size()) << N;
  EXPECT_EQ(motion.events.size(), expected.size()) << N;
  for (std::size_t k = 0; k < drops.size(); ++k) EXPECT_NEAR(drops[k], expected[k], 2e-8) << N;
  // the summary agrees with the list: N of the 2N rows are lost
  EXPECT_LT(motion.smallest.sigma, 1e-6) << N;
  EXPECT_EQ(motion.smallest.rank, N);
}

TEST(Singularities, RankDropsWithAndWithoutAChangeOfSign) {
  expect_drops_of_windows(1, {0.70845001, 1.21526181, 2.63216183});
  expect_drops_of_windows(2, {0.71435553, 1.22815939, 2.65687045});
  expect_drops_of_windows(3, {0.71667909, 1.23325031, 2.66660849});
}

// Let go at a dead center, without a drive: by symmetry the machine comes to rest in the other one and returns. There the
// determinant touches zero; half-way, at 270 degrees, lies the rank drop.
TEST(Singularities, ADeterminantThatTouchesZero) {
  Model model = shipped("slider_crank_equal");
  model.forces.clear();
  model.simulate.end = 4, model.simulate.rtol = 1e-11;
  const SingularMotion motion = singular_motion(model, {"crank"}, {"slide"});
  const auto I = times(motion, SingularityKind::type_I), drops = times(motion, SingularityKind::rank_drop);
  ASSERT_EQ(I.size(), 2u);
  ASSERT_EQ(drops.size(), 1u);
  EXPECT_EQ(I[0], 0);
  EXPECT_NEAR(I[1], 2 * drops[0], 1e-4);  // a minimum of (t - t1)^2 is known to the root of the error
}

// Unequal links, driven at the slider: where the crank is in line with the rod the slider holds nothing (type II), but Phi
// keeps its rank.
TEST(Singularities, DeadCentreIsNoRankDrop) {
  Model model = shipped("slider_crank");
  model.simulate.end = 1;
  const SingularMotion motion = singular_motion(model, {"slide"}, {});
  EXPECT_FALSE(times(motion, SingularityKind::type_II).empty());
  EXPECT_TRUE(times(motion, SingularityKind::rank_drop).empty());
}

TEST(Singularities, NamesThatDoNotExist) {
  EXPECT_THROW(singular_motion(shipped("rrr_motors"), {"thera1"}, {}), std::runtime_error);
}

// Closed form: from the platform's pose the cranks follow, up to the side of each elbow.
struct Geometry {
  static constexpr double side = 1.2, l1 = 0.581, l2 = 0.620;
  static constexpr std::array<int, 3> start{-1, -1, -1};  // sides of the elbows there: they are kept in all the reach
  const double radius = 0.2 / std::sqrt(3);
  std::array<Vector2d, 3> O{Vector2d(0, 0), Vector2d(side, 0), Vector2d(side / 2, side* std::sqrt(3) / 2)};
  std::array<double, 3> corner{7 * M_PI / 6, -M_PI / 6, M_PI / 2};

  std::array<Vector2d, 3> wrists(double x, double y) const {  // platform not turned
    std::array<Vector2d, 3> B;
    for (int i = 0; i < 3; ++i) B[i] = Vector2d(x, y) + radius * Vector2d(std::cos(corner[i]), std::sin(corner[i]));
    return B;
  }
  // det of the lines of the rods: zero where they meet in a point, or are parallel
  double lines(double x, double y, const std::array<int, 3>& elbow) const {
    const auto B = wrists(x, y);
    Eigen::Matrix3d D;
    for (int i = 0; i < 3; ++i) {
      const Vector2d d = B[i] - O[i];
      const double r = d.norm(), c = (l1 * l1 - l2 * l2 + r * r) / (2 * r),
                   h = std::sqrt(std::max(0.0, l1 * l1 - c * c));
      const Vector2d A = O[i] + (c * d + elbow[i] * h * Vector2d(-d.y(), d.x())) / r, u = (B[i] - A) / l2;
      const Vector2d b = B[i] - Vector2d(x, y);
      D.row(i) << u.x(), u.y(), (b.x() * u.y() - b.y() * u.x()) / radius;
    }
    return D.determinant();
  }
  double nearest_limit(double x, double y) const {  // an arm stretched or folded
    double least = 1;
    for (int i = 0; i < 3; ++i) {
      const double r = (wrists(x, y)[i] - O[i]).norm();
      least = std::min({least, std::abs(r - l1 - l2), std::abs(r - std::abs(l1 - l2))});
    }
    return least;
  }
};

TEST(Singularities, WorkspaceOfThe3RRR) {
  WorkspaceOptions options;
  const auto axis = [](const char* name, double from, double to) {
    PoseAxis axis{name, {}};
    for (int k = 0; k < 21; ++k) axis.values.push_back(from + (to - from) * k / 20);
    return axis;
  };
  options.over = {axis("platform.C.x", 0.0, 1.2), axis("platform.C.y", -0.3, 0.9)};
  options.hold = {{"platform_angle", 0}};
  options.output = platform;
  const WorkspaceMap map = workspace_map(shipped("rrr_motors"), options);
  EXPECT_GT(map.reached, 100);
  const Geometry geometry;
  int I = 0, II = 0;
  for (const CurvePoint& point : map.curve) {
    if (point.kind == CurvePoint::Kind::type_I) {
      EXPECT_LT(geometry.nearest_limit(point.at[0], point.at[1]), 1e-6) << point.at[0] << " " << point.at[1];
      ++I;
    }
    if (point.kind == CurvePoint::Kind::type_II) {
      EXPECT_LT(std::abs(geometry.lines(point.at[0], point.at[1], Geometry::start)), 1e-7)
          << point.at[0] << " " << point.at[1];
      ++II;
    }
  }
  EXPECT_GT(I, 20);
  // no zero of type II between neighbours is missed
  int expected = 0;
  const auto det = [&](std::size_t k) {
    return map.cells[k].reached
               ? geometry.lines(options.over[0].values[k % 21], options.over[1].values[k / 21], Geometry::start)
               : std::nan("");
  };
  for (std::size_t k = 0; k < map.cells.size(); ++k) {
    if (k % 21 < 20) expected += det(k) * det(k + 1) < 0;
    if (k + 21 < map.cells.size()) expected += det(k) * det(k + 21) < 0;
  }
  EXPECT_GT(expected, 20);
  EXPECT_EQ(II, expected);
  // every pose that some arm cannot span is out of reach
  for (std::size_t k = 0; k < map.cells.size(); ++k) {
    const double x = options.over[0].values[k % 21], y = options.over[1].values[k / 21];
    bool spans = true;
    for (int i = 0; i < 3; ++i) {
      const double r = (geometry.wrists(x, y)[i] - geometry.O[i]).norm();
      spans = spans && r < Geometry::l1 + Geometry::l2 && r > Geometry::l2 - Geometry::l1;
    }
    EXPECT_EQ(map.cells[k].reached, spans) << x << " " << y;
  }
}

// The dead centers of a slider-crank and the rank drop of one with equal links lie on poses of the grid themselves.
TEST(Singularities, PosesOfTheGridMayBeSingular) {
  WorkspaceOptions options;
  options.over = {{"crank", {0, M_PI / 4, M_PI / 2, 3 * M_PI / 4, M_PI, 5 * M_PI / 4}}};
  options.output = {"slide"};
  const WorkspaceMap dead_centers = workspace_map(shipped("slider_crank"), options);
  ASSERT_EQ(dead_centers.curve.size(), 2u);
  EXPECT_EQ(dead_centers.curve[0].at[0], 0);
  EXPECT_EQ(dead_centers.curve[1].at[0], M_PI);
  for (const CurvePoint& point : dead_centers.curve) EXPECT_EQ(point.kind, CurvePoint::Kind::type_I);

  options.over = {{"crank", {M_PI / 8, M_PI / 4, 3 * M_PI / 8, M_PI / 2}}};
  const WorkspaceMap equal = workspace_map(shipped("slider_crank_equal"), options);
  ASSERT_EQ(equal.curve.size(), 1u);
  EXPECT_EQ(equal.curve[0].at[0], M_PI / 2);
  EXPECT_EQ(equal.curve[0].kind, CurvePoint::Kind::rank_drop);
}

PoseAxis grid(const char* name, double from, double to, int count) {
  PoseAxis axis{name, {}};
  for (int k = 0; k < count; ++k) axis.values.push_back(from + (to - from) * k / (count - 1));
  return axis;
}

// Places of one kind on a map of one axis.
std::vector<double> places(const WorkspaceMap& map, CurvePoint::Kind kind) {
  std::vector<double> list;
  for (const CurvePoint& point : map.curve)
    if (point.kind == kind) list.push_back(point.at[0]);
  return list;
}

// Bars of equal length, flat at 0: uprights stay parallel on the branch of the start, whether a pose of the grid is flat or
// not, and with any number of windows.
TEST(Singularities, MapsGoOnAcrossARankDrop) {
  for (const int N : {1, 2, 3})
    for (const int count : {2, 5, 20, 21, 64}) {
      WorkspaceOptions options;
      options.over = {grid("pivot0", -1, 1, count)};
      const WorkspaceMap map = workspace_map(shipped("n_four_bar", {{"N", std::to_string(N)}}), options);
      EXPECT_EQ(map.reached, count) << N;
      ASSERT_EQ(map.curve.size(), 1u) << N << " " << count;
      EXPECT_EQ(map.curve[0].kind, CurvePoint::Kind::rank_drop) << N << " " << count;
      EXPECT_NEAR(map.curve[0].at[0], 0, 1e-6) << N << " " << count;
      for (std::size_t k = 0; k < map.cells.size(); ++k)  // pivot1 = pivot0
        EXPECT_NEAR(map.cells[k].state.x[1], map.over[0].values[k], 1e-9) << N << " " << count;
    }
}

// Equal links: 0.7 cos(crank) is the slide all around. Type I at 0, pi, 2 pi; rank drops at pi/2 and 3 pi/2.
TEST(Singularities, TheEqualSliderCrankStaysOnItsBranchOverPoses) {
  for (const int count : {2, 5, 29, 30, 31, 100}) {
    WorkspaceOptions options;
    options.over = {grid("crank", 0, 2 * M_PI, count)};
    options.output = {"slide"};
    const WorkspaceMap map = workspace_map(shipped("slider_crank_equal"), options);
    EXPECT_EQ(map.reached, count);
    EXPECT_EQ(map.undecided, 0);
    const auto near = [](double x) { return testing::DoubleNear(x, 1e-6); };
    EXPECT_THAT(places(map, CurvePoint::Kind::rank_drop), testing::ElementsAre(near(M_PI / 2), near(3 * M_PI / 2)))
        << count;
    EXPECT_THAT(places(map, CurvePoint::Kind::type_I), testing::ElementsAre(near(0), near(M_PI), near(2 * M_PI)))
        << count;
    EXPECT_EQ(map.curve.size(), 5u) << count;
  }
}

// The rocker stands where crank (a) and coupler (b) are in line: with rocker c and ground d the law of cosines gives
// cos(angle) = ((b + a)^2 + d^2 - c^2)/(2 (b + a) d) stretched and ((b - a)^2 + d^2 - c^2)/(2 (b - a) d) half a turn further on,
// folded; with C above the ground.
TEST(Singularities, DeadCentersOfTheFourBar) {
  const double a = 0.3, b = 0.7, c = 0.6, d = 0.8;
  const auto angle = [&](double r) { return std::acos((r * r + d * d - c * c) / (2 * r * d)); };
  const std::vector<double> expected{angle(b + a), angle(b - a) + M_PI};
  for (const bool driven : {false, true}) {
    WorkspaceOptions options;
    options.over = {grid("crank_angle", 0, 2 * M_PI, 24)};
    (driven ? options.active : options.output) = {"rocker_angle"};
    const WorkspaceMap map = workspace_map(shipped("four_bar"), options);
    const auto found = places(map, driven ? CurvePoint::Kind::type_II : CurvePoint::Kind::type_I);
    EXPECT_THAT(found, testing::Pointwise(testing::DoubleNear(1e-9), expected));
    EXPECT_EQ(map.curve.size(), 2u);
  }
}

// Over the rocker the same poses are the edges of the reach: of type II where it is the drive.
TEST(Singularities, EdgesOfTheReachOfDrivesAreOfTypeII) {
  WorkspaceOptions options;
  options.over = {grid("rocker_angle", 1, 3, 30)};
  options.active = {"rocker_angle"};
  const WorkspaceMap map = workspace_map(shipped("four_bar"), options);
  const auto at = [](double crank, double r) { return std::atan2(r * std::sin(crank), r * std::cos(crank) - 0.8); };
  const double stretched = at(std::acos(0.8), 1.0), folded = at(std::acos(0.6875), 0.4);
  EXPECT_THAT(places(map, CurvePoint::Kind::type_II),
              testing::Pointwise(testing::DoubleNear(1e-7), {stretched, folded}));
}

// Ten turns in four lines; a range from above; and a line with more than has room, of which the map says so.
TEST(Singularities, CoarseGridsMissNothing) {
  WorkspaceOptions options;
  options.over = {grid("crank", 0, 20 * M_PI, 5)};
  options.output = {"slide"};
  const WorkspaceMap turns = workspace_map(shipped("slider_crank_equal"), options);
  const auto drops = places(turns, CurvePoint::Kind::rank_drop), dead = places(turns, CurvePoint::Kind::type_I);
  ASSERT_EQ(drops.size(), 20u);
  ASSERT_EQ(dead.size(), 21u);
  EXPECT_EQ(turns.curve.size(), 41u);
  for (std::size_t k = 0; k < drops.size(); ++k) EXPECT_NEAR(drops[k], M_PI / 2 + static_cast<double>(k) * M_PI, 1e-6);
  for (std::size_t k = 0; k < dead.size(); ++k) EXPECT_NEAR(dead[k], static_cast<double>(k) * M_PI, 1e-6);

  options.over = {grid("crank", 3, 0, 5)};
  const WorkspaceMap back = workspace_map(shipped("slider_crank_equal"), options);
  ASSERT_EQ(back.curve.size(), 2u);
  EXPECT_NEAR(back.curve[0].at[0], M_PI / 2, 1e-6);
  EXPECT_EQ(back.curve[0].kind, CurvePoint::Kind::rank_drop);

  options.over = {grid("crank", 0, 20 * M_PI, 2)};
  const WorkspaceMap one_line = workspace_map(shipped("slider_crank_equal"), options);
  EXPECT_THAT(one_line.frame.notes, testing::Contains(HasSubstr("use a finer grid")));
}

// Where the start itself is a pose in which branches meet, none of them leads on from it: the map says so.
TEST(Singularities, AStartWhereBranchesMeetIsSaid) {
  WorkspaceOptions options;
  options.over = {grid("pivot0", -0.5, 0.5, 11)};
  Model model = shipped("n_four_bar", {{"N", "1"}});
  model.start = {};  // flat
  const WorkspaceMap map = workspace_map(model, options);
  EXPECT_THAT(map.frame.notes, testing::Contains("branches meet at the start: the map shows one of them"));
}

}  // namespace
}  // namespace armature::internal
