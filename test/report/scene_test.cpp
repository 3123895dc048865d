// What is drawn is where the recording says: poses of bodies and points of beams against the recorded points.
#include "report/scene.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <fstream>
#include <numbers>

#include "support/run_model.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

constexpr double single = 1e-6;  // frames are single precision, of lengths about a meter

const SceneBody& body_of(const Scene& scene, const std::string& name) {
  return *std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const auto& body) { return body.name == name; });
}

std::vector<float> frame(const Scene& scene, const Simulation& run, int row) {
  std::vector<float> numbers;
  Scene::Frames(scene, run.record.channels()).append(run.record.row_at(row), numbers);
  EXPECT_EQ(numbers.size(), std::size_t(scene.frame_size()));
  return numbers;
}

Eigen::Vector3d drawn(const std::vector<float>& frame, const SceneBody& body, const Triple& at) {
  const float* x = &frame[body.offset];
  const Eigen::Quaterniond turn(x[6], x[3], x[4], x[5]);
  return Eigen::Vector3d(x[0], x[1], x[2]) + turn * Eigen::Vector3d(at[0], at[1], at[2]);
}

// Every named point of every rigid body at every tenth row.
void expect_points_where_recorded(const std::string& model_name, int expected_points) {
  Model model = shipped(model_name);
  model.simulate.end = std::min(model.simulate.end, 1.0);
  const Simulation run = simulated(model);
  const Scene scene(model);
  int points = 0;
  for (int row = 0; row < run.record.rows(); row += 10) {
    const std::vector<float> numbers = frame(scene, run, row);
    for (const SceneBody& body : scene.bodies) {
      if (body.beam) continue;
      for (const auto& [name, at] : body.points) {
        const Eigen::Vector3d place = drawn(numbers, body, at);
        for (int i = 0; i < 3; ++i) {
          const std::vector<double> recorded = run.record.column(body.name + "." + name + "." + "xyz"[i]);
          EXPECT_NEAR(place[i], recorded.empty() ? 0 : recorded[row], 5 * single) << body.name << "." << name << row;
        }
        points += row == 0;
      }
    }
  }
  EXPECT_EQ(points, expected_points);
}

TEST(Scene, PutsThePlatformOfTheRrrWhereItIs) { expect_points_where_recorded("rrr", 4); }
TEST(Scene, PutsASpatialPlatformWhereItIs) { expect_points_where_recorded("stewart", 6); }

TEST(Scene, BendsBeamsAsTheyBend) {
  Model model = shipped("five_bar");
  model.simulate.end = 0.05;
  const Simulation run = simulated(model);
  const Scene scene(model);
  const SceneBody& beam = body_of(scene, "beam2");
  ASSERT_TRUE(beam.beam);
  EXPECT_TRUE(beam.beam->held);
  const int row = run.record.rows() - 1;
  const std::vector<float> numbers = frame(scene, run, row);
  const float* first = &numbers[beam.beam->offset];
  const float* last = first + 3 * (beam.beam->nodes - 1);
  EXPECT_NEAR(last[0], run.last("beam2.tip.x"), single);
  EXPECT_NEAR(last[1], run.last("beam2.tip.y"), single);
  // w(l/2) of one cubic element: w1/2 - l slope1/8
  const float* middle = first + 3 * (beam.beam->nodes / 2);
  const Eigen::Vector3d in_beam = Eigen::Quaterniond(numbers[beam.offset + 6], numbers[beam.offset + 3],
                                                     numbers[beam.offset + 4], numbers[beam.offset + 5])
                                      .inverse() *
                                  Eigen::Vector3d(middle[0] - first[0], middle[1] - first[1], 0);
  EXPECT_NEAR(in_beam.y(), run.last("beam2.w1") / 2 - 0.5 * run.last("beam2.slope1") / 8, single);
  EXPECT_GT(std::abs(in_beam.y()), 1e-4);  // it is bent
}

TEST(Scene, DrawsTheLinesOfALagrangian) {
  Model model = shipped("rrr_lagrangian");
  model.simulate.end = 0.5;
  const Simulation run = simulated(model);
  const Scene scene(model);
  EXPECT_EQ(scene.plane, "xy");
  ASSERT_EQ(scene.drawings.size(), 4u);
  const SceneDrawing& leg = scene.drawings[1];
  EXPECT_EQ(leg.name, "leg2");
  ASSERT_EQ(leg.points, 3);
  const std::vector<float> numbers = frame(scene, run, run.record.rows() - 1);
  const double theta = run.last("theta2");
  EXPECT_NEAR(numbers[leg.offset + 3], 1.2 + 0.581 * std::cos(theta), single);
  EXPECT_NEAR(numbers[leg.offset + 4], 0.581 * std::sin(theta), single);
}

