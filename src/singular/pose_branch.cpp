#include "singular/pose_branch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/largest.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double most_turn = 0.2;           // of the tangent in a step, and of a correction against it
constexpr double most_angle = 0.5;          // rad, of a coordinate in a step
constexpr double least_turn = 0.02;         // the same near a meeting of branches
constexpr double smallest = 1e-6;           // step, of the line …
constexpr double smallest_at_edge = 1e-12;  // … and where it is to be found how far a branch leads
constexpr double meeting = 1e-5;            // sine of a loop's row below which tangents are round-off
constexpr double may_be_meeting = 2e-2;     // sine near which a step that fails is tried across
constexpr double closed = 1e-11;            // of the size of a row: what counts as met
constexpr double round_off_of_a_row = 4e-16;
constexpr double nearly_closed = 1e-7;  // of it: where branches meet, the product of two distances
constexpr double most_open = 1e-2;      // of it: beyond, the state is not near anything yet
constexpr double round_off = 1e-12;     // of the longest lever arm, or 1 rad
constexpr double the_same = 1e-9;       // of the longest lever arm: poses found in two ways
constexpr int most_corrections = 25;
constexpr double beyond[] = {3e-3, 1e-2, 3e-2, 0.1, 0.3};  // of the line: where a pose is taken between two sides

// Near a meeting steps are short, so that poses between two sides are known well.
double turn_between(const BranchKnot& a, const BranchKnot& b) {
  return std::clamp(0.4 * std::min(a.pivot, b.pivot), least_turn, most_turn);
}

}  // namespace

PoseBranch::PoseBranch(const PoseMachine& machine)
    : machine_(machine),
      evaluator_(machine.prepared.system),
      configuration_(machine.prepared.system->equations()),
      terms_(evaluator_.make_terms()) {
  const Equations& e = machine.prepared.system->equations();
  goals_ = goal_places(machine);
  p_ = Eigen::Map<const VectorXd>(e.p_value.data(), static_cast<Eigen::Index>(e.p_value.size()));
  const auto& independent = machine.prepared.system->options().independent_rows;
  const int nv = static_cast<int>(e.v.size()), keeps = static_cast<int>(e.keep.size());
  std::vector<int> groups = row_groups(e), loop_groups;
  for (int row : independent) loop_groups.push_back(groups[static_cast<std::size_t>(row)]);
  loops_.resize(nv, static_cast<int>(independent.size()));
  loops_.set_groups(loop_groups);
  const int last = groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
  for (int k = 0; k < keeps; ++k) groups.push_back(last + k);
  rows_.resize(nv, static_cast<int>(groups.size()));
  rows_.set_groups(groups);
  SparseTerms terms = evaluator_.make_sparse_terms();
  evaluator_.set(machine.prepared.start);
  evaluator_.position(terms);
  size_ = MachineSize(e, terms, machine.prepared.start.x.data());
}

void PoseBranch::set_place(double s) {
  for (std::size_t k = 0; k < goals_.size(); ++k) p_[goals_[k]] = a_[k] + s * (b_[k] - a_[k]);
  evaluator_.set_parameters(p_);
}

// Loops first, then what is kept; and how the latter changes along the line.
void PoseBranch::evaluate(double s, const State& state) {
  evaluator_.set(state);
  set_place(s + 1);
  evaluator_.start_position(goal_rate_, start_J_);
  set_place(s);
  evaluator_.start_position(start_, start_J_);
  goal_rate_ -= start_;
  evaluator_.position(terms_);
  C_.resize(terms_.Phi.rows() + start_J_.rows(), terms_.Phi.cols());
  C_.topRows(terms_.Phi.rows()) = terms_.Phi;
  C_.bottomRows(start_J_.rows()) = MatrixXd(start_J_);
  c_.resize(C_.rows());
  c_ << terms_.phi, start_;
}

// The largest of c over its size: what a radian, or the machine's length, of all coordinates would change the row by.
double PoseBranch::open() const {
  double open = 0;
  for (Eigen::Index i = 0; i < c_.size(); ++i) {
    const double own =
        i < terms_.Phi.rows() ? 1 / size_.per_row()[i] : C_.row(i).cwiseAbs().dot(size_.per_velocity().cwiseInverse());
    const double here = std::abs(c_[i]) / (own > 0 ? own : 1);
    if (!std::isfinite(here)) return here;
    open = std::max(open, here);
  }
  return open;
}

