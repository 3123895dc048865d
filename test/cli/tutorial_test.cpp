// What docs/tutorial.md and docs/recipes.md show must work: its files are written and its commands run in order, and what they print is
// compared with the page.
//
//   ```yaml NAME      a file with this text; "```yaml NAME +" adds to its end
//   ```console        lines with $ are commands, those below them what is printed; … stands for any lines
//
// Errors of numbers are waited for. Words must be the same. Numbers with a point agree to 1e-4, counts to 10 %; below 1e-7 numbers are errors of rounding
// and of the tolerance, which need only stay there. The time that a run takes is not compared.

#include <gmock/gmock.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "cli/program.hpp"
#include "cli/text.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

using Lines = std::vector<std::string>;

struct Block {
  std::string info;  // what stands behind ```
  Lines lines;
};

std::vector<Block> blocks_of(const Lines& page) {
  std::vector<Block> blocks;
  bool inside = false;
  for (const std::string& line : page) {
    const bool fence = line.starts_with("```");
    if (fence && !inside) blocks.push_back({line.substr(3), {}});
    if (!fence && inside) blocks.back().lines.push_back(line);
    if (fence) inside = !inside;
  }
  return blocks;
}

bool near(const std::string& shown, double x, double y) {
  if (std::abs(x) < 1e-7 && std::abs(y) < 1e-7) return true;
  const bool counts = shown.find_first_not_of("0123456789") == std::string::npos;
  return std::abs(x - y) <= (counts ? 0.1 : 1e-4) * std::abs(x);
}

// Takes a number from the front of `text`.
std::optional<std::string> take_number(std::string_view& text) {
  static const std::regex number(R"(^[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?)");
  std::cmatch match;
  if (!std::regex_search(text.begin(), text.end(), match, number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(match.length()));
  return match.str();
}

// Without times; columns are as wide as their numbers; and a program that was built without Node makes no reports.
std::string plain(std::string line) {
  static const std::regex time("evaluations in [-+.0-9e]+ s"), report(", report\\.html$"), blanks(" +");
  line = std::regex_replace(line, time, "evaluations in (a time)");
  line = std::regex_replace(line, report, "");
  return std::regex_replace(line, blanks, " ");
}

bool same(const std::string& shown_line, const std::string& printed_line) {
  const std::string a = plain(shown_line), b = plain(printed_line);
  std::string_view shown = a, printed = b;
  while (!shown.empty() && !printed.empty()) {
    const auto x = take_number(shown), y = take_number(printed);
    if (x.has_value() != y.has_value()) return false;
    if (x && !near(*x, std::stod(*x), std::stod(*y))) return false;
    if (x) continue;
    if (shown.front() != printed.front()) return false;
    shown.remove_prefix(1), printed.remove_prefix(1);
  }
  return shown.empty() && printed.empty();
}

// "" where the lines agree, else what differs.
std::string difference(const Lines& shown, const Lines& printed) {
  std::size_t at = 0;
  bool any = false;
  for (const std::string& line : shown) {
    if (line == "…") {
      any = true;
      continue;
    }
    while (any && at < printed.size() && !same(line, printed[at])) ++at;
    if (at == printed.size()) return "not printed: " + line;
    if (!same(line, printed[at])) return "shown:   " + line + "\nprinted: " + printed[at];
    ++at, any = false;
  }
  return any || at == printed.size() ? "" : "not shown: " + printed[at];
}

class Tutorial : public Program {
 protected:
  void write_file(const Block& block) {
    std::istringstream info(block.info);
    std::string kind, name, plus;
    info >> kind >> name >> plus;
    std::ofstream out(folder / name, plus == "+" ? std::ios::app : std::ios::trunc);
    for (const std::string& line : block.lines) out << line << '\n';
  }

  // Standard output and errors in the order in which a terminal shows them.
  Lines printed_by(const std::string& command) {
    write("command", command + "\n");
    const std::string path = std::filesystem::path(program_path).parent_path();
    shell("ARMATURE_VERIFY=always PATH='" + path + "':$PATH stdbuf -oL bash command 2>&1");
    Lines lines = lines_of(read("out"));
    std::erase_if(lines, [](const std::string& line) { return line.starts_with("report.html was not written"); });
    return lines;
  }

  void run_commands(const Block& block) {
    for (std::size_t i = 0; i < block.lines.size();) {
      ASSERT_TRUE(block.lines[i].starts_with("$ ")) << block.lines[i];
      const std::string command = block.lines[i++].substr(2);
      Lines shown;
      while (i < block.lines.size() && !block.lines[i].starts_with("$ ")) shown.push_back(block.lines[i++]);
      EXPECT_EQ(difference(shown, printed_by(command)), "") << "$ " << command;
    }
  }

  void follow(const std::string& name, int least_files, int least_sessions) {
    std::ifstream page(std::string(source_directory) + "/docs/" + name);
    const std::string text((std::istreambuf_iterator<char>(page)), {});
    int files = 0, sessions = 0;
    for (const Block& block : blocks_of(lines_of(text))) {
      if (block.info.starts_with("yaml ")) write_file(block), ++files;
      if (block.info == "console") run_commands(block), ++sessions;
    }
    EXPECT_GE(files, least_files);
    EXPECT_GE(sessions, least_sessions);
  }
};

TEST_F(Tutorial, ShowsWhatHappens) { follow("tutorial.md", 4, 10); }
TEST_F(Tutorial, RecipesShowWhatHappens) { follow("recipes.md", 3, 4); }

TEST(TutorialComparison, TellsNumbersFromWords) {
  EXPECT_TRUE(
      same("61 steps, 0 rejected, 377 evaluations in 0.1 s", "62 steps, 0 rejected, 370 evaluations in 7e-05 s"));
  EXPECT_FALSE(same("61 steps", "70 steps"));
  EXPECT_FALSE(same("7 true rank drops", "6 true rank drops"));
  EXPECT_TRUE(same("results: r/trajectory.csv (9 rows), run.json, report.html",
                   "results: r/trajectory.csv (9 rows), run.json"));
  EXPECT_TRUE(same("error 6.6e-15 m", "error 9.1e-14 m"));
  EXPECT_FALSE(same("error 6.6e-15 m", "error 1e-3 m"));
  EXPECT_FALSE(same("t = 0.11923 s", "t = 0.11943 s"));
  EXPECT_FALSE(same("link2 turns", "link3 turns"));
  EXPECT_EQ(difference({"a", "…", "c"}, {"a", "b", "b", "c"}), "");
  EXPECT_EQ(difference({"a", "…"}, {"a"}), "");
  EXPECT_NE(difference({"a"}, {"a", "b"}), "");
  EXPECT_NE(difference({"…", "c"}, {"a", "b"}), "");
}

}  // namespace
}  // namespace armature::internal
