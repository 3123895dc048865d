// The right-hand side of W runs of one model: xdot = f(t, x) with x = (q, v, z), and the return to the constraints. What is
// regular is done here, for all lanes together. What is rare leaves to the lane's own full engine, in one place each: a small
// pivot, a singular pose, several comparisons that slide at once, a projection that does not converge.
//
// Engine:
//   bool derivative(int k, double t, const double* x, double* xdot)    f by the full engine
//   bool project(int k, double t, double* x, double* error)            the rank-revealing projection; error may be null
//   MachineSizes sizes(int k, double t, const double* x)               what projection measures by, taken there
//   void take_weight(int k, int comparison, double weight)             of a comparison that slides, as found
//   void hold(int k)                                                   the lane's outcomes may be others than before
#pragma once

#include "step/projection.hpp"
#include "step/runge_kutta.hpp"
#include "step/sliding.hpp"

namespace armature::step {

// What is special about a lane.
struct LaneTraits {
  bool plain = false;  // every derivative is one acceleration with the outcomes as they are set
  int sliding = -1;    // the only comparison that makes it differ from that; -1: there is none such
  double rate =
      1;  // 1/s, of a motion that lasts as long as the run; at this rate the root of a sliding mode returns to zero
  bool pulled = false;  // with Baumgarte's terms
  bool projects = false, post_adjusts = false;
  bool finishes = false;  // plain, projecting and not pulled
};

template <int W, class Model>
class Motion {
 public:
  using Sizes = MotionSizes;

  ARMATURE_STEP static long memory(const Sizes& sizes) {
    return Projection<W, Model>::memory(sizes) + 2L * sizes.nx() + 2L * ((sizes.nx() + W - 1) / W + 1);
  }
  ARMATURE_STEP Motion(Model& model, const Sizes& sizes, Row<W>* memory)
      : model_(model),
        n_(sizes),
        projection_(model, sizes, memory),
        sliding_(model),
        saved_x_(memory + Projection<W, Model>::memory(sizes)),
        saved_error_(saved_x_ + sizes.nx()),
        one_x_(saved_error_[sizes.nx()].lane),
        one_xdot_(one_x_ + ((sizes.nx() + W - 1) / W + 1) * W) {}

  ARMATURE_STEP void set(int k, const LaneTraits& traits) {
    mark(plain_, k, traits.plain);
    mark(pulled_, k, traits.pulled);
    mark(projects_, k, traits.projects && n_.rows > 0);
    mark(straight_, k, traits.projects && !traits.post_adjusts && n_.rows > 0);
    mark(alone_, k, traits.post_adjusts);
    mark(finishes_, k, traits.finishes && n_.rows > 0);
    sliding_.set(k, traits.sliding, traits.rate);
    projection_.set_rate(k, traits.rate);
  }
  ARMATURE_STEP void begin(int k) { sized_ = without(sized_, lane_bit<W>(k)); }  // another run in a lane
  ARMATURE_STEP bool plain(int k) const { return has(plain_, k); }
  ARMATURE_STEP bool was_regular(int k) const {
    return has(regular_, k);
  }  // the last derivative of the lane was nothing special
  ARMATURE_STEP const Projection<W, Model>& projection() const { return projection_; }
  // Of the last derivative or finish that was done here: its rates, which stand in the model until its next kernel runs, and (of
  // one state) the square of the smallest sine.
  ARMATURE_STEP const Rates<W>& rates() const { return rates_; }
  ARMATURE_STEP const Row<W>& ratio() const { return ratio_; }

  // Lanes with Baumgarte's terms and lanes without take different kernels; one kind is done together.
  template <class Engine>
  ARMATURE_STEP Mask<W> derivative(Engine& engine, Mask<W> lanes, const Row<W>& t, const Row<W>* x, Row<W>* xdot) {
    // the lanes that one kernel can do: plain ones, and those in which one comparison slides
    const Mask<W> pulled = lanes & plain_ & pulled_, none = 0;
    const Mask<W> sliding = pulled ? none : without(lanes & sliding_.lanes(), pulled_);
    Mask<W> done = pulled ? pulled : lanes & plain_;
    if (done | sliding) {
      model_.set(t, x);
      if (sliding) sliding_.begin(sliding);
      done = accelerate(done | sliding, pulled, done, xdot);
      if (const Mask<W> slides = sliding & usable_) done |= slide(engine, slides, xdot);
    }
    // the others alone, by the full engine
    regular_ |= done;
    const Mask<W> here = done;
    for_each<W>(without(lanes, here), [&](int k) {
      if (derivative_alone(engine, k, t[k], x, xdot)) done |= lane_bit<W>(k);
    });
    return done;
  }