// A row whose sine is below the root of what is open cannot tell branches apart: it is left out (dynamics/projection.hpp)
// where the pose need not be exact.
bool PoseBranch::correct(double s, State& state, bool exactly) {
  double open = 1, before = 1;
  for (int k = 0; k < most_corrections; ++k) {
    evaluate(s, state);
    open = this->open();
    if (!std::isfinite(open)) return false;
    // closed, and as far as rounding lets it be
    if (open <= closed && k > 0 && (open < round_off_of_a_row || open > 0.3 * before)) return true;
    before = open;
    // a Newton correction of least kinetic norm
    const bool leaves_out = !exactly && open < most_open;
    const double tolerance = leaves_out ? std::max(Regularity::dependent, std::sqrt(open)) : Regularity::dependent;
    if (!rows_.factor(terms_.M, C_, tolerance)) return false;
    rows_.least_norm(-c_, dv_);
    configuration_.advance(state.x.data(), dv_.data());
    if (!exactly && size_.of_velocities(dv_.data()) < round_off) break;
  }
  return !exactly && open < nearly_closed;
}

bool PoseBranch::tangent(const State& state, double s, VectorXd& v) {
  evaluate(s, state);
  if (!rows_.factor(terms_.M, C_)) return false;
  VectorXd rate = VectorXd::Zero(C_.rows());
  rate.tail(goal_rate_.size()) = -goal_rate_;
  v.resize(C_.cols());
  rows_.least_norm(rate, v);
  const VectorXd missed = C_ * v - rate;
  return largest(missed) <= 1e-6 * std::max(1e-300, largest(rate));
}

double PoseBranch::loop_pivot(const State& state) {
  const auto& independent = machine_.prepared.system->options().independent_rows;
  if (independent.empty()) return 1;
  evaluator_.set(state.t, state.x.data());
  evaluator_.position(terms_);
  loop_rows_ = terms_.Phi(independent, Eigen::all);
  if (!loops_.factor(terms_.M, loop_rows_, 0)) return 0;
  return loops_.rank() < static_cast<int>(independent.size()) ? 0 : loops_.smallest();
}

bool PoseBranch::is_meeting(const State& state) { return loop_pivot(state) < meeting; }

bool PoseBranch::ends_at(const State& state) {
  constexpr double same = 1e-3;  // of the way
  State end;
  if (!at(1, end)) return false;
  const auto& kinds = machine_.prepared.system->equations().velocities;
  VectorXd apart = difference(end, state);
  for (Eigen::Index k = 0; k < apart.size(); ++k)
    if (kinds[static_cast<std::size_t>(k)].kind == Coordinate::Kind::angle)
      apart[k] = std::remainder(apart[k], 2 * M_PI);
  return length(apart) <= same * length(difference(knots_.front().state, end)) + the_same * weight_.maxCoeff();
}

double PoseBranch::length(const VectorXd& v) const { return v.cwiseProduct(weight_).norm(); }

VectorXd PoseBranch::difference(const State& a, const State& b) const {
  const int nq = configuration_.nq();
  const VectorXd dq = b.x.head(nq) - a.x.head(nq);
  VectorXd v(configuration_.nv());
  configuration_.velocity(a.x.data(), dq.data(), v.data());
  return v;
}

bool PoseBranch::step(double h, BranchKnot& next) {
  const BranchKnot& here = knots_.back();
  // predictor along the tangent, corrector at the new place
  next.s = here.s + h;
  next.state = here.state;
  const VectorXd way = h * here.tangent;
  configuration_.advance(next.state.x.data(), way.data());
  const State predicted = next.state;
  if (!correct(next.s, next.state, true)) return false;
  // a large correction, a meeting of branches or a sharp turn of the tangent: the step was too long
  const double least = round_off * weight_.maxCoeff();
  if (length(difference(predicted, next.state)) > most_turn * length(way) + least) return false;
  next.pivot = loop_pivot(next.state);
  if (next.pivot < meeting || !tangent(next.state, next.s, next.tangent)) return false;
  const double turn = length(next.tangent - here.tangent);
  const double longest = std::max(length(here.tangent), length(next.tangent));
  return turn <= turn_between(here, next) * longest + least;
}

// A whole turn on, everything is as it was: no angle may go far in a step.
double PoseBranch::longest_step(const VectorXd& tangent) const {
  const auto& kinds = machine_.prepared.system->equations().velocities;
  double fastest = 0;
  for (Eigen::Index k = 0; k < tangent.size(); ++k)
    if (kinds[static_cast<std::size_t>(k)].kind == Coordinate::Kind::angle)
      fastest = std::max(fastest, std::abs(tangent[k]));
  return fastest > 0 ? most_angle / fastest : std::numeric_limits<double>::infinity();
}

