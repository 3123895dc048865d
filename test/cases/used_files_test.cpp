// A mistake is reported where it stands: in the file, the line and the words of the file that has it, with the use that leads there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "model/diagnostics.hpp"
#include "model/file_kind.hpp"
#include "prepare/prepare.hpp"
#include "run/simulate.hpp"
#include "support/mutation.hpp"
#include "support/paths.hpp"
#include "support/run_model.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* machine = R"yaml(armature: 1
gravity: [0, 0, -9.81]
bodies: {frame: {mass: 1 kg, inertia: {sphere: 0.1}}}
joints: {frame_slide: {type: prismatic, axis: x, between: [ground, frame]}}
use: {p: {file: parts/part.yaml}}
simulate: {end: 1}
)yaml";

constexpr const char* part = R"yaml(# a pendulum with a spring
parameters: {l: 1 m, k: 2 N*m}
define: {height: bob.z}
bodies:
  bob: {mass: 1 kg, center: [l, 0, 0], inertia: {sphere: 0.1}, points: {tip: [l, 0, 0]}}
joints:
  swing: {type: revolute, axis: y, between: [ground, bob], damping: 0.1 N*m*s}
forces:
  spring: {type: torsion_spring, on: swing, stiffness: k}
start: {keep: {swing: 20 deg}}
)yaml";

class UsedFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Model read() const { return read_model((folder_ / "m.yaml").string()); }

  std::vector<std::string> lines_of(const std::string& text) const {
    std::vector<std::string> lines;
    const std::string beside = folder_.path().string() + "/";
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      for (std::size_t at; (at = line.find(beside)) != std::string::npos;) line.erase(at, beside.size());
      lines.push_back(line);
    }
    return lines;
  }

  // What is wrong with the machine when this stands in its part in place of that; without the folder.
  std::vector<std::string> wrong(const std::string& from = "", const std::string& to = "") const {
    std::string text = part;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    write("parts/part.yaml", text);
    write("m.yaml", machine);
    try {
      compile(read());
    } catch (const ModelError& error) {
      return lines_of(error.what());
    }
    return {};
  }

  TemporaryFolder folder_;
};

TEST_F(UsedFiles, HaveTheirMistakesInTheirOwnLinesAndWords) {
  EXPECT_THAT(wrong(), IsEmpty());
  const auto expect = [&](const std::string& from, const std::string& to, const std::vector<std::string>& sentences) {
    std::vector<std::string> lines;
    for (const std::string& sentence : sentences)
      lines.push_back("parts/part.yaml:" + sentence + " (used in m.yaml:5 as p)");
    EXPECT_EQ(wrong(from, to), lines);
  };
  expect("mass:", "mas:", {"5: bodies.bob.mas: unknown key (did you mean 'mass'?)"});
  expect("on: swing", "on: swingg",
         {"9: forces.spring.on: unknown coordinate 'swingg'; expected frame_slide or swing"});
  expect("stiffness: k", "stiffness: 2*kk", {"9: forces.spring.stiffness: unknown name 'kk'"});
  expect("k: 2 N*m", "k: 2 N", {"9: forces.spring.stiffness: expected N m, but 'k' is N"});
  expect("bodies:", "bodies: [", {"4: '[' is not closed by ']'"});
  expect("start:", "begin:", {"10: begin: an assembly cannot have 'begin'; it has sections such as bodies and joints"});
  expect("{swing: 20 deg}", "{swing: 1/0}", {"10: start.keep.swing: divides by zero"});
  expect("mass: 1 kg", "mass: -1 kg",
         {"5: bodies.bob.mass: must not be negative, but it is -1",
          "5: bodies.bob.inertia: xx must not be negative, but it is -0.004000000000000001"});
  expect("define: {height", "define: {swing",
         {"7: joints.swing: the definition in parts/part.yaml:3 already has this name"});
}

TEST_F(UsedFiles, HaveTheirMistakesOnceHoweverOftenTheyAreUsed) {
  write("parts/part.yaml", std::string(part).replace(std::string(part).find("mass"), 4, "mas"));
  write("m.yaml", std::string(machine) + "# again\n");
  std::string twice = machine;
  twice.replace(twice.find("use: {"), 6, "use: {q: {file: parts/part.yaml}, r: {file: parts/part.yaml}, ");
  write("m.yaml", twice);
  try {
    read();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(lines_of(error.what()).size(), 1u) << error.what();
  }
}

TEST_F(UsedFiles, AreNamedWhenAFormulaLosesItsValue) {
  std::string text = part;
  write("parts/part.yaml",
        text.replace(text.find("type: torsion_spring"), 45, "type: effort, on: swing, is: 1/(0.2 - t)^2"));
  write("m.yaml", machine);
  const Prepared prepared = armature::internal::prepared(read());
  MemoryRecorder rows;
  const Outcome outcome = simulate(prepared, rows);
  EXPECT_EQ(outcome.status, RunStatus::failed);
  const std::string sentence = lines_of(outcome.sentence).front();
  EXPECT_THAT(sentence, HasSubstr("parts/part.yaml:9: '1/(0.2 - t)^2' "));
  EXPECT_THAT(sentence, HasSubstr("(used in m.yaml:5 as p)"));
}

TEST_F(UsedFiles, AreNamedByEvents) {
  std::string text = part;
  write("parts/part.yaml",
        text.replace(text.find("type: torsion_spring"), 45, "type: effort, on: swing, is: 'k*min(1, 0.5 + t)'"));
  write("m.yaml", machine);
  const Prepared prepared = armature::internal::prepared(read());
  MemoryRecorder rows;
  const Outcome outcome = simulate(prepared, rows);
  ASSERT_EQ(outcome.events.size(), 1u);
  EXPECT_THAT(outcome.events[0].what, HasSubstr("'min(1, 0.5 + t)' (parts/part.yaml:9)"));
}