TEST(Scene, KnowsJointsSpringsAndWhatIsDriven) {
  const Scene scene(shipped("slider_crank"));
  ASSERT_EQ(scene.joints.size(), 4u);
  EXPECT_EQ(scene.joints[0].name, "crank");
  EXPECT_EQ(scene.joints[0].a.body, -1);
  EXPECT_TRUE(scene.joints[0].driven);
  EXPECT_FALSE(scene.joints[1].driven);
  EXPECT_THAT(scene.joints[1].a.at, testing::ElementsAre(0.2, 0, 0));
  EXPECT_EQ(scene.joints[3].type, "prismatic");
  EXPECT_THAT(scene.joints[3].axis, testing::ElementsAre(1, 0, 0));
  EXPECT_EQ(Scene(shipped("squeezer")).links.size(), 1u);
}

TEST(Scene, EveryShippedModelCanBeDrawn) {
  for (const std::string& name : shipped_models()) {
    const Scene scene(shipped(name));
    EXPECT_GT(scene.frame_size(), 0) << name;
    EXPECT_THAT(scene.notes, testing::IsEmpty()) << name;
  }
}

const char* const shapes = R"(armature: 1
gravity: [0, 0, -9.81]
parameters: {a: 0.2 m}
bodies:
  b:
    mass: 1
    inertia: {sphere: 0.1}
    shape:
      - {box: [a, 2*a, 30 mm], at: [0, 0, a]}
      - {cylinder: {radius: 0.1, length: 0.4, axis: y}, at: [1, 0, 0]}
      - {rod: {to: [0, 0, 1], radius: 10 mm}}
      - {sphere: 0.3}
      - {mesh: part.stl, scale: 1 mm}
joints: {f: {type: free, between: [ground, b]}}
)";

TEST(Scene, TakesGivenShapes) {
  TemporaryFolder folder;
  std::ofstream(folder / "part.stl") << "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1e3 0 0\n"
                                        "vertex 0 2000 5\nendloop\nendfacet\nendsolid\n";
  std::ofstream(folder / "m.yaml") << shapes;
  const Scene scene(read_model((folder / "m.yaml").string()));
  const std::vector<SceneShape>& made = scene.bodies[0].shapes;
  ASSERT_EQ(made.size(), 5u);
  EXPECT_THAT(made[0].sides, testing::ElementsAre(0.2, 0.4, 0.03));
  EXPECT_THAT(made[0].at, testing::ElementsAre(0, 0, 0.2));
  EXPECT_THAT(made[1].from, testing::ElementsAre(1, -0.2, 0));
  EXPECT_THAT(made[1].to, testing::ElementsAre(1, 0.2, 0));
  EXPECT_THAT(made[2].from, testing::ElementsAre(0, 0, 0));
  EXPECT_EQ(made[2].radius, 0.01);
  EXPECT_EQ(made[3].radius, 0.3);
  EXPECT_THAT(made[4].triangles,
              testing::Pointwise(testing::FloatEq(), std::vector<float>{0, 0, 0, 1, 0, 0, 0, 2, 0.005f}));
}

// One that is broken when the model is read is refused; it may be lost afterwards.
TEST(Scene, SaysThatAMeshIsNone) {
  TemporaryFolder folder;
  std::ofstream(folder / "part.stl") << "solid x\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n";
  std::ofstream(folder / "m.yaml") << shapes;
  const Model model = read_model((folder / "m.yaml").string());
  std::ofstream(folder / "part.stl") << "not a mesh";
  EXPECT_THAT(Scene(model).notes,
              testing::ElementsAre((folder / "part.stl").string() + ": is not an STL file, or one that is cut short"));
  EXPECT_THROW(read_model((folder / "m.yaml").string()), ModelError);
}

