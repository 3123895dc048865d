// Studies where the HDF5 library cannot be loaded: complete, without results.h5, and with a note.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

class WithoutHdf5 : public Program {
 protected:
  // The loader finds a file of the library's name that is no library.
  WithoutHdf5() {
    std::filesystem::create_directory(folder / "libraries");
    write("libraries/" ARMATURE_HDF5_LIBRARY, "not a library");
    write("pendulum.yaml", pendulum);
  }

  Answer without_hdf5(const std::string& arguments) {
    return shell("LD_LIBRARY_PATH='" + (folder / "libraries").string() + "' " + program_path + " " + arguments);
  }
};

TEST_F(WithoutHdf5, EveryVerbThatWritesItEndsWithACompleteResult) {
  const std::string models = std::string(source_directory) + "/models";
  const std::pair<const char*, std::string> verbs[] = {
      {"cells.csv", "sweep pendulum.yaml --over length=1:2:2 --result 'top=max(theta)'"},
      {"borders.csv", "map pendulum.yaml --over length=1:2:2 --classify 'low: max(theta) < 0; high'"},
      {"cells.csv", "optimize pendulum.yaml --over length=1:2 --minimize 'max(theta)' --evaluations 4"},
      {"modes.csv", "modes pendulum.yaml"},
      {"motion.csv", "singularities " + models + "/slider_crank_equal.yaml --end 0.1 --moves slide"},
      {"map.csv", "singularities " + models + "/slider_crank.yaml --over crank=0:1:3"},
      {"tune.csv",
       "tune " + models + "/arm_on_circle.yaml --integrator euler --step 0.1 --end 0.1 --alpha 2:20:2 --beta 2:20:2"}};
  int studies = 0;
  for (const auto& [file, line] : verbs) {
    const std::string place = "study" + std::to_string(++studies);
    const Answer answer = without_hdf5(line + " --no-report -o " + place);
    EXPECT_EQ(answer.code, 0) << line << answer.err;
    EXPECT_TRUE(exists(place + "/" + file)) << line;
    EXPECT_FALSE(exists(place + "/results.h5") || exists(place + ".partial")) << line;
    EXPECT_THAT(answer.out, HasSubstr("note: results.h5 is left out; the HDF5 library could not be loaded")) << line;
  }
}

TEST_F(WithoutHdf5, QuietAndJsonAreSilentOfIt) {
  const std::string sweep = "sweep pendulum.yaml --over length=1:2:2 --result 'top=max(theta)' -o s";
  EXPECT_THAT(without_hdf5(sweep + " --quiet").out, Not(HasSubstr("results.h5")));
  EXPECT_EQ(nlohmann::json::parse(without_hdf5(sweep + " --json").out)["statistics"]["top"]["count"], 2);
}

TEST_F(WithoutHdf5, TheDoctorTellsWhatIsMissing) {
  EXPECT_THAT(without_hdf5("doctor").out, HasSubstr("not found, studies leave out results.h5"));
  EXPECT_THAT(armature("doctor").out, HasSubstr("found"));
}

}  // namespace
}  // namespace armature::internal
