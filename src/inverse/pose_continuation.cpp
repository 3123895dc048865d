#include "inverse/pose_continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "dynamics/assembly.hpp"
#include "dynamics/outcomes_by_roots.hpp"
#include "expression/derivative.hpp"
#include "linear/kinetic_rows.hpp"
#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr double closed = 1e-9;     // share of a row's size: a little more than Newton's method leaves
constexpr double shortest = 1e-10;  // step, as a share of that to the next row: how well a limit is located
constexpr double straight = 0.5;    // share of the predicted way that a correction may have: it is of second order
constexpr double same_branch =
    0.5;  // rad, or share of the machine's length: a longer correction may lead to another branch
constexpr double short_way = 0.1;       // rad, or share of the machine's length: a correction that leaves no branch
constexpr int most_outcome_passes = 4;  // until comparisons and pose agree
constexpr int times_beside = 10;        // steps beyond a branch point that are tried, each a quarter of the last
constexpr int directions_beside = 4;    // for each freedom that the machine has there, if it has several
constexpr double first_shake = 1e-3;    // rad: from here on by factors of 3, up to short_way
constexpr double at_rest = 1e-6;        // of the coordinate that moves most
constexpr std::size_t most_named = 6;   // coordinates in a sentence

// Comparisons on which rows depend, also through other comparisons. The others, those of friction among them, move no pose.
std::vector<int> comparisons_of_rows(const Equations& equations) {
  const std::vector<Graph::Comparison>& all = equations.graph->comparisons();
  std::vector<char> chosen(all.size(), false);
  std::vector<Expression> open;
  for (const ConstraintRow& row : equations.rows) open.push_back(row.phi);
  while (!open.empty()) {
    const Expression x = open.back();
    open.pop_back();
    if (x.is_constant()) continue;
    for (const std::int32_t leaf : leaves_of(x)) {
      const Node& node = (*x.graph())[leaf];
      if (node.op != Op::outcome || chosen[static_cast<std::size_t>(node.a)]) continue;
      chosen[static_cast<std::size_t>(node.a)] = true;
      open.push_back(all[static_cast<std::size_t>(node.a)].root);
    }
  }
  std::vector<int> list;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k]) list.push_back(static_cast<int>(k));
  return list;
}

}  // namespace

PoseContinuation::PoseContinuation(SystemEvaluator& evaluator, const State& start)
    : evaluator_(evaluator),
      configuration_(evaluator.system().equations()),
      steps_(evaluator, false),
      gaps_(evaluator.system().equations()),
      terms_(evaluator.make_sparse_terms()),
      comparisons_(comparisons_of_rows(evaluator.system().equations())),
      state_(start) {
  evaluator_.set_discrete(start.d);
  steps_.measure(state_);
}

State PoseContinuation::predicted(double t) const {
  State next = state_;
  next.t = t;
  const Eigen::VectorXd dv = (t - state_.t) * state_.x.segment(configuration_.nq(), configuration_.nv());
  configuration_.advance(next.x.data(), dv.data());
  return next;
}

double PoseContinuation::way(const State& from, const State& to, int i) const {
  const bool length = evaluator_.system().equations().positions[i].kind == Coordinate::Kind::length;
  return std::abs(to.x[i] - from.x[i]) / (length && gaps_.length() > 0 ? gaps_.length() : 1);
}

double PoseContinuation::way(const State& from, const State& to) const {
  double largest = 0;
  for (int i = 0; i < configuration_.nq(); ++i) largest = std::max(largest, way(from, to, i));
  return largest;
}

bool PoseContinuation::is_closed(const State& pose) {
  evaluator_.set(pose.t, pose.x.data());
  evaluator_.position(terms_);
  return terms_.phi.allFinite() && gaps_.look(pose.t, pose.x.data(), terms_) <= closed;
}

// The shortest way first. Near a singular pose it leaves rows out; Newton's method for all rows then decides.
bool PoseContinuation::close_with_outcomes(State& pose) {
  const State guess = pose;
  if (correct(evaluator_, pose) && is_closed(pose)) return true;
  pose = guess;
  return steps_.close(pose) && correct(evaluator_, pose) && is_closed(pose);
}

bool PoseContinuation::close(State& pose) {
  set_outcomes_by_roots(evaluator_, pose);
  for (int pass = 0; pass < most_outcome_passes; ++pass) {
    const Eigen::VectorXd w = pose.w;
    if (!close_with_outcomes(pose)) return false;
    set_outcomes_by_roots(evaluator_, pose);
    if (rows_agree(pose.w, w)) return true;
  }
  return false;
}

bool PoseContinuation::rows_agree(const Eigen::VectorXd& one, const Eigen::VectorXd& other) const {
  return std::ranges::all_of(comparisons_, [&](int k) { return one[k] == other[k]; });
}

bool PoseContinuation::step(double t) {
  const State guess = predicted(t);
  State next = guess;
  if (!close(next) || way(guess, next) > std::clamp(straight * way(state_, guess), short_way, same_branch))
    return false;
  take(next);
  return true;
}

