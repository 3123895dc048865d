#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "cli/program.hpp"
#include "cli/text.hpp"
#include "support/paths.hpp"
#include "support/pseudo_terminal.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

const std::string yellow = "\033[33m", red = "\033[31m", bold = "\033[1m";

std::string model(const std::string& name) { return std::string(source_directory) + "/models/" + name + ".yaml"; }

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Characters of a line: the bytes that continue one do not count.
long width_of(const std::string& line) {
  return std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

std::vector<std::string> lines_over(const std::string& text, long columns) {
  std::vector<std::string> wide;
  for (const std::string& line : lines_of(text))
    if (width_of(line) > columns) wide.push_back(line);
  return wide;
}

// What is drawn over itself, such as a progress line, as lines of their own.
std::string drawn_lines(std::string text) {
  const std::string erase = "\033[K";
  for (std::size_t at = text.find(erase); at != std::string::npos; at = text.find(erase)) text.erase(at, erase.size());
  std::ranges::replace(text, '\r', '\n');
  return text;
}

class Terminal : public Program {
 protected:
  Terminal() {
    write("pendulum.yaml", pendulum);
    std::string odd = pendulum;
    odd.replace(odd.find("between: [ground, bob]}"), 23, "between: [ground, bob], damping: -0.5}");
    write("odd.yaml", odd);
  }
  // `environment`: "NO_COLOR=1"
  std::string shown(const std::string& arguments, unsigned short columns = 80,
                    const std::string& environment = "TERM=xterm") {
    return on_terminal("cd '" + folder.path().string() + "' && unset NO_COLOR COLUMNS && " + environment + " " +
                           program_path + " " + arguments,
                       columns);
  }
};

TEST_F(Terminal, ShowsErrorsRedWarningsYellowAndHeadingsBold) {
  EXPECT_THAT(shown("run none.yaml"), HasSubstr(red + "none.yaml: there is no such file"));
  EXPECT_THAT(shown("run"), HasSubstr(red + "run: FILE is missing"));
  const std::string checked = shown("check odd.yaml");
  EXPECT_THAT(checked, AllOf(HasSubstr(yellow + "warning: joints.theta.damping"), HasSubstr(bold + "a pendulum")));
  EXPECT_THAT(shown("run --help"), HasSubstr(bold + "Options:"));
}

TEST_F(Terminal, ShowsNoColorsWhereTheyAreNotWanted) {
  for (const char* environment : {"TERM=xterm NO_COLOR=1", "TERM=dumb"})
    for (const char* arguments : {"run none.yaml", "check odd.yaml", "run --help"})
      EXPECT_THAT(shown(arguments, 80, environment), Not(HasSubstr("\033["))) << environment << " " << arguments;
  EXPECT_THAT(armature("run none.yaml").err, Not(HasSubstr("\033")));
  EXPECT_THAT(armature("check odd.yaml").out, Not(HasSubstr("\033")));
  EXPECT_THAT(shown("check odd.yaml", 80, "TERM=xterm NO_COLOR="), HasSubstr(yellow));  // empty: not set
}

// A warning of 170 characters, and the help of a verb with long texts.
TEST_F(Terminal, WrapsBetweenWordsAtTheWidthOfTheWindow) {
  for (const std::string arguments : {"check odd.yaml", "run --help", "map --help", "tune --help"}) {
    const std::string narrow = shown(arguments, 60, "TERM=dumb"), wide = shown(arguments, 400, "TERM=dumb");
    EXPECT_EQ(words_of(narrow), words_of(wide)) << arguments;
    for (const std::string& line : lines_over(narrow, 60))
      EXPECT_THAT(line, testing::AnyOf(testing::StartsWith("  armature "), testing::StartsWith("      --"),
                                       testing::StartsWith("  mpirun ")))
          << arguments;  // an example stays one line
  }
}

TEST_F(Terminal, TakesColumnsWhereThereIsNoTerminal) {
  EXPECT_THAT(lines_over(shell(std::string("COLUMNS=200 ") + program_path + " run --help").out, 80),
              Not(testing::IsEmpty()));
}

// Examples are written so that they fit; everything else is broken between words.
TEST_F(Terminal, HelpFitsEightyColumns) {
  for (const char* verb :
       {"",          "run",           "view",   "check",  "assemble", "kinematics", "inverse",  "compare",
        "equations", "plot",          "draw",   "film",   "map",      "sweep",      "optimize", "modes",
        "tune",      "singularities", "export", "format", "gallery",  "doctor",     "demo"})
    EXPECT_THAT(lines_over(armature(std::string(verb) + " --help").out, 80), testing::IsEmpty()) << verb;
}

TEST_F(Terminal, ResultsFitEightyColumns) {
  for (const std::string& arguments :
       {"run " + model("stewart") + " --end 0.1", "check " + model("stewart"), std::string("demo crane"),
        "sweep " + model("crane") + " --over rope=0.5:1:2 --end 0.1 --result 'x=max(travel)'"})
    EXPECT_THAT(lines_over(drawn_lines(shown(arguments, 80, "TERM=dumb")), 80), testing::IsEmpty()) << arguments;
}

TEST_F(Terminal, TablesFitEightyColumns) {
  std::string results;
  for (int k = 1; k <= 9; ++k) results += " --result 'result_number_" + std::to_string(k) + "=max(theta)'";
  const Answer sweep = armature("sweep pendulum.yaml --over length=1:2:3 -o s" + results);
  EXPECT_EQ(sweep.code, 0) << sweep.err;
  const Answer modes = armature("modes " + model("five_bar") + " --sensitivity l1");
  EXPECT_EQ(modes.code, 0) << modes.err;
  const Answer tune = armature("tune " + model("four_bar") +
                               " --integrator rk4 --step 1e-2 --end 0.2 --alpha 1:900:3 --beta 1:900:3 -o t");
  EXPECT_EQ(tune.code, 0) << tune.err;
  const Answer verify = armature("run " + model("rrr_motors") + " --end 0.05 --verify -o v");
  EXPECT_EQ(verify.code, 0) << verify.err;
  for (const Answer* answer : {&sweep, &modes, &tune, &verify})
    for (const std::string& line : lines_over(answer->out, 80)) {
      const bool number_of_table = line.find("  ") != std::string::npos;  // sentences have single blanks
      EXPECT_FALSE(number_of_table) << line;
    }
  for (int k = 1; k <= 9; ++k) EXPECT_THAT(sweep.out, HasSubstr("result_number_" + std::to_string(k)));
}

TEST_F(Terminal, QuietPrintsTheResultAlone) {
  const Answer loud = armature("run " + model("four_bar") + " --end 0.1 -o r");
  EXPECT_THAT(loud.out, HasSubstr("steps"));
  const Answer quiet = armature("run " + model("four_bar") + " --end 0.1 -o r --quiet");
  EXPECT_EQ(quiet.out, loud.out.substr(loud.out.find("results: ")));
  EXPECT_EQ(quiet.err, loud.err);
  EXPECT_EQ(shown("run pendulum.yaml -o p -q").find("results: p/trajectory.csv"), 0u);
  EXPECT_THAT(lines_of(armature("map pendulum.yaml --over length=1:2:3 --classify 'a: final(theta) > 0; b' -q").out),
              testing::ElementsAre(HasSubstr(" a, "), testing::StartsWith("results: results/pendulum_map/cells.csv")));
  EXPECT_THAT(armature("run none.yaml --quiet").err, HasSubstr("there is no such file"));
  for (const char* verb : {"run", "check", "assemble", "kinematics", "inverse", "compare", "equations", "map", "sweep",
                           "optimize", "modes", "tune", "singularities", "export", "gallery"})
    EXPECT_THAT(armature(std::string(verb) + " --help").out, HasSubstr("--quiet")) << verb;
}

// Steps become 1e-11 s long. The time left was that of the pace before, which grew by a second each second.
TEST_F(Terminal, ARunThatCrawlsIsPromisedNoEnd) {
  const std::string text = drawn_lines(
      shown("run " + model("delta") + " --set depth='0.42 m' -o crawl", 80, "TERM=xterm timeout -s INT 15"));
  EXPECT_THAT(text, Not(HasSubstr("0:00 left")));
  const std::size_t last = text.rfind("of 1.4 s  ");  // of the lines that are drawn, not of the summary
  ASSERT_NE(last, std::string::npos) << text;
  EXPECT_THAT(text.substr(last, 60), HasSubstr("more than 100 hours left"));
}

TEST_F(Terminal, OneNoteNamesAllJointsThatCloseLoops) {
  const Answer answer = armature("check " + model("stewart"));
  EXPECT_THAT(answer.out, HasSubstr("5 joints close loops (they are cut): ball2, ball3, ball4, ball5, ball6\n"));
  EXPECT_THAT(armature("check " + model("n_four_bar") + " --set N=30").out,
              AllOf(HasSubstr(" joints close loops (they are cut): "), HasSubstr(", …\n")));
}

// Two models that share a name, and two verbs that write the files of a run.
TEST_F(Terminal, DefaultFoldersDoNotReplaceEachOther) {
  write("same_name.yaml", pendulum);
  std::string moved = pendulum;
  moved += "inverse: {motion: {theta: \"t\"}, actuators: [theta]}\n";
  write("moved.yaml", moved);
  for (const char* arguments :
       {"run pendulum.yaml", "run same_name.yaml", "run moved.yaml", "inverse moved.yaml",
        "kinematics moved.yaml --move theta=t", "sweep pendulum.yaml --over length=1:2:2 --result 'e=final(theta)'"}) {
    const Answer answer = armature(arguments);
    EXPECT_EQ(answer.code, 0) << arguments << answer.err;
  }
  for (const char* file : {"pendulum/run.json", "same_name/run.json", "moved/run.json", "moved_inverse/run.json",
                           "moved_kinematics/run.json", "pendulum_sweep/result.json"})
    EXPECT_TRUE(exists(std::string("results/") + file)) << file;
}

}  // namespace
}  // namespace armature::internal