  template <class Engine>
  ARMATURE_STEP Mask<W> project(Engine& engine, Mask<W> lanes, const Row<W>& t, Row<W>* x, Row<W>* error) {
    // one correction of positions and velocities together, else first the ones and then the others
    copy<W>(all_lanes<W>, n_.nx(), x, saved_x_);
    if (error) copy<W>(all_lanes<W>, n_.nx(), error, saved_error_);
    Mask<W> done = 0;
    if (!error) done = go_straight(engine, lanes, t, x);
    if (const Mask<W> open = without(lanes, done)) done |= project_together(engine, open, t, x, error);
    // what is left goes back to where it was, and to the full engine
    const Mask<W> left = without(lanes, done);
    if (!left) return done;
    copy<W>(left, n_.nx(), saved_x_, x);
    if (error) copy<W>(left, n_.nx(), saved_error_, error);
    for_each<W>(left, [&](int k) {
      if (project_alone(engine, k, t[k], x, error)) done |= lane_bit<W>(k);
    });
    return done;
  }

  template <class Engine>
  ARMATURE_STEP Finish<W> finish(Engine& engine, Mask<W> lanes, const Row<W>& t, Row<W>* x, Row<W>* xdot, Row<W>* error,
                                 const Row<W>& weight) {
    const Mask<W> tried = sized(engine, lanes & finishes_, t, x);
    if (!tried) return {};
    copy<W>(all_lanes<W>, n_.nx(), x, saved_x_);
    n_.configuration.template normalize<W>(tried, x);
    const Mask<W> done = projection_.finish(tried, t, x, xdot, error, weight);
    add_work(done, projection_.work(), x);
    if (const Mask<W> left = without(tried, done)) copy<W>(left, n_.nx(), saved_x_, x);
    // the acceleration is that of the end, or of the state before its last correction
    regular_ |= done;
    rates_ = projection_.rates(), ratio_ = projection_.ratio();
    Finish<W> finished;
    finished.all = done & projection_.ends_where_evaluated();
    finished.all_before = those<W>(without(done, finished.all),
                                   [&](int k) { return projection_.ratio()[k] >= correction::well_regular; });
    finished.all_but_derivative = without(without(done, finished.all), finished.all_before);
    return finished;
  }

 private:
  ARMATURE_STEP static void mark(Mask<W>& lanes, int k, bool on) {
    lanes = on ? lanes | lane_bit<W>(k) : without(lanes, lane_bit<W>(k));
  }

  // Runs the kernel; rates of `wanted` lanes go to xdot where there is nothing more to do, which is returned. usable_: of all.
  ARMATURE_STEP Mask<W> accelerate(Mask<W> lanes, bool pulled, Mask<W> wanted, Row<W>* xdot) {
    const auto& view = pulled ? model_.acceleration_baumgarte() : model_.acceleration();
    rates_ = {view.vdot, view.lambda, view.qdot, view.zdot};
    constexpr double least = Regularity::squared(Regularity::near);  // stages need no projection
    usable_ = lanes & regular<W>(n_.nv, n_.rows, view, least);
    if constexpr (W == 1) pivot_ratios<W>(n_.nv, n_.rows, view, ratio_);
    usable_ &=
        step::finite<W>(n_.nv, rates_.vdot) & step::finite<W>(n_.nq, rates_.qdot) & step::finite<W>(n_.nz, rates_.zdot);
    write_rates(wanted & usable_, xdot);
    return wanted & usable_;
  }

  ARMATURE_STEP void write_rates(Mask<W> lanes, Row<W>* xdot) const {
    copy<W>(lanes, n_.nq, rates_.qdot, xdot);
    copy<W>(lanes, n_.nv, rates_.vdot, xdot + n_.nq);
    copy<W>(lanes, n_.nz, rates_.zdot, xdot + n_.nq + n_.nv);
  }

  // From the acceleration with weights of 1/2.
  template <class Engine>
  ARMATURE_STEP Mask<W> slide(Engine& engine, Mask<W> lanes, Row<W>* xdot) {
    Row<W> residual{};
    lanes = sliding_.residual(lanes, rates_.vdot, residual);
    const auto residual_at = [&](Mask<W> tried, Row<W>& result, bool wanted) {
      const Mask<W> none = 0;
      accelerate(tried, false, wanted ? tried : none, xdot);
      return sliding_.residual(usable_, rates_.vdot, result);
    };
    const Mask<W> found = sliding_.finish(lanes, residual, residual_at);
    for_each<W>(found, [&](int k) { engine.take_weight(k, sliding_.comparison(k), sliding_.weight(k)); });
    return found;
  }