// A comparison that changes may let a prescribed value jump: the pose behind the jump lies anywhere.
bool PoseContinuation::jump(double t) {
  State next = predicted(t);
  if (!close(next) || rows_agree(next.w, state_.w)) return false;
  take(next);
  return true;
}

void PoseContinuation::take(const State& next) {
  state_ = next;
  evaluator_.set(state_.t, state_.x.data());
  evaluator_.next_discrete(state_.d);
  evaluator_.set_discrete(state_.d);
}

bool PoseContinuation::advance(double t) {
  const double whole = t - state_.t;
  double length = whole;
  bool left_branch_point = false;  // once between two rows
  do {
    const double until = t - state_.t <= 1.5 * length ? t : state_.t + length;
    const bool ahead = until > state_.t || whole == 0;  // a step below the resolution of t leads nowhere
    if (ahead && step(until)) {
      length *= 2;
    } else if (ahead && length > shortest * whole) {
      length /= 2;
    } else if (!(ahead && jump(until))) {
      if (left_branch_point || !leave_branch_point(t)) return false;
      left_branch_point = true;
      length = t - state_.t;
    }
  } while (state_.t < t);
  return true;
}

std::string PoseContinuation::open_loop(double t) {
  const std::vector<ConstraintRow>& rows = evaluator_.system().equations().rows;
  State pose = predicted(t);
  set_outcomes_by_roots(evaluator_, pose);
  steps_.close(pose);
  is_closed(pose);
  std::string open;
  double largest = -1;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const int row = static_cast<int>(r);
    const double share = std::abs(terms_.phi[row]) / gaps_.size(row);
    if (!rows[r].effort && share > largest) open = rows[r].owner, largest = share;
  }
  return open;
}

// Random directions of the tangent space, the largest entry of each 1; none where the machine has no freedom at the pose.
std::vector<Eigen::VectorXd> PoseContinuation::directions() {
  KineticRows rows;
  rows.resize(configuration_.nv(), static_cast<int>(terms_.phi.size()));
  rows.set_groups(row_groups(evaluator_.system().equations()));
  evaluator_.set(state_.t, state_.x.data());
  evaluator_.set_outcomes(state_.w);
  evaluator_.position(terms_);
  std::vector<Eigen::VectorXd> directions;
  if (!rows.factor(terms_, Regularity::singular)) return directions;
  const int freedoms = configuration_.nv() - rows.rank();
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < (freedoms > 1 ? directions_beside * freedoms : freedoms); ++k) {
    Eigen::VectorXd direction = Eigen::VectorXd::NullaryExpr(configuration_.nv(), [&] { return uniform(generator); });
    rows.make_tangent(direction);
    directions.emplace_back(direction / direction.cwiseAbs().maxCoeff());
  }
  return directions;
}

// Guesses to both sides of the pose: a branch leaves along one of the directions.
std::optional<State> PoseContinuation::beside(double t, const std::vector<Eigen::VectorXd>& directions) {
  std::optional<State> nearest;
  for (const Eigen::VectorXd& direction : directions)
    for (double shake = first_shake; shake <= short_way;
         shake *= 3)  // NOLINT(*FloatLoopCounter): it need not end at short_way
      for (const double side : {shake, -shake}) {
        State pose = state_;
        pose.t = t;
        configuration_.advance(pose.x.data(), Eigen::VectorXd(side * direction).data());
        if (!close(pose) || way(state_, pose) > short_way) continue;
        if (!nearest || way(state_, pose) < (1 - closed) * way(state_, *nearest)) nearest = pose;
      }
  return nearest;
}

bool PoseContinuation::leave_branch_point(double t) {
  const std::vector<Eigen::VectorXd> ways = directions();
  double ahead = t - state_.t;
  for (int k = 0; k < times_beside; ++k, ahead /= 4) {
    const std::optional<State> pose = beside(state_.t + ahead, ways);
    if (!pose) continue;
    const State before = state_;
    state_ = *pose;
    choices_.push_back(choice(before));
    return true;
  }
  return false;
}

// The coordinates that move most first.
Finding PoseContinuation::choice(const State& from) const {
  const Equations& e = evaluator_.system().equations();
  std::vector<int> order;
  for (int i = 0; i < configuration_.nq(); ++i)
    if (way(from, state_, i) > at_rest * way(from, state_)) order.push_back(i);
  std::ranges::stable_sort(order, [&](int a, int b) { return way(from, state_, a) > way(from, state_, b); });
  std::string moved;
  for (std::size_t i = 0; i < std::min(order.size(), most_named); ++i)
    moved += fmt::format("{}{} {}", i ? ", " : "", e.positions[order[i]].name,
                         state_.x[order[i]] > from.x[order[i]] ? "grows" : "falls");
  return finding<FindingCode::several_motions>("t"_a = from.t, "moved"_a = moved);
}

}  // namespace armature::internal
