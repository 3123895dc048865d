// Returns W states to their constraints, as long as these are regular there. What is left over, a small pivot or a correction
// that does not converge, is for the rank-revealing projection (dynamics/projection.hpp).
//
//   M dq + Phi' mu = 0,  Phi dq = -phi         q moves by N dq
//   M dv + Phi' nu = 0,  Phi dv = -phidot - (what dq adds to phidot)
//
// The steps are smallest in the kinetic metric, so that they depend on no unit; and what is large or small is measured by the
// machine's own sizes (dynamics/machine_size.hpp). Both at once leave residuals of second order
// in dq and dv: mostly one step is the last (straight). The error estimate of the step loses its part normal to the constraints.
//
// Model: a KernelEvaluator<W>, whose kernels give the corrections at the states that are set.
#pragma once

#include "step/configuration.hpp"
#include "step/kernel_outputs.hpp"
#include "step/pivots.hpp"

namespace armature::step {

namespace correction {
inline constexpr double round_off = 2 * epsilon;
inline constexpr double square_is_round_off = resolved(1e-8);  // a step whose square is round-off
inline constexpr int most_steps = 20, most_straight = 3;
// A step that moves positions by dq and velocities v by dv is the last where what it leaves, dq^2, dq^2 v and dq dv, is nearly
// round-off: the next step takes it back.
inline constexpr double left_over = resolved(1e-14);
ARMATURE_STEP bool is_last(double dq, double dv, double v) { return dq * dq <= left_over && dq * dv <= left_over * v; }
inline constexpr double none =
    resolved(1e-11);  // a repeated correction that ends by less than this changes no acceleration
// Below this square of a sine a correction, however short, changes accelerations.
inline constexpr double well_regular = 0.1;
ARMATURE_STEP bool is_regular(double ratio, double phi, double size) {
  return ratio >= larger(Regularity::squared(Regularity::regular), phi / size);
}
// Whether a velocity v that was moved by at most dv, where the smallest pivot is a sine, is that of another branch: next to
// a pose in which branches meet, an error of a step moves velocities by a small part of themselves, another tangent by a
// large one. rate: of a motion that lasts as long as the run; a small part of it is rest.
inline constexpr double at_rest = 1e-6;  // of that rate
ARMATURE_STEP bool changes_branch(double sine, double dv, double v, double rate) {
  return sine < Regularity::regular && dv > 0.3 * v && dv > at_rest * rate;
}
}  // namespace correction

// What a kernel says of the motion: rates of velocities, positions and other states, and multipliers.
template <int W>
struct Rates {
  const Row<W>*vdot = nullptr, *lambda = nullptr, *qdot = nullptr, *zdot = nullptr;
};

// One over the sizes of the solve's rows, of positions and of velocities; null: not known.
struct MachineSizes {
  const double *rows = nullptr, *positions = nullptr, *velocities = nullptr;
};

struct ProjectionSizes {
  int nq = 0, nv = 0, nz = 0, rows = 0;  // rows: of the traced solve
  bool counts_work = false;              // the energy that corrections change is part of the state
  Configuration configuration;
};

// Of step/motion.hpp.
struct MotionSizes : ProjectionSizes {
  int work = -1;  // the state that holds what stabilization adds, among z; -1: none
  ARMATURE_STEP int nx() const { return nq + nv + nz; }
};

template <int W, class Model>
class Projection {
 public:
  ARMATURE_STEP static long memory(const ProjectionSizes& sizes) { return 2L * sizes.nv + sizes.nq + sizes.rows; }
  ARMATURE_STEP Projection(Model& model, const ProjectionSizes& sizes, Row<W>* memory)
      : model_(model),
        n_(sizes),
        position_error_(memory),
        per_velocity_(memory + sizes.nv),
        per_position_(per_velocity_ + sizes.nv),
        per_row_(per_position_ + sizes.nq) {
    for (int k = 0; k < W; ++k) rate_[k] = 1;
  }

