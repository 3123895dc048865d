#include "inverse/kinematic_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "expression/derivative.hpp"
#include "inverse/desired_jumps.hpp"
#include "model/findings.hpp"

namespace armature::internal {

namespace {

// States besides positions and velocities stay at their start: currents, temperatures, integrals of controllers, the ledger.
bool depends_on_other_states(const Expression& value, const Equations& equations) {
  for (std::size_t i = 0; i < equations.z.size(); ++i)
    if (equations.others[i].kind != Coordinate::Kind::reference && depends_on(value, equations.z[i])) return true;
  return false;
}

// Whether a formula uses a signal of a drive that follows from forces, itself or through definitions.
class ForceSignals {
 public:
  explicit ForceSignals(const Model& model) : model_(model) {}

  bool in(const Formula& formula) { return formula.given() && in(*formula.root); }

 private:
  bool in(const Syntax& tree) {
    if (tree.kind == Syntax::Kind::name && (is_signal(tree.name) || in_definition(tree.name))) return true;
    return std::ranges::any_of(tree.children, [this](const auto& child) { return in(*child); });
  }
  bool is_signal(const std::string& name) const {
    for (const Drive& drive : model_.drives)
      for (const DriveKind::Signal& signal : drive.kind->signals())
        if (!signal.kinematic && name == drive.name + "." + std::string(signal.name)) return true;
    return false;
  }
  bool in_definition(const std::string& name) {
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    const auto found = std::ranges::find(model_.definitions, name, [](const auto& each) { return each.first; });
    if (found == model_.definitions.end()) return false;
    return known_[name] = in(found->second);
  }

  const Model& model_;
  std::map<std::string, bool> known_;
};

// Of a machine that the moved coordinates leave free, accelerations follow from forces.
bool is_left_out(const Quantity& quantity, const Equations& equations, int degrees_of_freedom) {
  return quantity.has_force || (quantity.has_acceleration && degrees_of_freedom > 0) ||
         depends_on_other_states(quantity.value, equations);
}

// Names of the file whose quantities are left out, so that nobody looks for them in vain.
std::vector<std::string> formulas_left_out(const Model& model, const Prepared& prepared) {
  std::vector<std::string> names;
  ForceSignals signals(model);
  const Equations& equations = prepared.system->equations();
  // A formula is left out where its own column is, or where it names a signal that only forces know.
  for (const auto* formulas : {&model.definitions, &model.record.quantities, &model.record.events})
    for (const auto& [name, formula] : *formulas) {
      const bool left_out = std::ranges::any_of(equations.quantities, [&, &name = name](const Quantity& quantity) {
        return (quantity.name == name || quantity.name.starts_with(name + ".")) &&
               is_left_out(quantity, equations, prepared.degrees_of_freedom);
      });
      if (left_out || signals.in(formula)) names.push_back(name);
    }
  return names;
}

std::set<std::string> columns_of_forces(const Model& model, const Prepared& prepared) {
  const Equations& equations = prepared.system->equations();
  std::set<std::string> names{"energy.magnetic"};
  for (const Coordinate& state : equations.others) names.insert(state.name);
  for (const Quantity& quantity : equations.quantities)
    if (is_left_out(quantity, equations, prepared.degrees_of_freedom)) names.insert(quantity.name);
  for (const std::string& name : formulas_left_out(model, prepared))
    for (const char* part : {"", ".x", ".y", ".z"}) names.insert(name + part);
  for (const Drive& drive : model.drives)
    for (const DriveKind::Signal& signal : drive.kind->signals())
      if (!signal.kinematic) names.insert(drive.name + "." + std::string(signal.name));
  return names;
}

// The first jump on the way. Poses behind it are right, but no machine moves like this.
void warn_of_jump(const Prepared& prepared, Outcome& outcome) {
  const std::vector<bool> rows = rows_that_may_jump(prepared.system->equations());
  if (outcome.status == RunStatus::stopped || std::ranges::count(rows, true) == 0) return;
  const auto jump = jump_of_desired_motion(prepared, rows, false);
  if (!jump || std::isnan(jump->size) || jump->t > outcome.last.t + prepared.options.record) return;
  outcome.findings.push_back(
      finding<FindingCode::motion_jumps>("jump"_a = jump->size, "t"_a = jump->t, "name"_a = jump->name));
}

// Passes on all columns but some.
class ColumnFilter final : public Recorder {
 public:
  ColumnFilter(Recorder& recorder, std::set<std::string> left_out)
      : recorder_(recorder), left_out_(std::move(left_out)) {}

  void begin(const std::vector<Channel>& channels) override {
    std::vector<Channel> passed;
    for (std::size_t k = 0; k < channels.size(); ++k)
      if (!left_out_.contains(channels[k].name)) kept_.push_back(k), passed.push_back(channels[k]);
    row_.resize(kept_.size());
    recorder_.begin(passed);
  }
  void row(std::span<const double> values) override {
    for (std::size_t k = 0; k < kept_.size(); ++k) row_[k] = values[kept_[k]];
    recorder_.row(row_);
  }

 private:
  Recorder& recorder_;
  std::set<std::string> left_out_;
  std::vector<std::size_t> kept_;
  std::vector<double> row_;
};

}  // namespace

std::vector<std::string> quantities_left_out(const Model& model, const Prepared& prepared) {
  return formulas_left_out(model, prepared);
}

Outcome record_kinematics(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  ColumnFilter filter(recorder, columns_of_forces(model, prepared));
  Outcome outcome = move(prepared, filter, progress);
  warn_of_jump(prepared, outcome);
  std::vector<std::string> left_out = formulas_left_out(model, prepared);
  std::erase_if(left_out, [](const std::string& name) { return name.starts_with('#'); });
  if (!left_out.empty())
    outcome.findings.push_back(
        finding<FindingCode::left_out>("verb"_a = "kinematics computes no forces, currents or states",
                                       "what"_a = "them", "names"_a = fmt::format("{}", fmt::join(left_out, ", "))));
  if (const auto& contacts = prepared.system->equations().contacts; !contacts.empty())
    outcome.findings.push_back(finding<FindingCode::contact_ignored>("contact"_a = contacts.front().label));
  if (!model.record.reactions.empty()) outcome.findings.push_back(finding<FindingCode::no_reactions>());
  return outcome;
}

}  // namespace armature::internal
