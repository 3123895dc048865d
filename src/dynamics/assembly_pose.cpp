#include "dynamics/assembly_pose.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/outcomes_by_roots.hpp"

namespace armature::internal {

using Eigen::VectorXd;

namespace {

const StartConditions no_conditions;

bool is_unwrapped(const Equations& e, const std::string& angle) {
  return std::ranges::find(e.references, angle, &AngleReference::name) != e.references.end();
}

}  // namespace

AssemblyPose::AssemblyPose(SystemEvaluator& evaluator, bool conditions)
    : evaluator_(evaluator),
      configuration_(evaluator.system().equations()),
      metric_(evaluator.system().equations()),
      terms_(evaluator.make_sparse_terms()),
      conditions_(conditions) {
  if (!equations().senses.empty()) senses_.emplace(evaluator.system().make_program(equations().senses));
  std::vector<Expression> angles;
  for (std::size_t i = 0; i < equations().discrete.size(); ++i)
    if (const auto& angle = equations().discrete[i].turns_of)
      angles.push_back(*angle), turns_.push_back(static_cast<int>(i));
  if (!angles.empty()) angles_.emplace(evaluator.system().make_program(angles));
  wanted_.assign(angles.size(), 0), angle_.resize(angles.size());
  if (!conditions) return;
  keeps_ = static_cast<int>(equations().keep.size());
  nears_ = static_cast<int>(equations().near.size());
}

// A value may be a formula of another named one (a relaxed gear), so twice.
void AssemblyPose::take_named(State& guess) {
  find_named();
  counts_turns_ = true;
  for (int pass = 0; pass < 2; ++pass) {
    put_named(guess, near(), keeps_);
    put_named(guess, keep(), 0);
  }
  said_ = guess;
  measure(guess);
}

// The angle of a cut joint is known up to whole turns: they are counted from the value that it is to have.
void AssemblyPose::put_named(State& state, const std::vector<StartCondition>& conditions, int first) {
  evaluate(state);
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    for (int i = 0; i < configuration_.nq(); ++i)
      if (equations().positions[i].name == conditions[k].name && !configuration_.is_quaternion(i))
        state.x[i] -= start_[first + static_cast<int>(k)];
    for (std::size_t i = 0; i < equations().discrete.size(); ++i) {
      const Discrete& reference = equations().discrete[i];
      if (reference.name != conditions[k].name || !is_unwrapped(equations(), reference.name)) continue;
      std::vector<double> value;
      evaluator_.evaluate({reference.next}, value);
      if (std::isfinite(value[0]))
        state.d[static_cast<Eigen::Index>(i)] = value[0] - start_[first + static_cast<int>(k)];
    }
  }
  evaluator_.set_discrete(state.d);
  for (std::size_t i = 0; i < turns_.size(); ++i)
    for (std::size_t k = 0; k < conditions.size(); ++k)
      if (equations().discrete[static_cast<std::size_t>(turns_[i])].name == conditions[k].name)
        wanted_[i] = angle_[i] - start_[first + static_cast<int>(k)];
}

void AssemblyPose::find_named() {
  named_.assign(configuration_.nq(), false);
  for (const StartConditions* list : {&keep(), &near()})
    for (const StartCondition& condition : *list)
      for (int i = 0; i < configuration_.nq(); ++i)
        if (equations().positions[i].name == condition.name) named_[i] = true;
}

const StartConditions& AssemblyPose::keep() const { return conditions_ ? equations().keep : no_conditions; }

const StartConditions& AssemblyPose::near() const { return conditions_ ? equations().near : no_conditions; }

const StartConditions& AssemblyPose::speed_keep() const { return conditions_ ? equations().speed_keep : no_conditions; }

void AssemblyPose::evaluate(const State& state) {
  evaluator_.set(state.t, state.x.data());
  count_turns(state);
  evaluator_.position(terms_);
  if (conditions_) {
    evaluator_.start_position(start_, start_J_);
  } else {
    start_.resize(0), start_J_.resize(0, terms_.M.cols());
  }
  q_ = state.x.head(configuration_.nq());
}

// Half a turn, and what is beside it by round-off, is a positive one.
void AssemblyPose::count_turns(const State& state) {
  constexpr double beside = 1e-9;  // of a turn
  d_ = state.d;
  if (!angles_ || !counts_turns_) return;
  evaluator_.set_discrete(d_);
  (*angles_)(evaluator_.inputs(), angle_.data());
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const double turns =
        2 * std::numbers::pi * std::ceil((angle_[k] - wanted_[k]) / (2 * std::numbers::pi) - 0.5 - beside);
    if (std::isfinite(turns)) d_[turns_[k]] -= turns, angle_[k] -= turns;
  }
  evaluator_.set_discrete(d_);
}

bool AssemblyPose::right_way_round() {
  if (!senses_) return true;
  std::vector<double> values(equations().senses.size());
  (*senses_)(evaluator_.inputs(), values.data());
  return std::all_of(values.begin(), values.end(), [](double x) { return x > 0; });
}

std::vector<int> AssemblyPose::settle_comparisons(State& state) {
  evaluator_.set(state.t, state.x.data());
  count_turns(state);
  return set_outcomes_by_roots(evaluator_, state);
}

void AssemblyPose::measure(const State& state) {
  evaluate(state);
  std::vector<StartCondition> conditions = keep();
  for (const StartCondition& condition : near()) conditions.push_back(condition);
  metric_.measure(terms_, conditions, start_J_, q_);
  start_scale_ = metric_.scales(conditions);
}

VectorXd AssemblyPose::away(const State& state) const {
  const int nq = configuration_.nq();
  VectorXd dv = metric_.difference(said_.x.head(nq), state.x.head(nq));
  for (int j = 0; j < dv.size(); ++j)
    if (const int position = configuration_.position_of(j); position >= 0 && named_[position]) dv[j] = 0;
  return dv;
}

double AssemblyPose::distance(const State& a, const State& b) const {
  double largest = 0;
  for (int i = 0; i < configuration_.nq(); ++i) {
    double difference = std::abs(a.x[i] - b.x[i]);
    if (equations().positions[i].kind == Coordinate::Kind::angle)
      difference = std::abs(std::remainder(difference, 2 * std::numbers::pi));
    if (equations().positions[i].kind == Coordinate::Kind::length) difference /= metric_.length();
    if (configuration_.is_quaternion(i))
      difference = std::abs(std::abs(a.x[i]) - std::abs(b.x[i]));  // q and -q are one
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace armature::internal
