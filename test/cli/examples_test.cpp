// Every command that --help and the pages show must work: it is run, in the order of the page, in a folder that holds the shipped
// models, and must exit with 0. The tutorial's commands, and what they print, are those of tutorial_test.cpp.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "cli/program.hpp"
#include "cli/text.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;
using Commands = std::vector<std::string>;

// A command ends where two blanks or " #" begin an explanation.
std::string without_explanation(const std::string& line) {
  static const std::regex explanation("(  +| #).*$");
  return std::regex_replace(line, explanation, "");
}

// Lines that begin with a command of ours or with one that prepares or reads its files; a backslash continues a line.
Commands commands_in(const std::string& text, const std::string& indent) {
  static const std::regex begins("^(armature |mpirun |printf |python3 ).*");
  Commands commands;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(indent)) continue;
    std::string command = line.substr(indent.size());
    if (!std::regex_match(command, begins)) continue;
    while (command.ends_with("\\") && std::getline(in, line))
      command.replace(command.size() - 1, 1, line.substr(line.find_first_not_of(' ')));
    commands.push_back(without_explanation(command));
  }
  return commands;
}

// Blocks of a page: indented by four, and those between ``` that are of no other language.
Commands commands_of_page(const std::string& page) {
  std::string plain;
  std::istringstream in(page);
  bool block = false, shell = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      block = !block;
      shell = block && (line == "```" || line == "```sh" || line == "```bash");
    } else if (block ? shell : line.starts_with("    ")) {
      plain += (block ? "    " : "") + line + '\n';
    }
  }
  return commands_in(plain, "    ");
}

class Examples : public Program {
 protected:
  Examples() {
    const fs::path root = source_directory;
    for (const char* name : {"models", "gallery"}) fs::create_directory_symlink(root / name, folder / name);
  }

  // The page of `view` is served until Ctrl-C; mpirun refuses root and more processes than cores unless told.
  std::string runnable(const std::string& command) {
    if (command.starts_with("armature view"))
      return "rm -f served; " + command +
             " --no-open > served 2>&1 & page=$!; for i in $(seq 200); do grep -qs http served && break; sleep 0.1; " +
             "done; kill -TERM $page; wait $page";
    return command;
  }

  bool has_gpu() { return armature("doctor").out.find("compute capability") != std::string::npos; }

  static bool needs_ffmpeg(const std::string& command) {
    return command.find(".webm") != std::string::npos || command.find(".mp4") != std::string::npos;
  }

  void expect_all_work(const Commands& commands) {
    const std::string path = fs::path(program_path).parent_path();
    for (std::string command : commands) {
      if (command.starts_with("mpirun") && !has_mpirun()) continue;
      if (needs_ffmpeg(command) && shell("command -v ffmpeg").code != 0) continue;
      if (command.find(" --gpu") != std::string::npos && !has_gpu())
        command = std::regex_replace(command, std::regex(" --gpu(=\\w+)?"), "");  // the result is the same, or nearly
      const Answer answer =
          shell("export PATH='" + path + "':$PATH OMPI_ALLOW_RUN_AS_ROOT=1 " +
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1; " + runnable(command));
      EXPECT_EQ(answer.code, 0) << command << '\n' << answer.err;
    }
  }
};

// The commands below "Examples:" of a help text.
Commands examples_of(const std::string& help) { return commands_in(help.substr(help.find("Examples:")), "  "); }

TEST_F(Examples, OfTheProgramWork) { expect_all_work(examples_of(armature("--help").out)); }

class VerbExamples : public Examples, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Verbs, VerbExamples,
                         testing::Values("run", "view", "check", "assemble", "kinematics", "inverse", "compare",
                                         "equations", "plot", "draw", "film", "map", "sweep", "optimize", "identify",
                                         "plan", "modes", "tune", "singularities", "export", "import", "format",
                                         "doctor", "demo"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(VerbExamples, Work) {
  const Commands commands = examples_of(armature(std::string(GetParam()) + " --help").out);
  EXPECT_FALSE(commands.empty());
  expect_all_work(commands);
}

// All but `armature gallery` itself, which reruns every paper and has a slow test of its own.
TEST_F(Examples, OfTheGalleryWork) {
  Commands commands = examples_of(armature("gallery --help").out);
  EXPECT_EQ(std::erase(commands, "armature gallery"), 1u);
  expect_all_work(commands);
}

std::vector<std::string> pages_with_commands() {
  const fs::path root = source_directory;
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md" && entry.path().filename() != "tutorial.md")
      if (!commands_of_page(text_of(entry.path())).empty()) found.push_back(fs::relative(entry.path(), root));
  std::sort(found.begin(), found.end());
  return found;
}

class PageExamples : public Examples, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(Pages, PageExamples, testing::ValuesIn(pages_with_commands()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

TEST_P(PageExamples, Work) {
  const std::string page = text_of(fs::path(source_directory) / GetParam());
  // a block "```yaml NAME" is a file
  static const std::regex file("```yaml (\\S+\\.yaml)\n([^`]*)```");
  for (std::sregex_iterator block(page.begin(), page.end(), file); block != std::sregex_iterator(); ++block)
    write((*block)[1], (*block)[2]);
  Commands commands = commands_of_page(page);
  std::erase(commands, "armature gallery");
  expect_all_work(commands);
}

// docs/output.md: what reads a run with Python's standard library.
TEST_F(Examples, OfPythonReadARun) {
  if (shell("command -v python3").code != 0) GTEST_SKIP() << "there is no python3";
  const std::string page = text_of(fs::path(source_directory) / "docs/output.md"), opening = "```python\n";
  const std::size_t begin = page.find(opening) + opening.size();
  write("read.py", page.substr(begin, page.find("```", begin) - begin));
  expect_all_work({"armature run models/crane.yaml -o crane", "python3 read.py"});
  EXPECT_THAT(read("out"), testing::HasSubstr("finished"));
}

TEST(ExampleCommands, AreFoundWithoutTheirExplanations) {
  EXPECT_EQ(
      commands_in("  armature run a.yaml --end 2   two seconds\n  armature map a.yaml \\\n      --over x=1:2\nother\n",
                  "  "),
      (Commands{"armature run a.yaml --end 2", "armature map a.yaml --over x=1:2"}));
  EXPECT_EQ(
      commands_of_page("text\n\n    armature doctor   # all\n\n```yaml\narmature: 1\n```\n```sh\narmature demo\n```\n"),
      (Commands{"armature doctor", "armature demo"}));
}

}  // namespace
}  // namespace armature::internal