  template <class Engine>
  ARMATURE_STEP bool derivative_alone(Engine& engine, int k, double t, const Row<W>* x, Row<W>* xdot) {
    regular_ = without(regular_, lane_bit<W>(k));
    if constexpr (W == 1) {
      return engine.derivative(k, t, x->lane, xdot->lane);
    } else {
      gather(x, k, one_x_);
      const bool ok = engine.derivative(k, t, one_x_, one_xdot_);
      if (!has(plain_, k)) engine.hold(k);
      scatter(one_xdot_, k, xdot);
      return ok;
    }
  }

  template <class Engine>
  ARMATURE_STEP bool project_alone(Engine& engine, int k, double t, Row<W>* x, Row<W>* error) {
    if constexpr (W == 1) {
      return engine.project(k, t, x->lane, error ? error->lane : nullptr);
    } else {
      gather(x, k, one_x_);
      if (error) gather(error, k, one_xdot_);
      const bool ok = engine.project(k, t, one_x_, error ? one_xdot_ : nullptr);
      scatter(one_x_, k, x);
      if (error) scatter(one_xdot_, k, error);
      return ok;
    }
  }

  // Lanes whose sizes are known.
  template <class Engine>
  ARMATURE_STEP Mask<W> sized(Engine& engine, Mask<W> lanes, const Row<W>& t, const Row<W>* x) {
    for_each<W>(without(lanes, sized_), [&](int k) {
      gather(x, k, one_x_);
      const MachineSizes sizes = engine.sizes(k, t[k], one_x_);
      if (!sizes.rows) return;
      projection_.set_sizes(k, sizes);
      sized_ |= lane_bit<W>(k);
    });
    return lanes & sized_;
  }

  // With saved_x_ as x was.
  template <class Engine>
  ARMATURE_STEP Mask<W> go_straight(Engine& engine, Mask<W> lanes, const Row<W>& t, Row<W>* x) {
    const Mask<W> tried = sized(engine, lanes & straight_, t, x);
    if (!tried) return tried;
    n_.configuration.template normalize<W>(tried, x);
    const Mask<W> done = projection_.straight(tried, t, x);
    add_work(done, projection_.work(), x);
    if (const Mask<W> left = without(tried, done)) copy<W>(left, n_.nx(), saved_x_, x);
    return done;
  }

  // Positions, then velocities. Lanes that project and lanes that do not are not mixed.
  template <class Engine>
  ARMATURE_STEP Mask<W> project_together(Engine& engine, Mask<W> lanes, const Row<W>& t, Row<W>* x, Row<W>* error) {
    // lanes that take part, with their sizes
    lanes = without(lanes, alone_);
    Row<W> before{}, change{};
    const Mask<W> projecting = lanes & projects_;
    if (projecting) lanes = sized(engine, projecting, t, x);
    if (!lanes) return lanes;
    // quaternions of length one, the constraints, and what that changes of the energy
    if (n_.work >= 0) {
      model_.set(t, x);
      before = model_.energy();
    }
    n_.configuration.template normalize<W>(lanes, x);
    if (projecting) lanes = projection_.project(lanes, t, x, error);
    if (n_.work < 0 || !lanes) return lanes;
    model_.set(t, x);
    const Row<W>& after = model_.energy();
    for (int k = 0; k < W; ++k) change[k] = after[k] - before[k];
    add_work(lanes, change, x);
    return lanes;
  }

  ARMATURE_STEP void add_work(Mask<W> lanes, const Row<W>& work, Row<W>* x) const {
    if (n_.work >= 0) for_each<W>(lanes, [&](int k) { x[n_.nq + n_.nv + n_.work][k] += work[k]; });
  }

  ARMATURE_STEP void gather(const Row<W>* rows, int k, double* one) const {
    for (int i = 0; i < n_.nx(); ++i) one[i] = rows[i][k];
  }
  ARMATURE_STEP void scatter(const double* one, int k, Row<W>* rows) const {
    for (int i = 0; i < n_.nx(); ++i) rows[i][k] = one[i];
  }

  Model& model_;
  Sizes n_;
  Projection<W, Model> projection_;
  Sliding<W, Model> sliding_;
  Row<W>*saved_x_, *saved_error_;
  double *one_x_, *one_xdot_;  // of one lane
  Rates<W> rates_{};
  Row<W> ratio_{};
  Mask<W> usable_ = 0;
  Mask<W> plain_ = 0, pulled_ = 0, projects_ = 0, straight_ = 0, alone_ = 0, finishes_ = 0, regular_ = 0;
  Mask<W> sized_ = 0;  // the sizes are set
};

}  // namespace armature::step
