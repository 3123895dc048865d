// The polynomial over one step that tableau.hpp defines: cubic Hermite between both ends, plus rows that vanish with
// their first derivative at both ends. It is therefore continuous with its slope from step to step, also where x1 was
// moved by a projection: moving the end and its slope by O(h^(p+1)) adds theta^2 (3 - 2 theta) times that, which keeps
// the order.
//
// Further stages lie where dense output leads, unless f is not as smooth as they take it to be: where a long step passes by
// a singular pose, f next to the manifold is another one than upon it. Then they are off by 1e4 tolerances and more, else by a
// few, and rarely by some hundred: dense output is sound where they are off by less than 1000, and by less than a percent of the
// state.
#pragma once

#include "step/runge_kutta.hpp"
#include "step/tolerance.hpp"

namespace armature::step {

// The ends of a step of W states: x1 as corrected.
template <int W>
struct Ends {
  const Row<W>&t0, &t1;
  const Row<W>*x0, *x1;
};

template <int W>
class DenseOutput {
 public:
  static constexpr double off_course = 1000;  // tolerances
  static constexpr double much_off = 1e-2;    // of the state

  ARMATURE_STEP static long memory(const Tableau& method, int n) {
    return static_cast<long>(n) * (method.dense_columns() * (W == 1 ? 1 : 2) + method.further_stages);
  }
  ARMATURE_STEP DenseOutput(const Tableau& method, int n, Row<W>* memory)
      : columns_(method.dense_columns()),
        n_(n),
        F_(memory),
        made_(W == 1 ? memory : memory + static_cast<long>(n) * columns_),
        further_x_(made_ + static_cast<long>(n) * columns_) {}

  ARMATURE_STEP int columns() const { return columns_; }
  ARMATURE_STEP Row<W>* column(int i) { return F_ + static_cast<long>(i) * n_; }
  ARMATURE_STEP const Row<W>* column(int i) const { return F_ + static_cast<long>(i) * n_; }
  ARMATURE_STEP Row<W>* rows() { return column(3); }  // those of D, one column behind the other

  // Over finished steps of some lanes; the others keep theirs. Returns the lanes in which dense output is sound; tolerance
  // null: all. Further stages of the tableau are evaluated here; where f fails at one of them the Hermite polynomial remains.
  template <class F>
  ARMATURE_STEP Mask<W> make(F& f, RungeKutta<W>& method, Mask<W> lanes, const Ends<W>& ends,
                             const Tolerance<W>* tolerance) {
    make_ends(method, ends);
    const Mask<W> complete = make_rows(f, method, lanes, ends);
    if constexpr (W > 1) copy<W>(lanes, n_ * columns_, made_, F_);
    if (method.tableau().further_stages == 0 || !tolerance) return lanes;
    return complete & stages_lie_on_course(method, ends, *tolerance);
  }

  // F0, F1, F2
  ARMATURE_STEP void make_ends(const RungeKutta<W>& method, const Ends<W>& ends) {
    dense_ends<W>(n_, length(ends), ends.x0, ends.x1, method.first(), method.last(), made_);
  }

  // The rows of D, after the further stages; returns the lanes in which these could be evaluated.
  template <class F>
  ARMATURE_STEP Mask<W> make_rows(F& f, RungeKutta<W>& method, Mask<W> lanes, const Ends<W>& ends) {
    const Tableau& tableau = method.tableau();
    const Row<W> h = length(ends);
    Mask<W> complete = lanes;
    for (int i = 0; i < tableau.further_stages && complete; ++i) {
      complete = method.evaluate(f, complete, ends.t0, h, tableau.further_c[i], tableau.further_A[i],
                                 tableau.all_stages(), ends.x0, tableau.stages + 1 + i);
      copy<W>(all_lanes<W>, n_, method.stage_x(), further_x_ + static_cast<long>(i) * n_);
    }
    for (int row = 0; row < tableau.dense_rows; ++row) {
      Row<W>* column = made_ + static_cast<long>(3 + row) * n_;
      combine<W>(n_, tableau.D[row], tableau.all_stages(), h, method.stage(0), nullptr, column);
      for_each<W>(without(lanes, complete), [&](int k) {
        for (int e = 0; e < n_; ++e) column[e][k] = 0;
      });
    }
    return complete;
  }

  // Where further stages lie on the polynomial just made.
  ARMATURE_STEP Mask<W> stages_lie_on_course(RungeKutta<W>& method, const Ends<W>& ends,
                                             const Tolerance<W>& tolerance) {
    const Tableau& tableau = method.tableau();
    const Row<W> h = length(ends);
    Mask<W> sound = all_lanes<W>;
    Row<W> theta, norm;
    for (int i = 0; i < tableau.further_stages; ++i) {
      for (int k = 0; k < W; ++k) theta[k] = (ends.t0[k] + tableau.further_c[i] * h[k] - ends.t0[k]) / h[k];
      dense_value<W>(n_, columns_, theta, made_, ends.x0, method.stage_x());
      const Row<W>* stage = further_x_ + static_cast<long>(i) * n_;
      for (int e = 0; e < n_; ++e)
        for (int k = 0; k < W; ++k) method.stage_x()[e][k] -= stage[e][k];
      tolerance.norm(n_, method.stage_x(), ends.x0, ends.x1, norm);
      sound = those<W>(sound, [&](int k) { return norm[k] <= smaller(off_course, much_off / tolerance.rtol); });
    }
    return sound;
  }

  // Entry e over the step in powers of u, where t = t0 + (1/2 + u) h: columns() + 1 coefficients.
  ARMATURE_STEP void powers(int e, const Row<W>* x0, Row<W>* p) const { dense_powers<W>(n_, columns_, e, F_, x0, p); }

  // x at a time of each lane's step.
  ARMATURE_STEP void evaluate(const Ends<W>& ends, const Row<W>& t, Row<W>* x) const {
    const Row<W> h = length(ends);
    Row<W> theta;
    for (int k = 0; k < W; ++k) theta[k] = (t[k] - ends.t0[k]) / h[k];
    dense_value<W>(n_, columns_, theta, F_, ends.x0, x);
  }

 private:
  ARMATURE_STEP static Row<W> length(const Ends<W>& ends) {
    Row<W> h;
    for (int k = 0; k < W; ++k) h[k] = ends.t1[k] - ends.t0[k];
    return h;
  }

  int columns_, n_;
  Row<W>*F_, *made_, *further_x_;  // n rows a column; made: before it is copied into the lanes that asked for it
};

}  // namespace armature::step
