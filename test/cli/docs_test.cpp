// What the pages point to is there: relative links, their headings, and the files that they name.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/text.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> pages() {
  const fs::path root = source_directory;
  std::vector<fs::path> found{root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i) found.push_back((*i)[1]);
  return found;
}

// The name by which a link finds a heading: lower case, blanks as -, no punctuation.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const unsigned char c : heading) {
    if (std::isalnum(c) || c == '_' || c == '-' || c > 127) anchor += static_cast<char>(std::tolower(c));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors(const fs::path& page) {
  static const std::regex heading("(?:^|\n)#+ ([^\n]*)");
  std::set<std::string> found;
  for (const std::string& title : matches(text_of(page), heading)) found.insert(anchor_of(title));
  return found;
}

void expect_target(const fs::path& page, const std::string& link) {
  const std::size_t hash = link.find('#');
  const std::string file = link.substr(0, hash);
  const fs::path target = file.empty() ? page : page.parent_path() / file;
  ASSERT_TRUE(fs::exists(target)) << page << " points to " << link;
  if (hash != std::string::npos) {
    EXPECT_TRUE(anchors(target).contains(link.substr(hash + 1))) << page << " points to " << link;
  }
}

TEST(Docs, LinksLeadSomewhere) {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  int count = 0;
  for (const fs::path& page : pages())
    for (const std::string& target : matches(text_of(page), link))
      if (target.find("://") == std::string::npos) expect_target(page, target), ++count;
  EXPECT_GT(count, 50);
}

TEST(Docs, FilesThatAreNamedExist) {
  static const std::regex name("`((?:src|apps|test|models|docs|bench|viewer)/[A-Za-z0-9_./-]+)`");
  int count = 0;
  for (const fs::path& page : pages())
    for (const std::string& file : matches(text_of(page), name)) {
      EXPECT_TRUE(fs::exists(fs::path(source_directory) / file)) << page << " names " << file;
      ++count;
    }
  EXPECT_GT(count, 50);
}

// Text outside of blocks and of `code`, line by line.
std::vector<std::string> prose_of(const std::string& page) {
  static const std::regex code(R"(\$?`[^`]*`\$?)");
  std::vector<std::string> lines;
  std::istringstream in(page);
  bool block = false;
  for (std::string line; std::getline(in, line);) {
    const bool fence = line.find("```") == line.find_first_not_of(' ') && line.find("```") != std::string::npos;
    if (fence) block = !block;
    if (!fence && !block) lines.push_back(std::regex_replace(line, code, ""));
  }
  return lines;
}

// Markdown takes the backslash off \, and \{ before a formula in $…$ is read, and may take two underscores for emphasis: such
// formulas are written $`…`$. One that is broken over two lines may begin a list.
TEST(Docs, FormulasSurviveMarkdown) {
  static const std::regex formula(R"(\$([^$]+)\$)"), eaten(R"(\\[^A-Za-z\s]|[^A-Za-z0-9]_.*_|\*)");
  int count = 0;
  for (const fs::path& page : pages())
    for (const std::string& line : prose_of(text_of(page))) {
      EXPECT_EQ(std::ranges::count(line, '$') % 2, 0) << page << ": a formula is broken over two lines: " << line;
      for (const std::string& each : matches(line, formula)) {
        EXPECT_FALSE(std::regex_search(each, eaten)) << page << ": write $`" << each << "`$";
        ++count;
      }
    }
  EXPECT_GT(count, 100);
}

TEST(Docs, EveryPageIsInAnIndex) {
  const fs::path docs = fs::path(source_directory) / "docs";
  for (const fs::path& folder : {docs, docs / "theory"}) {
    const std::string index = text_of(folder / "README.md");
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename();
      if (entry.path().extension() == ".md" && name != "README.md") {
        EXPECT_NE(index.find("](" + name + ")"), std::string::npos) << entry.path();
      }
    }
  }
}