  // Of a lane, before anything is projected in it.
  ARMATURE_STEP void set_sizes(int k, const MachineSizes& sizes) {
    for (int i = 0; i < n_.rows; ++i) per_row_[i][k] = sizes.rows[i];
    for (int i = 0; i < n_.nq; ++i) per_position_[i][k] = sizes.positions[i];
    for (int i = 0; i < n_.nv; ++i) per_velocity_[i][k] = sizes.velocities[i];
  }

  // 1/s, of a motion that lasts as long as the run.
  ARMATURE_STEP void set_rate(int k, double rate) { rate_[k] = rate; }

  // Positions and velocities of x, then the error estimate (null: there is none), in some lanes. Returns the lanes in which that
  // is done; in the others x and error are not to be used.
  ARMATURE_STEP Mask<W> project(Mask<W> lanes, const Row<W>& t, Row<W>* x, Row<W>* error) {
    lanes = position(lanes, t, x);
    return lanes ? velocity(lanes, t, x, error) : lanes;
  }

  // Both together by straight corrections; in lanes in which that is not done, x is not to be used.
  ARMATURE_STEP Mask<W> straight(Mask<W> lanes, const Row<W>& t, Row<W>* x) {
    const auto correct = [&](auto& out) {
      take_corrections(model_.correct_motion(), out);
      out.usable = lanes;
    };
    return go_straight(lanes, t, x, correct, [](Mask<W>) {});
  }

  // The same with the accelerations at the end of a step, xdot, and its error estimate, which first gets the share of the end.
  ARMATURE_STEP Mask<W> finish(Mask<W> lanes, const Row<W>& t, Row<W>* x, Row<W>* xdot, Row<W>* error,
                               const Row<W>& weight) {
    StepEnd end;
    const auto correct = [&](auto& out) {
      n_.configuration.template velocity<W>(lanes, x, error, position_error_);
      const auto& view = model_.step_end(position_error_, error + n_.nq, weight);
      rates_ = {view.vdot, view.lambda, view.qdot, view.zdot};
      end = {view.position_error, view.velocity_error};
      take_corrections(view, out);
      out.usable =
          step::finite<W>(n_.nv, view.vdot) & step::finite<W>(n_.nq, view.qdot) & step::finite<W>(n_.nz, view.zdot);
    };
    const auto take = [&](Mask<W> last) { take_step_end(last, end, weight, x, xdot, error); };
    return go_straight(lanes, t, x, correct, take);
  }

  // Of the lanes that the last of these two has done: by how much the stored energy changed, J; whether the last correction was
  // none; and the square of the smallest sine.
  ARMATURE_STEP const Row<W>& work() const { return work_; }
  ARMATURE_STEP Mask<W> ends_where_evaluated() const { return ends_where_evaluated_; }
  ARMATURE_STEP const Row<W>& ratio() const { return ratio_; }
  ARMATURE_STEP const Rates<W>& rates() const { return rates_; }  // of finish
  ARMATURE_STEP long steps(int k) const { return steps_[k]; }     // corrections so far

 private:
  struct Corrections {
    const Row<W>*dq, *dv, *work, *phi, *phidot;
    const Row<W>*mass_pivots, *pivots, *scales;
    Mask<W> usable;
  };
  struct StepEnd {  // the error estimate at the end of a step
    const Row<W>*position_error, *velocity_error;
  };
  ARMATURE_STEP static void take_corrections(const KernelOutputs<W>& view, Corrections& out) {
    out = {view.dq, view.dv, view.work, view.phi, view.phidot, view.mass_pivots, view.pivots, view.scales, 0};
  }

  // What a row of phi is made of: lever arms times coordinates, which may be many turns. Round-off of phi is of its order.
  ARMATURE_STEP void typical_size(const Row<W>* x, Row<W>& size) const {
    largest_times<W>(n_.nq, x, per_position_, size);
    for (int k = 0; k < W; ++k) size[k] = larger(1.0, size[k]);
  }