// The profile of a flat follower that rises by h (1 - cos a) is a circle of radius base + h about a point h beside the axis, whatever the angle.
// A gap that follows one length closes somewhere: an end stop of a slider, or a plane under a point. Of others nothing is known.
TEST(Gaps, AreStopsAndPlanes) {
  const Scene ball(shipped("contact/ball_at_rest"));
  ASSERT_TRUE(ball.joints[0].stops[0]);
  EXPECT_DOUBLE_EQ(*ball.joints[0].stops[0], 0.05);  // its radius
  EXPECT_FALSE(ball.joints[0].stops[1]);
  const Model slider = shipped("contact/slider_impacts");
  const Scene walls(slider);
  ASSERT_EQ(walls.drawings.size(), 4u);
  std::vector<float> numbers(static_cast<std::size_t>(walls.frame_size()));
  const Simulation run = simulated(slider);
  numbers = frame(walls, run, 0);
  for (const SceneDrawing& wall : walls.drawings) {
    EXPECT_TRUE(wall.fixed) << wall.name;
    const float *from = &numbers[static_cast<std::size_t>(wall.offset)], *to = from + 3;
    const bool top = wall.name.starts_with("top");
    EXPECT_NEAR(from[1], top ? 0.026 : -0.026, single) << wall.name;  // half its height and the clearance
    EXPECT_EQ(to[0] > from[0], top) << wall.name;                     // the ground is to the left
  }
  const Scene wishbone(shipped("machines/wishbone"));  // the plane is under the tyre about the hub
  ASSERT_EQ(wishbone.drawings.size(), 1u);
  numbers = frame(wishbone, simulated(shipped("machines/wishbone")), 0);
  EXPECT_NEAR(numbers[static_cast<std::size_t>(wishbone.drawings[0].offset) + 2], 0, single);
}

// A point of a body without a shape that comes to rest on a table, 0.7 m high.
TEST(Gaps, ArePlanesAtAnyHeight) {
  const Model model = read_model_text(R"(armature: 1
name: weight
gravity: [0, 0, -9.81]
bodies:
  weight: {mass: 1, points: {foot: [0, 0, -0.1]}}
joints:
  z: {type: prismatic, axis: z, between: [ground, weight]}
forces:
  table: {type: contact, gap: weight.foot.z - 0.7, restitution: 0}
start: {keep: {z: 1}}
)");
  const Scene scene(model);
  ASSERT_EQ(scene.drawings.size(), 1u);
  const std::vector<float> numbers = frame(scene, simulated(model), 0);
  EXPECT_NEAR(numbers[static_cast<std::size_t>(scene.drawings[0].offset) + 2], 0.7, single);
}

TEST(Surfaces, OfBodiesWithoutAShape) {
  const Scene lever(shipped("contact/slotted_lever"));
  ASSERT_EQ(body_of(lever, "crank").touched.size(), 1u);
  EXPECT_DOUBLE_EQ(body_of(lever, "crank").touched[0][0], 0.1);
  const Scene cam(shipped("contact/cam_roller"));
  ASSERT_EQ(cam.profiles.size(), 1u);
  EXPECT_NEAR(std::hypot(cam.profiles[0].outline[24][0], cam.profiles[0].outline[24][1]), 0.03,
              1e-9);                                                          // upwards, where the roller is
  EXPECT_EQ(Scene(shipped("contact/chaplygin_sleigh")).drawings.size(), 1u);  // its blade
}

// Shafts come out of the shapes that they go through, and of no others.
TEST(Scene, KnowsHowLongShaftsAre) {
  const auto shaft = [](const std::string& model, const std::string& joint) {
    const Scene scene(shipped(model));
    return std::ranges::find(scene.joints, joint, &SceneJoint::name)->shaft;
  };
  EXPECT_NEAR(shaft("elements/clutch", "a")[1], 0.025, 1e-12);
  EXPECT_NEAR(shaft("machines/wheelset", "yaw")[0], 0.08, 1e-12);  // the axle, not the wheels
  EXPECT_NEAR(shaft("elements/worm", "b")[0], 0.015, 1e-12);
  EXPECT_EQ(shaft("rrr", "theta1")[0], 0);
}

TEST(Profiles, OfAFlatFollowerIsItsEnvelope) {
  for (const char* name : {"elements/cam", "elements/cam_contact"}) {
    const Scene scene(shipped(name));
    ASSERT_EQ(scene.profiles.size(), 1u) << name;
    const SceneProfile& cam = scene.profiles[0];
    EXPECT_EQ(cam.kind, "cam");
    EXPECT_EQ(scene.bodies[static_cast<std::size_t>(cam.body)].name, "disc");
    for (const Triple& at : cam.outline)
      EXPECT_NEAR(std::hypot(at[0], at[1] + 0.01), 0.05, 1e-9) << name;  // by differences of 1e-4 rad
  }
}

