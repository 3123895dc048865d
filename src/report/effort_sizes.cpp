#include "report/effort_sizes.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {
namespace {

const Formula* formula_of(const Model& model, const std::string& name) {
  for (const ForceElement& element : model.forces)
    if (element.name == name) return &element.values[element.kind->input()];
  return nullptr;
}

double larger(double size, SystemEvaluator& evaluator, const Expression& value) {
  std::vector<double> is;
  evaluator.evaluate({value}, is);
  return std::isfinite(is[0]) ? std::max(size, std::abs(is[0])) : size;
}

}  // namespace

EffortSizes::EffortSizes(const Model& model, const Prepared& prepared, const std::vector<Channel>& channels,
                         const SparseRows* rows)
    : model_(model), prepared_(prepared), rows_(rows) {
  const Equations& e = prepared.system->equations();
  for (const auto* part : {&e.positions, &e.velocities, &e.others})
    for (const auto& coordinate : *part) {
      const auto found = std::ranges::find(channels, coordinate.name, &Channel::name);
      columns_.push_back(found == channels.end() ? -1 : static_cast<int>(found - channels.begin()));
    }
}

double EffortSizes::of(const std::string& name) const {
  const Formula* formula = formula_of(model_, name);
  if (!formula || !formula->given()) return 0;
  double size = 0;
  for (const Expression& value : values_of(name, formula->where)) {
    const double moving = during_motion(value);
    size = std::max(size, moving > 0 ? moving : at_start(value));
  }
  return size;
}

// The formula of a `for` makes one value for each of its elements, in their order. Where some of them are numbers, which nobody watches, it is
// not known which value is whose.
std::vector<Expression> EffortSizes::values_of(const std::string& name, const Location& where) const {
  std::vector<Expression> values;
  for (const WatchedFormula& each : prepared_.system->equations().watched)
    if (each.where == where) values.push_back(each.value);
  std::size_t elements = 0, place = 0;
  for (const ForceElement& element : model_.forces) {
    const Formula* formula = formula_of(model_, element.name);
    if (formula->where != where) continue;
    if (element.name == name) place = elements;
    ++elements;
  }
  return values.size() == elements ? std::vector{values[place]} : values;
}

// What the row does not have is as at the start.
State EffortSizes::state_of(std::span<const double> row) const {
  State state = prepared_.start;
  state.t = row[0];
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i] >= 0) state.x[static_cast<Eigen::Index>(i)] = row[static_cast<std::size_t>(columns_[i])];
  return state;
}

double EffortSizes::during_motion(const Expression& value) const {
  SystemEvaluator evaluator(prepared_.system);
  evaluator.set_parameters(prepared_.parameters);
  Eigen::VectorXd outcomes = prepared_.start.w;
  double size = 0;
  for (int k = 0; rows_ && k < rows_->rows(); ++k) {
    evaluator.set(state_of(rows_->row(k)));
    evaluator.take_outcomes(outcomes);
    size = larger(size, evaluator, value);
  }
  return size;
}

// Whatever its comparisons say there: a tool that does not cut yet will.
double EffortSizes::at_start(const Expression& value) const {
  SystemEvaluator evaluator(prepared_.system);
  evaluator.set_parameters(prepared_.parameters);
  double size = 0;
  for (const double outcome : {-1.0, 0.0, 1.0}) {
    State state = prepared_.start;
    if (outcome >= 0) state.w.setConstant(outcome);
    evaluator.set(state);
    size = larger(size, evaluator, value);
  }
  return size;
}

}  // namespace armature::internal
