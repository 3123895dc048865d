// Bad inputs, written by hand, and the sentences they get. The cases lie in test/bad_inputs: one file an area, plain text.
//
//   model      the lines below are the model to which cases add theirs; the file is called m.yaml
//   case       begins a case, with a few words about it; the lines below are added to the model
//   whole      the lines below are the whole model
//   file       a file beside it
//   shell      what is done first; $ARMATURE is the program
//   command    what the program is told; check m.yaml if nothing is said
//   exit       its exit code; 2 if nothing is said
//   says       how a line of what it says on stderr begins; may be repeated
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "cli/program.hpp"
#include "support/child_process.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

struct BadInput {
  std::string name, place;  // place: file and line of the case
  std::string model = {}, shell = {}, command = "check m.yaml";
  std::map<std::string, std::string> files = {};
  int exit = 2;
  std::vector<std::string> says = {};
};

// The cases of one area.
class Cases {
 public:
  explicit Cases(const fs::path& file) {
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);)
      take(line, fmt::format("{}:{}", file.filename().string(), ++number));
  }
  const std::vector<BadInput>& list() const { return list_; }

 private:
  void take(const std::string& line, const std::string& place) {
    if (line.starts_with("  ")) {
      *block_ += line.substr(2) + "\n";
      return;
    }
    if (line.empty() || line.starts_with('#')) return;
    const std::size_t blank = line.find(' ');
    const std::string rest = blank == std::string::npos ? "" : line.substr(blank + 1);
    take_word(line.substr(0, blank), rest, place);
  }

  void take_word(const std::string& word, const std::string& rest, const std::string& place) {
    if (word == "model") {
      model_.clear();
      block_ = &model_;
    } else if (word == "case") {
      list_.push_back({.name = rest, .place = place, .model = model_});
      block_ = &list_.back().model;
    } else if (word == "whole") {
      list_.back().model.clear();
    } else if (word == "file") {
      block_ = &list_.back().files[rest];
    } else if (word == "shell") {
      list_.back().shell = rest;
    } else if (word == "command") {
      list_.back().command = rest;
    } else if (word == "exit") {
      list_.back().exit = std::stoi(rest);
    } else if (word == "says") {
      list_.back().says.push_back(rest);
    } else {
      throw std::runtime_error(place + ": unknown word '" + word + "'");
    }
  }

  std::vector<BadInput> list_;
  std::string model_;
  std::string* block_ = nullptr;
};

// A program that hangs must not hold up the tests.
constexpr ChildLimits limits{.seconds = 20, .grace = 2};

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_answer(const BadInput& input) {
  const TemporaryFolder folder;
  write(folder / "m.yaml", input.model);
  for (const auto& [name, text] : input.files) write(folder / name, text);
  const std::string first = input.shell.empty() ? "" : "( " + input.shell + " ); ";
  const std::string line =
      fmt::format("export ARMATURE='{}'; {}exec \"$ARMATURE\" {}", program_path, first, input.command);
  const ChildResult result = run_child({"/bin/bash", "-c", line}, folder.path().string(), limits);
  const std::string said = "\n" + read(folder / "err");
  const std::string where = input.place + ": " + input.name + "\n" + said;
  EXPECT_EQ(result.signal, 0) << where;
  EXPECT_FALSE(result.interrupted) << where << "takes " << result.seconds << " s";
  EXPECT_EQ(result.code, input.exit) << where;
  if (input.says.empty()) {
    EXPECT_EQ(input.exit == 0 ? said : "no sentence is expected", "\n") << where;
  }
  for (const std::string& sentence : input.says) EXPECT_THAT(said, testing::HasSubstr("\n" + sentence)) << where;
  EXPECT_THAT(said, testing::Not(testing::HasSubstr("internal error"))) << where;
  EXPECT_LT(said.size(), 20000u) << where.substr(0, 500);
}

const char* const areas[] = {"command_line",
                             "contact",
                             "drives_and_controllers",
                             "formulas",
                             "joints_and_forces",
                             "reader",
                             "robots",
                             "studies",
                             "start_and_simulate",
                             "tables_and_meshes",
                             "units"};

Cases cases_of(const std::string& area) {
  return Cases(fs::path(source_directory) / "test/bad_inputs" / (area + ".txt"));
}

class BadInputs : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, BadInputs, testing::ValuesIn(areas),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(BadInputs, GetTheirSentence) {
  setenv("LC_ALL", "C", 1);
  const Cases cases = cases_of(GetParam());
  EXPECT_GT(cases.list().size(), 20u);
  for (const BadInput& input : cases.list()) expect_answer(input);
}

// docs/reliability.md counts the cases in a table: | `area` | 12 |
TEST(BadInputsPage, CountsTheCases) {
  const std::string page = read(fs::path(source_directory) / "docs/reliability.md");
  std::size_t all = 0;
  for (const std::string area : areas) {
    const std::size_t count = cases_of(area).list().size();
    EXPECT_THAT(page, testing::ContainsRegex(fmt::format("[|] `{}[.]txt` [|].*[|] {} [|]", area, count)));
    all += count;
  }
  EXPECT_GE(all, 200u);
  EXPECT_THAT(page, testing::HasSubstr(fmt::format("{} bad inputs", all)));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(fs::path(source_directory) / "test/bad_inputs"))
    ++files;
  EXPECT_EQ(files, std::size(areas));
}

}  // namespace
}  // namespace armature::internal
