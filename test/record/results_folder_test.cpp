#include "record/results_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "record/record_error.hpp"
#include "temporary_folder.hpp"

namespace armature {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string read(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void publish_result(const fs::path& folder, const std::string& text) {
  ResultsFolder results(folder);
  write(results.partial() / "run.json", text);
  results.publish();
}

TEST(ResultsFolder, AppearsWhenItIsPublished) {
  TemporaryFolder folder;
  ResultsFolder results(folder / "a/b/");
  write(results.partial() / "run.json", "new");
  EXPECT_FALSE(fs::exists(folder / "a/b"));
  results.publish();
  EXPECT_EQ(read(folder / "a/b/run.json"), "new");
  EXPECT_FALSE(fs::exists(folder / "a/b.partial"));
}

TEST(ResultsFolder, KeepsTheOldResultUntilTheNewOneIsWhole) {
  TemporaryFolder folder;
  publish_result(folder / "a", "old");
  write(folder / "a/extra.csv", "");

  ResultsFolder results(folder / "a");
  write(results.partial() / "run.json", "new");
  EXPECT_EQ(read(folder / "a/run.json"), "old");
  results.publish();
  EXPECT_EQ(read(folder / "a/run.json"), "new");
  EXPECT_TRUE(fs::exists(folder / "a/extra.csv"));  // not one of ours
  EXPECT_FALSE(fs::exists(folder / "a.partial"));
}

TEST(ResultsFolder, RefusesToReplaceWhatIsNotAResult) {
  TemporaryFolder folder;
  fs::create_directory(folder / "photos");
  write(folder / "photos/one.jpg", "");
  EXPECT_THROW(ResultsFolder(folder / "photos"), RecordError);
  write(folder / "file", "");
  EXPECT_THROW(ResultsFolder(folder / "file"), RecordError);
  EXPECT_TRUE(fs::exists(folder / "photos/one.jpg"));
}

// A gallery takes a minute: a run that names its folder by mistake must not wipe it out.
TEST(ResultsFolder, RefusesToReplaceAResultOfAnotherKind) {
  TemporaryFolder folder;
  {
    ResultsFolder gallery(folder / "g", ResultKind::gallery);
    write(gallery.partial() / "index.html", "page");
    write(gallery.partial() / "result.json", "{}");
    gallery.publish();
  }
  for (const ResultKind kind : {ResultKind::run, ResultKind::study, ResultKind::modes})
    EXPECT_THROW(ResultsFolder(folder / "g", kind), RecordError);
  EXPECT_EQ(read(folder / "g/index.html"), "page");
  EXPECT_FALSE(fs::exists(folder / "g.partial"));
  EXPECT_NO_THROW(ResultsFolder(folder / "g", ResultKind::gallery));
  {
    ResultsFolder run(folder / "r");
    write(run.partial() / "run.json", "{}");
    run.publish();
  }
  write(folder / "r/index.html", "of the user");  // is no gallery
  EXPECT_NO_THROW(ResultsFolder(folder / "r", ResultKind::run));
  try {
    ResultsFolder(folder / "r", ResultKind::tuning);
    FAIL();
  } catch (const RecordError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("holds a run, which this would replace; name another folder"));
  }
}

TEST(ResultsFolder, KeepsWhatTheUserHasPutThere) {
  TemporaryFolder folder;
  const auto publish = [&](const std::string& name) {
    ResultsFolder results(folder / "r");
    std::ofstream(results.partial() / name) << name;
    std::ofstream(results.partial() / "run.json") << "{}";
    results.publish();
  };
  publish("old.csv");
  std::ofstream(folder / "r/notes.txt") << "mine";
  std::filesystem::create_directory(folder / "r/pictures");
  std::ofstream(folder / "r/pictures/one.svg") << "<svg/>";
  publish("new.csv");
  publish("new.csv");
  EXPECT_FALSE(std::filesystem::exists(folder / "r/old.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder / "r/new.csv"));
  std::string text;
  std::getline(std::ifstream(folder / "r/notes.txt"), text);
  EXPECT_EQ(text, "mine");
  EXPECT_TRUE(std::filesystem::exists(folder / "r/pictures/one.svg"));
  EXPECT_FALSE(std::filesystem::exists(folder / "r.partial"));
}

TEST(ResultsFolder, IsWrittenByOneRunAtATime) {
  TemporaryFolder folder;
  ResultsFolder first(folder / "a");
  write(first.partial() / "run.json", "first");
  EXPECT_THROW(ResultsFolder(folder / "a"), RecordError);
  EXPECT_EQ(read(first.partial() / "run.json"), "first");
}

TEST(ResultsFolder, TakesOverWhatAKilledRunLeft) {
  TemporaryFolder folder;
  fs::create_directory(folder / "a.partial");
  write(folder / "a.partial/trajectory.csv", "t [s]\n0\n");
  publish_result(folder / "a", "new");
  EXPECT_EQ(read(folder / "a/run.json"), "new");
  EXPECT_FALSE(fs::exists(folder / "a/trajectory.csv"));
}

TEST(FolderName, HasNoSpacesOrSlashes) {
  EXPECT_EQ(folder_name("planar 3RRR robot"), "planar_3RRR_robot");
  EXPECT_EQ(folder_name("../up"), "run.._up");
  EXPECT_EQ(folder_name(""), "run");
}

}  // namespace
}  // namespace armature
