// Exported code against runs of the engine, for mutants of the shipped models: each that is still a model and starts is exported,
// compiled without optimization (libFuzzer could not be used: a compiler takes a thousand times longer than everything else) and
// moved by RK4 beside a run. Both take the same step, and so give the same bits.
//
//   armature_exported_c MODELS SEED COUNT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "inspect/export_c.hpp"
#include "prepare/prepare.hpp"
#include "read/reader.hpp"
#include "run/simulate.hpp"
#include "support/child_process.hpp"
#include "support/mutation.hpp"
#include "temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using namespace armature::internal;

constexpr int steps = 20;
constexpr double step = 1e-4;  // s

// Near a singular pose a run leaves the common step for its full engine, and exported code does not.
constexpr double tolerance = 1e-7;

struct Motion {
  bool ends = true;  // false: a singular pose or a number that is none on the way
  std::vector<double> x;
};

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> model_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Motion of_exported(const ExportedCode& code) {
  const TemporaryFolder folder;
  std::ofstream(folder / "m.c") << code.programs;
  std::ofstream(folder / "m.h") << code.header;
  std::ofstream(folder / "m_step.cpp") << code.step;
  std::ofstream(folder / "main.c")
      << "#include <stdio.h>\n\n#include \"m.h\"\nint main(void) {\n  m_state s;\n  int failed = 0;\n  m_start(&s);\n"
      << fmt::format("  for (int k = 0; k < {}; ++k) failed |= m_step(&s, m_parameters, {});\n", steps, step)
      << "  for (int i = 0; i < m_nx; ++i) printf(\"%.17g\\n\", s.x[i]);\n  return failed;\n}\n";
  const ChildLimits patience{.seconds = 60, .grace = 1};
  const std::vector<std::vector<std::string>> commands = {
      {"/usr/bin/cc", "-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off", "-c", "m.c",
       "main.c"},
      {"/usr/bin/c++", "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off", "-c",
       "m_step.cpp"},
      {"/usr/bin/cc", "m.o", "main.o", "m_step.o", "-lm", "-o", "m"}};
  for (const auto& command : commands)
    if (run_child(command, folder.path().string(), patience).code != 0)
      throw std::runtime_error("the exported code does not compile: " + read(folder / "err").substr(0, 500));
  const ChildResult ran = run_child({(folder / "m").string()}, folder.path().string(), patience);
  if (ran.signal != 0) throw std::runtime_error(fmt::format("the exported code ends by signal {}", ran.signal));
  Motion motion{ran.code == 0, {}};
  std::ifstream in(folder / "out");
  for (std::string word; in >> word;) motion.x.push_back(std::strtod(word.c_str(), nullptr));
  return motion;
}

Motion of_engine(Prepared prepared) {
  prepared.options.end = prepared.start.t + steps * step;
  MemoryRecorder record;
  const Outcome outcome = simulate(prepared, record);
  const Eigen::VectorXd& x = outcome.last.x;
  const Equations& e = prepared.system->equations();
  const std::size_t mechanical = e.q.size() + e.v.size();
  Motion motion{outcome.status == RunStatus::finished, {x.data(), x.data() + mechanical}};
  for (std::size_t i = 0; i < e.z.size(); ++i)
    if (!e.others[i].in_ledger()) motion.x.push_back(x[static_cast<Eigen::Index>(mechanical + i)]);
  return motion;
}

bool finite(const Motion& motion) {
  return std::all_of(motion.x.begin(), motion.x.end(), [](double x) { return std::isfinite(x); });
}

// Empty: they agree, or one of the two gave up.
std::string difference(const Motion& c, const Motion& engine) {
  if (c.x.size() != engine.x.size())
    return fmt::format("{} states in C, {} in the engine", c.x.size(), engine.x.size());
  if (!c.ends || !engine.ends || !finite(c) || !finite(engine)) return "";
  double scale = 0;
  for (const double x : engine.x) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < c.x.size(); ++i)
    if (!(std::abs(c.x[i] - engine.x[i]) <= tolerance * (1 + scale)))
      return fmt::format("state {} is {:.17g} in C, {:.17g} in the engine", i, c.x[i], engine.x[i]);
  return "";
}

// Nothing: the mutant is no model that can be exported and moves.
std::optional<Prepared> prepared_of(const std::string& text) {
  try {
    Model model = read_model_text(text, "m.yaml");
    model.simulate.integrator = "rk4";
    model.simulate.step = step;
    Prepared prepared = compile(model);
    assemble_start(prepared);
    if (!prepared.failure.empty()) return std::nullopt;
    return prepared;
  } catch (const ModelError&) {
    return std::nullopt;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: armature_exported_c MODELS SEED COUNT\n");
    return 2;
  }
  const std::vector<fs::path> files = model_files(argv[1]);
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  const long count = std::atol(argv[3]);
  long compared = 0, equal = 0, left_out = 0, faults = 0;
  for (long k = 0; compared < count && k < 20 * count; ++k) {
    Mutation mutation(seed * 1'000'003 + static_cast<std::uint64_t>(k));
    const fs::path file = files[mutation.below(files.size())];
    const auto prepared = prepared_of(mutation.of_model(read(file)));
    if (!prepared) continue;
    std::string fault;
    try {
      const Motion c = of_exported(export_c(*prepared, "a mutant", "m")), engine = of_engine(*prepared);
      fault = difference(c, engine);
      ++compared;
      if (c.x == engine.x) ++equal;
    } catch (const std::invalid_argument&) {  // what cannot be exported says so
      ++left_out;
    } catch (const std::exception& error) {
      fault = error.what();
    }
    if (fault.empty()) continue;
    ++faults;
    fmt::print("mutant {} of seed {}, {}: {}\n", k, seed, file.filename().string(), fault);
  }
  fmt::print("{} mutants compared, {} with the same bits, {} cannot be exported, {} faults\n", compared, equal,
             left_out, faults);
  return faults == 0 && compared > 0 ? 0 : 1;
}
