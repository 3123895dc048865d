#include "record/stored_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "record/record_error.hpp"

namespace armature::internal {
namespace {

template <class Named>
StoredState::Entries name_entries(std::span<const Named> names, const double* values) {
  StoredState::Entries entries;
  for (std::size_t i = 0; i < names.size(); ++i) entries.emplace_back(names[i].name, values[i]);
  return entries;
}

// Entries are found by name: the order may differ. Each name of the model must be there, and no other.
template <class Named>
void place_entries(const StoredState::Entries& entries, std::span<const Named> names, const char* what,
                   double* values) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = std::ranges::find(entries, names[i].name, &std::pair<std::string, double>::first);
    if (found == entries.end()) throw RecordError(fmt::format("the state has no {} '{}'", what, names[i].name));
    if (!std::isfinite(found->second))
      throw RecordError(fmt::format("the {} '{}' of the state is not a number", what, names[i].name));
    values[i] = found->second;
  }
  if (entries.size() == names.size()) return;
  for (const auto& [name, value] : entries) {
    if (std::ranges::find(names, name, &Named::name) == names.end())
      throw RecordError(fmt::format("the model has no {} '{}'", what, name));
  }
}

std::span<const Coordinate> without_references(const Equations& equations) {
  return std::span(equations.others).first(equations.others.size() - equations.references.size());
}

}  // namespace

// A reference of an angle and what corrects it are stored as one number, their sum, as if the reference were zero.
StoredState store(const State& state, const Equations& equations) {
  const double* x = state.x.data();
  const std::size_t nq = equations.positions.size(), nv = equations.velocities.size();
  const std::size_t references = equations.references.size();
  Eigen::VectorXd d = state.d;
  for (std::size_t i = 0; i < references; ++i)
    d[std::ranges::find(equations.discrete, equations.references[i].name, &Discrete::name) -
      equations.discrete.begin()] += state.x[state.x.size() - static_cast<Eigen::Index>(references - i)];
  return {.t = state.t,
          .q = name_entries(std::span(equations.positions), x),
          .v = name_entries(std::span(equations.velocities), x + nq),
          .z = name_entries(without_references(equations), x + nq + nv),
          .d = name_entries(std::span(equations.discrete), d.data()),
          .w = {state.w.begin(), state.w.end()},
          .comparisons = state.comparisons};
}

State restore(const StoredState& stored, const Equations& equations, bool further) {
  const std::size_t nq = equations.positions.size(), nv = equations.velocities.size();
  State state;
  state.t = stored.t;
  state.x.setZero(Eigen::Index(nq + nv + equations.others.size()));
  state.d.resize(Eigen::Index(equations.discrete.size()));
  place_entries(stored.q, std::span(equations.positions), "coordinate", state.x.data());
  place_entries(stored.v, std::span(equations.velocities), "velocity", state.x.data() + nq);
  place_entries(stored.z, without_references(equations), "internal state", state.x.data() + nq + nv);
  place_entries(stored.d, std::span(equations.discrete), "discrete value", state.d.data());
  const std::size_t comparisons = equations.graph ? equations.graph->comparisons().size() : stored.w.size();
  const bool fits = stored.w.size() == stored.comparisons.size() &&
                    (further ? comparisons >= stored.w.size() : comparisons == stored.w.size());
  if (!fits)
    throw RecordError(fmt::format("the state has {} outcomes of comparisons, but the model has {}",
                                  std::min(stored.w.size(), stored.comparisons.size()), comparisons));
  state.w = Eigen::VectorXd::Zero(Eigen::Index(comparisons));
  state.w.head(Eigen::Index(stored.w.size())) =
      Eigen::Map<const Eigen::VectorXd>(stored.w.data(), Eigen::Index(stored.w.size()));
  state.comparisons = stored.comparisons;
  state.comparisons.resize(comparisons, ComparisonStatus::below);
  return state;
}

}  // namespace armature::internal
