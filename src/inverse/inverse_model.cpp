#include "inverse/inverse_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "expression/derivative.hpp"
#include "force/effort.hpp"
#include "model/findings.hpp"
#include "model/formula_tree.hpp"

namespace armature::internal {

namespace {

[[noreturn]] void refuse(const Model& model, Location where, const std::string& key, const std::string& message) {
  throw ModelError(model, {{where, key, message}});
}

void add_motion_rows(Model& model) {
  for (const DesiredMotion& wanted : model.motion) {
    const Formula zero = name_formula(wanted.name, wanted.where) - wanted.is;
    model.prescribed.push_back({motion_prefix + wanted.name, wanted.where, "prescribed", zero});
    const auto same = [&](const StartEntry& entry) { return entry.name == wanted.name; };
    for (const StartEntry& entry : model.start.keep)
      if (same(entry)) model.start.near.push_back(entry);
    std::erase_if(model.start.keep, same);
    std::erase_if(model.start.speed_keep, same);
  }
}

// Currents follow from the motion, and so do rotors behind elastic gears.
void forget_starts_of_drives(Model& model) {
  const auto of_drive = [&](const StartEntry& entry) {
    return std::ranges::any_of(model.drives, [&](const Drive& drive) {
      const auto is_state = [&](const DriveKind::StartState& state) {
        return entry.name == drive.name + "." + std::string(state.name);
      };
      return entry.name == drive.name + ".rotor" || std::ranges::any_of(drive.kind->start_states(drive), is_state);
    });
  };
  for (auto* entries : {&model.start.keep, &model.start.near, &model.start.speed_keep, &model.start.speed_near})
    std::erase_if(*entries, of_drive);
}

Formula effort_of(Model& model, const std::string& actuator, Location where) {
  Parameter effort;
  effort.name = effort_prefix + actuator;
  model.parameters.push_back(effort);
  return name_formula(effort.name, where);
}

// The effort u behind a gear of efficiency n takes u/n from the machine, or u n where it brakes, and the rotor's viscous
// friction besides. Divided by what the gear passes (Gear::passed), so that both agree where a weight between decides at rest.
Formula before_losses(Model& model, const Drive& drive, const Formula& effort) {
  if (!drive.gear.efficiency.given()) return effort;
  const auto name = [&](const char* part, const Formula& formula, const char* otherwise) {
    const std::string known = "inverse_" + std::string(part) + "_" + drive.name;
    model.definitions.emplace_back(known, formula.given() ? formula : parse_formula(otherwise, drive.where));
    return known;
  };
  const std::string u = name("effort", effort, ""), n = name("efficiency", drive.gear.efficiency, "1"),
                    r = fmt::format("({}/{})", name("ratio", drive.gear.ratio, "1"),
                                    name("radius", drive.gear.radius, "1")),
                    d = name("friction", drive.rotor.viscous_friction, "0"), w = drive.name + ".speed";
  return parse_formula(fmt::format("{0}/if({0}*{1}/{2} >= 0, {3}, 1/{3}) + {2}*{4}*{1}", u, w, r, n, d), drive.where);
}

void keep_limits(Model& model, const Drive& drive) {
  for (const DriveLimit& limit : drive.limits)
    model.record.quantities.emplace_back(limit_prefix + drive.name + "." + limit.quantity, limit.bound);
}

void refuse_unknown_drives(const Model& model, const Drive& drive) {
  const std::string key = "drives." + drive.name;
  if (drive.gear.elastic() && drive.gear.backlash.given())
    refuse(model, drive.where, key,
           "has backlash, across which the rotor jumps whenever the torque changes its sign: no effort does that");
  if (drive.gear.elastic() && !drive.rotor.carried_by.empty())
    refuse(model, drive.where, key, "inverse dynamics does not know an elastic gear whose rotor a body carries");
  if (const std::string reason = drive.kind->why_not_inverted(drive); !reason.empty())
    refuse(model, drive.where, key, reason);
}

// A rigid gear: the drive is an effort on its coordinate. An elastic one: its spring is, and the rotor follows from it.
void turn_drives_into_efforts(Model& model) {
  for (Drive& drive : model.drives) {
    if (drive.on.empty()) {  // a supply, which feeds drives
      drive.kind->command_torque(drive, {});
      continue;
    }
    refuse_unknown_drives(model, drive);
    keep_limits(model, drive);
    const Formula effort = effort_of(model, drive.name, drive.where);
    if (drive.gear.elastic()) {
      model.forces.push_back(make_effort("gear of " + drive.name, drive.where, drive.on, effort));
      model.record.quantities.emplace_back(driven_prefix + drive.name, name_formula(drive.on, drive.where));
    } else {
      drive.kind->command_torque(drive, before_losses(model, drive, effort));
    }
  }
  std::erase_if(model.drives, [](const Drive& drive) { return drive.gear.elastic(); });
  for (const std::string& on : model.actuators) {
    const Formula effort = effort_of(model, on, {});
    model.forces.push_back(make_effort("effort." + on, {}, on, effort));
    model.definitions.emplace_back("effort." + on, effort);  // as the column is called
  }
}

// --- formulas of the file, which are recorded

using Tree = std::shared_ptr<const Syntax>;

bool uses(const Syntax& tree, const std::function<bool(const std::string&)>& is_name) {
  if (tree.kind == Syntax::Kind::name && is_name(tree.name)) return true;
  return std::ranges::any_of(tree.children, [&](const Tree& child) { return uses(*child, is_name); });
}

Tree renamed(const Tree& tree, const std::function<bool(const std::string&)>& is_signal) {
  auto copy = std::make_shared<Syntax>(*tree);
  for (Tree& child : copy->children) child = renamed(child, is_signal);
  if (tree->kind == Syntax::Kind::name && is_signal(tree->name)) copy->name = signal_prefix + tree->name;
  return copy;
}

std::string owner_of(const std::string& name) { return name.substr(0, name.find('.')); }

using NamedFormulas = std::vector<std::pair<std::string, Formula>>;

// There are no controllers: what depends on one has no value. Returns its names.
std::vector<std::string> leave_out_controlled(Model& model, const std::vector<Controller>& controllers) {
  std::vector<std::string> left_out;
  const auto is_controlled = [&](const std::string& name) {
    return std::ranges::any_of(controllers, [&](const Controller& each) { return each.name == owner_of(name); }) ||
           std::ranges::count(left_out, name) > 0;
  };
  // What uses something that is left out is left out itself, until nothing more is found.
  for (bool found = true; found;) {
    found = false;
    for (NamedFormulas* list : {&model.definitions, &model.record.quantities, &model.record.events})
      std::erase_if(*list, [&](const auto& entry) {
        if (!entry.second.given() || !uses(*entry.second.root, is_controlled)) return false;
        left_out.push_back(entry.first);
        return found = true;
      });
  }
  return left_out;
}

// Signals that the drives' own equations do not have here: those of rigid drives that L di/dt changes, and all of elastic ones.
bool is_computed(const Drive& drive, const std::string& signal) {
  if (signal == "power" || std::ranges::count(drive.kind->needs(), signal, &DriveKind::Need::signal) > 0) return true;
  return drive.gear.elastic() &&
         (signal == "torque" || signal == "gear_torque" || signal == "speed" || signal == "rotor");
}

// Formulas see such signals as states, which each row of the result sets.
void hold_signals(Model& model, const std::vector<Drive>& drives) {
  std::set<std::string> used;
  const auto is_signal = [&](const std::string& name) {
    const auto drive = std::ranges::find(drives, owner_of(name), &Drive::name);
    if (drive == drives.end() || name == drive->name || !is_computed(*drive, name.substr(drive->name.size() + 1)))
      return false;
    used.insert(name);
    return true;
  };
  // Signals in formulas are renamed to states of that name.
  for (NamedFormulas* list : {&model.definitions, &model.record.quantities, &model.record.events})
    for (auto& [name, formula] : *list)
      if (formula.given() && !name.starts_with(limit_prefix) && uses(*formula.root, is_signal))
        formula.root = renamed(formula.root, is_signal);
  for (const std::string& name : used) {
    const bool is_angle = name.ends_with(".rotor");
    if (is_angle) used.insert(owner_of(name) + ".speed");
  }
  // Such a state stands still but for a rotor's angle, whose rate is the speed.
  for (const std::string& name : used) {
    AuxiliaryState state;
    state.name = signal_prefix + name;
    const Drive& drive = *std::ranges::find(drives, owner_of(name), &Drive::name);
    for (const DriveKind::Signal& signal : drive.kind->signals())
      if (name == drive.name + "." + std::string(signal.name)) state.unit = signal.unit;
    state.rate =
        name.ends_with(".rotor") ? name_formula(signal_prefix + owner_of(name) + ".speed", {}) : number_formula(0);
    model.states.push_back(state);
  }
}

// They are of the machine's own rows, without those of the motion.
std::vector<std::string> leave_out_determinants(Model& model) {
  std::vector<std::string> left_out;
  for (const auto& determinant : model.record.determinants) left_out.push_back(determinant.name);
  model.record.determinants.clear();
  return left_out;
}

// No force may depend on them: they are found when the forces are.
void refuse_forces_of_signals(const Model& model, const Equations& equations) {
  for (std::size_t i = 0; i < equations.z.size(); ++i) {
    if (!equations.others[i].name.starts_with(signal_prefix)) continue;
    for (const Expression& f : equations.f)
      if (depends_on(f, equations.z[i]))
        refuse(model, {}, equations.others[i].name.substr(signal_prefix.size()),
               "inverse dynamics does not know forces that depend on it");
  }
}

}  // namespace

std::vector<bool> rows_of_motion(const Equations& equations) {
  std::vector<bool> motion;
  for (const ConstraintRow& row : equations.rows) motion.push_back(row.owner.starts_with(motion_prefix));
  return motion;
}

std::vector<int> effort_places(const Equations& equations) {
  std::vector<int> places;
  for (std::size_t k = 0; k < equations.p_name.size(); ++k)
    if (equations.p_name[k].starts_with(effort_prefix)) places.push_back(static_cast<int>(k));
  return places;
}

int effort_index(const Equations& equations, const std::string& actuator) {
  const std::vector<int> places = effort_places(equations);
  const auto is_it = [&](int place) {
    return equations.p_name[static_cast<std::size_t>(place)] == effort_prefix + actuator;
  };
  return static_cast<int>(std::ranges::find_if(places, is_it) - places.begin());
}

const Expression* find_quantity(const Equations& equations, const std::string& name) {
  for (const Quantity& quantity : equations.quantities)
    if (quantity.name == name) return &quantity.value;
  return nullptr;
}

Prepared compile_inverse(const Model& model, const std::vector<std::string>& free_parameters) {
  if (model.motion.empty())
    refuse(model, {}, "inverse.motion", "is missing: prescribe coordinates or points as formulas in t");
  if (model.drives.empty() && model.actuators.empty())
    refuse(model, {}, "inverse.actuators",
           "is missing: the model has no drives, so name the coordinates on which efforts act");
  // The model that moves as wanted: without controllers, with a constraint for each wanted motion, and free efforts in
  // place of the drives.
  Model moved = model;
  moved.controllers.clear();
  const std::vector<std::string> left_out = leave_out_controlled(moved, model.controllers);
  const std::vector<std::string> determinants = leave_out_determinants(moved);
  forget_starts_of_drives(moved);
  add_motion_rows(moved);
  turn_drives_into_efforts(moved);
  hold_signals(moved, model.drives);
  // Efforts are parameters that stay inputs of the programs.
  std::vector<std::string> free = free_parameters;
  for (const Parameter& parameter : moved.parameters)
    if (parameter.name.starts_with(effort_prefix)) free.push_back(parameter.name);
  Prepared prepared = compile(moved, free);
  if (const auto& contacts = prepared.system->equations().contacts; !contacts.empty())
    refuse(model, contacts.front().where, contacts.front().name,
           "inverse dynamics has no rigid contacts, whose forces no motion determines; give the contact a stiffness");
  refuse_forces_of_signals(model, prepared.system->equations());
  // What is left out is said by name.
  if (!left_out.empty())
    prepared.findings.push_back(
        finding<FindingCode::left_out>("verb"_a = "inverse dynamics has no controllers", "what"_a = "one",
                                       "names"_a = fmt::format("{}", fmt::join(left_out, ", "))));
  if (!determinants.empty())
    prepared.findings.push_back(
        finding<FindingCode::left_out>("verb"_a = "inverse dynamics locates no events", "what"_a = "them",
                                       "names"_a = fmt::format("the determinants {}", fmt::join(determinants, ", "))));
  return prepared;
}

}  // namespace armature::internal
