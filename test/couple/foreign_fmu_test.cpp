// FMUs that crash, end their process, print, never answer: sentences at the command line, and what was computed is kept.
#include "couple/foreign_fmu.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "couple/foreign_archive.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A disk that the FMU turns; it steps every 10 ms.
std::string disk(const std::string& more = "", const std::string& name = "f") {
  return "armature: 1\ngravity: [0, 0, 0]\nplane: xy\nparameters: {J: 0.1 kg*m^2}\n"
         "bodies: {disk: {mass: 1 kg, inertia: {zz: J}}}\n"
         "joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}\n"
         "forces: {drive: {type: effort, on: turn, is: 1 N*m - " +
         name + ".y*1 N*m}}\nfmus: {" + name + ": {file: f.fmu, step: 10 ms, connect: {u: turn}, set: {k: 2}" + more +
         "}}\nsimulate: {end: 0.1 s, record: 10 ms}\n";
}

struct Answer {
  int code = -1;
  std::string out, err;
};

// The program as its user runs it, in a folder of the test's own. The parameter: the version of FMI.
class ForeignFmus : public testing::TestWithParam<int> {
 protected:
  ForeignFmus() {
    ::setenv("ARMATURE_VERIFY", "0", 1);
    pack(foreign_files(GetParam()));
    write("m.yaml", disk());
    fs::create_directory(folder / "temporary");
  }
  void pack(const ZipFiles& files) { std::ofstream(folder / "f.fmu", std::ios::binary) << zip_of(files); }
  Answer shell(const std::string& command) {
    const std::string line = "cd '" + folder.path().string() + "' && { " + command + "; } >out 2>err";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::string read(const std::string& name) { return read_file(folder / name).value_or(""); }
  bool exists(const std::string& name) { return fs::exists(folder / name); }
  std::string surroundings(const std::string& deed) {
    const std::string here = "'" + folder.path().string();
    return "export XDG_STATE_HOME=" + here + "/state' TMPDIR=" + here + "/temporary'" +
           (deed.empty() ? "" : " FMU_DEED=" + deed) + "; ";
  }
  Answer run(const std::string& deed, const std::string& arguments = "run m.yaml --no-report --trust") {
    return shell(surroundings(deed) + "'" + std::string(program_path) + "' " + arguments);
  }
  // Recorded until the run ended, as the newest of its folders has them.
  long kept_rows(const std::string& name = "m") {
    const std::string text = read("results/" + name + "/trajectory.csv");
    return std::ranges::count(text, '\n') - 1;
  }
  // Processes that run in folders of this test, and those folders.
  void expect_nothing_left() {
    const std::string mark = (folder / "temporary").string();
    const auto count = [&] {
      long found = 0;
      for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream in(entry.path() / "cmdline");
        std::string line;  // one that ends meanwhile has none
        std::getline(in, line, '\n');
        found += line.starts_with("armature-fmu-host") && line.find(mark) != line.npos;
      }
      return found;
    };
    for (int k = 0; k < 500 && (count() > 0 || !fs::is_empty(mark)); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(count(), 0);
    EXPECT_TRUE(fs::is_empty(mark));
  }

  TemporaryFolder folder;
};

INSTANTIATE_TEST_SUITE_P(, ForeignFmus, testing::Values(2, 3),
                         [](const auto& info) { return "fmi" + std::to_string(info.param); });

struct Misdeed {
  std::string deed, sentence;
  long rows = 5;  // from 0 to 0.04 s, where the fifth step begins; 1: it does not come to a step
};

const std::string fifth_step = "step from t = 0.04 s to 0.05 s";

std::vector<Misdeed> misdeeds() {
  return {
      {"crash", "the FMU 'f' crashed (SIGSEGV, segmentation fault): it was to " + fifth_step},
      {"abort", "the FMU 'f' crashed (SIGABRT, aborted): it was to " + fifth_step +
                    "; it printed: assertion failed: pressure > 0"},
      {"exit", "the FMU 'f' ended its process with exit code 0: it was to " + fifth_step},
      {"exit_at_once", "the FMU 'f' ended its process with exit code 7: it was to " + fifth_step},
      {"terminate", "the FMU 'f' was ended from outside (SIGTERM, terminated): it was to " + fifth_step},
      {"fork_and_crash", "the FMU 'f' crashed (SIGSEGV, segmentation fault): it was to " + fifth_step},
      {"discard", "the FMU 'f' fails to " + fifth_step + " (it discards the call)"},
      {"fatal", "the FMU 'f' fails to " + fifth_step + " (fatal error)"},
      {"minus_three", "the FMU 'f' fails to " + fifth_step + " (status -3, which FMI does not have)"},
      {"seventy_seven", "the FMU 'f' fails to " + fifth_step + " (status 77, which FMI does not have)"},
      {"colors", "the FMU 'f' fails to " + fifth_step + ": red  ?? text with lines"},
      {"abort_when_loaded", "the FMU 'f' crashed (SIGABRT, aborted): it was to load its binary", 1},
      {"exit_when_loaded", "the FMU 'f' ended its process with exit code 0: it was to load its binary", 1},
      {"no_instance", "the FMU 'f' fails to make an instance", 1},
      {"log_nothing", "the FMU 'f' fails to make an instance", 1},
      {"log_much", "the FMU 'f' fails to make an instance: xxxx", 1},
      {"no_initialization", "the FMU 'f' fails to begin its initialization (fatal error)", 1},
      {"no_value", "the FMU 'f' fails to give a value of 'y'", 1},
  };
}

TEST_P(ForeignFmus, AreNamedInWhatTheyDo) {
  for (const auto& [deed, sentence, rows] : misdeeds()) {
    const Answer answer = run(deed, "run m.yaml --no-report --trust");
    EXPECT_EQ(answer.code, 1) << deed;
    EXPECT_THAT(answer.err, HasSubstr(sentence)) << deed;
    EXPECT_THAT(answer.err, Not(HasSubstr("internal error"))) << deed;
    EXPECT_EQ(answer.err.find('\033'), std::string::npos) << deed;
    EXPECT_LT(answer.err.size(), 2000u) << deed;
    EXPECT_EQ(kept_rows(), rows) << deed;
  }
  expect_nothing_left();
}

TEST_P(ForeignFmus, MayAskForTheEnd) {
  if (GetParam() == 2) GTEST_SKIP() << "FMI 2.0 knows no such answer of a step";
  const Answer answer = run("ask_for_the_end");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the FMU 'f' ends the simulation at t = 0.04 s"));
  EXPECT_EQ(kept_rows(), 5);
}

TEST_P(ForeignFmus, LeaveJsonAsItIs) {
  for (const std::string deed : {"crash", "exit", "print", "colors"}) {
    const Answer answer = run(deed, "run m.yaml --no-report --trust --json");
    EXPECT_TRUE(nlohmann::ordered_json::accept(answer.out)) << deed << ": " << answer.out;
    EXPECT_EQ(answer.code, deed == "print" ? 0 : 1) << deed;
  }
}

TEST_P(ForeignFmus, PrintIntoAWarning) {
  const Answer answer = run("print");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err + answer.out, HasSubstr("the FMU 'f' printed: "));
  EXPECT_THAT(answer.err + answer.out, HasSubstr("step 1"));
  EXPECT_THAT(answer.err + answer.out, HasSubstr("red"));
  EXPECT_EQ(run("flood").code, 0);  // 220 kB in each step: nobody waits for the other
  EXPECT_EQ(kept_rows(), 11);
  const Answer logged = run("log_without_environment");
  EXPECT_EQ(logged.code, 0);
  EXPECT_THAT(read("results/m/run.json"), HasSubstr("\"fmu\""));
  EXPECT_THAT(logged.err, HasSubstr("the FMU 'f' logged a warning: who am I?"));
  const Answer ended = run("abort_at_the_end");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(kept_rows(), 11);
  EXPECT_THAT(ended.err, HasSubstr("the FMU 'f' crashed (SIGABRT, aborted) after its last step"));
}

