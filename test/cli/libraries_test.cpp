// The shared libraries that a start of the program loads: what every verb needs, and the rest only where it is used.
#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::IsSupersetOf;
using testing::Not;
using Names = std::set<std::string>;

const Names always = {"libc",   "libm",        "libgcc_s", "libstdc++",  "ld-linux-x86-64", "libmvec",
                      "libfmt", "libyaml-cpp", "libz",     "libpugixml", "libdl",           "libpthread"};
const Names plugins = {"armature_cairo", "armature_http", "armature_ipopt", "armature_nlopt", "armature_sundials"};

class Libraries : public Program {
 protected:
  Libraries() { write("pendulum.yaml", pendulum); }

  // Up to the first dot of their names, as the dynamic loader tells of them; sanitizers bring some of their own.
  Names loaded_by(const std::string& arguments) {
    const Answer answer = shell("LD_DEBUG=files LD_DEBUG_OUTPUT=loaded " + std::string(program_path) + " " + arguments);
    EXPECT_EQ(answer.code, 0) << arguments << answer.err;
    return loaded();
  }

  Names loaded() {
    static const std::regex init("calling init: [^\n]*/([^/.\n]+(?:-[0-9.]+)?)\\.so");
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      if (!entry.path().filename().string().starts_with("loaded")) continue;
      const std::string text = read(entry.path().filename().string());
      for (std::sregex_iterator at(text.begin(), text.end(), init), end; at != end; ++at)
        if (const std::string name = (*at)[1]; !std::regex_match(name, std::regex("lib[aut]b?san"))) names.insert(name);
      std::filesystem::remove(entry.path());
    }
    return names;
  }

  // The program without what stands beside it.
  std::string alone() {
    std::filesystem::create_directory(folder / "bin");
    std::filesystem::copy_file(program_path, folder / "bin/armature");
    return "bin/armature ";
  }
};

TEST_F(Libraries, AStartLoadsWhatEveryVerbNeedsAndNothingElse) {
  EXPECT_THAT(loaded_by("--version"), IsSubsetOf(always));
  EXPECT_THAT(loaded_by("check pendulum.yaml"), IsSubsetOf(always));
  EXPECT_THAT(loaded_by("run pendulum.yaml -o motion"), IsSubsetOf(always));
  EXPECT_THAT(with_errors("run pendulum.yaml -o repeated").out, HasSubstr("±"));
  EXPECT_THAT(loaded_by("draw pendulum.yaml -o pendulum.svg"), IsSubsetOf(always));
}

TEST_F(Libraries, AVerbLoadsWhatItNeeds) {
  const std::string models = std::string(source_directory) + "/models";
  const std::pair<const char*, std::string> verbs[] = {
      {"cairo", "draw pendulum.yaml -o pendulum.png"},
      {"ipopt", "plan " + models + "/plan/cart.yaml --to 'travel=1 m' --input push=-2:2 -o plan"},
      {"nlopt", "optimize pendulum.yaml --over length=1:2 --minimize 'max(theta)' --evaluations 4 -o best"},
      {"sundials", "run pendulum.yaml --integrator cvode_bdf -o stiff"}};
  for (const auto& [plugin, line] : verbs) {
    const Names found = loaded_by(line);
    for (const std::string& other : plugins)
      EXPECT_EQ(found.contains(other), other == std::string("armature_") + plugin) << other << ": " << line;
  }
}

TEST_F(Libraries, ViewLoadsTheServer) {
  shell("LD_DEBUG=files LD_DEBUG_OUTPUT=loaded " + std::string(program_path) +
        " view pendulum.yaml --no-open >log 2>&1 & server=$!; "
        "for k in $(seq 100); do grep -q http log && break; sleep 0.1; done; kill -INT $server; wait $server");
  const Names found = loaded();
  EXPECT_THAT(found, IsSupersetOf(Names{"armature_http", "libcpp-httplib"}));
  EXPECT_THAT(found, Not(Contains(AnyOf("armature_cairo", "armature_ipopt", "armature_nlopt", "armature_sundials"))));
}

TEST_F(Libraries, WithoutPluginsTheRestWorksAndASentenceSaysWhatIsMissing) {
  const std::string program = alone(), models = std::string(source_directory) + "/models";
  EXPECT_EQ(shell(program + "run pendulum.yaml -o motion").code, 0);
  const std::pair<const char*, std::string> verbs[] = {
      {"cairo is needed for pictures as PNG or PDF, and films", "draw pendulum.yaml -o pendulum.png"},
      {"cairo is needed for pictures as PNG or PDF, and films", "film motion -o film.gif"},
      {"cpp-httplib is needed for view", "view pendulum.yaml --no-open"},
      {"Ipopt is needed for plan", "plan " + models + "/plan/cart.yaml --to 'travel=1 m' --input push=-2:2 -o plan"},
      {"NLopt is needed for optimize", "optimize pendulum.yaml --over length=1:2 --minimize 'max(theta)' -o best"},
      {"SUNDIALS is needed for the integrators auto, cvode_bdf", "run pendulum.yaml --integrator ida -o stiff"},
      {"SUNDIALS is needed for the integrators auto, cvode_bdf", "run pendulum.yaml --integrator auto -o stiff"},
      {"SUNDIALS is needed for the integrators auto, cvode_bdf",
       "sweep pendulum.yaml --over length=1:2:2 --result 'top=max(theta)' --integrator cvode_adams -o cells"}};
  for (const auto& [sentence, line] : verbs) {
    const Answer answer = shell(program + line);
    EXPECT_EQ(answer.code, 1) << line;
    EXPECT_THAT(answer.err, HasSubstr(sentence)) << line;
    EXPECT_THAT(answer.err, HasSubstr(" and cannot be loaded: armature_")) << line;
    EXPECT_FALSE(exists("pendulum.png") || exists("plan") || exists("best")) << line;
  }
  const std::string doctor = shell(program + "doctor").out;
  for (const std::string library : {"cairo", "cpp-httplib", "Ipopt", "NLopt", "SUNDIALS"})
    EXPECT_THAT(doctor, HasSubstr(library + " is needed for")) << library;
  EXPECT_THAT(armature("doctor").out, HasSubstr("cairo, cpp-httplib, Ipopt, NLopt, SUNDIALS"));
}

}  // namespace
}  // namespace armature::internal
