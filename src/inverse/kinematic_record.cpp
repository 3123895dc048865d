#include "inverse/kinematic_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

// States besides positions and velocities stay at their start: currents, temperatures, integrals of controllers, the ledger.
bool depends_on_other_states(const Expression& value, const Equations& equations) {
  for (std::size_t i = 0; i < equations.z.size(); ++i)
    if (equations.others[i].kind != Coordinate::Kind::reference && depends_on(value, equations.z[i])) return true;
  return false;
}

// Of a machine that the moved coordinates leave free, accelerations follow from forces.
bool is_left_out(const Quantity& quantity, const Equations& equations, int degrees_of_freedom) {
  return quantity.has_force || (quantity.has_acceleration && degrees_of_freedom > 0) ||
         depends_on_other_states(quantity.value, equations);
}

// What the file itself names, so that nobody looks for it in vain.
std::vector<std::string> formulas_left_out(const Model& model, const Equations& equations, int degrees_of_freedom) {
  std::vector<std::string> names;
  for (const auto* formulas : {&model.definitions, &model.record.quantities, &model.record.events})
    for (const auto& [name, formula] : *formulas)
      for (const Quantity& quantity : equations.quantities)
        if ((quantity.name == name || quantity.name == name + ".x") &&
            is_left_out(quantity, equations, degrees_of_freedom) && !name.starts_with('#'))
          names.push_back(name);
  return names;
}

std::set<std::string> columns_of_forces(const Model& model, const Equations& equations, int degrees_of_freedom) {
  std::set<std::string> names{"energy.magnetic"};
  for (const Coordinate& state : equations.others) names.insert(state.name);
  for (const Quantity& quantity : equations.quantities)
    if (is_left_out(quantity, equations, degrees_of_freedom)) names.insert(quantity.name);
  for (const Drive& drive : model.drives)
    for (const DriveKind::Signal& signal : drive.kind->signals())
      if (!signal.kinematic) names.insert(drive.name + "." + std::string(signal.name));
  return names;
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

std::vector<std::string> quantities_left_out(const Prepared& prepared) {
  const Equations& equations = prepared.system->equations();
  std::vector<std::string> names;
  for (const Quantity& quantity : equations.quantities)
    if (is_left_out(quantity, equations, prepared.degrees_of_freedom)) names.push_back(quantity.name);
  return names;
}

Outcome record_kinematics(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  const Equations& equations = prepared.system->equations();
  ColumnFilter filter(recorder, columns_of_forces(model, equations, prepared.degrees_of_freedom));
  Outcome outcome = move(prepared, filter, progress);
  const std::vector<std::string> left_out = formulas_left_out(model, equations, prepared.degrees_of_freedom);
  if (!left_out.empty())
    outcome.warnings.push_back(
        fmt::format("kinematics computes no forces, currents or states, so it leaves out what depends on them: {}",
                    fmt::join(left_out, ", ")));
  if (!model.record.reactions.empty())
    outcome.warnings.push_back(
        "record.reactions: kinematics computes no forces, so it records no reactions; 'armature inverse' finds the "
        "reactions of a prescribed motion");
  return outcome;
}

}  // namespace armature::internal
