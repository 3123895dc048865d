// Angles of cut joints in space, which are no sums of coordinates, under the verbs. The same machine with another joint cut has
// such an angle among its coordinates, and must give the same numbers.
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

class CutAngles : public Program {
 protected:
  // Two shafts behind one, each over a universal joint, with springs on their bearings.
  void SetUp() override {
    Program::SetUp();
    for (const bool bearings : {true, false}) {
      const std::string joint = bearings ? "false" : "true", bearing = bearings ? "true" : "false";
      write(bearings ? "cut.yaml" : "tree.yaml", R"(armature: 1
gravity: [0, 0, 0]
parameters: {beta: 30 deg}
bodies:
  input: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  output: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  output2: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  first: {type: revolute, axis: x, between: [ground, input]}
  cardan: {type: universal, axes: [z, [-sin(beta), cos(beta), 0]], between: [input, output], cut: )" +
                                                     joint + R"(}
  second: {type: revolute, axis: [cos(beta), sin(beta), 0], between: [ground, output], cut: )" +
                                                     bearing + R"(}
  cardan2: {type: universal, axes: [z, [-sin(beta), cos(beta), 0]], between: [input, output2], cut: )" +
                                                     joint + R"(}
  third: {type: revolute, axis: [cos(beta), sin(beta), 0], between: [ground, output2], cut: )" +
                                                     bearing + R"(}
forces:
  s: {type: torsion_spring, on: second, stiffness: 1}
  s2: {type: torsion_spring, on: third, stiffness: 0.5}
record: {quantities: {twice: 2*second}}
inverse: {motion: {first: 25*t}, actuators: [first]}
start: {keep: {first: 0}, near: {second: 0, third: 4*pi}}
simulate: {end: 2, record: 0.05, rtol: 1e-9}
)");
    }
  }
  std::vector<double> column(const std::string& file, const std::string& name) {
    std::istringstream header(read(file).substr(0, read(file).find('\n')));
    std::size_t place = 0;
    std::string channel;
    for (; std::getline(header, channel, ','); ++place)
      if (channel == name || channel.starts_with(name + " ")) break;
    std::vector<double> values;
    for (const std::vector<double>& row : rows(file))
      if (place < row.size()) values.push_back(row[place]);
    return values;
  }
  double largest_difference(const std::string& a, const std::string& b, const std::string& name) {
    const std::vector<double> x = column(a, name), y = column(b, name);
    EXPECT_EQ(x.size(), y.size());
    EXPECT_GT(x.size(), 10u);
    double largest = 0;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
    return largest;
  }
};

TEST_F(CutAngles, InverseCountsTheirTurns) {
  for (const char* model : {"cut", "tree"})
    ASSERT_EQ(armature(std::string("inverse ") + model + ".yaml -o " + model).code, 0) << model;
  EXPECT_LT(largest_difference("cut/trajectory.csv", "tree/trajectory.csv", "effort.first"), 1e-5);
}

TEST_F(CutAngles, KinematicsRecordsThem) {
  for (const char* model : {"cut", "tree"})
    ASSERT_EQ(armature(std::string("kinematics ") + model + ".yaml --move first=25*t -o " + model).code, 0) << model;
  for (const char* name : {"second", "third", "twice", "second'"})
    EXPECT_LT(largest_difference("cut/trajectory.csv", "tree/trajectory.csv", name), 1e-6) << name;
}

TEST_F(CutAngles, ReferencesStayInside) {
  ASSERT_EQ(armature("run cut.yaml --set start.speed.first=20 -o r --no-report").code, 0);
  EXPECT_THAT(read("r/run.json"), Not(HasSubstr("reference of")));
  EXPECT_THAT(armature("assemble cut.yaml").out, Not(HasSubstr("reference of")));
  const Answer more = armature("run cut.yaml --from r --end 4 -o more --no-report");
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_NEAR(column("more/trajectory.csv", "third").front(), column("r/trajectory.csv", "third").back(), 1e-12);
}

TEST_F(CutAngles, TuneIsTheSameInLanes) {
  for (const char* lanes : {"1", "8"})
    ASSERT_EQ(armature(std::string("tune cut.yaml --integrator rk4 --step 0.01 --alpha 1:20:4 --beta 1:20:3 --end 1 "
                                   "--set start.speed.first=20 --lanes ") +
                       lanes + " -o lanes" + lanes)
                  .code,
              0);
  EXPECT_EQ(read("lanes1/tune.csv"), read("lanes8/tune.csv"));
}

}  // namespace
}  // namespace armature::internal
