#include "inverse/kinematic_record.hpp"

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

std::set<std::string> columns_of_forces(const Model& model, const Equations& equations) {
  std::set<std::string> names{"energy.magnetic"};
  for (const Coordinate& state : equations.others) names.insert(state.name);
  for (const Quantity& quantity : equations.quantities)
    if (depends_on_other_states(quantity.value, equations)) names.insert(quantity.name);
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

Outcome record_kinematics(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  ColumnFilter filter(recorder, columns_of_forces(model, prepared.system->equations()));
  Outcome outcome = move(prepared, filter, progress);
  if (!model.record.reactions.empty())
    outcome.warnings.push_back(
        "record.reactions: kinematics computes no forces, so it records no reactions; 'armature inverse' finds the "
        "reactions of a prescribed motion");
  return outcome;
}

}  // namespace armature::internal