  // correct: runs the kernel at the states that are set; take: its other outputs, in lanes that have come to the end.
  template <class Correct, class Take>
  ARMATURE_STEP Mask<W> go_straight(Mask<W> lanes, const Row<W>& t, Row<W>* x, const Correct& correct,
                                    const Take& take) {
    // what is large: positions, speeds
    Row<W> size, speed, phi, phidot, dq, dv, before{};
    typical_size(x, size);
    largest_times<W>(n_.nv, x + n_.nq, per_velocity_, speed);
    Mask<W> done = 0, repeated = 0;
    ends_where_evaluated_ = 0;
    for (int pass = 0; pass < correction::most_straight && without(lanes, done); ++pass) {
      // residuals and the corrections that take them away, over their sizes
      model_.set(t, x);
      Corrections out;
      correct(out);
      largest_times<W>(n_.rows, out.phi, per_row_, phi);
      largest_times<W>(n_.rows, out.phidot, per_row_, phidot);
      largest_times<W>(n_.nv, out.dq, per_velocity_, dq);
      largest_times<W>(n_.nv, out.dv, per_velocity_, dv);
      Row<W> ratio;
      const Mask<W> usable = out.usable & pivot_ratios<W>(n_.nv, n_.rows, out, ratio);
      // each lane: too irregular for this, at its last correction, or to be corrected again
      Mask<W> last = 0, going = 0, moving = 0;
      for_each<W>(without(lanes, done), [&](int k) {
        const Mask<W> bit = lane_bit<W>(k);
        ratio_[k] = ratio[k];
        if (!has(usable, k) || !correction::is_regular(ratio[k], phi[k], size[k])) {
          lanes = without(lanes, bit);
        } else if (correction::is_last(dq[k], dv[k], speed[k])) {
          const bool open = phi[k] > correction::round_off * size[k] || phidot[k] > correction::round_off * speed[k];
          last |= bit, work_[k] = open ? (*out.work)[k] : 0;
          if (open) moving |= bit;
          if (!open || (pass > 0 && dq[k] <= correction::none && dv[k] <= correction::none * speed[k]))
            ends_where_evaluated_ |= bit;
        } else {
          going |= bit;
        }
      });
      // move, and take what else the kernel gave where that was the last correction
      if (pass == 0 && going && n_.counts_work) before = model_.energy();  // the inputs are those of before
      move(moving | going, out.dq, out.dv, x);
      if (last) take(last);
      done |= last, repeated |= going;
    }
    // work of repeated corrections: the difference of energies
    done &= lanes, repeated &= done;
    if (!repeated || !n_.counts_work) return done;
    model_.set(t, x);
    const Row<W>& after = model_.energy();
    for_each<W>(repeated, [&](int k) { work_[k] = after[k] - before[k]; });
    return done;
  }

  ARMATURE_STEP void move(Mask<W> lanes, const Row<W>* dq, const Row<W>* dv, Row<W>* x) {
    if (!lanes) return;
    n_.configuration.template advance<W>(lanes, dq, x);
    add_to<W>(lanes, n_.nv, dv, x + n_.nq);
    for_each<W>(lanes, [&](int k) { ++steps_[k]; });
  }

  ARMATURE_STEP void take_step_end(Mask<W> lanes, const StepEnd& end, const Row<W>& weight, const Row<W>* x,
                                   Row<W>* xdot, Row<W>* error) {
    copy<W>(lanes, n_.nq, rates_.qdot, xdot);
    copy<W>(lanes, n_.nv, rates_.vdot, xdot + n_.nq);
    copy<W>(lanes, n_.nz, rates_.zdot, xdot + n_.nq + n_.nv);
    n_.configuration.template rate<W>(lanes, x, end.position_error, error);
    copy<W>(lanes, n_.nv, end.velocity_error, error + n_.nq);
    for (int i = 0; i < n_.nz; ++i)
      for_each<W>(lanes, [&](int k) { error[n_.nq + n_.nv + i][k] += weight[k] * rates_.zdot[i][k]; });
  }

