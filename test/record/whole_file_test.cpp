#include "record/whole_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "record/record_error.hpp"
#include "record/write_text.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

int files_in(const fs::path& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(WholeFile, TakesThePlaceOfTheOldOne) {
  TemporaryFolder folder;
  write_text(folder / "a", "old");
  chmod((folder / "a").c_str(), 0640);
  fs::create_symlink("a", folder / "link");
  WholeFile file(folder / "link");
  file.write("new");
  EXPECT_EQ(read_bytes(folder / "a"), "old");
  file.put_in_place();
  EXPECT_EQ(read_bytes(folder / "a"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(fs::status(folder / "a").permissions(), fs::perms(0640));
  EXPECT_EQ(files_in(folder.path()), 2);
}

// A limit on the size of files stands for a full disk.
TEST(WholeFile, LeavesTheOldOneWhereTheDiskIsFull) {
  TemporaryFolder folder;
  write_text(folder / "a", "old");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      WholeFile file(folder / "a");
      file.write(std::string(2000, 'x'));
      file.put_in_place();
    } catch (const RecordError&) {
      _exit(0);
    }
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(read_bytes(folder / "a"), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(WholeFile, WritesToADevice) {
  WholeFile file("/dev/null");
  file.write("text");
  file.put_in_place();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace armature::internal
