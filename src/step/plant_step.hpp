// One step of one length of one state, for a model whose sizes the compiler knows: in exported code and on a card. The equations are
// those of FixedStep and Motion, with the same operations in the same order, hence the same bits. Nothing is kept that serves only several
// lanes, dense output or the history of a run: a thread of a card is as fast as the memory that it touches is small.
//
// Plant: see exported.hpp. Model: a KernelEvaluator<1> of it, with
//   inputs()             t, x, … as the programs read them
//   rates(xdot)          f where a pivot is small; false: it is not known
#pragma once

#include "step/fixed_step.hpp"
#include "step/projection.hpp"

namespace armature::step {

template <class Plant, class Model>
class PlantStep {
 public:
  using State = typename Plant::State;

  // From the state to the time `end`. After a failure the state is as it was.
  ARMATURE_STEP static StepStatus take(State& s, const double* p, double end) {
    PlantStep step(s, p);
    const double h = end - s.t;
    if (!(Plant::positions > 0 ? step.advance_semi_implicitly(h, end) : step.advance(s, h)))
      return StepStatus::not_finite;
    if (!step.project(end)) return StepStatus::projection_failed;
    s.t = end;
    for (int i = 0; i < nx; ++i) s.x[i] = step.x1_[i][0];
    return StepStatus::ok;
  }

 private:
  static constexpr int nq = Plant::nq, nv = Plant::nv, nz = Plant::nz, nx = Plant::nx, rows = Plant::rows;
  static constexpr int some_x = nx > 0 ? nx : 1;
  static constexpr Configuration configuration = {
      nq, nv, Plant::plain_count, Plant::quaternion_count, Plant::plain, Plant::quaternions};

  // A method whose stages need the derivative before them and no others; then one is kept at a time.
  ARMATURE_STEP static constexpr bool is_chain() {
    constexpr Tableau method = Plant::table();
    for (int i = 1; i < method.stages; ++i)
      for (int j = 0; j + 1 < i; ++j)
        if (method.A[i][j] != 0) return false;
    return true;
  }
  static constexpr bool chain = is_chain();
  static constexpr int kept = chain ? 1 : Plant::table().stages;

  ARMATURE_STEP PlantStep(const State& s, const double* p) : model_(s, p) {
    for (int i = 0; i < nx; ++i) x1_[i][0] = s.x[i];
  }

  // f at the inputs that are set.
  ARMATURE_STEP bool derivative(Row<1>* xdot) {
    const auto& view = model_.acceleration();
    constexpr double least = Regularity::squared(Regularity::near);  // stages need no projection
    if (!regular<1>(nv, rows, view, least) || !step::finite<1>(nv, view.vdot) || !step::finite<1>(nq, view.qdot) ||
        !step::finite<1>(nz, view.zdot))
      return model_.rates(xdot->lane);
    copy<1>(true, nq, view.qdot, xdot);
    copy<1>(true, nv, view.vdot, xdot + nq);
    copy<1>(true, nz, view.zdot, xdot + nq + nv);
    return true;
  }

  // x1 = x0 + h sum b_i k_i, to which each k_i is added as soon as it is known.
  ARMATURE_STEP bool advance(const State& s, double h) {
    const Tableau& method = Plant::method();
    for (int i = 0; i < method.stages; ++i) {
      if (i > 0) set_stage(s, h, method, i);
      Row<1>* k = K_ + (chain ? 0 : i * nx);
      if (!derivative(k)) return false;
      if (method.b[i] != 0) add<1>(nx, {{h * method.b[i]}}, k, x1_);
    }
    return true;
  }

  ARMATURE_STEP void set_stage(const State& s, double h, const Tableau& method, int i) {
    double *in = model_.inputs(), *x = in + 1;
    in[0] = s.t + method.c[i] * h;
    for (int e = 0; e < nx; ++e) x[e] = s.x[e];
    for (int j = chain ? i - 1 : 0; j < i; ++j) {
      if (method.A[i][j] == 0) continue;
      const double factor = h * method.A[i][j];
      const Row<1>* k = K_ + (chain ? 0 : j * nx);
      for (int e = 0; e < nx; ++e) x[e] += factor * k[e][0];
    }
  }

  ARMATURE_STEP bool advance_semi_implicitly(double h, double end) {
    constexpr int positions = Plant::positions;
    if (!derivative(K_)) return false;
    add<1>(nx - positions, {{h}}, K_ + positions, x1_ + positions);
    model_.set({{end}}, x1_);
    if (!derivative(K_)) return false;
    add<1>(positions, {{h}}, K_, x1_);
    return true;
  }

  // Positions and velocities together, else first the ones and then the others.
  ARMATURE_STEP bool project(double end) {
    if (!Plant::projects || rows == 0) {
      configuration.template normalize<1>(true, x1_);
      return true;
    }
    Row<1> memory[2 * nv + nq + rows + 1], before[some_x];
    ProjectionSizes sizes;
    sizes.nq = nq, sizes.nv = nv, sizes.nz = nz, sizes.rows = rows, sizes.configuration = configuration;
    Projection<1, Model> projection(model_, sizes, memory);
    projection.set_sizes(0, {Plant::per_row, Plant::per_position, Plant::per_velocity});
    projection.set_rate(0, Plant::rate);
    copy<1>(true, nx, x1_, before);
    configuration.template normalize<1>(true, x1_);
    if (projection.straight(true, {{end}}, x1_)) return true;
    copy<1>(true, nx, before, x1_);
    configuration.template normalize<1>(true, x1_);
    return projection.project(true, {{end}}, x1_, nullptr);
  }

  Model model_;
  Row<1> K_[kept * some_x], x1_[some_x];
};

}  // namespace armature::step