std::string cam_of(const std::string& follower, const std::string& joint, const std::string& zero) {
  return "armature: 1\nname: cam\nplane: xy\ngravity: [0, 0, 0]\nbodies:\n  disc: {mass: 1, inertia: {zz: 1}}\n  "
         "follower: " +
         follower + "\njoints:\n  turn: {type: revolute, between: [ground, disc]}\n  lift: " + joint +
         "\nconstraints:\n  rise: {type: prescribed, zero: " + zero + "}\n";
}

// A roller of radius 0.1 whose center stays 1 m from the axis rolls on a circle of 0.9 m; an edge scrapes one of 1 m.
TEST(Profiles, OfRollersAndEdges) {
  const std::string slide = "{type: prismatic, axis: y, between: [\"ground [0, 1, 0]\", follower]}";
  const Scene roller(read_model_text(
      cam_of("{mass: 1, shape: {cylinder: {radius: 0.1, length: 0.1, axis: z}}}", slide, "lift - 0.2*sin(turn)^2")));
  const Scene edge(read_model_text(cam_of("{mass: 1}", slide, "lift - 0.2*sin(turn)^2")));
  ASSERT_EQ(roller.profiles.size(), 1u);
  ASSERT_EQ(edge.profiles.size(), 1u);
  for (std::size_t k = 0; k < edge.profiles[0].outline.size(); ++k) {
    const Triple &path = edge.profiles[0].outline[k], &cam = roller.profiles[0].outline[k];
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / 180,
                 r = 1 + 0.2 * std::pow(std::sin(angle), 2);
    EXPECT_NEAR(path[0], r * std::sin(angle), 1e-12);  // turned back by the angle
    EXPECT_NEAR(path[1], r * std::cos(angle), 1e-12);
    EXPECT_NEAR(std::hypot(cam[0] - path[0], cam[1] - path[1]), 0.1, 1e-12);
    EXPECT_LT(std::hypot(cam[0], cam[1]), r);
  }
}

// A lever that swings about (2, 0) touches with its point; at rest it is 1 m from the axis.
TEST(Profiles, OfALever) {
  const Scene scene(read_model_text(cam_of("{mass: 1, inertia: {zz: 1}, points: {tip: [-1, 0, 0]}}",
                                           "{type: revolute, between: [\"ground [2, 0, 0]\", follower]}",
                                           "lift - 0.1*(1 - cos(turn))")));
  ASSERT_EQ(scene.profiles.size(), 1u);
  const auto& outline = scene.profiles[0].outline;
  EXPECT_NEAR(std::hypot(outline[0][0], outline[0][1]), 1, 1e-12);
  const double swing = 0.2;  // half a turn later
  EXPECT_NEAR(outline[90][0], -(2 - std::cos(swing)), 1e-12);
  EXPECT_NEAR(outline[90][1], std::sin(swing), 1e-12);
}

// Four slots from the rim to where the pin comes nearest, a hollow between each two, the pin where the law puts it.
TEST(Profiles, OfAGenevaDrive) {
  const Scene scene(shipped("elements/geneva"));
  ASSERT_EQ(scene.profiles.size(), 3u);
  const double C = 0.1, r = C * std::sin(std::numbers::pi / 4);
  const SceneProfile &wheel = scene.profiles[0], &pin = scene.profiles[2];
  EXPECT_EQ(wheel.kind, "geneva");
  double least = C, most = 0, middle_x = 0, middle_y = 0;
  for (const Triple& at : wheel.outline) {
    least = std::min(least, std::hypot(at[0], at[1])), most = std::max(most, std::hypot(at[0], at[1]));
    EXPECT_LE(std::hypot(at[0], at[1]), C * std::cos(std::numbers::pi / 4) + 1e-12);
  }
  EXPECT_NEAR(most, C * std::cos(std::numbers::pi / 4), 1e-9);
  EXPECT_NEAR(least, C - r - 0.09 * r, 1e-9);  // the pin has a radius of 0.09 r
  for (const Triple& at : pin.outline) middle_x += at[0] / 180, middle_y += at[1] / 180;
  EXPECT_EQ(pin.kind, "pin");
  EXPECT_NEAR(middle_x, r,
              1e-3 * r);  // the model's own point; the middle of the motion is found to a tenth of a degree
  EXPECT_NEAR(middle_y, 0, 2e-3 * r);
}

// Proportion, time, three joints: none of these is a cam.
TEST(Profiles, AreOfCamsAlone) {
  for (const char* name :
       {"elements/gear_pair", "elements/planetary", "elements/rack", "slider_crank", "elements/rope"})
    EXPECT_TRUE(Scene(shipped(name)).profiles.empty()) << name;
}

}  // namespace
}  // namespace armature::internal
