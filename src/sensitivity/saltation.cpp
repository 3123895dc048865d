#include "sensitivity/saltation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sensitivity/jump_equations.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

Directional make_impulse(const System& system) {
  if (jump_equations::impact_work_state(system.equations()) < 0) return Directional(system, {});
  const jump_equations::ImpulseBalance balance = jump_equations::impulse_balance(system.equations());
  return Directional(system, balance.zero, balance.given);
}

Directional make_energy(const System& system) {
  if (jump_equations::impact_work_state(system.equations()) < 0) return Directional(system, {});
  return Directional(system, {jump_equations::stored_energy(system.equations())});
}

}  // namespace

Saltation::Saltation(const std::shared_ptr<const System>& system, const std::vector<int>& sliders)
    : system_(system),
      n_(system->layout()),
      roots_(*system, jump_equations::comparison_roots(system->equations()), {}, sliders),
      next_(*system, jump_equations::next_values(system->equations())),
      energy_(make_energy(*system)),
      contacts_(system),
      impulse_(make_impulse(*system)),
      work_(jump_equations::impact_work_state(system->equations())) {}

void Saltation::set_parameters(const VectorXd& parameters) {
  for (Directional* program : {&roots_, &next_, &energy_, &impulse_}) program->set_parameters(parameters);
  contacts_.set_parameters(parameters);
}

void Saltation::roots(MotionSensitivity& motion, const State& state, VectorXd& roots) {
  motion.roots_at(state, root_);
  roots.resize(this->roots());
  roots.head(n_.nw) = root_;
  contacts_.roots_at(state, roots.tail(contacts_.roots()));
}

bool RootHistory::follows_jump(double t) const { return t - jump <= jump_equations::same_time * std::abs(t); }

std::string Saltation::name(int k) const {
  const std::string& label = system_->equations().graph->comparisons()[static_cast<std::size_t>(k)].label;
  return label.empty() ? fmt::format("comparison {}", k + 1) : label;
}

void Saltation::sample(const State& seen, const std::vector<bool>& due, MatrixXd& S) {
  next_.set(seen);
  next_(S, changes_);
  for (std::size_t i = 0; i < due.size(); ++i)
    if (due[i]) S.row(n_.nx() + static_cast<Eigen::Index>(i)) = changes_.row(static_cast<Eigen::Index>(i));
}

std::string Saltation::held_at_once(const State& before, const State& after, const MatrixXd& S) {
  for (std::size_t k = 0; k < after.comparisons.size(); ++k) {
    const bool begins =
        after.comparisons[k] == ComparisonStatus::sliding && before.comparisons[k] != ComparisonStatus::sliding;
    if (!begins) continue;
    roots_.set(after);
    roots_(S, changes_);
    const double least = jump_equations::at_zero * S.topRows(n_.nx()).cwiseAbs().maxCoeff();
    if (changes_.row(static_cast<Eigen::Index>(k)).cwiseAbs().maxCoeff() > least)
      return fmt::format("at t = {:.10g} s {} sticks in this motion, but not in those nearby", after.t,
                         name(static_cast<int>(k)));
  }
  return {};
}

// Velocities that jump, but for what stays closed and is brought back to rest.
bool Saltation::differs(const State& before, const State& after) const {
  const auto v = before.x.segment(n_.nq, n_.nv), w = after.x.segment(n_.nq, n_.nv);
  return (w - v).norm() > jump_equations::smooth * std::max(v.norm(), w.norm());
}

// Contacts that are closed at the start must be closed for all motions nearby, and stick.
std::string Saltation::closed_at_once(const State& before, const State& after, const MatrixXd& S) {
  if (contacts_.roots() == 0 || before.d == after.d) return {};
  const auto fails = [&](const std::string& why) { return fmt::format("at t = {:.10g} s {}", after.t, why); };
  if (differs(before, after)) return fails("contacts collide, and the motion has no derivative that is known");
  // How the velocities at contacts and their gaps change along the columns of S; below `least` it is round-off.
  contacts_.velocity_changes(after, S, rate_);
  contacts_.root_changes(after, S, changes_);
  const double least = jump_equations::at_zero * S.topRows(n_.nx()).cwiseAbs().maxCoeff();
  for (int i = 0; i < contacts_.roots() / ContactSaltation::roots_of_contact; ++i) {
    if (!contacts_.is_closed(after, i)) continue;
    const int gap = ContactSaltation::roots_of_contact * i + ContactSaltation::gap;
    // A gap, its rate and, while it sticks, its sliding stay zero for motions nearby.
    double most = std::max(changes_.row(gap).cwiseAbs().maxCoeff(), rate_.row(2 * i).cwiseAbs().maxCoeff());
    if (contacts_.sticks(after, i)) most = std::max(most, rate_.row(2 * i + 1).cwiseAbs().maxCoeff());
    if (most > least)
      return fails(fmt::format("{} is closed in this motion, but not in those nearby", contacts_.label(gap)));
  }
  return {};
}

