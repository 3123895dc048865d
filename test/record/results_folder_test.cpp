#include "record/results_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "record/record_error.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
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
    EXPECT_THAT(error.what(), testing::HasSubstr("holds a run, which this would replace; give another folder"));
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
  {
    ResultsFolder killed(folder / "a");
    write(killed.partial() / "trajectory.csv", "t [s]\n0\n");
  }
  ASSERT_TRUE(fs::exists(folder / "a.partial/trajectory.csv"));
  publish_result(folder / "a", "new");
  EXPECT_EQ(read(folder / "a/run.json"), "new");
  EXPECT_FALSE(fs::exists(folder / "a/trajectory.csv"));
}

// A name that Armature would give its own file proves nothing.
TEST(ResultsFolder, RefusesAFolderWithoutAListWhateverLiesInIt) {
  TemporaryFolder folder;
  fs::create_directory(folder / "p");
  write(folder / "p/run.json", "{}");
  write(folder / "p/thesis.tex", "mine");
  EXPECT_THROW(ResultsFolder(folder / "p"), RecordError);
  EXPECT_EQ(read(folder / "p/thesis.tex"), "mine");
  EXPECT_FALSE(fs::exists(folder / "p.partial"));
}

TEST(ResultsFolder, RefusesToWriteIntoAPartialFolderOfTheUser) {
  TemporaryFolder folder;
  fs::create_directory(folder / "a.partial");
  write(folder / "a.partial/draft.txt", "mine");
  for (const Abandoned abandoned : {Abandoned::drop, Abandoned::keep})
    EXPECT_THROW(ResultsFolder(folder / "a", ResultKind::run, abandoned), RecordError);
  EXPECT_EQ(read(folder / "a.partial/draft.txt"), "mine");
}

TEST(ResultsFolder, KeepsWhatTheUserHasPutBesideFilesOfASubfolder) {
  TemporaryFolder folder;
  const auto publish = [&] {
    ResultsFolder results(folder / "g");
    fs::create_directory(results.partial() / "figures");
    write(results.partial() / "figures/one.svg", "ours");
    write(results.partial() / "run.json", "{}");
    results.publish();
  };
  publish();
  write(folder / "g/figures/notes.txt", "mine");
  fs::create_directory(folder / "g/empty");
  publish();
  EXPECT_EQ(read(folder / "g/figures/notes.txt"), "mine");
  EXPECT_EQ(read(folder / "g/figures/one.svg"), "ours");
  EXPECT_TRUE(fs::is_directory(folder / "g/empty"));
}

TEST(ResultsFolder, RefusesToCoverAFileOfTheUser) {
  TemporaryFolder folder;
  publish_result(folder / "a", "old");
  write(folder / "a/report.html", "mine");
  ResultsFolder results(folder / "a");
  write(results.partial() / "run.json", "new");
  write(results.partial() / "report.html", "ours");
  EXPECT_THROW(results.publish(), RecordError);
  EXPECT_EQ(read(folder / "a/report.html"), "mine");
  EXPECT_EQ(read(folder / "a/run.json"), "old");
  EXPECT_EQ(read(folder / "a.partial/run.json"), "new");
}

void publish_ended(const fs::path& folder, const std::string& text, Ending ending) {
  ResultsFolder results(folder);
  write(results.partial() / "run.json", text);
  results.publish(ending);
}

TEST(ResultsFolder, KeepsAFinishedResultWhenARunFailsOrIsStopped) {
  TemporaryFolder folder;
  publish_ended(folder / "a", "first failure", Ending::failed);
  EXPECT_EQ(read(folder / "a/run.json"), "first failure");  // there was nothing to be kept
  publish_ended(folder / "a", "stopped", Ending::stopped);
  EXPECT_EQ(read(folder / "a/run.json"), "stopped");
  publish_ended(folder / "a", "finished", Ending::finished);
  EXPECT_EQ(read(folder / "a/run.json"), "finished");
  publish_ended(folder / "a", "second failure", Ending::failed);
  publish_ended(folder / "a", "stopped again", Ending::stopped);
  EXPECT_EQ(read(folder / "a/run.json"), "finished");
  EXPECT_EQ(read(folder / "a.failed/run.json"), "second failure");
  EXPECT_EQ(read(folder / "a.stopped/run.json"), "stopped again");
  publish_ended(folder / "a", "third failure", Ending::failed);
  EXPECT_EQ(read(folder / "a.failed/run.json"), "third failure");
}

TEST(ResultsFolder, FollowsALink) {
  TemporaryFolder folder;
  publish_result(folder / "a", "old");
  fs::create_directory_symlink(folder / "a", folder / "link");
  publish_result(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read(folder / "a/run.json"), "new");
}

TEST(FolderName, HasNoSpacesOrSlashes) {
  EXPECT_EQ(folder_name("planar 3RRR robot"), "planar_3RRR_robot");
  EXPECT_EQ(folder_name("../up"), "run.._up");
  EXPECT_EQ(folder_name(""), "run");
}

}  // namespace
}  // namespace armature::internal
