#include "fmi/host_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/request_error.hpp"

namespace armature::internal {

namespace {

using Entries = std::vector<StartEntry>;

void set_setting(Settings& settings, const std::string& name, double value) {
  std::erase_if(settings, [&](const auto& setting) { return setting.first == name; });
  settings.emplace_back(name, fmt::format("{}", value));
}

Model model_with(const FmuModel& source, const HostValues& values) {
  Settings settings = source.settings;
  if (values.tolerance) set_setting(settings, "simulate.rtol", *values.tolerance);
  const bool any = std::ranges::any_of(values.parameters, [](const auto& value) { return value.has_value(); });
  if (any) {
    const Model own = read_model_text(source.text, source.file, source.settings, source.root);
    for (std::size_t k = 0; k < values.parameters.size(); ++k)
      if (values.parameters[k]) set_setting(settings, own.parameters[k].name, *values.parameters[k]);
  }
  return read_model_text(source.text, source.file, settings, source.root);
}

void remove_entry(Entries& entries, const std::string& name) {
  std::erase_if(entries, [&](const StartEntry& entry) { return entry.name == name; });
}

void move_to(Entries& near, Entries& keep) {
  near.insert(near.end(), keep.begin(), keep.end());
  keep.clear();
}

// The first `loose` values of the host are preferred ones, the others hold exactly; so do those of the file, unless they give way.
Start start_with(Start start, const Equations& e, const std::vector<HostValues::Start>& values, std::size_t loose,
                 bool file_gives_way) {
  if (file_gives_way) move_to(start.near, start.keep), move_to(start.speed_near, start.speed_keep);
  const auto nq = static_cast<int>(e.positions.size()), nv = static_cast<int>(e.velocities.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool is_position = values[k].state < nq;
    if (values[k].state >= nq + nv) continue;
    const Coordinate& coordinate = is_position ? e.positions[static_cast<std::size_t>(values[k].state)]
                                               : e.velocities[static_cast<std::size_t>(values[k].state - nq)];
    StartEntry entry;
    entry.name = coordinate.name;
    if (!is_position && entry.name.ends_with('\'')) entry.name.pop_back();
    entry.value = number_formula(values[k].value);
    Entries &keep = is_position ? start.keep : start.speed_keep, &near = is_position ? start.near : start.speed_near;
    remove_entry(keep, entry.name), remove_entry(near, entry.name);
    (k < loose ? near : keep).push_back(entry);
  }
  return start;
}

// States that no constraint sees are as the host has set them.
void take_free_states(const std::vector<HostValues::Start>& values, Prepared& prepared) {
  const Layout& n = prepared.system->layout();
  for (const HostValues::Start& start : values)
    if (start.state >= n.nq + n.nv) prepared.start.x[start.state] = start.value;
}

void move_to_start_time(double t, Prepared& prepared) {
  if (t == prepared.start.t || !prepared.failure.empty()) return;
  State start = prepared.start;
  start.t = t;
  assemble_start(prepared, start);
}

Prepared assembled(const Model& model) {
  Prepared prepared = compile(model);
  assemble_start(prepared);
  return prepared;
}

void require_start(const Prepared& prepared) {
  if (!prepared.failure.empty()) throw ComputationError(fmt::format("{}: start: {}", prepared.file, prepared.failure));
}

std::string value_words(const HostValues::Start& start, const Equations& e) {
  const auto nq = e.positions.size();
  const auto k = static_cast<std::size_t>(start.state);
  return fmt::format("{} = {:g}", k < nq ? e.positions[k].name : e.velocities[k - nq].name, start.value);
}

// Fewer and fewer of the values hold exactly, until the loops close.
void assemble_with_values(const HostValues& values, HostMachine& machine) {
  const Start own = machine.model.start;
  const std::shared_ptr<const Equations> e = machine.prepared.system->shared_equations();
  for (std::size_t loose = 0; loose <= values.starts.size(); ++loose)
    for (const bool file_gives_way : {false, true}) {
      if (loose > 0 && !file_gives_way) continue;
      machine.model.start = start_with(own, *e, values.starts, loose, file_gives_way);
      machine.prepared = assembled(machine.model);
      if (!machine.prepared.failure.empty()) continue;
      for (std::size_t k = 0; k < loose; ++k)
        machine.notes.push_back(
            fmt::format("the start value {} contradicts values that were set after it; the start is only near it",
                        value_words(values.starts[k], *e)));
      return;
    }
}

}  // namespace

void HostValues::set_start(int state, double value) {
  std::erase_if(starts, [&](const Start& start) { return start.state == state; });
  starts.push_back({state, value});
}

HostMachine machine_with(const FmuModel& source, const HostValues& values) {
  HostMachine machine{model_with(source, values), {}, {}};
  machine.prepared = assembled(machine.model);
  const Layout& n = machine.prepared.system->layout();
  const bool moved =
      std::ranges::any_of(values.starts, [&](const HostValues::Start& start) { return start.state < n.nq + n.nv; });
  if (moved) assemble_with_values(values, machine);
  require_start(machine.prepared);
  take_free_states(values.starts, machine.prepared);
  move_to_start_time(values.start_time, machine.prepared);
  require_start(machine.prepared);
  for (std::size_t k = 0; k < values.inputs.size(); ++k)
    machine.prepared.parameters[static_cast<Eigen::Index>(k)] = values.inputs[k];
  machine.prepared.options.open_ended = true;
  return machine;
}

}  // namespace armature::internal