namespace {

// Whether a root that comes to zero with this rate goes beyond it by less than `uncertain`, by the parabola through its piece.
bool only_grazes(double root, double rate, double piece_start, double piece, double uncertain) {
  const double curvature = 2 * (piece_start - root + rate * piece) / (piece * piece);
  return rate * rate <= 2 * std::abs(curvature) * uncertain;
}

}  // namespace

// Every comparison that changes because its root is zero, or because its weight leaves its range. directions: S, then the flow.
std::vector<Saltation::Zero> Saltation::zeros_of_comparisons(MotionSensitivity& motion, const RootHistory& history,
                                                             const Instant& instant, const MatrixXd& directions) {
  const State& before = instant.before;
  const std::vector<Graph::Comparison>& comparisons = system_->equations().graph->comparisons();
  const auto columns = instant.S_before.cols();
  roots_.set(motion.state());
  roots_(directions, changes_);
  motion.add_weight_changes(roots_, changes_);
  std::vector<Zero> zeros;
  for (std::size_t k = 0; k < comparisons.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const bool slid = before.comparisons[k] == ComparisonStatus::sliding;
    if (instant.after.comparisons[k] == before.comparisons[k] && (slid || instant.after.w[row] == before.w[row]))
      continue;
    if (slid) {
      const auto slider = std::ranges::find_if(
          motion.active(), [&](int i) { return motion.sliders()[static_cast<std::size_t>(i)] == static_cast<int>(k); });
      if (slider == motion.active().end()) continue;
      const double range = 0.5 * comparisons[k].breakaway, beyond = std::abs(motion.state().w[row] - 0.5) - range;
      if (beyond > jump_equations::at_zero * range && history.follows_jump(before.t)) {
        zeros.push_back({name(static_cast<int>(k)), -history.jump_shift, 1, false});
        continue;
      }
      if (std::abs(beyond) > jump_equations::at_zero * range) continue;
      const RowVectorXd all = motion.weight_changes().row(slider - motion.active().begin());
      zeros.push_back({name(static_cast<int>(k)), all.head(columns), all[columns], false});
    } else {
      if (std::abs(root_[row] - jump_equations::edge_of(comparisons[k], root_[row])) >
          jump_equations::at_zero * history.scale[row])
        continue;
      const double rate = changes_(row, columns);
      zeros.push_back(
          {name(static_cast<int>(k)), changes_.row(row).head(columns), rate,
           only_grazes(root_[row], rate, history.piece_start[row], history.piece, history.rtol * history.scale[row])});
    }
  }
  return zeros;
}

// A gap is uncertain by the tolerances. One that neither closes nor moves nearby follows what others do.
void Saltation::add_zeros_of_contacts(MotionSensitivity& motion, const RootHistory& history, const Instant& instant,
                                      const MatrixXd& directions, std::vector<Zero>& zeros) {
  const auto columns = instant.S_before.cols();
  VectorXd value(contacts_.roots());
  contacts_.roots_at(motion.state(), value);
  contacts_.root_changes(motion.state(), directions, changes_);
  for (const int k : contacts_.changed(instant.before, instant.after, *instant.contacts)) {
    const bool is_gap = k % ContactSaltation::roots_of_contact == ContactSaltation::gap;
    const Eigen::Index row = n_.nw + k;
    const RowVectorXd change = changes_.row(k).head(columns);
    const double rate = changes_(k, columns);
    double uncertain = history.rtol * history.scale[row];
    if (is_gap) {
      const ContactSaltation::Uncertain least =
          contacts_.uncertain(motion.state(), k / ContactSaltation::roots_of_contact, history.atol, history.rtol);
      const double still = jump_equations::at_zero * instant.S_before.topRows(n_.nx()).cwiseAbs().maxCoeff();
      if (std::abs(rate) <= least.rate && change.cwiseAbs().maxCoeff() <= still) continue;
      uncertain = least.gap;
    } else if (std::abs(value[k]) > jump_equations::at_zero * history.scale[row]) {
      if (value[k] < 0 && history.follows_jump(instant.before.t))
        zeros.push_back({contacts_.label(k), -history.jump_shift, 1, false});
      continue;
    }
    zeros.push_back({contacts_.label(k), change, rate,
                     only_grazes(value[k], rate, history.piece_start[row], history.piece, uncertain)});
  }
}

