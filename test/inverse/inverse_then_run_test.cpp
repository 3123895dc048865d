// The efforts of inverse dynamics, fed to a run, make the motion: every shipped model to which it applies. That of surfaces in contact and
// of beams is so stiff that efforts between rows matter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "expression/derivative.hpp"
#include "force/effort.hpp"
#include "inverse/inverse.hpp"
#include "model/request_error.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

constexpr int rows = 200;

std::vector<std::string> all_models() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(source_directory) + "/models"))
    if (entry.path().extension() == ".yaml" && entry.path().string().find("/contact/") == std::string::npos &&
        entry.path().string().find("/beams/") == std::string::npos)
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

// A coordinate that is moved, and by how much.
struct Wanted {
  std::string name, channel;  // channel: of the effort
  double begin = 0, speed = 0, way = 0;
};

// What moves the machine: its drives; without any, an effort on its first coordinate. Empty: nothing can.
std::vector<Wanted> wanted_of(const Model& model, const Prepared& start) {
  const Equations& e = start.system->equations();
  std::vector<Wanted> list;
  const auto add = [&](const std::string& name, const std::string& channel) {
    for (std::size_t i = 0; i < e.velocities.size() && i < e.positions.size(); ++i) {
      if (e.positions[i].name != name || e.velocities[i].name != name + "'") continue;
      const bool is_length = e.positions[i].kind == Coordinate::Kind::length;
      list.push_back({name, channel, start.start.x[static_cast<Eigen::Index>(i)],
                      start.start.x[static_cast<Eigen::Index>(e.positions.size() + i)], is_length ? 0.005 : 0.05});
      return true;
    }
    return false;
  };
  for (const Drive& drive : model.drives)
    if (!drive.on.empty() && !add(drive.on, drive.name + ".torque")) return {};
  for (std::size_t i = 0; i < e.positions.size() && list.empty(); ++i)
    if (e.positions[i].kind == Coordinate::Kind::angle || e.positions[i].kind == Coordinate::Kind::length)
      add(e.positions[i].name, "effort." + e.positions[i].name);
  return list;
}

std::string name_of_table(const Wanted& wanted) {
  std::string name = "fed_" + wanted.name;
  std::ranges::replace(name, '.', '_');
  return name;
}

// The same machine, with efforts in place of what drives it.
Model fed_with(Model model, const std::vector<Wanted>& list, const MemoryRecorder& found) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string table = name_of_table(list[k]);
    model.tables[table] = std::make_shared<Table>(Table::spline(found.column("t"), found.column(list[k].channel)));
    const Formula effort = parse_formula(table + "(t)", {});
    if (model.drives.empty())
      model.forces.push_back(make_effort("fed", {}, list[k].name, effort));
    else
      model.drives[k].command = {"torque", effort};
  }
  for (Drive& drive : model.drives) drive.limits.clear();
  model.simulate.rtol = 1e-9;
  return model;
}

// Why it does not apply to a model; empty: it does, and the motion was compared.
std::string compare_motions(const std::string& file) {
  Model model = read_model(file);
  if (!model.motion.empty()) model.motion.clear(), model.actuators.clear();
  const auto takes_torque = [](const Drive& drive) {
    const std::string kind = drive.kind->type();
    return (kind == "dc_motor" || kind == "pmsm" || kind == "servo") && !drive.gear.elastic();
  };
  if (!std::ranges::all_of(model.drives, takes_torque)) return "a drive takes no torque";
  const double duration = std::min(0.1, 0.1 * model.simulate.end);  // s
  model.simulate.record = duration / rows;
  model.simulate.end = duration;
  Prepared start = compile(model);
  assemble_start(start);
  if (!start.failure.empty()) return start.failure;
  const Equations& e = start.system->equations();
  if (std::ranges::any_of(e.rows, [&](const ConstraintRow& row) { return depends_on(row.phi, e.t); }))
    return "it is moved already";
  if (e.positions.size() > 40) return "it takes seconds";
  const std::vector<Wanted> list = wanted_of(model, start);
  if (list.empty()) return "no coordinate to move";
  Model moved = model;
  for (const Wanted& wanted : list) {
    moved.motion.push_back({wanted.name,
                            {},
                            parse_formula(fmt::format("{:.17g} + {:.17g}*t + {}*quintic(t, 0, {})", wanted.begin,
                                                      wanted.speed, wanted.way, duration),
                                          {})});
    if (model.drives.empty()) moved.actuators.push_back(wanted.name);
  }
  Prepared wanted_start = compile_inverse(moved);
  assemble_start(wanted_start);
  if (!wanted_start.failure.empty()) return wanted_start.failure;
  MemoryRecorder found;
  const Outcome outcome = inverse(moved, wanted_start, found);
  if (outcome.status != RunStatus::finished) return outcome.sentence;
  const Simulation run = simulated(fed_with(model, list, found));
  if (run.outcome.status != RunStatus::finished) return run.outcome.sentence;
  for (const Wanted& wanted : list)
    EXPECT_NEAR(run.last(wanted.name), wanted.begin + wanted.speed * duration + wanted.way, 1e-3 * wanted.way)
        << file << ", " << wanted.name;
  return "";
}

TEST(EveryModel, MovesAsInverseDynamicsSays) {
  int compared = 0;
  for (const std::string& file : all_models()) {
    SCOPED_TRACE(file);
    try {
      const std::string reason = compare_motions(file);
      compared += reason.empty();
    } catch (const std::runtime_error&) {  // robots in formats of their own, drives that inverse dynamics does not know
    }
  }
  EXPECT_GE(compared, 50);  // of some 70 that move by themselves
}

}  // namespace
}  // namespace armature::internal