// What a process has is its own.
TEST_P(ForeignFmus, ChangeNothingInTheProgram) {
  EXPECT_EQ(run("", "run m.yaml --no-report --trust -o plain").code, 0);
  for (const std::string deed : {"chdir", "close", "ignore_signals"}) {
    EXPECT_EQ(run(deed, "run m.yaml --no-report -o " + deed).code, 0) << deed;
    EXPECT_EQ(read(deed + "/trajectory.csv"), read("plain/trajectory.csv")) << deed;
  }
}

TEST_P(ForeignFmus, ThatNeverAnswerEndAtTheirTimeLimit) {
  write("m.yaml", disk(", time_limit: 300 ms"));
  const Answer answer = run("loop");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the FMU 'f' did not answer within 0.3 s, the limit that fmus.f.time_limit sets: "
                                    "it was to " +
                                    fifth_step));
  EXPECT_EQ(kept_rows(), 5);
  EXPECT_EQ(run("pause_when_loaded").code, 1);
  write("m.yaml", disk(", time_limit: -1 s"));
  EXPECT_EQ(run("").code, 2);
  expect_nothing_left();
}

// The signal reaches the program alone, in the middle of a step that never ends.
TEST_P(ForeignFmus, EndWithTheProgram) {
  for (const std::string signal : {"INT", "TERM", "KILL"}) {
    const std::string when = "for i in $(seq 1500); do [ -e loops ] && break; sleep 0.02; done; rm loops; ";
    const Answer answer = shell(surroundings("loop") + "export FMU_LOOPS=\"$PWD/loops\"; '" + program_path +
                                "' run m.yaml --no-report --trust & " + when + "kill -" + signal + " $!; wait $!");
    EXPECT_EQ(answer.code, signal == "KILL" ? 137 : 1) << signal << answer.err;
    if (signal != "KILL") {
      EXPECT_THAT(answer.err + answer.out, HasSubstr("the run was interrupted"));
    }
    expect_nothing_left();
  }
}

