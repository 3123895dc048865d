#include "record/csv_recorder.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>
#include <utility>

#include "record/record_error.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(CsvRecorder, NamesItsColumnsWithTheirUnits) {
  TemporaryFolder folder;
  CsvRecorder recorder(folder / "a.csv");
  recorder.begin({{"t", "s"}, {"rank", ""}, {"max(a, b)", "m"}, {"the \"x\"", ""}});
  recorder.close();
  EXPECT_THAT(lines_of(folder / "a.csv"), testing::ElementsAre("t [s],rank,\"max(a, b) [m]\",\"the \"\"x\"\"\""));
}

TEST(CsvRecorder, WritesDigitsThatReadBackAsTheSameDouble) {
  const std::vector<double> values = {0.1,           1.0 / 3, -std::acos(-1), 1e-300,
                                      6.02214076e23, 5e-324,  -0.0,           std::numeric_limits<double>::max()};
  TemporaryFolder folder;
  CsvRecorder recorder(folder / "a.csv");
  recorder.begin(std::vector<Channel>(values.size(), Channel{"x", ""}));
  recorder.row(values);
  recorder.close();

  std::stringstream row(lines_of(folder / "a.csv").at(1));
  for (double value : values) {
    std::string field;
    ASSERT_TRUE(std::getline(row, field, ','));
    const double read = std::strtod(field.c_str(), nullptr);
    EXPECT_EQ(read, value) << field;
    EXPECT_EQ(std::signbit(read), std::signbit(value));
  }
}

TEST(CsvRecorder, HandsOverWholeRowsOnlyWhileItRuns) {
  TemporaryFolder folder;
  CsvRecorder recorder(folder / "a.csv");
  recorder.begin({{"t", "s"}, {"x", "m"}});
  for (int i = 0; i < 10000; ++i) recorder.row(std::vector<double>{i / 3.0, 1.0 / (i + 1)});  // more than one hand-over

  std::uintmax_t before = 0, size = 0;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    before = std::exchange(size, std::filesystem::file_size(folder / "a.csv"));
  } while (size < 100000 || size != before);
  std::ifstream in(folder / "a.csv");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(text.back(), '\n');
}

TEST(CsvRecorder, KeepsEveryRowInOrder) {
  TemporaryFolder folder;
  CsvRecorder recorder(folder / "a.csv");
  recorder.begin({{"t", "s"}, {"x", "m"}, {"y", "m"}});
  constexpr int count = 100000;  // about twenty hand-overs
  for (int i = 0; i < count; ++i) recorder.row(std::vector<double>{1.0 * i, -1.0 * i, 0.5});
  recorder.close();
  const std::vector<std::string> lines = lines_of(folder / "a.csv");
  ASSERT_EQ(lines.size(), count + 1u);
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(lines[i + 1u], fmt::format("{},{},0.5", i, i == 0 ? "-0" : std::to_string(-i)));
}

TEST(CsvRecorder, SaysWhyItCannotWrite) {
  TemporaryFolder folder;
  try {
    CsvRecorder recorder(folder / "none/a.csv");
    FAIL();
  } catch (const RecordError& error) {
    EXPECT_THAT(error.what(), testing::EndsWith("none/a.csv: cannot be written: No such file or directory"));
  }
}

TEST(CsvRecorder, SaysThatTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full, a device that is always full";
  CsvRecorder recorder("/dev/full");
  EXPECT_THROW(recorder.begin({{"t", "s"}}), RecordError);
}

// A limit on the size of files stands for a disk that fills up while a run goes on.
TEST(CsvRecorder, EndsTheRunWhenTheDiskIsFull) {
  TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 16, 1 << 16};
    setrlimit(RLIMIT_FSIZE, &limit);
    CsvRecorder recorder(folder / "a.csv");
    recorder.begin({{"t", "s"}});
    try {
      for (int i = 0; i < 1000000; ++i) recorder.row(std::vector<double>{1.0 / i});
    } catch (const RecordError&) {
      _exit(0);
    }
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace armature::internal