// The shift by all roots that are zero; they must agree.
void Saltation::find_shift(MotionSensitivity& motion, const RootHistory& history, Instant& instant) {
  const auto columns = instant.S_before.cols();
  // The rates of all roots along S and along the flow before the instant, in one sweep.
  MatrixXd directions(instant.S_before.rows(), columns + 1);
  directions << instant.S_before, instant.flow_before;
  const RowVectorXd unknown = RowVectorXd::Constant(columns, std::numeric_limits<double>::quiet_NaN());
  instant.shift = unknown;
  instant.why_no_shift = "nothing that changes there is at its zero";
  motion.roots(root_);
  if (!motion.rate(directions, rate_)) return;
  std::vector<Zero> zeros = zeros_of_comparisons(motion, history, instant, directions);
  if (instant.contacts) add_zeros_of_contacts(motion, history, instant, directions, zeros);
  // A root at its zero shifts the instant by -change/rate. One that grazes has no shift, and two must not differ.
  for (std::size_t k = 0; k < zeros.size(); ++k) {
    const RowVectorXd shift = -zeros[k].change / zeros[k].rate;
    const bool differs = k > 0 && !jump_equations::same(shift, instant.shift);
    if (zeros[k].grazes || differs) {
      instant.shift = unknown;
      instant.why_no_shift = zeros[k].grazes
                                 ? fmt::format("{} only grazes its zero", zeros[k].name)
                                 : fmt::format("{} and {} change at one instant, and nearby one after the other",
                                               zeros[0].name, zeros[k].name);
      return;
    }
    if (k == 0) instant.shift = shift;
  }
}

// D: the change of the state before the impulses, then after them. A sentence: there is none.
std::string Saltation::hit(MotionSensitivity& motion, const Instant& instant, MatrixXd& D) {
  energy_.set(instant.before);
  MatrixXd energy_before, energy_after;
  energy_(D, energy_before);
  if (instant.contacts) {
    if (std::string why = contacts_.hit(motion, instant.before, instant.after, *instant.contacts, D); !why.empty())
      return why;
  } else {
    hit_constraints(motion, instant, D);
  }
  energy_.set(instant.after);
  energy_(D, energy_after);
  D.row(work_) += energy_after - energy_before;
  return D.allFinite() ? "" : "the impulse has no derivative";
}

// The impulse of rows whose law changes (run/impacts.hpp): M (v+ - v-) + Phi' mu = 0, phidot+ = 0; `motion` is at the state after it.
void Saltation::hit_constraints(MotionSensitivity& motion, const Instant& instant, MatrixXd& D) {
  const VectorXd before = instant.before.x.segment(n_.nq, n_.nv), after = instant.after.x.segment(n_.nq, n_.nv);
  const MatrixXd& M = motion.terms().M;
  // the multipliers of the impulse
  VectorXd dv = VectorXd::Zero(n_.nv), mu = VectorXd::Zero(n_.m), further(n_.nv + n_.m);
  motion.solve(M * before, motion.terms().Phi * after, dv, mu);
  further << before, mu;
  impulse_.set(instant.after);
  impulse_.set_further(further);
  MatrixXd still = D;
  still.middleRows(n_.nq, n_.nv).setZero();
  impulse_(still, changes_);
  for (Eigen::Index k = 0; k < D.cols(); ++k) {
    const VectorXd force = M * D.col(k).segment(n_.nq, n_.nv) - changes_.col(k).head(n_.nv);
    const VectorXd residual = -changes_.col(k).tail(n_.m);
    motion.solve(force, residual, dv, mu);
    D.col(k).segment(n_.nq, n_.nv) = dv;
  }
}

// Nothing but drift was taken back.
std::string Saltation::stay(Instant& instant) {
  instant.shift.setZero(instant.S_before.cols());
  return {};
}

std::string Saltation::cross(MotionSensitivity& motion, const RootHistory& history, Instant& instant) {
  const auto fails = [&](const std::string& why) { return fmt::format("at t = {:.10g} s {}", instant.before.t, why); };
  instant.S_after = instant.S_before;
  if (!motion.set(instant.before)) return fails(motion.why());
  instant.flow_before = motion.flow();
  find_shift(motion, history, instant);
  if (!motion.set(instant.after)) return fails(motion.why());
  instant.flow_after = motion.flow();
  if (instant.contacts && contacts_.changed(instant.before, instant.after, *instant.contacts).empty())
    return stay(instant);
  const bool jumps =
      work_ >= 0 && (instant.contacts ? differs(instant.before, instant.after) : instant.after.x != instant.before.x);
  const VectorXd change = instant.flow_after - instant.flow_before;
  const double size = std::max(instant.flow_before.head(n_.nx()).norm(), instant.flow_after.head(n_.nx()).norm());
  if (!instant.shift.allFinite())
    return jumps || change.norm() > jump_equations::smooth * size
               ? fails("the motion has no derivative: " + instant.why_no_shift)
               : "";
  // to the time of the event with the old laws, from there with the new ones
  MatrixXd D = instant.S_before + instant.flow_before * instant.shift;
  if (jumps || instant.contacts)
    if (const std::string why = hit(motion, instant, D); !why.empty())
      return fails("the motion has no derivative: " + why);
  instant.S_after = D - instant.flow_after * instant.shift;
  motion.make_tangent(instant.S_after);
  return {};
}

}  // namespace armature::internal
