// The stages of explicit Runge-Kutta steps of eight lanes, each from its own (t, x0) over its own h: runge_kutta.hpp.
#pragma once

#include <vector>

#include "integrate/lane_kernels.hpp"
#include "integrate/lane_ode.hpp"
#include "integrate/step_control.hpp"
#include "integrate/tableau.hpp"

namespace armature {

class RungeKuttaLanes {
 public:
  RungeKuttaLanes(const Tableau& tableau, LaneOde& ode);
  const Tableau& tableau() const { return tableau_; }

  // Each returns the lanes in which f could be evaluated.
  LaneMask finish(LaneMask lanes, const LaneRow& t1, const LaneRow* x1);  // k_{s+1} = f(t1, x1)
  bool finish(int lane, double t1, const double* x1);
  void shift(LaneMask lanes);  // k_1 = k_{s+1}
  LaneMask advance(LaneMask lanes, const LaneRow& t, const LaneRow& h, const LaneRow* x0, LaneRow* x1);

  const LaneRow* first() const { return stage(0); }
  const LaneRow* last() const { return stage(tableau_.stages()); }
  const LaneRow* last_stage() const { return stage(tableau_.stages() - 1); }
  const LaneRow* last_stage_x() const { return stage_x_.data(); }  // until dense output is made
  void estimate(int row, const LaneRow& h, LaneRow* error) const;
  void estimate_without_end(int row, const LaneRow& h, LaneRow* error) const;
  LaneOde::Finish finish_and_return(LaneMask lanes, const LaneRow& t1, const LaneRow& h, LaneRow* x1, LaneRow* error);

  // Columns of the dense output over steps from x0 to x1, finished: dense_columns() times size() rows, in some lanes. Returns
  // those in which it is sound; tolerance null: all.
  int dense_columns() const { return 3 + static_cast<int>(D_.size()); }
  LaneMask interpolant(LaneMask lanes, const LaneRow& t, const LaneRow& h, const LaneRow* x0, const LaneRow* x1,
                       const Tolerance* tolerance, LaneRow* F);

 private:
  using Terms = std::vector<lane_kernels::Term>;
  const LaneRow* stage(int i) const { return K_.data() + i * n_; }
  LaneRow* stage(int i) { return K_.data() + i * n_; }
  LaneMask stages_lie_on_dense_output(const LaneRow& t, const LaneRow& h, const LaneRow* x0, const LaneRow* x1,
                                      const Tolerance& tolerance);
  LaneMask evaluate(LaneMask lanes, const LaneRow& t, const LaneRow& h, double c, const Terms& terms, const LaneRow* x0,
                    int stage);

  const Tableau& tableau_;
  LaneOde& ode_;
  int n_;
  std::vector<Terms> A_, E_, E_without_end_, dense_A_, D_;  // weights that are not zero
  Terms b_;
  std::vector<LaneRow> K_, stage_x_, F_;  // n rows a stage
  std::vector<LaneRow> dense_x_;          // states of the further stages
  std::vector<double> slope_;             // of one lane
};

}  // namespace armature
