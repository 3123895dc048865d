#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "cli/program.hpp"
#include "cli/text.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

class DemoVerb : public Program {};

// "  armature demo NAME   title"
std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::string program, verb, name;
    if (words >> program >> verb >> name && program == "armature" && verb == "demo") names.push_back(name);
  }
  return names;
}

TEST_F(DemoVerb, ListsMachinesThatRunAndNamesACommandThatWorks) {
  const std::vector<std::string> names = listed(armature("demo").out);
  EXPECT_GE(names.size(), 5u);
  EXPECT_THAT(names, testing::Contains("delta"));
  for (const std::string& name : names) {
    const Answer answer = armature("demo " + name);
    EXPECT_EQ(answer.code, 0) << name << answer.err;
    EXPECT_EQ(answer.err, "") << name;  // a first look does not open with a warning
    EXPECT_TRUE(exists("results/demo_" + name + "/trajectory.csv")) << name;
    const std::vector<std::string> lines = lines_of(answer.out);
    ASSERT_GE(lines.size(), 6u) << answer.out;
    for (int sentence = 0; sentence < 3; ++sentence) EXPECT_TRUE(lines[sentence].ends_with(".")) << lines[sentence];
    const auto next = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("next:"); });
    ASSERT_NE(next, lines.end()) << answer.out;
    std::string command = next->substr(next->find("armature ") + 9);
    if (command.starts_with("view ")) command = "check " + command.substr(5);  // a page that is served until Ctrl-C
    EXPECT_EQ(armature(command).code, 0) << command;
  }
}

TEST_F(DemoVerb, RefusesWhatItDoesNotKnow) {
  const Answer answer = armature("demo delt");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("unknown machine 'delt' (did you mean 'delta'?)"));
}

// What packages ship is printed by the program: every verb and every long option of --help is in it.
class ShippedTexts : public Program {
 protected:
  std::vector<std::string> verbs() {
    std::vector<std::string> names;
    const std::vector<std::string> lines = lines_of(armature("--help").out);
    auto line = std::ranges::find(lines, "Verbs:");
    while (line != lines.end() && ++line != lines.end() && line->starts_with("  "))
      if ((*line)[2] != ' ') names.push_back(line->substr(2, line->find(' ', 2) - 2));
    return names;
  }

  std::vector<std::string> options(const std::string& verb) {
    std::vector<std::string> names;
    for (const std::string& line : lines_of(armature(verb + " --help").out)) {
      const std::size_t begin = line.find("--");
      if (!line.starts_with("  -") || begin == std::string::npos) continue;
      names.push_back(line.substr(begin, line.find_first_of(" ,", begin) - begin));
    }
    return names;
  }
};

TEST_F(ShippedTexts, CompletionsKnowEveryVerbAndOption) {
  const std::vector<std::string> all = verbs();
  EXPECT_GE(all.size(), 20u);
  EXPECT_THAT(all, testing::Not(testing::Contains("completions")));
  for (const char* shell_name : {"bash", "zsh", "fish"}) {
    const std::string script = armature(std::string("completions ") + shell_name).out;
    for (const std::string& verb : all) {
      EXPECT_THAT(script, HasSubstr(verb)) << shell_name;
      for (const std::string& option : options(verb))
        EXPECT_THAT(script, HasSubstr(std::string(shell_name) == "fish" ? "-l " + option.substr(2) : option))
            << shell_name << ' ' << verb;
    }
  }
  EXPECT_EQ(armature("completions tcsh").code, 2);
}

TEST_F(ShippedTexts, BashCompletesVerbsAndOptions) {
  write("complete", armature("completions bash").out +
                        "COMP_WORDS=(armature si) COMP_CWORD=1; _armature; echo ${COMPREPLY[*]}\n"
                        "COMP_WORDS=(armature run --ver) COMP_CWORD=2; _armature; echo ${COMPREPLY[*]}\n");
  EXPECT_EQ(shell("bash complete").out, "singularities\n--verify\n");
}

TEST_F(ShippedTexts, ManualPagesKnowEveryOption) {
  EXPECT_THAT(armature("manual").out, testing::StartsWith(".TH \"ARMATURE\" 1"));
  for (const std::string& verb : verbs()) {
    std::string page = armature("manual " + verb).out;
    std::erase(page, '\\');
    EXPECT_THAT(page, HasSubstr("armature-" + verb));
    for (const std::string& option : options(verb)) EXPECT_THAT(page, HasSubstr(option)) << verb;
  }
}

}  // namespace
}  // namespace armature::internal
