// What is drawn is where the recording says: poses of bodies and points of beams against the recorded points.
#include "report/scene.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <fstream>

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

}  // namespace
}  // namespace armature::internal
