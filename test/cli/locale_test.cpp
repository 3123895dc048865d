// Whatever locale the host has set, every file and every line is the same: 0.5 is written 0.5, and 1000 without a separator.
#include <gmock/gmock.h>

#include <regex>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

class Locale : public Program {
 protected:
  // A locale with a decimal comma, compiled into the test's own folder.
  void SetUp() override {
    ASSERT_EQ(shell("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8").code, 0) << read("err");
    write("pendulum.yaml", pendulum);
    fs::copy(std::string(source_directory) + "/models/robots", folder / "robots", fs::copy_options::recursive);
  }

  Answer abroad(const std::string& arguments) {
    return shell("LOCPATH=\"$PWD\" LC_ALL=de_DE.UTF-8 LD_PRELOAD=" HOST_LOCALE " " + std::string(program_path) + " " +
                 arguments);
  }

  std::map<std::string, std::string> files_in(const std::string& place) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder / place))
      if (entry.is_regular_file())
        files[fs::relative(entry.path(), folder / place).string()] =
            read(fs::relative(entry.path(), folder.path()).string());
    return files;
  }

  // Both into a folder of the same name, so that what they say of it agrees.
  void expect_the_same(const std::string& line) {
    for (const bool is_abroad : {false, true}) {
      fs::remove_all(folder / "made");
      fs::create_directory(folder / "made");
      const Answer answer = is_abroad ? abroad(line) : armature(line);
      ASSERT_EQ(answer.code, 0) << line << answer.err;
      auto files = files_in("made");
      files["stdout"] = answer.out, files["stderr"] = answer.err;
      if (!is_abroad) {
        home_ = files;
        continue;
      }
      ASSERT_EQ(files.size(), home_.size()) << line;
      for (const auto& [name, text] : files)
        EXPECT_TRUE(without_times(text) == without_times(home_[name])) << line << ": " << name << " differs";
    }
  }

  // Seconds that a computation took
  static std::string without_times(const std::string& text) {
    static const std::regex times(R"re(("(seconds|wall_seconds|cpu_seconds|elapsed)": )[-+.e0-9]+|in [0-9.]+ m?s)re");
    return std::regex_replace(text, times, "$1");
  }

 private:
  std::map<std::string, std::string> home_;
};

TEST_F(Locale, OfTheHostChangesNoByteOfAnyVerb) {
  const std::string models = std::string(source_directory) + "/models/";
  for (const std::string& line : std::vector<std::string>{
           "run " + models + "crane.yaml --set simulate.end='0.1 s' --no-report -o made/r",
           "run " + models + "elements/solid.yaml --set simulate.end='0.02 s' --no-report -o made/r",
           "check " + models + "rrr.yaml", "assemble " + models + "four_bar.yaml",
           "equations " + models + "crane.yaml --format c", "export " + models + "crane.yaml --c -o made/crane.c",
           "export " + models + "four_bar.yaml --urdf -o made/a.urdf",
           "export " + models + "four_bar.yaml --sdf -o made/a.sdf",
           "export " + models + "four_bar.yaml --mjcf -o made/a.xml", "import robots/leg.urdf -o made/leg.yaml",
           "import robots/delta.sdf -o made/delta.yaml", "import robots/five_bar.xml -o made/five_bar.yaml",
           std::string("sweep pendulum.yaml --over length=0.5:1.5:3 --result 'top=max(theta)' -o made/s"),
           std::string("map pendulum.yaml --over length=0.5:1.5:3 --classify 'low: max(theta) < 0.5; high' -o made/m"),
           std::string("optimize pendulum.yaml --over length=0.5:1.5 --minimize '(final(theta)-1.5)^2' --evaluations 5 "
                       "-o made/o"),
           std::string("modes pendulum.yaml -o made/modes"), "draw " + models + "four_bar.yaml -o made/d.svg",
           std::string("gallery --list")})
    expect_the_same(line);
}

TEST_F(Locale, OfTheHostChangesNoIdentifiedModel) {
  ASSERT_EQ(armature("run pendulum.yaml --set length='0.65 m' -o record --no-report").code, 0);
  expect_the_same("identify pendulum.yaml record/trajectory.csv --fit length=0.5:2 --use theta -o made/i");
}

// What reads or writes numbers by the locale has no place in the sources.
TEST(Sources, ReadAndWriteNumbersWithoutTheLocale) {
  const std::regex forbidden(
      R"re(\b(stod|stof|stold|strtod|strtof|strtold|atof|sscanf|setlocale)\b|std::o?stringstream|"[^"]*\{:[^}"]*[aAL]\})re");

  const std::regex harmless(R"re(// words only)re");
  for (const char* const room : {"src", "apps", "python/src", "viewer/kernel", "include"}) {
    for (const auto& entry : fs::recursive_directory_iterator(std::string(source_directory) + "/" + room)) {
      if (!std::regex_match(entry.path().extension().string(), std::regex(R"(\.(cpp|hpp|h))"))) continue;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        EXPECT_FALSE(std::regex_search(line, forbidden) && !std::regex_search(line, harmless))
            << entry.path().string() << ":" << number << ": " << line;
      }
    }
  }
}

}  // namespace
}  // namespace armature::internal
