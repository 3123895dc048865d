// The sources in an archive build the binary of the archive, with nothing but what sources/CMakeLists.txt names.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "fmi/host.hpp"

namespace armature::internal {
namespace {

constexpr const char* pushed_pendulum = R"(
armature: 1
name: pendulum
gravity: [0, -9.81, 0]
plane: xy
inputs: {u: {unit: N*m, default: 1}}
bodies: {bob: {mass: 1 kg, center: [1 m, 0, 0], inertia: {zz: 0.1 kg*m^2}}}
joints: {hinge: {type: revolute, axis: z, between: [ground, bob], friction: 0.2 N*m}}
forces: {push: {type: effort, on: hinge, is: u}}
)";

double angle_after_a_second(const UnpackedFmu& fmu) {
  Instance3 one(fmu, Instance3::Kind::co_simulation);
  one.initialize();
  for (int k = 0; k < 10; ++k) EXPECT_EQ(one.step(0.1 * k, 0.1).status, fmi3OK) << one.logged;
  return one.get("hinge");
}

TEST(FmuSources, BuildABinaryWithTheSameNumbers) {
  const UnpackedFmu fmu(pushed_pendulum, FmiVersion::fmi3);
  const std::filesystem::path sources = fmu.folder() / "sources", build = fmu.folder() / "build";
  ASSERT_TRUE(std::filesystem::is_regular_file(sources / "CMakeLists.txt"));
  const auto run = [](const std::string& command) { return std::system(command.c_str()); };
  // without optimization: it is compiled sooner, and has the same bits
  ASSERT_EQ(run(fmt::format("cmake -G Ninja -S '{}' -B '{}' -DMODEL_IDENTIFIER=machine -DCMAKE_BUILD_TYPE=Debug "
                            "-DCMAKE_CXX_FLAGS_DEBUG=-O0 > /dev/null",
                            sources.string(), build.string())),
            0);
  ASSERT_EQ(run(fmt::format("cmake --build '{}' --parallel 2 > /dev/null", build.string())), 0);
  const double angle = angle_after_a_second(fmu);
  const UnpackedFmu rebuilt(pushed_pendulum, FmiVersion::fmi3, {}, build / "machine.so");
  EXPECT_EQ(angle_after_a_second(rebuilt), angle);
}

}  // namespace
}  // namespace armature::internal