TEST_P(ForeignFmus, AreToldApart) {
  std::string two = disk("", "fine");
  two = std::regex_replace(two, std::regex("fmus: \\{"),
                           "fmus: {crash: {file: f.fmu, step: 10 ms, connect: {u: turn}}, ");
  write("m.yaml", two);
  const Answer answer = run("");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the FMU 'crash' crashed"));
  EXPECT_EQ(kept_rows(), 5);
  expect_nothing_left();
}

TEST_P(ForeignFmus, RunNoCodeUnasked) {
  const std::string mark = "export FMU_LOADED='" + (folder / "ran").string() + "'; ";
  const std::string program = "'" + std::string(program_path) + "' ";
  for (const std::string arguments :
       {"run m.yaml", "check m.yaml", "sweep m.yaml --over J=0.1:0.2:3 --result 'a=max(turn)'"}) {
    const Answer answer = shell(surroundings("crash") + mark + program + arguments);
    EXPECT_EQ(answer.code, arguments == "check m.yaml" ? 0 : 2) << arguments << answer.err;
    EXPECT_FALSE(exists("ran")) << arguments;
  }
}

// ------------------------------------------------------------------ archives and descriptions

TEST_P(ForeignFmus, AreCheckedBeforeTheyRun) {
  const ZipFiles whole = foreign_files(GetParam());
  const auto says = [&](ZipFiles files, const std::string& sentence) {
    pack(files);
    const Answer answer = run("", "check m.yaml");
    EXPECT_EQ(answer.code, 2) << sentence;
    EXPECT_THAT(answer.err, HasSubstr(sentence));
    EXPECT_LT(answer.err.size(), 1000u);
  };
  const auto with = [&](const std::string& name) {
    ZipFiles files = whole;
    files.emplace_back(name, "");
    return files;
  };
  const auto described = [&](const std::string& from, const std::string& to) {
    ZipFiles files = whole;
    files[0].second = std::regex_replace(files[0].second, std::regex(from), to);
    return files;
  };
  ZipFiles both = with("a");
  both.emplace_back("a/b", "");
  says(both, "it has a file a and a file a/b");
  both.emplace_back("a.b", "");  // stands between the two in the order of characters
  says(both, "it has a file a and a file a/b");
  says(with("modelDescription.xml"), "it has two files modelDescription.xml");
  says(with(std::string(6000, 'a')), "whose path is too long (6000 characters)");
  says(with("resources/" + std::string(300, 'a')), "whose path is too long");
  says(described("modelIdentifier='f'", "modelIdentifier='" + std::string(5000, 'f') + "'"),
       "the modelIdentifier of the FMU has 5000 characters");
  says(described("valueReference='1'", ""), "the variable 'u' has no valueReference");
  says(described("valueReference='1'", "valueReference='-3'"), "the variable 'u' has no valueReference");
}

TEST_P(ForeignFmus, LeaveNoFolderWhereTheyCannotBeUnpacked) {
  std::string bytes = zip_of(foreign_files(GetParam()));
  const std::size_t first = bytes.find("PK\3\4", 10);  // the second file, which is packed after its header
  bytes[first + 3000] ^= 1;
  std::ofstream(folder / "f.fmu", std::ios::binary) << bytes;
  const Answer answer = run("");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the archive is damaged"));
  expect_nothing_left();
  const Answer nowhere = shell(surroundings("") + "export TMPDIR=/nonexistent; '" + std::string(program_path) +
                               "' run m.yaml --no-report --trust");
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_THAT(nowhere.err, Not(HasSubstr("internal error")));
}

}  // namespace
}  // namespace armature::internal
