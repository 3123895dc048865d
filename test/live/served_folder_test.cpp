// What lies in the folder can be read and written, nothing else.
#include "live/served_folder.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

class Served : public testing::Test {
 protected:
  Served() {
    fs::create_directories(temporary / "in/sub");
    write("in/a.yaml", "text of a");
    write("in/sub/b.yml", "text of b");
    write("in/notes.txt", "notes");
    write("outside.yaml", "secret");
    fs::create_symlink(temporary / "outside.yaml", temporary / "in/link.yaml");
    fs::create_directory_symlink(temporary.path(), temporary / "in/up");
    folder.emplace(temporary / "in");
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(temporary / name) << text; }
  std::string read(const std::string& name) {
    std::ifstream in(temporary / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  int status_of(const std::string& name) {
    try {
      folder->read(name);
      return 200;
    } catch (const FolderError& error) {
      return error.status;
    }
  }

  std::string sentence_of(const std::string& name) {
    try {
      folder->read(name);
      return "";
    } catch (const FolderError& error) {
      return error.what();
    }
  }

  TemporaryFolder temporary;
  std::optional<ServedFolder> folder;
};

TEST_F(Served, ReadsModelFiles) {
  EXPECT_EQ(folder->read("a.yaml").text, "text of a");
  EXPECT_EQ(folder->read("sub/b.yml").text, "text of b");
}

TEST_F(Served, ListsItsFoldersNearestFirst) {
  write("in/z.yaml", "z"), write("in/sub/.hidden.yaml", "hidden");
  fs::create_directories(temporary / "in/.git");
  write("in/.git/c.yaml", "hidden");
  ASSERT_EQ(mkfifo((temporary / "in/pipe.yaml").c_str(), 0600), 0);
  EXPECT_THAT(folder->models().names, testing::ElementsAre("a.yaml", "z.yaml", "sub/b.yml"));
  EXPECT_TRUE(folder->models().complete);
  for (int k = 0; k < 5000; ++k) write("in/sub/" + std::to_string(k), "");
  EXPECT_FALSE(folder->models().complete);
  EXPECT_THAT(folder->models().names, testing::IsSupersetOf({"a.yaml", "z.yaml"}));
}

// To open a pipe would wait for somebody who writes into it.
TEST_F(Served, ReadsRegularFilesOnly) {
  ASSERT_EQ(mkfifo((temporary / "in/pipe.yaml").c_str(), 0600), 0);
  fs::create_directory(temporary / "in/folder.yaml");
  EXPECT_EQ(sentence_of("pipe.yaml"), "pipe.yaml: is a pipe, not a model file");
  EXPECT_EQ(sentence_of("folder.yaml"), "folder.yaml: is a folder, not a model file");
}

TEST_F(Served, SaysWhatIsWrongWithAName) {
  EXPECT_EQ(sentence_of("sub/../a.yaml"),
            "'sub/../a.yaml': '..' is not allowed; files outside the folder are not served");
  EXPECT_EQ(sentence_of("a\nb.yaml"), "the name of a file cannot contain control characters");
  EXPECT_EQ(sentence_of(""), "a file needs a name");
  try {
    folder->write("none/a.yaml", "x", "");
    FAIL();
  } catch (const FolderError& error) {
    EXPECT_EQ(error.status, 404);
    EXPECT_STREQ(error.what(), "none/a.yaml: there is no folder 'none'");
  }
  EXPECT_THROW(folder->write("a\x01.yaml", "x", ""), FolderError);
}

TEST_F(Served, RefusesWhatLiesOutside) {
  for (const std::string name : {"../outside.yaml", "sub/../../outside.yaml", "/etc/passwd", "link.yaml",
                                 "up/outside.yaml", "..", "", "sub\\..\\..\\outside.yaml"})
    EXPECT_EQ(status_of(name), 403) << name;
  EXPECT_EQ(status_of((temporary / "outside.yaml").string()), 403);
  EXPECT_EQ(status_of(std::string("a.yaml\0.yaml", 12)), 403);
  EXPECT_EQ(status_of("notes.txt"), 403);
  EXPECT_EQ(status_of("none.yaml"), 404);
}

TEST_F(Served, WritesWholeFilesInTheFolderOnly) {
  const auto file = folder->read("a.yaml");
  fs::permissions(temporary / "in/a.yaml", fs::perms::owner_read | fs::perms::owner_write);
  const std::string stamp = folder->write("a.yaml", "other", folder->stamp("a.yaml"));
  EXPECT_EQ(read("in/a.yaml"), "other");
  EXPECT_NE(stamp, file.stamp);
  EXPECT_EQ(fs::status(temporary / "in/a.yaml").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  folder->write("new.yaml", "new", "");
  EXPECT_EQ(read("in/new.yaml"), "new");
  EXPECT_THROW(folder->write("../outside.yaml", "x", ""), FolderError);
  EXPECT_THROW(folder->write("up/x.yaml", "x", ""), FolderError);
  EXPECT_THROW(folder->write("x.sh", "x", ""), FolderError);
  EXPECT_EQ(read("outside.yaml"), "secret");
  EXPECT_EQ(std::distance(fs::directory_iterator(temporary / "in"), {}), 6);  // nothing is left beside
}

TEST_F(Served, DoesNotWriteOverWhatHasChanged) {
  const std::string stamp = folder->stamp("a.yaml");
  write("in/a.yaml", "changed by another program");
  try {
    folder->write("a.yaml", "mine", stamp);
    FAIL();
  } catch (const FolderError& error) {
    EXPECT_EQ(error.status, 409);
  }
  EXPECT_THROW(folder->write("a.yaml", "mine", ""), FolderError);  // exists already
  EXPECT_EQ(read("in/a.yaml"), "changed by another program");
  const std::string known = folder->stamp("a.yaml");
  fs::remove(temporary / "in/a.yaml");
  EXPECT_EQ(folder->stamp("a.yaml"), "");
  try {
    folder->write("a.yaml", "mine", known);
    FAIL();
  } catch (const FolderError& error) {
    EXPECT_STREQ(error.what(), "a.yaml: is no longer there");
  }
}

}  // namespace
}  // namespace armature::internal