  // Newton's method; corrections whose pivots are too small for the residual leave the lane.
  ARMATURE_STEP Mask<W> position(Mask<W> lanes, const Row<W>& t, Row<W>* x) {
    constexpr double solvable = Regularity::squared(Regularity::singular);
    Row<W> size, length, previous, residual;
    typical_size(x, size);
    for (int k = 0; k < W; ++k) previous[k] = infinity;
    Mask<W> done = 0;
    for (int pass = 0; pass < correction::most_steps && without(lanes, done); ++pass) {
      // residual and correction
      model_.set(t, x);
      const auto& view = model_.correct_position();
      largest_times<W>(n_.rows, view.phi, per_row_, residual);
      Row<W> ratio;
      lanes &= (pivot_ratios<W>(n_.nv, n_.rows, view, ratio) & step::finite<W>(n_.nv, view.dq)) | done;
      largest_times<W>(n_.nv, view.dq, per_velocity_, length);
      // a lane leaves, is done, or moves
      Mask<W> moving = 0;
      for_each<W>(without(lanes, done), [&](int k) {
        const double error = residual[k];
        if (!(ratio[k] >= larger(solvable, error / size[k])) || !step::finite(error))
          lanes = without(lanes, lane_bit<W>(k));
        else if (error <= correction::round_off * size[k] ||
                 (error > 0.5 * previous[k] && error < resolved(1e-10) * size[k]))
          done |= lane_bit<W>(k);  // no further than round-off lets it
        else
          moving |= lane_bit<W>(k);
        previous[k] = error;
      });
      if (!moving) continue;
      n_.configuration.template advance<W>(moving, view.dq, x);
      for_each<W>(moving, [&](int k) {
        ++steps_[k];
        if (length[k] <= correction::square_is_round_off) done |= lane_bit<W>(k);
      });
    }
    return lanes & done;
  }

  // One linear step; the errors lose their normal parts along with it.
  ARMATURE_STEP Mask<W> velocity(Mask<W> lanes, const Row<W>& t, Row<W>* x, Row<W>* error) {
    if (error) n_.configuration.template velocity<W>(lanes, x, error, position_error_);
    model_.set(t, x);
    if (!error) return move_velocities(lanes, model_.correct_velocity(), x);
    const auto& view = model_.correct_velocity_and_errors(position_error_, error + n_.nq);
    lanes = move_velocities(lanes, view, x);
    add_to<W>(lanes, n_.nv, view.d_position_error, position_error_);
    n_.configuration.template rate<W>(lanes, x, position_error_, error);
    add_to<W>(lanes, n_.nv, view.d_velocity_error, error + n_.nq);
    return lanes;
  }

  ARMATURE_STEP Mask<W> move_velocities(Mask<W> lanes, const KernelOutputs<W>& view, Row<W>* x) {
    constexpr double solvable = Regularity::squared(Regularity::singular);
    Row<W> residual, ratio, speed, length;
    largest_times<W>(n_.rows, view.phidot, per_row_, residual);
    largest_times<W>(n_.nv, x + n_.nq, per_velocity_, speed);
    largest_times<W>(n_.nv, view.dv, per_velocity_, length);
    lanes &= pivot_ratios<W>(n_.nv, n_.rows, view, ratio) & step::finite<W>(n_.nv, view.dv);
    lanes = those<W>(lanes, [&](int k) {
      return ratio[k] >= solvable && step::finite(residual[k]) &&
             !correction::changes_branch(square_root(ratio[k]), length[k], speed[k], rate_[k]);
    });
    const Mask<W> moving = those<W>(lanes, [&](int k) { return residual[k] > correction::round_off * speed[k]; });
    if (moving) add_to<W>(moving, n_.nv, view.dv, x + n_.nq);
    return lanes;
  }

  Model& model_;
  ProjectionSizes n_;
  Row<W>* position_error_;                          // nv
  Row<W>*per_velocity_, *per_position_, *per_row_;  // one over sizes
  Row<W> ratio_{}, work_{}, rate_;
  Rates<W> rates_;
  Mask<W> ends_where_evaluated_ = 0;
  long steps_[W] = {};
};

}  // namespace armature::step