// The site has a page for each, and finds it.
TEST(Docs, EveryPageIsInTheSite) {
  const fs::path docs = fs::path(source_directory) / "docs";
  const std::string site = text_of(fs::path(source_directory) / "mkdocs.yml");
  for (const auto& entry : fs::recursive_directory_iterator(docs))
    if (entry.path().extension() == ".md") {
      EXPECT_NE(site.find("- " + fs::relative(entry.path(), docs).string() + "\n"), std::string::npos) << entry.path();
    }
}

// Pictures are made by the program (./go pictures). Design notes are about code, and the page of benchmarks is all tables.
TEST(Docs, EveryPageHasAPicture) {
  static const std::regex picture(R"(!\[[^\]]*\]\(([^)]+)\))");
  const fs::path docs = fs::path(source_directory) / "docs";
  for (const fs::path& folder : {docs, docs / "theory"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".md" && entry.path().filename() != "benchmarks.md") {
        EXPECT_FALSE(matches(text_of(entry.path()), picture).empty()) << entry.path();
      }
}

TEST(Docs, EveryModelIsInTheIndexOfModels) {
  const std::string index = text_of(fs::path(source_directory) / "docs/models.md");
  for (const auto& entry : fs::directory_iterator(fs::path(source_directory) / "models"))
    if (entry.path().extension() == ".yaml") {
      EXPECT_NE(index.find("../models/" + entry.path().filename().string()), std::string::npos) << entry.path();
    }
}

// The first column of the tables of messages: each is a part of a message that the program prints.
TEST(Docs, MessagesThatAreExplainedAreThoseOfTheProgram) {
  static const std::regex message("\n\\| `([^`]+)` \\|");
  const fs::path root = source_directory;
  std::string sources;
  for (const char* folder : {"src", "apps"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".def") sources += text_of(entry.path());
  sources = std::regex_replace(sources, std::regex("\"\n\\s*\""), "");  // one string over several lines
  for (const char* page : {"docs/trust.md", "docs/troubleshooting.md"}) {
    const std::vector<std::string> explained = matches(text_of(root / page), message);
    for (const std::string& part : explained)
      EXPECT_NE(sources.find(part), std::string::npos) << page << ": no message contains '" << part << "'";
    EXPECT_GT(explained.size(), 10u);
  }
}

// A text of C++ with comments and literal strings left out.
std::string code_of(const std::string& text) {
  static const std::regex other(R"(//.*|"(?:\\.|[^"\\])*")");
  std::string code;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) code += std::regex_replace(line, other, "") + "\n";
  return code;
}

// "a = 1, b = f(2, 3)" as pairs of names and values.
std::vector<std::pair<std::string, std::string>> declared(const std::string& list) {
  static const std::regex one(R"(\s*([a-z_][a-z_0-9]*)\s*=\s*([^]*?)\s*)");
  std::vector<std::pair<std::string, std::string>> found;
  int depth = 0;
  std::string part;
  for (const char c : list + ",") {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || depth > 0) {
      part += c;
      continue;
    }
    if (std::smatch match; std::regex_match(part, match, one)) found.emplace_back(match[1], match[2]);
    part.clear();
  }
  return found;
}

std::map<std::string, std::string> sources_of(const std::string& folder) {
  std::map<std::string, std::string> texts;
  const fs::path root = source_directory, room = folder.starts_with("viewer/") ? root / folder : root / "src" / folder;
  for (const auto& entry : fs::recursive_directory_iterator(room))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      texts[folder + "/" + fs::relative(entry.path(), room).string()] = code_of(text_of(entry.path()));
  return texts;
}

const std::regex constant_declaration(R"(constexpr double ([^;{}]*);)");

// A number in the code that decides between two ways has a name, and stands in the table.
TEST(Docs, ThresholdsAreThoseOfTheSource) {
  const std::string page = text_of(fs::path(source_directory) / "docs/thresholds.md");
  // numbers of mathematics, and what stands for none
  const std::set<std::string> constants = {"pi", "turn", "golden", "no_fraction", "never"};
  const std::regex number(R"((?:resolved\()?([-+0-9.e/ ]+)\)?)"), row(R"(\n(\| `[^\n]*))");
  std::vector<std::string> rows;
  for (std::sregex_iterator line(page.begin(), page.end(), row), end; line != end; ++line) rows.push_back((*line)[1]);
  std::size_t count = 0;
  for (const char* room :
       {"step",        "linear",    "expression",    "system",           "mechanics",    "force",      "drive",
        "control",     "integrate", "dynamics",      "prepare",          "events",       "observe",    "run",
        "inverse",     "study",     "modes",         "singular",         "tuning",       "plan",       "import",
        "sensitivity", "identify",  "viewer/kernel", "integrate/plugin", "study/plugin", "plan/plugin"})
    for (const auto& [file, code] : sources_of(room)) {
      if (file == "step/dop853.hpp" || file == "step/tableaus.hpp" || file == "mechanics/large_beam_basis.cpp")
        continue;
      for (std::sregex_iterator match(code.begin(), code.end(), constant_declaration), end; match != end; ++match)
        for (const auto& [name, value] : declared((*match)[1])) {
          std::smatch plain;
          if (constants.contains(name) || !std::regex_match(value, plain, number)) continue;
          const std::string begins = "| `" + name + "` | " + plain[1].str() + " | ", ends = " | `" + file + "` |";
          EXPECT_TRUE(std::ranges::any_of(
              rows, [&](const std::string& each) { return each.starts_with(begins) && each.ends_with(ends); }))
              << begins << "…" << ends;
          ++count;
        }
    }
  EXPECT_GT(count, 300u);
}

// Whole numbers up to a thousand and halves count and halve; a number that a declaration names needs no other name.
TEST(Docs, ThresholdsHaveNames) {
  const std::map<std::string, std::string> coefficients = {
      {"integrate/radau5.cpp", "Hairer and Wanner's first step, control and polynomial"},
      {"integrate/radau_stages.cpp", "their control of the iteration"},
      {"mechanics/small_beam.cpp", "points of Gauss"},
      {"mechanics/small_beam_basis.cpp", "matrices of an element"},
      {"mechanics/small_beam_elasticity.cpp", "the same"},
      {"mechanics/beam.cpp", "values of parameters at random"},
      {"mechanics/linear_angle.cpp", "the same"},
      {"mechanics/vanishing_row.cpp", "the same"},
      {"mechanics/reactions.cpp", "the same"},
      {"system/feedback.cpp", "the same"},
      {"mechanics/constraint_rows.cpp", "millimetres"},
      {"plan/plugin/ipopt.cpp", "options of Ipopt"},
      {"control/sampled.cpp", "keeps 0/0 away"},
      {"force/contact_law.cpp", "Poisson's ratio, where none is given"},
  };
  const std::regex floating(R"((?:^|[^\w.'])((?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?![\w.']))"),
      named(R"(double \w+ = (?:\d|\.)[-+\w.]*|constexpr [^;]*;)");
  for (const char* room : {"linear", "system", "mechanics", "force", "control", "integrate", "dynamics", "observe",
                           "inverse", "modes", "plan", "integrate/plugin", "plan/plugin"})
    for (const auto& [file, code] : sources_of(room)) {
      if (coefficients.contains(file)) continue;
      const std::string rest = std::regex_replace(code, named, "");
      for (std::sregex_iterator match(rest.begin(), rest.end(), floating), end; match != end; ++match) {
        const double value = std::stod((*match)[1]), eighths = 8 * value;
        const bool counts =
            eighths == std::round(eighths) && value <= 1000 && (*match)[1].str().find('e') == std::string::npos;
        EXPECT_TRUE(counts) << file << ": " << (*match)[1] << " has no name";
      }
    }
}

// docs/architecture.md lists every folder of the build, with what it uses: the folders that it links, and those that these link.
TEST(Docs, FoldersUseWhatTheBuildLinks) {
  const fs::path root = source_directory;
  std::map<std::string, std::set<std::string>> links, listed;
  const std::string build = text_of(root / "CMakeLists.txt"), page = text_of(root / "docs/architecture.md");
  const std::regex library(R"(\narmature_library\((\w+)([^)]*)\))"), linked(R"(armature_(\w+))");
  for (std::sregex_iterator it(build.begin(), build.end(), library), end; it != end; ++it) {
    std::set<std::string>& all = links[(*it)[1]];
    const std::string arguments = (*it)[2];
    for (const std::string& name : matches(arguments, linked))
      if (const auto known = links.find(name); known != links.end()) {
        all.insert(name);
        all.insert(known->second.begin(), known->second.end());
      }
  }
  const std::regex row(R"(\n\| ((?:`\w+/`(?:, )?)+) \|[^|\n]*\| ([^|\n]*) \|)"), folder(R"(`(\w+)/`)"),
      word(R"((\w+))");
  for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it) {
    const std::string folders = (*it)[1], uses = (*it)[2];
    for (const std::string& name : matches(folders, folder)) {
      EXPECT_TRUE(links.contains(name)) << name;
      std::set<std::string>& all = listed[name];
      for (const std::string& used : matches(uses, word))
        if (links.contains(used)) {
          ASSERT_TRUE(listed.contains(used)) << used << " has no row before " << name;
          all.insert(used);
          all.insert(listed[used].begin(), listed[used].end());
        }
      EXPECT_EQ(all, links[name]) << name;
    }
  }
  for (const auto& [name, all] : links) EXPECT_TRUE(listed.contains(name)) << name << " is missing";
}

// Each addition touches one file and one list, and both exist: a folder stands for a file in it, NAME for any name.
TEST(Docs, AnAdditionTouchesOneFileAndOneList) {
  const fs::path root = source_directory;
  const std::string page = text_of(root / "docs/architecture.md");
  const std::string table = page.substr(page.find("## What to change for"));
  const std::regex row(R"(\n\| ([^|`\n]+) \| ([^|\n]*) \| ([^|\n]*) \|)"),
      place(R"(`((?:[a-z]+/)+(?:[A-Za-z_0-9]+\.(?:hpp|cpp|def))?)`)");
  const auto exists = [&](std::string file) {
    const fs::path folder = fs::exists(root / "src" / file.substr(0, file.find('/'))) ? root / "src" : root;
    const std::size_t name = file.find("NAME");
    if (name == std::string::npos) return fs::exists(folder / file);
    const std::string begins = fs::path(file.substr(0, name)).filename(), ends = file.substr(name + 4);
    for (const fs::directory_entry& entry : fs::directory_iterator((folder / file).parent_path()))
      if (const std::string found = entry.path().filename(); found.starts_with(begins) && found.ends_with(ends))
        return true;
    return false;
  };
  int rows = 0;
  for (std::sregex_iterator it(table.begin(), table.end(), row), end; it != end; ++it) {
    const std::string what = (*it)[1], file = (*it)[2], list = (*it)[3];
    if (what == "to add") continue;
    for (const std::string& cell : {file, list}) {
      const std::vector<std::string> places = matches(cell, place);
      EXPECT_EQ(places.size(), 1u) << what << ": " << cell;
      for (const std::string& one : places) EXPECT_TRUE(exists(one)) << one;
    }
    ++rows;
  }
  EXPECT_GE(rows, 12);
}

// docs/architecture.md says where things are: its files exist, and the names behind a file stand in it.
TEST(Docs, PlacesOfTheArchitectureExist) {
  const fs::path root = source_directory;
  const std::string page = text_of(root / "docs/architecture.md");
  const std::regex place(R"(`((?:[a-z_]+/)+[a-z_0-9]+\.(?:hpp|cpp|def))`(?:: ((?:`[A-Za-z_:]+`(?:, | and )?)+))?)"),
      name(R"(`(?:\w+::)*(\w+)`)");
  int count = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), place), end; it != end; ++it) {
    const std::string file = (*it)[1], names = (*it)[2];
    const fs::path path = fs::exists(root / "src" / file) ? root / "src" / file : root / file;
    ASSERT_TRUE(fs::exists(path)) << file;
    const std::string text = text_of(path);
    for (const std::string& wanted : matches(names, name)) {
      EXPECT_NE(text.find(wanted), std::string::npos) << file << " has no " << wanted;
      ++count;
    }
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace armature::internal
