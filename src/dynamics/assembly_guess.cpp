// What the file says of a start, and other guesses around it.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "dynamics/assembly_steps.hpp"

namespace armature::internal {

using Eigen::VectorXd;

namespace {

using std::numbers::pi;

}  // namespace

void AssemblySteps::begin(State& guess) {
  take_named(guess);
  find_components();
}

void AssemblySteps::find_components() {
  std::vector<int> root(configuration_.nv());
  std::vector<char> coupled(configuration_.nv(), false);
  std::iota(root.begin(), root.end(), 0);
  const auto top = [&](int j) {
    while (root[j] != j) j = root[j] = root[root[j]];
    return j;
  };
  const auto join = [&](const SparseMatrix& A, int row) {
    const SparseMatrix::InnerIterator first(A, row);
    for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry) {
      coupled[entry.col()] = true;
      root[top(static_cast<int>(entry.col()))] = top(static_cast<int>(first.col()));
    }
  };
  for (int i = 0; i < terms_.Phi.rows(); ++i) join(terms_.Phi, i);
  for (int i = 0; i < start_J_.rows(); ++i) join(start_J_, i);
  component_.assign(configuration_.nv(), -1);
  std::vector<int> number(configuration_.nv(), -1);
  components_ = 0;
  for (int j = 0; j < configuration_.nv(); ++j) {
    if (!coupled[j]) continue;
    if (number[top(j)] < 0) number[top(j)] = components_++;
    component_[j] = number[top(j)];
  }
}

int AssemblySteps::coordinates(int component) const {
  return static_cast<int>(std::count(component_.begin(), component_.end(), component));
}

void AssemblySteps::shake(State& state, double size, std::mt19937& generator, int component) const {
  std::uniform_real_distribution<double> uniform(-1, 1);
  VectorXd dv = VectorXd::Zero(configuration_.nv());
  for (int j = 0; j < dv.size(); ++j) {
    if (component == everything ? component_[j] < 0 : component_[j] != component) continue;
    const bool length = equations().velocities[j].kind == Coordinate::Kind::length;
    dv[j] = uniform(generator) * size * (length ? 2 * metric_.length() : pi);
  }
  configuration_.advance(state.x.data(), dv.data());
}

void AssemblySteps::reset(State& state, int component) const {
  for (int j = 0; j < configuration_.nv(); ++j)
    if (const int i = configuration_.position_of(j); i >= 0 && component_[j] == component) state.x[i] = said_.x[i];
  for (const auto& [position, velocity] : equations().quaternions)
    if (component_[velocity] == component) state.x.segment<4>(position) = said_.x.segment<4>(position);
}

void AssemblySteps::drop_turns(State& state) {
  constexpr double as_far = 1e-9;  // of a turn: half a turn to either side is as far
  State fewer = state;
  bool any = false;
  for (int i = 0; i < configuration_.nq(); ++i) {
    if (equations().positions[i].kind != Coordinate::Kind::angle) continue;
    const double away = (state.x[i] - said_.x[i]) / (2 * pi);
    const double turns = std::round(away - std::copysign(as_far, away));
    fewer.x[i] -= 2 * pi * turns;
    any = any || turns != 0;
  }
  if (any && restore(fewer, Goal::close) && !miss(state).clearly_below(miss(fewer))) state = fewer;
}

}  // namespace armature::internal