// The file in which each of the mistakes is.
std::vector<std::string> files_of(const std::function<Model()>& read) {
  try {
    compile(read());
    return {};
  } catch (const ModelError& error) {
    std::vector<std::string> files;
    for (const Diagnostic& diagnostic : error.diagnostics())
      if (diagnostic.where.line > 0) files.push_back(error.file_of(diagnostic) + "  " + error.message_of(diagnostic));
    return files;
  } catch (const FormulaError&) {
    return {};
  }
}

// Every shipped model that may be a part of another, with one mistake after another: whatever line is named is one of its own.
TEST_F(UsedFiles, WithAMistakeAreTheOnesThatAreNamed) {
  int refused = 0;
  for (const auto& entry : fs::recursive_directory_iterator(std::string(source_directory) + "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string text = read_file(entry.path()).value();
    if (text.find("\nlagrangian:") != text.npos || text.find("\nassemblies:") != text.npos || text.size() > 3000)
      continue;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      write("parts/part.yaml", Mutation(seed).of_model(text));
      write("m.yaml", machine);
      for (const std::string& said : files_of([&] { return read(); })) {
        ++refused;
        const bool names_it = said.find("parts/part.yaml") != said.npos;
        EXPECT_TRUE(names_it) << entry.path() << ", seed " << seed << ": " << said;
      }
    }
  }
  EXPECT_GT(refused, 200);
}

// Names in loops, too: crank{i} where crank1 and crank2 are given one by one, ranges that end with a parameter.
TEST_F(UsedFiles, MayBeAnyShippedModel) {
  int parts = 0;
  for (const auto& entry : fs::recursive_directory_iterator(std::string(source_directory) + "/models")) {
    const std::string text = entry.path().extension() == ".yaml" ? read_file(entry.path()).value() : "lagrangian:";
    const bool has_other_sections = text.find("lagrangian:") != text.npos || text.find("\nassemblies:") != text.npos ||
                                    text.find("\nfmus:") != text.npos || text.find("\nbodies:") == text.npos;
    if (entry.path().stem() == "biped") continue;  // words of its loops name what other loops make
    if (has_other_sections || text.find("file: ") != text.npos || text.find("mesh: ") != text.npos) continue;
    const std::size_t plane = text.find("\nplane: ");
    write("parts/part.yaml", text);
    write("m.yaml", std::string(machine) + (plane == text.npos ? "" : text.substr(plane + 1, 9) + "\n"));
    EXPECT_THAT(files_of([&] { return read(); }), IsEmpty()) << entry.path();
    ++parts;
  }
  EXPECT_GT(parts, 60);
}

// And the other way round: a mistake of the machine is never looked for in its part.
TEST_F(UsedFiles, AreNotBlamedForTheMachine) {
  int refused = 0;
  write("parts/part.yaml", part);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    write("m.yaml", Mutation(seed).of_model(machine));
    for (const std::string& said : files_of([&] { return read(); })) {
      ++refused;
      EXPECT_THAT(said, testing::StartsWith((folder_ / "m.yaml").string())) << "seed " << seed;
    }
  }
  EXPECT_GT(refused, 100);
}

// ---------------------------------------------------------------- how far files reach

std::string refusal_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST_F(UsedFiles, LieInTheFolderOfTheModelOrOfItsRoot) {
  write("part.yaml", part);
  write("t.csv", "x,y\n0,0\n1,1\n");
  const std::string head = "armature: 1\ngravity: [0, 0, -9.81]\n";
  const std::string body =
      "bodies: {b: {mass: 1, inertia: none}}\njoints: {j: {type: prismatic, axis: x, between: [ground, b]}}\n";
  const std::map<std::string, std::string> models = {
      {"use.p.file: '../part.yaml'", head + "use: {p: {file: ../part.yaml}}\n"},
      {"tables.f.file: '../t.csv'", head + body + "tables: {f: {file: ../t.csv}}\n"},
      {"use.p.file: '/etc/shadow'", head + "use: {p: {file: /etc/shadow}}\n"},
      {"tables.f.file: 'link.csv'", head + body + "tables: {f: {file: link.csv}}\n"}};
  fs::create_directories(folder_ / "in");
  fs::create_symlink("../t.csv", folder_ / "in/link.csv");
  for (const auto& [key, text] : models) {
    write("in/m.yaml", text);
    const std::string file = (folder_ / "in/m.yaml").string();
    EXPECT_THAT(refusal_of([&] { read_model(file); }),
                HasSubstr(key + " is outside the folder of the model (see --root)"));
    const std::string widened = refusal_of([&] { read_model(file, {}, folder_.path().string()); });
    if (key.find("/etc") == key.npos)
      EXPECT_EQ(widened, "");
    else
      EXPECT_THAT(widened, HasSubstr("is outside"));
  }
}

TEST_F(UsedFiles, ThatAreNoModelsAreNotQuoted) {
  write("m.yaml", machine);
  for (const char* secret : {"root:*:20228:0:99999:7:::\nsecret:$6$word:1::\n", "secret word\n", "- secret\n- words\n",
                             "\tsecret: [", "<xml>secret</xml>", "secret: word\nsecond: 2\n", ""}) {
    write("parts/part.yaml", secret);
    const std::string said = refusal_of([&] { read(); });
    EXPECT_THAT(said, HasSubstr("m.yaml:5: use.p.file: parts/part.yaml: is no part of a model")) << secret;
    EXPECT_THAT(said, testing::Not(HasSubstr("secret")));
  }
}

}  // namespace
}  // namespace armature::internal