bool PoseBranch::advance_to(double end, double smallest_step) {
  double h = knots_.size() > 1 ? knots_.back().s - knots_[knots_.size() - 2].s : end - knots_.back().s;
  BranchKnot next;
  while (knots_.back().s < end) {
    // no farther than the end, and not to just before it
    h = std::min({h, end - knots_.back().s, longest_step(knots_.back().tangent)});
    if (end - knots_.back().s < 1.01 * h) h = end - knots_.back().s;
    // twice as long after a success, half as long after a failure
    if (step(h, next)) {
      if (end - next.s < 1e-12) next.s = end;
      knots_.push_back(next);
      h *= 2;
    } else if (h *= 0.5; h < smallest_step) {
      return false;
    }
  }
  return true;
}

void PoseBranch::set_weights() {
  weight_ = VectorXd::Ones(terms_.M.rows());
  if (terms_.Phi.rows() == 0) return;
  weight_ = terms_.Phi.cwiseAbs().colwise().maxCoeff().transpose();
  weight_ = weight_.cwiseMax(1e-2 * weight_.maxCoeff());  // of what moves no loop
}

// The end of the line may be the very edge of the reach, where the tangent has no bound.
bool PoseBranch::end_at_edge() {
  constexpr double most = 3e-2;  // of the way so far, between the last knot and the edge: the root of what is left
  const BranchKnot& last = knots_.back();
  if (1 - last.s > 30 * smallest) return false;
  BranchKnot end{1, last.state, last.tangent, last.pivot};
  if (!correct(1, end.state, true)) return false;
  if (length(difference(last.state, end.state)) > most * length(difference(knots_[0].state, last.state))) return false;
  knots_.push_back(end);
  return true;
}

BranchEnd PoseBranch::follow(const Place& a, const Place& b, const State& from, const VectorXd& known) {
  a_ = a, b_ = b;
  const double pivot = loop_pivot(from);
  knots_.assign(1, {0, from, known, pivot});
  set_weights();
  if (known.size() == 0 && (pivot < meeting || !tangent(from, 0, knots_[0].tangent)))
    return pivot < may_be_meeting ? BranchEnd::undecided : BranchEnd::turned;
  if (advance_to(1, smallest) || end_at_edge()) return BranchEnd::reached;
  if (loop_pivot(knots_.back().state) > may_be_meeting) return BranchEnd::turned;
  // the end itself may be where branches meet: it lies between knots on both sides
  while (knots_.size() > 1 && 1 - knots_.back().s < 2 * beyond[0]) knots_.pop_back();
  const auto kept = knots_.size();
  for (const double more : beyond) {
    knots_.resize(kept);
    if (advance_to(1 + more, smallest)) return BranchEnd::reached;
  }
  return BranchEnd::undecided;
}

void PoseBranch::follow_to_edge() { advance_to(1, smallest_at_edge); }

std::size_t PoseBranch::piece(double s) const {
  std::size_t k = 0;
  while (k + 2 < knots_.size() && knots_[k + 1].s < s) ++k;
  return k;
}

// Hermite's cubic between two knots, then back onto the equations as far as they can tell.
bool PoseBranch::at(double s, State& state) {
  if (s == knots_.back().s) return state = knots_.back().state, true;
  const std::size_t k = piece(s);
  const BranchKnot& from = knots_[k];
  state = from.state;
  if (knots_.size() > 1) {
    const BranchKnot& to = knots_[k + 1];
    const double h = to.s - from.s, x = (s - from.s) / h;
    const VectorXd way = h * x * (1 - x) * (1 - x) * from.tangent +
                         x * x * (3 - 2 * x) * difference(from.state, to.state) - h * x * x * (1 - x) * to.tangent;
    configuration_.advance(state.x.data(), way.data());
  }
  return correct(s, state, false);
}

VectorXd PoseBranch::tangent_at(double s) const {
  const std::size_t k = piece(s);
  if (knots_.size() == 1) return knots_[0].tangent;
  const BranchKnot &from = knots_[k], &to = knots_[k + 1];
  const double h = to.s - from.s, x = (s - from.s) / h;
  return (1 - x) * (1 - 3 * x) * from.tangent + 6 * x * (1 - x) / h * difference(from.state, to.state) +
         x * (3 * x - 2) * to.tangent;
}

}  // namespace armature::internal
